"""Runs the dispatch passes on every dump of some phases.

import.py <npu-opt> <corpus> <phase>...

After the import no dispatch tensor is left, and the list of dispatches has one line for each
`flow.dispatch` and is the same before and after.
"""

import concurrent.futures
import pathlib
import subprocess
import sys


def run(npu_opt, path, *options):
    result = subprocess.run([npu_opt, str(path), *options], capture_output=True, text=True)
    if result.returncode:
        raise ValueError(result.stderr.splitlines()[0] if result.stderr else "npu-opt crashed")
    return result.stdout


def check(path, npu_opt):
    try:
        before = run(npu_opt, path, "--npu-print-dispatches", "-o", "/dev/null")
        after = run(npu_opt, path, "--npu-import-dispatches", "--npu-print-dispatches")
        described = [line for line in after.splitlines() if line.startswith("Dispatch #")]
        if path.read_text().count("flow.dispatch @") != len(described):
            return f"{path}: {len(described)} dispatches listed"
        if "dispatch.tensor" in after:
            return f"{path}: a dispatch tensor is left"
        if before.splitlines() != described:
            return f"{path}: dispatches are described otherwise after the import"
    except ValueError as error:
        return f"{path}: {error}"
    return None


def main():
    npu_opt, corpus, *phases = sys.argv[1:]
    paths = [p for phase in phases for p in sorted(pathlib.Path(corpus).glob(f"iree/*/{phase}.mlir"))]
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        problems = [p for p in pool.map(lambda path: check(path, npu_opt), paths) if p]
    print("\n".join(problems + [f"{len(paths) - len(problems)} of {len(paths)} dumps imported"]))
    return 1 if problems or not paths else 0


sys.exit(main())
