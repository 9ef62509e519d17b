#!/usr/bin/env python3
"""Trains the network of this folder on digits that it draws, and writes digits.onnx and a picture of each digit.

usage: train.py

Needs Debian's python3-numpy, protobuf-compiler and libonnx-dev. Works in the tree of the sources, whose
scripts/onnx_text.py writes the model. It takes half a minute of CPU; its random numbers are the same in every run.

The network reads a gray picture of 28x28 bytes and gives ten scores, one per digit:
two convolutions of 3x3 with stride 2 and 8 and 16 features, each with a ReLU, and a matrix product.
"""

import pathlib
import struct
import sys
import zlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.append(str(FOLDER.parent.parent / "scripts"))
from onnx_text import Graph  # noqa: E402

SIZE = 28
# The strokes of each digit: points of polylines, x to the right and y down, from 0 to 1.
CIRCLE = [(0.5 + 0.5 * np.sin(t), 0.5 - 0.5 * np.cos(t)) for t in np.linspace(0, 2 * np.pi, 17)]


def place(points, left, top, width, height):
    return [(left + x * width, top + y * height) for x, y in points]


STROKES = [
    [place(CIRCLE, 0.15, 0, 0.7, 1)],
    [[(0.25, 0.25), (0.55, 0), (0.55, 1)]],
    [place(CIRCLE[-5:] + CIRCLE[1:7], 0.15, 0, 0.7, 0.6) + [(0.15, 1), (0.85, 1)]],
    [place(CIRCLE[-5:] + CIRCLE[1:9], 0.2, 0, 0.6, 0.5), place(CIRCLE[:12], 0.15, 0.45, 0.7, 0.55)],
    [[(0.65, 1), (0.65, 0), (0.1, 0.68), (0.9, 0.68)]],
    [[(0.8, 0), (0.25, 0), (0.2, 0.45)] + place(CIRCLE[1:12], 0.12, 0.38, 0.7, 0.62)],
    [[(0.7, 0), (0.35, 0.25), (0.17, 0.65)], place(CIRCLE, 0.15, 0.45, 0.68, 0.55)],
    [[(0.12, 0), (0.85, 0), (0.4, 1)]],
    [place(CIRCLE, 0.22, 0, 0.56, 0.45), place(CIRCLE, 0.15, 0.45, 0.7, 0.55)],
    [place(CIRCLE, 0.17, 0, 0.66, 0.55), [(0.83, 0.28), (0.78, 0.65), (0.55, 1)]],
]


def draw(digit, random):
    """A picture of the digit, as a person might write it: floats from 0 to 1, white on black."""
    angle, shear = random.normal(0, 0.12), random.normal(0, 0.15)
    turn = np.array([[np.cos(angle), shear - np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn *= random.uniform(14, 19) * np.array([[random.uniform(0.75, 1.05)], [1]])
    center = SIZE / 2 + random.normal(0, 1.3, 2)
    y, x = np.mgrid[:SIZE, :SIZE] + 0.5
    distance = np.full((SIZE, SIZE), np.inf)
    for stroke in STROKES[digit]:
        points = (np.array(stroke) - 0.5 + random.normal(0, 0.02, (len(stroke), 2))) @ turn.T + center
        for (x0, y0), (x1, y1) in zip(points, points[1:]):
            dx, dy = x1 - x0, y1 - y0
            along = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy + 1e-9), 0, 1)
            distance = np.minimum(distance, np.hypot(x - x0 - along * dx, y - y0 - along * dy))
    ink = np.clip(random.uniform(1, 1.9) + 0.5 - distance, 0, 1)
    return np.clip(ink * random.uniform(0.7, 1) + random.normal(0, 0.04, ink.shape), 0, 1)


def draw_many(count, random):
    labels = random.integers(0, 10, count)
    return np.stack([draw(digit, random) for digit in labels])[:, None].astype(np.float32), labels


def get_windows(images):
    """Windows of 3x3, two apart, of images padded by 1: [image, y, x, channel * 9]."""
    padded = np.pad(images, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))[:, :, ::2, ::2]
    count, channels, height, width = windows.shape[:4]
    return windows.transpose(0, 2, 3, 1, 4, 5).reshape(count, height, width, channels * 9)


