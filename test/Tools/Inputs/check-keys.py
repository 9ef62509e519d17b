"""check-keys.py FILE...: every key of a JSON file is in camelCase, and every column of a CSV file in snake_case."""

import csv
import json
import pathlib
import re
import sys


def find_keys(value):
    if isinstance(value, dict):
        yield from value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from find_keys(part)


failed = False
for path in map(pathlib.Path, sys.argv[1:]):
    if path.suffix == ".csv":
        names, pattern = next(csv.reader(path.open())), r"[a-z][a-z0-9]*(_[a-z0-9]+)*"
    else:
        names, pattern = list(find_keys(json.loads(path.read_text()))), r"[a-z][a-zA-Z0-9]*"
    others = sorted({name for name in names if not re.fullmatch(pattern, name)})
    failed |= bool(others) or not names
    print(f"{path.name}: {len(names)} names" + (f", among them {', '.join(others)}" if others else ""))
sys.exit(failed)
