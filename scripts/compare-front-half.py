#!/usr/bin/env python3
"""Compares the dispatches that npu-opt forms from input.mlir with those in a corpus of IREE dumps.

usage: compare-front-half.py <npu-opt> <corpus> iree|npu

iree: mode=iree against flow.mlir, as ours/IREE's or, for what is compared one by one, `same`, `order`
(the same, in another order) or `differs`. Of every dispatch there are compared
  roots  class of the root and products of its parallel and of its reduction loops
  loops  class and loops of the root
  names  kind, loops and types as AnnotateDispatches writes them
npu: numbers of dispatches with mode=npu, without and with horizontal fusion, against flow.O2.mlir.
Copies are dispatches that only move data.
"""

import pathlib
import re
import subprocess
import sys

NAME = re.compile(r"flow\.dispatch @\w+::@\w+?_dispatch_\d+_?(\w*)")
EXECUTABLE = re.compile(r"flow\.executable private @")
ROOT = re.compile(r"^Dispatch #\d+: ((.*?)(?: loops=.*)?)$", re.MULTILINE)


class Dump:
    """What is compared of one program."""

    def __init__(self, npu_opt, file, *passes):
        run = subprocess.run([npu_opt, *passes, "--npu-print-dispatches=extents=true", file],
                             capture_output=True, text=True)
        if run.returncode:
            sys.exit(run.stderr)
        self.names = NAME.findall(run.stdout)
        self.dispatches = len(self.names)
        self.executables = len(EXECUTABLE.findall(run.stdout))
        self.loops, self.roots = zip(*ROOT.findall(run.stdout))
        self.copies = self.names.count("slow_memcpy")


def compare(ours, theirs):
    if ours == theirs:
        return "same"
    return "order" if sorted(ours) == sorted(theirs) else "differs"


def compare_iree(npu_opt, folders):
    counts, details = ("dispatches", "executables"), ("roots", "loops", "names")
    columns = "{:32} {:>11} {:>12}  {:8} {:8} {}"
    print(columns.format("network", *counts, *details))
    equal = dict.fromkeys(counts + details, 0)
    for folder in folders:
        ours = Dump(npu_opt, folder / "input.mlir", "--npu-front-half=mode=iree")
        theirs = Dump(npu_opt, folder / "flow.mlir")
        row = [folder.name]
        for count in counts:
            pair = getattr(ours, count), getattr(theirs, count)
            row.append("{}/{}".format(*pair))
            equal[count] += pair[0] == pair[1]
        for detail in details:
            row.append(compare(getattr(ours, detail), getattr(theirs, detail)))
            equal[detail] += row[-1] != "differs"
        print(columns.format(*row))
    print(columns.format(f"equal of {len(folders)}", *(str(equal[key]) for key in counts + details)))


def compare_npu(npu_opt, folders):
    columns = "{:32} {:>5} {:>5} {:>11} {:>7}"
    print(columns.format("network", "O2", "npu", "horizontal", "copies"))
    rows = []
    for folder in folders:
        npu = Dump(npu_opt, folder / "input.mlir", "--npu-front-half=mode=npu")
        horizontal = Dump(npu_opt, folder / "input.mlir",
                          "--npu-front-half=mode=npu horizontal-fusion=true")
        theirs = Dump(npu_opt, folder / "flow.O2.mlir")
        rows.append((theirs.dispatches, npu.dispatches, horizontal.dispatches, npu.copies))
        print(columns.format(folder.name, *rows[-1]))
    print(columns.format(f"total of {len(folders)}", *map(sum, zip(*rows))))
    print("more than O2:", sum(npu > theirs for theirs, npu, *_ in rows))


def main():
    npu_opt, corpus, table = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    folders = [folder for folder in sorted(corpus.iterdir()) if (folder / "input.mlir").exists()]
    {"iree": compare_iree, "npu": compare_npu}[table](npu_opt, folders)


if __name__ == "__main__":
    main()
