"""write-models.py <folder>: writes small models of floats, <name>.onnx for each function below, in the forms that
exporters use."""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

MODELS = {}


def model(function):
    MODELS[function.__name__] = function
    return function


class Net:
    def __init__(self, opset=17):
        self.random, self.opset = np.random.default_rng(3), opset
        self.nodes, self.initializers, self.inputs, self.outputs = [], [], [], []

    def input(self, *dims, type=TensorProto.FLOAT):
        self.inputs.append(helper.make_tensor_value_info(f"x{len(self.inputs)}", type, dims))
        return self.inputs[-1].name

    def output(self, name, type=TensorProto.FLOAT):
        self.outputs.append(onnx.ValueInfoProto(name=name))
        self.outputs[-1].type.tensor_type.elem_type = type

    def constant(self, array):
        array = np.asarray(array)
        self.initializers.append(numpy_helper.from_array(array.astype(np.float32) if array.dtype == np.float64 else array,
                                                         f"c{len(self.initializers)}"))
        return self.initializers[-1].name

    def weights(self, *dims, terms=None):
        return self.constant(self.random.standard_normal(dims) * (terms or np.prod(dims[1:])) ** -0.5)

    def channels(self, *dims):
        return self.constant(self.random.uniform(0.7, 1.3, dims))

    def add(self, op, *inputs, outputs=1, domain="", **attributes):
        number = len(self.nodes)
        names = [f"v{number}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, name=f"{op}{number}", domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def conv(self, x, inputs, outputs, size=3):
        return self.add("Conv", x, self.weights(outputs, inputs, size, size), self.channels(outputs), pads=[size // 2] * 4)

    def make(self, ir_version=8):
        graph = helper.make_graph(self.nodes, "g", self.inputs, self.outputs, self.initializers)
        result = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset), helper.make_opsetid("com.microsoft", 1)])
        result.ir_version = ir_version
        return result


@model
def products():
    """Every product, with biases of all forms, factors, groups, and weights that are shared or computed from constants."""
    net = Net()
    x = net.input(1, 4, 6, 6)
    y = net.add("Conv", x, net.weights(8, 2, 3, 3), group=2, pads=[1] * 4)
    y = net.add("Mul", y, net.channels(8, 1, 1))
    y = net.add("Add", net.channels(1, 8, 1, 1), y)
    y = net.add("BatchNormalization", y, *(net.channels(8) for _ in range(4)))
    y = net.add("Relu", net.add("Dropout", y))
    y = net.add("Conv", y, net.weights(8, 1, 3, 3), net.channels(8), group=8, strides=[2, 2], pads=[1] * 4)
    y = net.add("Reshape", y, net.constant(np.array([8, 9])))
    y = net.add("Gemm", y, net.weights(8, 6, terms=8), net.channels(1, 6), transA=1, alpha=0.5, beta=2.0)
    square, bias = net.weights(6, 6), net.channels(6)
    y = net.add("Relu", net.add("Gemm", y, square, bias, transB=1))
    y = net.add("Gemm", y, square, bias)
    y = net.add("Gemm", y, net.add("Transpose", net.add("Identity", square), perm=[1, 0]), net.constant(np.float32(0.25)))
    y = net.add("Add", net.add("MatMul", y, square), net.constant(net.random.standard_normal((1, 6))))
    z = net.add("MatMul", y, net.weights(6, 4))
    y = net.add("Gemm", net.add("Gemm", z, net.weights(9, 4), transB=1), y)
    y = net.add("Gemm", y, net.weights(5, 6), net.input(5), transB=1)
    y = net.add("MatMul", net.weights(2, 4, 9, terms=9), y)
    net.output(net.add("MatMul", y, net.weights(2, 5, 3, terms=5)))
    return net.make()


@model
def dimensions():
    """Convolutions of one and three dimensions, a channel of zeros, and one whose bias is far larger than its weights."""
    net = Net()
    y = net.add("Conv", net.input(1, 4, 16), net.weights(8, 4, 3), net.channels(8), pads=[1, 1])
    net.output(y)
    net.output(net.add("Conv", net.input(1, 2, 4, 6, 6), net.weights(4, 2, 3, 3, 3)))
    weights = net.random.standard_normal((3, 2, 1, 1))
    weights[1], weights[2] = 0, weights[2] * 1e-9
    net.output(net.add("Conv", net.input(1, 2, 4, 4), net.constant(weights), net.constant(np.array([1.0, 2.0, 3.0]))))
    return net.make()


