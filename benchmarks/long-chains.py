#!/usr/bin/env python3
"""How the time of npu-run --timing-only grows with the number of element-wise ops that follow each other.

usage: long-chains.py [--runs=N] [--before=<npu-run>] <npu-run>

Models are generated, with 1000 and 4000 ops: additions and products of tensors in turn, the same in the body of one
generic, and products of matrices. CPU time, least of the runs. With --before, also that of an older build.
"""

import argparse
import pathlib
import tempfile

from measuring import cpu_seconds

LENGTHS = [1000, 4000]
TYPE = "tensor<16x16xf32>"
MAP = "affine_map<(i, j) -> (i, j)>"


def make_ops(length):
    """Ops on tensors, which become one body."""
    ops = "".join(f'  %x{i + 1} = arith.{"addf" if i % 2 else "mulf"} %x{i}, %w : {TYPE}\n' for i in range(length))
    return f"func.func @main(%x0: {TYPE}, %w: {TYPE}) -> {TYPE} {{\n{ops}  return %x{length} : {TYPE}\n}}\n"


def make_body(length):
    ops = "".join(f'    %x{i + 1} = arith.{"addf" if i % 2 else "mulf"} %x{i}, %b : f32\n' for i in range(length))
    return (f"func.func @main(%x: {TYPE}, %w: {TYPE}) -> {TYPE} {{\n  %e = tensor.empty() : {TYPE}\n"
            f'  %r = linalg.generic {{indexing_maps = [{MAP}, {MAP}, {MAP}], iterator_types = ["parallel", "parallel"]}}\n'
            f"      ins(%x, %w : {TYPE}, {TYPE}) outs(%e : {TYPE}) {{\n  ^bb0(%x0: f32, %b: f32, %o: f32):\n{ops}"
            f"    linalg.yield %x{length} : f32\n  }} -> {TYPE}\n  return %r : {TYPE}\n}}\n")


def make_products(length):
    ops = "".join(f"  %f{i} = linalg.fill ins(%z : f32) outs(%e : {TYPE}) -> {TYPE}\n"
                  f"  %x{i + 1} = linalg.matmul ins(%x{i}, %w : {TYPE}, {TYPE}) outs(%f{i} : {TYPE}) -> {TYPE}\n"
                  for i in range(length))
    return (f"func.func @main(%x0: {TYPE}, %w: {TYPE}) -> {TYPE} {{\n  %z = arith.constant 0.0 : f32\n"
            f"  %e = tensor.empty() : {TYPE}\n{ops}  return %x{length} : {TYPE}\n}}\n")


def time_run(tool, model):
    return cpu_seconds(tool, "--timing-only", "--mlir-disable-threading", model, quiet=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--before")
    parser.add_argument("npu_run")
    args = parser.parse_args()
    print("| model | " + " | ".join(f"{n} ops" for n in LENGTHS) + " | ratio | before |\n|---|" + "---|" * 4)
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder, "model.mlir")
        for name, make in [("ops on tensors", make_ops), ("one body", make_body), ("products", make_products)]:
            times, old = [], []
            for length in LENGTHS:
                model.write_text(make(length))
                times.append(min(time_run(args.npu_run, model) for _ in range(args.runs)))
                if args.before:
                    old.append(min(time_run(args.before, model) for _ in range(args.runs)))
            print(f"| {name} | " + " | ".join(f"{time:.2f} s" for time in times) + f" | {times[1] / times[0]:.1f} | "
                  + (", ".join(f"{time:.2f} s" for time in old) or "-") + " |", flush=True)


if __name__ == "__main__":
    main()
