#!/usr/bin/env python3
"""What importing and compiling a 100 MB ONNX model costs.

usage: onnx-import.py <build>/bin <light_resnet50.onnx>

Writes the network with seeded weights, imports it, lets npu-opt read and print the result, and compiles that to a task graph with
its weights. Times are of the CPU, the best of five runs, memory is the peak of the process.
"""

import os
import pathlib
import subprocess
import sys
import tempfile


def run(*command):
    """Seconds of CPU and peak bytes of a command."""
    best = None
    for _ in range(5):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        if status != 0:
            sys.exit(f"failed: {' '.join(map(str, command))}")
        seconds = usage.ru_utime + usage.ru_stime
        if best is None or seconds < best[0]:
            best = (seconds, usage.ru_maxrss * 1024)
    return best


def main():
    tools, light = map(pathlib.Path, sys.argv[1:])
    translate, opt = tools / "npu-translate", tools / "npu-opt"
    with tempfile.TemporaryDirectory() as folder:
        model, ir = pathlib.Path(folder, "model.onnx"), pathlib.Path(folder, "model.mlir")
        subprocess.run([translate, "--onnx-to-onnx", "--onnx-seed-weights=1", light, "-o", model], check=True)
        tiny = pathlib.Path(folder, "tiny.mlir")
        tiny.write_text("module {}\n")
        start, _ = run(translate, "--mlir-to-npu-json", "--help")
        both, memory = run(translate, "--onnx-to-mlir", model, "-o", "/dev/null")
        subprocess.run([translate, "--onnx-to-mlir", model, "-o", ir], check=True)
        opt_start, _ = run(opt, tiny, "-o", "/dev/null")
        reference, _ = run(opt, ir, "-o", "/dev/null")
        graph, _ = run(translate, "--mlir-to-npu-json", ir, "-o", pathlib.Path(folder, "model.json"))
        size = model.stat().st_size
    print(f"model: {size / 1e6:.1f} MB")
    print(f"import, verify and print: {both - start:.2f} s of CPU above a start-up of {start:.2f} s")
    print(f"  of npu-opt's reading and printing of the result: {(both - start) / (reference - opt_start):.2f}x")
    print(f"  peak memory: {memory / 1e6:.0f} MB, {memory / size:.2f}x the file")
    print(f"from MLIR to a task graph: {graph - start:.2f} s")
    print(f"  of npu-opt's reading and printing: {(graph - start) / (reference - opt_start):.2f}x")


if __name__ == "__main__":
    main()