@model
def moves():
    """What moves bytes, and what becomes convolutions: averages, normalizations, larger images."""
    net = Net()
    x = net.input(1, 4, 8, 8)
    y, z = net.conv(x, 4, 4), net.conv(x, 4, 4)
    y = net.add("Concat", y, z, x, axis=1)
    y = net.add("BatchNormalization", y, *(net.channels(12) for _ in range(4)))
    y, z = net.add("Split", net.add("Relu", y), outputs=2, axis=1)
    y = net.add("Slice", y, net.constant(np.array([1])), net.constant(np.array([5])), net.constant(np.array([1])))
    y = net.add("AveragePool", y, kernel_shape=[2, 2], strides=[2, 2])
    y = net.add("Pad", y, net.constant(np.array([0, 0, 1, 1, 0, 0, 1, 1])))
    y = net.add("Conv", y, net.weights(6, 4, 3, 3))
    y = net.add("Resize", y, "", net.constant(np.array([1, 1, 2, 2], np.float32)), mode="nearest")
    y = net.add("Add", y, z)
    y = net.add("ConvTranspose", y, net.weights(6, 4, 3, 3, terms=12), net.channels(4), strides=[2, 2], pads=[1] * 4,
                output_padding=[1, 1])
    y = net.add("ConvTranspose", y, net.weights(4, 4, 2, 2, terms=4), strides=[2, 2], pads=[0, 0, 1, 1])
    y = net.add("MaxPool", y, kernel_shape=[3, 3], strides=[4, 4])
    y = net.add("ReduceMean", y, axes=[2, 3], keepdims=0)
    net.output(net.add("Gemm", y, net.weights(4, 10)))
    return net.make()


@model
def regions():
    """Operators that stay floats between bytes."""
    net = Net()
    tokens = net.input(1, 8, type=TensorProto.INT64)
    x = net.add("Add", net.add("Gather", net.weights(20, 16, terms=1), tokens), net.weights(1, 8, 16, terms=1))
    x = net.add("LayerNormalization", x, net.channels(16), net.channels(16))
    y = net.add("Add", net.add("MatMul", x, net.weights(16, 48)), net.channels(48))
    q, k, v = net.add("Split", y, net.constant(np.array([16, 16, 16])), outputs=3, axis=-1)
    shares = net.add("Softmax", net.add("Mul", net.add("MatMul", q, net.add("Transpose", k, perm=[0, 2, 1])),
                                        net.constant(np.float32(0.25))))
    y = net.add("SkipLayerNormalization", net.add("MatMul", shares, v), x, net.channels(16), net.channels(16),
                domain="com.microsoft")
    z = net.add("BiasGelu", net.add("MatMul", y, net.weights(16, 16)), net.channels(16), domain="com.microsoft")
    z = net.add("MatMul", z, net.weights(16, 16))
    z = net.add("Mul", z, net.add("Sigmoid", z))
    y = net.add("Add", net.add("MatMul", z, net.weights(16, 16)), y)
    mean = net.add("ReduceMean", net.add("Pow", y, net.constant(np.float32(2))), axes=[-1])
    y = net.add("Div", y, net.add("Sqrt", net.add("Add", mean, net.constant(np.float32(1e-5)))))
    net.output(net.add("MatMul", net.add("Mul", y, net.channels(16)), net.weights(16, 4)))
    return net.make()


@model
def mask():
    """What a mask adds in front of a softmax stays in floats."""
    net = Net()
    x, m = net.input(1, 8, 16), net.input(1, 8)
    q = net.add("MatMul", x, net.weights(16, 16))
    scores = net.add("MatMul", q, net.add("Transpose", x, perm=[0, 2, 1]))
    hidden = net.add("Sub", net.constant(np.float32(1)), net.add("Unsqueeze", m, net.constant(np.array([1]))))
    scores = net.add("Add", scores, net.add("Mul", hidden, net.constant(np.float32(-10000))))
    scores = net.add("Where", net.constant(np.tril(np.ones((8, 8), bool))), scores, net.constant(np.float32(-np.inf)))
    net.output(net.add("MatMul", net.add("Softmax", scores), x))
    return net.make()


