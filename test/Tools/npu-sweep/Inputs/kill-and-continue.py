"""Starts a sweep, stops it when some results are there, and starts it again: first told to stop, then killed.

usage: kill-and-continue.py <npu-sweep> <spec.json> <output>
"""

import os
import pathlib
import signal
import subprocess
import sys
import time

tool, spec, output = sys.argv[1:]
results = pathlib.Path(output, "results")
command = [tool, spec, f"--output={output}"]


def count():
    return len(list(results.glob("*.json"))) if results.exists() else 0


def start_until(number):
    process = subprocess.Popen([*command, "--", "-j2"])
    deadline = time.time() + 60
    while count() < number and process.poll() is None and time.time() < deadline:
        time.sleep(0.01)
    return process


def get_sessions():
    """Those of all processes that have not ended: GNU parallel is in one of its own, with all its jobs."""
    sessions = set()
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            sessions.add(int(fields[3]))
    return sessions


def wait_for_session(session):
    deadline = time.time() + 60
    while session in get_sessions() and time.time() < deadline:
        time.sleep(0.01)


def get_children(process):
    return [int(pid) for pid in pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


total = len(subprocess.run([*command, "--jobs"], check=True, capture_output=True, text=True).stdout.splitlines())
first = start_until(total // 5)
children = get_children(first)
first.send_signal(signal.SIGTERM)
assert first.wait() == 128 + signal.SIGTERM, first.returncode
# A job that is under way may write its result before it hears that it has to stop.
for pid in children:
    wait_for_session(pid)
after_term = count()
assert total // 5 <= after_term < total, (after_term, total)

second = start_until(after_term + total // 5)
children = get_children(second)
assert children, "parallel is under way"
for pid in (second.pid, *children):
    os.kill(pid, signal.SIGKILL)
second.wait()
for pid in children:
    wait_for_session(pid)
after_kill = count()
assert after_term + total // 5 <= after_kill < total, (after_kill, total)
assert not os.path.exists(os.path.join(output, "sweep.csv"))

left = subprocess.run([*command, "--jobs"], check=True, capture_output=True, text=True).stdout.splitlines()
assert len(left) == total - after_kill, (len(left), after_kill)
last = subprocess.run([*command, "--", "-j2"], check=True, capture_output=True, text=True)
assert f"{total} jobs, {after_kill} of them done before" in last.stdout, last.stdout
print("continued twice")
