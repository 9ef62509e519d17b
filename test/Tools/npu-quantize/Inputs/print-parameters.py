"""print-parameters.py <model.onnx>: the scale and the zero point of every DequantizeLinear, by what it reads."""

import sys

import onnx
from onnx import numpy_helper

model = onnx.load(sys.argv[1])
constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
for node in model.graph.node:
    if node.op_type == "DequantizeLinear":
        name = node.input[0].removesuffix("_quantized")
        print(f"{name}: scale {constants[node.input[1]]} zero point {constants[node.input[2]] if len(node.input) > 2 else 0}")
