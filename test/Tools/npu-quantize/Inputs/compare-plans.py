"""compare-plans.py <folder of npu-quantize> <BytePlan.cpp>: prints the operators that one of both plans knows alone."""

import pathlib
import re
import sys

folder, source = sys.argv[1:]
sys.path.insert(0, folder)
import npu_quantize_plan

text = pathlib.Path(source).read_text()
for own, other in (("PRODUCTS", "isProductOperator"), ("MOVES", "isMove"), ("AVERAGES", "isAverage"), ("LIMITS", "isLimit"),
                   ("ROWS", "isRowOperator"), ("REDUCTIONS", "isFloatReduction"), ("ELEMENTWISE", "isElementwise")):
    # A function on one line, or up to the brace that ends it.
    body = re.search(rf"^static bool {other}\((?:.*}}$|.*\n(?:[ \n].*\n|\n)*}})", text, re.M)[0]
    names = set(re.findall(r'"(\w+)"', body))
    assert names, other
    known = getattr(npu_quantize_plan, own)
    print(f"{own}: only npu-quantize: {' '.join(sorted(known - names))}; only npu-onnx-assume-type: {' '.join(sorted(names - known))}")