@model
def subgraphs():
    """Nodes in subgraphs read values of bytes and weights that are constants outside."""
    net = Net()
    x, condition = net.input(1, 4, 6, 6), net.input(1, type=TensorProto.BOOL)
    weights = net.weights(4, 4, 1, 1)
    y = net.add("Conv", x, weights)

    def branch(op):
        nodes = [helper.make_node("Conv", [y, weights], ["z"]), helper.make_node(op, ["z"], [op])]
        return helper.make_graph(nodes, op, [], [helper.make_tensor_value_info(op, TensorProto.FLOAT, [1, 4, 6, 6])])

    z = net.add("If", condition, then_branch=branch("Relu"), else_branch=branch("Tanh"))
    net.output(net.add("Conv", z, weights))
    net.output(y)
    return net.make()


@model
def rest():
    """What stays in f32, for reasons."""
    net = Net()
    x = net.input(3, 1, 8)
    _, y = net.add("LSTM", x, net.weights(1, 16, 8), net.weights(1, 16, 4), outputs=2, hidden_size=4)
    y = net.add("Gemm", net.add("Reshape", y, net.constant(np.array([1, 4]))), net.weights(4, 4))
    z = net.add("Add", net.add("MatMul", y, net.weights(4, 4)), net.constant(np.array([[1e6, 2e6, 3e6, 4e6]] * 2)))
    net.output(net.add("MatMul", z, net.weights(4, 4)))
    return net.make()


@model
def old():
    """Opset 9, and constants that are inputs, as at that time."""
    net = Net(opset=9)
    y = net.add("Relu", net.conv(net.input(1, 3, 8, 8), 3, 4))
    y = net.add("Upsample", y, net.constant(np.array([1, 1, 2, 2], np.float32)), mode="nearest")
    y, _ = net.add("Dropout", net.add("GlobalAveragePool", y), outputs=2)
    net.output(net.add("Gemm", net.add("Flatten", y), net.weights(4, 5), net.channels(5)))
    net.inputs += [helper.make_tensor_value_info(c.name, c.data_type, c.dims) for c in net.initializers]
    return net.make(ir_version=3)


@model
def dynamic():
    """Dimensions with names."""
    net = Net()
    net.output(net.add("Softmax", net.add("MatMul", net.input("batch", "rows", 8), net.weights(8, 8))))
    return net.make()


@model
def biases():
    """Sums behind products that are no biases: a column, and a row with a dimension that the product does not have."""
    net = Net()
    y = net.add("MatMul", net.input(4, 8), net.weights(8, 4))
    net.output(net.add("Add", net.constant(np.array([[10.0], [0.0], [-10.0], [5.0]])), y))
    y = net.add("MatMul", net.input(2, 4, 8), net.weights(8, 4))
    net.output(net.add("Add", y, net.constant(np.array([[10.0], [0.0], [-10.0], [5.0]]))))
    net.output(net.add("Add", net.add("MatMul", net.input(8), net.weights(8, 4)), net.channels(1, 4)))
    net.output(net.add("Add", net.add("MatMul", net.input(2, 4, 8), net.weights(8, 4)), net.channels(1, 1, 4)))
    return net.make()


@model
def sizes():
    """Images of any size, in operators whose results have other sizes."""
    net = Net()
    y = net.conv(net.input("n", 3, "h", "w"), 3, 4)
    z = net.add("ConvTranspose", y, net.weights(4, 4, 3, 3, terms=12), strides=[2, 2], pads=[1] * 4)
    net.output(net.add("Resize", z, "", net.constant(np.array([1, 1, 2, 2], np.float32)), mode="nearest"))
    net.output(net.add("Resize", y, "", "", net.constant(np.array([1, 4, 16, 16])), mode="nearest"))
    net.output(net.add("Add", *net.add("Split", y, outputs=2, axis=2)))
    net.output(net.add("Add", *net.add("Split", y, net.constant(np.array([2, 2])), outputs=2, axis=1)))
    mean = net.add("ReduceMean", y, axes=[2, 3], keepdims=0)
    net.output(net.add("Gemm", mean, net.weights(4, 5)))
    net.output(net.add("ReduceMean", y, keepdims=0))
    return net.make()


