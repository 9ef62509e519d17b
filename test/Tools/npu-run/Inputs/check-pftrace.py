"""Checks a timeline of Perfetto's format, as protoc prints it, and says what is in it.

usage: protoc --decode=perfetto.protos.Trace perfetto_trace.proto < TRACE | check-pftrace.py SUMMARY [WORD]

Fields that the description of the format lacks are numbers in protoc's text, and refused. WORD must be in the
name of some slice.
"""
import ast
import json
import re
import sys


def parse(lines):
    """A message as a dictionary of lists."""
    message = {}
    for line in lines:
        line = line.strip()
        if line == "}":
            return message
        name, text = re.fullmatch(r"(\w+)(?:: (.*)| \{)", line).groups()
        assert not name.isdigit(), f"a field without a name: {line}"
        if text is None:
            value = parse(lines)
        elif text.startswith('"'):
            value = ast.literal_eval("b" + text).decode("utf-8")
        else:
            value = text
        message.setdefault(name, []).append(value)
    return message


def one(message, name):
    (value,) = message[name]
    return value


summary = json.load(open(sys.argv[1]))
packets = parse(iter(sys.stdin)).get("packet")
tracks, names, begins, ends, last = {}, [], {}, {}, {}
for packet in packets:
    assert packet["trusted_packet_sequence_id"] == ["1"]
    if "track_descriptor" in packet:
        descriptor = one(packet, "track_descriptor")
        uuid = one(descriptor, "uuid")
        assert uuid not in tracks, "a track is described once"
        if "process" in descriptor:
            name = one(one(descriptor, "process"), "process_name")
        else:
            assert one(descriptor, "parent_uuid") in tracks
            name = tracks[one(descriptor, "parent_uuid")]["name"] + "/" + one(descriptor, "name")
        tracks[uuid] = {"name": name, "counter": descriptor.get("counter", [None])[0], "slices": 0, "marks": 0, "values": [],
                        "open": None, "end": 0}
    elif "track_event" in packet:
        event, time = one(packet, "track_event"), int(one(packet, "timestamp"))
        track, kind = tracks[one(event, "track_uuid")], one(event, "type")
        assert time % 1000 == 0
        if kind == "TYPE_SLICE_BEGIN":
            assert track["open"] is None and time >= track["end"], "slices of a track overlap"
            track["open"] = time
            names.append(one(event, "name"))
            assert names[-1], "a slice has a name"
            for flow in event.get("flow_ids", []):
                assert flow not in begins
                begins[flow] = time
            for flow in event.get("terminating_flow_ids", []):
                assert flow not in ends
                ends[flow] = time
        elif kind == "TYPE_SLICE_END":
            assert time >= track["open"]
            track.update(open=None, end=time, slices=track["slices"] + 1)
        elif kind == "TYPE_COUNTER":
            assert track["counter"] and (not track["values"] or time > track["values"][-1][0]), "values follow"
            track["values"].append((time, float(one(event, "double_counter_value"))))
        else:
            assert kind == "TYPE_INSTANT" and one(event, "name")
            track["marks"] += 1
assert all(track["open"] is None for track in tracks.values())
assert max(track["end"] for track in tracks.values()) == summary["cycles"] * 1000
assert begins.keys() == ends.keys() and all(begins[flow] < ends[flow] for flow in begins), "flows go forward"

for track in tracks.values():
    if values := track["values"]:
        assert values[-1][1] == 0, "at the end nothing is in use"
        unit = one(track["counter"], "unit_name")
        most = max(value for _, value in values)
        assert most > 0 and min(value for _, value in values) >= 0
        print(f"{track['name']}: at most {most:g} {unit}")
        if unit == "bytes":
            limit = summary["targetParameters"]["sramBytes" if "sram" in track["name"] else "accBytes"]
            assert most <= limit, (most, limit)
        else:
            # What moved is what the counter says, up to its rounding.
            total = sum(rate * (after - time) / 1000 for (time, rate), (after, _) in zip(values, values[1:]))
            moved = summary["dramBytesRead"] + summary["dramBytesWritten"]
            assert abs(total - moved) <= 0.01 * moved, (total, moved)
    elif track["slices"] or track["marks"]:
        print(f"{track['name']}: {track['slices']} slices, {track['marks']} marks")
print(f"{len(begins)} flows")
if len(sys.argv) > 2:
    assert any(sys.argv[2] in name for name in names), names[:20]
