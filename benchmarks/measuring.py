"""What the tables of simulated cycles and bytes share: a tool's output, its report on a network, and networks as files."""
import collections
import os
import pathlib
import re
import subprocess
import sys

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent / "scripts"

# Cycles and their limit, bytes of DRAM, and dispatches.
Report = collections.namedtuple("Report", "cycles limit moved on_npu dispatches")


def run(*command):
    """What the command prints; the end, with its errors, if it fails."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stderr}")
    return result.stdout


def write_network(folder, network, element):
    """A network of scripts/networks.py, as a file in the folder."""
    model = pathlib.Path(folder) / f"{network}-{element}.mlir"
    model.write_text(run(sys.executable, SCRIPTS / "networks.py", network, element))
    return model


def name_report(model, target, *options):
    """The file of a folder of reports that keeps what npu-run prints of the model."""
    return "".join([f"{model.parent.name}-{model.stem}.{target}", *options, ".txt"])


def time_network(tool, target, model, *options, reports=None):
    """npu-run's report on a network, without data. What it prints is kept in the folder `reports`, and taken from there."""
    file = reports and reports / name_report(model, target, *options)
    if file and file.exists():
        report = file.read_text()
    else:
        report = run(tool, f"--target={target}", "--timing-only", *options, model)
        if file:
            file.write_text(report)
    on_npu, dispatches, cycles = map(int, re.search(r"on the NPU: (\d+) of (\d+) dispatches,.*?(\d+) cycles", report).groups())
    limit, read, written = map(int, re.search(r"together: limit (\d+) .*DRAM: (\d+) bytes read, (\d+) written",
                                              report).groups())
    return Report(cycles, limit, read + written, on_npu, dispatches)


def cpu_seconds(*command, quiet=False):
    """CPU time of the command, its children included."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL if quiet else None)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(map(str, command))} failed")
    return usage.ru_utime + usage.ru_stime
