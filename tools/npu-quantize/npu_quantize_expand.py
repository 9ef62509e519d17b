"""Nodes that the compiler does not take on bytes, in the form of others that it takes, with the same result.

That is for chips without floats: an average over a window is a convolution, and so is a factor for each channel; a
convolution that enlarges is one whose channels become pixels. Shapes are those of the first sample: what becomes a part of
the model must be the same in others."""

import numpy as np

from npu_quantize_prepare import flatten_biases, fold_followers, get_normalization, replace_node

SUBPIXEL_OPSET = 11  # Since then DepthToSpace has a mode.
LAYER_NORMALIZATION_OPSET = 17


def expand(graph, statistics, excluded):
    """Replaces nodes where that is possible. Values keep their names; new ones lie between them."""
    expander = Expander(graph, statistics)
    for node in list(graph.nodes):
        function = getattr(expander, "expand_" + node.op, None)
        is_known = node.is_standard or (node.proto.domain == "com.microsoft" and node.op in ("BiasGelu", "SkipLayerNormalization"))
        if not function or not is_known or node in excluded:
            continue
        if all(name in statistics and statistics[name].dtype == np.float32 for name in (find_data(graph, node), node.outputs[0])):
            if (replacements := function(node)) is not None:
                replace_node(graph, node, replacements)
                graph.update()
    # A normalization may have its factors and offsets in nodes behind it.
    fold_followers(graph, excluded)
    flatten_biases(graph, statistics, excluded)
    graph.drop_unused()


def find_data(graph, node):
    """The first tensor that the node computes with and that is no constant."""
    return next((name for name in node.inputs if name and not graph.is_constant(name)), None)


