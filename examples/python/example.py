"""What the examples share: the network of examples/digits and its pictures."""

import pathlib
import struct
import zlib

import numpy

DIGITS = pathlib.Path(__file__).resolve().parent.parent / "digits"
MODEL = DIGITS / "digits.onnx"


def read_picture(digit):
    """A picture of 28 x 28 shades of gray, as the network takes it."""
    data = (DIGITS / f"{digit}.png").read_bytes()
    place, packed = 8, b""
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place:place + 8])
        if kind == b"IDAT":
            packed += data[place + 8:place + 8 + size]
        place += size + 12
    rows = numpy.frombuffer(zlib.decompress(packed), numpy.uint8).reshape(28, 29)
    assert not rows[:, 0].any(), "the rows of these pictures are not filtered"
    return rows[:, 1:].reshape(1, 1, 28, 28)
