#!/usr/bin/env python3
"""Lists the diagnostics of the sources in some folders that no test expects.

usage: check-diagnostics.py <test folder> <source folder>...

A diagnostic counts as expected if the longest of its constant parts is in a test.
"""

import pathlib
import re
import sys

START = re.compile(r"\b(?:emitOpError|emitError|emitOptionalError|reject)\(")
LITERALS = re.compile(r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*')
PIECE = re.compile(r'"((?:[^"\\]|\\.)*)"')
TESTS = (".mlir", ".test", ".npuasm", ".cpp", ".td")


def find_diagnostics(source):
    """The line and the longest constant part of every diagnostic of a source file."""
    text = source.read_text()
    for match in START.finditer(text):
        statement = text[match.end():text.find(";", match.end())]
        parts = ["".join(PIECE.findall(part)) for part in LITERALS.findall(statement)]
        longest = max(parts, key=len, default="")
        if longest:
            yield text.count("\n", 0, match.start()) + 1, longest.replace('\\"', '"').strip()


def main():
    test_folder, *source_folders = map(pathlib.Path, sys.argv[1:])
    tests = "\n".join(test.read_text(errors="ignore") for test in sorted(test_folder.rglob("*"))
                      if test.suffix in TESTS)
    tests = tests.replace("\\", "")
    missing = 0
    for folder in source_folders:
        for source in sorted(folder.rglob("*.cpp")):
            for line, text in find_diagnostics(source):
                if text not in tests:
                    print(f"{source}:{line}: no test expects '{text}'")
                    missing += 1
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
