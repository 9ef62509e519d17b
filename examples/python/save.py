"""Writes a compiled model to a file, and runs it from there."""

import os
import tempfile

import numpy
import npu
from example import MODEL, read_picture

program = npu.load(MODEL).compile("npu-v1")
picture = read_picture(9)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "digits.json")
    program.save(path)
    again = npu.load_program(path)
    print("the same scores:", numpy.array_equal(again(picture), program(picture)))
