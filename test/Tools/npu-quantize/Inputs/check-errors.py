"""check-errors.py <npu-quantize> <errors.txt> <folder>: runs each command of the file in the folder and compares its exit code
and the last line of what it prints on standard error. Nothing may be written."""

import pathlib
import re
import shlex
import subprocess
import sys

tool, cases, folder = sys.argv[1:]
blocks = [block.splitlines() for block in pathlib.Path(cases).read_text().split("\n\n") if block.strip()]
good = 0
for arguments, code, *expected in blocks:
    before = {path: path.stat().st_mtime_ns for path in pathlib.Path(folder).rglob("*")}
    run = subprocess.run([tool, *shlex.split(arguments)], cwd=folder, capture_output=True, text=True)
    lines = run.stderr.splitlines() or [""]
    pattern = ".*".join(map(re.escape, "".join(expected).split("...")))
    found = {path: path.stat().st_mtime_ns for path in pathlib.Path(folder).rglob("*")}
    # Mistakes on the command line have its usage before the message, as of other tools.
    is_one_line = len(lines) == 1 or (run.returncode == 2 and lines[0].startswith("usage: "))
    if str(run.returncode) == code and re.fullmatch(pattern, lines[-1]) and is_one_line and before == found and not run.stdout:
        good += 1
    else:
        print(f"npu-quantize {arguments}\nexpected {code}: {''.join(expected)}\nfound {run.returncode}: {run.stderr}{run.stdout}")
print(f"{good} of {len(blocks)} messages as expected")
