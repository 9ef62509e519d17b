"""Fails when --help of a tool in the folder BIN is longer than 140 lines or shows flags of LLVM's code generators."""

import pathlib
import re
import subprocess
import sys

# It is for the build.
OTHERS = ("npu-tblgen",)
tools = [path for path in sorted(pathlib.Path(sys.argv[1]).glob("npu-*")) if path.name not in OTHERS]
for tool in tools:
    result = subprocess.run([tool, "--help"], capture_output=True, text=True, timeout=60)
    lines = result.stdout.splitlines()
    if result.returncode != 0 or not lines[0].startswith(("OVERVIEW: ", "usage: ")):
        print(f"{tool.name}: expected help, found exit code {result.returncode} and {lines[:1]}")
    if len(lines) > 140:
        print(f"{tool.name}: expected at most 140 lines, found {len(lines)}")
    for line in lines:
        if re.search(r"--(aarch64|amdgpu|arm|hexagon|riscv|x86)-", line):
            print(f"{tool.name}: {line.strip()}")
print(f"{len(tools)} tools")
