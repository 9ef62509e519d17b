"""Times models on chips. A pair that does not work is a record with an error."""

import npu
from example import MODEL

for record in npu.sweep({"digits": MODEL}, ["npu-v1", "npu-v1-x4", {"base": "npu-v1", "name": "fast", "dramBytesPerCycle": 64}, "none"]):
    print(record["model"], record["chip"].split(":")[0], record["error"] or record["cycles"])
