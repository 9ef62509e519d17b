"""edit-blocks.py <edit> <in.json> <out.json>: makes one thing wrong with the loop of a task graph."""

import json
import sys

edit, source, target = sys.argv[1:]
with open(source, encoding="utf-8") as file:
    graph = json.load(file)
loop = next(task for task in graph["tasks"] if task["kind"] == "loop")
less = loop["before"][0]
copies = [task for task in loop["body"] if task.get("target", {}).get("terms")]
tensor = graph["inputs"][0]["buffer"]
carried = copies[0]["target"]["buffer"]
if edit == "condition":
    loop["condition"] = less["operands"][0]
elif edit == "before":
    del loop["before"]
    loop["before"] = None
elif edit == "operands":
    less["operands"].pop()
elif edit == "op":
    less["op"] = "divide"
elif edit == "operand":
    less["operands"][0] = tensor
elif edit == "result":
    less["result"] = less["operands"][0]
elif edit == "then":
    loop["then"] = []
elif edit == "wait":
    loop["body"][0]["waitsFor"] = [0]
elif edit == "lifetime":
    root = graph["buffers"][carried].get("aliasOf", carried)
    for buffer in graph["buffers"]:
        if buffer is graph["buffers"][less["result"]]:
            buffer["lifetime"] = [less["id"], less["id"] + 1]
elif edit == "prepare":
    loop["body"][0] = {"id": loop["body"][0]["id"], "kind": "prepare", "name": "", "location": "", "waitsFor": [],
                       "program": 0}
elif edit == "terms":
    copies[0]["target"]["terms"][0]["buffer"] = tensor
elif edit == "member":
    del copies[0]["target"]["terms"][0]["stride"]
with open(target, "w", encoding="utf-8") as file:
    json.dump(graph, file)
