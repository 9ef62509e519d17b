#!/usr/bin/env python3
"""How the time from a model to its task graph grows with the number of dispatches.

usage: many-dispatches.py [--runs=N] [--before=<npu-translate>] <npu-translate>

Models are generated, with 1000 and 10000 dispatches: a chain of matmul + bias + relu, to which every tenth block adds
the result of the block ten before, and two such chains side by side that a last dispatch adds. CPU time of
`npu-translate --mlir-to-npu-json`, least of the runs, which run in turn; threads are off. With --before, also that of an
older build, and whether the files are the same.
"""

import argparse
import pathlib
import tempfile

from measuring import cpu_seconds

LENGTHS = [1000, 10000]
TYPE = "tensor<16x32xf32>"

HEADER = """\
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @main(%in0: {type}, %in1: {type}, %w: tensor<32x32xf32>, %b: tensor<32xf32>) -> {type} {{
  %z = arith.constant 0.000000e+00 : f32
  %e = tensor.empty() : {type}
"""

BLOCK = """\
  %{x}f = linalg.fill ins(%z : f32) outs(%e : {type}) -> {type}
  %{x}m = linalg.matmul ins({source}, %w : {type}, tensor<32x32xf32>) outs(%{x}f : {type}) -> {type}
  %{x} = linalg.generic {{indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%{x}m, %b : {type}, tensor<32xf32>) outs(%e : {type}) {{
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %r = arith.maximumf %s, %z : f32
    linalg.yield %r : f32
  }} -> {type}
"""

SUM = """\
  %{x} = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}}
      ins({a}, {b} : {type}, {type}) outs(%e : {type}) {{
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  }} -> {type}
"""


def make_chain(number, length):
    """The text of a chain and its last value. A sum goes into the dispatch of the matmul before it."""
    text, value, old = [], f"%in{number}", f"%in{number}"
    for i in range(length):
        name = f"c{number}_{i}"
        text.append(BLOCK.format(x=name, source=value, type=TYPE))
        value = f"%{name}"
        if i % 10 == 9:
            text.append(SUM.format(x=f"{name}s", a=value, b=old, type=TYPE))
            value = old = f"%{name}s"
    return "".join(text), value


def make_model(length, branches):
    chains = [make_chain(i, length // branches) for i in range(branches)]
    text, value = HEADER.format(type=TYPE), chains[0][1]
    lines = [chain.splitlines(keepends=True) for chain, _ in chains]
    text += "".join("".join(part) for part in lines)
    for i, (_, other) in enumerate(chains[1:]):
        text += SUM.format(x=f"sum{i}", a=value, b=other, type=TYPE)
        value = f"%sum{i}"
    return text + f"  return {value} : {TYPE}\n}}\n"


def time_run(tool, model, output):
    return cpu_seconds(tool, "--mlir-to-npu-json", "--mlir-disable-threading", model, "-o", output)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--before")
    parser.add_argument("npu_translate")
    args = parser.parse_args()
    tools = [args.npu_translate] + ([args.before] if args.before else [])
    print("| model | " + " | ".join(f"{n} dispatches" for n in LENGTHS) + " | ratio | before |\n|---|" + "---|" * 4)
    with tempfile.TemporaryDirectory() as folder:
        for name, branches in [("one chain", 1), ("two chains", 2)]:
            times = []
            for length in LENGTHS:
                model = pathlib.Path(folder, "model.mlir")
                model.write_text(make_model(length, branches))
                runs = [[] for _ in tools]
                files = set()
                for _ in range(args.runs):
                    for column, tool in zip(runs, tools):
                        output = pathlib.Path(folder, "model.json")
                        column.append(time_run(tool, model, output))
                        files.add(output.read_bytes() + output.with_suffix(".bin").read_bytes())
                if len(files) != 1:
                    print(f"note: {name}, {length} dispatches: the files differ")
                times.append([min(column) for column in runs])
            cells = [f"{time[0]:.2f} s" for time in times] + [f"{times[1][0] / times[0][0]:.1f}"]
            cells.append(f"{times[0][1]:.2f} s, {times[1][1]:.2f} s" if args.before else "-")
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
