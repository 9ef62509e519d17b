#!/usr/bin/env python3
"""Writes functions that give the difference of an op with zero points and the same in one body: zeros.

usage: zero-points.py <file.mlir>

The body subtracts the zero points from elements, which no pass touches. Prints a line for each function: its name and the type of the result.
"""
import pathlib
import random
import sys

# Name of the op, shapes of both operands and the result, loops, their maps, and the dimensions of windows.
OPS = [
    ("conv_2d_nchw_fchw_q", [1, 5, 8, 9], [6, 5, 3, 2], [1, 6, 3, 4], "n,f,h,w,c,p,q", "n, c, h * 2 + p, w * 2 + q", "f, c, p, q", "n, f, h, w", 2),
    ("conv_2d_ngchw_gfchw_q", [1, 2, 3, 8, 9], [2, 4, 3, 3, 3], [1, 2, 4, 3, 4], "n,g,f,h,w,c,p,q", "n, g, c, h * 2 + p, w * 2 + q", "g, f, c, p, q", "n, g, f, h, w", 2),
    ("conv_2d_nhwc_fhwc_q", [2, 8, 9, 5], [6, 3, 3, 5], [2, 3, 4, 6], "n,h,w,f,p,q,c", "n, h * 2 + p, w * 2 + q, c", "f, p, q, c", "n, h, w, f", 2),
    ("conv_2d_nhwc_hwcf_q", [1, 8, 9, 5], [3, 3, 5, 6], [1, 3, 4, 6], "n,h,w,f,p,q,c", "n, h * 2 + p, w * 2 + q, c", "p, q, c, f", "n, h, w, f", 2),
    ("conv_2d_nhwgc_gfhwc_q", [1, 8, 9, 2, 3], [2, 4, 3, 3, 3], [1, 3, 4, 2, 4], "n,h,w,g,f,p,q,c", "n, h * 2 + p, w * 2 + q, g, c", "g, f, p, q, c", "n, h, w, g, f", 2),
    ("conv_3d_ndhwc_dhwcf_q", [1, 5, 6, 7, 3], [2, 2, 2, 3, 4], [1, 2, 3, 3, 4], "n,d,h,w,f,o,p,q,c", "n, d * 2 + o, h * 2 + p, w * 2 + q, c", "o, p, q, c, f", "n, d, h, w, f", 3),
    ("depthwise_conv_2d_nhwc_hwc_q", [1, 8, 9, 6], [3, 3, 6], [1, 3, 4, 6], "n,h,w,c,p,q", "n, h * 2 + p, w * 2 + q, c", "p, q, c", "n, h, w, c", 2),
    ("depthwise_conv_2d_nhwc_hwcm_q", [1, 8, 9, 6], [3, 3, 6, 2], [1, 3, 4, 6, 2], "n,h,w,c,m,p,q", "n, h * 2 + p, w * 2 + q, c", "p, q, c, m", "n, h, w, c, m", 2),
    ("quantized_matmul", [7, 20], [20, 9], [7, 9], "m,n,k", "m, k", "k, n", "m, n", 0),
    ("quantized_batch_matmul", [3, 7, 20], [3, 20, 9], [3, 7, 9], "b,m,n,k", "b, m, k", "b, k, n", "b, m, n", 0),
]
# Zero points, what the sums start from, and whether the second operand is a constant.
KINDS = {
    "both": (-128, 11, "zero", False),
    "first": (7, 0, "zero", False),
    "second": (0, -9, "zero", False),
    "constant": (7, 0, "five", True),
    "bias": (-128, 0, "vector", True),
    "tensor": (-128, 0, "tensor", True),
}


def tensor(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def elements(shape):
    if not shape:
        return str(random.randint(-128, 127))
    return f"[{', '.join(elements(shape[1:]) for _ in range(shape[0]))}]"


def write(name, op, kind):
    operator, lhs, rhs, result, loops, lhs_map, rhs_map, result_map, windows = op
    lhs_zero, rhs_zero, start, is_constant = kind
    x, w, y = tensor(lhs, "i8"), tensor(rhs, "i8"), tensor(result, "i32")
    kept = result_map.split(", ")
    vector = [dim for dim in rhs_map.split(", ") if dim in kept]
    v = tensor([result[kept.index(dim)] for dim in vector], "i32")
    arguments = [f"%x: {x}"] + ([] if is_constant else [f"%w: {w}"])
    arguments += {"vector": [f"%b: {v}"], "tensor": [f"%i: {y}"]}.get(start, [])
    lines = [f"func.func @{name}({', '.join(arguments)}) -> {y} {{",
             f"  %zx = arith.constant {lhs_zero} : i32", f"  %zw = arith.constant {rhs_zero} : i32", f"  %e = tensor.empty() : {y}"]
    if is_constant:
        lines += [f"  %w = arith.constant dense<{elements(rhs)}> : {w}"]
    if start in ("zero", "five"):
        lines += [f"  %c = arith.constant {5 if start == 'five' else 0} : i32", f"  %i = linalg.fill ins(%c : i32) outs(%e : {y}) -> {y}"]
    if start == "vector":
        iterators = ", ".join(['"parallel"'] * len(kept))
        lines += [f"  %i = linalg.generic {{indexing_maps = [affine_map<({result_map}) -> ({', '.join(vector)})>, affine_map<({result_map}) -> ({result_map})>], "
                  f"iterator_types = [{iterators}]}} ins(%b : {v}) outs(%e : {y}) {{", "  ^bb0(%in: i32, %o: i32):", "    linalg.yield %in : i32", f"  }} -> {y}"]
    attributes = f" {{strides = dense<2> : tensor<{windows}xi64>, dilations = dense<1> : tensor<{windows}xi64>}}" if windows else ""
    iterators = ", ".join('"parallel"' if loop in kept else '"reduction"' for loop in loops.split(","))
    maps = ", ".join(f"affine_map<({loops}) -> ({map})>" for map in (lhs_map, rhs_map, result_map))
    lines += [f"  %y = linalg.{operator}{attributes} ins(%x, %w, %zx, %zw : {x}, {w}, i32, i32) outs(%i : {y}) -> {y}",
              f"  %z = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}} ins(%x, %w : {x}, {w}) outs(%i : {y}) {{",
              "  ^bb0(%a: i8, %b: i8, %sum: i32):" if start != "vector" else "  ^bb0(%a: i8, %c: i8, %sum: i32):",
              "    %0 = arith.extsi %a : i8 to i32", "    %1 = arith.subi %0, %zx : i32",
              f"    %2 = arith.extsi %{'c' if start == 'vector' else 'b'} : i8 to i32", "    %3 = arith.subi %2, %zw : i32",
              "    %4 = arith.muli %1, %3 : i32", "    %5 = arith.addi %sum, %4 : i32", "    linalg.yield %5 : i32", f"  }} -> {y}",
              f"  %d = linalg.sub ins(%y, %z : {y}, {y}) outs(%e : {y}) -> {y}", f"  return %d : {y}", "}"]
    print(name, f"{'x'.join(map(str, result))}xi32")
    return "\n".join(lines) + "\n"


random.seed(9)
pathlib.Path(sys.argv[1]).write_text("\n".join(write(f"{op[0]}_{kind}", op, KINDS[kind]) for op in OPS for kind in KINDS))
