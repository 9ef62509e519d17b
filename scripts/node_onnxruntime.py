"""What the comparisons with ONNX Runtime share: networks with seeded weights, a random input, and runs of models.

Needs node and its package onnxruntime-node (npm install --ignore-scripts onnxruntime-node), which nothing else here does,
and Debian's python3-onnx.
"""

import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np
import onnx

RUN = pathlib.Path(__file__).with_name("run-onnxruntime.cjs")
REFUSED = 2


class Refused(Exception):
    """ONNX Runtime does not run a model; the text is its own."""


def add_node_path(parser):
    parser.add_argument("--node-path", default=os.environ.get("NODE_PATH", ""), metavar="FOLDER",
                        help="the folder node_modules with onnxruntime-node; the default is NODE_PATH")


def write_seeded(tools, model, seeded):
    """Writes a network with seeded weights. It ends before a last Softmax, which is nearly one-hot. Returns its input by name."""
    graph = onnx.load(model, load_external_data=False).graph
    last = graph.node[-1]
    output = last.input[0] if last.op_type == "Softmax" else last.output[0]
    subprocess.run([tools / "npu-translate", "--onnx-to-onnx", "--onnx-seed-weights=1", f"--onnx-output={output}", model,
                    "-o", seeded], check=True)
    constants = {value.name for value in graph.initializer}
    value = next(value for value in graph.input if value.name not in constants)
    shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
    generator = random.Random(1)
    numbers = [generator.uniform(-1, 1) for _ in range(math.prod(shape))]
    return {value.name: np.array(numbers, np.float32).reshape(shape)}


def run_onnxruntime(node_path, model, inputs, level="all"):
    """The outputs of a model, by name. `level` is that of graph optimizations."""
    with tempfile.TemporaryDirectory() as folder:
        run = {"inputs": [], "prefix": f"{folder}/output", "level": level}
        for number, (name, array) in enumerate(inputs.items()):
            file = f"{folder}/input{number}.bin"
            array.tofile(file)
            run["inputs"].append({"name": name, "type": array.dtype.name, "dims": array.shape, "file": file})
        path = pathlib.Path(folder, "run.json")
        path.write_text(json.dumps(run))
        result = subprocess.run(["node", RUN, model, path], env={**os.environ, "NODE_PATH": node_path}, stderr=subprocess.PIPE,
                                text=True)
        if result.returncode == REFUSED:
            raise Refused(result.stderr.strip())
        if result.returncode:
            sys.exit(result.stderr)
        outputs = json.loads(pathlib.Path(f"{run['prefix']}outputs.json").read_text())
        return {output["name"]: np.fromfile(f"{run['prefix']}{number}.bin", output["type"]).reshape(output["dims"])
                for number, output in enumerate(outputs)}


def run_npu(tools, model, inputs, outputs, target=None):
    """The outputs of a model, by name, and what npu-run prints."""
    with tempfile.TemporaryDirectory() as folder:
        command = [tools / "npu-run", model] + ([f"--target={target}"] if target else [])
        for number, (name, array) in enumerate(inputs.items()):
            file = f"{folder}/input{number}.npy"
            np.save(file, array)
            command.append(f"--input={name}=@{file}")
        files = {name: f"{folder}/output{number}.npy" for number, name in enumerate(outputs)}
        command += [f"--output={name}=@{file}" for name, file in files.items()]
        report = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
        return {name: np.load(file) for name, file in files.items()}, report
