"""compare-segments.py <with> <without>: two tables per dispatch; work is the same, cycles and traffic with segments are not more."""
import csv
import sys

on, off = (list(csv.DictReader(open(path))) for path in sys.argv[1:])
assert len(on) == len(off) > 1
for a, b in zip(on, off):
    for column in ("dispatch", "op", "macs"):
        assert a[column] == b[column], (a["dispatch"], column, a[column], b[column])
for columns in (("cycles",), ("dram_bytes_read", "dram_bytes_written")):
    sums = [sum(int(row[column] or 0) for row in rows for column in columns) for rows in (on, off)]
    assert sums[0] < sums[1] if "cycles" in columns else sums[0] <= sums[1], (columns, sums)
print("same work, fewer cycles")
