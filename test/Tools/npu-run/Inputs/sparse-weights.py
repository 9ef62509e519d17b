#!/usr/bin/env python3
"""sparse-weights.py <npu-run> <folder>: models with 6 GiB of weights beside them, planned and timed.

Neither needs a value of them. The files have no blocks on the disk; whatever reads them fills as much memory.
"""
import json
import pathlib
import resource
import struct
import subprocess
import sys

GIBIBYTE = 1 << 30
SIZE, LAYERS = 8192, 24
LIMIT = GIBIBYTE // 2


def make_onnx(folder):
    bytes_each = 4 * SIZE * SIZE
    lines = ["ir_version: 8", "opset_import { version: 17 }", "graph {", 'name: "deep"']
    for i in range(LAYERS):
        lines.append(f'node {{ op_type: "MatMul" input: "x{i}" input: "w{i}" output: "x{i + 1}" }}')
        # Every other tensor begins at an odd address.
        external = "".join(f' external_data {{ key: "{key}" value: "{value}" }}' for key, value in
                           (("location", "weights.bin"), ("offset", i * bytes_each + i % 2), ("length", bytes_each)))
        lines.append(f'initializer {{ name: "w{i}" data_type: 1 dims: {SIZE} dims: {SIZE} data_location: EXTERNAL{external} }}')
    shape = f"elem_type: 1 shape {{ dim {{ dim_value: 4 }} dim {{ dim_value: {SIZE} }} }}"
    for kind, name in (("input", "x0"), ("output", f"x{LAYERS}")):
        lines.append(f'{kind} {{ name: "{name}" type {{ tensor_type {{ {shape} }} }} }}')
    lines.append("}")
    encoded = subprocess.run(["protoc", "--proto_path=/usr/include/onnx", "--encode=onnx.ModelProto", "/usr/include/onnx/onnx.proto"],
                             input="\n".join(lines).encode(), stdout=subprocess.PIPE, check=True)
    (folder / "deep.onnx").write_bytes(encoded.stdout)
    with open(folder / "weights.bin", "wb") as file:
        file.truncate(LAYERS * bytes_each + 1)
    return [folder / "deep.onnx"]


def make_parameters(folder):
    head = json.dumps({"w": {"dtype": "F32", "shape": [SIZE, SIZE], "data_offsets": [0, 4 * SIZE * SIZE]},
                       "rest": {"dtype": "I8", "shape": [5 * GIBIBYTE], "data_offsets": [4 * SIZE * SIZE, 4 * SIZE * SIZE + 5 * GIBIBYTE]}})
    head = head.ljust(-(-len(head) // 64) * 64 - 8 + 64).encode()
    with open(folder / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(head)) + head)
        file.truncate(file.tell() + 4 * SIZE * SIZE + 5 * GIBIBYTE)
    (folder / "model.mlir").write_text(f"""util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<{SIZE}x{SIZE}xf32>
util.func public @main(%x: tensor<4x{SIZE}xf32>) -> tensor<4x{SIZE}xf32> {{
  %z = arith.constant 0.0 : f32
  %w = util.global.load @w : tensor<{SIZE}x{SIZE}xf32>
  %e = tensor.empty() : tensor<4x{SIZE}xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x{SIZE}xf32>) -> tensor<4x{SIZE}xf32>
  %r = linalg.matmul ins(%x, %w : tensor<4x{SIZE}xf32>, tensor<{SIZE}x{SIZE}xf32>) outs(%f : tensor<4x{SIZE}xf32>) -> tensor<4x{SIZE}xf32>
  util.return %r : tensor<4x{SIZE}xf32>
}}
""")
    return [f"--parameters=model={folder / 'model.safetensors'}", folder / "model.mlir"]


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    for make in (make_onnx, make_parameters):
        arguments = make(folder)
        for mode in ("--plan", "--timing-only"):
            result = subprocess.run([tool, mode, *arguments], stdout=subprocess.DEVNULL)
            # Of all children, the largest so far; of a file that is mapped, what was read.
            used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
            within = "less" if used < LIMIT else f"more ({used >> 20} MiB)"
            print(f"{make.__name__[5:]} {mode}: exit code {result.returncode}, {within} than {LIMIT >> 20} MiB of memory")


if __name__ == "__main__":
    main()
