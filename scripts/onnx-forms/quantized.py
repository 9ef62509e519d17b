"""Quantized models as tools write them: QuantizeLinear and DequantizeLinear around operators of floats, and operators of
com.microsoft on bytes. Scales are no powers of two, zero points not 0, weights have a scale per channel.
"""

from model import MICROSOFT, Tensor, as_f32, form, model, node, rand, single


class Network:
    """Writes nodes one after the other; each method returns the name of what it makes."""

    def __init__(self, type, opset=13):
        self.type, self.opset = type, opset
        self.nodes, self.constants, self.count = [], {}, 0

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def constant(self, tensor):
        name = self.name("k")
        self.constants[name] = tensor
        return name

    def add(self, operator, *inputs, **attributes):
        name = self.name("v")
        self.nodes.append(node(operator, inputs, [name], **attributes))
        return name

    def parameters(self, scale, zero_point):
        return self.constant(Tensor("f32", [], scale)), self.constant(Tensor(self.type, [], zero_point))

    def quantize(self, value, parameters):
        """Through bytes and back."""
        return self.add("DequantizeLinear", self.add("QuantizeLinear", value, *parameters), *parameters)

    def weights(self, dims, axis, scales, type="i8"):
        """Dequantized weights; one scale, or one for each element along `axis`."""
        self.count += 1
        elements = rand(type, dims, self.count, -127 if type == "i8" else 0, 127)
        shape = [len(scales)] if len(scales) > 1 else []
        return self.add("DequantizeLinear", self.constant(elements), self.constant(Tensor("f32", shape, scales)),
                        self.constant(Tensor(type, shape, 0)), axis=axis)

    def bias(self, count, scales):
        self.count += 1
        shape = [len(scales)] if len(scales) > 1 else []
        return self.add("DequantizeLinear", self.constant(rand("i32", [count], self.count, -500, 500)),
                        self.constant(Tensor("f32", shape, scales)), axis=0)

    def finish(self, value, arguments):
        self.nodes.append(node("Identity", [value], ["y"]))
        return model(self.nodes, arguments, "y", self.constants, self.opset)


ZERO_POINTS = {"u8": 120, "i8": 5, "u16": 30000, "i16": 7}
RELU, CLIP = ("Relu", [], {}), ("Clip", [Tensor("f32", [], 0.0), Tensor("f32", [], 6.0)], {})


def product(name, operator="Conv", between=(), type="u8", scales=6, quantizes=True, weight_type="i8", opset=13,
            symmetric=False):
    """A product of dequantized tensors with a bias, nodes behind it, and a quantization or none."""

    def make():
        net = Network(type, opset)
        zero = 0 if symmetric else ZERO_POINTS[type]
        x = net.quantize("x", net.parameters(0.03, zero))
        weight_scales = [as_f32(0.0103 + 0.0015 * i) for i in range(scales)]
        bias_scales = [as_f32(as_f32(0.03) * scale) for scale in weight_scales]
        if operator == "Conv":
            arguments = {"x": rand("f32", [1, 4, 8, 8], 1, -3, 3)}
            value = net.add("Conv", x, net.weights([6, 4, 3, 3], 0, weight_scales, weight_type),
                            net.bias(6, bias_scales), kernel_shape=[3, 3], pads=[1, 1, 1, 1])
        else:
            arguments = {"x": rand("f32", [3, 16], 1, -3, 3)}
            weights, bias = net.weights([16, 6], 1, weight_scales, weight_type), net.bias(6, bias_scales)
            value = (net.add("Gemm", x, weights, bias) if operator == "Gemm"
                     else net.add("Add", net.add("MatMul", x, weights), bias))
        for step, extra, attributes in between:
            value = net.add(step, value, *map(net.constant, extra), **attributes)
        if quantizes:
            value = net.quantize(value, net.parameters(0.07, zero - (0 if symmetric else 3)))
        return net.finish(value, arguments)

    form("qdq_" + name, make)


for type in ("u8", "i8"):
    for operator in ("Conv", "Gemm", "MatMul"):
        for label, between in (("plain", []), ("relu", [RELU]), ("clip", [CLIP])):
            product(f"{operator.lower()}_{label}_{type}", operator, between, type)
        product(f"{operator.lower()}_float_{type}", operator, [], type, quantizes=False)
        product(f"{operator.lower()}_relu_float_{type}", operator, [RELU], type, quantizes=False)
product("max_pool", between=[RELU, ("MaxPool", [], {"kernel_shape": [2, 2], "strides": [2, 2]})])
product("reshape", between=[("Reshape", [Tensor("i64", [2], [1, -1])], {})])
product("transpose", between=[("Transpose", [], {"perm": [0, 2, 3, 1]})])
product("leaky", between=[("LeakyRelu", [], {"alpha": 0.1})])
product("sigmoid", between=[("Sigmoid", [], {})])
product("average", between=[("GlobalAveragePool", [], {})])
product("u16", between=[RELU], type="u16", opset=21)
product("i16", type="i16", opset=21)
product("unsigned_weights", weight_type="u8", scales=1)
product("one_scale", scales=1)
product("symmetric", between=[RELU], type="i8", symmetric=True)


