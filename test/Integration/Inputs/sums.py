"""Runs sums of many shapes on the NPU and compares them with the host's, bit by bit.

usage: sums.py <npu-run> <folder> <target>...

Small integers add up exactly in any order. A target without floats gets the integers only.
"""

import itertools
import pathlib
import subprocess
import sys

TYPES = {"f32": "f32", "f16": "f16", "bf16": "f32", "i8": "i32", "i16": "i32"}
REDUCTIONS = [  # operand, reduced dimensions
    ([7, 300], [1]), ([300, 7], [0]), ([33, 65], [1]), ([4, 64, 9], [1]), ([5, 3, 40], [2]),
    ([40, 3, 5], [0]), ([2, 3, 4, 50], [2, 3]), ([6, 1], [1]), ([2, 100, 100], [1, 2])]
POOLINGS = [  # op, operand, window, stride, result
    ("pooling_nhwc_sum", [2, 9, 9, 33], [3, 3], 2, [2, 4, 4, 33]),
    ("pooling_nchw_sum", [2, 5, 8, 8], [2, 2], 1, [2, 5, 7, 7]),
    ("pooling_nwc_sum", [1, 20, 8], [5], 3, [1, 6, 8]),
    ("pooling_nhwc_sum", [1, 7, 7, 64], [7, 7], 1, [1, 1, 1, 64])]

MODEL = """\
func.func @sum(%x: {operand}) -> {result} {{
  %zero = arith.constant {zero} : {type}
  %empty = tensor.empty() : {result}
  %init = linalg.fill ins(%zero : {type}) outs(%empty : {result}) -> {result}
{op}
  return %sum : {result}
}}
"""
REDUCE = """\
  %sum = linalg.reduce ins(%x : {operand}) outs(%init : {result}) dimensions = {dimensions}
  (%in: {input}, %out: {type}) {{
    {extend}
    %1 = arith.add{kind} %0, %out : {type}
    linalg.yield %1 : {type}
  }}"""
POOL = """\
  %window = tensor.empty() : {window}
  %sum = linalg.{name} {{strides = dense<{stride}> : vector<{rank}xi64>}}
      ins(%x, %window : {operand}, {window}) outs(%init : {result}) -> {result}"""


def tensor(shape, element):
    return "tensor<" + "x".join([*map(str, shape), element]) + ">"


def make_models(element):
    result_type = TYPES[element]
    is_float = "f" in result_type
    common = {"type": result_type, "zero": "0.0" if is_float else "0"}
    extend = (f"%0 = arith.ext{'f' if is_float else 'si'} %in : {element} to {result_type}"
              if element != result_type else "%0 = arith.bitcast %in : {0} to {0}".format(element))
    for shape, dimensions in REDUCTIONS:
        kept = [size for dim, size in enumerate(shape) if dim not in dimensions]
        types = {"operand": tensor(shape, element), "result": tensor(kept, result_type)}
        op = REDUCE.format(**common, **types, dimensions=dimensions, input=element,
                           kind="f" if is_float else "i", extend=extend)
        if element == result_type:
            op = op.replace(extend + "\n    ", "").replace("%0, %out", "%in, %out")
        yield f"sum of {types['operand']} along {dimensions}", MODEL.format(**common, **types, op=op)
    for name, shape, window, stride, result in POOLINGS:
        types = {"operand": tensor(shape, element), "result": tensor(result, result_type),
                 "window": tensor(window, element)}
        op = POOL.format(**types, name=name, stride=stride, rank=len(window))
        del types["window"]
        yield f"{name} of {types['operand']}", MODEL.format(**common, **types, op=op)


def main():
    npu_run, folder, *targets = sys.argv[1:]
    model_file = pathlib.Path(folder) / "sum.mlir"
    model_file.parent.mkdir(parents=True, exist_ok=True)
    runs = 0
    for target, element in itertools.product(targets, TYPES):
        if target == "npu-tiny" and "f" in element:
            continue
        for name, text in make_models(element):
            model_file.write_text(text)
            run = subprocess.run([npu_run, "--check", f"--target={target}", "--npu-fallback=error",
                                  "--input=smallints(3)", str(model_file)],
                                 capture_output=True, text=True)
            if run.returncode or "max abs error 0," not in run.stdout:
                sys.exit(f"{target}: {name}:\n{run.stdout}{run.stderr}")
            runs += 1
    print(f"{runs} sums equal the host's")


main()
