"""Runs models with npu-run on the host: what range values have, and how far the quantized model is from the floats."""

import os
import subprocess
import tempfile

import numpy as np

from npu_quantize_model import BadInput, save_beside, show

# Each output is a tensor that stays until the run is over.
MOST_OUTPUTS = 200


class Statistics:
    """What a value was in all samples."""

    def __init__(self, array):
        self.dtype, self.shape = array.dtype, array.shape
        self.low, self.high, self.is_finite = 0.0, 0.0, True

    def add(self, array, percentile):
        if array.dtype != np.float32 or not array.size:
            return
        self.is_finite = self.is_finite and bool(np.isfinite(array).all())
        if not self.is_finite:
            return
        if percentile is None:
            low, high = array.min(), array.max()
        else:
            low, high = np.percentile(array, [100 - percentile, percentile])
        # Zero is among the numbers that bytes stand for: it is what surrounds an image.
        self.low, self.high = min(self.low, float(low)), max(self.high, float(high))

    def get_width(self):
        return self.high - self.low


class Runner:
    """Runs of models on samples, each of which is a list of --input flags."""

    def __init__(self, npu_run, flags, samples):
        self.npu_run, self.flags, self.samples = npu_run, flags, samples

    def run(self, model, outputs, sample, folder, flags=()):
        """The outputs of a model for a sample, one after the other."""
        files = [os.path.join(folder, f"{number}.npy") for number in range(len(outputs))]
        command = [self.npu_run, "--device=host", *self.flags, *flags, *sample, *(f"--output=@{file}" for file in files), model]
        try:
            run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        except OSError as error:
            raise BadInput(f"cannot run {show(self.npu_run)}: {error.strerror}; name another one with --npu-run=FILE")
        if run.returncode:
            raise BadInput(find_error("npu-run", run.stderr.decode("utf-8", "replace"), run.returncode))
        for file in files:
            yield np.load(file)
            os.unlink(file)

    def measure(self, graph, names, statistics, samples, percentile):
        """Adds the values `names` in samples to the statistics."""
        if not samples:
            return
        own = [value.name for value in graph.outputs]
        for first in range(0, len(names), MOST_OUTPUTS):
            part = names[first : first + MOST_OUTPUTS]
            with tempfile.TemporaryDirectory(prefix="npu-quantize-") as folder:
                path = os.path.join(folder, os.path.basename(graph.path))
                save_beside(graph.make_model([name for name in part if name not in own]), path)
                outputs = own + [name for name in part if name not in own]
                for number in samples:
                    for name, array in zip(outputs, self.run(path, outputs, self.samples[number], folder)):
                        if name in part:
                            statistics.setdefault(name, Statistics(array)).add(array, percentile)

    def get_outputs(self, model, names, number):
        with tempfile.TemporaryDirectory(prefix="npu-quantize-") as folder:
            return dict(zip(names, self.run(model, names, self.samples[number], folder)))


def find_error(tool, text, code):
    """The first error that a tool printed, with the place in the model that it has."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        if "error: " in line:
            return show(line.removeprefix(f"{tool}: error: ").replace(": error: ", ": ", 1))
    return f"expected {tool} to succeed, found exit code {code}: {show(lines[0]) if lines else 'no message'}"


class Difference:
    """How far an output of the quantized model is from that of the floats, over all samples."""

    def __init__(self):
        self.largest, self.signal, self.noise, self.product, self.found = 0.0, 0.0, 0.0, 0.0, 0.0
        self.elements, self.magnitude = 0, 0.0

    def add(self, expected, found):
        expected, found = (array.astype(np.float64).reshape(-1) for array in (expected, found))
        self.elements += expected.size
        # Infinities have no distance, and so no error where both have them.
        differs = ~((expected == found) | (np.isnan(expected) & np.isnan(found))) | np.isfinite(expected)
        expected, found = expected[differs], found[differs]
        if expected.size:
            self.magnitude = max(self.magnitude, float(np.abs(expected).max()))
            self.largest = max(self.largest, float(np.abs(expected - found).max()))
        self.signal += float(expected @ expected)
        self.noise += float((expected - found) @ (expected - found))
        self.product += float(expected @ found)
        self.found += float(found @ found)

    def get_snr(self):
        """In dB; None where there is no noise, or nothing but it."""
        return 10 * float(np.log10(self.signal / self.noise)) if self.signal > 0 and self.noise > 0 else None

    def get_cosine(self):
        lengths = (self.signal * self.found) ** 0.5
        return min(1.0, self.product / lengths) if lengths > 0 else None
