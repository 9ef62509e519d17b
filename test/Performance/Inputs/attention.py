"""attention.py <npu-run> <folder>: attention of 12 heads as one kernel, near the limits of the chip.

Sequences of 128, 384 and 1024, in f32 and f16, with and without a mask, from iree_linalg_ext.attention and from linalg. Prints cycles over their limit, cycles over the
cycles that the busiest engine works, its instructions' issue included, and bytes moved over those of operands and result, which all fit on
the chip. The limit counts the array's products and, of the vector unit, one exponential a score: in f16 the vector unit has more to do, and is
the busiest engine. Short sequences are compared with the host; the longer ones are the same programs with more iterations.

Then attention whose K and V do not fit, or whose rows of scores leave too few of them in a tile. It may load K and V once per strip of 128 queries."""
import pathlib
import re
import subprocess
import sys

tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
HEADS, SIZE = 12, 64
CYCLES, BYTES = 1.15, 1.1
LIMITS = {"f32": 1.1, "f16": 2.7}


def generic(maps, iterators, inputs, init, body, result):
    names, types = zip(*inputs)
    kinds = ", ".join(f'"{kind}"' for kind in iterators)
    return f"""linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins({", ".join(names)} : {", ".join(types)}) outs({init} : {result}) {{
{body}
  }} -> {result}"""


def from_linalg(length, element, mask):
    q, s, w = (f"tensor<{HEADS}x{length}x{n}x{t}>" for n, t in ((SIZE, element), (length, "f32"), (length, element)))
    wide, parallel = element == "f32", ["parallel"] * 3
    casts = "" if wide else f"    %x = arith.extf %a : {element} to f32\n    %y = arith.extf %b : {element} to f32\n"
    scores = generic("#q, #k, #s", parallel + ["reduction"], [("%q", q), ("%k", q)], "%sz",
                     f"  ^bb0(%a: {element}, %b: {element}, %c: f32):\n{casts}    %p = arith.mulf {'%a, %b' if wide else '%x, %y'} : f32\n"
                     "    %r = arith.addf %c, %p : f32\n    linalg.yield %r : f32", s)
    inputs = [("%scores", s)] + ([("%mask", w)] if mask else [])
    masked = ""
    if mask:
        masked = ("" if wide else f"    %n = arith.extf %m : {element} to f32\n") + f"    %z = arith.addf %p, {'%m' if wide else '%n'} : f32\n"
    scaled = generic("#i, #i, #i" if mask else "#i, #i", parallel, inputs, "%se",
                     f"  ^bb0(%a: f32{f', %m: {element}' if mask else ''}, %o: f32):\n    %p = arith.mulf %a, %scale : f32\n{masked}"
                     f"    linalg.yield {'%z' if mask else '%p'} : f32", s)
    narrow = lambda source, source_type, init, result: generic(
        "#i, #i", parallel, [(source, source_type)], init,
        f"  ^bb0(%a: f32, %o: {element}):\n    %t = arith.truncf %a : f32 to {element}\n    linalg.yield %t : {element}", result)
    o = f"tensor<{HEADS}x{length}x{SIZE}xf32>"
    weights = "" if wide else f"  %we = tensor.empty() : {w}\n  %wn = {narrow('%w', s, '%we', w)}\n"
    result = "" if wide else f"  %re = tensor.empty() : {q}\n  %rn = {narrow('%0', o, '%re', q)}\n"
    return f"""#q = affine_map<(b, m, n, k) -> (b, m, k)>
#k = affine_map<(b, m, n, k) -> (b, n, k)>
#s = affine_map<(b, m, n, k) -> (b, m, n)>
#i = affine_map<(b, m, n) -> (b, m, n)>
func.func @main(%q: {q}, %k: {q}, %v: {q}{f", %mask: {w}" if mask else ""}) -> {q} {{
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %se = tensor.empty() : {s}
  %sz = linalg.fill ins(%zero : f32) outs(%se : {s}) -> {s}
  %scores = {scores}
  %scaled = {scaled}
  %w = linalg.softmax dimension(2) ins(%scaled : {s}) outs(%se : {s}) -> {s}
{weights}  %oe = tensor.empty() : {o}
  %oz = linalg.fill ins(%zero : f32) outs(%oe : {o}) -> {o}
  %0 = linalg.batch_matmul ins({'%w' if wide else '%wn'}, %v : {w}, {q}) outs(%oz : {o}) -> {o}
{result}  return {'%0' if wide else '%rn'} : {q}
}}"""


