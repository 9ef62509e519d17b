"""Runs the hook on every executable of the corpus, as IREE hands it to a tool, and compares its
decisions with the partition's of the same model.

usage: check-corpus.py <npu-opt> <corpus> <directory>

Each executable goes through the command line on its own for llvm-cpu, as iree-compile runs it, and
with the others of its model through the pass for the back end that takes binaries. Every answer
must be readable and hold nothing that IREE does not know, and be compiled exactly if the partition
runs the dispatch on the NPU; else it must be what was asked. As many must be compiled as have been.
"""

import collections
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys

CPU_TARGET = 'target(<"llvm-cpu", "embedded-elf-x86_64"'
NPU_TARGET = 'target(<"npu", "npu-binary"'
COMPILED = re.compile(r"Dispatch @(\w+) compiled for npu-v1: \d+ bytes")
OURS = re.compile(r'[#!" ]npu(_isa)?\.')
MINIMA = {
    "executables": 239,
    "compiled executables": 236,
    "compiled with offsets of the launch": 45,
    "dispatch sites": 509,
    "compiled sites": 506,
}


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr}")
    return result.stdout


def check_model(npu_opt, model, folder):
    folder.mkdir(parents=True)
    partition = json.loads(
        run(npu_opt, model / "flow.mlir", "--npu-import-dispatches",
            "--npu-partition-report=format=json", "-o", "/dev/null")
    )
    dispatches = {entry["function"].split("::")[-2]: entry for entry in partition["dispatches"]}
    names = sorted(path.stem for path in (model / "executables").glob("*.mlir"))
    assert names == sorted(dispatches), model

    questions, answers = {}, {}
    counts = collections.Counter()
    for name in names:
        path, answer = model / "executables" / f"{name}.mlir", folder / f"{name}.mlir"
        run(npu_opt, "--npu-iree-hook", "--backend=llvm-cpu", path, "-o", answer)
        questions[name], answers[name] = path.read_text(), answer.read_text()
        on_npu = dispatches[name]["placement"] == "npu"
        if on_npu:
            assert f'_npu.o", data = dense<"0x7F454C46' in answers[name], path
            assert "linalg." not in answers[name] and not OURS.search(answers[name]), path
        else:
            assert answers[name] == questions[name], path
        sites = len(dispatches[name]["numbers"])
        counts.update({"executables": 1, "dispatch sites": sites})
        if on_npu:
            counts.update({"compiled executables": 1, "compiled sites": sites})
            counts["compiled with offsets of the launch"] += "constant.load" in questions[name]
    (folder / "answers.in").write_text("".join(answers.values()))
    run(npu_opt, folder / "answers.in", "-o", "/dev/null")

    asked = folder / "binaries.in"
    asked.write_text("".join(questions.values()).replace(CPU_TARGET, NPU_TARGET))
    log, answer = folder / "binaries.log", folder / "binaries.out"
    hook = f"builtin.module(hal.executable(npu-iree-hook{{log-file={log}}}))"
    run(npu_opt, asked, f"--pass-pipeline={hook}", "--mlir-print-local-scope", "-o", answer)
    run(npu_opt, answer, "-o", "/dev/null")
    text = answer.read_text()
    assert not OURS.search(text), asked
    compiled = set(COMPILED.findall(log.read_text()))
    for name, dispatch in dispatches.items():
        entry = dispatch["function"].split("::")[-1]
        on_npu = dispatch["placement"] == "npu"
        assert (entry in compiled) == (f'path = "{entry}.npub"' in text) == on_npu, (asked, entry)
        assert (f"func.func @{entry}()" in text) != on_npu, (asked, entry)
    return counts


def main():
    npu_opt, corpus, directory = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    shutil.rmtree(directory, ignore_errors=True)
    models = sorted(path.parent for path in corpus.glob("iree/*/executables"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda model: check_model(npu_opt, model, directory / model.name), models))
    counts = sum(results, collections.Counter())
    for what, minimum in MINIMA.items():
        assert counts[what] >= minimum, f"{counts[what]} {what}, expected at least {minimum}"
    print(", ".join(f"{counts[what]} {what}" for what in MINIMA))


main()
