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
import urllib.parse

# Nothing that a package does not know of is left beside its files.
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from npu_sweep_plot import find_front, make_page
from npu_sweep_spec import BadInput, hash_file, is_integer, is_number, parse, read_regular, read_spec, show, show_cell

COLUMNS = ["network", "chip", "options", "status", "cycles", "roofline_cycles", "cycles_over_roofline",
           "dram_bytes", "dram_bytes_lower_bound", "dispatches_npu", "dispatches_host", "macs", "macs_npu",
           "array_macs", "memory_bytes", "area", "pareto", "milliseconds", "inferences_per_second",
           "energy_uj", "error"]
SUMMARY_NUMBERS = ("cycles", "rooflineCycles", "dramBytesRead", "dramBytesWritten", "dramBytesLowerBound", "dispatches",
                   "macs", "macsOnNPU")
PHYSICAL = {"milliseconds": "milliseconds", "inferences_per_second": "inferencesPerSecond",
            "energy_uj": "energyMicrojoules"}
PARAMETERS = ("macRows", "macCols", "sramBytes", "accBytes", "vpuLanes", "clusters", "dramBytesPerCycle")
# Linux takes 128 KiB for one argument, and GNU parallel gives the shell a line as one.
MOST_LINE_BYTES = 100000


def make_jobs(spec, directory, output, npu_run):
    """What to run, in the order of the table. The name of a result depends on all that decides it, so that a
    changed network, chip or compiler is run again."""
    files = {}

    def get_hash(path, place):
        path = os.path.join(directory, path)
        if path not in files:
            files[path] = hash_file(path, place, spec["timeoutSeconds"])
        return files[path]

    def get_chip_hashes(path, place):
        """Of a chip's file and of those that it is based on."""
        hashes = {}
        while path is not None and path not in hashes:
            hashes[path] = get_hash(path, place)
            chip = read_json(os.path.join(directory, path))
            base = chip.get("base") if isinstance(chip, dict) else None
            is_file = isinstance(base, str) and base.startswith("@")
            path = os.path.join(os.path.dirname(path), base[1:]) if is_file else None
        return list(hashes.values())

    compiler = hash_file(npu_run, "npu-run")

    jobs = []
    for network, (chip, place), flags in itertools.product(spec["networks"], spec["chips"], spec["options"]):
        job = {"npuRun": npu_run, "directory": directory, "network": network["file"], "chip": chip,
               "options": network["options"] + flags, "timeoutSeconds": spec["timeoutSeconds"]}
        parts = [compiler, get_hash(network["file"], network["place"]), job]
        if chip.startswith("@"):
            parts += get_chip_hashes(chip[1:].rsplit(":", 1)[0] if "=" in chip else chip[1:], place)
        key = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]
        job = {**job, "result": os.path.join(output, "results", key + ".json")}
        jobs.append({"name": network["name"], "flags": flags, "job": job, "result": job["result"]})
        if (count := len(make_line(job))) > MOST_LINE_BYTES:
            raise BadInput(f"specification: expected commands of at most {MOST_LINE_BYTES} bytes, found one of {count}; "
                           "give fewer or shorter options")
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


def is_summary(value):
    """Has the numbers of npu-run's summary.json, as the table needs them."""
    if not isinstance(value, dict) or not isinstance(value.get("onHost"), list):
        return False
    parameters = value.get("targetParameters")
    if not isinstance(parameters, dict):
        return False
    numbers = [value.get(name) for name in SUMMARY_NUMBERS] + [parameters.get(name) for name in PARAMETERS]
    return all(is_integer(number) and 0 <= number < 1 << 63 for number in numbers)


def read_json(path):
    """What a file says; None if it is missing or something else."""
    try:
        return parse(b"".join(read_regular(path)))
    except (OSError, BadInput):
        return None


