"""Has a classifier of 28x28 images name seeded drawings, on the NPU and on the host.

usage: compare-classes.py <npu-run> <model> <directory> <number of drawings>

Prints the class of each drawing. Fails when the two disagree, and when the drawings do not tell
classes apart: then agreement would mean little.
"""

import os
import random
import struct
import subprocess
import sys

SIZE = 28


def draw(seed):
    """Some strokes, dark in the middle: rows of numbers in [0, 1]."""
    numbers = random.Random(seed)
    image = [[0.0] * SIZE for _ in range(SIZE)]
    x, y = (6 + 16 * numbers.random() for _ in range(2))
    for _ in range(3):
        to_x, to_y = (6 + 16 * numbers.random() for _ in range(2))
        for step in range(41):
            at_x, at_y = (x + (to_x - x) * step / 40, y + (to_y - y) * step / 40)
            for row in range(SIZE):
                for column in range(SIZE):
                    distance = ((column - at_x) ** 2 + (row - at_y) ** 2) ** 0.5
                    image[row][column] = max(image[row][column], min(1.0, 2.0 - distance))
        x, y = to_x, to_y
    return [value for row in image for value in row]


def write_npy(path, values):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': (1, {SIZE}, {SIZE}, 1), }}"
    header = header.ljust(118 - 1) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(values)}f", *values))


def read_npy(path):
    with open(path, "rb") as file:
        data = file.read()
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    assert b"'<f4'" in data[:begin], data[:begin]
    return struct.unpack(f"<{(len(data) - begin) // 4}f", data[begin:])


def classify(npu_run, model, image, device):
    scores_file = f"{image}.{device}.npy"
    command = [npu_run, model, f"--device={device}", f"--input=@{image}", f"--output=@{scores_file}"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    scores = read_npy(scores_file)
    return scores.index(max(scores))


def main():
    npu_run, model, directory, count = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    classes = set()
    for seed in range(int(count)):
        image = os.path.join(directory, f"image{seed}.npy")
        write_npy(image, draw(seed))
        npu, host = (classify(npu_run, model, image, device) for device in ("npu", "host"))
        print(f"drawing {seed}: class {npu} on the NPU, {host} on the host")
        if npu != host:
            sys.exit(f"expected the same class for drawing {seed}")
        classes.add(npu)
    print(f"{count} drawings, {len(classes)} classes: the same on both")
    if len(classes) < 4:
        sys.exit("expected drawings of at least 4 classes")


main()
