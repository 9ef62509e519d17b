"""row-kernels.py <npu-run> <folder>: what the vector unit and the DMA engines do by themselves, near the limits of the chip.

Kernels of BERT's and ResNet's sizes, and rows longer than the SRAM, one for every lane: floats of a row are added one by one. Prints cycles over the cycles that the busiest of vector unit, DMA engines and DRAM
works: the first three by the simulator's count, issue included, the last by the bytes moved."""
import pathlib
import re
import subprocess
import sys

tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
DRAM_BYTES_PER_CYCLE = 32
LIMIT = 1.15


def tensor(*shape, element="f32"):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def function(arguments, result, body):
    return f"func.func @main({', '.join(f'%{name}: {type}' for name, type in arguments)}) -> {result} {{\n{body}}}\n"


def pointwise(rows, columns, body, element="f32"):
    t = tensor(rows, columns, element=element)
    return function([("x", t)], t, f"""  %e = tensor.empty() : {t}
  %0 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}} ins(%x : {t}) outs(%e : {t}) {{
  ^bb0(%a: {element}, %o: {element}):
{body}
    linalg.yield %r : {element}
  }} -> {t}
  return %0 : {t}
""")


def softmax(rows, columns):
    t = tensor(rows, columns)
    return function([("x", t)], t, f"""  %e = tensor.empty() : {t}
  %0 = linalg.softmax dimension(1) ins(%x : {t}) outs(%e : {t}) -> {t}
  return %0 : {t}
""")


def norm(rows, columns, centred):
    t, r, c = tensor(rows, columns), tensor(rows), tensor(columns)
    ij, i, j = ("affine_map<(i, j) -> (" + d + ")>" for d in ("i, j", "i", "j"))
    mean = f"""  %sum = linalg.generic {{indexing_maps = [{ij}, {i}], iterator_types = ["parallel", "reduction"]}} ins(%x : {t}) outs(%rz : {r}) {{
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }} -> {r}
  %c = linalg.generic {{indexing_maps = [{ij}, {i}, {ij}], iterator_types = ["parallel", "parallel"]}} ins(%x, %sum : {t}, {r}) outs(%te : {t}) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.divf %b, %n : f32
    %d = arith.subf %a, %m : f32
    linalg.yield %d : f32
  }} -> {t}
""" if centred else ""
    source = "%c" if centred else "%x"
    return function([("x", t), ("g", c)], t, f"""  %zero = arith.constant 0.0 : f32
  %n = arith.constant {float(columns)} : f32
  %eps = arith.constant 1.0e-5 : f32
  %re = tensor.empty() : {r}
  %te = tensor.empty() : {t}
  %rz = linalg.fill ins(%zero : f32) outs(%re : {r}) -> {r}
{mean}  %squares = linalg.generic {{indexing_maps = [{ij}, {i}], iterator_types = ["parallel", "reduction"]}} ins({source} : {t}) outs(%rz : {r}) {{
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %q, %o : f32
    linalg.yield %s : f32
  }} -> {r}
  %0 = linalg.generic {{indexing_maps = [{ij}, {i}, {j}, {ij}], iterator_types = ["parallel", "parallel"]}} ins({source}, %squares, %g : {t}, {r}, {c}) outs(%te : {t}) {{
  ^bb0(%a: f32, %b: f32, %w: f32, %o: f32):
    %v = arith.divf %b, %n : f32
    %u = arith.addf %v, %eps : f32
    %k = math.rsqrt %u : f32
    %p = arith.mulf %a, %k : f32
    %q = arith.mulf %p, %w : f32
    linalg.yield %q : f32
  }} -> {t}
  return %0 : {t}
""")


def max_pool():
    x, y = tensor(1, 112, 112, 64), tensor(1, 55, 55, 64)
    return function([("x", x)], y, f"""  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : {y}
  %w = tensor.empty() : tensor<3x3xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : {y}) -> {y}
  %0 = linalg.pooling_nhwc_max {{strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}} ins(%x, %w : {x}, tensor<3x3xf32>) outs(%f : {y}) -> {y}
  return %0 : {y}
""")


def average_pool():
    x, y = tensor(7 * 7, 2048), tensor(2048)
    return function([("x", x)], y, f"""  %zero = arith.constant 0.0 : f32
  %n = arith.constant 49.0 : f32
  %e = tensor.empty() : {y}
  %f = linalg.fill ins(%zero : f32) outs(%e : {y}) -> {y}
  %s = linalg.generic {{indexing_maps = [affine_map<(c, p) -> (p, c)>, affine_map<(c, p) -> (c)>], iterator_types = ["parallel", "reduction"]}} ins(%x : {x}) outs(%f : {y}) {{
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o : f32
    linalg.yield %t : f32
  }} -> {y}
  %0 = linalg.generic {{indexing_maps = [affine_map<(c) -> (c)>, affine_map<(c) -> (c)>], iterator_types = ["parallel"]}} ins(%s : {y}) outs(%e : {y}) {{
  ^bb0(%a: f32, %o: f32):
    %t = arith.divf %a, %n : f32
    linalg.yield %t : f32
  }} -> {y}
  return %0 : {y}
""")


