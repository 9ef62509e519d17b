"""Writes kernels that advice is about. usage: write-kernels.py <folder>"""

import pathlib
import sys


def product(m, n, k, element, result):
    zero = "0.0" if result.startswith("f") else "0"
    return f"""func.func @f(%a: tensor<{m}x{k}x{element}>, %b: tensor<{k}x{n}x{element}>) -> tensor<{m}x{n}x{result}> {{
  %zero = arith.constant {zero} : {result}
  %empty = tensor.empty() : tensor<{m}x{n}x{result}>
  %init = linalg.fill ins(%zero : {result}) outs(%empty : tensor<{m}x{n}x{result}>) -> tensor<{m}x{n}x{result}>
  %c = linalg.matmul ins(%a, %b : tensor<{m}x{k}x{element}>, tensor<{k}x{n}x{element}>) outs(%init : tensor<{m}x{n}x{result}>) -> tensor<{m}x{n}x{result}>
  return %c : tensor<{m}x{n}x{result}>
}}
"""


def same_type(op, inputs, m, n, element):
    kind = f"tensor<{m}x{n}x{element}>"
    names = ", ".join(f"%{number}" for number in range(inputs))
    return f"""func.func @f({", ".join(f"%{number}: {kind}" for number in range(inputs))}) -> {kind} {{
  %empty = tensor.empty() : {kind}
  %c = {op} ins({names} : {", ".join([kind] * inputs)}) outs(%empty : {kind}) -> {kind}
  return %c : {kind}
}}
"""


kernels = {
    "add": same_type("linalg.add", 2, 64, 64, "i8"),
    "bytes": same_type("linalg.add", 2, 512, 512, "i8"),
    "softmax": same_type("linalg.softmax dimension(1)", 1, 256, 512, "f32"),
    "product": product(256, 256, 256, "f32", "f32"),
    "large": product(1024, 1024, 1024, "f32", "f32"),
    "long": product(512, 512, 2048, "f16", "f32"),
    "half": product(512, 512, 512, "f16", "f32"),
}
for name, text in kernels.items():
    (pathlib.Path(sys.argv[1]) / f"{name}.mlir").write_text(text)
