"""ONNX models in a few lines: tensors, nodes, graphs, functions.

A form is a function without arguments that returns (model, inputs); `form` collects it under a name.
"""

import math
import random
import struct

import onnx_pb2

MICROSOFT = "com.microsoft"

# Name here: number in ONNX, name in ONNX Runtime, letter of `struct`.
TYPES = {
    "f32": (1, "float32", "f"), "u8": (2, "uint8", "B"), "i8": (3, "int8", "b"), "u16": (4, "uint16", "H"),
    "i16": (5, "int16", "h"), "i32": (6, "int32", "i"), "i64": (7, "int64", "q"), "bool": (9, "bool", "B"),
    "f16": (10, "float16", "e"), "f64": (11, "float64", "d"), "u4": (21, "uint4", None), "i4": (22, "int4", None),
}

FORMS = {}


def form(name, make):
    assert name not in FORMS, name
    FORMS[name] = make


class Tensor:
    """`values` is a list, or one number for all elements."""

    def __init__(self, type, dims, values):
        self.type, self.dims = type, list(dims)
        count = math.prod(dims)
        self.values = list(values) if isinstance(values, (list, tuple)) else [values] * count
        assert len(self.values) == count, (dims, len(self.values))
        if type in ("u4", "i4"):
            nibbles = [value & 15 for value in self.values] + [0] * (count % 2)
            self.data = bytes(low | high << 4 for low, high in zip(nibbles[::2], nibbles[1::2]))
        else:
            self.data = struct.pack(f"<{count}{TYPES[type][2]}", *self.values)

    def proto(self, name=""):
        return onnx_pb2.TensorProto(name=name, dims=self.dims, data_type=TYPES[self.type][0], raw_data=self.data)


def rand(type, dims, seed, low=-1, high=1):
    generator = random.Random(seed)
    count = math.prod(dims)
    if type.startswith("f"):
        return Tensor(type, dims, [generator.uniform(low, high) for _ in range(count)])
    return Tensor(type, dims, [generator.randint(low, high) for _ in range(count)])


def as_f32(number):
    return struct.unpack("f", struct.pack("f", number))[0]


def attribute(name, value):
    proto = onnx_pb2.AttributeProto(name=name)
    if isinstance(value, int):
        proto.i, proto.type = value, proto.INT
    elif isinstance(value, float):
        proto.f, proto.type = value, proto.FLOAT
    elif isinstance(value, str):
        proto.s, proto.type = value.encode(), proto.STRING
    elif isinstance(value, onnx_pb2.GraphProto):
        proto.g.CopyFrom(value)
        proto.type = proto.GRAPH
    elif isinstance(value, Tensor):
        proto.t.CopyFrom(value.proto())
        proto.type = proto.TENSOR
    elif isinstance(value[0], float):
        proto.floats.extend(value)
        proto.type = proto.FLOATS
    elif isinstance(value[0], str):
        proto.strings.extend(text.encode() for text in value)
        proto.type = proto.STRINGS
    else:
        proto.ints.extend(value)
        proto.type = proto.INTS
    return proto


def reference(name, to, type):
    """An attribute of a function's node that is the function's attribute `to`."""
    return onnx_pb2.AttributeProto(name=name, ref_attr_name=to, type=type)


def node(operator, inputs, outputs, domain="", **attributes):
    """Names are separated by spaces or in a list; `_` and "" are left out. `name_` is the attribute `name`."""
    split = lambda names: ["" if name == "_" else name for name in (names.split() if isinstance(names, str) else names)]
    proto = onnx_pb2.NodeProto(op_type=operator, domain=domain, input=split(inputs), output=split(outputs))
    proto.attribute.extend(attribute(name.rstrip("_"), value) for name, value in attributes.items() if value is not None)
    return proto


def declare(name, type, dims):
    proto = onnx_pb2.ValueInfoProto(name=name)
    proto.type.tensor_type.elem_type = TYPES[type][0]
    if dims is not None:
        proto.type.tensor_type.shape.SetInParent()
        for size in dims:
            proto.type.tensor_type.shape.dim.add(dim_value=size)
    return proto


def declare_sequence(name, type):
    proto = onnx_pb2.ValueInfoProto(name=name)
    proto.type.sequence_type.elem_type.tensor_type.elem_type = TYPES[type][0]
    return proto


def graph(nodes, inputs, outputs, constants={}):
    """Inputs and outputs are (name, type, dims) or declarations."""
    proto = onnx_pb2.GraphProto(name="g", node=nodes)
    as_proto = lambda value: declare(*value) if isinstance(value, tuple) else value
    proto.input.extend(map(as_proto, inputs))
    proto.output.extend(map(as_proto, outputs))
    proto.initializer.extend(tensor.proto(name) for name, tensor in constants.items())
    return proto


def model(nodes, inputs, outputs, constants={}, opset=17, functions=(), domains={}):
    """`inputs` are tensors by name, `outputs` names with types, f32 if none is given: "y n:i64"."""
    declared = [(*name.split(":"), "f32")[:2] + (None,) for name in outputs.split()]
    proto = onnx_pb2.ModelProto(ir_version=8, producer_name="forms", functions=functions)
    proto.graph.CopyFrom(graph(nodes, [(name, x.type, x.dims) for name, x in inputs.items()], declared, constants))
    proto.opset_import.add(domain="", version=opset)
    for domain, version in {MICROSOFT: 1, **domains}.items():
        proto.opset_import.add(domain=domain, version=version)
    return proto, inputs


def single(name, operator, inputs, arguments, outputs, constants={}, domain="", opset=17, **attributes):
    """A form of one node. `inputs` are the node's, `arguments` those that the model has."""
    names = " ".join(output.split(":")[0] for output in outputs.split())
    shown = " ".join(output for output in outputs.split() if output != "_")
    form(name, lambda: model([node(operator, inputs, names, domain, **attributes)], arguments, shown, constants, opset))