def transpose(element):
    x, y = tensor(512, 768, element=element), tensor(768, 512, element=element)
    return function([("x", x)], y, f"""  %e = tensor.empty() : {y}
  %0 = linalg.transpose ins(%x : {x}) outs(%e : {y}) permutation = [1, 0]
  return %0 : {y}
""")


def concat():
    x, y = tensor(128, 768), tensor(128, 1536)
    return function([("a", x), ("b", x)], y, f"""  %0 = tensor.concat dim(1) %a, %b : ({x}, {x}) -> {y}
  return %0 : {y}
""")


def gather():
    t, i, y = tensor(30522, 768), tensor(128, element="i32"), tensor(128, 768)
    return function([("t", t), ("i", i)], y, f"""  %zero = arith.constant 0 : i32
  %last = arith.constant 30521 : i32
  %e = tensor.empty() : {y}
  %0 = linalg.generic {{indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}} ins(%i : {i}) outs(%e : {y}) {{
  ^bb0(%a: i32, %o: f32):
    %low = arith.maxsi %a, %zero : i32
    %at = arith.minsi %low, %last : i32
    %row = arith.index_cast %at : i32 to index
    %n = linalg.index 1 : index
    %r = tensor.extract %t[%row, %n] : {t}
    linalg.yield %r : f32
  }} -> {y}
  return %0 : {y}
""")


GELU = """    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %root = arith.constant 0.707106769 : f32
    %s = arith.mulf %a, %root : f32
    %e1 = math.erf %s : f32
    %e2 = arith.addf %e1, %one : f32
    %h = arith.mulf %a, %half : f32
    %r = arith.mulf %h, %e2 : f32"""
SILU = """    %one = arith.constant 1.0 : f32
    %m = arith.negf %a : f32
    %x1 = math.exp %m : f32
    %d = arith.addf %x1, %one : f32
    %r = arith.divf %a, %d : f32"""
CASES = [
    ("softmax 1536x128", softmax(1536, 128)),
    ("softmax 12288x1024", softmax(12288, 1024)),
    ("softmax 64x300000", softmax(64, 300000)),
    ("layer norm 128x768", norm(128, 768, True)),
    ("layer norm 64x300000", norm(64, 300000, True)),
    ("RMS norm 128x4096", norm(128, 4096, False)),
    ("RMS norm 64x300000", norm(64, 300000, False)),
    ("GELU 128x3072", pointwise(128, 3072, GELU)),
    ("SiLU 128x11008", pointwise(128, 11008, SILU)),
    ("max pool 3x3/2 112x112x64", max_pool()),
    ("global average pool 7x7x2048", average_pool()),
    ("transpose 512x768 f32", transpose("f32")),
    ("transpose 512x768 f16", transpose("f16")),
    ("transpose 512x768 i8", transpose("i8")),
    ("concat 2x128x768", concat()),
    ("gather 128 of 30522x768", gather()),
]
failed = 0
for number, (name, text) in enumerate(CASES):
    model = folder / f"{number}.mlir"
    model.write_text(text)
    run = subprocess.run([tool, "--npu-fallback=error", "--target=npu-v1", "--input=random(3)", model], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    dispatches = re.search(r"^on the NPU: (\d+) of \1 dispatches", run.stdout, re.M)
    if run.returncode or not dispatches:
        failed += 1
        print(f"{name}: FAILED\n{run.stdout[-1500:]}")
        continue
    cycles, work = 0, 0.0
    for own, busy, read, written in re.findall(r"^  cycles (\d+).*\n  busy: (.*)\n  DRAM: (\d+) bytes read, (\d+) written", run.stdout, re.M):
        cycles += int(own)
        share = max(float(part) for part in re.findall(r"[a-z]+ ([\d.]+) %", busy)) / 100
        work += max(int(own) * share, (int(read) + int(written)) / DRAM_BYTES_PER_CYCLE)
    good = cycles <= LIMIT * work
    failed += not good
    print(f"{name}: {cycles} cycles, {cycles / work:.3f} x the busiest engine, {dispatches[1]} dispatches{'' if good else ', FAILED'}")
sys.exit(failed != 0)
