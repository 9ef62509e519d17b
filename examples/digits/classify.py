#!/usr/bin/env python3
"""Names the digit in a picture: runs digits.onnx on the NPU and compares the result with the host CPU's.

usage: classify.py [--model=FILE] PICTURE.png [NPU-RUN [FLAGS...]]

The model is digits.onnx, or another one with the same input and output, such as digits.i8.onnx. The picture is an 8-bit PNG
of any size, one light digit on black or one dark digit on white. NPU-RUN is the tool, by default the one in PATH. Further
flags are given to it, e.g. --target=npu-tiny.
"""

import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

SIZE = 28


def read_png(path):
    """Rows of gray pixels from 0 to 255."""
    data = pathlib.Path(path).read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        sys.exit(f"{path}: expected a PNG picture")
    chunks, at = {}, 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        chunks[kind] = chunks.get(kind, b"") + data[at + 8 : at + 8 + length]
        at += length + 12
    width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    channels = {0: 1, 2: 3, 4: 2, 6: 4}.get(color)
    if depth != 8 or channels is None or interlaced:
        sys.exit(f"{path}: expected 8 bits per channel, gray or RGB, not interlaced; convert it with an image editor")
    data, stride, before, rows = zlib.decompress(chunks[b"IDAT"]), width * channels, bytes(width * channels), []
    for y in range(height):
        kind, *row = data[y * (stride + 1) : (y + 1) * (stride + 1)]
        for i in range(stride):
            left = row[i - channels] if i >= channels else 0
            up, corner = before[i], before[i - channels] if i >= channels else 0
            nearest = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))
            row[i] = (row[i] + (0, left, up, (left + up) // 2, nearest[2])[kind]) & 255
        before = row
        gray = 3 if channels > 2 else 1
        rows.append([sum(row[x * channels : x * channels + gray]) // gray for x in range(width)])
    return rows


def fit(rows):
    """The picture in 28x28 pixels, light on black. Each pixel is the mean of those that it covers."""
    height, width = len(rows), len(rows[0])

    def cover(index, size):
        begin = index * size // SIZE
        return range(begin, max(begin + 1, (index + 1) * size // SIZE))

    def mean(y, x):
        pixels = [rows[i][j] for i in cover(y, height) for j in cover(x, width)]
        return sum(pixels) // len(pixels)

    small = [[mean(y, x) for x in range(SIZE)] for y in range(SIZE)]
    border = small[0] + small[-1]
    return [[255 - pixel for pixel in row] for row in small] if sum(border) > 128 * len(border) else small


def main():
    model, arguments = pathlib.Path(__file__).resolve().parent / "digits.onnx", sys.argv[1:]
    if arguments and arguments[0].startswith("--model="):
        model = arguments.pop(0).removeprefix("--model=")
    if not arguments:
        sys.exit(__doc__)
    picture = fit(read_png(arguments[0]))
    for row in picture:
        print("".join(2 * " .:-=+*#%@"[pixel * 9 // 255] for pixel in row).rstrip())
    with tempfile.TemporaryDirectory() as folder:
        source, result = pathlib.Path(folder, "picture.bin"), pathlib.Path(folder, "scores.bin")
        source.write_bytes(bytes(pixel for row in picture for pixel in row))
        tool = arguments[1:] or ["npu-run"]
        run = subprocess.run([*tool, "--check", model, f"--input=1x1x{SIZE}x{SIZE}xui8=@{source}", f"--output=@{result}"],
                             stdout=subprocess.PIPE, text=True)
        print(run.stdout[run.stdout.find("on the NPU:"):].rstrip())
        if run.returncode:
            sys.exit(run.returncode)
        scores = struct.unpack("<10f", result.read_bytes())
    print(f"The picture shows a {scores.index(max(scores))}.")


if __name__ == "__main__":
    main()
