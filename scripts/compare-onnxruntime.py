#!/usr/bin/env python3
"""Compares networks on the simulated NPU with ONNX Runtime.

usage: compare-onnxruntime.py [--node-path=<folder>/node_modules] <build>/bin <model.onnx>...

Gives the networks seeded weights and one random input, and compares what goes into a last Softmax (the softmax
itself is nearly one-hot), or the output of networks without one. Fails unless the largest error is at most 1e-3 of
the largest magnitude and the largest element is the same one. See node_onnxruntime.py for what it needs.
"""

import argparse
import pathlib
import re
import sys
import tempfile

import numpy as np

from node_onnxruntime import Refused, add_node_path, run_npu, run_onnxruntime, write_seeded


def compare(tools, node_path, model):
    """Prints how far the results are from each other. Returns whether they match."""
    name = pathlib.Path(model).name
    with tempfile.TemporaryDirectory() as folder:
        seeded = pathlib.Path(folder, "seeded.onnx")
        inputs = write_seeded(tools, model, seeded)
        try:
            results = run_onnxruntime(node_path, seeded, inputs)
        except Refused as error:
            print(f"{name}: ONNX Runtime refuses it: {error}", flush=True)
            return False
        found, report = run_npu(tools, seeded, inputs, results)
    (output, expected), = results.items()
    found = found[output]
    error = np.abs(expected - found).max() / np.abs(expected).max()
    same = expected.argmax() == found.argmax() and expected.shape == found.shape
    matches = error <= 1e-3 and same
    share = re.search(r"^on the NPU: .*", report, re.M).group(0)
    print(f"{name}: {'matches' if matches else 'DIFFERS'}: {expected.size} values, largest error "
          f"{error:.1e} of the largest magnitude, {'same' if same else 'another'} argmax; {share}", flush=True)
    return matches


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_node_path(parser)
    parser.add_argument("tools", type=pathlib.Path)
    parser.add_argument("models", nargs="+")
    arguments = parser.parse_args()
    matches = [compare(arguments.tools, arguments.node_path, model) for model in arguments.models]
    sys.exit(0 if all(matches) else 1)


if __name__ == "__main__":
    main()
