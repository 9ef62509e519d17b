"""Writes the objects with inline data of the executable on standard input to a directory."""

import pathlib
import re
import sys

OBJECT = re.compile(r'\{path = "([^"]*)", data = dense<"0x([0-9A-F]*)"> : vector<(\d+)xi8>\}')

directory = pathlib.Path(sys.argv[1])
directory.mkdir(parents=True, exist_ok=True)
for path, digits, size in OBJECT.findall(sys.stdin.read()):
    data = bytes.fromhex(digits)
    assert len(data) == int(size)
    (directory / path).write_bytes(data)
    print(path)
