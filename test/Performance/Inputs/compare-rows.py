"""usage: compare-rows.py <document>: fails unless the document has every row of the tables that come in, but for cells with a
decimal point, which are times of this machine or derived from others."""
import pathlib
import re
import sys


def read(lines):
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines if line.startswith("| ")]
    return [[cell for cell in row if not re.fullmatch(r"\d+\.\d+", cell)] for row in rows]


known = read(pathlib.Path(sys.argv[1]).read_text().splitlines())
printed = read(sys.stdin)
missing = [row for row in printed if row not in known]
for row in missing:
    print("not in the document:", row)
sys.exit(not printed or bool(missing))
