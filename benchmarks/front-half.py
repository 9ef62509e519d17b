#!/usr/bin/env python3
"""Measures how the time of `npu-opt --npu-front-half` compares with the part that every compiler needs.

usage: front-half.py [--runs=N] <npu-opt> <mlir-opt> <corpus>

Speed: many renamed copies of a network of the corpus in one module; CPU time (user and system,
threads off) of the front half over that of parsing and printing the same file.
Scale: a chain of matmul + bias + relu in one function, ten times as long as another one; how the
CPU time of a block grows, against how it grows in `mlir-opt -canonicalize -cse` on the same files.
To start a process takes a fifth of what upstream needs for the short chain, and hides part of how
its time per block grows. Growth is therefore told twice: of the whole process, and of what it takes
more than for an empty module.
All commands that are compared run in turn, and every figure is the least of its runs: other work on
the machine only ever adds to them.
"""

import argparse
import os
import pathlib
import re
import subprocess
import tempfile

COPIES = 50
NETWORKS = ["net_bert_base_f32", "net_resnet50_nchw_f16", "net_resnet50_nhwc_f32"]
CHAINS = [1000, 10000]

BLOCK = """\
    %z{i} = arith.constant 0.000000e+00 : f32
    %e{i} = tensor.empty() : tensor<64x128xf32>
    %f{i} = linalg.fill ins(%z{i} : f32) outs(%e{i} : tensor<64x128xf32>) -> tensor<64x128xf32>
    %m{i} = linalg.matmul ins(%x{i}, %w : tensor<64x128xf32>, tensor<128x128xf32>)
        outs(%f{i} : tensor<64x128xf32>) -> tensor<64x128xf32>
    %a{i} = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
        affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
        iterator_types = ["parallel", "parallel"]}}
        ins(%m{i}, %b : tensor<64x128xf32>, tensor<128xf32>) outs(%e{i} : tensor<64x128xf32>) {{
    ^bb0(%p: f32, %q: f32, %o: f32):
      %r = arith.addf %p, %q : f32
      linalg.yield %r : f32
    }} -> tensor<64x128xf32>
    %x{next} = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
        affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}}
        ins(%a{i} : tensor<64x128xf32>) outs(%e{i} : tensor<64x128xf32>) {{
    ^bb0(%p: f32, %o: f32):
      %r = arith.maximumf %p, %z{i} : f32
      linalg.yield %r : f32
    }} -> tensor<64x128xf32>
"""


def copy_network(text, copies):
    """The module with `copies` copies of what is in it, which differ in the names of all symbols."""
    lines = text.rstrip().splitlines()
    body = "\n".join(lines[1:-1])
    renamed = (re.sub(r"@(\w+)", rf"@\1_{i}", body) for i in range(copies))
    return "\n".join([lines[0], *renamed, lines[-1]])


def make_chain(length):
    blocks = (BLOCK.format(i=i, next=i + 1) for i in range(length))
    return ("func.func @main(%x0: tensor<64x128xf32>, %w: tensor<128x128xf32>, %b: tensor<128xf32>)"
            " -> tensor<64x128xf32> {\n" + "".join(blocks) +
            f"  return %x{length} : tensor<64x128xf32>\n}}\n")


def cpu_seconds(command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(map(str, command))} failed")
    return usage.ru_utime + usage.ru_stime


def measure(commands, runs):
    """The least CPU time of every command; they run in turn, so that all see the same machine."""
    times = [[cpu_seconds(command) for command in commands] for _ in range(runs)]
    return [min(column) for column in zip(*times)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("npu_opt")
    parser.add_argument("mlir_opt")
    parser.add_argument("corpus", type=pathlib.Path)
    args = parser.parse_args()
    plain = [args.npu_opt, "--mlir-disable-threading"]
    front_half = [*plain, "--npu-front-half"]
    upstream = [args.mlir_opt, "--mlir-disable-threading", "-canonicalize", "-cse"]

    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "input.mlir")
        print(f"{f'{COPIES} copies of':24} {'parse, print':>12} {'front half':>12} {'ratio':>8}")
        for network in NETWORKS:
            text = (args.corpus / network / "input.mlir").read_text()
            file.write_text(copy_network(text, COPIES))
            base, ours = measure([[*plain, file], [*front_half, file]], args.runs)
            print(f"{network:24} {base:10.2f} s {ours:10.2f} s {ours / base:8.1f}")

        files = [pathlib.Path(folder, f"chain{length}.mlir") for length in CHAINS]
        for chain, length in zip(files, CHAINS):
            chain.write_text(make_chain(length))
        empty = pathlib.Path(folder, "empty.mlir")
        empty.write_text("module {}\n")
        files = [empty, *files]
        commands = [[*command, chain] for command in (upstream, front_half) for chain in files]
        times = measure(commands, args.runs)
        growths = []
        print(f"\n{'blocks in one function':24}" + "".join(f" {n:12}" for n in [0, *CHAINS]) +
              f" {'growth':>8} {'of blocks':>9}")
        for name, (start, short, long) in zip(["canonicalize, cse", "front half"],
                                              [times[:3], times[3:]]):
            scale = CHAINS[0] / CHAINS[1]
            growths.append((long * scale / short, (long - start) * scale / (short - start)))
            print(f"{name:24} {start:10.2f} s {short:10.2f} s {long:10.2f} s"
                  f" {growths[-1][0]:8.2f} {growths[-1][1]:9.2f}")
        whole, blocks = (ours / theirs for theirs, ours in zip(*growths))
        print(f"{'front half over upstream':63} {whole:8.2f} {blocks:9.2f}")


if __name__ == "__main__":
    main()