def run_job(job):
    """Runs one point and writes its result. Only who is stopped from outside leaves none."""
    os.chdir(job["directory"])
    result = {"error": None}
    with tempfile.TemporaryDirectory(prefix="npu-sweep-") as report:
        command = [job["npuRun"], "--timing-only", "--advise=0", "--target=" + job["chip"], "--report=" + report,
                   "--module=" + job["network"], *job["options"]]
        try:
            run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, timeout=job["timeoutSeconds"])
        except subprocess.TimeoutExpired:
            result["error"] = f"took longer than {job['timeoutSeconds']} seconds"
        except OSError as error:
            # That is about this machine, not about the network or the chip.
            raise BadInput(f"cannot run {show(job['npuRun'])}: {error.strerror}")
        else:
            if -run.returncode in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                return 1
            if run.returncode < 0:
                result["error"] = f"npu-run was ended by signal {-run.returncode}"
            elif run.returncode > 0:
                result["error"] = find_error(run.stderr.decode("utf-8", "replace"))
            else:
                result["summary"] = read_json(os.path.join(report, "summary.json"))
                if not is_summary(result["summary"]):
                    result = {"error": "npu-run wrote no summary of the run; expected the npu-run of this npu-sweep"}
    os.makedirs(os.path.dirname(job["result"]), exist_ok=True)
    write_file(job["result"], json.dumps(result, sort_keys=True) + "\n")
    return 0


def read_result(path):
    """Results may have come with the specification: what is not one is missing."""
    result = read_json(path)
    if isinstance(result, dict) and (isinstance(result.get("error"), str) or is_summary(result.get("summary"))):
        return {"error": result.get("error"), "summary": result.get("summary")}
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
    if isinstance(result["error"], str):
        return row | {"status": "error", "error": result["error"]}
    summary = result["summary"]
    limit, on_host = summary["rooflineCycles"], len(summary["onHost"])
    row |= {"status": "ok", "cycles": summary["cycles"], "roofline_cycles": limit,
            "cycles_over_roofline": f"{summary['cycles'] / limit:.4f}" if limit else "",
            "dram_bytes": summary["dramBytesRead"] + summary["dramBytesWritten"],
            "dram_bytes_lower_bound": summary["dramBytesLowerBound"],
            "dispatches_npu": summary["dispatches"] - on_host, "dispatches_host": on_host,
            "macs": summary["macs"], "macs_npu": summary["macsOnNPU"], "pareto": "no"}
    # A chip that states no clock has no time, and one without energies has no energy.
    for column, key in PHYSICAL.items():
        if is_number(summary.get(key)):
            row[column] = f"{summary[key]:.6g}"
    return row | get_area(summary["targetParameters"], weights)


def mark_front(rows):
    """Sets `pareto` of the rows of one network with one set of options: no other chip has less area and takes no
    longer, or is as large and faster. Chips that leave more to the host than others cannot be compared."""
    done = [row for row in rows if row["status"] == "ok"]
    for row in find_front(done, "area", "cycles") if done else ():
        row["pareto"] = "yes"


def make_table(rows):
    class Lines(list):
        write = list.append

    lines = Lines()
    writer = csv.DictWriter(lines, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: show_cell(value) if isinstance(value, str) else value for name, value in row.items()}
                     for row in rows)
    return "".join(lines)


def make_line(job):
    """A command of the shell that runs this one job, anywhere. What comes from the specification is letters, digits
    and percent signs in it, which no shell, nor parallel, ssh or make, takes for anything else."""
    tool = [sys.executable, os.path.realpath(__file__)]
    if any(set(path) & set("\r\n") for path in tool):
        raise BadInput(f"expected npu-sweep and Python in folders without line breaks, found {show(' and '.join(tool))}")
    return shlex.join([*tool, "--run-job", urllib.parse.quote(json.dumps(job, separators=(",", ":")), safe="/")])


def run_parallel(lines, arguments):
    """Gives the lines to GNU parallel. When this process is told to stop, no more are started."""
    if not shutil.which("parallel"):
        raise BadInput("expected GNU parallel in PATH; install Debian's package parallel, or run the lines that "
                       "npu-sweep --jobs prints in another way")
    process = subprocess.Popen(["parallel", "--will-cite", *arguments], stdin=subprocess.PIPE,
                               start_new_session=True)

    stopped = []

    def stop(number, frame):
        stopped.append(number)
        process.terminate()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        process.communicate(os.fsencode("".join(line + "\n" for line in lines)))
    except BrokenPipeError:
        pass
    code = process.wait()
    if stopped:
        sys.exit(128 + stopped[0])
    return code


