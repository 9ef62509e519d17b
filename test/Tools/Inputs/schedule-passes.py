"""Runs every pass of npu-opt by its flag alone on a module of a func.func and a util.func, and checks that it
reaches both or the module.

usage: schedule-passes.py <npu-opt> <folder of Passes.td files>
"""

import concurrent.futures
import pathlib
import re
import subprocess
import sys

MODULE = """
func.func @upstream(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
util.func public @host(%a: tensor<4xf32>) -> tensor<4xf32> {
  util.return %a : tensor<4xf32>
}
"""


def run(npu_opt, flag):
    command = [npu_opt, f"--{flag}", f"--mlir-print-ir-before={flag}", "--mlir-disable-threading", "-o", "/dev/null"]
    result = subprocess.run(command, input=MODULE, capture_output=True, text=True)
    # Without the source line that a warning shows.
    text = re.sub(r"^.*warning: .*\n.*\n *\^.*$", "", result.stderr, flags=re.MULTILINE)
    if "unable to schedule" in text or "can't run" in text:
        return "not scheduled"
    reached = [name for name in ("@upstream", "@host") if re.search(rf"func {name}|func public {name}", text)]
    return " ".join(reached) or "nothing"


def main():
    npu_opt, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    flags = set()
    for file in folder.rglob("Passes.td"):
        flags.update(re.findall(r'"((?:npu|convert)-[a-z0-9-]*[a-z0-9])"', file.read_text()))
    # Names that their classes put together are not in the files; upstream's are in the list.
    listed = subprocess.run([npu_opt, "--list-passes"], capture_output=True, text=True).stdout
    names = set(re.findall(r"^  --((?:npu|convert)-[a-z0-9-]*[a-z0-9])", listed, re.MULTILINE))
    names = sorted(name for name in names if name in flags or name.startswith("npu-"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, reached in zip(names, pool.map(lambda name: run(npu_opt, name), names)):
            print(f"{name}: {reached}")


main()
