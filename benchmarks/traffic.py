#!/usr/bin/env python3
"""What whole networks in i8 move between DRAM and the chip, beyond their weights, inputs and outputs.

usage: traffic.py <npu-run>

All of that must move once. What is more are tensors between layers that do not stay on chip, and what is loaded again.
Networks are those of scripts/networks.py, on npu-v1 with 1 and 2 MiB of SRAM. Nothing depends on the machine.
"""
import math
import re
import sys
import tempfile

from measuring import time_network, write_network

NETWORKS = {"ResNet-50": "resnet50", "MobileNetV2": "mobilenetv2"}
BYTES = {"i8": 1, "i32": 4}


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
            model = write_network(folder, network, "i8")
            least = count_bytes(model.read_text())
            for mebibytes in (1, 2):
                report = time_network(sys.argv[1], f"npu-v1:sramBytes={mebibytes << 20}", model)
                print(f"| {name} | {mebibytes} MiB | {report.on_npu} of {report.dispatches} | {least / 1e6:.2f} | "
                      f"{report.moved / 1e6:.2f} | {(report.moved - least) / 1e6:.2f} |", flush=True)


main()
