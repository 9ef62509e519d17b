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


total = len(subprocess.run([*command, "--jobs"], check=True, capture_output=True, text=True).stdout.splitlines())
first = start_until(total // 5)
first.send_signal(signal.SIGTERM)
assert first.wait() == 128 + signal.SIGTERM, first.returncode
after_term = count()
time.sleep(0.5)
assert total // 5 <= after_term == count() < total // 2, (after_term, count(), total)

second = start_until(total // 2)
children = pathlib.Path(f"/proc/{second.pid}/task/{second.pid}/children").read_text().split()
assert children, "parallel is under way"
for pid in (second.pid, *map(int, children)):
    os.kill(pid, signal.SIGKILL)
second.wait()
time.sleep(0.5)
after_kill = count()
assert total // 2 <= after_kill < total, (after_kill, total)
assert not os.path.exists(os.path.join(output, "sweep.csv"))

left = subprocess.run([*command, "--jobs"], check=True, capture_output=True, text=True).stdout.splitlines()
assert len(left) == total - after_kill, (len(left), after_kill)
last = subprocess.run([*command, "--", "-j2"], check=True, capture_output=True, text=True)
assert f"{total} jobs, {after_kill} of them done before" in last.stdout, last.stdout
print("continued twice")
