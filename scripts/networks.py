#!/usr/bin/env python3
"""networks.py <resnet50 | mobilenetv2> <i8 | f32>: prints the network in TOSA, NHWC, for an image of 224 x 224.

ResNet-50 is version 1.5 (He et al., arXiv 1512.03385, with the stride in the 3x3 convolution), MobileNetV2 that of width
1.0 (Sandler et al., arXiv 1801.04381). Weights and biases are arguments. In i8, sums are of i32 and each layer is brought
back to i8 by one factor, as quantized networks do; the factors here are made up.
"""
import argparse
import itertools


class Network:
    def __init__(self, dtype):
        self.dtype, self.sum = dtype, {"i8": "i32", "f32": "f32"}[dtype]
        self.arguments, self.lines, self.shapes = [], [], {}
        self.numbers = itertools.count()
        self.zero = self.constant("0" if dtype == "i8" else "0.0", dtype)

    def type(self, shape, dtype=None):
        return f"tensor<{'x'.join(map(str, shape))}x{dtype or self.dtype}>"

    def argument(self, shape, dtype=None):
        name = f"%arg{len(self.arguments)}"
        self.arguments.append(f"{name}: {self.type(shape, dtype)}")
        self.shapes[name] = shape
        return name

    def add_op(self, text, shape):
        name = f"%{next(self.numbers)}"
        self.lines.append(f"{name} = {text}")
        self.shapes[name] = shape
        return name

    def constant(self, value, dtype):
        return self.add_op(f'"tosa.const"() <{{values = dense<{value}> : tensor<1x{dtype}>}}> : () -> tensor<1x{dtype}>', (1,))

    def rescale(self, x, factor, source, target):
        """Multiplies integers by a factor below 1."""
        shift = 30
        while factor * 2 ** (shift + 1) < 2 ** 31:
            shift += 1
        multiplier = self.constant(round(factor * 2 ** shift), "i32")
        shift = self.constant(shift, "i8")
        zeros = self.constant("0", source), self.constant("0", target)
        shape = self.shapes[x]
        return self.add_op(
            f"tosa.rescale {x}, {multiplier}, {shift}, {zeros[0]}, {zeros[1]} {{rounding_mode = SINGLE_ROUND, scale32 = true, "
            f"per_channel = false, input_unsigned = false, output_unsigned = false}} : ({self.type(shape, source)}, tensor<1xi32>, "
            f"tensor<1xi8>, tensor<1x{source}>, tensor<1x{target}>) -> {self.type(shape, target)}", shape)

    def requantize(self, x, terms):
        return self.rescale(x, 0.5 / terms ** 0.5 / 64, "i32", "i8") if self.dtype == "i8" else x

    def clamp(self, x, most):
        limits = ("0 : i8", f"{most} : i8") if self.dtype == "i8" else ("0.0 : f32", f"{float(most)} : f32")
        shape = self.shapes[x]
        return self.add_op(f"tosa.clamp {x} {{min_val = {limits[0]}, max_val = {limits[1]}}} : ({self.type(shape)}) -> "
                           f"{self.type(shape)}", shape)

    def crop(self, x, height, width):
        shape = (self.shapes[x][0], height, width, self.shapes[x][3])
        start, size = (self.add_op(f"tosa.const_shape {{values = dense<[{', '.join(map(str, values))}]> : tensor<4xindex>}} : () -> "
                                   "!tosa.shape<4>", ()) for values in ((0, 0, 0, 0), shape))
        return self.add_op(f"tosa.slice {x}, {start}, {size} : ({self.type(self.shapes[x])}, !tosa.shape<4>, !tosa.shape<4>) -> "
                           f"{self.type(shape)}", shape)

    def convolution(self, x, channels, kernel=1, stride=1, depthwise=False):
        batch, height, width, inputs = self.shapes[x]
        pad = kernel // 2
        # TOSA refuses windows that do not end at the last row.
        after = pad - (height + 2 * pad - kernel) % stride
        if after < 0:
            x, height, width, after = self.crop(x, height + after, width + after), height + after, width + after, 0
        shape = (batch, (height + pad + after - kernel) // stride + 1, (width + pad + after - kernel) // stride + 1, channels)
        weight_shape = (kernel, kernel, channels, 1) if depthwise else (channels, kernel, kernel, inputs)
        weight, bias = self.argument(weight_shape), self.argument((channels,), self.sum)
        name = "depthwise_conv2d" if depthwise else "conv2d"
        result = self.add_op(
            f"tosa.{name} {x}, {weight}, {bias}, {self.zero}, {self.zero} {{acc_type = {self.sum}, pad = array<i64: {pad}, {after}, "
            f"{pad}, {after}>, stride = array<i64: {stride}, {stride}>, dilation = array<i64: 1, 1>}} : ({self.type(self.shapes[x])}, "
            f"{self.type(weight_shape)}, {self.type((channels,), self.sum)}, tensor<1x{self.dtype}>, tensor<1x{self.dtype}>) -> "
            f"{self.type(shape, self.sum)}", shape)
        return self.requantize(result, kernel * kernel * (1 if depthwise else inputs))

    def add(self, x, y):
        shape = self.shapes[x]
        if self.dtype == "i8":
            x, y = (self.rescale(value, 0.75, "i8", "i32") for value in (x, y))
        result = self.add_op(f"tosa.add {x}, {y} : ({self.type(shape, self.sum)}, {self.type(shape, self.sum)}) -> "
                             f"{self.type(shape, self.sum)}", shape)
        return self.rescale(result, 0.75, "i32", "i8") if self.dtype == "i8" else result

    def max_pool(self, x):
        batch, height, width, channels = self.shapes[x]
        shape = (batch, height // 2, width // 2, channels)
        return self.add_op(f"tosa.max_pool2d {x} {{kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>}} "
                           f": ({self.type(self.shapes[x])}) -> {self.type(shape)}", shape)

    def average(self, x):
        batch, height, width, channels = self.shapes[x]
        shape = (batch, 1, 1, channels)
        return self.add_op(
            f"tosa.avg_pool2d {x}, {self.zero}, {self.zero} {{acc_type = {self.sum}, kernel = array<i64: {height}, {width}>, "
            f"pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}} : ({self.type(self.shapes[x])}, tensor<1x{self.dtype}>, "
            f"tensor<1x{self.dtype}>) -> {self.type(shape)}", shape)

    def print(self, name, result):
        print(f"func.func @{name}({', '.join(self.arguments)}) -> {self.type(self.shapes[result])} {{")
        print("\n".join(f"  {line}" for line in self.lines))
        print(f"  return {result} : {self.type(self.shapes[result])}\n}}")


def resnet50(net, image):
    most = 127 if net.dtype == "i8" else 3.4e38
    x = net.max_pool(net.clamp(net.convolution(image, 64, 7, 2), most))
    for blocks, width, stride in ((3, 64, 1), (4, 128, 2), (6, 256, 2), (3, 512, 2)):
        for block in range(blocks):
            step = stride if block == 0 else 1
            y = net.clamp(net.convolution(x, width), most)
            y = net.clamp(net.convolution(y, width, 3, step), most)
            y = net.convolution(y, 4 * width)
            if block == 0:
                x = net.convolution(x, 4 * width, 1, step)
            x = net.clamp(net.add(y, x), most)
    return net.convolution(net.average(x), 1000)


def mobilenetv2(net, image):
    most = 127 if net.dtype == "i8" else 6
    x = net.clamp(net.convolution(image, 32, 3, 2), most)
    for expansion, channels, blocks, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                                (6, 160, 3, 2), (6, 320, 1, 1)):
        for block in range(blocks):
            step, width = stride if block == 0 else 1, net.shapes[x][3] * expansion
            y = x if expansion == 1 else net.clamp(net.convolution(x, width), most)
            y = net.clamp(net.convolution(y, width, 3, step, depthwise=True), most)
            y = net.convolution(y, channels)
            x = net.add(y, x) if step == 1 and net.shapes[x][3] == channels else y
    return net.convolution(net.average(net.clamp(net.convolution(x, 1280), most)), 1000)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    networks = {"resnet50": resnet50, "mobilenetv2": mobilenetv2}
    parser.add_argument("network", choices=networks)
    parser.add_argument("dtype", choices=("i8", "f32"))
    arguments = parser.parse_args()
    net = Network(arguments.dtype)
    net.print("main", networks[arguments.network](net, net.argument((1, 224, 224, 3))))


main()
