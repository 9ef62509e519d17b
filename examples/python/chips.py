"""Times a model on chips with 1, 2 and 4 clusters, one of them from a file."""

import pathlib
import tempfile

import npu
from example import MODEL

model = npu.load(MODEL)
chip = npu.Chip("npu-v1")
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "large.json"
    chip.replace(name="large", clusters=4).save(path)
    for chip in (chip, chip.replace(clusters=2), npu.Chip.from_file(path)):
        print(chip.name, chip.clusters, "clusters:", model.time(chip).cycles, "cycles")
