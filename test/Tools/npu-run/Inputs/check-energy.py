"""Checks the time and the energy of a report against its cycles, bytes and MACs.

usage: check-energy.py <report> <MHz> <pJ per byte> <pJ per MAC>

The chip states no other energy, and all MACs are of one type.
"""

import csv
import json
import pathlib
import sys

directory = pathlib.Path(sys.argv[1])
clock, byte, mac = map(float, sys.argv[2:])
rows = [row for row in csv.DictReader(open(directory / "per-dispatch.csv")) if row["cycles"]]
summary = json.load(open(directory / "summary.json"))


def check(found, wanted, digits, what):
    assert abs(float(found) - wanted) <= 0.51 * 10**-digits, (what, found, wanted)


for row in rows:
    cycles, moved = int(row["cycles"]), int(row["dram_bytes_read"]) + int(row["dram_bytes_written"])
    seconds = cycles / (clock * 1e6)
    check(row["milliseconds"], seconds * 1e3, 6, "milliseconds")
    check(row["dram_gb_per_s"], moved / seconds / 1e9, 4, "GB/s")
macs = sum(int(row["macs"]) for row in rows[:-1])
total = rows[-1]
assert total["dispatch"] == "total" and macs == int(total["macs"]) > 0
check(sum(float(row["energy_uj"]) for row in rows[:-1]), float(total["energy_uj"]), 3, "sum of energies")
energy = (summary["dramBytesRead"] + summary["dramBytesWritten"]) * byte * 1e-6 + macs * mac * 1e-6
check(summary["energyMicrojoules"], energy, 9, "energy")
check(total["energy_uj"], energy, 4, "energy of the table")
check(summary["energyMicrojoules"], sum(summary["energyParts"].values()), 9, "parts")
check(summary["milliseconds"] * summary["inferencesPerSecond"], 1e3, 6, "inferences a second")
check(summary["tops"], 2 * macs / (summary["milliseconds"] * 1e-3) / 1e12, 9, "TOPS")
print("time and energy are right")
