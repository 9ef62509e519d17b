"""Models of older operator sets, in the first one whose DequantizeLinear has an axis."""

import numpy as np
import onnx
from onnx import TensorProto

from npu_quantize_model import BadInput, Node
from npu_quantize_prepare import fold_constants

# Since then, a scale for each channel has an axis.
OPSET_WITH_AXIS = 13
# Attributes of older operator sets that became inputs, in their order.
MOVED_ATTRIBUTES = {"Clip": ("min", "max"), "Pad": ("pads", "value"), "ReduceSum": ("axes",), "Reshape": ("shape",),
                    "Slice": ("starts", "ends", "axes"), "Split": ("split",), "Squeeze": ("axes",), "TopK": ("k",),
                    "Unsqueeze": ("axes",), "Upsample": ("scales",)}
# Before opset 7, the operands were aligned at an axis.
BROADCAST = {"Add", "And", "Div", "Equal", "Greater", "Less", "Mul", "Or", "Pow", "Sub", "Xor"}
FLATTENED = {"Hardmax", "LogSoftmax", "Softmax"}
SAME_CONVERSION = {op: "broadcast" for op in BROADCAST} | {op: "flattened" for op in FLATTENED}


def convert_opset(graph, runner):
    """Brings a graph to an operator set whose DequantizeLinear has an axis. Nodes and values keep their names."""
    # Before version 4 of the file format, constants were inputs, too.
    graph.model.ir_version = max(graph.model.ir_version, 7)
    if graph.opset >= OPSET_WITH_AXIS:
        return
    fold_constants(graph)
    converter = OpsetConverter(graph, runner)
    converter.find_ranks()
    graph.nodes = converter.convert(graph.nodes)
    for entry in graph.model.opset_import:
        if entry.domain in ("", "ai.onnx"):
            entry.version = OPSET_WITH_AXIS
    graph.update()


