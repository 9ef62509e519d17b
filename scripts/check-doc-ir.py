#!/usr/bin/env python3
"""Checks that what a document shows is what the tools print.

usage: check-doc-ir.py [--update] <tools folder> <document>...

* Every code block below a comment `<!-- $ command -->` is the output of the command, run in the folder
  of the sources, with `…` for simulated times.
* A code block that begins with `// $ command` is an example of a pass: the command takes the IR up to a
  line `// becomes` and gives what follows it, names of values and lines aside. Without that line, the
  command accepts the IR, with the diagnostics that it says.
* In descriptions of passes (*.td), every listing below `#### Example` is one of these. A fragment stands
  below `#### Sketch`, which names the test that has it in full and runs the pass.

With --update the documents are written anew.
"""

import os
import pathlib
import re
import subprocess
import sys
import textwrap

from documents import elide_figures, finish

BLOCK = re.compile(r"^(?P<indent> *)<!-- \$ (?P<command>.*?) -->\n *```(?P<language>\w*)\n(?P<text>.*?)^ *```$",
                   re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^(?P<indent> *)```mlir\n *// \$ (?P<command>[^\n]*)\n(?P<text>.*?)^ *```$", re.MULTILINE | re.DOTALL)
BECOMES = re.compile(r"^// becomes\n", re.MULTILINE)
PASS = re.compile(r'^def [^{}]*?Pass<"(?P<flag>[\w-]+)".*?^}$', re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^    #### (Example|Sketch)\n(.*?)(?=^    ####|^  }\])", re.MULTILINE | re.DOTALL)
LISTING = re.compile(r"^ *(?:<!-- \$ .*? -->\n *)?```\w*\n.*?^ *```$", re.MULTILINE | re.DOTALL)


class Checker:
    def __init__(self, tools):
        self.root = pathlib.Path(__file__).resolve().parent.parent
        self.environment = dict(os.environ, PATH=f"{pathlib.Path(tools).resolve()}:{os.environ['PATH']}")
        self.count = 0

    def run(self, command, text=""):
        result = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=self.root, input=text,
                                env=self.environment, capture_output=True, text=True)
        if result.returncode:
            raise SystemExit(f"{command}\n{text}fails: {result.stderr}")
        return result.stdout

    def show_output(self, match):
        self.count += 1
        output = self.run(re.sub(r"\n *", " ", match["command"]))
        # Blank lines at the end of a part and blanks at the end of a line say nothing.
        text = elide_figures(re.sub(r"[ \t]+$", "", output, flags=re.MULTILINE)).strip("\n") + "\n"
        return textwrap.indent(f"<!-- $ {match['command']} -->\n```{match['language']}\n{text}```", match["indent"])

    def print_ir(self, text):
        """IR as npu-opt prints it, without the module around it."""
        text = self.run("npu-opt --allow-unregistered-dialect --mlir-print-local-scope", text)
        inner = re.fullmatch(r"module \{\n(.*)\}\n*", text, re.DOTALL)
        return textwrap.dedent(inner[1]) if inner else text.rstrip("\n") + "\n"

    def show_example(self, match):
        self.count += 1
        text = textwrap.dedent(match["text"])
        before, *after = BECOMES.split(text)
        output = self.run(match["command"], before)
        if after and (not after[0].strip() or self.print_ir(after[0]) != self.print_ir(output)):
            # `}]` would end a description.
            text = f"{before}// becomes\n{self.print_ir(output)}".replace("}]", "} ]")
        return textwrap.indent(f"```mlir\n// $ {match['command']}\n{text}```", match["indent"])

    def check_sections(self, document, text):
        """Errors of the descriptions of passes: listings that nothing runs."""
        for definition in PASS.finditer(text):
            flag = definition["flag"]
            for kind, section in SECTION.findall(definition[0]):
                if kind == "Sketch":
                    named = re.search(r"`(test/[\w./-]+)`", section)
                    test = self.root / named[1] if named else None
                    if not test or not test.exists() or flag not in test.read_text():
                        yield f"{document}: the sketch of {flag} names no test that runs it"
                elif not LISTING.search(section) or any(
                        "$ " not in listing.split("\n")[0] + listing.split("\n")[1]
                        for listing in LISTING.findall(section)):
                    yield f"{document}: the example of {flag} has no command; make it whole or a sketch"


def main():
    update = sys.argv[1] == "--update"
    tools, *documents = sys.argv[1 + update:]
    checker = Checker(tools)
    errors, is_stale = [], False
    for document in documents:
        old = pathlib.Path(document).read_text()
        new = EXAMPLE.sub(checker.show_example, BLOCK.sub(checker.show_output, old))
        is_stale |= not finish(document, new, update)
        if document.endswith(".td"):
            errors += checker.check_sections(document, new)
    for error in errors:
        print(error)
    sys.exit(1 if errors or is_stale or not checker.count else 0)


if __name__ == "__main__":
    main()
