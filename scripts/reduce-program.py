#!/usr/bin/env python3
"""Makes assembly smaller as long as a test holds.

usage: reduce-program.py <program.npuasm> <script> [-o <reduced.npuasm>]

The script is called with a file. It exits with 1 if what is looked for is still there, with 0 if not, as the scripts of
npu-reduce do. First whole streams go, then halves of the instructions that are left, then fewer, a loop together with its end.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile


def split(text):
    """The lines before the streams, and the streams: their head and their instructions, each a list of lines."""
    head, streams = [], []
    for line in text.splitlines():
        words = line.split()
        if line.startswith(".stream"):
            streams.append((line, []))
        elif not streams:
            head.append(line)
        elif words and words[0].startswith("{"):
            streams[-1][1][-1].append(line)
        elif words:
            streams[-1][1].append([line])
    return head, streams


def join(head, streams):
    lines = list(head)
    for name, instructions in streams:
        lines += [name, *(line for instruction in instructions for line in instruction), ""]
    return "\n".join(lines) + "\n"


def find_units(instructions):
    """Indices of what goes together."""
    units, loops = [], []
    for index, lines in enumerate(instructions):
        name = lines[0].split()[0]
        if name == "loop":
            loops.append(index)
        elif name == "endloop":
            units.append({loops.pop(), index})
        elif name != "halt":
            units.append({index})
    return units


def reduce_list(items, attempt):
    """Items without those that `attempt`, which gets what is left, does not need."""
    size = max(len(items) // 2, 1)
    while size and items:
        begin = 0
        while begin < len(items):
            left = items[:begin] + items[begin + size :]
            if attempt(left):
                items = left
            else:
                begin += size
        size //= 2
    return items


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("script", type=pathlib.Path)
    parser.add_argument("-o", dest="output", type=pathlib.Path)
    options = parser.parse_args()
    head, streams = split(options.program.read_text())

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "reduced.npuasm"

        def is_interesting(variant):
            path.write_text(join(head, variant))
            return subprocess.run([options.script.resolve(), path], capture_output=True, check=False).returncode == 1

        if not is_interesting(streams):
            sys.exit(f"'{options.script}' does not find the program interesting as it is; expected exit code 1")
        streams = reduce_list(streams, is_interesting)
        for number, (name, instructions) in enumerate(streams):

            def without(units, name=name, instructions=instructions, number=number):
                kept = set().union(*units)
                left = [lines for index, lines in enumerate(instructions) if index in kept or lines[0].split()[0] == "halt"]
                return streams[:number] + [(name, left)] + streams[number + 1 :]

            units = reduce_list(find_units(instructions), lambda left, without=without: is_interesting(without(left)))
            streams = without(units)
    text = join(head, streams)
    if options.output:
        options.output.write_text(text)
    else:
        sys.stdout.write(text)


main()
