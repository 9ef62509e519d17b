"""usage: check-bad-specs.py <npu-sweep> <cases: specification, tab, message> <directory>"""

import json
import os
import subprocess
import sys


def grid(*lengths):
    return {"base": "b", **{f"p{number}": list(range(length)) for number, length in enumerate(lengths)}}


def make_spec(**keys):
    return json.dumps({"networks": ["a"], "chips": ["b"], **keys})


# What is too long to be written down.
LONG = [
    (make_spec(chips=[{"base": "b", "c": 0}]).replace("0", "1" + "0" * 5000),
     "chips[0].c: expected a number or a list of numbers, found Infinity"),
    (make_spec(area={"cell": 10**400}),
     f"area.cell: expected a number of at most 1e+12, found 1{'0' * 56}..."),
    (make_spec(networks=["a" * 4097]), "networks[0]: expected a file name of at most 4096 characters, found 4097"),
    (make_spec(chips=[grid(60, 60, 60)]), "chips[0]: expected a grid of at most 100000 chips, found 216000"),
    (make_spec(chips=["b", grid(100000)]), "chips: expected at most 100000 chips, found 100001"),
    (make_spec(networks=["a", "c"], chips=[grid(60, 60, 20)]),
     "specification: expected at most 100000 jobs, found 144000"),
    (make_spec(options=[["--function=" + "a" * 4000] * 30]),
     "specification: expected commands of at most 100000 bytes, found one of 12"),
    ("[" * 101 + "]" * 101, "expected JSON of at most 100 levels of brackets, found more"),
    ("[" * 100000, "expected JSON of at most 100 levels of brackets, found more"),
]

tool, cases, directory = sys.argv[1:]
path = f"{directory}/spec.json"
os.mkfifo(f"{directory}/fifo")
with open(f"{directory}/slow", "w") as file:
    file.write("a file")
before = sorted(os.listdir(directory) + ["spec.json"])
count = 0
for spec, message in [line.rstrip("\n").split("\t") for line in open(cases, encoding="utf-8")] + LONG:
    with open(path, "w", encoding="utf-8") as file:
        file.write(spec)
    run = subprocess.run([tool, "--jobs", path], capture_output=True, text=True, timeout=60)
    expected = f"npu-sweep: error: {path}: {message}"
    assert (run.returncode, run.stdout) == (1, "") and run.stderr.startswith(expected), (spec[:500], run)
    assert run.stderr.count("\n") == 1 and run.stderr.endswith("\n"), run
    assert (spec, message) in LONG or run.stderr == expected + "\n", (spec, run)
    count += 1
assert sorted(os.listdir(directory)) == before, os.listdir(directory)
print(f"{count} messages as expected")
