#!/usr/bin/env python3
"""Writes a quantized network as tools export them, with made-up weights.

usage: quantized-networks.py <resnet50 | mobilenetv2 | transformer> <qdq | qoperator> <file.onnx>

The weights are external data, in a file beside the model. Activations are of u8 with zero points that are not in the
middle, weights of i8 with a scale for each channel. In the form `qdq`, QuantizeLinear and DequantizeLinear stand around
operators of floats; in the form `qoperator` the operators are those on integers that ONNX and com.microsoft have, which
ONNX Runtime's quantizer writes. ResNet-50 and MobileNetV2 are those of networks.py in NCHW; the transformer is a block of
768 numbers, 12 heads and 128 rows, with normalizations, softmax and GELU in floats. Needs protoc and the onnx.proto of
Debian's libonnx-dev.
"""

import argparse
import pathlib
import random
import struct

from onnx_text import Graph

BYTES_DEVIATION = 73.6  # of numbers from -127 to 127


class Value:
    """A tensor of floats, which has been quantized or, with `scale` None, has not; `rms` is how large its numbers are."""

    def __init__(self, name, dims, rms, scale=None, zero=0):
        self.name, self.dims, self.rms, self.scale, self.zero = name, dims, rms, scale, zero


class Network(Graph):
    def __init__(self, name, form, path):
        super().__init__()
        self.random, self.calibration = random.Random(name), random.Random(name)
        self.form, self.path = form, path
        self.data = bytearray()

    # Tensors.

    def constant(self, type, dims, data):
        entries = {"location": self.path.with_suffix(".bin").name, "offset": len(self.data), "length": len(data)}
        external = " ".join(f'external_data {{ key: "{key}" value: "{value}" }}' for key, value in entries.items())
        self.data += data
        self.data += bytes(-len(self.data) % 64)
        return self.initialize(type, dims, f"data_location: EXTERNAL {external}")

    def floats(self, values, dims=None):
        return self.constant("f32", [len(values)] if dims is None else dims, struct.pack(f"<{len(values)}f", *values))

    def byte(self, type, value):
        return self.constant(type, [], struct.pack("b" if type == "i8" else "B", value))

    def ints(self, values):
        """In the model itself, as shapes are."""
        return self.initialize("i64", [len(values)], " ".join(f"int64_data: {value}" for value in values))

    def finish(self, inputs, outputs):
        self.write(self.path, inputs, outputs)
        self.path.with_suffix(".bin").write_bytes(self.data)

    # Quantization.

    def parameters(self, value):
        return [self.floats([value.scale], []), self.byte("u8", value.zero)]

    def quantized(self, name, dims, rms, is_positive=False):
        """What a QuantizeLinear gives: most numbers are in range, and 0 is in it."""
        seen = rms * self.calibration.uniform(0.9, 1.1)
        if is_positive:
            return Value(name, dims, rms, 4 * seen / 255, 0)
        return Value(name, dims, rms, 6 * seen / 255, 121)

    def quantize(self, value, is_positive=False):
        result = self.quantized(None, value.dims, value.rms, is_positive)
        result.name = self.add("QuantizeLinear", [value.name] + self.parameters(result))
        return result

    def dequantize(self, value):
        """The floats that a quantized value stands for."""
        if value.scale is None:
            return value.name
        return self.add("DequantizeLinear", [value.name] + self.parameters(value))

    def weights(self, dims, channels, axis, rms_in, terms, scale_in):
        """Bytes, a scale for each channel and a bias, so that sums of `terms` products are about 1."""
        count = 1
        for size in dims:
            count *= size
        data = bytes((byte + 1 if byte == 0x80 else byte) for byte in self.random.randbytes(count))
        base = 1 / (rms_in * BYTES_DEVIATION * terms ** 0.5)
        scales = [base * (0.8 + 0.4 * ((37 * channel) % 100) / 100) for channel in range(channels)]
        scales = list(struct.unpack(f"<{channels}f", struct.pack(f"<{channels}f", *scales)))
        bias = [round(self.random.gauss(0, 0.2) / (scale * scale_in)) for scale in scales]
        return {"bytes": self.constant("i8", dims, data), "scales": self.floats(scales), "axis": axis,
                "zeros": self.constant("i8", [channels], bytes(channels)),
                "bias": self.constant("i32", [channels], struct.pack(f"<{channels}i", *bias)),
                "bias_scales": self.floats([scale * scale_in for scale in scales])}

    # Layers.

    def convolution(self, x, channels, size=1, stride=1, group=1, activation=None):
        inputs, side = x.dims[1], x.dims[2]
        dims = [1, channels, (side - 1) // stride + 1, (side - 1) // stride + 1]
        window = {"kernel_shape": [size, size], "strides": [stride, stride], "pads": [size // 2] * 4, "group": group}
        w = self.weights([channels, inputs // group, size, size], channels, 0, x.rms, inputs // group * size * size, x.scale)
        rms = 0.7 if activation else 1.0
        y = self.quantized(None, dims, rms, bool(activation))
        if self.form == "qoperator":
            operands = [x.name] + self.parameters(x) + [w["bytes"], w["scales"], w["zeros"]] + self.parameters(y) + [w["bias"]]
            y.name = self.add("QLinearConv", operands, **window)
            return y
        weight = self.add("DequantizeLinear", [w["bytes"], w["scales"], w["zeros"]], axis=0)
        bias = self.add("DequantizeLinear", [w["bias"], w["bias_scales"]], axis=0)
        name = self.add("Conv", [self.dequantize(x), weight, bias], **window)
        if activation == "Relu":
            name = self.add("Relu", [name])
        elif activation == "Clip":
            name = self.add("Clip", [name, self.floats([0.0], []), self.floats([6.0], [])])
        y.name = self.add("QuantizeLinear", [name] + self.parameters(y))
        return y

    def sum(self, a, b, is_positive=False):
        rms = (a.rms ** 2 + b.rms ** 2) ** 0.5
        y = self.quantized(None, a.dims, rms, is_positive)
        if self.form == "qoperator":
            operands = [a.name] + self.parameters(a) + [b.name] + self.parameters(b) + self.parameters(y)
            y.name = self.add("QLinearAdd", operands, "com.microsoft")
            return y
        name = self.add("Add", [self.dequantize(a), self.dequantize(b)])
        if is_positive:
            name = self.add("Relu", [name])
        y.name = self.add("QuantizeLinear", [name] + self.parameters(y))
        return y

    def max_pool(self, x):
        side = (x.dims[2] - 1) // 2 + 1
        dims = x.dims[:2] + [side, side]
        window = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}
        if self.form == "qoperator":
            return Value(self.add("MaxPool", [x.name], **window), dims, x.rms, x.scale, x.zero)
        name = self.add("MaxPool", [self.dequantize(x)], **window)
        y = Value(None, dims, x.rms, x.scale, x.zero)
        y.name = self.add("QuantizeLinear", [name] + self.parameters(y))
        return y

    def average(self, x):
        y = Value(None, x.dims[:2] + [1, 1], 0.5 * x.rms, 2.1 * x.rms / 255, 3)
        if self.form == "qoperator":
            y.name = self.add("QLinearGlobalAveragePool", [x.name] + self.parameters(x) + self.parameters(y), "com.microsoft",
                              channels_last=0)
        else:
            y.name = self.add("QuantizeLinear", [self.add("GlobalAveragePool", [self.dequantize(x)])] + self.parameters(y))
        dims = y.dims[:2]
        if self.form == "qoperator":
            return Value(self.add("Flatten", [y.name]), dims, y.rms, y.scale, y.zero)
        z = Value(None, dims, y.rms, y.scale, y.zero)
        z.name = self.add("QuantizeLinear", [self.add("Flatten", [self.dequantize(y)])] + self.parameters(z))
        return z

    def classify(self, x, classes):
        w = self.weights([classes, x.dims[1]], classes, 0, x.rms, x.dims[1], x.scale)
        y = self.quantized(None, [1, classes], 1.0)
        if self.form == "qoperator":
            operands = [x.name] + self.parameters(x) + [w["bytes"], w["scales"], w["zeros"], w["bias"]] + self.parameters(y)
            y.name = self.add("QGemm", operands, "com.microsoft", transB=1)
            return y
        weight = self.add("DequantizeLinear", [w["bytes"], w["scales"], w["zeros"]], axis=0)
        bias = self.add("DequantizeLinear", [w["bias"], w["bias_scales"]], axis=0)
        y.name = self.add("QuantizeLinear", [self.add("Gemm", [self.dequantize(x), weight, bias], transB=1)] +
                          self.parameters(y))
        return y

    def linear(self, x, columns):
        """A product with weights; the bias is an Add behind it, or a part of the integers' product."""
        dims = x.dims[:-1] + [columns]
        w = self.weights([x.dims[-1], columns], columns, 1, x.rms, x.dims[-1], x.scale)
        y = self.quantized(None, dims, 1.0)
        if self.form == "qoperator":
            operands = [x.name] + self.parameters(x) + [w["bytes"], w["scales"], w["zeros"]] + self.parameters(y)
            y.name = self.add("QLinearMatMul", operands)
            return y
        weight = self.add("DequantizeLinear", [w["bytes"], w["scales"], w["zeros"]], axis=1)
        bias = self.add("DequantizeLinear", [w["bias"], w["bias_scales"]], axis=0)
        name = self.add("Add", [self.add("MatMul", [self.dequantize(x), weight]), bias])
        y.name = self.add("QuantizeLinear", [name] + self.parameters(y))
        return y

    def matmul(self, a, b, rms):
        y = self.quantized(None, a.dims[:-1] + b.dims[-1:], rms)
        if self.form == "qoperator":
            operands = [a.name] + self.parameters(a) + [b.name] + self.parameters(b) + self.parameters(y)
            y.name = self.add("QLinearMatMul", operands)
            return y
        name = self.add("MatMul", [self.dequantize(a), self.dequantize(b)])
        y.name = self.add("QuantizeLinear", [name] + self.parameters(y))
        return y

    def move(self, x, dims, reshaped=None, permutation=None):
        """Reshape and Transpose, between quantizations of one scale."""
        def apply(name):
            if reshaped and permutation and len(reshaped) == 4:
                return self.add("Transpose", [self.add("Reshape", [name, self.ints(reshaped)])], perm=permutation)
            name = self.add("Transpose", [name], perm=permutation) if permutation else name
            return self.add("Reshape", [name, self.ints(reshaped)]) if reshaped else name

        y = Value(None, dims, x.rms, x.scale, x.zero)
        if self.form == "qoperator":
            y.name = apply(x.name)
        else:
            y.name = self.add("QuantizeLinear", [apply(self.dequantize(x))] + self.parameters(y))
        return y

    def through_floats(self, x, operator, rms, is_positive=False):
        return self.quantize(Value(operator(self.dequantize(x)), x.dims, rms), is_positive)


def resnet50(net, x):
    x = net.max_pool(net.convolution(x, 64, 7, 2, activation="Relu"))
    for stage, (channels, blocks) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3))):
        for block in range(blocks):
            stride = 2 if block == 0 and stage > 0 else 1
            y = net.convolution(x, channels, activation="Relu")
            y = net.convolution(y, channels, 3, stride, activation="Relu")
            y = net.convolution(y, 4 * channels)
            x = net.sum(y, net.convolution(x, 4 * channels, stride=stride) if block == 0 else x, is_positive=True)
    return net.classify(net.average(x), 1000)


def mobilenetv2(net, x):
    x = net.convolution(x, 32, 3, 2, activation="Clip")
    for expansion, channels, blocks, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                                (6, 160, 3, 2), (6, 320, 1, 1)):
        for block in range(blocks):
            inner = expansion * x.dims[1]
            y = net.convolution(x, inner, activation="Clip") if expansion > 1 else x
            y = net.convolution(y, inner, 3, stride if block == 0 else 1, group=inner, activation="Clip")
            y = net.convolution(y, channels)
            x = net.sum(y, x) if block > 0 else y
    x = net.convolution(x, 1280, activation="Clip")
    return net.classify(net.average(x), 1000)


