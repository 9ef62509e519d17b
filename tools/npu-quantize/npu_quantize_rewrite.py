"""Puts QuantizeLinear and DequantizeLinear around the values of a plan."""

import numpy as np

from npu_quantize_model import Node
from npu_quantize_plan import PRODUCTS

MOST_BIAS = 1 << 30  # of a bias in units of the sums, so that sums fit in 32 bits


class Rewriter:
    def __init__(self, graph, plan, is_unsigned, is_per_channel):
        self.graph, self.plan = graph, plan
        self.type, self.low = (np.uint8, 0) if is_unsigned else (np.int8, -128)
        self.is_per_channel = is_per_channel
        self.parameters = {}  # By value: the names of its scale and zero point, and the scale.
        self.quantized_constants = {}

    # Parameters.

    def choose_parameters(self):
        statistics, graph = self.plan.statistics, self.graph
        for members in self.plan.get_members().values():
            ranges = [(statistics[name].low, statistics[name].high) for name in members if name in statistics]
            for name in members - set(statistics):
                array = graph.get_array(name)
                ranges.append((float(array.min(initial=0)), float(array.max(initial=0))))
            low, high = min(0.0, *(low for low, _ in ranges)), max(0.0, *(high for _, high in ranges))
            scale = np.float32((high - low) / 255)
            if not scale > np.finfo(np.float32).tiny or not np.isfinite(scale):
                scale = np.float32(1)
            zero = int(np.clip(np.rint(self.low - low / float(scale)), self.low, self.low + 255))
            first = min(members)
            names = (graph.add_constant(first + "_scale", scale), graph.add_constant(first + "_zero_point", self.type(zero)))
            for name in members:
                self.parameters[name] = (*names, scale, zero)

    def quantize_activation_constant(self, name):
        """A constant among values that are moved, as a table of Gather, in their bytes."""
        if name not in self.quantized_constants:
            scale_name, zero_name, scale, zero = self.parameters[name]
            array = np.rint(self.graph.get_array(name) / scale) + zero
            array = np.clip(array, self.low, self.low + 255).astype(self.type)
            self.quantized_constants[name] = self.graph.add_constant(name + "_quantized", array)
        return self.dequantize(self.quantized_constants[name], self.parameters[name][:2])

    # Nodes.

    def dequantize(self, name, parameters, axis=None):
        output = self.graph.make_name(name + "_float")
        attributes = {} if axis is None else {"axis": axis}
        self.nodes.append(self.graph.add_node("DequantizeLinear", [name, *parameters], [output], **attributes))
        return output

    def quantize(self, name, output):
        self.nodes.append(self.graph.add_node("QuantizeLinear", [name, *self.parameters[name][:2]], [output]))

    def rewrite(self):
        graph, plan = self.graph, self.plan
        self.choose_parameters()
        old, self.nodes, self.bytes = graph.nodes, [], {}
        products = set(plan.products)
        biases = {bias: product for product, bias in plan.biases.items() if product in products}
        self.scales = {}
        for value in graph.inputs:
            if value.name in plan.quantized:
                self.make_bytes(value.name)
        for node in old:
            inputs = list(node.inputs)
            if node in products:
                inputs = self.rewrite_product(node, inputs)
            elif node in biases:
                product = biases[node]
                index = 0 if graph.is_constant(inputs[0]) else 1
                inputs[index] = self.quantize_bias(inputs[index], self.scales[product])
            else:
                for index, name in enumerate(inputs):
                    if name in self.bytes:
                        inputs[index] = self.dequantize(self.bytes[name], self.parameters[name][:2])
                    elif name in self.parameters and graph.is_constant(name) and self.is_bytes_in(node, name):
                        inputs[index] = self.quantize_activation_constant(name)
            del node.inputs[:]
            node.inputs.extend(inputs)
            self.nodes.append(node)
            for name in list(node.outputs):
                if name in plan.quantized:
                    self.make_bytes(name, node)
        graph.nodes = self.nodes
        graph.drop_unused()

    def is_bytes_in(self, node, name):
        """Whether the plan has a constant in bytes where `node` reads it: what it moves, or adds."""
        if node in self.plan.added:
            return name in self.plan.added[node]
        return any(output in self.plan.quantized and self.plan.find_group(output) == self.plan.find_group(name)
                   for output in node.outputs)

    def make_bytes(self, name, node=None):
        """Quantizes a value. An output of the graph is what the bytes stand for, under its name."""
        graph = self.graph
        bytes_name = graph.make_name(name + "_quantized")
        if node and name in graph.output_names:
            source = graph.make_name(name + "_before")
            node.outputs[list(node.outputs).index(name)] = source
            self.parameters[source] = self.parameters[name]
            self.quantize(source, bytes_name)
            self.nodes.append(graph.add_node("DequantizeLinear", [bytes_name, *self.parameters[name][:2]], [name]))
        else:
            self.quantize(name, bytes_name)
        self.bytes[name] = bytes_name

    # Products.

    def rewrite_product(self, node, inputs):
        graph, scales = self.graph, []
        bias = inputs[2] if len(inputs) > 2 and inputs[2] else None
        if node in self.plan.biases:
            names = self.plan.biases[node].inputs
            bias = names[0] if graph.is_constant(names[0]) else names[1]
        constants = [index for index in (0, 1) if graph.is_constant(inputs[index])]
        for index in (0, 1):
            if index not in constants:
                scales.append(self.parameters[inputs[index]][2])
                inputs[index] = self.dequantize(self.bytes[inputs[index]], self.parameters[inputs[index]][:2])
        for index in constants:
            other = scales[0] if scales else np.float32(1)
            inputs[index], scale = self.quantize_weights(node, inputs[index], index, bias, other)
            scales.append(scale)
        self.scales[node] = (scales[0] * scales[1]).astype(np.float32)
        if len(inputs) > 2 and inputs[2]:
            inputs[2] = self.quantize_bias(inputs[2], self.scales[node])
        return inputs

    def get_axis(self, node, name, index):
        """The axis with a scale for each index; None for one scale."""
        if not self.is_per_channel or index == 0:
            return None
        if node.op == "Conv":
            return 0
        if node.op == "Gemm":
            return 0 if node.get("transB", 0) else 1
        return 1 if len(self.graph.get_dims(name)) == 2 else None

    def quantize_weights(self, node, name, index, bias, other):
        """Bytes from -127 to 127, whose zero is 0. Returns what dequantizes them, and the scales."""
        axis = self.get_axis(node, name, index)
        weights = self.graph.get_array(name)
        largest = np.abs(weights).max(axis=tuple(d for d in range(weights.ndim) if d != axis), initial=0)
        scale = np.asarray(largest / np.float32(127), np.float32)
        if bias is not None:
            # A channel of small weights with a large bias.
            limits = np.abs(self.graph.get_array(bias)) / (np.float64(other) * MOST_BIAS)
            scale = np.maximum(scale, (limits if axis is not None else limits.max(initial=0)).astype(np.float32))
        scale = np.where(scale > np.finfo(np.float32).tiny, scale, np.float32(1))
        key = (name, axis, scale.tobytes())
        if key not in self.quantized_constants:
            shape = [-1 if d == axis else 1 for d in range(weights.ndim)]
            array = np.clip(np.rint(weights / scale.reshape(shape)), -127, 127).astype(np.int8)
            zeros = np.zeros(scale.shape, np.int8)
            self.quantized_constants[key] = tuple(self.graph.add_constant(name + suffix, value) for suffix, value in
                                                  (("_quantized", array), ("_scale", scale), ("_zero_point", zeros)))
        quantized, *parameters = self.quantized_constants[key]
        return self.dequantize(quantized, parameters, axis), scale

    def quantize_bias(self, name, scale):
        """Numbers of 32 bits in units of the sums of products."""
        array = np.rint(self.graph.get_array(name).astype(np.float64) / scale)
        array = np.clip(array, -(1 << 31), (1 << 31) - 1).astype(np.int32)
        parameters = [self.graph.add_constant(name + "_scale", scale)]
        return self.dequantize(self.graph.add_constant(name + "_quantized", array), parameters, 0 if scale.shape else None)
