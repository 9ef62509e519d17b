"""What happens to the graph of floats before it is quantized: constants are computed, normalizations and biases become
parts of the products before them, and products get the form that the compiler takes."""

import numpy as np
from onnx import TensorProto, numpy_helper

MOST_FOLDED_ELEMENTS = 1 << 28


def fold_constants(graph):
    """Constants in nodes become initializers, and so does what only moves them."""
    kept = []
    for node in graph.nodes:
        array = fold(graph, node)
        if array is None:
            kept.append(node)
        else:
            graph.constants[node.outputs[0]] = numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape),
                                                                      node.outputs[0])
    graph.nodes = kept
    graph.update()


def fold(graph, node):
    """The array that a node gives, if it moves constants; None otherwise. An output of the graph stays one."""
    if not node.is_standard or len(node.outputs) != 1 or node.outputs[0] in graph.output_names:
        return None
    if node.op == "Constant":
        if (tensor := node.get("value")) is not None:
            return numpy_helper.to_array(tensor)
        for name, type in (("value_float", np.float32), ("value_floats", np.float32), ("value_int", np.int64),
                           ("value_ints", np.int64)):
            if (value := node.get(name)) is not None:
                return np.asarray(value, type)
        return None
    if not node.inputs or not all(not name or graph.is_constant(name) for name in node.inputs):
        return None
    if node.op not in ("Identity", "Transpose", "Reshape", "Squeeze", "Unsqueeze", "ConstantOfShape"):
        return None
    if graph.get_type(node.inputs[0]) == TensorProto.STRING:
        return None
    data = graph.get_array(node.inputs[0])
    extra = graph.get_array(node.inputs[1]) if len(node.inputs) > 1 and node.inputs[1] else None
    try:
        if node.op == "Identity":
            return data
        if node.op == "Transpose":
            return np.transpose(data, node.get("perm"))
        if node.op == "Reshape":
            sizes = [int(size) for size in extra]
            if not node.get("allowzero", 0):
                sizes = [data.shape[index] if size == 0 else size for index, size in enumerate(sizes)]
            return data.reshape(sizes)
        if node.op == "ConstantOfShape":
            if np.prod([float(size) for size in data]) > MOST_FOLDED_ELEMENTS:
                return None
            value = node.get("value")
            value = numpy_helper.to_array(value).reshape(-1)[0] if value is not None else np.float32(0)
            return np.full([int(size) for size in data], value)
        axes = node.get("axes", extra)
        if node.op == "Squeeze":
            return np.squeeze(data, None if axes is None else tuple(int(axis) for axis in axes))
        return np.expand_dims(data, tuple(int(axis) for axis in axes))
    except (ValueError, IndexError, TypeError):
        return None  # The compiler says what is wrong with it.


def replace_reads(graph, old, new):
    for node in graph.readers.get(old, []):
        for index, name in enumerate(node.inputs):
            if name == old:
                node.inputs[index] = new


def drop_identities(graph):
    """Drops nodes that give what they read, as Dropout does outside of training."""
    for node in list(graph.nodes):
        is_identity = node.op == "Identity"
        others = set(node.outputs[1:]) & (set(graph.readers) | graph.output_names | graph.subgraph_reads)
        is_dropout = node.op == "Dropout" and not others and len(node.inputs) < 3
        name = node.outputs[0]
        if not node.is_standard or not (is_identity or is_dropout) or name in graph.output_names | graph.subgraph_reads:
            continue
        replace_reads(graph, name, node.inputs[0])
        graph.nodes.remove(node)
        graph.update()


def replace_node(graph, node, replacements):
    at = graph.nodes.index(node)
    graph.nodes[at : at + 1] = replacements


def merge_into_product(graph, product, follower, weight, bias):
    """Gives `product` new weights and a bias, and what `follower` writes, which is dropped."""
    product.inputs[1] = graph.add_constant(product.inputs[1] + "_folded", weight)
    name = graph.add_constant((product.inputs[2] if len(product.inputs) > 2 and product.inputs[2] else product.inputs[1])
                              + "_bias", bias)
    inputs = [product.inputs[0], product.inputs[1], name]
    del product.inputs[:]
    product.inputs.extend(inputs)
    product.outputs[0] = follower.outputs[0]
    graph.nodes.remove(follower)
    graph.update()


def get_channels(graph, node):
    """The number of output channels of a Conv or ConvTranspose with constant weights."""
    dims = graph.get_dims(node.inputs[1])
    return dims[0] if node.op == "Conv" else dims[1] * node.get("group", 1)