def from_attention(length, element, mask, heads=HEADS, keys=None):
    keys = keys or length
    q, k, w = (f"tensor<{heads}x{shape}x{element}>" for shape in (f"{length}x{SIZE}", f"{keys}x{SIZE}", f"{length}x{keys}"))
    maps = ["(b, m, k)", "(b, l, k)", "(b, l, n)", "()"] + (["(b, m, l)"] if mask else []) + ["(b, m, n)"]
    maps = ", ".join(f"affine_map<(b, m, n, k, l) -> {results}>" for results in maps)
    return f"""func.func @main(%q: {q}, %k: {k}, %v: {k}{f", %mask: {w}" if mask else ""}) -> {q} {{
  %s = arith.constant 0.125 : {element}
  %e = tensor.empty() : {q}
  %0 = iree_linalg_ext.attention {{indexing_maps = [{maps}]}} ins(%q, %k, %v, %s{", %mask" if mask else ""} : {q}, {k}, {k}, {element}{f", {w}" if mask else ""}) outs(%e : {q}) {{
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  }} -> {q}
  return %0 : {q}
}}"""


def measure(model, text, element, operands, check):
    """Whether the model is one kernel near the limits; `operands` are the elements that it may move."""
    model.write_text(text)
    command = [tool, "--npu-fallback=error", "--target=npu-v1", "--input=random(3)", f"--report={folder}", model]
    run = subprocess.run(command + (["--check"] if check else []), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    kernels = re.search(r"^on the NPU: 1 of 1 dispatches", run.stdout, re.M)
    if run.returncode or not kernels or (check and not re.search(r"^matches host$", run.stdout, re.M)):
        print(f"{model.stem}: FAILED\n{run.stdout[-1500:]}")
        return False
    cycles, limit = map(int, re.search(r"^  cycles (\d+), limit (\d+)", run.stdout, re.M).groups())
    work = max(float(share) for share in re.findall(r"[a-z]+ ([\d.]+) %[,;]", re.search(r"^  busy: (.*)$", run.stdout, re.M)[1])) / 100
    moved = sum(map(int, re.search(r"^  DRAM: (\d+) bytes read, (\d+) written", run.stdout, re.M).groups()))
    allowed = operands * (4 if element == "f32" else 2)
    good = cycles <= LIMITS[element] * limit and 1 / work <= CYCLES and moved <= BYTES * allowed
    print(f"{model.stem}: {cycles} cycles, {cycles / limit:.3f} x its limit, {1 / work:.3f} x the busiest engine, {moved} bytes, {moved / allowed:.3f} x what may be moved{'' if good else ', FAILED'}")
    return good


good = True
for source, write in (("linalg", from_linalg), ("iree_linalg_ext", from_attention)):
    for length in (128, 384, 1024):
        for element in ("f32", "f16"):
            for mask in (False, True):
                model = folder / f"{source}-{length}-{element}{'-mask' if mask else ''}.mlir"
                operands = (4 * length * SIZE + (length * length if mask else 0)) * HEADS
                good &= measure(model, write(length, element, mask), element, operands, length == 128)
for heads, length, keys, element, mask in ((2, 2048, 2048, "f32", False), (1, 4096, 4096, "f32", False), (1, 4096, 4096, "f16", False),
                                           (1, 4096, 4096, "f16", True), (1, 1000, 6000, "f16", False), (4, 1, 32768, "f32", False)):
    model = folder / f"long-{heads}x{length}x{keys}-{element}{'-mask' if mask else ''}.mlir"
    strips = -(-length // 128)
    operands = (2 * length * SIZE + strips * 2 * keys * SIZE + (length * keys if mask else 0)) * heads
    good &= measure(model, from_attention(length, element, mask, heads, keys), element, operands, length * keys <= 1000000)
sys.exit(not good)
