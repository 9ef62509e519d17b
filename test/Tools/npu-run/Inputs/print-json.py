"""Prints some of what npu-run --json writes, and adds it up. usage: print-json.py < run.json"""

import json
import sys

run = json.load(sys.stdin)
is_sum = run["cycles"] == sum(dispatch["cycles"] for dispatch in run["perDispatch"])
print(f"cycles: {run['cycles']}, {'those' if is_sum else 'not those'} of all dispatches")
for key in ("hostCheck", "passed", "isPlan", "milliseconds"):
    print(f"{key}: {run.get(key)}")
for dispatch in run["perDispatch"]:
    print(f"dispatch {dispatch['index']}: {dispatch['placement']}, kernel {dispatch['kernel']}")
for loss in run["losses"]:
    print(f"loss of kernel {loss['kernel']}: {loss['name']}, {loss['lostCycles']} of {loss['cycles']} cycles")
    assert loss["lostCycles"] == loss["cycles"] - loss["rooflineCycles"]
