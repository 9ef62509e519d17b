#!/usr/bin/env python3
"""cycles.py [--update] <npu-cycles> <shared>: compares simulated cycles with test/Performance/cycles.csv.

The table has a row per network of the corpus (every dispatch that the NPU runs, as often as the network does) and per
layer of the networks' tables, for each target. Figures are deterministic. A row whose cycles, bytes or prediction rise
by more than 0.5 % fails, and so does one that is new or gone, and a layer whose prediction is more than a tenth off;
`--update` writes the table and prints what changed.
"""
import argparse
import csv
import io
import pathlib
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).resolve().parent.parent / "test" / "Performance" / "cycles.csv"
FIGURES = ("cycles", "dram_bytes", "predicted_cycles")
NETWORK_TARGETS = ("npu-v1", "npu-v1-x4", "npu-tiny")
# The second is the wider configuration of the published bounds.
LAYER_TARGETS = ("npu-v1", "npu-v1:sramBytes=2097152,dramBytesPerCycle=64,dmaElementsPerCycle=64")
LIMIT = 1.005
MOST_OFF = 0.1


def run(tool, targets, files):
    command = [tool, *(f"--target={target}" for target in targets), *files]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f"{tool} failed")
    return [(file, target, function, int(count), [int(figure) for figure in figures])
            for file, target, function, count, *figures in list(csv.reader(io.StringIO(result.stdout)))[1:]]


def measure(tool, shared):
    """Figures by (name, target)."""
    table = {}
    models = sorted((shared / "corpus" / "iree").glob("*/flow.mlir"))
    tables = sorted((shared / "layers").glob("*_unique.csv"))
    if not models or not tables:
        sys.exit(f"expected networks and tables of layers in {shared}")
    for file, target, _, count, figures in run(tool, NETWORK_TARGETS, models):
        row = table.setdefault((pathlib.Path(file).parent.name, target), [0] * len(FIGURES))
        table[pathlib.Path(file).parent.name, target] = [old + count * new for old, new in zip(row, figures)]
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for path in tables:
            network = path.name.removesuffix("_unique.csv")
            files.append(pathlib.Path(folder) / f"{network}.mlir")
            layers = pathlib.Path(__file__).with_name("layers.py")
            files[-1].write_text(subprocess.run([sys.executable, layers, path], check=True, stdout=subprocess.PIPE,
                                                text=True).stdout)
        for file, target, function, _, figures in run(tool, LAYER_TARGETS, files):
            table[f"{pathlib.Path(file).stem}/{function}", target] = figures
    return table


def read(path):
    with open(path, newline="") as file:
        return {(row["name"], row["target"]): [int(row[figure]) for figure in FIGURES]
                for row in csv.DictReader(file)}


def write(path, table):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("name", "target", *FIGURES))
    for key in sorted(table):
        writer.writerow((*key, *table[key]))
    path.write_text(text.getvalue())


def compare(old, new):
    """Prints the rows that differ and returns whether one rose too far, came or went."""
    is_worse = False
    for key in sorted(old.keys() | new.keys()):
        if key not in old or key not in new:
            print(f"{' '.join(key)}: {'new' if key in new else 'gone'}")
            is_worse = True
            continue
        for figure, before, after in zip(FIGURES, old[key], new[key]):
            if before == after:
                continue
            has_risen = after > before * LIMIT
            is_worse |= has_risen
            print(f"{' '.join(key)}: {figure} {before} -> {after} ({after / max(before, 1) - 1:+.2%})"
                  f"{' TOO MUCH' if has_risen else ''}")
    for figure, index in zip(FIGURES, range(len(FIGURES))):
        sums = [sum(row[index] for row in table.values()) for table in (old, new)]
        print(f"sum of {figure}: {sums[0]} -> {sums[1]} ({sums[1] / max(sums[0], 1) - 1:+.3%})")
    return is_worse


def find_misjudged(table):
    """Layers, which are a contraction each, for which the compiler expects other cycles than they take."""
    return [key for key, (cycles, _, predicted) in sorted(table.items())
            if "/" in key[0] and abs(predicted - cycles) > MOST_OFF * cycles]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write the table")
    parser.add_argument("tool")
    parser.add_argument("shared", type=pathlib.Path)
    arguments = parser.parse_args()
    new = measure(arguments.tool, arguments.shared)
    is_worse = compare(read(TABLE) if TABLE.exists() else {}, new)
    misjudged = find_misjudged(new)
    for key in misjudged:
        print(f"{' '.join(key)}: predicted {new[key][2]}, takes {new[key][0]}")
    if misjudged:
        sys.exit("predictions are off")
    if arguments.update:
        write(TABLE, new)
    elif is_worse:
        sys.exit(f"figures rose; if that is meant, run scripts/cycles.py --update and commit {TABLE.name}")


main()
