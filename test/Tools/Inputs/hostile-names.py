#!/usr/bin/env python3
"""hostile-names.py [--names=N] [--seed=S] <npu-run> <npu-opt> <npu-translate> <npu-cycles> <walk_task_graph.py>

Random strings that would move a cursor, end a line, turn the direction of writing or be a formula, as names in models:
of functions, arguments, results, places, globals, nodes and tensors of ONNX graphs, and files. Whatever the tools print
and write about these models has no control character but the ends of its own lines, no character that formats others,
no line that a name began and no cell that a spreadsheet would compute. The names are in there all the same.

NPU_HOSTILE_NAMES is the number of strings if --names is not given.
"""
import argparse
import csv
import io
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unicodedata

FORGED = "FORGED"
PIECES = ["\x1b[31m", "\x1b]0;title\x07", "\r", "\n", "\r\n", "\t", "\x00", "\x08", "\x0b", "\x0c", "\x7f", "\x85", "\x9b1m",
          "\u202e", "\u2066", "\u2069", "\u200f", "\u200b", "\u2028", "\u2029", "\u061c", "\ufeff", "\U000e0041",
          "\n" + FORGED + " matches host\n", "\r" + FORGED, "\u2028" + FORGED, "\x85" + FORGED,
          "\"", "'", ",", ";", "\\", "<b>", "</script>", "&amp;", "{0}", "%s", "$(id)", "`id`", "=1+1", "名", "é", "🙂", " "]
STARTS = ["=cmd|'/C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\x1b[2J", "\u202e=1", "\"=1", "a", "é"]
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?\Z")


def make_name(rng):
    return rng.choice(STARTS) + "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 5))) + "NAME"


# ----------------------------------------------------------------------------------------------------------------------
# The checker
# ----------------------------------------------------------------------------------------------------------------------


def find_characters(text):
    for position, c in enumerate(text):
        if c != "\n" and c != "\u00ad" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs"):
            yield f"U+{ord(c):04x} in {text[max(0, position - 30):position + 30]!r}"
            return


def find_lines(text):
    for line in text.split("\n"):
        if line.lstrip(" \"'|#*>").startswith(FORGED):
            yield f"a forged line {line!r}"
            return


def find_cells(text):
    for row in csv.reader(io.StringIO(text)):
        for cell in row:
            if cell.startswith(FORMULAS) and not NUMBER.match(cell):
                yield f"a formula {cell!r}"
                return


def check(where, data, failures):
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        failures.append(f"{where}: no UTF-8: {error}")
        return
    for find in (find_characters, find_lines) + ((find_cells,) if where.endswith(".csv") else ()):
        failures.extend(f"{where}: {what}" for what in find(text))
    if where.endswith((".json", ".sarif")):
        json.loads(text)


def check_binary(where, data, failures):
    for raw in (b"\x1b[", b"\x1b]", "\u202e".encode(), "\u2066".encode(), b"\n" + FORGED.encode()):
        if raw in data:
            failures.append(f"{where}: {raw!r}")


# ----------------------------------------------------------------------------------------------------------------------
# Models
# ----------------------------------------------------------------------------------------------------------------------


def quote(name):
    """A string of MLIR."""
    return '"' + "".join(chr(b) if 0x20 <= b < 0x7f and chr(b) not in '"\\' else f"\\{b:02X}"
                         for b in name.encode("utf-8")) + '"'


def symbol(name):
    return "@" + quote(name.replace("\0", ""))


def make_model(names):
    """A dispatch for the NPU, one for the host, places and names of inputs and outputs."""
    a, b, out, place1, place2, place3, place4, file = names
    return f"""func.func @main(%a: tensor<16x16xf32> {{iree.abi.name = {quote(a)}}}, %b: tensor<16x16xf32> {{iree.abi.name = {quote(b)}}}) -> (tensor<16x16xf64> {{iree.abi.name = {quote(out)}}}) {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x16xf32> loc({quote(place1)})
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x16xf32>) -> tensor<16x16xf32> loc({quote(place4)})
  %p = linalg.matmul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%init : tensor<16x16xf32>) -> tensor<16x16xf32> loc({quote(place2)})
  %e2 = tensor.empty() : tensor<16x16xf64>
  %q = linalg.generic {{indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]}} ins(%p : tensor<16x16xf32>) outs(%e2 : tensor<16x16xf64>) {{
   ^bb0(%x: f32, %o: f64):
     %y = arith.extf %x : f32 to f64 loc({quote(file)}:3:4)
     linalg.yield %y : f64 }} -> tensor<16x16xf64> loc({quote(place3)})
  return %q : tensor<16x16xf64>
}}
"""


