"""Decides which values of a graph become bytes.

A product (Conv, Gemm, MatMul) reads and gives bytes, and so does what moves elements and what averages them. Other
operators stay in floats: a region is what computes floats from one value of bytes, such as a softmax or a normalization
that several nodes spell, and gives bytes where it ends. The compiler makes tables and sums of integers of regions."""

import numpy as np
from onnx import TensorProto

PRODUCTS = {"Conv", "Gemm", "MatMul"}
# The same on bytes as on the numbers that they stand for, so that all of it has one scale.
MOVES = {"Concat", "DepthToSpace", "Expand", "Flatten", "Gather", "MaxPool", "Reshape", "Slice", "SpaceToDepth", "Split",
         "Squeeze", "Tile", "Transpose", "Unsqueeze"}
AVERAGES = {"AveragePool", "GlobalAveragePool"}
LIMITS = {"Relu", "Clip"}
ROWS = {"GroupNormalization", "InstanceNormalization", "LayerNormalization", "LogSoftmax", "LpNormalization",
        "MeanVarianceNormalization", "RMSNormalization", "SimplifiedLayerNormalization", "Softmax"}
REDUCTIONS = {"ReduceL1", "ReduceL2", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceSum", "ReduceSumSquare"}
ELEMENTWISE = {"Abs", "Add", "BatchNormalization", "BiasGelu", "Ceil", "Celu", "Clip", "Cos", "Div", "Elu", "Erf", "Exp",
               "FastGelu", "Floor", "Gelu", "HardSigmoid", "HardSwish", "Identity", "LeakyRelu", "Log", "Max", "Mean", "Min",
               "Mish", "Mul", "Neg", "PRelu", "Pow", "QuickGelu", "Reciprocal", "Relu", "Round", "Selu", "Sigmoid", "Sign",
               "Sin", "Softplus", "Softsign", "Sqrt", "Sub", "Sum", "Swish", "Tanh", "ThresholdedRelu", "Where"}
MULTIPLY_IN_FLOATS = {"Attention", "ConvTranspose", "DeformConv", "Einsum", "FusedConv", "FusedGemm", "FusedMatMul", "GRU",
                      "GroupQueryAttention", "LSTM", "MultiHeadAttention", "RNN"}
CONTROL_FLOW = {"If", "Loop", "Scan"}
MICROSOFT = "com.microsoft"


def get_type_name(number):
    name = TensorProto.DataType.Name(number).lower()
    return {"float16": "f16", "bfloat16": "bf16", "double": "f64"}.get(name, name)


class Plan:
    """What becomes bytes: `quantized` are names of values, and those of a group have one scale."""

    def __init__(self, graph, statistics, excluded):
        self.graph, self.statistics, self.excluded = graph, statistics, excluded
        self.quantized, self.groups, self.notes = set(), {}, {}
        self.compared = set()  # Values whose ranges decide.
        self.added = {}  # By sum: the constants that it adds to one value.
        self.biases = {}  # By product: the Add behind a MatMul that is its bias.
        self.products, self.others = [], []
        for node in graph.nodes:
            if node.is_standard and node.op in PRODUCTS and node not in excluded:
                if reason := self.check_product(node):
                    self.note(node, reason)
        before = None
        # A value that is found to be bytes may end a region that was seen before it.
        while before != (len(self.quantized), len(self.notes)):
            before = (len(self.quantized), len(self.notes))
            self.visit_all()

    def note(self, node, reason):
        self.notes.setdefault(node, reason)

    # Values.

    def is_float_value(self, name):
        """A computed tensor of f32."""
        return name in self.statistics and self.statistics[name].dtype == np.float32

    def get_values(self, names):
        return [name for name in names if name and self.is_float_value(name)]

    def is_finite(self, name):
        return self.statistics[name].is_finite

    def find_group(self, name):
        while self.groups.get(name, name) != name:
            name = self.groups[name]
        return name

    def unite(self, names):
        first, *rest = names
        for name in rest:
            self.groups[self.find_group(name)] = self.find_group(first)

    def get_members(self):
        """By group, the values and constants of it."""
        members = {}
        for name in sorted(self.quantized | set(self.groups)):
            members.setdefault(self.find_group(name), set()).add(name)
        return members

    def get_root(self, name):
        """The bytes that a value is computed from; None if it is computed of something else."""
        return name if name in self.quantized else self.roots.get(name)

    # Products.

    def check_product(self, node):
        """Why a product stays in f32; None if it does not."""
        graph = self.graph
        constants = [name for name in node.inputs if name and graph.is_constant(name)]
        for name in constants:
            if not graph.is_float(name):
                return f"expected weights of f32, found {get_type_name(graph.get_type(name))}; export the model in f32"
        for name in node.inputs:
            if name in self.statistics and not self.is_float_value(name):
                return f"expected operands of f32, found {self.statistics[name].dtype}; export the model in f32"
        if len(node.inputs) > 2 and node.inputs[2]:
            if not graph.is_constant(node.inputs[2]):
                return "expected a constant bias, found a computed one"
        if node.op == "Conv" and not graph.is_constant(node.inputs[1]):
            return "expected constant weights, found computed ones"
        if node.op == "Gemm":
            if node.get("alpha", 1.0) != 1 or (len(node.inputs) > 2 and node.get("beta", 1.0) != 1) or node.get("transA", 0):
                return "expected the factors 1 for a product of computed matrices, found others"
        return None

    def get_columns(self, node):
        return self.statistics[node.outputs[0]].shape[-1] if self.statistics[node.outputs[0]].shape else 1

    def find_end(self, node, biased):
        """What is a part of `node`: the bias behind it and limits. Returns the last value and the nodes."""
        name, parts = node.outputs[0], []
        while reader := self.graph.get_only_reader(name):
            if not reader.is_standard or reader in self.excluded:
                break
            if reader.op == "Add" and biased and not parts:
                other = reader.inputs[0] if reader.inputs[1] == name else reader.inputs[1]
                if not self.graph.is_float(other) or self.graph.get_dims(other) != (self.get_columns(node),):
                    break
                self.biases[node] = reader
            elif reader.op not in LIMITS or not all(not limit or self.graph.is_constant(limit) for limit in reader.inputs[1:]):
                break
            name = reader.outputs[0]
            parts.append(reader)
        return name, parts

    # Nodes, in order.

    def visit_all(self):
        self.roots, self.reduced, self.absorbed = {}, set(), set()
        self.products, self.others = [], []
        for node in self.graph.nodes:
            if node in self.absorbed:
                continue
            values = self.get_values(node.inputs)
            if node in self.notes or node in self.excluded or not values:
                if self.get_values(node.outputs) and node.op == "Gather" and not values:
                    self.visit_move(node, values)
                continue
            known = node.is_standard or (node.proto.domain == MICROSOFT and node.op not in PRODUCTS)
            if node.op in PRODUCTS and known:
                self.visit_product(node, values)
            elif node.op in MOVES and known:
                self.visit_move(node, values)
            elif node.op in AVERAGES and known:
                self.visit_average(node, values)
            elif node.op in ROWS and known:
                self.visit_rows(node, values)
            elif node.op in ELEMENTWISE | REDUCTIONS and known:
                self.visit_region(node, values)
            else:
                self.others.append(node)
        for name in self.graph.output_names:
            if self.is_float_value(name) and self.roots.get(name) is not None and self.is_finite(name):
                self.quantized.add(name)

    def cut(self, node, names):
        """Makes bytes of values; says why the node stays in f32 if that cannot be."""
        for name in names:
            if not self.is_finite(name):
                self.note(node, f"expected finite numbers in '{name}', found others; give samples for which they are")
                return False
        self.quantized.update(names)
        return True

    def visit_product(self, node, values):
        end, parts = self.find_end(node, node.op == "MatMul")
        if self.cut(node, [*values, end]):
            self.absorbed.update(parts)
            self.products.append(node)

    def visit_move(self, node, values):
        outputs = self.get_values(node.outputs)
        if node.op != "Concat":
            values = [value for value in values if value == node.inputs[0]]
        if node.op == "MaxPool" and len(outputs) != len(node.outputs):
            self.others.append(node)
            return
        if not any(self.get_root(name) is not None for name in values) and not self.quantized.intersection(outputs):
            return
        if self.cut(node, values + outputs):
            tensors = node.inputs if node.op == "Concat" else node.inputs[:1]
            self.unite([*values, *outputs, *(name for name in tensors if self.graph.is_float(name))])

    def visit_average(self, node, values):
        outputs = self.get_values(node.outputs)
        if self.get_root(values[0]) is not None or self.quantized.intersection(outputs):
            self.cut(node, [values[0], *outputs])

    def visit_rows(self, node, values):
        if self.get_root(values[0]) is None:
            return
        is_cut = values[0] in self.reduced and values[0] not in self.quantized
        self.cut(node, [*(values[:1] if is_cut else []), *self.get_values(node.outputs[:1])])

    def visit_region(self, node, values):
        roots = {self.get_root(name) for name in values} - {None}
        if not roots:
            return
        is_alone = all(self.get_root(name) is not None for name in values) and not self.find_added(node, values)
        if len(roots) == 1 and (is_alone or self.feeds_softmax(node)):
            for name in self.get_values(node.outputs):
                self.roots[name] = next(iter(roots))
                if node.op in REDUCTIONS or not self.reduced.isdisjoint(values):
                    self.reduced.add(name)
            return
        if lost := self.find_lost(node, values):
            self.note(node, f"one step of '{lost[0]}' in 8 bits is more than all of '{lost[1]}'")
            return
        end, parts = self.find_end(node, False)
        if self.cut(node, [*values, end]):
            self.absorbed.update(parts)
            if added := self.find_added(node, values):
                self.added[node] = added
                self.groups.setdefault(added[0], added[0])

    def find_added(self, node, values):
        """The tensor of constants that a sum adds, such as positions: bytes of it are added as those of another value. Not in
        a normalization, which has such constants of its own."""
        if node.op not in ("Add", "Sub") or len(values) != 1 or not self.reduced.isdisjoint(values):
            return []
        return [name for name in node.inputs if self.graph.is_float(name) and np.prod(self.graph.get_dims(name)) > 1]

    def find_lost(self, node, values):
        """Operands of a sum of which one would not be seen beside the steps of the other."""
        if node.op not in ("Add", "Sub", "Sum", "Mean"):
            return None
        self.compared.update(values)
        ranges = [(name, self.statistics[name].low, self.statistics[name].high) for name in values]
        for name in self.find_added(node, values):
            array = self.graph.get_array(name)
            ranges.append((name, float(array.min(initial=0)), float(array.max(initial=0))))
        for large, low, high in ranges:
            for small, *limits in ranges:
                if (high - low) / 255 > max(-limits[0], limits[1]) > 0:
                    return large, small
        return None

    def feeds_softmax(self, node):
        """Whether only a Softmax reads the result, so that what is added or selected may be a mask."""
        for _ in range(8):
            reader = self.graph.get_only_reader(node.outputs[0])
            if not reader or not reader.is_standard or reader.op not in ELEMENTWISE | {"Softmax"}:
                return False
            if reader.op == "Softmax":
                return True
            node = reader
        return False

    # What is not quantized.

    def find_rest(self):
        """Nodes that stay in f32 though they compute with floats, and why."""
        rest = []
        for node in self.graph.nodes:
            values = self.get_values([*node.inputs, *node.outputs])
            inner = [op for op in node.get_subgraph_ops() if op in PRODUCTS | MULTIPLY_IN_FLOATS]
            if node in self.excluded:
                rest.append((node, "it is excluded"))
            elif node in self.notes:
                rest.append((node, self.notes[node]))
            elif node.op in CONTROL_FLOW:
                if inner:
                    rest.append((node, f"its subgraphs have {', '.join(sorted(set(inner)))}; nodes in subgraphs are not quantized"))
            elif node in self.others and values and node.op not in ("Cast", "Shape"):
                rest.append((node, "this operator is not quantized"))
        return rest
