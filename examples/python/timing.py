"""Times a model, and prints its three largest kernels with their limits."""

import npu
from example import MODEL

timing = npu.load(MODEL).time("npu-v1")
print(timing.cycles, "cycles")
for kernel in sorted(timing.kernels, key=lambda kernel: -kernel["cycles"])[:3]:
    print("dispatches", kernel["kernel_dispatches"], kernel["cycles"], "cycles, limit", kernel["roofline_cycles"])
