"""Damages specifications at random. Each is taken or refused with one line; no job or table has what it should not.

usage: fuzz-specs.py <npu-sweep> <directory, will be replaced> <rounds> [seed]
"""

import contextlib
import copy
import csv
import importlib.machinery
import importlib.util
import io
import json
import os
import random
import shlex
import shutil
import signal
import sys
import urllib.parse

GOOD = [
    {"networks": ["net.mlir"], "chips": ["npu-v1"]},
    {"networks": ["net.mlir", {"name": "b 4", "file": "other.mlir", "options": ["--onnx-dim=batch=4"]}],
     "chips": ["npu-v1-x4", "npu-v1:clusters=2", {"base": "npu-v1", "sramBytes": [1, 2], "dramBytesPerCycle": 16}],
     "options": [[], ["--npu-segments=off"]], "area": {"lane": 6, "byte": 0.02}, "timeoutSeconds": 3},
]
TEXTS = ["", " ", "\0", "a\0b", "\ud800", "\udcff", "\x1b[31mred", "a\nb", "a\r\nb", "\u202egnp", "\u2028", "\u200b", "=1+1",
         "+1", "-1", "@sum", "\uff1d1", "\t=1", "'; touch pwned; '", "$(touch pwned)", "`touch pwned`", "a\ntouch pwned\n",
         "| touch pwned", "{}", "{.}", "{= $_=`touch pwned` =}", "%2e", "$$", "!!", "#", "\\", "\\'", "../net.mlir", "/",
         "/dev/zero", "/dev/stdin", "fifo", "@fifo", "@/dev/zero", "@fifo:a=1", "/proc/kcore", "/proc/self/mem", "none.mlir",
         "--sarif=pwned", "--trace=pwned", "--report=pwned", "--output=@pwned", "--npu-schedule=pwned", "--flagfile=fifo",
         "--input=@fifo", "--input=x=@fifo", "--input=2xf32=+fifo", "--input=*fifo", "--function", "--function=--sarif=pwned",
         "--", "-", "--=", "-sarif=pwned", "--run-job", "<script>", "&amp;", "\"", "a" * 5000, "\U0001f600", "é"]
NUMBERS = [0, -1, 1, True, False, None, 0.5, -0.0, 1e-9, 1e12, 1e13, 1e300, 1e308, float("inf"), float("nan"), 10**30, 10**400,
           2**63, 604800, 604801, [], {}, [[]], [{}]]


def choose(rng):
    return rng.choice(TEXTS) if rng.random() < 0.7 else copy.deepcopy(rng.choice(NUMBERS))