def sweep(arguments, spec, jobs, output):
    missing = [job for job in jobs if read_result(job["result"]) is None]
    if arguments.jobs:
        sys.stdout.buffer.write(os.fsencode("".join(make_line(job["job"]) + "\n" for job in missing)))
        return 0
    os.makedirs(os.path.join(output, "results"), exist_ok=True)
    print(f"{len(jobs)} jobs, {len(jobs) - len(missing)} of them done before", flush=True)
    if missing:
        code = run_parallel([make_line(job["job"]) for job in missing], arguments.parallel)
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
    print(f"{len(rows)} rows, {failed} of them with an error: {show(os.path.join(output, 'sweep.csv'))}")
    return 1 if failed == len(rows) else 0


class ShowVersion(argparse.Action):
    def __call__(self, parser, *_):
        parser.exit(subprocess.run([find_npu_run(None), "--version"]).returncode)


def parse_arguments():
    parser = argparse.ArgumentParser(prog="npu-sweep", allow_abbrev=False,
                                     description="Time networks on many chips with npu-run --timing-only and GNU parallel.",
                                     epilog="Arguments after -- are those of parallel, such as -- -j 8 --sshlogin host1,host2")
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="print the version of the toolchain and exit")
    parser.add_argument("spec", help="the networks, the chips and the options to run, in JSON")
    parser.add_argument("--output", metavar="DIR", help="the directory of the results; the default is the name of the "
                        "specification with .sweep instead of .json")
    parser.add_argument("--jobs", action="store_true", help="print the jobs that have no result yet as shell commands, one per "
                        "line, and run none")
    parser.add_argument("--allow-any-option", action="store_true", help="allow every flag of npu-run, including those that read or "
                        "write files; use it for specifications that you trust")
    parser.add_argument("--npu-run", metavar="FILE", help="the npu-run to use; the default is the one beside npu-sweep, or in PATH")
    own, rest = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, rest = own[:at], own[at + 1:]
    arguments = parser.parse_args(own)
    if arguments.jobs and rest:
        parser.error(f"arguments after -- are those of parallel, which --jobs does not start, found {show(rest[0])}")
    arguments.parallel = rest
    return arguments


def find_npu_run(given):
    if given:
        found = shutil.which(given)
    else:
        # Not where a link leads: an installed npu-sweep is one.
        beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "npu-run")
        found = beside if os.access(beside, os.X_OK) else shutil.which("npu-run")
    if not found:
        raise BadInput(f"expected npu-run {'at ' + show(given) if given else 'beside npu-sweep or in PATH'}; "
                       "name it with --npu-run=FILE")
    return os.path.abspath(found)


def main():
    where = ""
    try:
        # What make_line writes; not for users.
        if len(sys.argv) == 3 and sys.argv[1] == "--run-job":
            return run_job(json.loads(urllib.parse.unquote(sys.argv[2])))
        arguments = parse_arguments()
        npu_run = find_npu_run(arguments.npu_run)
        path = os.path.abspath(arguments.spec)
        output = os.path.abspath(arguments.output or os.path.splitext(path)[0] + ".sweep")
        where = show(arguments.spec) + ": "
        spec = read_spec(arguments.spec, arguments.allow_any_option)
        jobs = make_jobs(spec, os.path.dirname(path), output, npu_run)
        where = ""
        return sweep(arguments, spec, jobs, output)
    except BadInput as error:
        print(f"npu-sweep: error: {where}{error}", file=sys.stderr)
    except OSError as error:
        name = f"{show(os.fsdecode(error.filename))}: " if isinstance(error.filename, (str, bytes)) else ""
        print(f"npu-sweep: error: {name}{error.strerror}", file=sys.stderr)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 1


if __name__ == "__main__":
    sys.exit(main())
