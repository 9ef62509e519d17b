"""Arrays of numpy as tensors of the library, and back."""

import ctypes
from ctypes import c_int64
from typing import NamedTuple

import numpy

from npu._capi import CTensor, InputError, call

try:
    from ml_dtypes import bfloat16
except ImportError:
    bfloat16 = numpy.uint16  # their bits

# By the number of NpuElementType, the name of the element type, as in MLIR but without a sign.
TYPES = dict(enumerate(("i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"), start=1))
NUMBERS = {name: number for number, name in TYPES.items()}
DTYPES = {"i1": numpy.bool_, "f16": numpy.float16, "bf16": bfloat16, "f32": numpy.float32, "f64": numpy.float64}
DTYPES |= {f"{sign}i{bits}": f"{'u' if sign == 'u' else ''}int{bits}" for sign in ("", "s", "u") for bits in (8, 16, 32, 64)}
DTYPES = {name: numpy.dtype(dtype) for name, dtype in DTYPES.items()}


class Tensor(NamedTuple):
    """An input or output: its name, its element type as in MLIR, the dtype of its arrays and its shape; None stands for what
    is not known."""

    name: str
    type: str
    dtype: numpy.dtype
    shape: tuple

    def __str__(self):
        shape = "x".join("?" if size is None else str(size) for size in self.shape or ())
        return f"{self.name}: {shape + 'x' if shape else ''}{self.type or '?'}"


def show_shape(shape):
    """As of an array, with ? for sizes that are not known."""
    if shape is None:
        return "?"
    return str(tuple("?" if size is None else size for size in shape)).replace("'?'", "?")


def describe_array(array):
    return f"{array.dtype} of shape {array.shape}"


def read_ports(ports):
    """What npuModelDescribe says of inputs or outputs."""
    return [Tensor(port["name"], port["type"], DTYPES.get(port["type"]),
                   None if port["shape"] is None else tuple(port["shape"])) for port in ports]


def get_ports(program, what, count, known):
    """The inputs or outputs of a program; `known` are the model's, which know which integers have no sign."""
    ports = []
    for index in range(count):
        tensor = CTensor()
        call(f"npuProgramGet{what}", program, index, ctypes.byref(tensor))
        name = choose_type(TYPES[tensor.elementType], known[index] if len(known) == count else None)
        ports.append(Tensor(tensor.name.decode("utf-8", "replace"), name, DTYPES[name], tuple(tensor.shape[:tensor.rank])))
    return ports


def choose_type(name, port):
    """The type of the model's port, if it says more of an integer than `name`: its sign."""
    return port.type if port and port.type and port.type.lstrip("su") == name else name


def is_like(dtype, other):
    """Whether they are the same, or integers of one size."""
    return dtype == other or (dtype.kind in "iu" and other.kind in "iu" and dtype.itemsize == other.itemsize)


def order_inputs(given, ports):
    """The arrays of `given`, one array, a sequence of them, or a dictionary by name, in the order of the ports."""
    if isinstance(given, dict):
        names = [port.name for port in ports]
        if set(given) != set(names) or len(set(names)) != len(names):
            raise InputError(f"expected arrays for the inputs {', '.join(map(repr, names)) or 'none'}, found arrays for "
                             f"{', '.join(map(repr, given)) or 'none'}")
        return [given[name] for name in names]
    if isinstance(given, (list, tuple)):
        return list(given)
    return [given]


def check_inputs(given, ports):
    """Arrays in the form that the library reads, one for each of the ports."""
    arrays = order_inputs(given, ports)
    if len(arrays) != len(ports):
        raise InputError(f"expected {len(ports)} inputs, found {len(arrays)}")
    result = []
    for array, port in zip(arrays, ports):
        if not isinstance(array, (numpy.ndarray, numpy.generic)):
            raise InputError(f"input {port.name!r}: expected an array of numpy, found {type(array).__name__}")
        array = numpy.asarray(array)
        native = array.dtype.newbyteorder("=")
        fits = port.dtype is None or is_like(native, port.dtype)
        # Sizes that are not known are the toolchain's to check.
        if port.shape is not None:
            fits &= len(port.shape) == array.ndim and all(size in (None, own) for size, own in zip(port.shape, array.shape))
        if not fits:
            raise InputError(f"input {port.name!r}: expected {port.dtype} of shape {show_shape(port.shape)}, found {describe_array(array)}")
        # Copies what is not contiguous or of the other byte order.
        result.append(numpy.require(array, native, ["C", "A"]))
    return result


def get_number(array, port):
    """The element type of an input: what the port says, where the dtype may be that of bits."""
    if port.type in DTYPES:
        return NUMBERS[port.type.lstrip("su")]
    for name, number in NUMBERS.items():
        if is_like(DTYPES[name], array.dtype):
            return number
    raise InputError(f"input {port.name!r}: expected a dtype of {', '.join(map(str, map(DTYPES.get, NUMBERS)))}, found {array.dtype}")


def bind(arrays, numbers):
    """An array of NpuTensor on the memory of arrays, which must outlive it."""
    tensors = (CTensor * max(1, len(arrays)))()
    for tensor, array, number in zip(tensors, arrays, numbers):
        tensor.shape = (c_int64 * max(1, array.ndim))(*array.shape)
        tensor.data = array.ctypes.data
        tensor.numBytes = array.nbytes
        tensor.elementType = number
        tensor.rank = array.ndim
    return tensors


def copy_array(tensor, port):
    """A tensor of the library as an array of its own; `port` is the model's, if it is known."""
    dtype = DTYPES[choose_type(TYPES[tensor.elementType], port)]
    shape = tuple(tensor.shape[:tensor.rank])
    if not tensor.numBytes:
        return numpy.zeros(shape, dtype)
    memory = (ctypes.c_ubyte * tensor.numBytes).from_address(tensor.data)
    return numpy.frombuffer(memory, dtype).reshape(shape).copy()