def network(name, type, depthwise=False):
    """Two blocks of three convolutions with a residual, between a pool and an average, and a last product."""

    def make():
        net = Network(type)
        zero = 0 if type == "u8" else -128

        def convolution(value, channels, size, scale, group=1):
            scales = [as_f32(0.002 + 0.0001 * i) for i in range(8)]
            weights = net.weights([8, channels // group, size, size], 0, scales)
            bias = net.bias(8, [as_f32(as_f32(scale) * other) for other in scales])
            return net.add("Conv", value, weights, bias, kernel_shape=[size, size], pads=[size // 2] * 4, group=group)

        x = net.quantize("x", net.parameters(0.03, 118 if type == "u8" else -7))
        first = net.parameters(0.02, zero)
        value = net.quantize(net.add("Relu", convolution(x, 3, 3, 0.03)), first)
        value, scale = net.quantize(net.add("MaxPool", value, kernel_shape=[2, 2], strides=[2, 2]), first), 0.02
        for _ in range(2):
            inner = net.parameters(0.025, zero)
            part = net.quantize(net.add("Relu", convolution(value, 8, 1, scale)), inner)
            part = net.quantize(net.add("Relu", convolution(part, 8, 3, 0.025, 8 if depthwise else 1)), inner)
            part = net.quantize(convolution(part, 8, 1, 0.025), net.parameters(0.04, 133 if type == "u8" else 6))
            value = net.quantize(net.add("Relu", net.add("Add", part, value)), net.parameters(0.035, zero))
            scale = 0.035
        value = net.quantize(net.add("GlobalAveragePool", value), net.parameters(0.01, zero))
        value = net.add("Gemm", net.add("Flatten", value), net.weights([10, 8], 0, [0.01]),
                        net.bias(10, [as_f32(as_f32(0.01) * as_f32(0.01))]), transB=1)
        value = net.quantize(value, net.parameters(0.05, 100 if type == "u8" else 3))
        return net.finish(value, {"x": rand("f32", [1, 3, 16, 16], 1, -3, 3)})

    form("qdq_network_" + name, make)


network("u8", "u8")
network("i8", "i8")
network("depthwise", "u8", depthwise=True)


def concat():
    net = Network("u8")
    other = net.parameters(0.05, 130)
    parts = net.quantize("x", net.parameters(0.03, 110)), net.quantize("w", other)
    arguments = {"x": rand("f32", [1, 4, 8, 8], 1, -3, 3), "w": rand("f32", [1, 4, 8, 8], 2, -3, 3)}
    return net.finish(net.quantize(net.add("Concat", *parts, axis=1), other), arguments)


form("qdq_concat", concat)

for type, low, high, zero in (("u8", 0, 255, 128), ("i8", -128, 127, 3)):
    parameters = {"as": Tensor("f32", [], 0.05), "az": Tensor(type, [], zero), "bs": Tensor("f32", [], 0.03),
                  "bz": Tensor(type, [], zero - 5), "ys": Tensor("f32", [], 0.07), "yz": Tensor(type, [], zero + 2),
                  "us": Tensor("f32", [], 1 / 256), "uz": Tensor(type, [], low)}
    x = {"x": rand(type, [2, 4, 16, 16], 1, low, high)}
    both = {**x, "w": rand(type, [2, 4, 16, 16], 2, low, high)}
    pool = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}
    for label, operator, inputs, arguments, attributes in (
            ("add", "QLinearAdd", "x as az w bs bz ys yz", both, {}),
            ("mul", "QLinearMul", "x as az w bs bz ys yz", both, {}),
            ("leaky", "QLinearLeakyRelu", "x as az ys yz", x, {"alpha": 0.1}),
            ("sigmoid", "QLinearSigmoid", "x as az us yz", x, {}),
            ("concat", "QLinearConcat", "ys yz x as az w bs bz", both, {"axis": 1}),
            ("average", "QLinearAveragePool", "x as az ys yz", x, pool),
            ("global_average", "QLinearGlobalAveragePool", "x as az ys yz", x, {}),
            ("max_pool", "NhwcMaxPool", "x", x, pool),
            ("softmax", "QLinearSoftmax", "x as az us uz", x, {"axis": -1, "opset_": 13})):
        single(f"qlinear_{label}_{type}", operator, inputs, arguments, f"y:{type}", parameters if "as" in inputs else {},
               MICROSOFT, **attributes)


def gemm(name, transposed, quantizes, alpha=None):
    """The product of matrices that ONNX Runtime's quantizer writes, with a scale for each column."""
    dims = [6, 16] if transposed else [16, 6]
    constants = {"as": Tensor("f32", [], 0.03), "az": Tensor("u8", [], 120), "w": rand("i8", dims, 2, -127, 127),
                 "ws": Tensor("f32", [6], [0.0103 + 0.0015 * i for i in range(6)]), "wz": Tensor("i8", [6], 0),
                 "c": rand("i32", [6], 3, -500, 500), "ys": Tensor("f32", [], 0.07), "yz": Tensor("u8", [], 117)}
    inputs = "x as az w ws wz c ys yz" if quantizes else "x as az w ws wz c"
    single("qgemm_" + name, "QGemm", inputs, {"x": rand("u8", [3, 16], 1, 0, 255)}, "y:u8" if quantizes else "y",
           constants, MICROSOFT, transB=int(transposed), alpha=alpha)


gemm("plain", False, True)
gemm("transposed", True, True)
gemm("float", True, False)
gemm("scaled", False, True, alpha=0.5)


def blocks(name, type, dims, axis, size, zeros=True):
    """Weights that are dequantized in blocks, and a product with them; those of 4 bits are packed."""
    low, high = {"u4": (0, 15), "i4": (-8, 7), "i8": (-128, 127), "u8": (0, 255)}[type]
    shape = [extent // size if dim == axis else extent for dim, extent in enumerate(dims)]
    constants = {"w": rand(type, dims, 2, low, high), "s": rand("f32", shape, 3, 0.01, 0.03)}
    if zeros:
        constants["z"] = rand(type, shape, 4, low // 2, high // 2)

    def make():
        inputs = "w s z" if zeros else "w s"
        nodes = [node("DequantizeLinear", inputs, "d", axis=axis, block_size=size), node("MatMul", "x d", "y")]
        return model(nodes, {"x": rand("f32", [3, dims[0]], 1)}, "y", constants, 21)

    form("blocks_" + name, make)


blocks("i4", "i4", [64, 48], 0, 16)
blocks("u4", "u4", [64, 48], 0, 32)
blocks("columns_u4", "u4", [64, 48], 1, 16, zeros=False)
blocks("few_i4", "i4", [16, 6], 0, 8)
blocks("i8", "i8", [64, 48], 0, 32, zeros=False)
single("blocks_quantize", "QuantizeLinear", "x s z", {"x": rand("f32", [4, 12], 1, -3, 3)}, "y:i8",
       {"s": rand("f32", [4, 3], 2, 0.02, 0.03), "z": rand("i8", [4, 3], 3, -5, 5)}, opset=21, axis=1, block_size=4)
form("packed_channels", lambda: model(
    [node("DequantizeLinear", "w s z", "d", axis=1), node("MatMul", "x d", "y")], {"x": rand("f32", [3, 61], 1)}, "y",
    {"w": rand("i4", [61, 49], 2, -8, 7), "s": rand("f32", [49], 3, 0.01, 0.03), "z": Tensor("i4", [49], 0)}, 21))


def dynamic_conv(name, weights="u8", zero=0, group=1, kernel=(3, 3), spatial=(6, 5), **attributes):
    """As quantize_dynamic writes it: the zero point of the image is computed."""
    constants = {"w": rand(weights, [8, 4 // group, *kernel], 2, *((0, 255) if weights == "u8" else (-128, 127))),
                 "z": Tensor(weights, [], zero), "s": Tensor("f32", [], 0.02)}
    nodes = [node("DynamicQuantizeLinear", "x", "q scale point"),
             node("ConvInteger", "q w point z", "i", group=group, **attributes), node("Cast", "i", "f", to=1),
             node("Mul", "scale s", "both"), node("Mul", "f both", "y")]
    form(name, lambda: model(nodes, {"x": rand("f32", [2, 4, *spatial], 1, -1, 3)}, "y i:i32", constants))


dynamic_conv("dynamic_conv_u8", zero=3, pads=[1, 1, 1, 1])
dynamic_conv("dynamic_conv_i8", "i8", pads=[0, 2, 1, 0], strides=[2, 1])
dynamic_conv("dynamic_conv_middle", zero=128, dilations=[2, 1], pads=[2, 1, 2, 1])
dynamic_conv("dynamic_conv_groups", zero=7, group=2, pads=[1, 1, 1, 1])
dynamic_conv("dynamic_conv_depthwise", zero=200, group=4, pads=[1, 0, 1, 0])
dynamic_conv("dynamic_conv_1x1", zero=9, kernel=(1, 1))
dynamic_conv("dynamic_conv_line", zero=5, kernel=(3,), spatial=(9,), pads=[1, 1])
dynamic_conv("dynamic_conv_same", zero=100, auto_pad="SAME_LOWER", strides=[2, 2], kernel=(2, 3))
# Filters that are computed, too, with a zero point that is.
form("dynamic_conv_filters", lambda: model(
    [node("DynamicQuantizeLinear", "x", "q a point"), node("DynamicQuantizeLinear", "w", "v b zero"),
     node("ConvInteger", "q v point zero", "y", pads=[1, 1, 1, 1])],
    {"x": rand("f32", [1, 3, 5, 4], 1, -1, 3), "w": rand("f32", [6, 3, 3, 3], 2, -2, 1)}, "y:i32"))
