"""Compiles a model once, and runs it on two pictures."""

import numpy
import npu
from example import MODEL, read_picture

program = npu.load(MODEL).compile("npu-v1")
for digit in (3, 7):
    scores = program(read_picture(digit))
    print("picture of", digit, "is a", numpy.argmax(scores), "after", program.report["cycles"], "cycles")
