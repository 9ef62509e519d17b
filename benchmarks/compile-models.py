#!/usr/bin/env python3
"""Time from a model to its task graph: CPU seconds, and wall time on one and on two processors.

usage: compile-models.py [--before=<npu-translate>] <npu-translate> <model.mlir>...

Runs alternate, so that what else the machine does meets all of them; figures are medians of 5. The thread pool has as
many threads as the process has processors. Also checks that the files do not depend on them.
"""

import hashlib
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 5


def run(tool, model, processors, folder):
    """CPU and wall seconds, and a hash of the two files."""
    output = pathlib.Path(folder) / "model.json"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    subprocess.run([tool, "--mlir-to-npu-json", model, "-o", output], check=True,
                   preexec_fn=lambda: os.sched_setaffinity(0, processors))
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, wall, hashlib.sha256(output.read_bytes() + output.with_suffix(".bin").read_bytes()).hexdigest()


def main():
    before = None
    arguments = sys.argv[1:]
    if arguments and arguments[0].startswith("--before="):
        before = arguments.pop(0).split("=", 1)[1]
    if len(arguments) < 2:
        sys.exit(__doc__)
    tool, *models = arguments
    processors = sorted(os.sched_getaffinity(0))
    if len(processors) < 2:
        sys.exit("this needs two processors")
    one, two = {processors[0]}, set(processors[:2])
    print("| model | CPU s | of that before | wall s, 1 thread | wall s, 2 threads | ratio |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for model in models:
            runs = {"one": [], "two": [], "before": []}
            for _ in range(RUNS):
                runs["one"].append(run(tool, model, one, folder))
                runs["two"].append(run(tool, model, two, folder))
                if before:
                    runs["before"].append(run(before, model, one, folder))
            if len({digest for _, _, digest in runs["one"] + runs["two"]}) != 1:
                sys.exit(f"{model}: the files depend on the number of threads")
            median = {key: [statistics.median(column) for column in list(zip(*values))[:2]]
                      for key, values in runs.items() if values}
            cpu, wall = median["one"]
            ratio = f"{cpu / median['before'][0]:.2f}x" if before else "-"
            name = pathlib.Path(model).parent.name
            print(f"| {name} | {cpu:.3f} | {ratio} | {wall:.3f} | {median['two'][1]:.3f} | "
                  f"{median['two'][1] / wall:.2f}x |", flush=True)


main()
