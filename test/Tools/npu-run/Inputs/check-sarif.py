"""Checks a log against what the schema of SARIF 2.1.0 requires, and lists its results.

usage: check-sarif.py LOG
"""
import json
import sys

LEVELS = {"none", "note", "warning", "error"}


def require(object, types, optional):
    """The properties that an object must have, and those that it may have, by their types."""
    for name, type_ in types.items():
        assert isinstance(object[name], type_), (name, object)
    for name in object:
        expected = types.get(name, optional.get(name))
        assert expected and isinstance(object[name], expected), f"unknown or of another type: {name} in {object}"


def check_message(message):
    require(message, {"text": str}, {})


def check_location(location):
    require(location, {}, {"physicalLocation": dict, "logicalLocations": list, "message": dict})
    if "message" in location:
        check_message(location["message"])
    text = ""
    if physical := location.get("physicalLocation"):
        require(physical, {"artifactLocation": dict}, {"region": dict})
        require(physical["artifactLocation"], {"uri": str}, {})
        uri = physical["artifactLocation"]["uri"]
        assert all(c.isalnum() and c.isascii() or c in "-._~/%:" for c in uri), uri
        text = uri.rsplit("/", 1)[-1]
        if region := physical.get("region"):
            require(region, {"startLine": int, "startColumn": int}, {})
            assert region["startLine"] >= 1 and region["startColumn"] >= 1
            text += f":{region['startLine']}"
    for logical in location.get("logicalLocations", []):
        require(logical, {"name": str, "kind": str}, {})
        text += f" [{logical['name']!r}]"
    return text


log = json.load(open(sys.argv[1]))
require(log, {"version": str, "$schema": str, "runs": list}, {})
assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
(run,) = log["runs"]
require(run, {"tool": dict, "results": list}, {"invocations": list, "columnKind": str})
assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
require(run["tool"], {"driver": dict}, {})
require(run["tool"]["driver"], {"name": str, "rules": list}, {})
rules = run["tool"]["driver"]["rules"]
for rule in rules:
    require(rule, {"id": str}, {"shortDescription": dict, "fullDescription": dict, "help": dict})
    for key in rule.keys() - {"id"}:
        check_message(rule[key])
assert len({rule["id"] for rule in rules}) == len(rules)
for invocation in run["invocations"]:
    require(invocation, {"executionSuccessful": bool}, {"exitCode": int})
for result in run["results"]:
    require(result, {"message": dict}, {"ruleId": str, "ruleIndex": int, "level": str, "locations": list,
                                        "relatedLocations": list, "properties": dict})
    check_message(result["message"])
    assert result["level"] in LEVELS and rules[result["ruleIndex"]]["id"] == result["ruleId"]
    places = [check_location(location) for location in result.get("locations", [])]
    notes = [check_location(location) for location in result.get("relatedLocations", [])]
    print(f"{result['level']} {result['ruleId']} at {', '.join(places) or 'nowhere'}, {len(notes)} notes: "
          f"{result['message']['text']!r}")
print(f"{len(rules)} rules, {len(run['results'])} results, exit code {run['invocations'][0]['exitCode']}")
