#!/usr/bin/env python3
"""How far kernels, programs and networks are from their limits, on chips of many kinds; nothing may be below one.

usage: limits.py [--target=<target>]... [--layers] <npu-run> <models>...

A model is a file; with --layers each of its functions is one. Of each it runs the schedule without data, and compares what reports say: cycles
with the limit and bytes of DRAM with the lower bound, of each kernel and of the network, the work of the array with its peak, and what engines do with
the cycles. The sums of kernels are compared with the network's. Nothing depends on the machine. Exit code 1 if anything is below its limit.
"""
import argparse
import csv
import pathlib
import re
import sys
import tempfile

from measuring import run

# The reference chips, and five that nobody tuned schedules for.
TARGETS = ("npu-v1", "npu-v1-x4", "npu-tiny", "npu-v1:clusters=3,sramBytes=393216,dramBytesPerCycle=24", "npu-v1:sramBytes=65536,accBytes=16384",
           "npu-v1:dramBytesPerCycle=256,dmaElementsPerCycle=256,dmaOutstanding=4,macPipelined=1", "npu-v1:vpuLanes=8,dramLatencyCycles=1000",
           "npu-v1-x4:clusters=8,macRows=16,macCols=64,dramBytesPerCycle=8")


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class Distances:
    """The least ratio of all compared, and what is below one."""

    def __init__(self):
        self.count, self.least, self.broken = 0, None, []

    def compare(self, name, figure, limit):
        self.count += 1
        if limit and (self.least is None or figure / limit < self.least):
            self.least = figure / limit
        if figure < limit:
            self.broken.append(f"{name}: {figure} is below {limit}")

    def measure(self, tool, target, model, *options):
        with tempfile.TemporaryDirectory() as folder:
            text = run(tool, "--timing-only", f"--target={target}", f"--report={folder}", *options, model)
            *rows, total = read(f"{folder}/per-dispatch.csv")
            summary = read(f"{folder}/summary.csv")[0]
        name = " ".join([target, str(model), *options])
        kernels = [row for row in rows if row["placement"] == "npu" and row["cycles"]]
        for row in [*kernels, summary]:
            where = f"{name} #{row.get('dispatch', 'network')}"
            self.compare(f"{where} cycles", int(row["cycles"]), int(row["roofline_cycles"]))
            self.compare(f"{where} bytes", int(row["dram_bytes_read"]) + int(row["dram_bytes_written"]), int(row["dram_bytes_lower_bound"]))
            self.compare(f"{where} work of the array", 1, float(row["mac_utilisation"]))
        cycles = sum(int(row["cycles"]) for row in kernels)
        if cycles != int(summary["cycles"]):
            self.broken.append(f"{name}: kernels take {cycles} cycles, and the network {summary['cycles']}")
        said = re.search(r"^together: limit (\d+)", text, re.M) or re.search(r"^  cycles .*, limit (\d+)", text, re.M)
        limits = {int(table["roofline_cycles"]) for table in (total, summary)} | {int(said[1])} if said else set()
        if len(limits) > 1:
            self.broken.append(f"{name}: limits of {sorted(limits)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", action="append")
    parser.add_argument("--layers", action="store_true")
    parser.add_argument("tool")
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    broken = []
    print("| target | figures compared | least | below one |\n|---|---|---|---|")
    for target in arguments.target or TARGETS:
        distances = Distances()
        for model in arguments.models:
            functions = re.findall(r"func\.func @([\w$.-]+)\(", model.read_text()) if arguments.layers else [None]
            for function in functions:
                distances.measure(arguments.tool, target, model, *([f"--function={function}"] if function else []))
        print(f"| {target} | {distances.count} | {distances.least:.3f} | {len(distances.broken)} |", flush=True)
        broken += distances.broken
    if broken:
        sys.exit("\n".join(broken))


main()
