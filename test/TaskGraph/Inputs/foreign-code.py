"""Replaces the code of a task graph's first host function.

usage: foreign-code.py graph.json object.o result.json     both graphs lie in one folder; the object defines `entry`
"""

import hashlib
import json
import pathlib
import sys

graph_path, object_path, result_path = map(pathlib.Path, sys.argv[1:])
graph = json.loads(graph_path.read_text())
side_file = (graph_path.parent / graph["sideFile"]["name"]).read_bytes()
code = object_path.read_bytes()
offset = (len(side_file) + 63) // 64 * 64
side_file = side_file.ljust(offset, b"\0") + code
graph["hostFunctions"][0].update(symbol="entry", code={"offset": offset, "bytes": len(code)})
name = result_path.with_suffix(".bin").name
graph["sideFile"] = {"name": name, "bytes": len(side_file), "sha256": hashlib.sha256(side_file).hexdigest()}
(result_path.parent / name).write_bytes(side_file)
result_path.write_text(json.dumps(graph))
