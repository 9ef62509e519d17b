#!/usr/bin/env python3
"""What main.c does, from Python, with nothing but the standard library.

usage: run.py <model> [<libNPU.so.0>]
"""

import array
import ctypes
import json
import sys

ABI_VERSION = 1
F32 = 8


class Tensor(ctypes.Structure):
    """NpuTensor of npu-c/npu.h."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("data", ctypes.c_void_p),
        ("numBytes", ctypes.c_uint64),
        ("elementType", ctypes.c_int32),
        ("rank", ctypes.c_int32),
    ]


class Library:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        if self.library.npuGetAbiVersion() != ABI_VERSION:
            sys.exit(f"run.py: error: expected ABI {ABI_VERSION} of {path}, found another")
        self.library.npuProgramGetNumInputs.restype = ctypes.c_size_t
        self.library.npuProgramGetNumOutputs.restype = ctypes.c_size_t

    def call(self, name, *arguments):
        """Calls a function whose last argument is the place for a message."""
        error = ctypes.c_void_p()
        if getattr(self.library, name)(*arguments, ctypes.byref(error)):
            sys.exit(f"run.py: error: {self.take(error)}")

    def make(self, name, *arguments):
        """Calls a function that also gives a handle or a string."""
        result = ctypes.c_void_p()
        self.call(name, *arguments, ctypes.byref(result))
        return result

    def take(self, string):
        text = ctypes.string_at(string).decode()
        self.library.npuFreeString(string)
        return text

    def describe(self, program, what):
        """All inputs or outputs of a program."""
        tensors = (Tensor * getattr(self.library, f"npuProgramGetNum{what}s")(program))()
        for index, tensor in enumerate(tensors):
            self.call(f"npuProgramGet{what}", program, ctypes.c_size_t(index), ctypes.byref(tensor))
        return tensors


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    npu = Library(sys.argv[2] if len(sys.argv) == 3 else "libNPU.so.0")
    model = npu.make("npuModelRead", sys.argv[1].encode(), None)
    plan = json.loads(npu.take(npu.make("npuModelPlan", model, None)))
    for dispatch in plan["dispatches"]:
        print(dispatch["op"], "on", dispatch["placement"], *dispatch["reasons"])
    program = npu.make("npuModelCompile", model, None)

    inputs, outputs, data = npu.describe(program, "Input"), npu.describe(program, "Output"), []
    for tensor in [*inputs, *outputs]:
        if tensor.elementType != F32:
            sys.exit(f"run.py: error: expected f32, found another type of {tensor.name.decode()}")
        data.append(array.array("f", [0.5] * (tensor.numBytes // 4)))
        tensor.data = data[-1].buffer_info()[0]
    npu.call(
        "npuProgramRun", program, None, inputs, ctypes.c_size_t(len(inputs)), outputs, ctypes.c_size_t(len(outputs)), None
    )
    print(f"{outputs[0].name.decode()}[0] = {data[len(inputs)][0]:g}")
    npu.library.npuProgramFree(program)
    npu.library.npuModelFree(model)


main()
