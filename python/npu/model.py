"""Models, as they come from files."""

import json
import os

from npu._capi import Error, Handle, encode, get_text, make_options
from npu._tensors import bind, check_inputs, get_number, read_ports
from npu.chip import make_chip
from npu.program import Program
from npu.report import Check, Plan, Timing, make_report

# Where a keyword is not the option of the library with - for _.
OPTIONS = {"fallback": "npu-fallback", "segments": "npu-segments", "search": "npu-search"}


# Of all calls, and of those that make reports.
COMMON = ("fallback", "segments", "search", "cycle_limit", "memory_limit", "host_op_limit")
ESTIMATED = COMMON + ("advise", "assume_type")
REPORTED = COMMON + ("advise", "report")


def list_options(keywords, known):
    """Keywords, which are some of `known`, as the options of npu-c/npu.h."""
    for name in keywords:
        if name not in known:
            raise Error(f"expected a keyword of {', '.join(known)}, found {name!r}")
    return [(OPTIONS.get(name, name.replace("_", "-")), "on" if value is True else "off" if value is False else str(value))
            for name, value in keywords.items()]


def write_schedule(schedule):
    """A schedule as the text that the library takes."""
    return schedule if isinstance(schedule, str) else json.dumps(schedule)


class Model:
    """A model from a file, see load.

    plan, time, check and compile take a chip, by default the first known one, and keywords: fallback="host" or "error",
    segments=True or False, search="auto", "quick" or "full", cycle_limit=, memory_limit=, host_op_limit=.
    """

    def __init__(self, handle, path, function, shapes, parameters):
        self._handle = handle
        self._fixed = [("function", function)] if function else []
        self._fixed += [("parameters", os.fspath(source)) for source in parameters]
        self._schedule = None
        self.path = path
        with handle as pointer, make_options(self._fixed) as options:
            ports = json.loads(get_text("npuModelDescribe", pointer, options))
        self._inputs, self._outputs = read_ports(ports["inputs"]), read_ports(ports["outputs"])
        self._shapes = [("input", text) for text in self._write_shapes(shapes)]

    def _write_shapes(self, shapes):
        """`shapes`, one for each input, by name or in order, as the library takes them."""
        if shapes is None:
            return []
        names = [port.name for port in self._inputs]
        if isinstance(shapes, dict):
            # What has a shape need not be told.
            known = {port.name: port.shape for port in self._inputs if port.shape is not None and None not in port.shape}
            shapes = {**known, **shapes}
            if set(shapes) != set(names):
                raise Error(f"expected shapes of inputs of {', '.join(map(repr, names)) or 'none'}, found those of "
                            f"{', '.join(map(repr, shapes))}")
            shapes = [shapes[name] for name in names]
        if len(shapes) != len(names):
            raise Error(f"expected {len(names)} shapes of inputs, found {len(shapes)}")
        return [self._write_shape(*pair) for pair in zip(self._inputs, shapes)]

    @staticmethod
    def _write_shape(port, shape):
        if isinstance(shape, str):
            return shape
        try:
            sizes = [int(size) for size in getattr(shape, "shape", shape)]
        except (TypeError, ValueError):
            raise Error(f"input {port.name!r}: expected a shape, as (1, 3, 224, 224), found {shape!r}") from None
        return "x".join(map(str, [*sizes, (port.type or "f32").lstrip("su")]))

    @property
    def inputs(self):
        """A Tensor per input; sizes that are not known are None."""
        return list(self._inputs)

    @property
    def outputs(self):
        """A Tensor per output."""
        return list(self._outputs)

    @property
    def schedule(self):
        """The schedule that is followed, as a dictionary or as text; None: all is searched."""
        return self._schedule

    @schedule.setter
    def schedule(self, schedule):
        if not isinstance(schedule, (str, dict, type(None))):
            raise Error(f"expected a schedule, as a dictionary or as text, or None, found {type(schedule).__name__}")
        self._schedule = schedule

    def _make_options(self, chip, keywords, known, own=()):
        options = [("target", chip.specification), *self._fixed, *self._shapes, *own]
        if self._schedule is not None:
            options.append(("schedule", write_schedule(self._schedule)))
        return make_options(options + list_options(keywords, known))

    def plan(self, chip=None, **keywords):
        """What would run where on a chip, as a Plan. Nothing runs. advise=3 gives advice on three kernels; assume_type="i8"
        answers as if an ONNX model in f32 were quantized."""
        chip = make_chip(chip)
        with self._handle as pointer, self._make_options(chip, keywords, ESTIMATED) as options:
            return make_report(Plan, chip, "npuReportPlan", pointer, options)

    def time(self, chip=None, trace=None, **keywords):
        """How long the model takes on a chip, as a Timing. Nothing is computed, and no input is needed.

        `trace` names a file for the timeline (.json, .pftrace). With report="full", save writes a timeline and the model at
        every level as graphs as well; advise=3 gives advice on three kernels. assume_type="i8" answers as if an ONNX model in
        f32 were quantized.
        """
        chip = make_chip(chip)
        own = [("trace", os.fspath(trace))] if trace is not None else []
        with self._handle as pointer, self._make_options(chip, keywords, ESTIMATED + ("report",), own) as options:
            return make_report(Timing, chip, "npuReportTime", pointer, options)

    def check(self, inputs, chip=None, trace=None, **keywords):
        """Runs the model on an array, a list of arrays or a dictionary by name, and compares all dispatches and outputs with
        the host. Returns a Check."""
        chip = make_chip(chip)
        arrays = check_inputs(inputs, self._inputs)
        tensors = bind(arrays, [get_number(*pair) for pair in zip(arrays, self._inputs)])
        own = [("trace", os.fspath(trace))] if trace is not None else []
        own.append(("check", "on"))
        with self._handle as pointer, self._make_options(chip, keywords, REPORTED, own) as options:
            return make_report(Check, chip, "npuReportRun", pointer, options, tensors, len(arrays), extra=[self._outputs])

    def compile(self, chip=None, **keywords):
        """Compiles the model for a chip, to a Program."""
        chip = make_chip(chip)
        with self._handle as pointer, self._make_options(chip, keywords, COMMON) as options:
            handle = Handle.make("Program", "npuModelCompile", pointer, options)
        own = [(name, value) for name, value in list_options(keywords, COMMON) if name.endswith("-limit")]
        return Program(handle, [*self._fixed, *own], self._inputs, self._outputs)

    def __repr__(self):
        return f"<Model {self.path!r}: {', '.join(map(str, self._inputs))} -> {', '.join(map(str, self._outputs))}>"


def load(path, inputs=None, onnx_dims=None, onnx_outputs=(), onnx_seed_weights=None, function=None, parameters=()):
    """Reads a model: ONNX, or MLIR of any level that npu-run takes.

    `inputs` are shapes for a model of dynamic shape, by name or in order: {"x": (1, 3, 224, 224)}. `onnx_dims` are sizes of
    named dimensions of an ONNX model: {"batch": 4}; `onnx_outputs` are values that it gives instead of its outputs, and
    `onnx_seed_weights` is a number that makes its constant weights random. `function` is needed if there are several.
    `parameters` are sources of weights that the model names and does not have: "scope=file".
    """
    options = [("onnx-dim", f"{name}={size}") for name, size in (onnx_dims or {}).items()]
    options += [("onnx-output", name) for name in onnx_outputs]
    if onnx_seed_weights is not None:
        options.append(("onnx-seed-weights", str(onnx_seed_weights)))
    path = os.fspath(path)
    with make_options(options) as pointer:
        handle = Handle.make("Model", "npuModelRead", encode(path), pointer)
    return Model(handle, path, function, inputs, parameters)