def transformer(net, x):
    rows, width, heads = 128, 768, 12
    depth = width // heads

    def normalize(value):
        gamma = net.floats([1 + 0.1 * ((7 * i) % 11 - 5) / 5 for i in range(width)])
        beta = net.floats([0.1 * ((5 * i) % 7 - 3) / 3 for i in range(width)])
        return net.through_floats(value, lambda name: net.add("LayerNormalization", [name, gamma, beta], axis=-1,
                                                              epsilon=1e-5), 1.0)

    def split(value, permutation, dims):
        return net.move(value, dims, [1, rows, heads, depth], permutation)

    def gelu(name):
        inner = net.add("Erf", [net.add("Div", [name, net.floats([2 ** 0.5], [])])])
        return net.add("Mul", [net.add("Mul", [name, net.add("Add", [inner, net.floats([1.0], [])])]), net.floats([0.5], [])])

    q = split(net.linear(x, width), [0, 2, 1, 3], [1, heads, rows, depth])
    k = split(net.linear(x, width), [0, 2, 3, 1], [1, heads, depth, rows])
    v = split(net.linear(x, width), [0, 2, 1, 3], [1, heads, rows, depth])
    scores = net.matmul(q, k, depth ** 0.5)
    scale = net.floats([depth ** 0.5], [])
    weights = net.through_floats(
        scores, lambda name: net.add("Softmax", [net.add("Div", [name, scale])], axis=-1), 0.02, is_positive=True)
    context = net.matmul(weights, v, 0.2)
    context = net.move(context, [1, rows, width], [1, rows, width], [0, 2, 1, 3])
    x = normalize(net.sum(net.linear(context, width), x))
    y = net.through_floats(net.linear(x, 4 * width), gelu, 0.6)
    return normalize(net.sum(net.linear(y, width), x))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", choices=("resnet50", "mobilenetv2", "transformer"))
    parser.add_argument("form", choices=("qdq", "qoperator"))
    parser.add_argument("file", type=pathlib.Path)
    arguments = parser.parse_args()
    net = Network(arguments.network, arguments.form, arguments.file)
    dims = [1, 128, 768] if arguments.network == "transformer" else [1, 3, 224, 224]
    y = globals()[arguments.network](net, net.quantize(Value("x", dims, 0.58)))
    net.nodes.append(f'node {{ input: "{net.dequantize(y)}" output: "y" op_type: "Identity" }}')
    net.finish([("x", "f32", dims)], [("y", "f32", y.dims)])


if __name__ == "__main__":
    main()