class OpsetConverter:
    """Puts nodes in the form that they have in newer operator sets, those in subgraphs, too."""

    def __init__(self, graph, runner):
        self.graph, self.runner, self.opset = graph, runner, graph.opset
        self.ranks = {name: len(graph.get_dims(name)) for name in graph.constants}

    def find_ranks(self):
        """What a node does may depend on the ranks of what it reads, which npu-run knows."""
        names = {name for node in self.graph.nodes if node.is_standard and self.needs_ranks(node) for name in node.inputs}
        statistics = {}
        self.runner.measure(self.graph, sorted(names - set(self.ranks) - {""}), statistics, [0], None)
        self.ranks.update((name, len(found.shape)) for name, found in statistics.items())

    def needs_ranks(self, node):
        return node.op in FLATTENED or (self.opset < 7 and (node.op in ("PRelu", "Tile") or self.is_aligned(node)))

    def is_aligned(self, node):
        return node.op in BROADCAST and node.get("axis") is not None

    def get_ranks(self, node):
        if not all(name in self.ranks for name in node.inputs):
            raise self.refuse(node, "an operator of the main graph", "one in a subgraph")
        return [self.ranks[name] for name in node.inputs]

    def refuse(self, node, expected, found):
        return BadInput(f"{self.graph.locate(node)}: {node}: expected {expected}, found {found} of opset {self.opset}; export the "
                        f"model with opset {OPSET_WITH_AXIS} or newer")

    def convert(self, nodes):
        result = []
        for node in nodes:
            self.convert_subgraphs(node)
            if node.is_standard:
                # What it writes is its name where it has no other.
                node.proto.name = node.name()
                self.move_attributes(node)
                function = getattr(self, "convert_" + SAME_CONVERSION.get(node.op, node.op), None)
                result += function(node) if function else [node]
            else:
                result.append(node)
        return result

    def convert_subgraphs(self, node):
        for attribute in node.proto.attribute:
            for inner in [attribute.g] if attribute.type == onnx.AttributeProto.GRAPH else attribute.graphs:
                self.ranks.update((tensor.name, len(tensor.dims)) for tensor in inner.initializer)
                nodes = self.convert([Node(proto, node.number) for proto in inner.node])
                copy = onnx.GraphProto(node=[other.proto for other in nodes])
                del inner.node[:]
                inner.node.extend(copy.node)

    def move_attributes(self, node):
        """Attributes that became inputs, and those that there are no more."""
        if node.get("paddings") is not None:
            node.set("pads", node.get("paddings"))
        names = MOVED_ATTRIBUTES.get(node.op, ())
        values = [node.get(name) for name in names]
        if any(value is not None for value in values):
            inputs = [self.add_parameter(node, name, value) for name, value in zip(names, values)]
            while not inputs[-1]:
                inputs.pop()
            del node.inputs[1:]
            node.inputs.extend(inputs)
        for name in (*names, "consumed_inputs", "is_test", "output_sequence", "paddings"):
            node.drop(name)

    def add_parameter(self, node, name, value):
        if value is None:
            return ""
        type = np.float32 if name in ("min", "max", "scales", "value") else np.int64
        return self.graph.add_constant(f"{node.outputs[0]}_{name}", np.asarray([value] if name == "k" else value, type))

    def unsqueeze(self, node, index, axes):
        """Gives an input of a node dimensions of size 1."""
        if not axes:
            return []
        axes = self.graph.add_constant(f"{node.outputs[0]}_axes", np.array(axes, np.int64))
        name = self.graph.make_name(node.inputs[index] + "_unsqueezed")
        unsqueeze = self.graph.add_node("Unsqueeze", [node.inputs[index], axes], [name], node)
        node.inputs[index] = name
        return [unsqueeze]

    def convert_broadcast(self, node):
        """The second operand has the dimensions of the first from an axis on."""
        before = []
        if self.opset < 7 and self.is_aligned(node):
            first, second = self.get_ranks(node)
            before = self.unsqueeze(node, 1, list(range(second, first - node.get("axis") % max(1, first))))
        node.drop("axis")
        node.drop("broadcast")
        return [*before, node]

    def convert_PRelu(self, node):
        before = []
        if self.opset < 7:
            first, second = self.get_ranks(node)
            before = self.unsqueeze(node, 1, list(range(1, first - 1)) if second == 1 else [])
        return [*before, node]

    def convert_flattened(self, node):
        """A function of rows, which were all dimensions from an axis on."""
        axis, rank = node.get("axis", 1), self.ranks.get(node.inputs[0])
        if rank is not None and axis in (-1, rank - 1):
            node.set("axis", -1)
            return [node]
        x, y = node.inputs[0], node.outputs[0]
        flat, shape, rows = (self.graph.make_name(f"{y}_{what}") for what in ("flat", "shape", "rows"))
        node.inputs[0], node.outputs[0] = flat, rows
        node.set("axis", -1)
        return [self.graph.add_node("Flatten", [x], [flat], node, axis=axis), node, self.graph.add_node("Shape", [x], [shape], node),
                self.graph.add_node("Reshape", [rows, shape], [y], node)]

    def convert_Upsample(self, node):
        if node.get("height_scale") is not None:
            scales = np.array([1, 1, node.get("height_scale"), node.get("width_scale", 1.0)], np.float32)
            node.inputs.append(self.graph.add_constant(node.outputs[0] + "_scales", scales))
            node.drop("height_scale")
            node.drop("width_scale")
        node.proto.op_type = "Resize"
        return self.convert_old_resize(node, "floor")

    def convert_Resize(self, node):
        if self.opset > 10:
            return [node]
        # As ONNX tests it, and so npu-run: a smaller image has the last pixel, too.
        scales = self.graph.get_array(node.inputs[1]) if self.graph.is_constant(node.inputs[1]) else np.ones(1)
        if scales.min(initial=1) >= 1:
            return self.convert_old_resize(node, "floor")
        before = []
        if scales.max(initial=1) > 1 and node.get("mode", b"nearest") == b"nearest":
            larger, smaller = (self.graph.add_constant(node.inputs[1], part.astype(np.float32)) for part in
                               (np.maximum(scales, 1), np.minimum(scales, 1)))
            name = self.graph.make_name(node.outputs[0] + "_larger")
            resize = self.graph.add_node("Resize", [node.inputs[0], larger], [name], node)
            before = self.convert_old_resize(resize, "floor")
            node.inputs[0], node.inputs[1] = name, smaller
        return [*before, *self.convert_old_resize(node, "ceil")]

    def convert_old_resize(self, node, rounding):
        node.inputs.insert(1, "")
        if node.get("mode") == b"bilinear":
            node.set("mode", "linear")
        node.set("coordinate_transformation_mode", "asymmetric")
        node.set("nearest_mode", rounding)
        return [node]

    def convert_BatchNormalization(self, node):
        """With a factor and an offset for each element, it is a product and a sum."""
        is_spatial = node.get("spatial", 1)
        node.drop("spatial")
        if is_spatial:
            return [node]
        if not all(map(self.graph.is_float, node.inputs[1:])):
            raise self.refuse(node, "constants", "computed parameters")
        factors, offsets = (self.graph.add_constant(f"{node.outputs[0]}_{name}", array.astype(np.float32)) for name, array in
                            zip(("factors", "offsets"), get_normalization(self.graph, node)))
        product = self.graph.make_name(node.outputs[0] + "_product")
        return [self.graph.add_node("Mul", [node.inputs[0], factors], [product], node),
                self.graph.add_node("Add", [product, offsets], node.outputs[:1], node)]

    def convert_Cast(self, node):
        if isinstance(node.get("to"), bytes):
            node.set("to", TensorProto.DataType.Value(node.get("to").decode().upper()))
        return [node]

    def convert_Concat(self, node):
        node.set("axis", node.get("axis", 1))
        return [node]

    def convert_Dropout(self, node):
        """The mask became a Boolean."""
        node.drop("ratio")
        if self.opset >= 10 or len(node.outputs) < 2 or not node.outputs[1]:
            return [node]
        # A Cast that nothing reads would keep the node.
        if node.outputs[1] not in self.graph.readers.keys() | self.graph.output_names | self.graph.subgraph_reads:
            return [node]
        mask, node.outputs[1] = node.outputs[1], self.graph.make_name(node.outputs[1] + "_boolean")
        return [node, self.graph.add_node("Cast", [node.outputs[1]], [mask], node, to=TensorProto.FLOAT)]

    def convert_Gemm(self, node):
        node.drop("broadcast")
        return [node]

    def convert_Scan(self, node):
        if self.opset < 9:
            raise self.refuse(node, "a Scan without a batch", "one with it")
        return [node]

    def convert_Scatter(self, node):
        node.proto.op_type = "ScatterElements"
        return [node]

    def convert_Slice(self, node):
        if len(node.inputs) == 3 and self.graph.is_constant(node.inputs[1]):
            begins = self.graph.get_array(node.inputs[1])
            node.inputs.append(self.graph.add_constant(node.outputs[0] + "_axes", np.arange(begins.size, dtype=begins.dtype)))
        return [node]

    def convert_Tile(self, node):
        """At first with one number of copies along one axis."""
        if self.opset < 6:
            rank = self.get_ranks(node)[0]
            if not all(map(self.graph.is_constant, node.inputs[1:])):
                raise self.refuse(node, "constant repeats", "computed ones")
            count, axis = (int(self.graph.get_array(name).reshape(-1)[0]) for name in node.inputs[1:])
            repeats = np.ones(rank, np.int64)
            repeats[axis] = count
            del node.inputs[1:]
            node.inputs.append(self.graph.add_constant(node.outputs[0] + "_repeats", repeats))
        return [node]
