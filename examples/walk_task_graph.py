#!/usr/bin/env python3
"""Loads a task graph and walks it without computing anything: where a runtime would start.

Every call below that only prints (load, launch, call, copy, fill, compute) is what a runtime implements. Of a
branch it walks both blocks, of a loop one iteration. The
walk hands out the addresses, checks that every task only waits for what has happened, that buffers
which live at the same time are apart, and counts what moves.

usage: walk_task_graph.py model.npu.json [--quiet]
"""

import hashlib
import json
import os
import sys

VERSION = 4
# Where a runtime would have reserved each region.
BASES = {"constants": 0x1_0000_0000, "parameters": 0x2_0000_0000, "inputs": 0x6_0000_0000,
         "outputs": 0x7_0000_0000, "intermediates": 0x8_0000_0000, "state": 0x9_0000_0000}


def show(line):
    """A line in printable characters: names are from a file, and could move the cursor or end the line."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def expect(condition, message):
    if not condition:
        sys.exit(show(f"walk_task_graph.py: error: {message}"))


def load(path):
    """The graph and the bytes of its side file."""
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    expect(graph.get("format") == "npu-task-graph", f"{path}: expected a task graph")
    expect(graph["version"] == VERSION,
           f"{path}: expected version {VERSION}, found {graph['version']}")
    side = graph["sideFile"]
    with open(os.path.join(os.path.dirname(path), side["name"]), "rb") as file:
        data = file.read()
    expect(len(data) == side["bytes"],
           f"{side['name']}: expected {side['bytes']} bytes, found {len(data)}")
    expect(hashlib.sha256(data).hexdigest() == side["sha256"],
           f"{side['name']}: the SHA-256 is not that of the task graph")
    return graph, data


class Walker:
    def __init__(self, graph, data, out):
        self.graph, self.data, self.out = graph, data, out
        self.finished = set()
        self.prepared = set()
        self.cycles = self.moved = self.count = 0

    def code(self, entry):
        """The bytes of a program or of an object file."""
        begin = entry["code"]["offset"]
        return self.data[begin:begin + entry["code"]["bytes"]]

    def name(self, index, task):
        """A buffer for the log, having checked that it lives."""
        buffer = self.graph["buffers"][index]
        begin, end = buffer["lifetime"]
        expect(begin <= task["id"] < end, f"task {task['id']} uses buffer {index}, which is dead")
        shape = "x".join(str(extent) for extent in buffer["shape"] + [buffer["dtype"]])
        return f"{shape}@{BASES[buffer['region']] + buffer['offset']:#x}"

    def prepare(self, task):
        program = self.graph["programs"][task["program"]]
        self.prepared.add(task["program"])
        return f"load {program['name']}: {len(self.code(program))} bytes of NPU code"

    def launch(self, task):
        program = self.graph["programs"][task["program"]]
        expect(task["program"] in self.prepared, f"task {task['id']} runs an unprepared program")
        bound = [f"{region['name']}:{region['kind']}={self.name(buffer, task)}"
                 for region, buffer in zip(program["regions"], task["bindings"])]
        cycles = program.get("expectedCycles", 0)
        self.cycles += cycles
        expect(len(task["dispatches"]) == len(program["kernels"]),
               f"task {task['id']} has not one dispatch per kernel")
        kernels = ", ".join(
            f"dispatch {number} in tiles of "
            + " ".join(f"{tile['dim']}={tile['size']}" for tile in kernel["tile"])
            for number, kernel in zip(task["dispatches"], program["kernels"]))
        return (f"launch {program['name']} on {len(program['streams'])} streams, {kernels}, "
                f"{cycles} cycles expected: {', '.join(bound)}")

    def host(self, task):
        function = self.graph["hostFunctions"][task["hostFunction"]]
        expect(self.code(function)[:4] == b"\x7fELF", f"{function['name']} is no ELF object")
        buffers = [self.name(buffer, task) for buffer in task["reads"] + task["writes"]]
        return f"call {function['symbol']} ({function['name']}): {', '.join(buffers)}"

    def copy(self, task):
        count = 1
        for extent in task["extents"]:
            count *= extent
        self.moved += count
        source, target = (self.name(task[side]["buffer"], task) for side in ("source", "target"))
        return f"copy {count} bytes: {source} -> {target}"

    def fill(self, task):
        self.moved += self.graph["buffers"][task["buffer"]]["bytes"]
        return f"fill with {task['pattern']}: {self.name(task['buffer'], task)}"

    def compute(self, task):
        operands = ", ".join(self.name(buffer, task) for buffer in task["operands"])
        return f"{task['op']} {operands} -> {self.name(task['result'], task)}"

    def branch(self, task):
        return f"if {self.name(task['condition'], task)}", ("then", "else")

    def loop(self, task):
        return f"while {self.name(task['condition'], task)}", ("before", "body")

    def check_memory(self):
        """No two buffers share a byte while both live, and all are inside of their regions."""
        roots = [buffer for buffer in self.graph["buffers"] if "aliasOf" not in buffer]
        for number, a in enumerate(roots):
            size = self.graph["memory"]["regions"][a["region"]]
            expect(a["offset"] + a["bytes"] <= size, f"{a['name']} is outside of {a['region']}")
            for b in roots[:number]:
                apart = (a["region"] != b["region"]
                         or a["offset"] + a["bytes"] <= b["offset"]
                         or b["offset"] + b["bytes"] <= a["offset"]
                         or a["lifetime"][1] <= b["lifetime"][0]
                         or b["lifetime"][1] <= a["lifetime"][0])
                expect(apart, f"{a['name']} and {b['name']} overlap")

    def walk(self):
        self.check_memory()
        self.walk_block(self.graph["tasks"], "")

    def walk_block(self, tasks, indent):
        """Tasks wait for others of their block only; a block begins when its task does."""
        for task in tasks:
            missing = set(task["waitsFor"]) - self.finished
            expect(not missing, f"task {task['id']} waits for {sorted(missing)} forever")
            line, blocks = getattr(self, task["kind"])(task), ()
            if isinstance(line, tuple):
                line, blocks = line
            print(show(f"{indent}[{task['id']}] after {task['waitsFor']}: {line}"), file=self.out)
            for block in blocks:
                print(f"{indent} {block}:", file=self.out)
                self.walk_block(task[block], indent + "  ")
            self.finished.add(task["id"])
            self.count += 1


def main():
    paths = [argument for argument in sys.argv[1:] if argument != "--quiet"]
    if len(paths) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    graph, data = load(paths[0])
    with open(os.devnull, "w", encoding="utf-8") as nothing:
        walker = Walker(graph, data, nothing if "--quiet" in sys.argv else sys.stdout)
        walker.walk()
    for what in ("inputs", "parameters", "outputs"):
        for port in graph[what]:
            buffer = graph["buffers"][port["buffer"]]
            print(show(f"{what[:-1]} {port['name']}: {buffer['bytes']} bytes"))
    print(f"{walker.count} tasks, {walker.cycles} cycles expected on the NPU, "
          f"{walker.moved} bytes copied or filled, "
          f"{graph['memory']['regions']['intermediates']} bytes of intermediates")
    return 0


if __name__ == "__main__":
    sys.exit(main())
