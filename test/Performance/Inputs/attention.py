"""attention.py <npu-run> <folder>: attention of 12 heads as one kernel, near the limits of the chip.

Sequences of 128, 384 and 1024, in f32 and f16, with and without a mask, from iree_linalg_ext.attention and from linalg. Prints cycles over the
cycles that the busiest engine works, its instructions' issue included, and bytes moved over those of operands and result, which all fit on
the chip. Short sequences are compared with the host; the longer ones are the same programs with more iterations."""
import pathlib
import re
import subprocess
import sys

tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
HEADS, SIZE = 12, 64
CYCLES, BYTES = 1.15, 1.1


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


def from_attention(length, element, mask):
    q, w = f"tensor<{HEADS}x{length}x{SIZE}x{element}>", f"tensor<{HEADS}x{length}x{length}x{element}>"
    maps = ["(b, m, k)", "(b, l, k)", "(b, l, n)", "()"] + (["(b, m, l)"] if mask else []) + ["(b, m, n)"]
    maps = ", ".join(f"affine_map<(b, m, n, k, l) -> {results}>" for results in maps)
    return f"""func.func @main(%q: {q}, %k: {q}, %v: {q}{f", %mask: {w}" if mask else ""}) -> {q} {{
  %s = arith.constant 0.125 : {element}
  %e = tensor.empty() : {q}
  %0 = iree_linalg_ext.attention {{indexing_maps = [{maps}]}} ins(%q, %k, %v, %s{", %mask" if mask else ""} : {q}, {q}, {q}, {element}{f", {w}" if mask else ""}) outs(%e : {q}) {{
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  }} -> {q}
  return %0 : {q}
}}"""


failed = 0
for source, write in (("linalg", from_linalg), ("iree_linalg_ext", from_attention)):
    for length in (128, 384, 1024):
        for element in ("f32", "f16"):
            for mask in (False, True):
                model = folder / f"{source}-{length}-{element}{'-mask' if mask else ''}.mlir"
                model.write_text(write(length, element, mask))
                command = [tool, "--npu-fallback=error", "--target=npu-v1", "--input=random(3)", f"--report={folder}", model]
                run = subprocess.run(command + (["--check"] if length == 128 else []), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                kernels = re.search(r"^on the NPU: 1 of 1 dispatches", run.stdout, re.M)
                if run.returncode or not kernels or (length == 128 and not re.search(r"^matches host$", run.stdout, re.M)):
                    failed += 1
                    print(f"{model.stem}: FAILED\n{run.stdout[-1500:]}")
                    continue
                cycles = int(re.search(r"^  cycles (\d+)", run.stdout, re.M)[1])
                work = max(float(share) for share in re.findall(r"[a-z]+ ([\d.]+) %[,;]", re.search(r"^  busy: (.*)$", run.stdout, re.M)[1])) / 100
                read, written, needed = map(int, re.search(r"^  DRAM: (\d+) bytes read, (\d+) written, lower bound (\d+)", run.stdout, re.M).groups())
                operands = (4 * length * SIZE + (length * length if mask else 0)) * HEADS * (4 if element == "f32" else 2)
                good = 1 / work <= CYCLES and read + written <= BYTES * operands
                failed += not good
                print(f"{model.stem}: {cycles} cycles, {1 / work:.3f} x the busiest engine, {read + written} bytes, "
                      f"{(read + written) / operands:.3f} x operands and result{'' if good else ', FAILED'}")
sys.exit(failed != 0)
