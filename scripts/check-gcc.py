#!/usr/bin/env python3
"""Checks that g++ 12 accepts every source file, as the build batches them, warnings as errors, without generating code.

usage: check-gcc.py BUILD_DIR
Takes the compile commands of an existing clang build, so that nothing is generated twice.
"""
import concurrent.futures
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

# Options that only clang knows, with the number of arguments that follow each.
CLANG_ONLY = {"-Xclang": 1, "-fcolor-diagnostics": 0}
CLANG_WARNINGS = ("-Wcovered-switch-default", "-Wstring-conversion", "-Wno-pass-failed",
                  "-Wctad-maybe-unsupported", "-Werror=unguarded-availability-new",
                  "-Wno-noexcept-type", "-fno-pch-timestamp", "-Wno-c++20-extensions")


def to_gcc(command):
    arguments, result, skip = shlex.split(command), [], 0
    while os.path.basename(arguments[0]) in ("ccache", "env", "cmake", "-E"):
        arguments.pop(0)
    for argument in arguments[1:]:
        if skip:
            skip -= 1
        elif argument in CLANG_ONLY:
            skip = CLANG_ONLY[argument]
        elif argument in ("-o", "-MF", "-MT"):
            skip = 1
        elif argument not in CLANG_WARNINGS + ("-MD", "-c", "-Winvalid-pch"):
            result.append(argument)
    # Collecting garbage takes a seventh of the time, as it walks through the precompiled header.
    memory = ["--param", "ggc-min-expand=10000", "--param", "ggc-min-heapsize=8000000"]
    # As LLVM builds itself with GCC: these warn where there is nothing wrong, mostly in its headers.
    return ["g++-12", "-fsyntax-only", "-O0", *memory, "-Wno-dangling-pointer", "-Wno-maybe-uninitialized",
            "-Wno-redundant-move", "-Wno-class-memaccess",
            # Of a batch it takes all files but the first for headers.
            "-Wno-subobject-linkage"] + result


def precompile(entries, folder):
    """Compiles the header that the build precompiles, for g++. Without it each file would read it again."""
    header = next((match[1] for e in entries if (match := re.search(r"-include (?:-Xclang )?(\S+/cmake_pch\.hxx)( |$)", e["command"]))),
                  None)
    if header is None:
        return []
    entry = next(e for e in entries if header in e["command"])
    copy = os.path.join(folder, "precompiled.hxx")
    shutil.copy(header, copy)
    command = [a for a in to_gcc(entry["command"])[:-1] if a not in ("-include", header)]
    command.remove("-fsyntax-only")
    run = subprocess.run(command + ["-Wno-unknown-pragmas", "-x", "c++-header", copy, "-o", copy + ".gch"], cwd=entry["directory"],
                         capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{header}:\n{run.stderr}")
    return ["-include", copy]


def uses_header(entry):
    return "cmake_pch.hxx" in entry["command"]


def check(entry, precompiled):
    command = to_gcc(entry["command"])
    run = subprocess.run(command[:1] + (precompiled.result() if uses_header(entry) else []) + command[1:], cwd=entry["directory"],
                         capture_output=True, text=True)
    return entry["file"], run.returncode, run.stderr


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    entries = [e for e in json.load(open(os.path.join(sys.argv[1], "compile_commands.json")))
               if e["file"].endswith(".cpp") or "/Unity/" in e["file"]]
    failures = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # Half a minute, in which others are checked that do without.
        check_one = functools.partial(check, precompiled=pool.submit(precompile, entries, folder))
        entries.sort(key=uses_header)
        for file, code, errors in pool.map(check_one, entries):
            if code:
                failures += 1
                print(f"{file}:\n{errors}")
    print(f"g++ 12: {len(entries) - failures} passed, {failures} failed")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
