"""Runs the hook on every executable of the corpus and compares its decisions with the partition's.

usage: check-corpus.py <npu-opt> <corpus> <directory>

Every answer must be readable, compiled exactly if the partition accepts the dispatch, and else be
what was asked.
"""

import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import sys

import flow_to_hal


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr}")
    return result.stdout


def main():
    npu_opt, corpus, directory = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    shutil.rmtree(directory, ignore_errors=True)

    def check(dump):
        report = "--npu-partition-report=format=json"
        partition = run(npu_opt, dump, "--npu-import-dispatches", report, "-o", "/dev/null")
        placements = {
            dispatch["function"].split("::")[-2]: dispatch["placement"]
            for dispatch in json.loads(partition)["dispatches"]
        }
        folder = directory / dump.parent.name
        names = flow_to_hal.convert_dump(dump, folder, flow_to_hal.TARGET)
        assert sorted(names) == sorted(placements), dump
        for name in names:
            question, answer = folder / f"{name}.mlir", folder / f"{name}.out"
            run(npu_opt, "--npu-iree-hook", question, "-o", answer)
            run(npu_opt, answer, "-o", "/dev/null")
            text = answer.read_text()
            if placements[name] == "npu":
                assert "builtin.module" not in text and ".npub" in text, question
            else:
                assert text == question.read_text(), question
        return len(names), sum(placement == "npu" for placement in placements.values())

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(check, sorted(corpus.glob("iree/*/flow.mlir"))))
    total, compiled = map(sum, zip(*counts))
    print(f"{total} executables, {compiled} compiled, all as the partition says")


main()
