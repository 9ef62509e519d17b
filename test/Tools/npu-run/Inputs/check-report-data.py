"""check-report-data.py <report.json> <trace.json>: both are of one run. Engines are busy in the report when the timeline has them busy;
memory in use lies in its memory and in the run; peaks of the tables are those of the rectangles."""
import json
import sys

report, trace = (json.load(open(path)) for path in sys.argv[1:])


def unite(intervals):
    united = []
    for start, end in sorted(intervals):
        if united and start <= united[-1][1]:
            united[-1][1] = max(united[-1][1], end)
        else:
            united.append([start, end])
    return united


tracks = {(event["pid"] - 1, event["tid"]): event["args"]["name"]
          for event in trace["traceEvents"] if event["name"] == "thread_name" and event["pid"] > 0}
expected = {}
for event in trace["traceEvents"]:
    if event["ph"] == "X" and event["pid"] > 0 and event["cat"] != "stall":
        track = event["pid"] - 1, tracks[event["pid"] - 1, event["tid"]]
        expected.setdefault(track, []).append((event["ts"], event["ts"] + event["dur"]))

found, rectangles = {}, 0
table = report["dispatches"]
for number, first, start in report["launches"]:
    program = report["programs"][number]
    for part in program["parts"]:
        for line in part["timelines"]:
            time, busy = start, line["intervals"]
            for pause, length, used in zip(busy[::3], busy[1::3], busy[2::3]):
                assert used == length and part["start"] <= time + pause - start and time + pause + length - start <= part["end"]
                found.setdefault((line["cluster"], line["engine"]), []).append((time + pause, time + pause + length))
                time += pause + length
    for index in range(len(program["parts"])):
        row = dict(zip(table["columns"], table["rows"][first + index]))
        for space in ("sram", "acc"):
            uses = [use for use in program["memory"] if use[1] == space and use[6] == index]
            rectangles += len(uses)
            for cluster, _, begin, end, since, until, _, what in uses:
                assert 0 <= begin < end <= report["target"][f"{space}Bytes"] and 0 <= since < until <= program["cycles"], (what, since)
            # Bytes in use at once, of one cluster, at each time that something starts.
            peak = max((sum(end - begin for begin, end in unite(
                (use[2], use[3]) for use in uses if use[0] == cluster and use[4] <= time < use[5]))
                for cluster, time in {(use[0], use[4]) for use in uses}), default=0)
            assert int(row[f"{space}_peak_bytes"]) == peak, (row["dispatch"], space, row[f"{space}_peak_bytes"], peak)
assert {key: unite(value) for key, value in found.items()} == {key: unite(value) for key, value in expected.items()}
assert rectangles > 0
print(f"{len(found)} engines and {rectangles} rectangles agree with the timeline")