def damage(rng, value):
    """Changes one place beneath `value`, a list or an object."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys or rng.random() < 0.15:
        new = choose(rng)
        if isinstance(value, list):
            value.insert(rng.randrange(len(value) + 1), new)
        else:
            value[rng.choice(TEXTS + ["name", "file", "options", "base", "area"])] = new
        return
    key = rng.choice(keys)
    if isinstance(value[key], (list, dict)) and rng.random() < 0.75:
        return damage(rng, value[key])
    kind = rng.randrange(5)
    if kind == 0:
        del value[key]
    elif kind == 1:
        value[key] = [value[key]]
    elif kind == 2 and isinstance(value[key], str):
        at = rng.randrange(len(value[key]) + 1)
        value[key] = value[key][:at] + rng.choice(TEXTS) + value[key][at:]
    elif kind == 3 and isinstance(value, dict):
        value[rng.choice(TEXTS)] = value.pop(key)
    else:
        value[key] = choose(rng)


def make_text(rng):
    spec = copy.deepcopy(rng.choice(GOOD))
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        damage(rng, spec)
    text = json.dumps(spec, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    if rng.random() < 0.2:
        at = rng.randrange(len(text) + 1)
        text = text[:at] + bytes(rng.randrange(256) for _ in range(rng.randrange(4))) + text[at + rng.randrange(4):]
    if rng.random() < 0.02:
        text = text.replace(b"[", b"[" * rng.choice([90, 200, 100000]), 1)
    return text.replace(b": 1,", b": " + b"1" * 6000 + b",") if rng.random() < 0.02 else text


def is_safe(text):
    return all(character.isprintable() for character in text)


tool, directory, rounds = sys.argv[1], os.path.abspath(sys.argv[2]), int(sys.argv[3])
rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
shutil.rmtree(directory, ignore_errors=True)
os.makedirs(directory)
os.chdir(directory)
os.mkfifo("fifo")
for name in ("net.mlir", "other.mlir", "npu-run"):
    with open(name, "w") as file:
        file.write("#!/bin/sh\nexit 3\n")
os.chmod("npu-run", 0o755)
loader = importlib.machinery.SourceFileLoader("npu_sweep", tool)
sweep = importlib.util.module_from_spec(importlib.util.spec_from_loader("npu_sweep", loader))
sys.dont_write_bytecode = True
loader.exec_module(sweep)
SUMMARY = {**dict.fromkeys(sweep.SUMMARY_NUMBERS, 7), "onHost": [],
           "targetParameters": dict.fromkeys(sweep.PARAMETERS, 5)}


class TooMany(Exception):
    pass


def pretend(lines, arguments):
    """Runs the jobs as parallel would: results are numbers, messages with anything in them, or no results."""
    if len(lines) > 50:
        raise TooMany
    for line in lines:
        assert is_safe(line), line
        words = shlex.split(line)
        job = json.loads(urllib.parse.unquote(words[-1]))
        assert words[-2] == "--run-job" and len(words) == 4, words
        assert os.path.dirname(job["result"]) == os.path.join(directory, "spec.sweep", "results"), job
        assert all(flag.split("=")[0] in sweep.read_spec.__globals__["ALLOWED_FLAGS"] for flag in job["options"]), job
        assert not any("\0" in text for text in [job["chip"], job["network"], *job["options"]]), job
        result = rng.choice([{"error": None, "summary": SUMMARY}, {"error": rng.choice(TEXTS)}])
        sweep.write_file(job["result"], json.dumps(result))
    return 0


def check_outputs():
    with open("spec.sweep/sweep.csv", encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            assert len(row) == len(sweep.COLUMNS), row
            for cell in row:
                assert is_safe(cell) and not cell.startswith(("=", "+", "-", "@")), row
    with open("spec.sweep/sweep.html", encoding="utf-8", newline="") as file:
        page = file.read()
    assert is_safe(page.replace("\n", "")) and "<script" not in page, page


sweep.run_parallel = pretend
expected = sorted(os.listdir(".") + ["spec.json"])
counts = {}
for number in range(rounds):
    text = make_text(rng)
    with open("spec.json", "wb") as file:
        file.write(text)
    sys.argv = ["npu-sweep", "spec.json", "--npu-run=./npu-run"] + (["--jobs"] if rng.random() < 0.2 else [])
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    signal.alarm(20)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = sweep.main()
        except TooMany:
            code = "many"
        except BaseException:
            sys.__stderr__.write(f"round {number}: {text[:2000]!r}\n")
            raise
    signal.alarm(0)
    message = err.getvalue()
    # Errors alone: there is a table, and nothing is refused.
    if code == 1 and os.path.exists("spec.sweep/sweep.csv"):
        code = "errors"
    if code == 1:
        assert message.startswith("npu-sweep: error: ") and message.endswith("\n"), (text[:2000], message)
        assert is_safe(message[:-1]), (text[:2000], message)
    else:
        assert code in (0, "errors", "many") and not message, (text[:2000], code, message)
    if code in (0, "errors") and "--jobs" not in sys.argv:
        check_outputs()
    shutil.rmtree("spec.sweep", ignore_errors=True)
    assert sorted(os.listdir(".")) == expected, (text[:2000], os.listdir("."))
    counts[code] = counts.get(code, 0) + 1
assert counts.get(0, 0) + counts.get("errors", 0) > rounds // 20 and counts.get(1, 0) > rounds // 4, counts
print(f"{rounds} specifications, each taken or refused")
print(counts, file=sys.stderr)
