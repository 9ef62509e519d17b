#!/usr/bin/env python3
"""Writes a network of floats as exporters write them, with random weights, for npu-quantize.

usage: float-networks.py <resnet50 | mobilenetv2 | transformer> [--small] <file.onnx>

ResNet-50 and MobileNetV2 are those of networks.py in NCHW, with a BatchNormalization behind each convolution; the
transformer is a block of 768 numbers, 12 heads and 128 rows, with a LayerNormalization, one spelled by other nodes, softmax
and GELU. With --small they have the same nodes, but few of them, with few channels and rows. Needs Debian's python3-onnx.
"""

import argparse

import numpy as np
import onnx
from onnx import helper, numpy_helper


class Network:
    def __init__(self, small):
        self.small, self.random = small, np.random.default_rng(1)
        self.nodes, self.initializers, self.shapes = [], [], {}

    def constant(self, array):
        name = f"c{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def floats(self, value):
        return self.constant(np.float32(value))

    def add(self, op, inputs, shape, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=f"{op}{len(self.nodes)}", **attributes))
        self.shapes[name] = shape
        return name

    def weights(self, shape, terms):
        return self.constant((self.random.standard_normal(shape) * terms**-0.5).astype(np.float32))

    # Layers of images.

    def convolution(self, x, channels, size=1, stride=1, group=1, activation=None):
        _, inputs, side, _ = self.shapes[x]
        shape = (1, channels, (side - 1) // stride + 1, (side - 1) // stride + 1)
        weights = self.weights((channels, inputs // group, size, size), inputs // group * size * size / (2 if activation else 1))
        y = self.add("Conv", [x, weights], shape, kernel_shape=[size, size], strides=[stride, stride], pads=[size // 2] * 4,
                     group=group)
        gamma, beta, mean, variance = (self.random.uniform(low, high, channels).astype(np.float32)
                                       for low, high in ((0.7, 1.3), (-0.3, 0.3), (-0.2, 0.2), (0.7, 1.3)))
        y = self.add("BatchNormalization", [y, *map(self.constant, (gamma, beta, mean, variance))], shape)
        if activation == "Relu":
            y = self.add("Relu", [y], shape)
        elif activation == "Clip":
            y = self.add("Clip", [y, self.floats(0), self.floats(6)], shape)
        return y

    def classify(self, x, classes):
        channels = self.shapes[x][1]
        x = self.add("GlobalAveragePool", [x], (1, channels, 1, 1))
        x = self.add("Flatten", [x], (1, channels))
        bias = self.constant(self.random.standard_normal(classes).astype(np.float32) / 10)
        return self.add("Gemm", [x, self.weights((classes, channels), channels), bias], (1, classes), transB=1)

    # Layers of rows.

    def linear(self, x, columns):
        shape = self.shapes[x][:-1] + (columns,)
        product = self.add("MatMul", [x, self.weights((self.shapes[x][-1], columns), self.shapes[x][-1])], shape)
        return self.add("Add", [self.constant(self.random.standard_normal(columns).astype(np.float32) / 10), product], shape)


def resnet50(net, x):
    divisor = 8 if net.small else 1
    x = net.convolution(x, 64 // divisor, 7, 2, activation="Relu")
    _, channels, side, _ = net.shapes[x]
    x = net.add("MaxPool", [x], (1, channels, (side - 1) // 2 + 1, (side - 1) // 2 + 1), kernel_shape=[3, 3], strides=[2, 2],
                pads=[1, 1, 1, 1])
    for stage, (width, blocks) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3))[: 2 if net.small else 4]):
        width //= divisor
        for block in range(min(blocks, 2) if net.small else blocks):
            stride = 2 if block == 0 and stage > 0 else 1
            y = net.convolution(x, width, activation="Relu")
            y = net.convolution(y, width, 3, stride, activation="Relu")
            y = net.convolution(y, 4 * width)
            x = net.convolution(x, 4 * width, stride=stride) if block == 0 else x
            x = net.add("Relu", [net.add("Add", [y, x], net.shapes[y])], net.shapes[y])
    return net.classify(x, 10 if net.small else 1000)


def mobilenetv2(net, x):
    divisor = 4 if net.small else 1
    x = net.convolution(x, 32 // divisor, 3, 2, activation="Clip")
    stages = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))
    for expansion, channels, blocks, stride in stages[: 3 if net.small else 7]:
        for block in range(min(blocks, 2) if net.small else blocks):
            inner = expansion * net.shapes[x][1]
            y = net.convolution(x, inner, activation="Clip") if expansion > 1 else x
            y = net.convolution(y, inner, 3, stride if block == 0 else 1, group=inner, activation="Clip")
            y = net.convolution(y, channels // divisor)
            x = net.add("Add", [y, x], net.shapes[y]) if block > 0 else y
    return net.classify(net.convolution(x, 1280 // divisor, activation="Clip"), 10 if net.small else 1000)


def transformer(net, x):
    _, rows, width = net.shapes[x]
    heads = 2 if net.small else 12
    depth = width // heads

    def affine():
        return (net.constant(net.random.uniform(low, high, width).astype(np.float32)) for low, high in ((0.7, 1.3), (-0.3, 0.3)))

    def normalize(x):
        return net.add("LayerNormalization", [x, *affine()], net.shapes[x], axis=-1, epsilon=1e-5)

    def normalize_by_means(x):
        shape = net.shapes[x]
        means = shape[:-1] + (1,)
        centered = net.add("Sub", [x, net.add("ReduceMean", [x], means, axes=[-1])], shape)
        squares = net.add("Pow", [centered, net.floats(2)], shape)
        variance = net.add("Add", [net.add("ReduceMean", [squares], means, axes=[-1]), net.floats(1e-5)], means)
        y = net.add("Div", [centered, net.add("Sqrt", [variance], means)], shape)
        gamma, beta = affine()
        return net.add("Add", [net.add("Mul", [y, gamma], shape), beta], shape)

    def split(x, permutation, shape):
        x = net.add("Reshape", [x, net.constant(np.array([1, rows, heads, depth]))], (1, rows, heads, depth))
        return net.add("Transpose", [x], shape, perm=permutation)

    def gelu(x):
        shape = net.shapes[x]
        y = net.add("Erf", [net.add("Div", [x, net.floats(2**0.5)], shape)], shape)
        y = net.add("Mul", [x, net.add("Add", [y, net.floats(1)], shape)], shape)
        return net.add("Mul", [y, net.floats(0.5)], shape)

    q = split(net.linear(x, width), [0, 2, 1, 3], (1, heads, rows, depth))
    k = split(net.linear(x, width), [0, 2, 3, 1], (1, heads, depth, rows))
    v = split(net.linear(x, width), [0, 2, 1, 3], (1, heads, rows, depth))
    scores = net.add("MatMul", [q, k], (1, heads, rows, rows))
    scores = net.add("Div", [scores, net.floats(depth**0.5)], (1, heads, rows, rows))
    shares = net.add("Softmax", [scores], (1, heads, rows, rows), axis=-1)
    context = net.add("MatMul", [shares, v], (1, heads, rows, depth))
    context = net.add("Transpose", [context], (1, rows, heads, depth), perm=[0, 2, 1, 3])
    context = net.add("Reshape", [context, net.constant(np.array([1, rows, width]))], (1, rows, width))
    x = normalize(net.add("Add", [net.linear(context, width), x], (1, rows, width)))
    y = net.linear(gelu(net.linear(x, 4 * width)), width)
    return normalize_by_means(net.add("Add", [y, x], (1, rows, width)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", choices=("resnet50", "mobilenetv2", "transformer"))
    parser.add_argument("--small", action="store_true")
    parser.add_argument("file")
    arguments = parser.parse_args()
    net = Network(arguments.small)
    if arguments.network == "transformer":
        shape = (1, 16, 32) if arguments.small else (1, 128, 768)
    else:
        shape = (1, 3, 32, 32) if arguments.small else (1, 3, 224, 224)
    net.shapes["x"] = shape
    y = globals()[arguments.network](net, "x")
    net.nodes[-1].output[0] = "y"
    values = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, dims) for name, dims in (("x", shape), ("y", net.shapes[y]))]
    graph = helper.make_graph(net.nodes, arguments.network, values[:1], values[1:], net.initializers)
    model = helper.make_model(graph, producer_name="npu", opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, arguments.file)


if __name__ == "__main__":
    main()
