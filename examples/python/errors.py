"""What errors look like: the text of the tools, or what is wrong with an array."""

import numpy
import npu
from example import MODEL

model = npu.load(MODEL)
for attempt in (lambda: npu.Chip("npu-v1").replace(cluster=4),
                lambda: npu.load("missing.onnx"),
                lambda: model.compile("npu-v1")(numpy.zeros((28, 28))),
                lambda: model.compile("npu-v1", cycle_limit=10)(numpy.zeros((1, 1, 28, 28), numpy.uint8))):
    try:
        attempt()
    except npu.Error as error:
        print(f"{type(error).__name__}: {error}")