@model
def reductions():
    """Opset 18, where dimensions are an input: some, all, and none."""
    net = Net(opset=18)
    y = net.conv(net.input(1, 3, 6, 6), 3, 4)
    axes = net.constant(np.array([2, 3]))
    net.output(net.add("ReduceMean", y, axes, keepdims=0))
    net.output(net.add("ReduceMean", y, keepdims=0))
    net.output(net.add("ReduceMean", y, net.constant(np.zeros(0, np.int64)), keepdims=0))
    net.output(net.add("ReduceMean", y, keepdims=0, noop_with_empty_axes=1))
    return net.make()


@model
def two_ranges():
    """Operands that are not seen beside others in one sample, and are all that is seen in the next."""
    net = Net()
    x, y = net.input(2, 4), net.input(2, 4)
    net.output(net.add("Add", net.add("MatMul", x, net.weights(4, 4)), net.add("MatMul", y, net.weights(4, 4))))
    total = net.add("Add", net.add("MatMul", x, net.weights(4, 4)), y)
    net.output(net.add("MatMul", total, net.weights(4, 4)))
    return net.make()


@model
def old6():
    """Opset 6, where shapes broadcast at an axis and parameters are attributes."""
    net = Net(opset=6)
    x = net.conv(net.input(1, 3, 8, 8), 3, 4)
    net.output(net.add("Softmax", net.add("TopK", x, outputs=2, k=3)[0], axis=3))
    y = net.add("Add", x, net.channels(4), axis=1, broadcast=1)
    factors = net.add("Constant", value=numpy_helper.from_array(np.float32([[0.5], [1], [1.5], [2]])))
    y = net.add("Mul", y, net.add("Squeeze", factors, axes=[1]), axis=-3, broadcast=1)
    y = net.add("PRelu", y, net.channels(4))
    y = net.add("Pad", y, pads=[0, 0, 1, 1, 0, 0, 1, 1])
    y = net.add("Clip", y, max=6.0)
    y = net.add("Slice", y, starts=[1, 1], ends=[9, 9], axes=[2, 3])
    y, mask = net.add("Dropout", y, outputs=2, is_test=1)
    net.output(mask)
    parts = net.add("Split", y, outputs=2, axis=1, split=[1, 3])
    y = net.add("BatchNormalization", net.add("Concat", *parts, axis=1), *(net.channels(4) for _ in range(4)), is_test=1)
    net.output(net.add("Softmax", net.add("Squeeze", net.add("Unsqueeze", y, axes=[0]), axes=[0])))
    return net.make()


@model
def old10():
    """Opset 10: images are enlarged from their corners, and operators of others have no opset. Values have numbers as names."""
    net = Net(opset=10)
    y = net.conv(net.input(1, 3, 9, 9), 3, 4)
    for scales, mode in (([2, 2], "linear"), ([3, 3], "nearest"), ([1 / 3, 1 / 3], "nearest"), ([2, 1 / 3], "nearest")):
        x = net.add("Constant", value=numpy_helper.from_array(np.float32([1, 1, *scales])))
        net.output(net.add("Resize", y, x, mode=mode))
    x = net.add("Gelu", net.add("Clip", net.add("Gelu", y, domain="com.microsoft"), min=0.0), domain="com.microsoft")
    net.output(net.conv(x, 4, 4))
    return onnx.ModelProto.FromString(net.make().SerializeToString().replace(b"v0_0", b"0007"))


@model
def old_branches():
    """Opset 11 in subgraphs."""
    net = Net(opset=11)
    y = net.conv(net.input(1, 3, 6, 6), 3, 4)

    def branch(op):
        nodes = [helper.make_node(op, [y], ["z"], axis=1), helper.make_node("ReduceMax", ["z"], ["m"], axes=[1]),
                 helper.make_node("Squeeze", ["m"], ["s"], axes=[1])]
        return helper.make_graph(nodes, "branch", [], [helper.make_tensor_value_info("s", TensorProto.FLOAT, None)])

    net.output(net.add("If", net.input(1, type=TensorProto.BOOL), then_branch=branch("Softmax"), else_branch=branch("LogSoftmax")))
    return net.make()


