#!/usr/bin/env python3
"""Checks that g++ 12 accepts every source file, warnings as errors, without generating code.

usage: check-gcc.py BUILD_DIR
Takes the compile commands of an existing clang build, so that nothing is generated twice.
"""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys

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
    # As LLVM builds itself with GCC: these warn where there is nothing wrong, mostly in its headers.
    return ["g++-12", "-fsyntax-only", "-O0", "-Wno-dangling-pointer", "-Wno-maybe-uninitialized",
            "-Wno-redundant-move", "-Wno-class-memaccess"] + result


def check(entry):
    run = subprocess.run(to_gcc(entry["command"]), cwd=entry["directory"], capture_output=True, text=True)
    return entry["file"], run.returncode, run.stderr


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    entries = [e for e in json.load(open(os.path.join(sys.argv[1], "compile_commands.json")))
               if e["file"].endswith(".cpp")]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, code, errors in pool.map(check, entries):
            if code:
                failures += 1
                print(f"{file}:\n{errors}")
    print(f"g++ 12: {len(entries) - failures} passed, {failures} failed")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
