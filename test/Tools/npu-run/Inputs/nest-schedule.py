"""Puts N loops around all of the first kernel of a schedule: nest-schedule.py in.json out.json N"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    schedule = json.load(file)
kernel = schedule["kernels"][0]
count = int(sys.argv[3])
body = kernel["schedule"].removeprefix("#npu.schedule<{").removesuffix("}>")
kernel["schedule"] = "#npu.schedule<{" + "for m = 16 {" * count + body + "}" * count + "}>"
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(schedule, file)
