"""Checks a timeline of npu-run against Chrome's trace format, and says what is in it.

usage: check-trace.py TRACE SUMMARY
"""
import json
import sys

trace, summary = (json.load(open(path)) for path in sys.argv[1:])
processes, tracks = {}, {}
for event in trace["traceEvents"]:
    if event["ph"] == "M":
        name = event["args"]["name"]
        if event["name"] == "process_name":
            assert processes.setdefault(event["pid"], name) == name
        else:
            assert event["name"] == "thread_name"
            tracks[event["pid"], event["tid"]] = {"name": name, "X": [], "i": []}
    else:
        tracks[event["pid"], event["tid"]][event["ph"]].append(event)

end = 0
for (pid, tid), track in tracks.items():
    position = 0
    for event in sorted(track["X"], key=lambda event: event["ts"]):
        assert event["ts"] >= position and event["dur"] >= 0, "slices of a track overlap"
        position = event["ts"] + event["dur"]
    end = max(end, position)
    stalls = [event for event in track["X"] if event["cat"] == "stall"]
    text = f"{processes[pid]}/{track['name']}: "
    if track["i"]:
        names = sorted({event["name"] for event in track["i"]})
        text += f"{len(track['i'])} marks: {', '.join(names)}"
    else:
        text += f"{len(track['X']) - len(stalls)} slices"
    if stalls:
        reasons = sorted({event["args"]["reason"] for event in stalls})
        text += f", {len(stalls)} stalls: {'; '.join(reasons)}"
    print(text)
assert end == summary["cycles"], (end, summary["cycles"])
