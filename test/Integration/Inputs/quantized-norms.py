"""Softmax and normalizations between DequantizeLinear and QuantizeLinear, as ONNX models have them, on a chip without floats: all on
the NPU, with the host's bits, and within one step of what the host has of the floats, but for one in a hundred the same.

usage: quantized-norms.py <npu-run> <folder of scripts> <folder to write>
"""

import pathlib
import re
import subprocess
import sys

npu_run, scripts, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
sys.path.insert(0, scripts)
from onnx_text import MICROSOFT, Graph  # noqa: E402

DIMS = [2, 8, 6, 50]


class Model(Graph):
    def floats(self, values, dims=None):
        text = " ".join(f"float_data: {value!r}" for value in values)
        return self.initialize("f32", [len(values)] if dims is None else dims, text)

    def number(self, value):
        return self.floats([value], [])

    def byte(self, type, value):
        return self.initialize(type, [], f"int32_data: {value}")

    def scales(self, count, dims=None):
        return self.floats([0.5 + 0.01 * ((7 * i) % 50) for i in range(count)], dims)

    def biases(self, count, dims=None):
        return self.floats([0.02 * ((11 * i) % 50 - 25) for i in range(count)], dims)

    def mean(self, x, axes):
        return self.add("ReduceMean", [x], axes=axes)

    def variance(self, x, axes, epsilon=1e-5):
        square = self.add("Pow", [x, self.number(2.0)])
        return self.add("Add", [self.mean(square, axes), self.number(epsilon)])


def softmax(axis):
    return lambda m, x: m.add("Softmax", [x], axis=axis)


def scaled_softmax(m, x):
    return m.add("Softmax", [m.add("Mul", [x, m.number(0.125)])], axis=-1)


def layer_norm(m, x):
    return m.add("LayerNormalization", [x, m.scales(300, [6, 50]), m.biases(300, [6, 50])], axis=2, epsilon=1e-5)


def divided_norm(m, x):
    centered = m.add("Sub", [x, m.mean(x, [-1])])
    normal = m.add("Div", [centered, m.add("Sqrt", [m.variance(centered, [-1])])])
    return m.add("Add", [m.add("Mul", [normal, m.scales(50)]), m.biases(50)])


def multiplied_norm(m, x):
    centered = m.add("Sub", [x, m.mean(x, [-1])])
    inverse = m.add("Reciprocal", [m.add("Sqrt", [m.variance(centered, [-1])])])
    return m.add("Mul", [m.add("Mul", [inverse, m.scales(50)]), centered])


def norm_of_moments(m, x):
    mean = m.mean(x, [2, 3])
    squares = m.mean(m.add("Mul", [x, x]), [2, 3])
    variance = m.add("Add", [m.add("Sub", [squares, m.add("Mul", [mean, mean])]), m.number(1e-5)])
    return m.add("Div", [m.add("Sub", [x, mean]), m.add("Pow", [variance, m.number(0.5)])])


def norm_with_numbers(m, x):
    centered = m.add("Sub", [x, m.mean(x, [-1])])
    normal = m.add("Div", [centered, m.add("Sqrt", [m.variance(centered, [-1])])])
    return m.add("Add", [m.add("Mul", [normal, m.number(0.7)]), m.number(0.3)])


def instance_norm(m, x):
    return m.add("InstanceNormalization", [x, m.scales(8), m.biases(8)], epsilon=1e-5)


def rms_norm(m, x):
    return m.add("Mul", [m.add("Div", [x, m.add("Sqrt", [m.variance(x, [-1])])]), m.scales(50)])


def simplified_norm(m, x):
    return m.add("SimplifiedLayerNormalization", [x, m.scales(50)], axis=-1, epsilon=1e-6)


FORMS = {"softmax": softmax(-1), "softmax of columns": softmax(1), "scaled softmax": scaled_softmax, "LayerNormalization": layer_norm,
         "norm with a quotient": divided_norm, "norm with a product": multiplied_norm, "norm of moments": norm_of_moments,
         "norm with two numbers": norm_with_numbers, "InstanceNormalization": instance_norm, "RMS norm": rms_norm, "SimplifiedLayerNormalization": simplified_norm}


def write(path, build, type, scale):
    model = Model()
    step = 1 / 255 if "softmax" in path.stem else 0.0241
    x = model.add("DequantizeLinear", ["x", model.number(scale), model.byte(type, 3)])
    zero = model.byte("u8", 0 if "softmax" in path.stem else 128)
    y = model.add("QuantizeLinear", [build(model, x), model.number(step), zero])
    model.nodes.append(f'node {{ input: "{y}" output: "y" op_type: "Identity" }}')
    model.write(path, [("x", type, DIMS)], [("y", "u8", DIMS)])


def run(path, *options):
    result = path.with_suffix(".npy")
    command = [npu_run, str(path), "--input=random(7)", f"--output=@{result}", *options]
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if process.returncode != 0:
        print(f"FAILED: {' '.join(command)}\n{process.stdout}")
        sys.exit(1)
    contents = result.read_bytes()
    return process.stdout, contents[10 + int.from_bytes(contents[8:10], "little"):]


folder.mkdir(parents=True, exist_ok=True)
for name, build in FORMS.items():
    for type, scale in (("u8", 0.0523), ("i8", 0.21)):
        path = folder / f"{name.replace(' ', '-')}-{type}.onnx"
        write(path, build, type, scale)
        text, integers = run(path, "--target=npu-tiny", "--npu-fallback=error", "--check")
        _, floats = run(path, "--device=host")
        assert len(integers) == len(floats) == 2 * 8 * 6 * 50
        differences = [abs(a - b) for a, b in zip(integers, floats)]
        different = sum(difference > 0 for difference in differences)
        values = len(set(floats))
        verdict = "matches" if re.search("^matches host", text, re.M) and max(differences) <= 1 else "FAILED"
        if different > len(floats) // 100 or values < 10:
            verdict = "FAILED"
        print(f"{name} of {type}: {verdict}, {different} differ by at most {max(differences)}, {values} values")
