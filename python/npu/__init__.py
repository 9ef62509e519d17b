"""The NPU toolchain for Python, with arrays of numpy. See docs/python.md.

    import npu
    model = npu.load("model.onnx")
    timing = model.time(npu.Chip("npu-v1").replace(clusters=4))
    print(timing.cycles)
    y = model.compile()(x)
"""

from npu._capi import Error, InputError, Trap, version as _version
from npu._tensors import Tensor
from npu.chip import Chip, chips
from npu.model import Model, load
from npu.program import Program, load_program
from npu.report import Check, Plan, Timing
from npu.sweep import sweep

__version__ = _version
__all__ = ["Check", "Chip", "Error", "InputError", "Model", "Plan", "Program", "Tensor", "Timing", "Trap", "chips", "load",
           "load_program", "sweep"]
