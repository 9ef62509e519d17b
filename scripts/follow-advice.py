"""Follows every advice on some kernels and measures the gain. usage: follow-advice.py <npu-run> <docs/advice.md> <folder with models> <kernels> <case>...
A case is model;target, or model;target;edit, where edit is old/new in the schedule that the search writes."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

npu_run, docs, folder, count = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4]


def time(model, target, *options):
    command = [npu_run, "--timing-only", "--json", f"--target={target}", *options, str(folder / model)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)


def get_cycles(run, dispatches):
    """Of the kernels of these dispatches; None if they share kernels with others."""
    of_kernel = {}
    for dispatch in run["perDispatch"]:
        of_kernel.setdefault(dispatch["kernel"], []).append(dispatch)
    if not all(len(dispatches.intersection(d["index"] for d in members)) in (0, len(members)) for members in of_kernel.values()):
        return None
    return sum(d["cycles"] for d in run["perDispatch"] if d["index"] in dispatches)


def change_target(target, change):
    name, _, parameters = target.partition(":")
    known = dict(item.split("=") for item in filter(None, parameters.split(",")))
    known.update(item.split("=") for item in change.split(","))
    return name + ":" + ",".join(f"{key}={value}" for key, value in known.items())


seen, wrong, scratch = set(), 0, tempfile.TemporaryDirectory()
for number, case in enumerate(sys.argv[5:]):
    model, target, edit = (case.split(";") + [""])[:3]
    schedule, options = pathlib.Path(scratch.name) / f"{number}.json", []
    if edit:
        time(model, target, f"--npu-schedule={schedule}")
        old, new = edit.split("/")
        text = schedule.read_text()
        assert old in text, (old, text)
        schedule.write_text(text.replace(old, new))
        options = [f"--npu-schedule={schedule}"]
    before = time(model, target, f"--advise={count}", *options)
    for loss, advice in [(loss, advice) for loss in before["losses"] for advice in loss["advice"]]:
        dispatches = {d["index"] for d in before["perDispatch"] if d["kernel"] == loss["kernel"]}
        other = pathlib.Path(scratch.name) / "other.json"
        other.unlink(missing_ok=True)
        if "schedule" in advice:
            # The entry of the only kernel.
            time(model, target, f"--npu-schedule={other}")
            text = re.sub(r'("schedule": )"#npu.*"', lambda found: found[1] + json.dumps(advice["schedule"]), other.read_text())
            other.write_text(text)
            after = time(model, target, f"--npu-schedule={other}")
        elif advice["rule"] == "searched-schedule":
            after = time(model, target)
        else:
            after = time(model, change_target(target, advice["change"]))
        cycles = get_cycles(after, dispatches)
        if cycles is None:
            print(f"{case}: {advice['rule']}, {advice['change']}: other kernels")
            continue
        gain = loss["cycles"] - cycles
        is_right = abs(gain - advice["cyclesSaved"]) <= 0.25 * advice["cyclesSaved"]
        wrong += not is_right
        print(f"{case}: {advice['rule']}, {advice['change']}: {advice['cyclesSaved']} cycles promised, {gain} gained" +
              ("" if is_right else ": more than 25 % off"))
        seen.add(advice["rule"])
rules = set(re.findall(r"^\| `([a-z-]+)` \|", docs.read_text(), re.MULTILINE))
for rule in sorted(rules - seen):
    print(f"{rule}: no case shows it")
for rule in sorted(seen - rules):
    print(f"{rule}: not documented")
sys.exit(1 if wrong or rules != seen else 0)
