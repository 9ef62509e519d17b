"""products.py <npu-cycles> <folder>: simulated cycles of large products in f16 against their prediction.

These have sums in SRAM and operands that stay on chip for a loop, which wait for what was in their place before: a wait that is
too long shows as cycles that nobody predicted.
"""
import pathlib
import subprocess
import sys

MOST_OFF = 0.02
# Rows, sums, and columns, and what each is for.
PRODUCTS = {"gate_256": (256, 4096, 4096), "gate": (512, 4096, 11008), "down": (512, 11008, 4096), "fc_proj": (1024, 3072, 768),
            "square": (2048, 4096, 4096)}
TARGETS = {"npu-v1": ("gate_256", "fc_proj"), "npu-v1-x4": ("gate", "down", "fc_proj", "square"),
           "npu-v1:clusters=2": ("gate_256", "gate", "fc_proj"), "npu-v1:clusters=8": ("gate_256", "gate", "down", "fc_proj")}


def write(name):
    rows, sums, columns = PRODUCTS[name]
    return f"""func.func @{name}(%a: tensor<{rows}x{sums}xf16>, %b: tensor<{sums}x{columns}xf16>) -> tensor<{rows}x{columns}xf16> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{rows}x{columns}xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<{rows}x{columns}xf32>) -> tensor<{rows}x{columns}xf32>
  %sum = linalg.matmul ins(%a, %b : tensor<{rows}x{sums}xf16>, tensor<{sums}x{columns}xf16>)
      outs(%init : tensor<{rows}x{columns}xf32>) -> tensor<{rows}x{columns}xf32>
  %half = tensor.empty() : tensor<{rows}x{columns}xf16>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}}
      ins(%sum : tensor<{rows}x{columns}xf32>) outs(%half : tensor<{rows}x{columns}xf16>) {{
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  }} -> tensor<{rows}x{columns}xf16>
  return %r : tensor<{rows}x{columns}xf16>
}}
"""


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    errors = []
    for number, (target, names) in enumerate(TARGETS.items()):
        path = folder / f"{number}.mlir"
        path.write_text("\n".join(map(write, names)))
        lines = subprocess.run([tool, f"--target={target}", path], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        for name, line in zip(names, lines[1:], strict=True):
            cycles, _, predicted = map(int, line.split(",")[-3:])
            errors.append(abs(predicted / cycles - 1))
            print(f"{name} on {target}: {cycles} cycles, predicted {predicted}{' FAILED' if errors[-1] > MOST_OFF else ''}")
    print(f"{len(errors)} products, {'all' if max(errors) <= MOST_OFF else 'not all'} within {MOST_OFF:.0%} of their prediction")


main()
