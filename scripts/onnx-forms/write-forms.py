#!/usr/bin/env python3
"""Writes models of a few nodes in the forms in which exporters write them, with what ONNX Runtime gives for them.

usage: write-forms.py --node-path=<folder>/node_modules <folder>

The folder gets a test for each form, as `npu-run --test-data-dir` reads it. test/Integration/Inputs/onnx-forms.tar.xz is
such a folder: write it again after a change here (tar --sort=name --mtime=@0 --owner=0 --group=0 -cJf). Needs protoc and
python3-protobuf of Debian, its onnx.proto (libonnx-dev), and node with its package onnxruntime-node (npm install
--ignore-scripts onnxruntime-node), which nothing else here does.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PROTO = pathlib.Path("/usr/include/onnx")


def write(folder, model, inputs, types, make_tensor):
    """Writes a test; returns what ONNX Runtime says if it does not run the model."""
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    for number, (name, tensor) in enumerate(inputs.items()):
        (data / f"input_{number}.pb").write_bytes(tensor.proto(name).SerializeToString())
    with tempfile.TemporaryDirectory() as scratch:
        run = {"inputs": [], "prefix": f"{scratch}/", "level": "disabled"}
        for number, (name, tensor) in enumerate(inputs.items()):
            path = pathlib.Path(scratch, f"in{number}")
            path.write_bytes(tensor.data)
            run["inputs"].append({"name": name, "type": types[tensor.type][1], "dims": tensor.dims, "file": str(path)})
        description = pathlib.Path(scratch, "run.json")
        description.write_text(json.dumps(run))
        script = pathlib.Path(__file__).parents[1] / "run-onnxruntime.cjs"
        result = subprocess.run(["node", script, folder / "model.onnx", description], capture_output=True, text=True)
        if result.returncode:
            return result.stderr.strip()
        numbers = {name: number for number, name, _ in types.values()}
        for number, output in enumerate(json.loads(pathlib.Path(scratch, "outputs.json").read_text())):
            tensor = make_tensor(name=output["name"], dims=map(int, output["dims"]), data_type=numbers[output["type"]],
                                 raw_data=pathlib.Path(scratch, f"{number}.bin").read_bytes())
            (data / f"output_{number}.pb").write_bytes(tensor.SerializeToString())
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--node-path", default=os.environ.get("NODE_PATH", ""))
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    os.environ["NODE_PATH"] = arguments.node_path
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(["protoc", f"--proto_path={PROTO}", f"--python_out={scratch}", PROTO / "onnx.proto"], check=True)
        sys.path.insert(0, scratch)
        import model
        import onnx_pb2
        for name in ("attention", "control_flow", "fused", "images", "learned", "quantized", "recurrent"):
            __import__(name)
    failed = False
    for name, make in model.FORMS.items():
        proto, inputs = make()
        error = write(arguments.folder / name, proto, inputs, model.TYPES, onnx_pb2.TensorProto)
        if error:
            print(f"{name}: {error}", file=sys.stderr)
            failed = True
    print(f"{len(model.FORMS)} forms")
    sys.exit(failed)


if __name__ == "__main__":
    main()
