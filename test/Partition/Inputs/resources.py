"""Runs functions that add a constant resource to zeros, for all element types, sizes and places.

usage: resources.py <npu-run> <folder>
"""

import itertools
import pathlib
import struct
import subprocess
import sys

FORMATS = {"i1": "?", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "f16": "e", "f32": "f", "f64": "d"}
PLACES = {
    "constant": ("", "arith.constant dense_resource<w> : {0}"),
    "flow": ("", "flow.tensor.constant dense_resource<w> : {0}"),
    "ml_program": ("ml_program.global private @g(dense_resource<w> : {0}) : {0}", "ml_program.global_load_const @g : {0}"),
    "util": ("util.global private @g = dense_resource<w> : {0}", "util.global.load immutable @g : {0}"),
}
MODEL = """{0}
func.func @f(%a: {2}) -> {2} {{
  %c = {1}
  %e = tensor.empty() : {2}
  %0 = linalg.add ins(%a, %c : {2}, {2}) outs(%e : {2}) -> {2}
  return %0 : {2}
}}
{{-#
  dialect_resources: {{ builtin: {{ w: "0x{3}" }} }}
#-}}
"""


def encode(element, value):
    # bf16 is the upper half of f32.
    if element == "bf16":
        return struct.pack("<f", value)[2:]
    return struct.pack("<" + FORMATS[element], value)


def main():
    npu_run, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    for element, count, place in itertools.product([*FORMATS, "bf16"], [1, 64, 65], PLACES):
        # The last size is a splat in all but name.
        values = [(index * 7 % 5 if count != 65 else 3) % (2 if element == "i1" else 5) for index in range(count)]
        shape = f"{count}x{element}"
        tensor = f"tensor<{shape}>"
        data = struct.pack("<I", 8) + b"".join(encode(element, value) for value in values)
        before, constant = (part.format(tensor) for part in PLACES[place])
        file = folder / f"{place}-{shape}.mlir"
        file.write_text(MODEL.format(before, constant, tensor, data.hex()))
        expected = f"--expected_output={shape}={' '.join(map(str, values))}"
        run = subprocess.run([npu_run, f"--input={shape}=0", expected, file], capture_output=True, text=True)
        on_npu = "on the NPU: 1 of 1" in run.stdout
        if run.returncode or on_npu != (element not in ("i64", "f64")):
            sys.exit(f"{file}: exit code {run.returncode}\n{run.stdout}{run.stderr}")
        print(f"{place} {shape}: {'npu' if on_npu else 'host'}")


main()
