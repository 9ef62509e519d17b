#!/usr/bin/env python3
"""Compiles and times networks on many chips: one table and one plot of all. See docs/sweep.md."""

import argparse
import csv
import hashlib
import itertools
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from npu_sweep_plot import make_page

COLUMNS = ["network", "chip", "options", "status", "cycles", "roofline_cycles", "cycles_over_roofline",
           "dram_bytes", "dram_bytes_lower_bound", "dispatches_npu", "dispatches_host", "macs", "macs_npu",
           "array_macs", "memory_bytes", "area", "pareto", "error"]
DEFAULT_AREA = {"cell": 1, "lane": 4, "byte": 0.01, "bandwidth": 10}
OWN_FLAGS = ("--target", "--report", "--timing-only", "--trace", "--flagfile", "--module")


class BadInput(Exception):
    """What is wrong with the specification or the machine, for the user."""


def describe(value):
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def expect(condition, key, expected, found):
    if not condition:
        raise BadInput(f"{key}: expected {expected}, found {describe(found)}")


def check_keys(object, key, required, optional=()):
    for name in required:
        if name not in object:
            raise BadInput(f"{key}: expected the key '{name}', found {', '.join(object) or 'none'}")
    for name in object:
        if name not in (*required, *optional):
            raise BadInput(f"{key}: unknown key '{name}', expected {', '.join((*required, *optional))}")


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def read_flags(value, key):
    expect(isinstance(value, list), key, "a list of flags", value)
    for number, flag in enumerate(value):
        expect(isinstance(flag, str) and flag.startswith("--"), f"{key}[{number}]", "a flag of npu-run, as --name=value",
               flag)
        if flag.split("=")[0] in OWN_FLAGS:
            raise BadInput(f"{key}[{number}]: expected a flag that npu-sweep does not give itself, found {describe(flag)}")
    return value


def read_network(value, key):
    """{"name", "file", "options"} of a file's name or of an object."""
    if isinstance(value, str):
        value = {"file": value}
    expect(isinstance(value, dict), key, "a file name, or an object with the key 'file'", value)
    check_keys(value, key, ("file",), ("name", "options"))
    file, name = value["file"], value.get("name", value["file"])
    expect(isinstance(file, str) and file, f"{key}.file", "a file name", file)
    expect(isinstance(name, str) and name, f"{key}.name", "a name", name)
    return {"name": name, "file": file, "options": read_flags(value.get("options", []), f"{key}.options")}


def add_parameters(base, settings):
    """The target that `base` is with these parameters."""
    if not settings:
        return base
    # A file's name may have a colon in it.
    return base + ("," if ":" in base.rsplit("/", 1)[-1] else ":") + ",".join(settings)


def read_chips(value, key):
    """The targets that one entry names: itself, or every point of a grid."""
    if isinstance(value, str):
        expect(value, key, "a target as npu-run --target has it", value)
        return [value]
    expect(isinstance(value, dict), key, "a target, or an object with the key 'base' and lists of parameters", value)
    if "base" not in value:
        raise BadInput(f"{key}: expected the key 'base', found {', '.join(value) or 'none'}")
    base = value["base"]
    expect(isinstance(base, str) and base, f"{key}.base", "a target", base)
    axes = []
    for name, values in value.items():
        if name == "base":
            continue
        values = values if isinstance(values, list) else [values]
        expect(values and all(map(is_integer, values)), f"{key}.{name}", "an integer or a list of integers", value[name])
        axes.append([f"{name}={number}" for number in values])
    return [add_parameters(base, point) for point in itertools.product(*axes)]


def read_spec(path):
    try:
        with open(path, encoding="utf-8") as file:
            spec = json.load(file)
    except OSError as error:
        raise BadInput(f"cannot read it: {error.strerror}")
    except (ValueError, RecursionError) as error:
        raise BadInput(f"expected JSON: {error}")
    expect(isinstance(spec, dict), "specification", "an object", spec)
    check_keys(spec, "specification", ("networks", "chips"), ("options", "area", "timeoutSeconds"))
    for key in ("networks", "chips"):
        expect(isinstance(spec[key], list) and spec[key], key, "a list with at least one entry", spec[key])
    networks = [read_network(value, f"networks[{i}]") for i, value in enumerate(spec["networks"])]
    chips = [chip for i, value in enumerate(spec["chips"]) for chip in read_chips(value, f"chips[{i}]")]
    options = spec.get("options", [[]])
    expect(isinstance(options, list) and options, "options", "a list of lists of flags", options)
    options = [read_flags(flags, f"options[{i}]") for i, flags in enumerate(options)]
    for key, names in (("networks", [network["name"] for network in networks]), ("chips", chips),
                       ("options", [" ".join(flags) for flags in options])):
        for number, name in enumerate(names):
            if name in names[:number]:
                raise BadInput(f"{key}: expected each once, found {describe(name)} twice")
    area = spec.get("area", {})
    expect(isinstance(area, dict), "area", "an object", area)
    check_keys(area, "area", (), tuple(DEFAULT_AREA))
    for name, value in area.items():
        expect(is_number(value) and 0 <= value < float("inf"), f"area.{name}", "a number that is not negative", value)
    timeout = spec.get("timeoutSeconds")
    expect(timeout is None or is_number(timeout) and 0 < timeout < float("inf"), "timeoutSeconds", "a positive number",
           timeout)
    return {"networks": networks, "chips": chips, "options": options, "area": {**DEFAULT_AREA, **area},
            "timeoutSeconds": timeout}


