"""Compiled models."""

import ctypes
import json
import os

import numpy

from npu._capi import Handle, call, encode, get_text, library, make_options
from npu._tensors import bind, check_inputs, get_number, get_ports


class Program:
    """A compiled model, which runs any number of times: program(x)."""

    def __init__(self, handle, options=(), inputs=(), outputs=()):
        self._handle = handle
        self._options = make_options(options)
        #: What the last run took, as a dictionary; None before the first.
        self.report = None
        with handle as pointer:
            self._inputs = get_ports(pointer, "Input", library.npuProgramGetNumInputs(pointer), inputs)
            self._outputs = get_ports(pointer, "Output", library.npuProgramGetNumOutputs(pointer), outputs)

    @property
    def inputs(self):
        """A Tensor per input."""
        return list(self._inputs)

    @property
    def outputs(self):
        """A Tensor per output."""
        return list(self._outputs)

    def __call__(self, *inputs):
        """Runs the program in the simulator: on arrays in order, or a dictionary of them by name. Returns the array of the
        only output, or a tuple."""
        given = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], dict) else list(inputs)
        results = tuple(self.run(given).values())
        return results[0] if len(results) == 1 else results

    def run(self, inputs):
        """Runs the program on an array, a list of arrays or a dictionary by name. Returns a dictionary of arrays by name."""
        arrays = check_inputs(inputs, self._inputs)
        results = [numpy.zeros(port.shape, port.dtype) for port in self._outputs]
        given = bind(arrays, [get_number(*pair) for pair in zip(arrays, self._inputs)])
        taken = bind(results, [get_number(*pair) for pair in zip(results, self._outputs)])
        with self._handle as pointer, self._options as options:
            report = get_text("npuProgramRun", pointer, options, given, len(arrays), taken, len(results))
        self.report = json.loads(report)
        return {port.name: result for port, result in zip(self._outputs, results)}

    def save(self, path):
        """Writes a task graph, a .json file and a side file, which npu-run and load_program read."""
        with self._handle as pointer:
            call("npuProgramWrite", pointer, encode(path))

    def __repr__(self):
        return f"<Program: {', '.join(map(str, self._inputs))} -> {', '.join(map(str, self._outputs))}>"


def load_program(path, allow_host_code=False, parameters=()):
    """Reads what Program.save wrote. Its native code, for what the host runs, runs only with `allow_host_code`, as it can do
    whatever this process can."""
    handle = Handle.make("Program", "npuProgramRead", encode(os.fspath(path)))
    options = [("allow-host-code", "on" if allow_host_code else "off"), *(("parameters", source) for source in parameters)]
    return Program(handle, options)
