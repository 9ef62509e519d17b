"""Puts faults into forms and programs of kernels, one by one, and checks that `npu-run --bisect` names the level and the op.

usage: seeded-faults.py <npu-run> <directory of models> <directory to work in>

Every fault is a change of the text of one line, which names its op: a line of the form or an instruction of the program.
What is looked for stands in that line or, where a fault is in an affine map or a constant, is said beside it.
"""

import pathlib
import re
import subprocess
import sys

TARGET = "--target=npu-v1:sramBytes=32768,accBytes=8192"
LEVELS = {"tensor": "tensor form", "tile": "tile form", "planned": "planned form", "program": "program"}

# Model, level, what, a regular expression for the line, one for what of it is replaced, by what; and, if it is not the op
# of that line, the line of the op that is wrong, or what is said of a constant.
FAULTS = [
    ("conv", "tensor", "padding on the wrong side", r"npu.conv ", r"pad_high = .*, pad_low = array<i64: 1, 1>",
     "pad_high = array<i64: 1, 2>, pad_low = array<i64: 1, 0>"),
    ("conv", "tensor", "constant", r"arith.constant dense", r"-2\.0+e-01", "2.0e-01"),
    ("conv", "tile", "origin of a load", r"npu.dma_load %arg0", r"%c0, %c-1, %c-1", "%c0, %c0, %c-1"),
    ("conv", "tile", "constant", r"npu.kernel ", r"1\.40+e\+00", "1.3e+00", "constant argument 2 .* element 13"),
    ("conv", "tile", "kind of op", r"npu.binary max", "max", "min"),
    ("conv", "planned", "destination of a store", r"npu.dma_store", r"%arg3\[%c0, %\w+", "%arg3[%c0, %c1"),
    ("conv", "program", "kind of op", r"vpu.binary_imm", "kind=max", "kind=min"),
    ("matmul", "tensor", "kind of op", r"npu.unary tanh", "tanh", "sigmoid"),
    ("matmul", "tile", "extent of a sum", r"npu.matmul", r"%\w+\) init", "%c32) init"),
    ("matmul", "tile", "missing accumulation", r"npu.matmul", r" init\(%\w+\)", ""),
    ("matmul", "tile", "extent of the last tile", r"affine_map<\(d0\) -> \(d0 \* -\d+ \+ 136, \d+\)>", "136", "135", r"npu.matmul"),
    ("matmul", "planned", "missing accumulation", r"npu.matmul", r" init\(%\w+\)", ""),
    ("matmul", "planned", "origin of a load", r"npu.dma_load %arg1", r"%arg1\[(%\w+), %\w+", r"%arg1[\1, %c0"),
    ("matmul", "program", "missing accumulation", r"mxu.matmul", r"unless\(i\d\)", "never"),
    ("matmul", "program", "stride of a load", r"dma.load .*from=\{region=1", "dram_stride=272", "dram_stride=270"),
    ("softmax", "tensor", "kind of reduction", r"npu.reduce sum", "sum", "max"),
    ("softmax", "planned", "kind of op", r"npu.binary div", "div", "mul"),
    ("softmax", "program", "extent of a sum", r"vpu.reduce .*reduction=sum", r", 100\]", ", 96]"),
    ("pool", "tile", "size of a window", r"npu.pool", r"%\w+\) init", "%c1) init"),
    ("pool", "planned", "origin of a load", r"npu.dma_load", r"%arg0\[%c0, %\w+", "%arg0[%c0, %c0"),
    ("pool", "program", "missing accumulation", r"vpu.reduce", r"unless\(i\d\)", "never"),
    ("quantized", "tensor", "multiplier", r"npu.rescale", "1431655765", "1331655765"),
    ("quantized", "planned", "shift", r"npu.fill .*39 : i8", "39", "38"),
    ("quantized", "program", "multiplier", r"vpu.fill .*bits=1431655765", "1431655765", "1331655765"),
]


def run(*arguments):
    return subprocess.run([sys.argv[1], *map(str, arguments)], capture_output=True, text=True, check=False)


def find_instruction(lines, number):
    """The place of line `number` of assembly, as reports name it."""
    stream = index = None
    for line in lines[: number + 1]:
        words = line.split()
        if words and words[0] == ".stream":
            stream, index = f"cluster {words[1]} {words[2]}", -1
        elif stream and words and not words[0].startswith("{"):
            index += 1
    return f"instruction {index} of {stream}"


def check(models, work, model, level, what, line, old, new, culprit=None):
    """What is wrong with the report on a fault; nothing if it is right."""
    suffix = "npuasm" if level == "program" else f"{level}.mlir"
    lines = (work / model / f"dispatch_0.{suffix}").read_text().splitlines(keepends=True)
    # An instruction with a box takes several lines.
    number = next(n for n, text in enumerate(lines) if re.search(line, text))
    changed = next(n for n in range(number, len(lines)) if re.search(old, lines[n]))
    lines[changed] = re.sub(old, new, lines[changed], count=1)
    fault = work / f"{model}-{level}.{suffix}"
    fault.write_text("".join(lines))
    option = "program" if level == "program" else "form"
    result = run("--bisect", TARGET, f"--replace-{option}=0={fault}", models / f"{model}.mlir")
    bisection = result.stdout.partition("bisect: ")[2]
    if result.returncode != 3 or not bisection:
        return f"exit code {result.returncode}\n{result.stdout}{result.stderr}"
    if f"the first level that differs is the {LEVELS[level]}\n" not in bisection:
        return bisection
    if culprit and culprit.startswith("constant"):
        return "" if re.search(culprit, bisection) else bisection
    if culprit:
        number = next(n for n, text in enumerate(lines) if re.search(culprit, text))
    if level == "program":
        place = find_instruction(lines, number)
    else:
        place = f"{fault}:{number + 1}:"
    found = re.search(r"first op that differs: (.*)\n    at (.*)", bisection)
    if not found or not found[2].startswith(place):
        return f"expected {place}, found\n{bisection}"
    return ""


def main():
    models, work = map(pathlib.Path, sys.argv[2:4])
    for model in sorted({fault[0] for fault in FAULTS}):
        result = run(f"--dump-forms={work / model}", "--check", TARGET, models / f"{model}.mlir")
        assert result.returncode == 0, result.stdout + result.stderr
    right = 0
    for fault in FAULTS:
        problem = check(models, work, *fault)
        right += not problem
        print(f"{fault[0]}, {LEVELS[fault[1]]}, {fault[2]}: {problem or 'found'}")
    print(f"{right} of {len(FAULTS)} found")


main()
