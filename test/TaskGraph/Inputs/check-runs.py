"""check-runs.py <folder of tools> <folder> <model>:<outputs> <inputs of a run> [/ <inputs of the next>]..

model.mlir and model.json give the same in all runs. Commas stand for spaces."""

import subprocess
import sys

tools, folder, model, *words = sys.argv[1:]
model, numOutputs = model.split(":")
runs = [[]]
for word in words:
    if word == "/":
        runs.append([])
    else:
        runs[-1].append(f"--input={word.replace(',', ' ')}")
for number, inputs in enumerate(runs):
    outputs = []
    for name in (f"{model}.mlir", f"{model}.json"):
        run = subprocess.run([f"{tools}/npu-run", *inputs, *["--output=-"] * int(numOutputs), f"{folder}/{name}"], capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{name}, run {number}: {run.stderr}")
        outputs.append([line for line in run.stdout.splitlines() if "=" in line and not line.startswith(" ")])
    if outputs[0] != outputs[1] or not outputs[0]:
        sys.exit(f"run {number}: expected {outputs[0]}, found {outputs[1]}")
    print(number, *outputs[0])
