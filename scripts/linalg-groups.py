#!/usr/bin/env python3
"""Checks the table of a document against the tests that its rows name.

usage: linalg-groups.py [--update] <tools folder> <document>

A row is `| [group](test) | op | runs on | linalg | buffers | loops | cf | llvm |`. Its test has to exist, to
execute the op by npu-run, and to be in the table once; every file beside a test needs a row as well. The columns
from the third on are what the tools say; with --update they are written anew.
"""

import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

LEVELS = ("linalg", "buffers", "loops", "cf", "llvm")
ROW = re.compile(r"^\| \[(?P<group>[^]]*)\]\((?P<test>[^)]*)\) \| (?P<op>[^|]*) \|.*\|$", re.MULTILINE)
# What every function has says nothing about the op.
FRAME = {"builtin.module", "func.func", "func.return", "llvm.func", "llvm.return"}


def run(command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\nfails: {result.stderr}")
    return result


def find_place(tools, test):
    """Where the dispatches of a test run, and why not on the NPU."""
    with tempfile.TemporaryDirectory() as folder:
        run([tools / "npu-run", f"--report={folder}", test])
        summary = json.loads((pathlib.Path(folder) / "summary.json").read_text())
    if not summary["dispatches"]:
        return "no dispatch"
    if not summary["onHost"]:
        return "NPU"
    # The limit and the remedy are in SupportedOps.md.
    reasons = dict.fromkeys(reason.split(", expected ")[0]
                            for dispatch in summary["onHost"] for reason in dispatch["reasons"])
    return "host: " + "; ".join(reasons)


def find_ops(tools, test, level):
    """The ops of a test at a level of the host pipeline, as `dialect`: op, op; …."""
    stats = run([tools / "npu-opt", f"--npu-host-pipeline=level={level}",
                 "--print-op-stats=json=true", test, "-o", "/dev/null"]).stderr
    dialects = {}
    for name in sorted(set(json.loads(stats)) - FRAME):
        dialect, op = name.split(".", 1)
        dialects.setdefault(dialect, []).append(op)
    return "; ".join(f"`{dialect}`: {', '.join(ops)}" for dialect, ops in dialects.items()) or "–"


def check_test(row, test):
    """What is wrong with a row's test, if anything."""
    if not test.is_file():
        return f"row '{row['group']}' has no test: expected {row['test']}"
    text = test.read_text()
    if not re.search(r"^// RUN: npu-run .*(--check|--expected_output)", text, re.MULTILINE):
        return f"{row['test']}: expected a RUN line with npu-run and --check or --expected_output"
    for op in re.findall(r"`([^`]+)`", row["op"]):
        if op not in text:
            return f"{row['test']}: expected the op {op} of row '{row['group']}'"
    return None


def main():
    update = sys.argv[1] == "--update"
    tools, document = map(pathlib.Path, sys.argv[1 + update:])
    old = document.read_text()
    rows = list(ROW.finditer(old))
    tests = [document.parent / row["test"] for row in rows]
    errors = [error for row, test in zip(rows, tests) if (error := check_test(row, test))]
    named = [test.resolve() for test in tests]
    errors += [f"{test}: expected one row but found {named.count(test)}"
               for folder in sorted({test.parent for test in named if test.is_file()})
               for test in sorted(folder.glob("*.mlir")) if named.count(test) != 1]
    if errors or not rows:
        raise SystemExit("\n".join(errors) or f"{document}: expected a table of groups")

    def describe(row, test):
        cells = [find_place(tools, test)] + [find_ops(tools, test, level) for level in LEVELS]
        return f"| [{row['group']}]({row['test']}) | {row['op']} | {' | '.join(cells)} |"

    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        lines = list(pool.map(describe, rows, tests))
    if update:
        new = iter(lines)
        document.write_text(ROW.sub(lambda row: next(new), old))
        return
    stale = [f"expected: {line}\n   found: {row[0]}" for row, line in zip(rows, lines) if row[0] != line]
    if stale:
        raise SystemExit("\n".join(stale) + f"\n{document} is out of date: run {sys.argv[0]} --update")


if __name__ == "__main__":
    main()
