"""compare-assumed.py <npu-run> <model.onnx> <quantized.onnx> <percent> <target>...: times a model as if it were quantized,
and the one that is. MACs and what the NPU runs of them must be the same, and cycles within some percent."""

import json
import subprocess
import sys

npu_run, model, quantized, percent, *targets = sys.argv[1:]


def time(path, target, *options):
    command = [npu_run, "--timing-only", "--json", f"--target={target}", *options, path]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


for target in targets:
    assumed, real = time(model, target, "--assume-type=i8"), time(quantized, target)
    assert assumed.pop("assumedType") == "i8" and "assumedType" not in real
    counts = [[run["dispatches"] - len(run["onHost"]), len(run["onHost"]), run["macs"], run["macsOnNPU"]] for run in (assumed, real)]
    difference = 100 * (assumed["cycles"] / max(real["cycles"], 1) - 1)
    what = f"{target}: {counts[0]} and {counts[1]}, cycles {assumed['cycles']} and {real['cycles']}, {difference:+.2f} %"
    is_same = counts[0] == counts[1] and abs(difference) <= float(percent)
    print(f"{'same' if is_same else 'OTHER'}: {what}")
