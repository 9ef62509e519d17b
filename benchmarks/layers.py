#!/usr/bin/env python3
"""Simulated cycles of networks' layers against their limits.

usage: layers.py [--parameters=<name=value,...>] [--layers=<network>] <npu-cycles> <shared>

The layers are those of the tables in <shared>/layers, in i8 with a bias and a requantized result (scripts/layers.py); the
limit of each is the roof that <shared>/tools/bounds.py computes: the array's cycles, or all tensors moved once. Sums are
over all contractions of a network, each as often as it has it. A is npu-v1, B has twice the memory and the bandwidth;
`--parameters` changes both. `--layers` lists the layers of one network, the largest loss first. Nothing depends on the
machine.
"""
import argparse
import csv
import io
import pathlib
import statistics
import sys
import tempfile

from measuring import SCRIPTS, run

NETWORKS = ("resnet50_v15", "mobilenetv2_1.0_224", "onnx_alexnet", "bert_base_s128", "gpt2_block_prefill1024",
            "gpt2_block_decode_kv1024", "llama2_7b_block_prefill512", "llama2_7b_block_decode_kv2048")
CONFIGURATIONS = {"A": "", "B": "sramBytes=2097152,dramBytesPerCycle=64,dmaElementsPerCycle=64"}
CONTRACTIONS = ("gemm", "matmul", "conv", "dwconv")


def measure(tool, table, target, folder):
    """Cycles, bytes and predicted cycles by layer."""
    model = pathlib.Path(folder) / "layers.mlir"
    model.write_text(run(sys.executable, SCRIPTS / "layers.py", table))
    rows = list(csv.reader(io.StringIO(run(tool, f"--target={target}", model))))[1:]
    return {function: [int(figure) for figure in figures] for _, _, function, _, *figures in rows}


def compare(tool, shared, network, configuration, parameters, folder):
    """A row per contraction: name, whether it is depthwise, count, cycles, roof, bytes, their limit, prediction."""
    table = shared / "layers" / f"{network}_unique.csv"
    values = ",".join(filter(None, (CONFIGURATIONS[configuration], parameters)))
    figures = measure(tool, table, "npu-v1" + (f":{values}" if values else ""), folder)
    bounds = csv.DictReader(io.StringIO(run(sys.executable, shared / "tools" / "bounds.py", configuration, table)))
    rows = []
    for bound in bounds:
        if bound["op"] not in CONTRACTIONS:
            continue
        cycles, moved, predicted = figures[bound["name"].replace(".", "_")]
        rows.append((bound["name"], bound["op"] == "dwconv", int(bound["count"]), cycles, int(bound["roof"]), moved,
                     int(bound["Q_LB"]), predicted))
    return rows


def divide(rows, over, under):
    return sum(row[2] * row[over] for row in rows) / sum(row[2] * row[under] for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parameters", default="", help="of the target, in both configurations")
    parser.add_argument("--layers", choices=NETWORKS, help="list the layers of one network")
    parser.add_argument("tool")
    parser.add_argument("shared", type=pathlib.Path)
    arguments = parser.parse_args()
    errors = []
    with tempfile.TemporaryDirectory() as folder:
        results = {(network, configuration): compare(arguments.tool, arguments.shared, network, configuration,
                                                     arguments.parameters, folder)
                   for network in ([arguments.layers] if arguments.layers else NETWORKS)
                   for configuration in CONFIGURATIONS}
    print("| network | cycles / roof, A | bytes / limit, A | cycles / roof, B | bytes / limit, B |\n|---|---|---|---|---|")
    for network in dict.fromkeys(name for name, _ in results):
        cells = []
        for configuration in CONFIGURATIONS:
            rows = results[network, configuration]
            errors += [row[7] / row[3] - 1 for row in rows]
            dense = [row for row in rows if not row[1]]
            ratio = f"{divide(dense, 3, 4):.3f}"
            if len(dense) < len(rows):
                ratio += f", with depthwise {divide(rows, 3, 4):.3f}"
            cells += [ratio, f"{divide(rows, 5, 6):.2f}"]
        print(f"| {network} | {' | '.join(cells)} |")
    sizes = sorted(abs(error) for error in errors)
    print(f"\npredictions: {statistics.mean(sizes):.2%} off on average, {sizes[int(0.95 * len(sizes))]:.2%} at the 95th "
          f"percentile, {statistics.mean(errors):+.2%} with sign")
    if arguments.layers:
        for configuration in CONFIGURATIONS:
            print(f"\n| {configuration}: layer | times | cycles | roof | ratio | bytes | limit |\n|---|---|---|---|---|---|---|")
            rows = results[arguments.layers, configuration]
            for name, _, count, cycles, roof, moved, limit, _ in sorted(rows, key=lambda row: -row[2] * (row[3] - row[4])):
                print(f"| {name} | {count} | {cycles} | {roof} | {cycles / roof:.3f} | {moved} | {limit} |")


main()
