#!/usr/bin/env python3
"""Checks that what a document shows is what the tools print.

usage: check-doc-ir.py [--update] <tools folder> <document>

Every code block below a comment `<!-- $ command -->` is the output of the command, run in the folder
of the sources. With --update the blocks are written anew.
"""

import os
import pathlib
import re
import subprocess
import sys

from documents import finish

BLOCK = re.compile(r"^<!-- \$ (?P<command>.*?) -->\n```(?P<language>\w*)\n(?P<text>.*?)^```$",
                   re.MULTILINE | re.DOTALL)


def main():
    update = sys.argv[1] == "--update"
    tools, document = sys.argv[1 + update:]
    root = pathlib.Path(__file__).resolve().parent.parent
    environment = dict(os.environ, PATH=f"{pathlib.Path(tools).resolve()}:{os.environ['PATH']}")

    def run(match):
        command = match["command"].replace("\n", " ")
        result = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=root,
                                env=environment, capture_output=True, text=True)
        if result.returncode:
            raise SystemExit(f"{command}\nfails: {result.stderr}")
        # Blank lines at the end of a part and blanks at the end of a line say nothing.
        text = re.sub(r"[ \t]+$", "", result.stdout, flags=re.MULTILINE).strip("\n") + "\n"
        return f"<!-- $ {match['command']} -->\n```{match['language']}\n{text}```"

    old = pathlib.Path(document).read_text()
    new = BLOCK.sub(run, old)
    finish(document, new, update, bool(BLOCK.search(old)))


if __name__ == "__main__":
    main()