def spread_windows(windows, channels, size):
    """The sum of what all windows say of each pixel."""
    count, height, width = windows.shape[:3]
    parts = windows.reshape(count, height, width, channels, 3, 3)
    images = np.zeros((count, channels, size + 2, size + 2), np.float32)
    for y in range(3):
        for x in range(3):
            images[:, :, y : y + 2 * height : 2, x : x + 2 * width : 2] += parts[..., y, x].transpose(0, 3, 1, 2)
    return images[:, :, 1:-1, 1:-1]


def run(images, weights):
    """The scores, and what the gradient needs."""
    filter1, bias1, filter2, bias2, matrix, bias3 = weights
    windows1 = get_windows(images)
    features1 = np.maximum(windows1 @ filter1 + bias1, 0)
    windows2 = get_windows(features1.transpose(0, 3, 1, 2))
    features2 = np.maximum(windows2 @ filter2 + bias2, 0)
    flat = features2.transpose(0, 3, 1, 2).reshape(len(images), -1)
    return flat @ matrix + bias3, (windows1, features1, windows2, features2, flat)


def get_gradient(images, labels, weights):
    scores, (windows1, features1, windows2, features2, flat) = run(images, weights)
    chances = np.exp(scores - scores.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    error = (chances - np.eye(10, dtype=np.float32)[labels]) / len(labels)
    error2 = (error @ weights[4].T).reshape(len(images), 16, 7, 7).transpose(0, 2, 3, 1) * (features2 > 0)
    error1 = spread_windows(error2 @ weights[2].T, 8, 14).transpose(0, 2, 3, 1) * (features1 > 0)
    sums = (0, 1, 2)
    return [np.tensordot(windows1, error1, (sums, sums)), error1.sum(sums),
            np.tensordot(windows2, error2, (sums, sums)), error2.sum(sums), flat.T @ error, error.sum(0)]


def train(random):
    shapes = [(9, 8), (8,), (72, 16), (16,), (784, 10), (10,)]
    weights = [(random.normal(0, (2 / shape[0]) ** 0.5, shape) if len(shape) == 2 else np.zeros(shape)).astype(np.float32)
               for shape in shapes]
    speeds = [np.zeros_like(w) for w in weights]
    images, labels = draw_many(12000, random)
    epochs, batch = 12, 50
    for epoch in range(epochs):
        order = random.permutation(len(images))
        for begin in range(0, len(order), batch):
            chosen = order[begin : begin + batch]
            rate = 0.05 * (1 - epoch / epochs)
            for weight, speed, gradient in zip(weights, speeds, get_gradient(images[chosen], labels[chosen], weights)):
                speed *= 0.9
                speed -= rate * gradient
                weight += speed
    images, labels = draw_many(2000, random)
    right = (run(images, weights)[0].argmax(1) == labels).mean()
    print(f"{right:.1%} of 2,000 digits that it has not seen are named right")
    return weights


def write_model(weights):
    filter1, bias1, filter2, bias2, matrix, bias3 = weights
    graph = Graph()

    def initialize(array):
        contents = "".join(f"\\{byte:03o}" for byte in array.astype("<f4").tobytes())
        return graph.initialize("f32", array.shape, f'raw_data: "{contents}"')

    # The pixels are bytes; the first filter divides them by 255.
    x = graph.add("Cast", ["picture"], to=1)
    for filter, bias, channels, scale in ((filter1, bias1, 1, 255), (filter2, bias2, 8, 1)):
        operands = [x, initialize(filter.T.reshape(-1, channels, 3, 3) / scale), initialize(bias)]
        x = graph.add("Relu", [graph.add("Conv", operands, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])])
    graph.add("Gemm", [graph.add("Flatten", [x]), initialize(matrix), initialize(bias3)], names=["scores"])
    graph.write(FOLDER / "digits.onnx", [("picture", "u8", [1, 1, SIZE, SIZE])], [("scores", "f32", [1, 10])])


def write_picture(path, picture):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(row) for row in np.round(picture * 255).astype(np.uint8))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 0, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main():
    random = np.random.default_rng(1)
    write_model(train(random))
    for digit in range(10):
        write_picture(FOLDER / f"{digit}.png", draw(digit, random))


if __name__ == "__main__":
    main()
