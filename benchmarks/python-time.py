#!/usr/bin/env python3
"""CPU time of Model.time of the Python package against that of npu-run --timing-only.

usage: PYTHONPATH=<build>/python /usr/bin/python3 python-time.py [--runs=<n>] [--at-most=<ratio>] <npu-run> <model>...

Each is the least of several runs, of all threads. npu-run also starts and reads the model; Model.time also records what
the report needs. With --at-most a ratio above that is an error.
"""
import argparse
import pathlib
import sys
import time

import npu
from measuring import cpu_seconds


def measure(function, *arguments):
    start = time.process_time()
    function(*arguments)
    return time.process_time() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--at-most", type=float, default=float("inf"))
    parser.add_argument("tool")
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    print("| model | Model.time, s | npu-run, s | ratio |\n|---|---|---|---|")
    worst = 0
    for path in arguments.models:
        model = npu.load(path)
        # In turn, so that both have the machine as it is.
        times = [(measure(model.time), cpu_seconds(arguments.tool, "--timing-only", str(path), quiet=True))
                 for _ in range(arguments.runs)]
        ours, theirs = map(min, zip(*times))
        worst = max(worst, ours / theirs)
        print(f"| {path.name} | {ours:.3f} | {theirs:.3f} | {ours / theirs:.3f} |", flush=True)
    if worst > arguments.at_most:
        sys.exit(f"python-time.py: error: expected a ratio of at most {arguments.at_most}, found {worst:.3f}")


main()