def scale_filters(node, weight, factors):
    """The weights of a Conv or ConvTranspose, each output channel times its factor."""
    if node.op == "Conv":
        return weight * factors.reshape([-1] + [1] * (weight.ndim - 1))
    group = node.get("group", 1)
    spread = np.repeat(factors.reshape(group, -1), weight.shape[0] // group, axis=0)
    return weight * spread.reshape(list(spread.shape) + [1] * (weight.ndim - 2))


def get_bias(graph, node, channels):
    if len(node.inputs) > 2 and node.inputs[2]:
        return graph.get_array(node.inputs[2]).astype(np.float64) if graph.is_float(node.inputs[2]) else None
    return np.zeros(channels)


def fold_followers(graph, excluded):
    """BatchNormalization, and sums and products with a number for each channel, become a part of the convolution before."""
    for node in list(graph.nodes):
        if node.op not in ("Conv", "ConvTranspose") or not node.is_standard or node in excluded:
            continue
        while graph.is_float(node.inputs[1]) and (reader := graph.get_only_reader(node.outputs[0])):
            channels, rank = get_channels(graph, node), len(graph.get_dims(node.inputs[1]))
            line = get_line(graph, node, reader, channels, rank) if reader not in excluded else None
            bias = get_bias(graph, node, channels)
            if line is None or bias is None:
                break
            factors, offsets = line
            weight = scale_filters(node, graph.get_array(node.inputs[1]).astype(np.float64), factors)
            merge_into_product(graph, node, reader, weight.astype(np.float32), (bias * factors + offsets).astype(np.float32))


def get_line(graph, node, reader, channels, rank):
    """A factor and an offset for each channel that are all that `reader` does to what `node` gives; None if it does more."""
    if not reader.is_standard:
        return None
    if reader.op == "BatchNormalization":
        is_plain = len([name for name in reader.outputs if name]) == 1 and not reader.get("training_mode", 0)
        if not is_plain or reader.inputs[0] != node.outputs[0] or not all(map(graph.is_float, reader.inputs[1:5])):
            return None
        return get_normalization(graph, reader)
    if reader.op in ("Add", "Mul"):
        other = reader.inputs[0] if reader.inputs[1] == node.outputs[0] else reader.inputs[1]
        if not graph.is_float(other):
            return None
        dims = graph.get_dims(other)
        padded = (1,) * (rank - len(dims)) + dims
        if len(dims) > rank or padded not in ((1, channels) + (1,) * (rank - 2), (1,) * rank):
            return None
        numbers = np.broadcast_to(graph.get_array(other).astype(np.float64).reshape(-1), channels)
        return (np.ones(channels), numbers) if reader.op == "Add" else (numbers, np.zeros(channels))
    return None


def get_normalization(graph, node):
    """The factors and the offsets of a BatchNormalization."""
    gamma, beta, mean, variance = (graph.get_array(name).astype(np.float64) for name in node.inputs[1:5])
    factors = gamma / np.sqrt(variance + node.get("epsilon", 1e-5))
    return factors, beta - mean * factors


def simplify_gemm(graph, node):
    """A Gemm with the factors 1 and nothing transposed but its weights; a bias that is not for columns becomes a sum."""
    alpha, beta = node.get("alpha", 1.0), node.get("beta", 1.0)
    before, after = [], []
    if node.get("transA", 0):
        name = graph.make_name(node.inputs[0] + "_transposed")
        before.append(graph.add_node("Transpose", [node.inputs[0]], [name], node, perm=[1, 0]))
        node.inputs[0] = name
        node.drop("transA")
    has_bias = len(node.inputs) > 2 and node.inputs[2]
    if graph.is_float(node.inputs[1]) and (not has_bias or graph.is_float(node.inputs[2])):
        weight = graph.get_array(node.inputs[1])
        columns = weight.shape[0 if node.get("transB", 0) else 1]
        if alpha != 1:
            node.inputs[1] = graph.add_constant(node.inputs[1] + "_scaled", (weight * np.float32(alpha)).astype(np.float32))
        if has_bias:
            bias = graph.get_array(node.inputs[2]).astype(np.float32) * np.float32(beta)
            rows = bias.size // max(1, bias.shape[-1]) if bias.ndim else 1
            if rows == 1 and bias.size in (1, columns):
                node.inputs[2] = graph.add_constant(node.inputs[2] + "_row", np.broadcast_to(bias.reshape(-1), columns))
            else:
                name = graph.make_name(node.outputs[0] + "_product")
                other = graph.add_constant(node.inputs[2] + "_scaled", bias)
                after.append(graph.add_node("Add", [name, other], [node.outputs[0]], node))
                node.outputs[0] = name
                del node.inputs[2:]
        node.drop("alpha")
        node.drop("beta")
    if before or after:
        replace_node(graph, node, before + [node] + after)
    graph.update()


def move_transpositions(graph, excluded):
    """A Gemm that transposes a computed matrix: a Transpose before it does, which moves bytes."""
    for node in list(graph.nodes):
        if node.op == "Gemm" and node.is_standard and node not in excluded:
            if node.get("transB", 0) and not graph.is_constant(node.inputs[1]):
                name = graph.make_name(node.inputs[1] + "_transposed")
                replace_node(graph, node, [graph.add_node("Transpose", [node.inputs[1]], [name], node, perm=[1, 0]), node])
                node.inputs[1] = name
                node.drop("transB")
            simplify_gemm(graph, node)


def flatten_biases(graph, statistics, excluded):
    """The bias behind a MatMul, which may have dimensions of size 1 in front, is a list. Dimensions that the product does not
    have would be new ones of the sum."""
    for node in graph.nodes:
        if node.op != "Add" or not node.is_standard or node in excluded or len(node.inputs) != 2:
            continue
        for index in (0, 1):
            product, name = graph.producers.get(node.inputs[1 - index]), node.inputs[index]
            if not product or product.op != "MatMul" or not graph.is_float(name):
                continue
            if not graph.is_float(product.inputs[1]) or len(graph.get_dims(product.inputs[1])) != 2:
                continue
            dims, columns = graph.get_dims(name), graph.get_dims(product.inputs[1])[1]
            is_row = dims != (columns,) and (all(size == 1 for size in dims) or (
                dims[-1] == columns and all(size == 1 for size in dims[:-1])))
            if is_row and len(dims) <= len(statistics[product.outputs[0]].shape):
                array = np.broadcast_to(graph.get_array(name).reshape(-1), columns)
                node.inputs[index] = graph.add_constant(name + "_row", array)
    graph.update()


def prepare(graph, excluded):
    fold_constants(graph)
    drop_identities(graph)
    fold_followers(graph, excluded)
    move_transpositions(graph, excluded)
    graph.drop_unused()
