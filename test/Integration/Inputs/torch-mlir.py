"""Writes five networks as torch-mlir prints them, after its conversion of aten to linalg on tensors.

usage: torch-mlir.py <folder>

What matters is the form: every operator of aten becomes the ops that torch-mlir writes for it, which its own outputs in
public repositories show. Sizes are small, and weights are resources.
"""

import math
import pathlib
import random
import struct
import sys


class Module:
    """The text of one function, an operator of aten after the other."""

    def __init__(self, name):
        self.name = name
        self.random = random.Random(name)
        self.lines, self.constants, self.resources, self.arguments, self.maps = [], {}, {}, [], {}
        self.count = 0

    # Text.

    def new(self, line, prefix=""):
        """The value that `line` gives."""
        value = f"%{prefix}{self.count}"
        self.count += 1
        self.lines.append(f"    {value} = {line}")
        return value

    def constant(self, text):
        if text not in self.constants:
            self.constants[text] = f"%cst_{len(self.constants)}"
        return self.constants[text]

    def number(self, value, type="f32"):
        text = {math.inf: "0x7F800000", -math.inf: "0xFF800000"}.get(value, f"{value:.9e}" if type[0] == "f" else value)
        return self.constant(f"arith.constant {text} : {type}")

    def argument(self, dims, type="f32"):
        self.arguments.append(f"%arg{len(self.arguments)}: {tensor(dims, type)}")
        return Value(self.arguments[-1].split(":")[0], dims, type)

    def weight(self, dims, low=-0.5, high=0.5):
        label = f"torch_tensor_{'_'.join(map(str, dims))}_torch.float32_{len(self.resources)}"
        numbers = [self.random.uniform(low, high) for _ in range(math.prod(dims))]
        self.resources[label] = struct.pack(f"<{len(numbers)}f", *numbers)
        return Value(self.constant(f"arith.constant dense_resource<{label}> : {tensor(dims)}"), dims)

    def empty(self, dims, type="f32"):
        return Value(self.new(f"tensor.empty() : {tensor(dims, type)}"), dims, type)

    def fill(self, dims, value, type="f32"):
        out = self.empty(dims, type)
        scalar = self.number(value, type)
        return Value(self.new(f"linalg.fill ins({scalar} : {type}) outs({out}) -> {out.type}"), dims, type)

    def map(self, rank, results):
        text = f"affine_map<({', '.join(f'd{i}' for i in range(rank))}) -> ({', '.join(results)})>"
        if text not in self.maps:
            self.maps[text] = f"#map{len(self.maps) or ''}"
        return self.maps[text]

    def generic(self, inputs, outs, body, maps=None, rank=None, reductions=()):
        """`body` lists ops, whose operands are %in0, %in1, .., %out0, ..; the last element is what is yielded."""
        rank = rank or len(outs[0].dims)
        if maps is None:
            maps = [self.broadcast(value, rank) for value in inputs] + [self.identity(rank)] * len(outs)
        iterators = ", ".join('"reduction"' if i in reductions else '"parallel"' for i in range(rank))
        head = f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{iterators}]}}"
        if inputs:
            head += f" ins({', '.join(v.name for v in inputs)} : {', '.join(v.type for v in inputs)})"
        head += f" outs({', '.join(v.name for v in outs)} : {', '.join(v.type for v in outs)}) {{"
        types = ", ".join(v.type for v in outs)
        value = self.new(head) if len(outs) == 1 else self.new(head).strip()
        if len(outs) > 1:
            self.lines[-1] = self.lines[-1].replace(f"{value} =", f"{value}:{len(outs)} =")
        arguments = [f"%in{i}: {v.element}" for i, v in enumerate(inputs)]
        arguments += [f"%out{i}: {v.element}" for i, v in enumerate(outs)]
        self.lines.append(f"    ^bb0({', '.join(arguments)}):")
        self.lines += [f"      {line}" for line in body[:-1]]
        self.lines.append(f"      linalg.yield {body[-1]} : {', '.join(v.element for v in outs)}")
        self.lines.append(f"    }} -> {types if len(outs) == 1 else f'({types})'}")
        names = [value] if len(outs) == 1 else [f"{value}#{i}" for i in range(len(outs))]
        results = [Value(name, v.dims, v.element) for name, v in zip(names, outs)]
        return results[0] if len(outs) == 1 else results

    def identity(self, rank):
        return self.map(rank, [f"d{i}" for i in range(rank)])

    def broadcast(self, value, rank):
        """A size of 1 is read at 0, also where there is no other."""
        first = rank - len(value.dims)
        return self.map(rank, ["0" if size == 1 else f"d{first + i}" for i, size in enumerate(value.dims)])

    def finish(self, *results):
        types = ", ".join(value.type for value in results)
        text = "".join(f"{name} = {text}\n" for text, name in self.maps.items())
        text += f'module attributes {{torch.debug_module_name = "{self.name}"}} {{\n'
        text += "  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>\n"
        text += f"  func.func @forward({', '.join(self.arguments)}) -> ({types}) {{\n"
        text += "".join(f"    {name} = {text}\n" for text, name in self.constants.items())
        text += "\n".join(self.lines) + f"\n    return {', '.join(v.name for v in results)} : {types}\n  }}\n}}\n"
        text += "\n{-#\n  dialect_resources: {\n    builtin: {\n"
        text += ",\n".join(f'      {name}: "0x04000000{data.hex().upper()}"' for name, data in self.resources.items())
        return text + "\n    }\n  }\n#-}\n"

    # Operators of aten.

    def elementwise(self, inputs, ops, type="f32"):
        """`ops` as in generic, with the operands' numbers in braces."""
        dims = [max(sizes) for sizes in zip(*(padded(v.dims, max(len(i.dims) for i in inputs)) for v in inputs))]
        return self.generic(inputs, [self.empty(dims, type)], ops)

    def unary(self, value, op):
        return self.elementwise([value], [f"%v = {op} %in0 : f32", "%v"])

    def binary(self, op, lhs, rhs):
        return self.elementwise([lhs, rhs], [f"%v = arith.{op} %in0, %in1 : f32", "%v"])

    def scalar(self, op, value, number, reversed=False):
        operands = f"{self.number(number)}, %in0" if reversed else f"%in0, {self.number(number)}"
        return self.elementwise([value], [f"%v = {op} {operands} : f32", "%v"])

    def copy(self, value):
        return self.elementwise([value], ["%in0"])

    def relu(self, x):
        zero = self.number(0.0)
        return self.elementwise([x], [f"%c = arith.cmpf ugt, %in0, {zero} : f32",
                                      f"%v = arith.select %c, %in0, {zero} : f32", "%v"])

    def hardtanh(self, x, low, high):
        low, high = self.number(low), self.number(high)
        return self.elementwise([x], [f"%c = arith.cmpf ult, %in0, {low} : f32", f"%d = arith.select %c, {low}, %in0 : f32",
                                      f"%e = arith.cmpf ugt, %d, {high} : f32", f"%v = arith.select %e, {high}, %d : f32",
                                      "%v"])

    def sigmoid(self, x):
        one = self.number(1.0)
        return self.elementwise([x], ["%a = arith.negf %in0 : f32", "%b = math.exp %a : f32",
                                      f"%c = arith.addf %b, {one} : f32", f"%v = arith.divf {one}, %c : f32", "%v"])

    def pad(self, x, amount, value=0.0):
        low = ", ".join(["0"] * (len(x.dims) - 2) + [str(amount)] * 2)
        dims = x.dims[:-2] + [size + 2 * amount for size in x.dims[-2:]]
        result = self.new(f"tensor.pad {x.name} low[{low}] high[{low}] {{", "padded")
        indices = ", ".join(f"%i{i}: index" for i in range(len(dims)))
        self.lines += [f"    ^bb0({indices}):", f"      tensor.yield {self.number(value)} : f32",
                       f"    }} : {x.type} to {tensor(dims)}"]
        return Value(result, dims)

    def convolution(self, x, channels, size, stride=1, padding=0, groups=1, bias=False, weight=None):
        """A bias is what the sums start from."""
        if padding:
            x = self.pad(x, padding)
        inputs, side = x.dims[1], (x.dims[2] - size) // stride + 1
        out = [x.dims[0], channels, side, side]
        if bias:
            values, empty = self.weight([channels]), self.empty(out)
            line = f"linalg.broadcast ins({values}) outs({empty}) dimensions = [0, 2, 3]"
            start = Value(self.new(line, "broadcasted"), out)
        else:
            start = self.fill(out, 0.0)
        weight = weight or self.weight([channels, inputs // groups, size, size])
        window = f"{{dilations = dense<1> : vector<2xi64>, strides = dense<{stride}> : vector<2xi64>}}"
        name = "conv_2d_nchw_fchw"
        if groups > 1:
            weight, name = self.collapse(weight, [[0, 1], [2], [3]]), "depthwise_conv_2d_nchw_chw"
        operands = f"ins({x.name}, {weight.name} : {x.type}, {weight.type}) outs({start}) -> {start.type}"
        return Value(self.new(f"linalg.{name} {window} {operands}"), out)

    def batch_norm(self, x):
        """Of inference; that training is off is an assertion."""
        false = self.constant("arith.constant false")
        self.lines.append(f"    cf.assert {self.new(f'arith.cmpi eq, {false}, {false} : i1')}, "
                          '"training is not supported for now"')
        channels = x.dims[1]
        parameters = [self.weight([channels]), self.weight([channels]), self.weight([channels]),
                      self.weight([channels], 0.5, 1.5)]
        maps = [self.identity(4)] + [self.map(4, ["d1"])] * 4 + [self.identity(4)]
        epsilon = self.number(1e-05, "f64")
        return self.generic([x] + parameters, [x], [
            f"%a = arith.truncf {epsilon} : f64 to f32", "%b = arith.addf %in4, %a : f32", "%c = math.rsqrt %b : f32",
            "%d = arith.subf %in0, %in3 : f32", "%e = arith.mulf %d, %c : f32", "%f = arith.mulf %e, %in1 : f32",
            "%v = arith.addf %f, %in2 : f32", "%v"], maps)

    def pool(self, kind, x, size, stride, padding=0):
        start = -math.inf if kind == "max" else 0.0
        if padding:
            x = self.pad(x, padding, start)
        side = (x.dims[2] - size) // stride + 1
        out = self.fill(x.dims[:2] + [side, side], start)
        window = self.empty([size, size])
        attributes = f"{{dilations = dense<1> : vector<2xi64>, strides = dense<{stride}> : vector<2xi64>}}"
        line = f"linalg.pooling_nchw_{kind} {attributes} ins({x.name}, {window.name} : {x.type}, {window.type})"
        result = Value(self.new(f"{line} outs({out}) -> {out.type}"), out.dims)
        return self.scalar("arith.divf", result, float(size * size)) if kind == "sum" else result

    def reshape(self, op, x, groups, dims):
        text = f"[{', '.join(map(str, groups))}]"
        shape = f" output_shape [{', '.join(map(str, dims))}]" if op == "expand" else ""
        line = f"tensor.{op}_shape {x.name} {text}{shape} : {x.type} into {tensor(dims, x.element)}"
        return Value(self.new(line, "collapsed" if op == "collapse" else "expanded"), dims, x.element)

    def collapse(self, x, groups):
        return self.reshape("collapse", x, groups, [math.prod(x.dims[i] for i in group) for group in groups])

    def expand(self, x, groups, dims):
        return self.reshape("expand", x, groups, dims)

    def permute(self, x, permutation, named=False):
        dims = [x.dims[i] for i in permutation]
        out = self.empty(dims)
        if named:
            line = f"linalg.transpose ins({x}) outs({out}) permutation = {permutation}"
            return Value(self.new(line, "transposed"), dims)
        rank = len(dims)
        source = [""] * rank
        for position, dim in enumerate(permutation):
            source[dim] = f"d{position}"
        return self.generic([x], [out], ["%in0"], [self.map(rank, source), self.identity(rank)])

    def matmul(self, name, lhs, rhs):
        out = self.fill(lhs.dims[:-1] + rhs.dims[-1:], 0.0)
        line = f"linalg.{name} ins({lhs.name}, {rhs.name} : {lhs.type}, {rhs.type}) outs({out}) -> {out.type}"
        return Value(self.new(line), out.dims)

    def linear(self, x, columns, form="flat", bias=True):
        """Rows first (flat), with a batch of weights (batch), or with a map that leaves the batch out (map)."""
        weight = self.permute(self.weight([columns, x.dims[-1]]), [1, 0], named=form != "flat")
        dims = x.dims[:-1] + [columns]
        if form == "flat" and len(x.dims) == 3:
            result = self.matmul("matmul", self.collapse(x, [[0, 1], [2]]), weight)
        elif form == "batch":
            batch = self.empty([x.dims[0]] + weight.dims)
            maps = [self.map(3, ["d1", "d2"]), self.identity(3)]
            result = self.matmul("batch_matmul", self.copy(x), self.generic([weight], [batch], ["%in0"], maps))
        elif form == "map":
            maps = [self.map(4, ["d0", "d1", "d3"]), self.map(4, ["d3", "d2"]), self.map(4, ["d0", "d1", "d2"])]
            result = self.generic([x, weight], [self.fill(dims, 0.0)],
                                  ["%a = arith.mulf %in0, %in1 : f32", "%v = arith.addf %a, %out0 : f32", "%v"],
                                  maps, 4, [3])
        else:
            result = self.matmul("matmul", x, weight)
        if bias:
            result = self.binary("addf", self.weight([columns]), result)
        return self.expand(result, [[0, 1], [2]], dims) if len(result.dims) < len(dims) else result

    def embedding(self, indices, rows, columns):
        """Reads rows at places that data gives, and asserts that they are inside."""
        table = self.weight([rows, columns])
        out = self.empty(indices.dims + [columns])
        limit, zero = self.constant(f"arith.constant {rows} : index"), self.number(0, "i64")
        maps = [self.map(3, ["d0", "d1"]), self.identity(3)]
        return self.generic([indices], [out], [
            "%i = arith.index_cast %in0 : i64 to index", "%j = linalg.index 2 : index",
            f"%a = arith.cmpi slt, %i, {limit} : index", 'cf.assert %a, "index must be smaller than dim size"',
            f"%b = arith.cmpi sge, %in0, {zero} : i64", 'cf.assert %b, "index must be larger or equal to 0"',
            f"%v = tensor.extract {table.name}[%i, %j] : {table.type}", "%v"], maps)

    def reduce(self, x, body, start, type="f32", dims=1):
        """The last `dims` dimensions stay as ones."""
        rank, kept = len(x.dims), len(x.dims) - dims
        out = self.fill(x.dims[:kept] + [1] * dims, start, type)
        maps = [self.identity(rank), self.map(rank, [f"d{i}" for i in range(kept)] + ["0"] * dims)]
        return self.generic([x], [out], body, maps, rank, range(kept, rank))

    def mean(self, x, dims=1):
        total = self.reduce(x, ["%v = arith.addf %in0, %out0 : f32", "%v"], 0.0, dims=dims)
        return self.scalar("arith.divf", total, float(math.prod(x.dims[-dims:])))

    def variance(self, x, dims=1):
        """In f64, and back."""
        wide = self.elementwise([x], ["%v = arith.extf %in0 : f32 to f64", "%v"], "f64")
        count = self.number(float(math.prod(x.dims[-dims:])), "f64")

        def mean(value):
            total = self.reduce(value, ["%v = arith.addf %in0, %out0 : f64", "%v"], 0.0, "f64", dims)
            return self.elementwise([total], [f"%v = arith.divf %in0, {count} : f64", "%v"], "f64")

        centred = self.elementwise([wide, mean(wide)], ["%v = arith.subf %in0, %in1 : f64", "%v"], "f64")
        square = self.elementwise([centred, centred], ["%v = arith.mulf %in0, %in1 : f64", "%v"], "f64")
        return self.elementwise([mean(square)], ["%v = arith.truncf %in0 : f64 to f32", "%v"])

    def normalize(self, x, mean, variance):
        epsilon = self.number(1e-05, "f64")
        shifted = self.elementwise([variance], [f"%a = arith.truncf {epsilon} : f64 to f32",
                                                "%v = arith.addf %in0, %a : f32", "%v"])
        return self.binary("mulf", self.binary("subf", x, mean), self.unary(shifted, "math.rsqrt"))

    def spread(self, x, columns):
        """Rows of one number as rows of many: the number is read at a place that the index gives."""
        zero = self.constant("arith.constant 0 : index")
        return self.generic([], [self.empty([1, x.dims[1], columns])], [
            "%i = linalg.index 1 : index", f"%v = tensor.extract {x.name}[{zero}, %i, {zero}] : {x.type}", "%v"])

    def layer_norm(self, x, wide=False, spreads=False):
        mean = self.mean(x)
        if wide:
            variance = self.variance(x)
        else:
            centred = self.binary("subf", x, self.spread(mean, x.dims[-1]) if spreads else mean)
            variance = self.mean(self.binary("mulf", centred, centred))
        result = self.normalize(x, mean, variance)
        return self.binary("addf", self.binary("mulf", result, self.weight(x.dims[-1:])), self.weight(x.dims[-1:]))

    def softmax(self, x):
        """The largest with its position, which nobody reads."""
        rank = len(x.dims)
        row = x.dims[:-1] + [1]
        last = self.map(rank, [f"d{i}" for i in range(rank - 1)] + ["0"])
        largest = self.generic([x], [self.fill(row, -math.inf), self.fill(row, 0, "i64")], [
            f"%i = linalg.index {rank - 1} : index", "%j = arith.index_cast %i : index to i64",
            "%a = arith.maximumf %in0, %out0 : f32", "%b = arith.cmpf ogt, %in0, %out0 : f32",
            "%c = arith.select %b, %j, %out1 : i64", "%a, %c"], [self.identity(rank), last, last], rank,
            [rank - 1])[0]
        powers = self.unary(self.binary("subf", x, largest), "math.exp")
        total = self.reduce(powers, ["%v = arith.addf %in0, %out0 : f32", "%v"], 0.0)
        return self.binary("divf", powers, total)

    def heads(self, x, heads, permutation=(0, 2, 1, 3), named=False):
        batch, rows, width = x.dims
        split = self.expand(x, [[0], [1], [2, 3]], [batch, rows, heads, width // heads])
        return self.permute(split, list(permutation), named)

    def attend(self, q, k, v, heads, mask, named=False):
        """`mask` works on scores of batch x heads x rows x rows."""
        batch, rows, width = q.dims
        flat = [[0, 1], [2], [3]]
        q, v = self.heads(q, heads, named=named), self.heads(v, heads, named=named)
        if named:
            k = self.heads(k, heads, (0, 2, 3, 1), named)
        else:
            k = self.permute(self.heads(k, heads), [0, 1, 3, 2])
        scores = self.matmul("batch_matmul", self.collapse(self.copy(q), flat), self.collapse(self.copy(k), flat))
        scores = self.expand(scores, flat, [batch, heads, rows, rows])
        scores = self.softmax(mask(self.scalar("arith.divf", scores, math.sqrt(width // heads))))
        context = self.matmul("batch_matmul", self.collapse(self.copy(scores), flat), self.collapse(v, flat))
        context = self.permute(self.expand(context, flat, [batch, heads, rows, width // heads]), [0, 2, 1, 3], named)
        return self.collapse(self.copy(context), [[0], [1], [2, 3]])


class Value:
    def __init__(self, name, dims, element="f32"):
        self.name, self.dims, self.element = name, list(dims), element
        self.type = tensor(dims, element)

    def __str__(self):
        return f"{self.name} : {self.type}"


def tensor(dims, element="f32"):
    return f"tensor<{'x'.join([*map(str, dims), element])}>"


def padded(dims, rank):
    return [1] * (rank - len(dims)) + list(dims)


def resnet():
    m = Module("ResNet")
    x = m.relu(m.batch_norm(m.convolution(m.argument([1, 3, 32, 32]), 16, 7, 2, 3)))
    x = m.pool("max", x, 3, 2, 1)
    for channels, stride in ((16, 1), (32, 2)):
        y = m.relu(m.batch_norm(m.convolution(x, channels, 3, stride, 1)))
        y = m.batch_norm(m.convolution(y, channels, 3, 1, 1))
        if stride > 1:
            x = m.batch_norm(m.convolution(x, channels, 1, stride))
        x = m.relu(m.binary("addf", y, x))
    x = m.collapse(m.pool("sum", x, x.dims[2], 1), [[0], [1, 2, 3]])
    return m.finish(m.linear(x, 10))


def mobilenet():
    m = Module("MobileNetV2")
    relu6 = lambda x: m.hardtanh(x, 0.0, 6.0)
    x = relu6(m.batch_norm(m.convolution(m.argument([1, 3, 32, 32]), 16, 3, 2, 1)))
    for channels, stride in ((16, 1), (24, 2)):
        y = relu6(m.batch_norm(m.convolution(x, 4 * x.dims[1], 1)))
        y = relu6(m.batch_norm(m.convolution(y, y.dims[1], 3, stride, 1, groups=y.dims[1])))
        squeezed = m.pool("sum", y, y.dims[2], 1)
        squeezed = m.convolution(m.relu(m.convolution(squeezed, 8, 1, bias=True)), y.dims[1], 1, bias=True)
        y = m.binary("mulf", m.sigmoid(squeezed), y)
        y = m.batch_norm(m.convolution(y, channels, 1))
        x = m.binary("addf", x, y) if stride == 1 else y
    x = m.collapse(m.mean(x, 2), [[0], [1, 2, 3]])
    return m.finish(m.linear(x, 10))


def bert():
    m = Module("BertModel")
    rows, width = 12, 32
    ids, kinds, known = (m.argument([1, rows], "i64") for _ in range(3))
    zero, dims = m.number(0, "i64"), [1, 1, rows, rows]
    attended = m.elementwise([known], [f"%v = arith.cmpi sgt, %in0, {zero} : i64", "%v"], "i1")
    attended = m.expand(attended, [[0, 1], [2, 3]], [1, 1, 1, rows])
    attended = m.generic([attended], [m.empty(dims, "i1")], ["%in0"])
    hidden = m.constant("arith.constant dense<-1.000000e+09> : tensor<f64>")

    def mask(scores):
        absent = m.elementwise([attended], [f"%t = arith.constant true", "%v = arith.xori %in0, %t : i1", "%v"], "i1")
        return m.elementwise([absent, Value(hidden, [], "f64"), scores],
                             ["%a = arith.truncf %in1 : f64 to f32", "%v = arith.select %in0, %a, %in2 : f32", "%v"])

    x = m.binary("addf", m.embedding(ids, 40, width), m.embedding(kinds, 2, width))
    positions = m.weight([1, 16, width])
    line = f"tensor.extract_slice {positions.name}[0, 0, 0] [1, {rows}, {width}] [1, 1, 1]"
    positions = Value(m.new(f"{line} : {positions.type} to {x.type}", "extracted_slice"), x.dims)
    x = m.layer_norm(m.binary("addf", x, positions), spreads=True)
    for form in ("flat", "batch"):
        q, k, v = (m.linear(x, width, form) for _ in range(3))
        y = m.linear(m.attend(q, k, v, 4, mask, named=form == "batch"), width, form)
        x = m.layer_norm(m.binary("addf", m.copy(y), x), wide=form == "batch")
        y = m.linear(x, 4 * width, form)
        half, one = m.number(0.5), m.number(1.0)
        y = m.elementwise([y], [f"%a = arith.divf %in0, {m.number(1.41421354)} : f32", "%b = math.erf %a : f32",
                                f"%c = arith.addf %b, {one} : f32", f"%d = arith.mulf %c, {half} : f32",
                                "%v = arith.mulf %in0, %d : f32", "%v"])
        x = m.layer_norm(m.binary("addf", m.linear(y, width, form), x))
    line = f"tensor.extract_slice {x.name}[0, 0, 0] [1, 1, {width}] [1, 1, 1] : {x.type} to {tensor([1, 1, width])}"
    first = m.collapse(Value(m.new(line, "extracted_slice"), [1, 1, width]), [[0, 1], [2]])
    return m.finish(x, m.unary(m.linear(first, width), "math.tanh"))


def gpt():
    m = Module("GPT2LMHeadModel")
    rows, width = 10, 32
    ids = m.argument([1, rows], "i64")
    positions = m.generic([], [m.empty([rows], "i64")],
                          ["%i = linalg.index 0 : index", "%v = arith.index_cast %i : index to i64", "%v"])
    positions = m.expand(positions, [[0, 1]], [1, rows])
    x = m.binary("addf", m.embedding(ids, 40, width), m.embedding(positions, 16, width))
    causal = m.generic([], [m.empty([rows, rows], "i1")], [
        "%i = linalg.index 0 : index", "%j = linalg.index 1 : index", "%a = arith.index_cast %i : index to i64",
        "%b = arith.index_cast %j : index to i64", "%v = arith.cmpi sge, %a, %b : i64", "%v"])
    causal = m.expand(causal, [[0, 1, 2], [3]], [1, 1, rows, rows])
    least = m.number(-3.40282347e+38)
    mask = lambda scores: m.elementwise([causal, scores], [f"%v = arith.select %in0, %in1, {least} : f32", "%v"])
    for _ in range(2):
        y = m.layer_norm(x, wide=True)
        packed = m.linear(y, 3 * width, "map")
        parts = []
        for part in range(3):
            line = f"tensor.extract_slice {packed.name}[0, 0, {part * width}] [1, {rows}, {width}] [1, 1, 1]"
            parts.append(Value(m.new(f"{line} : {packed.type} to {x.type}", "extracted_slice"), x.dims))
        x = m.binary("addf", m.linear(m.attend(*parts, 4, mask, named=True), width, "map"), x)
        y = m.linear(m.layer_norm(x), 4 * width, "map")
        cube = m.scalar("math.powf", y, 3.0)
        inner = m.binary("addf", y, m.scalar("arith.mulf", cube, 0.044715))
        inner = m.unary(m.scalar("arith.mulf", inner, 0.797884583), "math.tanh")
        y = m.binary("mulf", m.scalar("arith.mulf", y, 0.5), m.scalar("arith.addf", inner, 1.0))
        x = m.binary("addf", x, m.linear(y, width, "map"))
    return m.finish(m.linear(m.layer_norm(x), 40, "map", bias=False))


def unet():
    m = Module("UNet")

    def block(x, channels):
        """A convolution, a normalization of 4 groups, and SiLU."""
        y = m.convolution(x, channels, 3, 1, 1, bias=True)
        _, _, height, width = y.dims
        groups = m.expand(y, [[0], [1, 2], [3], [4]], [1, 4, channels // 4, height, width])
        groups = m.normalize(groups, m.mean(groups, 3), m.variance(groups, 3))
        y = m.collapse(groups, [[0], [1, 2], [3], [4]])
        scale, shift = (m.expand(m.weight([channels]), [[0, 1, 2, 3]], [1, channels, 1, 1]) for _ in range(2))
        y = m.binary("addf", m.binary("mulf", y, scale), shift)
        return m.binary("mulf", m.sigmoid(y), y)

    def nearest(x):
        """Twice the size; the place of the source is a quotient that is rounded down."""
        dims = x.dims[:2] + [2 * size for size in x.dims[2:]]
        half = m.number(2.0)
        body = [f"%i{i} = linalg.index {i} : index" for i in range(4)]
        for i in (2, 3):
            body += [f"%a{i} = arith.index_cast %i{i} : index to i64", f"%b{i} = arith.sitofp %a{i} : i64 to f32",
                     f"%c{i} = arith.divf %b{i}, {half} : f32", f"%d{i} = math.floor %c{i} : f32",
                     f"%e{i} = arith.fptosi %d{i} : f32 to i64", f"%f{i} = arith.index_cast %e{i} : i64 to index"]
        body += [f"%v = tensor.extract {x.name}[%i0, %i1, %f2, %f3] : {x.type}", "%v"]
        return m.generic([], [m.empty(dims)], body)

    def transposed(x, channels):
        """A transposed convolution of 2x2 with stride 2: zeros between the elements, filters turned around."""
        size = 2 * x.dims[2] + 1
        dims = x.dims[:2] + [size, size]
        zeros = m.fill(dims, 0.0)
        line = f"tensor.insert_slice {x.name} into {zeros.name}[0, 0, 1, 1] [{', '.join(map(str, x.dims))}] [1, 1, 2, 2]"
        spaced = Value(m.new(f"{line} : {x.type} into {zeros.type}", "inserted_slice"), dims)
        weight = m.weight([x.dims[1], channels, 2, 2])
        one = m.constant("arith.constant 1 : index")
        body = [f"%i{i} = linalg.index {i} : index" for i in range(4)]
        body += [f"%k{i} = arith.subi {one}, %i{i} : index" for i in (2, 3)]
        body += [f"%v = tensor.extract {weight.name}[%i1, %i0, %k2, %k3] : {weight.type}", "%v"]
        turned = m.generic([], [m.empty([channels, x.dims[1], 2, 2])], body)
        return m.convolution(spaced, channels, 2, weight=turned)

    def concat(a, b):
        dims = [1, a.dims[1] + b.dims[1], *a.dims[2:]]
        return Value(m.new(f"tensor.concat dim(1) {a.name}, {b.name} : ({a.type}, {b.type}) -> {tensor(dims)}", "concat"),
                     dims)

    top = block(m.argument([1, 3, 16, 16]), 8)
    middle = block(m.pool("max", top, 2, 2), 16)
    bottom = block(m.pool("max", middle, 2, 2), 16)
    middle = block(concat(nearest(bottom), middle), 16)
    return m.finish(m.convolution(block(concat(transposed(middle, 8), top), 8), 2, 1, bias=True))


if __name__ == "__main__":
    for make in (resnet, mobilenet, bert, gpt, unet):
        pathlib.Path(sys.argv[1], make.__name__ + ".mlir").write_text(make())
