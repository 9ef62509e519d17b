"""What the scripts that check documents share."""

import difflib
import pathlib
import re

# Simulated times and what is computed from them: where the schedule stays, a change of the cost model edits no page.
FIGURES = re.compile(r"(?<=\bcycles )\d+|(?<=\bbusy )\d+|(?<=\bwaiting )\d+|(?<=program's )\d+|\b\d+(?= cycles\b)|\b\d+\.\d+(?= x limit\b| %)"
                     r"|\b\d+\.\d+(?= ms at | inferences/s\b| uJ\b| TOPS\b)|(?<=DRAM )\d+\.\d+(?= of )")


def elide_figures(text):
    """The text with `…` where simulated times are. docs/benchmarks.md has those, and test/Performance compares them."""
    return FIGURES.sub("…", text)


def finish(document, new, update):
    """Writes a document anew, or prints how it differs; returns whether it is as it should be."""
    old = pathlib.Path(document).read_text()
    if update:
        pathlib.Path(document).write_text(new)
        return True
    for line in difflib.unified_diff(old.splitlines(), new.splitlines(), document, "tools", lineterm=""):
        print(line)
    return old == new
