"""Checks that a document names all that is in a list, one name per line; of `Target/{A,B}` both.

usage: architecture.py <document> <list>
"""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
names = set(re.findall(r"[\w/-]+", text))
for folder, parts in re.findall(r"(\w+/)\{([\w,]+)\}", text):
    names.update(folder + part for part in parts.split(","))
missing = [name for name in pathlib.Path(sys.argv[2]).read_text().split() if name not in names]
if missing:
    sys.exit(f"{sys.argv[1]} does not name {', '.join(missing)}")