def make_dispatch(names):
    """Dispatches as IREE dumps them: symbols of executables, functions and globals."""
    executable, function, state, host = names
    tensor = "tensor<16x16xf32>"
    return f"""flow.executable private {symbol(executable)} {{
  flow.executable.export public {symbol(function)} workgroups() -> (index, index, index) {{
    %c1 = arith.constant 1 : index
    flow.return %c1, %c1, %c1 : index, index, index
  }}
  builtin.module {{
    func.func {symbol(function)}(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:{tensor}>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:{tensor}>) {{
      %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [16, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:{tensor}> -> {tensor}
      %1 = tensor.empty() : {tensor}
      %2 = linalg.add ins(%0, %0 : {tensor}, {tensor}) outs(%1 : {tensor}) -> {tensor}
      iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0, 0], sizes = [16, 16], strides = [1, 1] : {tensor} -> !iree_tensor_ext.dispatch.tensor<writeonly:{tensor}>
      return
    }}
  }}
}}
util.global private mutable {symbol(state)} = dense<1.0> : {tensor}
util.func public {symbol(host)}(%a: {tensor}) -> {tensor} {{
  %g = util.global.load {symbol(state)} : {tensor}
  util.global.store %a, {symbol(state)} : {tensor}
  %0 = flow.dispatch {symbol(executable)}::{symbol(function)}(%g) : ({tensor}) -> {tensor}
  util.return %0 : {tensor}
}}
"""


def make_errors(names):
    """What no tool takes: messages have the names."""
    a, b, c = names
    return {
        "unknown-op.mlir": f"func.func {symbol(a)}(%x: tensor<4xf32>) -> tensor<4xf32> {{\n"
                           f"  %0 = \"odd.op\"(%x) {{name = {quote(b)}}} : (tensor<4xf32>) -> tensor<4xf32> loc({quote(c)}:1:1)\n"
                           "  return %0 : tensor<4xf32>\n}\n",
        "two-functions.mlir": f"func.func {symbol(a)}(%x: tensor<4xf32>) -> tensor<4xf32> {{\n  return %x : tensor<4xf32>\n}}\n"
                              f"func.func {symbol(b)}(%x: tensor<4xf32>) -> tensor<4xf32> {{\n  return %x : tensor<4xf32>\n}}\n",
        "syntax.mlir": f"// {b.translate(dict.fromkeys(map(ord, chr(10) + chr(0))))}\nfunc.func {symbol(a)}(%x: tensor<4xf32>) -> {{ \x1b[31m \u202e\n",
        "no-callee.mlir": f"func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{\n"
                          f"  %0 = func.call {symbol(c)}(%x) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}}\n",
    }


def quote_proto(name):
    return '"' + "".join(chr(b) if 0x20 <= b < 0x7f and chr(b) not in '"\\' else f"\\{b:03o}"
                         for b in name.encode("utf-8")) + '"'


def make_onnx(names, folder):
    tensor, middle, output, node, other, domain = map(quote_proto, names)
    text = f"""ir_version: 8
opset_import {{ version: 17 }}
graph {{
  name: {other}
  node {{ name: {node} op_type: "Relu" input: {tensor} output: {middle} }}
  node {{ name: {domain} op_type: "Softsign" input: {middle} output: {output} }}
  input {{ name: {tensor} type {{ tensor_type {{ elem_type: 1 shape {{ dim {{ dim_value: 4 }} dim {{ dim_value: 8 }} }} }} }} }}
  output {{ name: {output} type {{ tensor_type {{ elem_type: 1 shape {{ dim {{ dim_value: 4 }} dim {{ dim_value: 8 }} }} }} }} }}
}}
"""
    bad = text.replace('"Softsign"', domain).replace(f"input: {middle}", f"input: {node}")
    for path, contents in (("model.onnx", text), ("bad.onnx", bad)):
        encoded = subprocess.run(["protoc", "--proto_path=/usr/include/onnx", "--encode=onnx.ModelProto",
                                  "/usr/include/onnx/onnx.proto"], input=contents.encode(), stdout=subprocess.PIPE, check=True)
        (folder / path).write_bytes(encoded.stdout)


# ----------------------------------------------------------------------------------------------------------------------
# Runs
# ----------------------------------------------------------------------------------------------------------------------


