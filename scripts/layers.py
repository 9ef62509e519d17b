#!/usr/bin/env python3
"""layers.py <table.csv>...: the layers of networks as linalg functions, one per row.

Every contraction is i8 with a bias and a requantized i8 result, as an integer-only network has it. Rows without
products (pools, norms, additions) are left out. A function is named after its row; its table is a comment.
"""
import csv
import sys

# Scale, limits and rounding of a quantized layer; the figures do not matter, the form does.
TAIL = """  %scale = arith.constant 1.230000e-02 : f32
  %low = arith.constant -1.280000e+02 : f32
  %high = arith.constant 1.270000e+02 : f32
  %e = tensor.empty() : tensor<{sums}xi8>
  %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
      ins({inputs} : {types}) outs(%e : tensor<{sums}xi8>) {{
  ^bb0(%s: i32{argument}, %o: i8):
{add}    %f = arith.sitofp {sum} : i32 to f32
    %m = arith.mulf %f, %scale : f32
    %q = math.roundeven %m : f32
    %l = arith.maximumf %q, %low : f32
    %h = arith.minimumf %l, %high : f32
    %n = arith.fptosi %h : f32 to i8
    linalg.yield %n : i8
  }} -> tensor<{sums}xi8>
  return %r : tensor<{sums}xi8>
}}
"""


def shape(*sizes):
    return "x".join(str(size) for size in sizes)


def print_layer(row):
    name, op = row["name"].replace(".", "_"), row["op"]
    v = {key: int(row[key]) for key in row if key not in ("name", "op", "note")}
    prologue, has_bias, bias_rank = "", True, 1
    if op in ("gemm", "matmul"):
        batch = [v["batch"]] if op == "matmul" else []
        lhs, rhs = shape(*batch, v["gM"], v["gK"]), shape(*batch, v["gK"], v["gN"])
        sums, channels = shape(*batch, v["gM"], v["gN"]), v["gN"]
        named, has_bias = ("linalg.batch_matmul", False) if batch else ("linalg.matmul", True)
        source, rank = "%x", len(batch) + 2
    elif op in ("conv", "dwconv"):
        # Channels are one dimension, or groups and channels of each; a filter of a depthwise one has no outputs.
        depthwise, groups = op == "dwconv", v["G"]
        is_grouped = groups != 1 and not depthwise
        ins = [groups, v["C"] // groups] if is_grouped else [v["C"]]
        outs = [groups, v["OC"] // groups] if is_grouped else [v["OC"]]
        kernel = [v["KH"], v["KW"]]
        kind, filter = ("conv_2d_nhwc_hwcf", kernel + ins + outs)
        if depthwise:
            kind, filter = "depthwise_conv_2d_nhwc_hwc", kernel + ins
        elif is_grouped:
            kind, filter = "conv_2d_nhwgc_gfhwc", outs + kernel + ins[1:]
        lhs, rhs = shape(v["N"], v["H"], v["W"], *ins), shape(*filter)
        sums, channels = shape(v["N"], v["OH"], v["OW"], *outs), shape(*outs)
        padded = shape(v["N"], v["PT"] + v["H"] + v["PB"], v["PL"] + v["W"] + v["PR"], *ins)
        source, rank, unpadded, bias_rank = "%x", 3 + len(outs), lhs, len(outs)
        if padded != unpadded:
            zeros = ", 0" * len(ins)
            places = ", ".join(f"%i{i}: index" for i in range(3 + len(ins)))
            prologue = f"""  %p = arith.constant 0 : i8
  %padded = tensor.pad %x low[0, {v["PT"]}, {v["PL"]}{zeros}] high[0, {v["PB"]}, {v["PR"]}{zeros}] {{
  ^bb0({places}):
    tensor.yield %p : i8
  }} : tensor<{unpadded}xi8> to tensor<{padded}xi8>
"""
            source = "%padded"
        named = (f"linalg.{kind} {{strides = dense<[{v['SH']}, {v['SW']}]> : tensor<2xi64>, "
                 f"dilations = dense<[{v['DH']}, {v['DW']}]> : tensor<2xi64>}}")
    else:
        return
    argument_type, operand_type = lhs, padded if source == "%padded" else lhs
    dims = ", ".join(f"d{i}" for i in range(rank))
    identity = f"affine_map<({dims}) -> ({dims})>"
    bias_dims = ", ".join(f"d{i}" for i in range(rank - bias_rank, rank))
    bias_map = f"affine_map<({dims}) -> ({bias_dims})>"
    bias = f", %bias: tensor<{channels}xi32>" if has_bias else ""
    print(f"func.func @{name}(%x: tensor<{argument_type}xi8>, %w: tensor<{rhs}xi8>{bias}) -> tensor<{sums}xi8> {{")
    print(prologue, end="")
    print(f"""  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<{sums}xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<{sums}xi32>) -> tensor<{sums}xi32>
  %sum = {named} ins({source}, %w : tensor<{operand_type}xi8>, tensor<{rhs}xi8>)
      outs(%init : tensor<{sums}xi32>) -> tensor<{sums}xi32>""")
    print(TAIL.format(
        sums=sums, maps=", ".join([identity, bias_map, identity] if has_bias else [identity, identity]),
        iterators=", ".join(['"parallel"'] * rank),
        inputs="%sum, %bias" if has_bias else "%sum",
        types=f"tensor<{sums}xi32>" + (f", tensor<{channels}xi32>" if has_bias else ""),
        argument=", %b: i32" if has_bias else "",
        add="    %t = arith.addi %s, %b : i32\n" if has_bias else "", sum="%t" if has_bias else "%s"))


for path in sys.argv[1:]:
    with open(path) as table:
        print(f"// {path}")
        for row in csv.DictReader(table):
            print_layer(row)
