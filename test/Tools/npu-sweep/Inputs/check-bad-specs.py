"""usage: check-bad-specs.py <npu-sweep> <cases: specification, tab, message> <directory>"""

import subprocess
import sys

tool, cases, directory = sys.argv[1:]
path = f"{directory}/spec.json"
count = 0
for line in open(cases, encoding="utf-8"):
    spec, message = line.rstrip("\n").split("\t")
    with open(path, "w", encoding="utf-8") as file:
        file.write(spec)
    run = subprocess.run([tool, "--jobs", path], capture_output=True, text=True)
    expected = f"npu-sweep: error: {path}: {message}\n"
    assert (run.returncode, run.stdout, run.stderr) == (1, "", expected), (spec, run)
    count += 1
print(f"{count} messages as expected")
