"""Checks that the reports say the same of a model in every phase of the front half.

usage: same-totals.py <npu-opt> <corpus> <model>...

The phases of a group have the same dispatches; MACs are the same in all phases.
"""

import json
import pathlib
import re
import subprocess
import sys

# IREE lowers tosa in its own way, and fuses more at O2.
GROUPS = [["input"], ["abi", "global-opt"], ["dispatch-creation", "flow", "flow.device"], ["flow.O2"]]


def run(npu_opt, option, file):
    result = subprocess.run([npu_opt, option, file, "-o", "/dev/null"], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{file} {option}: exit code {result.returncode}\n{result.stderr}")
    return result.stdout


def main():
    npu_opt, corpus = sys.argv[1], pathlib.Path(sys.argv[2]) / "iree"
    for model in sys.argv[3:]:
        totals = {}
        for group in GROUPS:
            counts = set()
            for phase in group:
                file = corpus / model / f"{phase}.mlir"
                last = run(npu_opt, "--npu-partition-report", file).splitlines()[-1]
                dispatches, macs = map(int, re.search(r"of (\d+) dispatches, \d+ of (\d+) MACs", last).groups())
                listed = run(npu_opt, "--npu-print-dispatches", file).splitlines()
                report = json.loads(run(npu_opt, "--npu-partition-report=format=json", file))
                numbered = sum(len(entry["numbers"]) for entry in report["dispatches"])
                summed = sum(len(entry["numbers"]) * entry["macs"] for entry in report["dispatches"])
                if not dispatches or (len(listed), numbered, summed) != (dispatches, dispatches, macs):
                    sys.exit(f"{file}: {dispatches} dispatches, {macs} MACs; listed {len(listed)}, JSON {numbered}, {summed}")
                totals[phase] = macs
                counts.add(dispatches)
            if len(counts) != 1:
                sys.exit(f"{model}: {group} have {counts} dispatches")
        if len(set(totals.values())) != 1:
            sys.exit(f"{model}: MACs differ: {totals}")
        print(f"{model}: {totals['input']} MACs in all phases")


main()
