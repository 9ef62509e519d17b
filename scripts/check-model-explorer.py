#!/usr/bin/env python3
"""Checks what npu-run --model-explorer wrote against the format of Model Explorer, as docs/model-explorer.md states it,
and says what is in it.

usage: check-model-explorer.py DIRECTORY
"""
import json
import pathlib
import sys

directory = pathlib.Path(sys.argv[1])


def require(object, types, optional={}):
    """Every property that must be there, none that is unknown, all of their types."""
    assert isinstance(object, dict), object
    for name, type_ in types.items():
        assert isinstance(object.get(name), type_), f"expected '{name}' in {object}"
    for name, value in object.items():
        assert name in types or isinstance(value, optional.get(name, ())), f"unknown '{name}' in {object}"


def check_attributes(attributes):
    for attribute in attributes:
        require(attribute, {"key": str, "value": str})


def check_graph(graph, ids):
    require(graph, {"id": str, "nodes": list})
    nodes = {node["id"]: node for node in graph["nodes"]}
    assert len(nodes) == len(graph["nodes"]), f"ids of nodes are not unique in {graph['id']}"
    edges = 0
    for node in graph["nodes"]:
        require(node, {"id": str, "label": str, "namespace": str},
                {"attrs": list, "incomingEdges": list, "outputsMetadata": list, "subgraphIds": list})
        assert node["id"] and node["label"], node
        assert node["namespace"] == "" or all(node["namespace"].split("/")), f"an empty group in {node['namespace']!r}"
        check_attributes(node.get("attrs", []))
        for output in node.get("outputsMetadata", []):
            require(output, {"id": str, "attrs": list})
            check_attributes(output["attrs"])
        for edge in node.get("incomingEdges", []):
            require(edge, {"sourceNodeId": str, "sourceNodeOutputId": str, "targetNodeInputId": str})
            assert edge["sourceNodeId"] in nodes, f"an edge from nowhere: {edge}"
            edges += 1
        for subgraph in node.get("subgraphIds", []):
            assert subgraph in ids, f"leads to no graph of the file: {subgraph!r}"
    return edges


collection = json.loads((directory / "graphs.json").read_text())
require(collection, {"label": str, "graphs": list})
ids = [graph["id"] for graph in collection["graphs"]]
assert len(set(ids)) == len(ids), "ids of graphs are not unique"
nodes = {graph["id"]: {node["id"]: node for node in graph["nodes"]} for graph in collection["graphs"]}
for graph in collection["graphs"]:
    edges = check_graph(graph, set(ids))
    leading = [node for node in graph["nodes"] if any(id.startswith("program") for id in node.get("subgraphIds", []))]
    print(f"{graph['id']}: {len(graph['nodes'])} nodes, {edges} edges, {len(leading)} lead to instructions")

for path in sorted(directory.glob("*.json")):
    if path.name == "graphs.json":
        continue
    data = json.loads(path.read_text())
    assert isinstance(data, dict)
    for graph, content in data.items():
        require(content, {"results": dict}, {"gradient": list})
        for node, result in content["results"].items():
            assert node in nodes[graph], f"a value of no node: {node}"
            require(result, {"value": (int, float, str)})
        if "gradient" in content:
            assert [stop["stop"] for stop in content["gradient"]] == [0, 1]
            assert all(isinstance(result["value"], (int, float)) for result in content["results"].values())
        values = [result["value"] for result in content["results"].values()]
        texts = sorted(set(values)) if all(isinstance(value, str) for value in values) else [f"{max(values):.4g} at most"]
        print(f"{path.stem} of {graph}: {len(values)} values, {', '.join(texts)}")
