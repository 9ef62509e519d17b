"""Gives every tensor of the corpus' dumps of a phase an encoding, as data tiling gives it to some: without the encodings,
the dumps are to be what they were.

usage: encode.py npu-opt corpus phase
"""

import pathlib
import re
import subprocess
import sys

npu_opt, corpus, phase = sys.argv[1:]
encoding = (
    "#encoding = #iree_encoding.encoding<operand_index = 0 : index, op_type = matmul, element_types = [f32, f32, f32], "
    "user_indexing_maps = [affine_map<(d0) -> (d0)>], iteration_sizes = [?]>\n"
)
shaped = r"(tensor<[^>]*)>(\{[^}]*\})?"


def encode(line):
    if match := re.match(rf"\s*%(\w+) = (hal\.tensor\.import .* ->) ({shaped})$", line):
        return (
            f"%raw_{match[1]} = {match[2]} {match[3]}\n"
            f"%{match[1]} = flow.tensor.encode %raw_{match[1]} : {match[3]} -> {match[4]}, #encoding>{match[5] or ''}"
        )
    if match := re.match(rf"\s*(%\w+ = hal\.tensor\.export) %([\w#]+) (.*) : ({shaped}) -> (.*)$", line):
        name = "%raw_" + match[2].replace("#", "_")
        source = f"{match[5]}, #encoding>{match[6] or ''}"
        return (
            f"{name} = flow.tensor.encode %{match[2]} : {source} -> {match[4]}\n"
            f"{match[1]} {name} {match[3]} : {match[4]} -> {match[7]}"
        )
    if "util.func" in line or "dialect_resources" in line:
        return line
    return re.sub(r"(tensor<(?:[0-9?]+x)*\w+)>", r"\1, #encoding>", line)


def run(*arguments, text):
    return subprocess.run([npu_opt, *arguments], input=text, stdout=subprocess.PIPE, text=True, check=True).stdout


dumps = [path for path in sorted(pathlib.Path(corpus).glob(f"iree/*/{phase}.mlir")) if not path.parent.name.startswith("net_")]
assert dumps, f"no {phase}.mlir in {corpus}"
for dump in dumps:
    text = dump.read_text()
    encoded = encoding + "\n".join(map(encode, text.split("\n")))
    assert "flow.tensor.encode" in encoded, f"{dump} has no tensors to encode"
    if run("--npu-drop-encodings", text=encoded) != run(text=text):
        sys.exit(f"{dump}: differs without the encodings")
