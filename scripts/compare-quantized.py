#!/usr/bin/env python3
"""Compares models of 8 bits on the simulated NPU with ONNX Runtime.

usage: compare-quantized.py [--node-path=<folder>/node_modules] [--target=npu-tiny] <build>/bin <network>...

A network is an ONNX file, or resnet50, mobilenetv2 or transformer, which float-networks.py writes. It gets seeded weights
and one random input, on which npu-quantize calibrates it. Of the model of 8 bits, the script prints:
* whether ONNX Runtime runs it;
* how far its output is from that of the floats, in ONNX Runtime and as npu-quantize says;
* how far the output of the NPU is from that of ONNX Runtime, in steps of the output, without and with graph optimizations;
* the same for each quantized tensor, computed alone from the bytes that ONNX Runtime has before it. In a whole network,
  a byte that is rounded to its other neighbor changes bytes after it, so only this tells a defect from rounding.
Fails if ONNX Runtime refuses the model, if the two distances from the floats differ by more than 1 dB, or if a tensor alone
is off by more than a step, or in more than one byte of each thousand. See node_onnxruntime.py for what it needs.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import helper, numpy_helper

from node_onnxruntime import Refused, add_node_path, run_npu, run_onnxruntime, write_seeded

NETWORKS = ("resnet50", "mobilenetv2", "transformer")
LEVELS = ("disabled", "all")
MOST_DB = 1
MOST_SHARE = 1e-3


def get_snr(expected, found):
    noise = np.square(expected.astype(np.float64) - found).sum()
    return 10 * np.log10(np.square(expected.astype(np.float64)).sum() / noise) if noise else np.inf


def write_quantized(tools, model, inputs, quantized):
    """Quantizes a model. Returns the SNR that npu-quantize says, in dB."""
    (name, array), = inputs.items()
    with tempfile.TemporaryDirectory() as folder:
        sample = pathlib.Path(folder, "sample.npy")
        np.save(sample, array)
        command = [tools / "npu-quantize", "--json", f"--input={name}={sample}", model, "-o", quantized]
        result = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)
    return result["outputs"][0]["snrDb"]


def get_step(model):
    """The step of the output."""
    nodes = {name: node for node in model.graph.node for name in node.output}
    last = nodes[model.graph.output[0].name]
    if last.op_type != "DequantizeLinear":
        sys.exit(f"expected an output in 8 bits, found one of {last.op_type}")
    return next(float(numpy_helper.to_array(value)) for value in model.graph.initializer if value.name == last.input[1])


def get_quantized(model):
    """The types of quantized tensors, by name."""
    types = {value.name: value.data_type for value in model.graph.initializer}
    return {node.output[0]: types[node.input[2]] for node in model.graph.node if node.op_type == "QuantizeLinear"}


def return_quantized(model):
    """The model that returns quantized tensors as well."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    result.graph.output.extend(helper.make_tensor_value_info(name, type, None) for name, type in get_quantized(model).items())
    return result


def separate(model, arrays):
    """The model in which each quantized tensor is an output, and an input where it is read. Returns it and those inputs."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    graph, given = result.graph, {}
    outputs = {value.name for value in graph.output}
    nodes = [node for node in graph.node if outputs.isdisjoint(node.output)]
    for node in nodes:
        if node.op_type == "DequantizeLinear" and node.input[0] in arrays:
            name = node.input[0] + "_given"
            given[name] = arrays[node.input[0]]
            node.input[0] = name
    types = get_quantized(model)
    del graph.node[:], graph.output[:]
    graph.node.extend(nodes)
    for name, array in arrays.items():
        graph.output.append(helper.make_tensor_value_info(name, types[name], array.shape))
        if name + "_given" in given:
            graph.input.append(helper.make_tensor_value_info(name + "_given", types[name], array.shape))
    return result, given


def compare_alone(arguments, model, inputs, file):
    """How far the bytes of each quantized tensor are off when it is computed alone."""
    onnx.save(return_quantized(model), file)
    results = run_onnxruntime(arguments.node_path, file, inputs, "disabled")
    expected = {name: results[name] for name in get_quantized(model)}
    separated, given = separate(model, expected)
    onnx.save(separated, file)
    found, _ = run_npu(arguments.tools, file, {**inputs, **given}, expected, arguments.target)
    return [np.abs(found[name].astype(int) - array) for name, array in expected.items()]


def compare(arguments, network, folder):
    """Prints how far the results are from each other. Returns whether they agree."""
    model, quantized, seeded = network, folder / "quantized.onnx", folder / "seeded.onnx"
    if network in NETWORKS:
        model = folder / f"{network}.onnx"
        subprocess.run([sys.executable, pathlib.Path(__file__).with_name("float-networks.py"), network, model], check=True)
    inputs = write_seeded(arguments.tools, model, seeded)
    stated = write_quantized(arguments.tools, seeded, inputs, quantized)
    name = pathlib.Path(model).name
    try:
        (output, floats), = run_onnxruntime(arguments.node_path, seeded, inputs).items()
        expected = {level: run_onnxruntime(arguments.node_path, quantized, inputs, level)[output] for level in LEVELS}
    except Refused as error:
        print(f"{name}: ONNX Runtime refuses it: {error}", flush=True)
        return False
    found, _ = run_npu(arguments.tools, quantized, inputs, [output], arguments.target)
    loaded = onnx.load(quantized)
    steps = [np.abs(found[output] - expected[level]).max() / get_step(loaded) for level in LEVELS]
    snr = get_snr(floats, expected["disabled"])
    alone = compare_alone(arguments, loaded, inputs, folder / "alone.onnx")
    most, wrong = max(array.max() for array in alone), [np.count_nonzero(array) for array in alone]
    # A tensor may be so small that one byte is more than its share.
    is_rounding = most <= 1 and all(count <= math.ceil(MOST_SHARE * array.size) for count, array in zip(wrong, alone))
    agrees = abs(snr - stated) <= MOST_DB and is_rounding
    print(f"{name}: {'agrees' if agrees else 'DIFFERS'}: SNR {snr:.1f} dB in ONNX Runtime, {stated:.1f} dB in npu-quantize; "
          f"steps off: output {steps[0]:.0f}, with optimizations {steps[1]:.0f}, tensors alone {most}, in {sum(wrong)} of "
          f"{sum(array.size for array in alone)} bytes", flush=True)
    return agrees


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_node_path(parser)
    parser.add_argument("--target", default="npu-tiny")
    parser.add_argument("tools", type=pathlib.Path)
    parser.add_argument("networks", nargs="+")
    arguments = parser.parse_args()
    agrees = []
    for network in arguments.networks:
        with tempfile.TemporaryDirectory() as folder:
            agrees.append(compare(arguments, network, pathlib.Path(folder)))
    sys.exit(0 if all(agrees) else 1)


if __name__ == "__main__":
    main()
