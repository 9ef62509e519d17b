"""Reads the schedule that the search chose, and follows it without a search."""

import npu
from example import MODEL

model = npu.load(MODEL)
timing = model.time("npu-v1")
for kernel in timing.schedule["kernels"]:
    print(kernel["kernel"], kernel["cycles"], "cycles")
model.schedule = timing.schedule
print("the same cycles:", model.time("npu-v1").cycles == timing.cycles)
