"""Writes the report of a timing into a folder, and a timeline into a file."""

import os
import tempfile

import npu
from example import MODEL

with tempfile.TemporaryDirectory() as folder:
    timing = npu.load(MODEL).time("npu-v1", trace=os.path.join(folder, "timeline.json"))
    timing.save(os.path.join(folder, "report"))
    print(*sorted(os.listdir(folder)), *sorted(os.listdir(os.path.join(folder, "report"))), sep="\n")
