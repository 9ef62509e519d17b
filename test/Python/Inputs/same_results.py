"""Runs models by the package and by npu-run on the same inputs. usage: same_results.py <npu-run> <folder> <model>..."""

import pathlib
import subprocess
import sys

import numpy

import npu


def make_array(port, seed):
    numbers = numpy.random.default_rng(seed)
    if port.dtype.kind in "iu":
        return numbers.integers(-20 if port.dtype.kind == "i" else 0, 100, port.shape).astype(port.dtype)
    return (numbers.random(port.shape) * 2 - 1).astype(port.dtype)


def main():
    tool, folder, *models = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    for path in models:
        model = npu.load(path)
        program = model.compile()
        inputs = [make_array(port, seed) for seed, port in enumerate(program.inputs)]
        flags = []
        for number, array in enumerate(inputs):
            numpy.save(folder / f"input{number}.npy", array)
            flags.append(f"--input=@{folder}/input{number}.npy")
        flags += [f"--output=@{folder}/output{number}.npy" for number in range(len(program.outputs))]
        subprocess.run([tool, *flags, path], check=True, stdout=subprocess.DEVNULL)
        check = model.check(inputs)
        assert check.verdict != "mismatch", path
        for number, (ours, checked) in enumerate(zip(program.run(inputs).values(), check.outputs.values())):
            theirs = numpy.load(folder / f"output{number}.npy")
            assert ours.shape == theirs.shape and ours.dtype.itemsize == theirs.dtype.itemsize, path
            assert ours.tobytes() == theirs.tobytes() == checked.tobytes(), path


main()