def hash_file(path):
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return "none"


def make_jobs(spec, directory, output, npu_run):
    """What to run, in the order of the table. The name of a result depends on all that decides it, so that a
    changed network, chip or compiler is run again."""
    files = {}

    def get_hash(path):
        path = os.path.join(directory, path)
        if path not in files:
            files[path] = hash_file(path)
        return files[path]

    jobs = []
    for network, chip, flags in itertools.product(spec["networks"], spec["chips"], spec["options"]):
        job = {"npuRun": npu_run, "directory": directory, "network": network["file"], "chip": chip,
               "options": network["options"] + flags, "timeoutSeconds": spec["timeoutSeconds"]}
        parts = [get_hash(npu_run), get_hash(network["file"]), job]
        if chip.startswith("@"):
            parts.append(get_hash(chip[1:].rsplit(":", 1)[0] if "=" in chip else chip[1:]))
        key = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]
        jobs.append({"name": network["name"], "flags": flags, "job": job,
                     "result": os.path.join(output, "results", key + ".json")})
    return jobs


def find_error(text):
    """The first error that npu-run printed, on one line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        if "error: " in line:
            return line.removeprefix("npu-run: error: ")
    return lines[0].removeprefix("npu-run: ") if lines else "no message"


def write_file(path, text):
    """All of it or nothing."""
    with tempfile.NamedTemporaryFile("w", dir=os.path.dirname(path), prefix=".tmp-", delete=False,
                                     encoding="utf-8", newline="") as file:
        try:
            file.write(text)
            file.close()
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def run_job(job, path):
    """Runs one point and writes its result. Only who is stopped from outside leaves none."""
    os.chdir(job["directory"])
    result = {"error": None}
    with tempfile.TemporaryDirectory(prefix="npu-sweep-") as report:
        command = [job["npuRun"], "--timing-only", "--target=" + job["chip"], "--report=" + report,
                   "--module=" + job["network"], *job["options"]]
        try:
            run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, timeout=job["timeoutSeconds"])
        except subprocess.TimeoutExpired:
            result["error"] = f"took longer than {job['timeoutSeconds']} seconds"
        except OSError as error:
            # That is about this machine, not about the network or the chip.
            raise BadInput(f"cannot run {job['npuRun']}: {error.strerror}")
        else:
            if -run.returncode in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                return 1
            if run.returncode < 0:
                result["error"] = f"npu-run was ended by signal {-run.returncode}"
            elif run.returncode > 0:
                result["error"] = find_error(run.stderr.decode("utf-8", "replace"))
            else:
                with open(os.path.join(report, "summary.json"), encoding="utf-8") as file:
                    result["summary"] = json.load(file)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_file(path, json.dumps(result, sort_keys=True) + "\n")
    return 0


def read_result(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def get_area(parameters, weights):
    """The table's area figure, in cells of the array unless the specification has other weights."""
    cells = parameters["macRows"] * parameters["macCols"]
    memory = parameters["sramBytes"] + parameters["accBytes"]
    area = cells * weights["cell"] + parameters["vpuLanes"] * weights["lane"] + memory * weights["byte"]
    return {"array_macs": parameters["clusters"] * cells, "memory_bytes": parameters["clusters"] * memory,
            "area": round(parameters["clusters"] * area + parameters["dramBytesPerCycle"] * weights["bandwidth"], 3)}


def make_row(job, result, weights):
    row = dict.fromkeys(COLUMNS, "")
    row |= {"network": job["name"], "chip": job["job"]["chip"], "options": " ".join(job["flags"])}
    if result["error"] is not None:
        return row | {"status": "error", "error": result["error"]}
    summary = result["summary"]
    limit, on_host = summary["rooflineCycles"], len(summary["onHost"])
    row |= {"status": "ok", "cycles": summary["cycles"], "roofline_cycles": limit,
            "cycles_over_roofline": f"{summary['cycles'] / limit:.4f}" if limit else "",
            "dram_bytes": summary["dramBytesRead"] + summary["dramBytesWritten"],
            "dram_bytes_lower_bound": summary["dramBytesLowerBound"],
            "dispatches_npu": summary["dispatches"] - on_host, "dispatches_host": on_host,
            "macs": summary["macs"], "macs_npu": summary["macsOnNPU"], "pareto": "no"}
    return row | get_area(summary["targetParameters"], weights)


