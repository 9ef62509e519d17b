#!/usr/bin/env python3
"""Prints, for every network of a corpus of IREE dumps, how the dispatches that npu-opt forms from
input.mlir compare with those in flow.mlir.

usage: compare-front-half.py <npu-opt> <corpus>

The last column is `same` if all dispatches are of the same kind, sizes and types in the same order,
`order` if in another order only, else `differs`.
"""

import pathlib
import re
import subprocess
import sys

DISPATCH = re.compile(r"flow\.dispatch @\w+::@\w+?_dispatch_\d+_?(\w*)")
EXECUTABLE = re.compile(r"flow\.executable private @")


def describe(text):
    return DISPATCH.findall(text), len(EXECUTABLE.findall(text))


def compare(npu_opt, folder):
    run = subprocess.run([npu_opt, "--npu-front-half", folder / "input.mlir"],
                         capture_output=True, text=True)
    if run.returncode:
        return "-", "-", "fails"
    ours, our_executables = describe(run.stdout)
    theirs, their_executables = describe((folder / "flow.mlir").read_text())
    if ours == theirs:
        kinds = "same"
    else:
        kinds = "order" if sorted(ours) == sorted(theirs) else "differs"
    return f"{len(ours)}/{len(theirs)}", f"{our_executables}/{their_executables}", kinds


def main():
    npu_opt, corpus = sys.argv[1], pathlib.Path(sys.argv[2])
    print(f"{'network':32} {'dispatches':>11} {'executables':>12}  kinds")
    for folder in sorted(corpus.iterdir()):
        if (folder / "input.mlir").exists():
            dispatches, executables, kinds = compare(npu_opt, folder)
            print(f"{folder.name:32} {dispatches:>11} {executables:>12}  {kinds}")


if __name__ == "__main__":
    main()
