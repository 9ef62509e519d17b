#!/usr/bin/env python3
"""What whole networks in i8 move between DRAM and the chip, beyond their weights, inputs and outputs.

usage: traffic.py <npu-run>

All of that must move once. What is more are tensors between layers that do not stay on chip, and what is loaded again.
Networks are those of scripts/networks.py, on npu-v1 with 1 and 2 MiB of SRAM. Nothing depends on the machine.
"""
import math
import pathlib
import re
import subprocess
import sys
import tempfile

NETWORKS = {"ResNet-50": "resnet50", "MobileNetV2": "mobilenetv2"}
SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "networks.py"
BYTES = {"i8": 1, "i32": 4}


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stderr}")
    return result.stdout


def count_bytes(model):
    """Bytes of what the function takes and gives."""
    signature = re.search(r"func.func @main\(.*", model)[0]
    tensors = re.findall(r"tensor<([\dx]+)x(\w+)>", signature)
    return sum(math.prod(map(int, shape.split("x"))) * BYTES[element] for shape, element in tensors)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print("| network, i8 | SRAM | dispatches on the NPU | weights, input, output, MB | DRAM, MB | beyond, MB |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, network in NETWORKS.items():
            model = pathlib.Path(folder) / f"{network}.mlir"
            model.write_text(run(sys.executable, SCRIPT, network, "i8"))
            least = count_bytes(model.read_text())
            for mebibytes in (1, 2):
                report = run(sys.argv[1], "--timing-only", f"--target=npu-v1:sramBytes={mebibytes << 20}", model)
                on_npu, all_of_them = re.search(r"on the NPU: (\d+) of (\d+) dispatches", report).groups()
                moved = sum(map(int, re.search(r"together: .*DRAM: (\d+) bytes read, (\d+) written", report).groups()))
                print(f"| {name} | {mebibytes} MiB | {on_npu} of {all_of_them} | {least / 1e6:.2f} | {moved / 1e6:.2f} | "
                      f"{(moved - least) / 1e6:.2f} |", flush=True)


main()
