"""Damages a file in many ways and lets npu-opt process all that comes out.

usage: bad-input.py <work folder> <number of variants> <npu-opt> <file> <option>...

What is truncated, misspelt, left out, given twice or exchanged must end in located errors, never in
a crash. The variants are the same in every run.
"""

import pathlib
import random
import re
import subprocess
import sys

# Upstream's parsers of linalg ops take these lists to be well formed and crash if they are not.
UPSTREAM = re.compile(r"(?:iterator_types|permutation|dimensions) = \[[^]\n]*\]?")
TOKEN = re.compile(r'"[^"\n]*"|[%@#!^]?[\w.$-]+|->|\S')


def damage(text, tokens, rng):
    index = rng.randrange(len(tokens) - 1)
    token, following = tokens[index], tokens[index + 1]
    word = token.group()
    replacement = rng.choice([
        "", f"{word} {word}", f"{word}x", word[:-1], f"-{word}", "0", "-1", "99999999999999999999",
        "()", "?", "{", "}", "%0", "@none", "tensor<?xf32>", "i1", following.group(), None])
    if replacement is None:
        return text[:token.start()]
    return text[:token.start()] + replacement + text[token.end():]


def run(npu_opt, options, path):
    command = [npu_opt, "--split-input-file", *options, path, "-o", "/dev/null"]
    return subprocess.run(command, capture_output=True, text=True, errors="replace")


def main():
    folder, count, npu_opt, file, *options = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    text = pathlib.Path(file).read_text()
    excluded = [match.span() for match in UPSTREAM.finditer(text)]
    tokens = [token for token in TOKEN.finditer(text)
              if not any(begin <= token.start() < end for begin, end in excluded)]
    rng = random.Random(1)
    variants = [damage(text, tokens, rng) for _ in range(int(count))]
    path = folder / "variants.mlir"
    path.write_text("\n// -----\n".join(variants) + "\n")
    result = run(npu_opt, options, path)
    failures = 0
    if result.returncode != 1 or "PLEASE submit" in result.stderr:
        # Which ones?
        for index, variant in enumerate(variants):
            path = folder / f"variant{index}.mlir"
            path.write_text(variant)
            single = run(npu_opt, options, path)
            if single.returncode not in (0, 1) or "PLEASE submit" in single.stderr:
                print(f"{path}: npu-opt ends with {single.returncode}")
                failures += 1
            else:
                path.unlink()
    for line in result.stderr.splitlines():
        if " error: " in line and not re.match(rf"{re.escape(str(folder))}/\w+\.mlir:\d+:\d+: error: ", line) \
                and not re.match(r"within split at \S+:\d+ offset :\d+:\d+: error: ", line):
            print(f"no location: {line[:200]}")
            failures += 1
    errors = sum(" error: " in line for line in result.stderr.splitlines())
    print(f"{len(variants)} variants, {errors} errors, {failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
