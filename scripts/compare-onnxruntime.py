#!/usr/bin/env python3
"""Compares networks on the simulated NPU with ONNX Runtime.

usage: compare-onnxruntime.py [--node-path=<folder>/node_modules] <build>/bin <model.onnx>...

Gives the networks seeded weights and one random input, and compares what goes into a last Softmax (the softmax
itself is nearly one-hot), or the output of networks without one. Fails unless the largest error is at most 1e-3 of
the largest magnitude and the largest element is the same one. Needs node and its package onnxruntime-node
(npm install --ignore-scripts onnxruntime-node), which nothing else here does.
"""

import argparse
import array
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

PROTO = "/usr/include/onnx/onnx.proto"


def read_graph(model):
    """The last node's operator, its first input and output, and the shape of the first input of the graph."""
    text = subprocess.run(["protoc", "--proto_path=/usr/include/onnx", "--decode=onnx.ModelProto", PROTO],
                          stdin=open(model, "rb"), stdout=subprocess.PIPE, check=True, text=True).stdout
    nodes = re.findall(r"^  node \{\n(.*?)^  \}", text, re.M | re.S)
    field = lambda node, name: re.search(rf'^    {name}: "(.*)"', node, re.M).group(1)
    last = nodes[-1]
    initializers = set(re.findall(r'^  initializer \{.*?^    name: "(.*?)"', text, re.M | re.S))
    produced = {field(node, "output") for node in nodes}
    for value in re.findall(r"^  input \{\n(.*?)^  \}", text, re.M | re.S):
        name = field(value, "name")
        if name not in initializers and name not in produced:
            shape = [int(size) for size in re.findall(r"dim_value: (\d+)", value)]
            return field(last, "op_type"), field(last, "input"), field(last, "output"), shape
    sys.exit(f"{model}: expected a graph input")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--node-path", default=os.environ.get("NODE_PATH", ""))
    parser.add_argument("tools", type=pathlib.Path)
    parser.add_argument("models", nargs="+")
    arguments = parser.parse_args()
    failed = False
    for model in arguments.models:
        operator, before, after, shape = read_graph(model)
        output = before if operator == "Softmax" else after
        with tempfile.TemporaryDirectory() as folder:
            seeded, x, y = (pathlib.Path(folder, name) for name in ("seeded.onnx", "x.bin", "y.bin"))
            subprocess.run([arguments.tools / "npu-translate", "--onnx-to-onnx", "--onnx-seed-weights=1",
                            f"--onnx-output={output}", model, "-o", seeded], check=True)
            count = 1
            for size in shape:
                count *= size
            generator = random.Random(1)
            x.write_bytes(array.array("f", (generator.uniform(-1, 1) for _ in range(count))).tobytes())
            run = pathlib.Path(__file__).with_name("run-onnxruntime.cjs")
            subprocess.run(["node", run, seeded, x, ",".join(map(str, shape)), y], check=True,
                           env={**os.environ, "NODE_PATH": arguments.node_path})
            found = pathlib.Path(folder, "found.bin")
            spec = "x".join(map(str, shape)) + f"xf32=@{x}"
            report = subprocess.run([arguments.tools / "npu-run", seeded, f"--input={spec}", f"--output=@{found}"],
                                    stdout=subprocess.PIPE, check=True, text=True).stdout
            expected, actual = (array.array("f", path.read_bytes()) for path in (y, found))
        largest = max(map(abs, expected))
        error = max(abs(a - b) for a, b in zip(expected, actual)) / largest
        same = expected.index(max(expected)) == actual.index(max(actual)) and len(expected) == len(actual)
        matches = error <= 1e-3 and same
        failed |= not matches
        share = re.search(r"^on the NPU: .*", report, re.M).group(0)
        print(f"{pathlib.Path(model).name}: {'matches' if matches else 'DIFFERS'}: {len(expected)} values, largest error "
              f"{error:.1e} of the largest magnitude, {'same' if same else 'another'} argmax; {share}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
