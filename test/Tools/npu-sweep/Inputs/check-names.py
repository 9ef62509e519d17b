"""Sweeps in folders and of files with names that a shell could take for commands.

usage: check-names.py <npu-sweep> <directory with npu-run>
"""

import os
import subprocess
import sys

tool, directory = map(os.path.abspath, sys.argv[1:])
NAMES = ["a\ntouch pwned\n$(touch pwned)`touch pwned`", "'; touch pwned; '\"; touch pwned; \"",
         "-\x1b[31m% {} {.} {= $_=`touch pwned` =} $$ !! \\' é"]
for name in NAMES:
    folder = os.path.join(directory, "names", name)
    os.makedirs(folder)
    spec = os.path.join(folder, name + ".json")
    with open(spec, "w") as file:
        file.write('{"networks": ["a"], "chips": ["npu-v1"]}')
    os.symlink(os.path.join(directory, "npu-run"), os.path.join(folder, "npu-run"))
    command = [tool, spec, f"--npu-run={folder}/npu-run"]
    lines = subprocess.run([*command, "--jobs"], cwd=folder, check=True, capture_output=True, text=True).stdout
    assert lines.count("\n") == 1, lines
    # By a shell, then by parallel.
    subprocess.run(["sh", "-c", lines], cwd=folder, check=True)
    assert len(os.listdir(os.path.join(folder, name + ".sweep", "results"))) == 1
    run = subprocess.run([*command, f"--output={folder}/other"], cwd=folder, capture_output=True, text=True)
    # Its only row is an error.
    assert run.returncode == 1, run
    assert run.stdout.count("\n") == 2 and run.stdout.replace("\n", "").isprintable() and not run.stderr, run
    assert set(os.listdir(folder)) == {name + ".json", name + ".sweep", "npu-run", "other"}, os.listdir(folder)
print(f"{len(NAMES)} names that are no commands")
