"""Reads every dump of one phase in the corpus and checks that nothing is lost.

roundtrip.py <npu-opt> <corpus> <phase> [<npu-opt option>...]

For each <corpus>/iree/<model>/<phase>.mlir: what npu-opt prints is the dump itself (the phase `input`
is written by hand and laid out otherwise), printing what was printed changes nothing, and the generic
form says the same.
"""

import concurrent.futures
import pathlib
import subprocess
import sys


def run(command, text=None):
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    if result.returncode:
        raise ValueError(result.stderr.splitlines()[0] if result.stderr else "npu-opt crashed")
    return result.stdout


def check(path, npu_opt, options):
    try:
        dump = path.read_text()
        first = run([npu_opt, *options, str(path)])
        if path.stem != "input" and first.rstrip() != dump.rstrip():
            return f"{path}: printed differently"
        if run([npu_opt, *options, "-"], first) != first:
            return f"{path}: the second print differs from the first"
        generic = run([npu_opt, "--mlir-print-op-generic", str(path)])
        if run([npu_opt, *options, "-"], generic) != first:
            return f"{path}: the generic form says something else"
    except ValueError as error:
        return f"{path}: {error}"
    return None


def main():
    npu_opt, corpus, phase, *options = sys.argv[1:]
    paths = sorted(pathlib.Path(corpus).glob(f"iree/*/{phase}.mlir"))
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        problems = [p for p in pool.map(lambda path: check(path, npu_opt, options), paths) if p]
    print("\n".join(problems + [f"{len(paths) - len(problems)} of {len(paths)} dumps read and printed"]))
    return 1 if problems or not paths else 0


sys.exit(main())