def mark_front(rows):
    """Sets `pareto` of the rows of one network with one set of options: no other chip has less area and takes no
    longer, or is as large and faster. Chips that leave more to the host than others cannot be compared."""
    rows = [row for row in rows if row["status"] == "ok"]
    least = min((row["dispatches_host"] for row in rows), default=0)
    best = None
    rows = [row for row in rows if row["dispatches_host"] == least]
    for row in sorted(rows, key=lambda row: (row["area"], row["cycles"])):
        if best is None or row["cycles"] < best["cycles"] or (row["area"], row["cycles"]) == (best["area"], best["cycles"]):
            row["pareto"], best = "yes", row


def make_table(rows):
    class Lines(list):
        write = list.append

    lines = Lines()
    writer = csv.DictWriter(lines, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return "".join(lines)


def make_line(job):
    """A command of the shell that runs this one job, anywhere."""
    return shlex.join([sys.executable, os.path.realpath(__file__), "--run-job",
                       json.dumps(job["job"], separators=(",", ":")), job["result"]])


def run_parallel(lines, arguments):
    """Gives the lines to GNU parallel. When this process is told to stop, no more are started."""
    if not shutil.which("parallel"):
        raise BadInput("expected GNU parallel in PATH; install Debian's package parallel, or run the lines that "
                       "npu-sweep --jobs prints in another way")
    process = subprocess.Popen(["parallel", "--will-cite", *arguments], stdin=subprocess.PIPE,
                               start_new_session=True, text=True)

    stopped = []

    def stop(number, frame):
        stopped.append(number)
        process.terminate()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        process.communicate("".join(line + "\n" for line in lines))
    except BrokenPipeError:
        pass
    code = process.wait()
    if stopped:
        sys.exit(128 + stopped[0])
    return code


def sweep(arguments, spec, jobs, output):
    missing = [job for job in jobs if read_result(job["result"]) is None]
    if arguments.jobs:
        sys.stdout.write("".join(make_line(job) + "\n" for job in missing))
        return 0
    os.makedirs(os.path.join(output, "results"), exist_ok=True)
    print(f"{len(jobs)} jobs, {len(jobs) - len(missing)} of them done before", flush=True)
    if missing:
        code = run_parallel([make_line(job) for job in missing], arguments.parallel)
    results = [read_result(job["result"]) for job in jobs]
    if lost := results.count(None):
        raise BadInput(f"{lost} of {len(jobs)} jobs have no result, parallel ended with code {code}; start npu-sweep "
                       "again to run those")
    rows = [make_row(job, result, spec["area"]) for job, result in zip(jobs, results)]
    groups = {}
    for row in rows:
        groups.setdefault((row["network"], row["options"]), []).append(row)
    for group in groups.values():
        mark_front(group)
    write_file(os.path.join(output, "sweep.csv"), make_table(rows))
    write_file(os.path.join(output, "sweep.html"), make_page(groups, spec["area"]))
    failed = sum(row["status"] != "ok" for row in rows)
    print(f"{len(rows)} rows, {failed} of them with an error: {os.path.join(output, 'sweep.csv')}")
    return 0


def parse_arguments():
    parser = argparse.ArgumentParser(prog="npu-sweep", allow_abbrev=False,
                                     description="Times networks on many chips, by npu-run --timing-only and GNU parallel.",
                                     epilog="What follows -- goes to parallel, for example: -- -j 8 --sshlogin host1,host2")
    parser.add_argument("spec", help="what to run: networks, chips and options, as JSON")
    parser.add_argument("--output", metavar="DIR", help="where results go; default: the specification without .json, "
                        "with .sweep")
    parser.add_argument("--jobs", action="store_true", help="print the jobs that have no result yet, a shell command a "
                        "line, instead of running them")
    parser.add_argument("--npu-run", metavar="FILE", help="default: the one beside npu-sweep, or in PATH")
    own, rest = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, rest = own[:at], own[at + 1:]
    arguments = parser.parse_args(own)
    arguments.parallel = rest
    return arguments


def find_npu_run(given):
    if given:
        found = shutil.which(given)
    else:
        beside = os.path.join(os.path.dirname(os.path.realpath(__file__)), "npu-run")
        found = beside if os.access(beside, os.X_OK) else shutil.which("npu-run")
    if not found:
        raise BadInput(f"expected npu-run {'at ' + given if given else 'beside npu-sweep or in PATH'}; "
                       "name it with --npu-run=FILE")
    return os.path.abspath(found)


def main():
    where = ""
    try:
        # What make_line writes; not for users.
        if len(sys.argv) == 4 and sys.argv[1] == "--run-job":
            return run_job(json.loads(sys.argv[2]), sys.argv[3])
        arguments = parse_arguments()
        npu_run = find_npu_run(arguments.npu_run)
        where = arguments.spec + ": "
        spec = read_spec(arguments.spec)
        where = ""
        path = os.path.abspath(arguments.spec)
        output = os.path.abspath(arguments.output or os.path.splitext(path)[0] + ".sweep")
        jobs = make_jobs(spec, os.path.dirname(path), output, npu_run)
        return sweep(arguments, spec, jobs, output)
    except BadInput as error:
        print(f"npu-sweep: error: {where}{error}", file=sys.stderr)
    except OSError as error:
        print(f"npu-sweep: error: {error.filename}: {error.strerror}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
