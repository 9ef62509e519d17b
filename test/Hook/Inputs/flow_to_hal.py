"""Writes each executable of a flow-level dump as IREE hands it to a preprocessing tool.

usage: flow_to_hal.py <dump.mlir> <directory> [<target>]

As IREE's interface materialization: each tensor becomes a buffer, each scalar a constant.
"""

import pathlib
import re
import sys

EXECUTABLE = re.compile(
    r"^  flow\.executable private @(\w+) \{\n"
    r"    flow\.executable\.export public @(\w+) workgroups\(([^)]*)\)[^\n]*\{\n"
    r"(.*?)    \}\n"
    r"    builtin\.module \{\n"
    r"      func\.func @\w+\(([^\n]*)\) \{\n"
    r"(.*?)"
    r"^  \}\n",
    re.MULTILINE | re.DOTALL,
)
TARGET = '<"npu", "npu-binary">'
TENSOR = "!iree_tensor_ext.dispatch.tensor<"


def convert(match, target):
    name, entry, workload, count, arguments, body = match.groups()
    arguments = [text.split(": ", 1) for text in re.split(r", (?=%arg\d+: )", arguments) if text]
    tensors = [argument for argument in arguments if argument[1].startswith(TENSOR)]
    scalars = [argument for argument in arguments if not argument[1].startswith(TENSOR)]
    constants = f"constants = {len(scalars)}, " if scalars else ""
    bindings = ", ".join(
        "#hal.pipeline.binding<storage_buffer" + (", ReadOnly>" if "<readonly:" in type else ">")
        for _, type in tensors
    )
    layout = f"#hal.pipeline.layout<{constants}bindings = [{bindings}]>"
    lines = ["        %offset = arith.constant 0 : index"]
    for number, (value, type) in enumerate(tensors):
        flags = " flags(ReadOnly)" if "<readonly:" in type else ""
        lines.append(
            f"        {value} = hal.interface.binding.subspan layout({layout}) binding({number}) "
            f"alignment(64) offset(%offset){flags} : {type}"
        )
    for number, (value, type) in enumerate(scalars):
        load = f"hal.interface.constant.load layout({layout}) ordinal({number}) : i32"
        if type == "index":
            lines.append(f"        %load{number} = {load}")
            lines.append(f"        {value} = arith.index_castui %load{number} : i32 to index")
        else:
            lines.append(f"        {value} = {load}")
    workload = ", ".join(["%device: !hal.device"] + [text for text in workload.split(", ") if text])
    return name, (
        f"hal.executable private @{name} {{\n"
        f"  hal.executable.variant public @variant target({target}) {{\n"
        f"    hal.executable.export public @{entry} ordinal(0) layout({layout})"
        f" count({workload}) -> (index, index, index) {{\n"
        + count.replace("flow.return", "hal.return")
        + "    }\n    builtin.module {\n"
        f"      func.func @{entry}() {{\n" + "\n".join(lines) + "\n" + body + "  }\n}\n"
    )


def convert_dump(dump, directory, target):
    """Writes the executables and returns their names."""
    directory.mkdir(parents=True, exist_ok=True)
    names = []
    for match in EXECUTABLE.finditer(dump.read_text()):
        name, text = convert(match, target)
        (directory / f"{name}.mlir").write_text(text)
        names.append(name)
    return names


def main():
    target = sys.argv[3] if len(sys.argv) > 3 else TARGET
    convert_dump(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), target)


if __name__ == "__main__":
    main()
