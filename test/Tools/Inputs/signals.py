"""Sends signals to npu-run while its timeline is open, and tells what becomes of its files.

usage: signals.py [--ignored] <folder of the tools> <folder with good.mlir> <signal>...

The run waits for its input, a pipe. With --ignored it is started with the signal ignored, and gets its input after it.
"""

import os
import signal
import subprocess
import sys
import time

arguments = sys.argv[1:]
is_ignored = arguments[0] == "--ignored"
tools, folder, *names = arguments[is_ignored:]
work = f"{folder}/signals"
os.makedirs(work, exist_ok=True)

for name in names:
    number = getattr(signal, f"SIG{name}")
    for file in os.listdir(work):
        os.remove(f"{work}/{file}")
    with open(f"{work}/trace.json", "w") as file:
        file.write("older")
    os.mkfifo(f"{work}/pipe")
    process = subprocess.Popen(
        [f"{tools}/npu-run", f"{folder}/good.mlir", f"--trace={work}/trace.json", f"--input=8x8xf32=@{work}/pipe",
         "--input=1", "--input=0"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        preexec_fn=None if number == signal.SIGKILL else
        lambda: signal.signal(number, signal.SIG_IGN if is_ignored else signal.SIG_DFL))
    while not any(file.endswith(".tmp") for file in os.listdir(work)):
        assert process.poll() is None, "npu-run ended before its timeline was open"
        time.sleep(0.01)
    process.send_signal(number)
    if is_ignored:
        with open(f"{work}/pipe", "wb") as file:
            file.write(bytes(256))
    code = process.wait()
    print(f"SIG{name}:", f"killed by signal {-code}" if code < 0 else f"exited with {code}")
    text = open(f"{work}/trace.json").read()
    print("timeline:", "older" if text == "older" else "complete" if text.rstrip().endswith("}") else "half")
    print("others:", *(set(os.listdir(work)) - {"pipe", "trace.json"} or ["none"]))