@model
def upsample():
    """Opset 9 with a node without a name."""
    net = Net(opset=9)
    y = net.add("Upsample", net.conv(net.input(1, 3, 8, 8), 3, 4), net.constant(np.array([1, 1, 2, 3], np.float32)), mode="linear")
    net.nodes[-1].name = ""
    net.output(net.add("Relu", y))
    return net.make()


@model
def old_subgraph():
    """An operand that is aligned in a subgraph, whose rank nothing says."""
    net = Net(opset=6)
    y = net.add("Gemm", net.input(2, 4), net.weights(4, 4), net.channels(2, 4))
    nodes = [helper.make_node("Abs", [y], ["z"]), helper.make_node("Add", ["z", net.channels(2)], ["s"], axis=0, broadcast=1)]
    branch = helper.make_graph(nodes, "branch", [], [helper.make_tensor_value_info("s", TensorProto.FLOAT, None)])
    net.output(net.add("If", net.input(1, type=TensorProto.BOOL), then_branch=branch, else_branch=branch))
    return net.make()


@model
def same():
    """Weights of one number."""
    net = Net()
    net.output(net.add("MatMul", net.input(2, 4), net.constant(np.full((4, 4), 0.5))))
    return net.make()


@model
def half():
    net = Net()
    net.output(net.add("MatMul", net.input(2, 4, type=TensorProto.FLOAT16), net.constant(np.ones((4, 4), np.float16))),
               TensorProto.FLOAT16)
    return net.make()


@model
def nothing():
    net = Net()
    net.output(net.add("Relu", net.input(2, 4)))
    return net.make()


@model
def infinite():
    net = Net()
    net.output(net.add("MatMul", net.add("Div", net.input(2, 4), net.constant(np.float32(0))), net.weights(4, 4)))
    return net.make()


@model
def quantized():
    net = Net()
    y = net.add("QuantizeLinear", net.input(2, 4), net.constant(np.float32(0.1)), net.constant(np.int8(0)))
    net.output(net.add("MatMul", net.add("DequantizeLinear", y, *net.nodes[0].input[1:]), net.weights(4, 4)))
    return net.make()


@model
def wrong():
    net = Net()
    net.output(net.add("MatMul", net.add("Identity", net.input(2, 5)), net.weights(4, 4)))
    return net.make()


@model
def unsupported():
    net = Net()
    y = net.add("MatMul", net.input(2, 4), net.weights(4, 4))
    net.output(net.add("RandomNormalLike", y))
    return net.make()


@model
def short():
    """A constant with less data than its shape needs."""
    net = Net()
    net.output(net.add("MatMul", net.input(2, 4), net.weights(4, 4)))
    result = net.make()
    result.graph.initializer[0].raw_data = b"abcd"
    return result


def write_bytes(folder):
    """A name that is not UTF-8."""
    data = (folder / "external.onnx").read_bytes().replace(b"MatMul0", b"MatMu\xff0")
    (folder / "bytes.onnx").write_bytes(data)


def write_external(folder):
    """Weights in other files: beside the model, missing, cut off, and out of its folder."""
    net = Net()
    net.output(net.add("MatMul", net.input(2, 4), net.weights(4, 4)))
    onnx.save_model(net.make(), str(folder / "external.onnx"), save_as_external_data=True, location="external.bin", size_threshold=0)
    for name, location in (("missing", "none.bin"), ("outside", "../external.bin"), ("cut", "cut.bin")):
        external = onnx.load(folder / "external.onnx", load_external_data=False)
        external.graph.initializer[0].external_data[0].value = location
        (folder / f"{name}.onnx").write_bytes(external.SerializeToString())
    (folder / "cut.bin").write_bytes(b"abcd")


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    for name, function in MODELS.items():
        (folder / f"{name}.onnx").write_bytes(function().SerializeToString())
    write_external(folder)
    write_bytes(folder)
    (folder / "text.onnx").write_text("no model\n")


if __name__ == "__main__":
    main()
