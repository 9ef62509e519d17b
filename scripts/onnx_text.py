"""Writes ONNX models from the text form of protocol buffers, for scripts. Needs protoc and the onnx.proto of Debian's
libonnx-dev."""

import pathlib
import subprocess

PROTO = pathlib.Path("/usr/include/onnx/onnx.proto")
MICROSOFT = "com.microsoft"
# By name: the number of the data type in ONNX, and the letter that `struct` has for it.
TYPES = {"f32": (1, "f"), "u8": (2, "B"), "i8": (3, "b"), "i32": (6, "i"), "i64": (7, "q"), "f16": (10, "e")}


def attribute(name, value):
    if isinstance(value, int):
        field = f"type: INT i: {value}"
    elif isinstance(value, float):
        field = f"type: FLOAT f: {value!r}"
    else:
        field = "type: INTS " + " ".join(f"ints: {number}" for number in value)
    return f'attribute {{ name: "{name}" {field} }}'


class Graph:
    """The nodes and initializers of a model."""

    def __init__(self):
        self.nodes, self.initializers, self.count = [], [], 0

    def add(self, operator, inputs, domain="", outputs=1, names=None, **attributes):
        """A node; returns the name of its output, or a list of them."""
        self.count += 1
        names = names or [f"v{self.count}_{i}" for i in range(outputs)]
        text = [f'input: "{name}"' for name in inputs] + [f'output: "{name}"' for name in names]
        text += [f'op_type: "{operator}"', f'domain: "{domain}"', f'name: "{operator}{self.count}"']
        text += [attribute(name, value) for name, value in attributes.items()]
        self.nodes.append("node { " + " ".join(text) + " }")
        return names[0] if len(names) == 1 else names

    def initialize(self, type, dims, contents):
        """An initializer, whose contents are fields of a TensorProto; returns its name."""
        self.count += 1
        sizes = " ".join(f"dims: {size}" for size in dims)
        fields = f'name: "c{self.count}" data_type: {TYPES[type][0]} {sizes} {contents}'
        self.initializers.append(f"initializer {{ {fields} }}")
        return f"c{self.count}"

    def write(self, path, inputs, outputs):
        """Writes the model; inputs and outputs are of (name, type, dims)."""

        def declare(kind, name, type, dims):
            shape = " ".join(f"dim {{ dim_value: {size} }}" for size in dims)
            number = TYPES[type][0]
            return f'{kind} {{ name: "{name}" type {{ tensor_type {{ elem_type: {number} shape {{ {shape} }} }} }} }}'

        values = [declare("input", *value) for value in inputs] + [declare("output", *value) for value in outputs]
        text = ['ir_version: 8 producer_name: "npu" opset_import { domain: "" version: 17 }',
                f'opset_import {{ domain: "{MICROSOFT}" version: 1 }} graph {{ name: "g"']
        text += self.nodes + self.initializers + values + ["}"]
        command = ["protoc", f"--proto_path={PROTO.parent}", "--encode=onnx.ModelProto", PROTO.name]
        path.write_bytes(subprocess.run(command, input="\n".join(text).encode(), stdout=subprocess.PIPE, check=True).stdout)
