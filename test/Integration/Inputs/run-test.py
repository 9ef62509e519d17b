"""run-test.py <npu-run> <test_data_set> <arguments>..: runs with the inputs of an ONNX test and compares with its outputs."""

import pathlib
import subprocess
import sys

tool, folder, *arguments = sys.argv[1:]
data = {name: sorted(pathlib.Path(folder).glob(f"{name}_*.pb")) for name in ("input", "output")}
arguments += [f"--input=@{path}" for path in data["input"]] + [f"--expected_output=@{path}" for path in data["output"]]
sys.exit(subprocess.run([tool, *arguments]).returncode)