class Runs:
    def __init__(self, folder, failures):
        self.folder, self.failures = folder, failures
        self.count = 0
        self.seen = b""

    def run(self, *command, known=(), binary=False, isIR=False):
        """Runs a tool, checks what it prints and the files that it makes."""
        before = {path for path in self.folder.rglob("*") if path.is_file()}
        result = subprocess.run([str(word) if not isinstance(word, bytes) else word for word in command],
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        what = " ".join([pathlib.Path(command[0]).name] + [word for word in map(str, command[1:]) if word.startswith("--")])
        self.count += 1
        if result.returncode < 0:
            self.failures.append(f"{what}: ended by signal {-result.returncode}")
        check(what + " stdout" + (".csv" if "npu-cycles" in what else ""), result.stdout, self.failures)
        check(what + " stderr", result.stderr, self.failures)
        self.seen += result.stdout + result.stderr
        for path in sorted({path for path in self.folder.rglob("*") if path.is_file()} - before):
            data = path.read_bytes()
            is_text = path.suffix in (".json", ".csv", ".html", ".dot", ".sarif", ".txt", ".log")
            if path.suffix != ".bin": # programs, for machines
                (check if is_text else check_binary)(f"{what}: {path.name}", data, self.failures)
            self.seen += data
        return result


def try_names(names, tools, folder, failures):
    run_tool, opt, translate, cycles, walk = tools
    runs = Runs(folder, failures)
    source = iter(names)
    take = lambda count: [next(source) for _ in range(count)]
    (folder / "model.mlir").write_text(make_model(take(8)))
    (folder / "dispatch.mlir").write_text(make_dispatch(take(4)))
    make_onnx(take(6), folder)
    for path, text in make_errors(take(3)).items():
        (folder / path).write_text(text)
    file, wrong = take(2)
    # A file's name has no slash.
    hostile = os.fsencode(str(folder)) + b"/" + file.replace("/", "").replace("\0", "").encode() + b".mlir"
    pathlib.Path(os.fsdecode(hostile)).write_text((folder / "model.mlir").read_text())
    for number, model in enumerate(("model.mlir", "dispatch.mlir", "model.onnx")):
        runs.run(run_tool, "--plan", model)
        runs.run(run_tool, "--check", f"--report=report{number}", f"--trace=trace{number}.json", f"--sarif={number}.sarif", model)
        runs.run(run_tool, "--timing-only", f"--trace=trace{number}.pftrace", f"--model-explorer=explorer{number}", model)
        runs.run(translate, "--mlir-to-npu-json", model, "-o", f"graph{number}.json")
        runs.run(translate, "--validate-npu-json", f"graph{number}.json")
        runs.run(sys.executable, walk, f"graph{number}.json")
        runs.run(run_tool, "--allow-host-code", f"--sarif=graph{number}.sarif", f"--report=graph-report{number}", f"graph{number}.json")
    runs.run(run_tool, "--check", "--bisect", "--compare-schedules", "model.mlir")
    runs.run(cycles, "--target=npu-v1", "dispatch.mlir")
    runs.run(opt, "--npu-partition-report", "dispatch.mlir", "-o", os.devnull)
    runs.run(opt, "--npu-partition-report=format=json", "dispatch.mlir", "-o", os.devnull)
    runs.run(opt, "--npu-print-dispatches", "model.mlir", "-o", os.devnull)
    runs.run(translate, "--dispatch-graph-dot", "dispatch.mlir", "-o", "dispatches.dot")
    for path in ("unknown-op.mlir", "two-functions.mlir", "syntax.mlir", "no-callee.mlir", "bad.onnx"):
        runs.run(run_tool, f"--sarif={path}.sarif", path)
        runs.run(translate, "--mlir-to-npu-json", path, "-o", "bad.json")
    runs.run(translate, "--onnx-to-mlir", "bad.onnx", "-o", os.devnull)
    argument = wrong.replace("\0", "").encode()
    runs.run(run_tool, "--plan", hostile)
    runs.run(run_tool, b"--function=" + argument, "model.mlir")
    runs.run(run_tool, b"--input=" + argument + b"=4xf32=1", "model.mlir")
    runs.run(run_tool, b"--target=" + argument, "model.mlir")
    runs.run(run_tool, hostile + argument.replace(b"/", b""))
    runs.run(translate, "--mlir-to-npu-asm", hostile, "-o", os.devnull)
    runs.run(translate, "--onnx-to-mlir", hostile, "-o", os.devnull)
    runs.run(cycles, "--target=npu-v1", hostile)
    return runs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--names", type=int, default=int(os.environ.get("NPU_HOSTILE_NAMES", "23")))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("tools", nargs=5)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    tools = [os.path.abspath(tool) if os.path.exists(tool) else tool for tool in arguments.tools]
    bad, runs, used = 0, 0, 0
    while used < arguments.names:
        names = [make_name(rng) for _ in range(23)]
        failures = []
        with tempfile.TemporaryDirectory() as folder:
            made = try_names(names, tools, pathlib.Path(folder), failures)
        if b"NAME" not in made.seen:
            failures.append("no name was printed at all")
        for failure in failures:
            print(f"names from {used} on: {failure}")
        used, runs, bad = used + len(names), runs + made.count, bad + len(failures)
        sys.stdout.flush()
    print(f"{used} names in {runs} runs, {bad} findings")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