class Expander:
    def __init__(self, graph, statistics):
        self.graph, self.statistics = graph, statistics
        types = [value.type.tensor_type for value in graph.inputs]
        self.has_constant_shapes = all(type.HasField("shape") and all(dim.HasField("dim_value") for dim in type.shape.dim)
                                       for type in types)

    def get_shape(self, name):
        return self.statistics[name].shape

    def add(self, node, op, inputs, output=None, **attributes):
        """A node that stands for a part of `node`."""
        output = output or self.graph.make_name(f"{node.outputs[0]}_{op.lower()}")
        return self.graph.add_node(op, inputs, [output], node, **attributes)

    def add_depthwise(self, node, weights, bias=None, **attributes):
        """A convolution of each channel by itself."""
        constants = [self.graph.add_constant(f"{node.outputs[0]}_weights", weights.astype(np.float32))]
        if bias is not None:
            constants.append(self.graph.add_constant(f"{node.outputs[0]}_bias", bias.astype(np.float32)))
        return self.add(node, "Conv", [node.inputs[0], *constants], node.outputs[0], group=len(weights), **attributes)

    def expand_AveragePool(self, node):
        shape = self.get_shape(node.inputs[0])
        window = node.get("kernel_shape")
        if node.get("ceil_mode", 0) or node.get("auto_pad", b"NOTSET") not in (b"NOTSET", b"VALID") or any(
                node.get("dilations", [1])[i:i + 1] not in ([], [1]) for i in range(len(window))):
            return None
        pads = node.get("pads", [0] * 2 * len(window))
        if any(pads) and not node.get("count_include_pad", 0):
            return None
        if tuple(window) == shape[2:]:
            return None  # The compiler adds up the whole image.
        weights = np.full((shape[1], 1, *window), 1 / np.prod(window))
        return [self.add_depthwise(node, weights, kernel_shape=window, pads=pads, strides=node.get("strides", [1] * len(window)))]

    def expand_BatchNormalization(self, node):
        shape = self.get_shape(node.inputs[0])
        if not 3 <= len(shape) <= 5 or len([name for name in node.outputs if name]) != 1 or node.get("training_mode", 0):
            return None
        if not all(map(self.graph.is_float, node.inputs[1:5])):
            return None
        factors, offsets = get_normalization(self.graph, node)
        weights = factors.reshape([-1] + [1] * (len(shape) - 1))
        return [self.add_depthwise(node, weights, offsets, kernel_shape=[1] * (len(shape) - 2))]

    def expand_Pad(self, node):
        """Zeros around an image belong to the convolution that alone reads it."""
        reader = self.graph.get_only_reader(node.outputs[0])
        names = list(node.inputs[1:])
        if not reader or reader.op != "Conv" or not reader.is_standard or reader.get("auto_pad", b"NOTSET") != b"NOTSET":
            return None
        if node.get("mode", b"constant") != b"constant" or not all(not name or self.graph.is_constant(name) for name in names):
            return None
        if len(names) > 2 or not names:
            return None
        pads = [int(pad) for pad in self.graph.get_array(names[0])]
        rank = len(self.get_shape(node.inputs[0]))
        has_value = len(names) > 1 and names[1] and self.graph.get_array(names[1]).any()
        if has_value or len(pads) != 2 * rank or min(pads) < 0 or any(pads[:2] + pads[rank : rank + 2]):
            return None
        own = reader.get("pads", [0] * 2 * (rank - 2))
        reader.set("pads", [a + b for a, b in zip(own, pads[2:rank] + pads[rank + 2 :])])
        reader.inputs[0] = node.inputs[0]
        return []

    def expand_Split(self, node):
        shape = self.get_shape(node.inputs[0])
        axis, begin, nodes = node.get("axis", 0) % len(shape), 0, []
        has_sizes = len(node.inputs) > 1 and self.graph.is_constant(node.inputs[1])
        if not has_sizes and not self.has_constant_shapes:
            return None
        for output in node.outputs:
            if not output:
                return None
            end = begin + self.get_shape(output)[axis]
            nodes.append(self.add_slice(node, node.inputs[0], [axis], [begin], [end], output))
            begin = end
        return nodes

    def add_slice(self, node, name, axes, begins, ends, output):
        constants = [self.graph.add_constant(f"{output}_{what}", np.array(values, np.int64)) for what, values in
                     (("begins", begins), ("ends", ends), ("axes", axes))]
        return self.add(node, "Slice", [name, *constants], output)

    def expand_ReduceMean(self, node):
        """Dimensions stay ones, as in the averages that the compiler takes, and are dropped afterwards."""
        if node.get("keepdims", 1):
            return None
        axes = self.get_axes(node)
        if axes is None:
            return None
        mean = self.add(node, "ReduceMean", node.inputs)
        for attribute in node.proto.attribute:
            if attribute.name != "keepdims":
                mean.proto.attribute.append(attribute)
        mean.set("keepdims", 1)
        axes = self.graph.add_constant(f"{node.outputs[0]}_axes", np.array(axes, np.int64))
        return [mean, self.add(node, "Squeeze", [mean.outputs[0], axes], node.outputs[0])]

    def get_axes(self, node):
        """The dimensions that a reduction drops; None if they are computed, or none."""
        axes = node.get("axes")
        if axes is None and len(node.inputs) > 1 and node.inputs[1]:
            if not self.graph.is_constant(node.inputs[1]):
                return None
            axes = self.graph.get_array(node.inputs[1]).tolist()
        if axes:
            return axes
        return None if node.get("noop_with_empty_axes", 0) else list(range(len(self.get_shape(node.inputs[0]))))

    def expand_ConvTranspose(self, node):
        """Each of the pixels that one becomes has channels of its own in a convolution, which DepthToSpace puts side by side.
        Only images without groups and dilations, which are what networks have."""
        shape, out = self.get_shape(node.inputs[0]), self.get_shape(node.outputs[0])
        if len(shape) != 4 or not self.graph.is_float(node.inputs[1]) or self.graph.opset < SUBPIXEL_OPSET:
            return None
        strides = node.get("strides", [1, 1])
        has_bias = len(node.inputs) > 2 and node.inputs[2]
        if strides[0] != strides[1] or node.get("group", 1) != 1 or any(d != 1 for d in node.get("dilations", [1])):
            return None
        if node.get("auto_pad", b"NOTSET") != b"NOTSET" or node.get("output_shape") or (
                has_bias and not self.graph.is_float(node.inputs[2])):
            return None
        stride, pads = strides[0], node.get("pads", [0] * 4)
        weights = self.graph.get_array(node.inputs[1])
        # The pixel s * t + r is the sum of those at t - u times the weights at s * u + r + pad.
        first = [-((pad + stride - 1) // stride) for pad in pads[:2]]
        last = [(size - 1 - pad) // stride for size, pad in zip(weights.shape[2:], pads[:2])]
        taps = [high - low + 1 for low, high in zip(first, last)]
        tiles = [-(-size // stride) for size in out[2:]]
        after = [tile - low - size for tile, low, size in zip(tiles, first, shape[2:])]
        if min(last + after) < 0:
            return None
        filters = np.zeros((stride, stride, weights.shape[1], weights.shape[0], *taps), np.float32)
        for index in np.ndindex(stride, stride, *taps):
            at = [stride * (last[d] - index[2 + d]) + index[d] + pads[d] for d in range(2)]
            if all(0 <= at[d] < weights.shape[2 + d] for d in range(2)):
                filters[index[0], index[1], :, :, index[2], index[3]] = weights[:, :, at[0], at[1]].T
        filters = filters.reshape(-1, weights.shape[0], *taps)
        inputs = [node.inputs[0], self.graph.add_constant(node.inputs[1] + "_filters", filters)]
        if has_bias:
            bias = np.tile(self.graph.get_array(node.inputs[2]), stride * stride)
            inputs.append(self.graph.add_constant(node.inputs[2] + "_filters", bias))
        is_whole = all(stride * tile == size for tile, size in zip(tiles, out[2:]))
        nodes = [self.add(node, "Conv", inputs, pads=last + after, kernel_shape=taps)]
        if stride > 1:
            nodes.append(self.add(node, "DepthToSpace", [nodes[-1].outputs[0]], blocksize=stride, mode="DCR"))
        if not is_whole:
            # Counted from the end, which is elsewhere in other images.
            ends = [size - stride * tile or np.iinfo(np.int64).max for size, tile in zip(out[2:], tiles)]
            nodes.append(self.add_slice(node, nodes[-1].outputs[0], [2, 3], [0, 0], ends, node.outputs[0]))
        nodes[-1].outputs[0] = node.outputs[0]
        return nodes

    def expand_Resize(self, node):
        """The nearest pixel, where each is repeated in both directions: copies of the channels, side by side."""
        shape, out = self.get_shape(node.inputs[0]), self.get_shape(node.outputs[0])
        if len(shape) != 4 or shape[:2] != out[:2] or node.get("mode", b"nearest") != b"nearest" or self.graph.opset < SUBPIXEL_OPSET:
            return None
        factor = out[2] // shape[2]
        if factor < 2 or (shape[2] * factor, shape[3] * factor) != out[2:] or not self.has_factor(node, factor):
            return None
        places = np.arange(factor * 4)
        place = {b"asymmetric": places / factor, b"half_pixel": (places + 0.5) / factor - 0.5,
                 b"pytorch_half_pixel": (places + 0.5) / factor - 0.5}.get(node.get("coordinate_transformation_mode", b"half_pixel"))
        rounding = {b"floor": np.floor, b"ceil": np.ceil, b"round_prefer_floor": lambda x: np.ceil(x - 0.5),
                    b"round_prefer_ceil": lambda x: np.floor(x + 0.5)}.get(node.get("nearest_mode", b"round_prefer_floor"))
        if place is None or rounding is None or any(rounding(place).clip(0, 3) != places // factor):
            return None
        copies = self.add(node, "Concat", [node.inputs[0]] * (factor * factor), axis=1)
        return [copies, self.add(node, "DepthToSpace", copies.outputs, node.outputs[0], blocksize=factor, mode="DCR")]

    def has_factor(self, node, factor):
        """Whether a Resize enlarges images of all sizes by the same factor."""
        if not all(map(self.graph.is_constant, filter(None, node.inputs[1:]))):
            return False
        scales = self.graph.get_array(node.inputs[2]) if len(node.inputs) > 2 and node.inputs[2] else np.ones(0)
        if not scales.size:
            return self.has_constant_shapes
        return all(scale in (1, factor) for scale in scales.tolist())

    def expand_Gemm(self, node):
        """A bias that is computed is added afterwards."""
        if len(node.inputs) < 3 or not node.inputs[2] or self.graph.is_constant(node.inputs[2]):
            return None
        if node.get("alpha", 1.0) != 1 or node.get("beta", 1.0) != 1:
            return None
        product = self.graph.add_node("Gemm", list(node.inputs[:2]), [self.graph.make_name(node.outputs[0] + "_product")], node,
                                      transA=node.get("transA", 0), transB=node.get("transB", 0))
        return [product, self.add(node, "Add", [product.outputs[0], node.inputs[2]], node.outputs[0])]

    # What ONNX Runtime's optimizer writes.

    def expand_BiasGelu(self, node):
        total = self.add(node, "Add", list(node.inputs))
        gelu = self.add(node, "Gelu", [total.outputs[0]], node.outputs[0])
        gelu.proto.domain = "com.microsoft"
        return [total, gelu]

    def expand_SkipLayerNormalization(self, node):
        x, skip, gamma, beta, bias, *_ = [*node.inputs, "", "", ""]
        sums = node.outputs[3] if len(node.outputs) > 3 else ""
        if any(node.outputs[1:3]) or self.graph.opset < LAYER_NORMALIZATION_OPSET or not gamma:
            return None
        # The bias is that of the product before the sum.
        nodes = [self.add(node, "Add", [x, bias])] if bias else []
        nodes.append(self.add(node, "Add", [nodes[-1].outputs[0] if bias else x, skip], sums or None))
        inputs = [nodes[-1].outputs[0], gamma] + ([beta] if beta else [])
        nodes.append(self.add(node, "LayerNormalization", inputs, node.outputs[0], axis=-1, epsilon=node.get("epsilon", 1e-12)))
        return nodes
