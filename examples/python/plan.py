"""Lists the dispatches of a model: where each would run, and its predicted cycles."""

import npu
from example import MODEL

model = npu.load(MODEL)
for dispatch in model.plan("npu-v1").dispatches:
    print(dispatch["dispatch"], dispatch["op"], "on", dispatch["placement"], dispatch["cycles"], "cycles")
