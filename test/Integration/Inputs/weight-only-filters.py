"""Writes convolutions with filters of 8 bits, as exporters have them: DequantizeLinear of a constant, with a scale for each output channel or one for all."""
import random
import struct

random.seed(1)
resources = {}


def get_bytes(count, low=0, high=256):
    name = f"r{len(resources)}"
    resources[name] = "0x01000000" + bytes(random.randrange(low, high) for _ in range(count)).hex().upper()
    return f"dense_resource<{name}>"


def get_floats(count):
    name = f"r{len(resources)}"
    numbers = [random.uniform(0.001, 0.01) for _ in range(count)]
    resources[name] = "0x04000000" + struct.pack(f"<{count}f", *numbers).hex().upper()
    return f"dense_resource<{name}>"


def get_type(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>" if shape else f"tensor<{element}>"


class Function:
    """Its convolutions come after everything that is dequantized, which is how some exporters order nodes."""

    def __init__(self, name, shape):
        self.name, self.shape, self.value, self.type = name, shape, "%x", get_type(shape, "f32")
        self.before, self.after, self.count = [], [], 0

    def add(self, lines, text):
        lines.append("    " + text)

    def conv(self, features, kernel, element="i8", scales=True, point=None, attributes="", group=1, tail=False):
        i, self.count = self.count, self.count + 1
        shape = [features, self.shape[1] // group] + kernel
        count = features * self.shape[1] // group
        for size in kernel:
            count *= size
        few = [features] if scales else []
        types = get_type(shape, element), get_type(few, "f32"), get_type(few, element)
        self.add(self.before, f"%w{i} = onnx.constant {get_bytes(count)} : {types[0]}")
        self.add(self.before, f"%s{i} = onnx.constant {get_floats(features) if scales else 'dense<0.004>'} : {types[1]}")
        self.add(self.before, f"%z{i} = onnx.constant {point or (get_bytes(features, 100, 140) if element == 'ui8' else 'dense<0>')} : {types[2]}")
        self.add(self.before, f'%f{i} = onnx.node "DequantizeLinear"(%w{i}, %s{i}, %z{i}) {{axis = 0 : i64}} : ({", ".join(types)}) -> !onnx.unknown')
        self.add(self.before, f"%b{i} = onnx.constant {get_floats(features)} : {get_type([features], 'f32')}")
        pads = ", ".join(str(size // 2) for size in kernel * 2)
        self.add(self.after, f'%y{i} = onnx.node "Conv"({self.value}, %f{i}, %b{i}) {{group = {group} : i64, pads = array<i64: {pads}>{attributes}}} '
                 f": ({self.type}, !onnx.unknown, {get_type([features], 'f32')}) -> !onnx.unknown")
        self.shape, self.value, self.type = [self.shape[0], features] + self.shape[2:], f"%y{i}", "!onnx.unknown"
        if tail:
            self.add(self.after, f'%t{i} = onnx.node "Relu"(%y{i}) : (!onnx.unknown) -> !onnx.unknown')
            self.value = f"%t{i}"
        return self

    def write(self):
        print(f"  func.func @{self.name}(%x: {get_type(self.input, 'f32')}) -> !onnx.unknown {{")
        print("\n".join(self.before + self.after))
        print(f"    return {self.value} : !onnx.unknown\n  }}")


def function(name, shape):
    result = Function(name, shape)
    result.input = list(shape)
    return result


image = [1, 64, 14, 14]
print("module attributes {onnx.opset = {ai.onnx = 13 : i64}} {")
function("channels", image).conv(96, [3, 3]).write()
function("points", image).conv(96, [3, 3], element="ui8", tail=True).write()
function("one", image).conv(96, [3, 3], scales=False, point="dense<3>", attributes=", strides = array<i64: 2, 2>").write()
function("tap", [1, 128, 8, 8]).conv(160, [1, 1], attributes=", strides = array<i64: 2, 2>").write()
function("dilated", image).conv(96, [3, 3], attributes=", dilations = array<i64: 2, 2>").write()
function("line", [2, 64, 40]).conv(96, [5]).write()
function("space", [1, 32, 6, 6, 6]).conv(48, [3, 3, 3]).write()
function("groups", image).conv(96, [3, 3], group=2).write()
function("two", image).conv(96, [3, 3], tail=True).conv(64, [3, 3], tail=True).write()
function("three", [1, 192, 5, 5]).conv(64, [1, 1], tail=True).conv(64, [3, 3], tail=True).conv(192, [1, 1], tail=True).write()
function("small", [1, 32, 14, 14]).conv(32, [3, 3]).write()
print("}\n{-#\n  dialect_resources: {builtin: {" + ", ".join(f'{name}: "{value}"' for name, value in resources.items()) + "}}\n#-}")
