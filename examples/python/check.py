"""Runs a model and compares all that the NPU computes with the host."""

import npu
from example import MODEL, read_picture

check = npu.load(MODEL).check(read_picture(5), "npu-v1")
print(check.verdict, check.passed)
for name, array in check.outputs.items():
    print(name, array.dtype, array.shape)
