#!/usr/bin/env python3
"""odd-types.py [--rounds=N] [--seed=S] [--keep=DIR] <npu-run> <npu-opt> <npu-translate>

Small random models whose elements are of types that nobody counts in bytes: indices, complex numbers, vectors,
pointers, what other dialects define, integers and floats of every width. They stand in signatures, constants,
intermediate values, bodies, globals, loops, operands of dispatches and forms of kernels. Every tool that takes them
either does what it is for or ends with an error: no signal, and an exit code of 1 comes with a located message.

NPU_ODD_TYPE_ROUNDS is the number of models if --rounds is not given.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

INTEGERS = ["i0", "i1", "i2", "i3", "i4", "i7", "i8", "i12", "i16", "i24", "i32", "i48", "i63", "i64", "i65", "i128",
            "i256", "i1000"]
SIGNED = ["si8", "ui8", "si32", "ui64", "ui1", "si4"]
FLOATS = ["f16", "bf16", "f32", "f64", "f80", "f128", "tf32", "f8E5M2", "f8E4M3", "f8E4M3FN", "f8E5M2FNUZ",
          "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E3M4", "f8E8M0FNU", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN"]
COMPLEX = ["complex<f32>", "complex<f64>", "complex<f16>", "complex<bf16>", "complex<f8E5M2>", "complex<i8>",
           "complex<i32>"]
OTHERS = ["vector<2xi8>", "vector<4xf32>", "vector<[4]xf32>", "vector<2x2xindex>", "vector<f32>", "!llvm.ptr",
          "!llvm.struct<(i32, f32)>", "!llvm.array<4 x i8>", "!quant.uniform<i8:f32, 5.000000e-01:3>",
          "!util.list<i32>", "!hal.buffer", "!onnx.string", "!odd.type<3>", "!odd<\"anything\">"]
KINDS = {"integer": INTEGERS, "signed": SIGNED, "float": FLOATS, "complex": COMPLEX, "index": ["index"],
         "other": OTHERS}
ERROR = re.compile(r"(^|[ :])error: ", re.MULTILINE)


def pick_type(rng):
    kind = rng.choice(list(KINDS))
    return kind, rng.choice(KINDS[kind])


def number(kind, value):
    """A literal of the type; None where there is none."""
    if kind in ("integer", "signed", "index"):
        return str(value)
    if kind == "float":
        return f"{float(value):.1f}"
    return f"({value}.0, 1.0)" if kind == "complex" else None


def identity(rank):
    dims = ", ".join(f"d{i}" for i in range(rank))
    return f"affine_map<({dims}) -> ({dims})>"


def generic(result, inputs, shape, output, body, indent="  "):
    """An element-wise linalg.generic; `inputs` are pairs of a value and its type, `body` its lines."""
    rank = shape.count("x") + 1
    maps = ", ".join([identity(rank)] * (len(inputs) + 1))
    iterators = ", ".join(['"parallel"'] * rank)
    values = ", ".join(value for value, _ in inputs)
    types = ", ".join(f"tensor<{shape}x{kind}>" for _, kind in inputs)
    arguments = ", ".join([f"%in{i}: {kind}" for i, (_, kind) in enumerate(inputs)] + [f"%out: {output}"])
    ins = f"ins({values} : {types}) " if inputs else ""
    return (f"{indent}{result}e = tensor.empty() : tensor<{shape}x{output}>\n"
            f"{indent}{result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}} {ins}"
            f"outs({result}e : tensor<{shape}x{output}>) {{\n{indent}^bb0({arguments}):\n"
            + "".join(f"{indent}  {line}\n" for line in body)
            + f"{indent}}} -> tensor<{shape}x{output}>\n")


def combine(kind, element, a, b, rng):
    """A line of a body that computes %v."""
    if kind == "integer":
        op = rng.choice(["arith.addi", "arith.muli", "arith.divsi", "arith.shli", "arith.maxsi", "arith.minui",
                         "arith.shrsi"])
    elif kind == "index":
        op = rng.choice(["arith.addi", "arith.muli", "arith.divui", "arith.shrsi"])
    elif kind == "float":
        op = rng.choice(["arith.addf", "arith.mulf", "arith.divf", "arith.maximumf", "arith.minnumf"])
    elif kind == "complex":
        op = rng.choice(["complex.add", "complex.mul", "complex.div"])
    else:
        return None
    return f"%v = {op} {a}, {b} : {element}"


def convert(kind, element, rng):
    """Lines that make %v of this type of an f32 %in0; None where no op does."""
    if kind == "integer":
        return [f"%v = arith.{rng.choice(['fptosi', 'fptoui'])} %in0 : f32 to {element}"]
    if kind == "index":
        return ["%w = arith.fptosi %in0 : f32 to i32", "%v = arith.index_cast %w : i32 to index"]
    if kind == "float" and element not in ("f32",):
        wide = element in ("f64", "f80", "f128")
        return [f"%v = arith.{'extf' if wide else 'truncf'} %in0 : f32 to {element}"]
    if element == "complex<f32>":
        return ["%v = complex.create %in0, %in0 : complex<f32>"]
    if element == "vector<4xf32>":
        return ["%v = vector.broadcast %in0 : f32 to vector<4xf32>"]
    return None


# ----------------------------------------------------------------------------------------------------------------------
# Models. Each takes a random generator and a type and gives text, or None where the type does not go with it.
# ----------------------------------------------------------------------------------------------------------------------


def wrap(arguments, result, lines, value):
    return f"func.func @main({arguments}) -> {result} {{\n{lines}  return {value} : {result}\n}}\n"


def make_slice(rng, kind, element):
    return wrap(f"%a: tensor<8x16x{element}>", f"tensor<4x4x{element}>",
                f"  %t = tensor.extract_slice %a[0, {rng.randrange(8)}] [4, 4] [1, 1] : tensor<8x16x{element}> to "
                f"tensor<4x4x{element}>\n", "%t")


def make_insert(rng, kind, element):
    return wrap(f"%a: tensor<4x4x{element}>, %b: tensor<8x8x{element}>", f"tensor<8x8x{element}>",
                f"  %t = tensor.insert_slice %a into %b[2, 2] [4, 4] [1, 1] : tensor<4x4x{element}> into "
                f"tensor<8x8x{element}>\n", "%t")


def make_identity(rng, kind, element):
    return wrap(f"%a: tensor<4x8x{element}>", f"tensor<4x8x{element}>",
                generic("%t", [("%a", element)], "4x8", element, [f"linalg.yield %in0 : {element}"]), "%t")


def make_binary(rng, kind, element):
    line = combine(kind, element, "%in0", "%in1", rng)
    return line and wrap(f"%a: tensor<4x8x{element}>, %b: tensor<4x8x{element}>", f"tensor<4x8x{element}>",
                         generic("%t", [("%a", element), ("%b", element)], "4x8", element,
                                 [line, f"linalg.yield %v : {element}"]), "%t")


def make_arith(rng, kind, element):
    line = combine(kind, f"tensor<4x8x{element}>", "%a", "%b", rng)
    return line and kind != "complex" and wrap(f"%a: tensor<4x8x{element}>, %b: tensor<4x8x{element}>",
                                               f"tensor<4x8x{element}>", f"  {line}\n", "%v")


def make_transpose(rng, kind, element):
    return wrap(f"%a: tensor<4x8x{element}>", f"tensor<8x4x{element}>",
                f"  %e = tensor.empty() : tensor<8x4x{element}>\n  %t = linalg.transpose ins(%a : tensor<4x8x{element}>) "
                f"outs(%e : tensor<8x4x{element}>) permutation = [1, 0]\n", "%t")


def make_matmul(rng, kind, element):
    op = rng.choice(["linalg.matmul", "linalg.add", "linalg.max", "linalg.copy", "linalg.exp", "linalg.negf"])
    count = 1 if op in ("linalg.copy", "linalg.exp", "linalg.negf") else 2
    operands, types = ", ".join(["%a", "%b"][:count]), ", ".join([f"tensor<8x8x{element}>"] * count)
    return wrap(f"%a: tensor<8x8x{element}>, %b: tensor<8x8x{element}>, %c: tensor<8x8x{element}>",
                f"tensor<8x8x{element}>",
                f"  %t = {op} ins({operands} : {types}) outs(%c : tensor<8x8x{element}>) -> tensor<8x8x{element}>\n",
                "%t")


def make_mixed_matmul(rng, kind, element):
    other = rng.choice(["i8", "f32", "i32", "f16"])
    return wrap(f"%a: tensor<8x8x{element}>, %b: tensor<8x8x{other}>, %c: tensor<8x8xf32>", "tensor<8x8xf32>",
                f"  %t = linalg.matmul ins(%a, %b : tensor<8x8x{element}>, tensor<8x8x{other}>) "
                "outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>\n", "%t")


def make_conv(rng, kind, element):
    op = rng.choice(["conv_2d_nhwc_hwcf", "pooling_nhwc_max", "pooling_nhwc_sum", "depthwise_conv_2d_nhwc_hwc"])
    window = {"conv_2d_nhwc_hwcf": "3x3x4x8", "depthwise_conv_2d_nhwc_hwc": "3x3x4"}.get(op, "3x3")
    channels = 8 if op == "conv_2d_nhwc_hwcf" else 4
    return wrap(f"%a: tensor<1x8x8x4x{element}>, %b: tensor<{window}x{element}>, %c: tensor<1x6x6x{channels}x{element}>",
                f"tensor<1x6x6x{channels}x{element}>",
                f"  %t = linalg.{op} ins(%a, %b : tensor<1x8x8x4x{element}>, tensor<{window}x{element}>) "
                f"outs(%c : tensor<1x6x6x{channels}x{element}>) -> tensor<1x6x6x{channels}x{element}>\n", "%t")


def make_quantized(rng, kind, element):
    return wrap(f"%a: tensor<8x8x{element}>, %b: tensor<8x8x{element}>, %c: tensor<8x8xi32>, %z: tensor<i32>",
                "tensor<8x8xi32>",
                "  %x = tensor.extract %z[] : tensor<i32>\n"
                f"  %t = linalg.quantized_matmul ins(%a, %b, %x, %x : tensor<8x8x{element}>, tensor<8x8x{element}>, "
                "i32, i32) outs(%c : tensor<8x8xi32>) -> tensor<8x8xi32>\n", "%t")


def make_softmax(rng, kind, element):
    return wrap(f"%a: tensor<4x8x{element}>", f"tensor<4x8x{element}>",
                f"  %e = tensor.empty() : tensor<4x8x{element}>\n  %t = linalg.softmax dimension(1) "
                f"ins(%a : tensor<4x8x{element}>) outs(%e : tensor<4x8x{element}>) -> tensor<4x8x{element}>\n", "%t")


def make_reduce(rng, kind, element):
    line = combine(kind, element, "%x", "%y", rng)
    zero = number(kind, 0)
    if not line or zero is None or kind == "complex":
        return None
    return wrap(f"%a: tensor<4x8x{element}>", f"tensor<4x{element}>",
                f"  %z = arith.constant {zero} : {element}\n  %e = tensor.empty() : tensor<4x{element}>\n"
                f"  %f = linalg.fill ins(%z : {element}) outs(%e : tensor<4x{element}>) -> tensor<4x{element}>\n"
                f"  %t = linalg.reduce ins(%a : tensor<4x8x{element}>) outs(%f : tensor<4x{element}>) dimensions = [1]\n"
                f"  (%x: {element}, %y: {element}) {{\n    {line}\n    linalg.yield %v : {element}\n  }}\n", "%t")


def make_constant(rng, kind, element):
    value = number(kind, rng.choice([0, 1]))
    if value is None or element == "i0":
        return None
    other = number(kind, rng.choice([0, 1]))
    values = value if rng.random() < 0.4 else "[" + ", ".join(rng.choice([value, other]) for _ in range(8)) + "]"
    body = combine(kind, element, "%in0", "%in1", rng) or ""
    if kind == "signed":
        return wrap("", f"tensor<8x{element}>", f"  %c = arith.constant dense<{values}> : tensor<8x{element}>\n", "%c")
    return wrap(f"%a: tensor<8x{element}>", f"tensor<8x{element}>",
                f"  %c = arith.constant dense<{values}> : tensor<8x{element}>\n"
                + generic("%t", [("%a", element), ("%c", element)], "8", element,
                          [body, f"linalg.yield %v : {element}"]), "%t")


def make_resource(rng, kind, element):
    size = rng.choice([4, 8, 12, 16, 32, 64])
    return wrap(f"%a: tensor<8x{element}>", f"tensor<8x{element}>",
                f"  %c = arith.constant dense_resource<odd> : tensor<8x{element}>\n"
                + generic("%t", [("%c", element)], "8", element, [f"linalg.yield %in0 : {element}"]), "%t") + (
                    '{-#\n  dialect_resources: {\n    builtin: {\n      odd: "0x04000000' + "01" * size
                    + '"\n    }\n  }\n#-}\n')


def make_inner(rng, kind, element):
    lines = convert(kind, element, rng)
    if not lines:
        return None
    last = {"integer": f"%r = arith.sitofp %in0 : {element} to f32",
            "complex": f"%r = complex.re %in0 : {element}"}.get(kind)
    if kind == "float":
        last = f"%r = arith.{'truncf' if element in ('f64', 'f80', 'f128') else 'extf'} %in0 : {element} to f32"
    inner = generic("%m", [("%a", "f32")], "4x8", element, lines + [f"linalg.yield %v : {element}"])
    if last is None:
        return wrap("%a: tensor<4x8xf32>", f"tensor<4x8x{element}>", inner, "%m")
    middle = rng.choice(["", f"  %s = tensor.extract_slice %m[0, 0] [4, 8] [1, 1] : tensor<4x8x{element}> to "
                             f"tensor<4x8x{element}>\n"])
    return wrap("%a: tensor<4x8xf32>", "tensor<4x8xf32>",
                inner + middle + generic("%t", [("%s" if middle else "%m", element)], "4x8", "f32",
                                         [last, "linalg.yield %r : f32"]), "%t")


def make_loop(rng, kind, element):
    line = combine(kind, element, "%in0", "%in1", rng)
    return wrap(f"%a: tensor<4x8x{element}>, %b: tensor<4x8x{element}>", f"tensor<4x8x{element}>",
                "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c3 = arith.constant 3 : index\n"
                f"  %t:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4x8x{element}>, "
                f"tensor<4x8x{element}>) {{\n"
                + generic("%m", [("%x", element), ("%y", element)], "4x8", element,
                          ([line, f"linalg.yield %v : {element}"] if line else
                           [f"linalg.yield %in1 : {element}"]), "    ")
                + f"    scf.yield %y, %m : tensor<4x8x{element}>, tensor<4x8x{element}>\n  }}\n", "%t#0")


def make_branch(rng, kind, element):
    return wrap(f"%a: tensor<4x{element}>, %b: tensor<4x{element}>, %c: tensor<i1>", f"tensor<4x{element}>",
                "  %x = tensor.extract %c[] : tensor<i1>\n"
                f"  %t = scf.if %x -> (tensor<4x{element}>) {{\n    scf.yield %a : tensor<4x{element}>\n  }} else {{\n"
                f"    scf.yield %b : tensor<4x{element}>\n  }}\n", "%t")


def make_shape(rng, kind, element):
    line, result = rng.choice([
        (f"%t = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 4, 4] : tensor<8x4x{element}> into "
         f"tensor<2x4x4x{element}>", f"tensor<2x4x4x{element}>"),
        (f"%t = tensor.collapse_shape %a [[0, 1]] : tensor<8x4x{element}> into tensor<32x{element}>",
         f"tensor<32x{element}>"),
        (f"%t = tensor.concat dim(0) %a, %a : (tensor<8x4x{element}>, tensor<8x4x{element}>) -> "
         f"tensor<16x4x{element}>", f"tensor<16x4x{element}>"),
        (f"%t = tensor.cast %a : tensor<8x4x{element}> to tensor<?x4x{element}>", f"tensor<?x4x{element}>"),
    ])
    return wrap(f"%a: tensor<8x4x{element}>", result, f"  {line}\n", "%t")


def make_pad(rng, kind, element):
    zero = number(kind, 0)
    if zero is None or kind in ("complex", "signed"):
        value = f"%z = ub.poison : {element}"
    else:
        value = f"%z = arith.constant {zero} : {element}"
    return wrap(f"%a: tensor<8x4x{element}>", f"tensor<10x6x{element}>",
                f"  {value}\n  %t = tensor.pad %a low[1, 1] high[1, 1] {{\n  ^bb0(%i: index, %j: index):\n"
                f"    tensor.yield %z : {element}\n  }} : tensor<8x4x{element}> to tensor<10x6x{element}>\n", "%t")


def make_bitcast(rng, kind, element):
    other = rng.choice([t for t in INTEGERS + FLOATS])
    return wrap(f"%a: tensor<8x{element}>", f"tensor<8x{other}>",
                f"  %t = {rng.choice(['tensor.bitcast', 'arith.bitcast'])} %a : tensor<8x{element}> to "
                f"tensor<8x{other}>\n", "%t")


def make_gather(rng, kind, element):
    index = rng.choice(["%j = arith.index_cast %in0 : i32 to index", "%j = linalg.index 0 : index"])
    return wrap(f"%a: tensor<16x{element}>, %b: tensor<8xi32>", f"tensor<8x{element}>",
                generic("%t", [("%b", "i32")], "8", element,
                        [index, f"%v = tensor.extract %a[%j] : tensor<16x{element}>",
                         f"linalg.yield %v : {element}"]), "%t")


def make_position(rng, kind, element):
    return wrap("%b: tensor<8xi32>", f"tensor<8x{element}>",
                generic("%t", [], "8", element, ["%j = linalg.index 0 : index",
                                                 f"%v = arith.index_cast %j : index to {element}",
                                                 f"linalg.yield %v : {element}"]), "%t")


def make_arguments(rng, kind, element):
    """Values that are no tensors, or tensors of no use."""
    form = rng.choice(["memref<4x8x{0}>", "memref<memref<4x{0}>>", "{0}", "vector<4x{0}>", "tensor<4x?x{0}>",
                       "tensor<{0}>", "tensor<*x{0}>", "memref<*x{0}>", "tensor<0x4x{0}>"]).format(element)
    return f"func.func @main(%a: {form}, %b: tensor<4xf32>) -> ({form}, tensor<4xf32>) {{\n" \
           f"  %s = arith.addf %b, %b : tensor<4xf32>\n  return %a, %s : {form}, tensor<4xf32>\n}}\n"


def make_global(rng, kind, element):
    value = number(kind, 1)
    start = f" = dense<{value}> : tensor<4x8x{element}>" if value is not None and rng.random() < 0.6 else \
        f" : tensor<4x8x{element}>"
    store = f"  util.global.store %a, @g : tensor<4x8x{element}>\n" if rng.random() < 0.6 else ""
    return (f"util.global private mutable @g{start}\n" + wrap(
        f"%a: tensor<4x8x{element}>", f"tensor<4x8x{element}>",
        store + f"  %g = util.global.load @g : tensor<4x8x{element}>\n", "%g"))


def make_dispatch(rng, kind, element):
    tensor = f"tensor<4x8x{element}>"
    return f"""flow.executable private @x {{
  flow.executable.export public @f workgroups() -> (index, index, index) {{
    %c1 = arith.constant 1 : index
    flow.return %c1, %c1, %c1 : index, index, index
  }}
  builtin.module {{
    func.func @f(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:{tensor}>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:{tensor}>) {{
      %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:{tensor}> -> {tensor}
{generic("%t", [("%0", element)], "4x8", element, [f"linalg.yield %in0 : {element}"], "      ")}
      iree_tensor_ext.dispatch.tensor.store %t, %arg1, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : {tensor} -> !iree_tensor_ext.dispatch.tensor<writeonly:{tensor}>
      return
    }}
  }}
}}
util.func public @main(%a: {tensor}) -> {tensor} {{
  %0 = flow.dispatch @x::@f(%a) : ({tensor}) -> {tensor}
  util.return %0 : {tensor}
}}
"""


def make_flow(rng, kind, element):
    other = rng.choice(INTEGERS[1:] + FLOATS)
    line = rng.choice([f"flow.tensor.bitcast %a : tensor<4x8x{element}> -> tensor<4x8x{other}>",
                       f"flow.tensor.reshape %a : tensor<4x8x{element}> -> tensor<4x8x{element}>",
                       f"flow.tensor.clone %a : tensor<4x8x{element}>"])
    result = f"tensor<4x8x{other if 'bitcast' in line else element}>"
    return (f"util.func public @main(%a: tensor<4x8x{element}>) -> {result} {{\n  %t = {line}\n"
            f"  util.return %t : {result}\n}}\n")


def make_tosa(rng, kind, element):
    tensor = f"tensor<1x4x8x{element}>"
    line = rng.choice(["tosa.add %a, %a : ({0}, {0}) -> {0}", "tosa.reverse %a {{axis = 1 : i32}} : ({0}) -> {0}",
                       "tosa.maximum %a, %a : ({0}, {0}) -> {0}", "tosa.cast %a : ({0}) -> tensor<1x4x8xf32>",
                       "tosa.exp %a : ({0}) -> {0}"]).format(tensor)
    result = line.rsplit("-> ", 1)[1]
    return wrap(f"%a: {tensor}", result, f"  %t = {line}\n", "%t")


def make_onnx(rng, kind, element):
    op = rng.choice(["Add", "MatMul", "MaxPool", "Relu", "Softmax", "Cast", "QuantizeLinear", "DequantizeLinear",
                     "ReduceSum", "Transpose", "Concat", "TopK", "Clip", "Where", "Mod", "Shape", "Conv"])
    count = {"Add": 2, "MatMul": 2, "QuantizeLinear": 3, "DequantizeLinear": 3, "Concat": 2, "TopK": 2, "Where": 3,
             "Mod": 2, "Conv": 2}.get(op, 1)
    tensor = f"tensor<1x4x4x4x{element}>"
    attributes = {"MaxPool": "{kernel_shape = [2, 2]}", "Cast": "{to = 1 : i64}", "Concat": "{axis = 0 : i64}"}.get(op, "")
    operands = ", ".join(["%a"] * count)
    return (f'module attributes {{onnx.opset = {{ai.onnx = 17 : i64}}}} {{\nfunc.func @main(%a: {tensor}) -> !onnx.unknown {{\n'
            f'  %t = onnx.node "{op}"({operands}) {attributes} : ({", ".join([tensor] * count)}) -> !onnx.unknown\n'
            "  return %t : !onnx.unknown\n}\n}\n")


def make_linalg_ext(rng, kind, element):
    line = combine(kind, element, "%x", "%y", rng)
    compare = {"integer": "arith.cmpi slt", "index": "arith.cmpi slt", "float": "arith.cmpf olt"}.get(kind)
    if not compare or not line:
        return None
    return wrap(f"%a: tensor<4x8x{element}>", f"tensor<4x8x{element}>",
                f"  %t = iree_linalg_ext.sort dimension(1) outs(%a : tensor<4x8x{element}>) {{\n"
                f"  ^bb0(%x: {element}, %y: {element}):\n    %p = {compare}, %x, %y : {element}\n"
                f"    iree_linalg_ext.yield %p : i1\n  }} -> tensor<4x8x{element}>\n", "%t")


def make_mixture(rng, kind, element):
    """What the NPU runs beside what it does not."""
    return (f"func.func @main(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %o: tensor<4x8x{element}>) -> "
            f"(tensor<16x16xf32>, tensor<2x8x{element}>) {{\n"
            "  %z = arith.constant 0.0 : f32\n  %e = tensor.empty() : tensor<16x16xf32>\n"
            "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>\n"
            "  %m = linalg.matmul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> "
            "tensor<16x16xf32>\n"
            f"  %s = tensor.extract_slice %o[1, 0] [2, 8] [1, 1] : tensor<4x8x{element}> to tensor<2x8x{element}>\n"
            f"  return %m, %s : tensor<16x16xf32>, tensor<2x8x{element}>\n}}\n")


MODELS = [make for name, make in sorted(globals().items()) if name.startswith("make_")]


def make_form(rng, element):
    """A kernel with buffers of the type, in tile form, tensor form or planned form."""
    form = rng.choice(["tile", "tensor", "planned"])
    target = 'target = #npu.target<"npu-v1">'
    if form == "tensor":
        op = rng.choice(["npu.copy %a -> %e : tensor<8x16x{0}> -> tensor<8x16x{0}>",
                         "npu.unary neg %a -> %e : tensor<8x16x{0}> -> tensor<8x16x{0}>",
                         "npu.binary add %a, %a -> %e : tensor<8x16x{0}>, tensor<8x16x{0}> -> tensor<8x16x{0}>"]).format(element)
        return (f"npu.kernel @main(%a: tensor<8x16x{element}>) -> tensor<8x16x{element}> attributes {{{target}}} {{\n"
                f"  %e = tensor.empty() : tensor<8x16x{element}>\n  %t = {op}\n"
                f"  npu.return %t : tensor<8x16x{element}>\n}}\n")
    load = (f"npu.dma_load %a[%c0, %c0] -> %s extents(%c8, %c16) : memref<8x16x{element}, #npu.space<dram>> to "
            f"memref<8x16x{element}, #npu.space<sram>>")
    store = (f"npu.dma_store %s -> %b[%c0, %c0] extents(%c8, %c16) : memref<8x16x{element}, #npu.space<sram>> to "
             f"memref<8x16x{element}, #npu.space<dram>>")
    constants = "".join(f"  %c{n} = arith.constant {n} : index\n" for n in (0, 1, 8, 16))
    head = (f"npu.kernel @main(%a: memref<8x16x{element}, #npu.space<dram>>, %b: memref<8x16x{element}, "
            f"#npu.space<dram>> {{npu.output}}) attributes {{{target}, tiling = #npu.tiling<d0 = 8, d1 = 16>}} {{\n")
    if form == "planned":
        return (head + constants
                + "".join(f"  npu.stream {engine} cluster(0) {{\n    %s = npu.ring %c0 {{depth = 1, id = 0, offset = 0, "
                          f"slot_bytes = {rng.choice([64, 256, 1024, 4096])}}} : memref<8x16x{element}, "
                          f"#npu.space<sram>>\n    {move}\n  }}\n" for engine, move in (("dmai", load), ("dmao", store)))
                + "  npu.return\n}\n")
    copy = rng.choice(["", f"  npu.copy %s -> %s2 extents(%c8, %c16) : memref<8x16x{element}, #npu.space<sram>> -> "
                           f"memref<8x16x{element}, #npu.space<sram>>\n"])
    more = f"  %s2 = memref.alloc() : memref<8x16x{element}, #npu.space<sram>>\n" if copy else ""
    return (head + constants + f"  %s = memref.alloc() : memref<8x16x{element}, #npu.space<sram>>\n  {load}\n"
            + more + copy + f"  {store}\n  npu.return\n}}\n")


OWN = """func.func @main(%a: tensor<8x16xi8>) -> tensor<8x16xi8> {
  %e = tensor.empty() : tensor<8x16xi8>
  %t = linalg.copy ins(%a : tensor<8x16xi8>) outs(%e : tensor<8x16xi8>) -> tensor<8x16xi8>
  return %t : tensor<8x16xi8>
}
"""


def make_commands(tools, folder):
    run, opt, translate = tools
    model, form, own = folder / "model.mlir", folder / "form.mlir", folder / "own.mlir"
    return {
        "plan": [run, "--plan", model],
        "check": [run, "--check", model],
        "timing-only": [run, "--timing-only", model],
        "report": [run, "--check", f"--report={folder / 'report'}", model],
        "task-graph": [translate, "--mlir-to-npu-json", model, "-o", folder / "model.json"],
        "codegen": [opt, "--allow-unregistered-dialect", "--npu-front-half", "--npu-codegen-pipeline", model, "-o",
                    os.devnull],
        "codegen-alone": [opt, "--allow-unregistered-dialect", "--npu-codegen-pipeline", model, "-o", os.devnull],
        "partition": [opt, "--allow-unregistered-dialect", "--npu-partition-report", model, "-o", os.devnull],
        "host": [opt, "--allow-unregistered-dialect", "--npu-host-pipeline", model, "-o", os.devnull],
        "form": [run, f"--replace-form=0={form}", own],
        "form-alone": [run, form],
        "form-codegen": [opt, "--allow-unregistered-dialect", "--npu-codegen-pipeline", form, "-o", os.devnull],
    }


def try_model(tools, folder, counts):
    """Runs everything; returns what went wrong."""
    failures = []
    for name, command in make_commands(tools, folder).items():
        try:
            result = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, timeout=120)
        except subprocess.TimeoutExpired:
            failures.append(f"{name}: no end within 120 s")
            continue
        text = result.stderr.decode(errors="replace")
        counts[name, result.returncode] += 1
        if result.returncode < 0 or result.returncode > 3:
            failures.append(f"{name}: ended by signal {-result.returncode}")
        elif result.returncode == 3 and b"INCONCLUSIVE" not in result.stdout:
            failures.append(f"{name}: does not match the host")
        elif result.returncode not in (0, 3) and not ERROR.search(text):
            failures.append(f"{name}: exit code {result.returncode} without an error: {text[:200]!r}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[2])
    parser.add_argument("--rounds", type=int, default=int(os.environ.get("NPU_ODD_TYPE_ROUNDS", "4")))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first model")
    parser.add_argument("--keep", type=pathlib.Path, help="where to keep models that fail")
    parser.add_argument("tools", nargs=3)
    arguments = parser.parse_args()
    counts, bad = collections.Counter(), 0
    for round_number in range(arguments.first, arguments.first + arguments.rounds):
        rng = random.Random(f"{arguments.seed} {round_number}")
        text = None
        while not text:
            kind, element = pick_type(rng)
            text = rng.choice(MODELS)(rng, kind, element)
        form = make_form(rng, pick_type(rng)[1])
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for path, contents in (("model.mlir", text), ("form.mlir", form), ("own.mlir", OWN)):
                (folder / path).write_text(contents)
            failures = try_model(arguments.tools, folder, counts)
        if not failures:
            continue
        bad += 1
        print(f"model {round_number}: " + "; ".join(failures))
        if arguments.keep:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            (arguments.keep / f"{round_number}.mlir").write_text(text)
            (arguments.keep / f"{round_number}.form.mlir").write_text(form)
        else:
            print(text + "\n" + form)
        sys.stdout.flush()
    ended = ", ".join(f"{name} {code}: {count}" for (name, code), count in sorted(counts.items()))
    print(f"{arguments.rounds} models, {bad} of them wrong ({ended})")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
