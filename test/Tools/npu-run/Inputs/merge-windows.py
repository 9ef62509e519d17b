"""Puts all dispatches of each segment of a schedule into one window: merge-windows.py in.json out.json"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    schedule = json.load(file)
for segment in schedule["segments"]:
    dispatches = [name for window in segment["windows"] for name in window["dispatches"]]
    segment["windows"] = [{"dispatches": dispatches}]
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(schedule, file)
