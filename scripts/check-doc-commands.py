#!/usr/bin/env python3
"""Runs the commands of a document and checks that they print what it shows.

usage: check-doc-commands.py [--update] <tools folder> <document>

In every block ```console, a line that begins with `$ ` is a command, up to a line without a
backslash at its end or to the end of its here-document. The lines after it are what it prints, errors
included, with `…` for simulated times. All commands of the document run in order, in one shell in an empty folder, with the tools in
PATH and the folder of the sources in NPU; a command that fails, by its exit code, fails the check. With --update the
document shows what they print now.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from documents import elide_figures, finish

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HERE_DOCUMENT = re.compile(r"<<'(\w+)'")
MARK = "---- end of command"


def split_commands(block):
    """The commands of a block, as the document writes them without the `$ `."""
    lines = iter(block.splitlines())
    for line in lines:
        if not line.startswith("$ "):
            continue
        command = [line[2:]]
        while command[-1].endswith("\\"):
            command.append(next(lines))
        if end := HERE_DOCUMENT.search(command[-1]):
            while command[-1] != end[1]:
                command.append(next(lines))
        yield "\n".join(command)


def run(commands, tools):
    """What each command prints."""
    root = pathlib.Path(__file__).resolve().parent.parent
    path = f"{pathlib.Path(tools).resolve()}:{os.environ['PATH']}"
    environment = dict(os.environ, PATH=path, NPU=str(root))
    script = "".join(f'{command}\necho "{MARK} $?"\n' for command in commands)
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    parts = re.split(rf"{MARK} (\d+)\n", result.stdout)
    for command, output, code in zip(commands, parts[0::2], parts[1::2]):
        if code != "0":
            sys.exit(f"$ {command}\n{output}fails with exit code {code}")
    return [elide_figures(re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)) for text in parts[0::2]]


def main():
    update = sys.argv[1] == "--update"
    tools, document = sys.argv[1 + update:]
    old = pathlib.Path(document).read_text()
    blocks = [list(split_commands(match[1])) for match in BLOCK.finditer(old)]
    outputs = iter(run([command for block in blocks for command in block], tools))
    rest = iter(blocks)

    def show(_):
        return "```console\n" + "".join(f"$ {command}\n{next(outputs)}"
                                        for command in next(rest)) + "```"

    new = BLOCK.sub(show, old)
    sys.exit(0 if finish(document, new, update) and blocks else 1)


if __name__ == "__main__":
    main()
