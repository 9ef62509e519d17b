"""How the scripts that check documents end."""

import difflib
import pathlib
import sys


def finish(document, new, update, has_blocks):
    """Writes a document anew, or prints how it differs; exits with 1 if it does, or has nothing to check."""
    old = pathlib.Path(document).read_text()
    if update:
        pathlib.Path(document).write_text(new)
        return
    diff = list(difflib.unified_diff(old.splitlines(), new.splitlines(), document, "tools", lineterm=""))
    print("\n".join(diff))
    sys.exit(1 if diff or not has_blocks else 0)
