#!/usr/bin/env python3
"""Checks that folders of the libraries include each other as docs/architecture.md says, in no circle.

usage: check-rooms.py [--update]

A room is a folder under include/NPU and lib; of Dialect and Target each folder is one. The table "Where things are" has a
line per room, whose last column names the rooms that its files include. --update writes that column: a new edge is to be
a decision that a reader of the difference sees.
"""

import collections
import graphlib
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
document = root / "docs/architecture.md"


def get_room(path):
    parts = pathlib.PurePosixPath(path).parts[:-1]
    return "/".join(parts[: 2 if parts[0] in ("Dialect", "Target") else 1])


def find_edges():
    edges = collections.defaultdict(lambda: collections.defaultdict(list))
    for base in (root / "include/NPU", root / "lib"):
        for path in sorted(base.rglob("*")):
            if path.suffix not in (".h", ".cpp", ".td"):
                continue
            room = get_room(path.relative_to(base).as_posix())
            edges[room]
            for target in re.findall(r'^#?include "NPU/(.+/.+)"', path.read_text(), re.MULTILINE):
                if get_room(target) != room:
                    edges[room][get_room(target)].append(f"{path.relative_to(root)} includes NPU/{target}")
    return edges


def main():
    edges = find_edges()
    errors = []
    try:
        graphlib.TopologicalSorter(edges).prepare()
    except graphlib.CycleError as error:
        circle = error.args[1][::-1]
        errors.append("folders include each other in a circle: " + " -> ".join(circle))
        errors += [edges[a][b][0] for a, b in zip(circle, circle[1:])]

    seen = set()
    lines = document.read_text().splitlines(keepends=True)
    for number, line in enumerate(lines):
        row = re.match(r"\| `([\w/]+)` \| (.*) \| ([^|]*) \|$", line)
        if not row or row[1] not in edges:
            continue
        room = row[1]
        seen.add(room)
        said = set(re.findall(r"`([\w/]+)`", row[3]))
        uses = edges[room]
        if "--update" in sys.argv:
            lines[number] = f"| `{room}` | {row[2]} | {', '.join(f'`{use}`' for use in sorted(uses)) or 'none'} |\n"
            continue
        for use in sorted(set(uses) - said):
            errors.append(f"`{room}` may not use `{use}`, says {document.name}: {uses[use][0]}")
        for use in sorted(said - set(uses)):
            errors.append(f"`{room}` does not use `{use}`, though {document.name} says so")
    errors += [f"{document.name} has no line for folder `{room}`" for room in sorted(set(edges) - seen)]
    if "--update" in sys.argv:
        document.write_text("".join(lines))
    if errors:
        sys.exit("\n".join(errors) + "\nsee scripts/check-rooms.py")


main()
