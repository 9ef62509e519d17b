#!/usr/bin/env python3
"""Writes the pictures of digits in this folder as samples for npu-quantize, a file .npy for each.

usage: samples.py FOLDER
"""

import pathlib
import sys

from classify import SIZE, fit, read_png


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    # NumPy's format: what the file is, the length of a line of text, the text, and the bytes.
    text = f"{{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, {SIZE}, {SIZE}), }}".ljust(117) + "\n"
    header = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()
    for path in sorted(pathlib.Path(__file__).resolve().parent.glob("*.png")):
        rows = fit(read_png(path))
        (folder / f"{path.stem}.npy").write_bytes(header + bytes(pixel for row in rows for pixel in row))


if __name__ == "__main__":
    main()
