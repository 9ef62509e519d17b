#!/usr/bin/env python3
"""Lists what a user may be told by the sources in some folders and no test expects.

usage: check-diagnostics.py <test folder>... -- <source folder>...

* A diagnostic (an error, warning, remark or note) counts as expected if the longest of its constant
  parts, of each alternative where it has several, is in a line of a test that expects something:
  `expected-error {{...}}` or `CHECK: ...` under any name.
* Of a table of ops (*.td), every label of a constraint (`matmul_c1: ...`) is cited by a test or a source,
  beside what enforces it.
"""

import pathlib
import re
import sys

START = re.compile(r"\b(?:emitOpError|emitError|emitOptionalError|emitWarning|emitRemark|attachNote|reject\w*)\(")
LITERALS = re.compile(r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*')
PIECE = re.compile(r'"((?:[^"\\]|\\.)*)"')
CHOICE = re.compile(rf"\?\s*({LITERALS.pattern})\s*:\s*({LITERALS.pattern})")
EXPECTATION = re.compile(r"expected-(?:error|warning|remark|note)|^\W*[A-Z][A-Z0-9_-]*:|EXPECT_|HasSubstr")
LABEL = re.compile(r"^\s*\* (\w+_c\d+):", re.MULTILINE)
TESTS = (".mlir", ".test", ".npuasm", ".cpp", ".td")


def join(literals):
    """The text of adjacent literals."""
    return "".join(PIECE.findall(literals)).replace('\\"', '"').replace("\\n", "").strip()


def read_source(source):
    """A source without quotes in character literals, which are no ends of strings."""
    return re.sub(r"'(\\?\")'", "'q'", source.read_text())


def get_statement(text, start):
    """The source from `start` up to the semicolon that ends the statement, not one in a literal."""
    end = start
    while text[end] != ";":
        literal = LITERALS.match(text, end)
        end = literal.end() if literal else end + 1
    return text[start:end]


def find_diagnostics(source):
    """The line and the telling constant parts of every diagnostic of a source file."""
    text = read_source(source)
    for match in START.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        statement = get_statement(text, match.end())
        parts = [join(part) for part in LITERALS.findall(statement)]
        choices = [join(part) for pair in CHOICE.findall(statement) for part in pair if part]
        longest = max(parts, key=len, default="")
        if longest:
            # Of alternatives only those that tell more than a word.
            yield line, {longest} | {part for part in choices if part.count(" ") > 1}


def main():
    separator = sys.argv.index("--")
    test_folders = [pathlib.Path(folder) for folder in sys.argv[1:separator]]
    source_folders = [pathlib.Path(folder) for folder in sys.argv[separator + 1:]]
    tests = [test.read_text(errors="ignore") for folder in test_folders for test in sorted(folder.rglob("*"))
             if test.suffix in TESTS]
    expected = "\n".join(line for test in tests for line in test.splitlines() if EXPECTATION.search(line))
    expected = expected.replace("\\", "")
    citing = "\n".join(tests)
    missing = 0

    def report(place, text):
        nonlocal missing
        print(f"{place}: no test {text}")
        missing += 1

    for folder in source_folders:
        for source in sorted(folder.rglob("*")):
            if source.suffix not in (".cpp", ".h"):
                continue
            for line, texts in find_diagnostics(source):
                for text in sorted(texts):
                    if text not in expected:
                        report(f"{source}:{line}", f"expects '{text}'")
            citing += source.read_text()
    for folder in source_folders:
        for table in sorted(folder.rglob("*.td")):
            text = table.read_text()
            for label in LABEL.finditer(text):
                if not re.search(rf"\b{label[1]}\b", citing):
                    report(f"{table}:{text.count(chr(10), 0, label.start()) + 1}", f"or verifier cites {label[1]}")
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
