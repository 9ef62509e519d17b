"""How the scripts that check documents end."""

import difflib
import pathlib


def finish(document, new, update):
    """Writes a document anew, or prints how it differs; returns whether it is as it should be."""
    old = pathlib.Path(document).read_text()
    if update:
        pathlib.Path(document).write_text(new)
        return True
    for line in difflib.unified_diff(old.splitlines(), new.splitlines(), document, "tools", lineterm=""):
        print(line)
    return old == new
