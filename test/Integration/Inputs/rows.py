"""rows.py <npu-run> <folder>: rows that no memory holds, and attention of one query, as what users of other compilers ask for.

Softmax and layer norms of long rows, on a chip with a large and one with a small memory; attention in f32 and f16 with one and with many
queries, whose results are compared with those of the host. Everything must run on the NPU."""
import pathlib
import re
import subprocess
import sys

tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
SMALL = "npu-v1:sramBytes=65536,accBytes=16384"


def softmax(rows, columns, element):
    t = f"tensor<{rows}x{columns}x{element}>"
    return f"""func.func @main(%x: {t}) -> {t} {{
  %e = tensor.empty() : {t}
  %0 = linalg.softmax dimension(1) ins(%x : {t}) outs(%e : {t}) -> {t}
  return %0 : {t}
}}"""


def layer_norm(rows, columns):
    t, r, c = f"tensor<{rows}x{columns}xf32>", f"tensor<{rows}xf32>", f"tensor<{columns}xf32>"
    ij, i, j = ("affine_map<(i, j) -> (" + d + ")>" for d in ("i, j", "i", "j"))
    return f"""func.func @main(%x: {t}, %scale: {c}, %bias: {c}) -> {t} {{
  %zero = arith.constant 0.0 : f32
  %n = arith.constant {float(columns)} : f32
  %eps = arith.constant 1.0e-5 : f32
  %re = tensor.empty() : {r}
  %te = tensor.empty() : {t}
  %rz = linalg.fill ins(%zero : f32) outs(%re : {r}) -> {r}
  %sum = linalg.generic {{indexing_maps = [{ij}, {i}], iterator_types = ["parallel", "reduction"]}} ins(%x : {t}) outs(%rz : {r}) {{
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }} -> {r}
  %centred = linalg.generic {{indexing_maps = [{ij}, {i}, {ij}], iterator_types = ["parallel", "parallel"]}} ins(%x, %sum : {t}, {r}) outs(%te : {t}) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.divf %b, %n : f32
    %d = arith.subf %a, %m : f32
    linalg.yield %d : f32
  }} -> {t}
  %squares = linalg.generic {{indexing_maps = [{ij}, {i}], iterator_types = ["parallel", "reduction"]}} ins(%centred : {t}) outs(%rz : {r}) {{
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %q, %o : f32
    linalg.yield %s : f32
  }} -> {r}
  %0 = linalg.generic {{indexing_maps = [{ij}, {i}, {j}, {j}, {ij}], iterator_types = ["parallel", "parallel"]}}
      ins(%centred, %squares, %scale, %bias : {t}, {r}, {c}, {c}) outs(%te : {t}) {{
  ^bb0(%a: f32, %b: f32, %g: f32, %h: f32, %o: f32):
    %v = arith.divf %b, %n : f32
    %w = arith.addf %v, %eps : f32
    %k = math.rsqrt %w : f32
    %p = arith.mulf %a, %k : f32
    %q = arith.mulf %p, %g : f32
    %r = arith.addf %q, %h : f32
    linalg.yield %r : f32
  }} -> {t}
  return %0 : {t}
}}"""


def attention(queries, keys, size, element):
    q, k = f"tensor<{queries}x{size}x{element}>", f"tensor<{keys}x{size}x{element}>"
    s, sn, o = f"tensor<{queries}x{keys}xf32>", f"tensor<{queries}x{keys}x{element}>", f"tensor<{queries}x{size}xf32>"
    narrow = "" if element == "f32" else f"""  %ne = tensor.empty() : {sn}
  %narrow = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}} ins(%weights : {s}) outs(%ne : {sn}) {{
  ^bb0(%a: f32, %b: {element}):
    %t = arith.truncf %a : f32 to {element}
    linalg.yield %t : {element}
  }} -> {sn}
"""
    weights = "%weights" if element == "f32" else "%narrow"
    return f"""func.func @main(%q: {q}, %k: {k}, %v: {k}) -> {o} {{
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant {size ** -0.5} : f32
  %se = tensor.empty() : {s}
  %sz = linalg.fill ins(%zero : f32) outs(%se : {s}) -> {s}
  %scores = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%q, %k : {q}, {k}) outs(%sz : {s}) {{
  ^bb0(%a: {element}, %b: {element}, %c: f32):
{"" if element == "f32" else f"    %x = arith.extf %a : {element} to f32" + chr(10) + f"    %y = arith.extf %b : {element} to f32" + chr(10)}    %p = arith.mulf {"%a, %b" if element == "f32" else "%x, %y"} : f32
    %t = arith.addf %c, %p : f32
    linalg.yield %t : f32
  }} -> {s}
  %scaled = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}} ins(%scores : {s}) outs(%se : {s}) {{
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %scale : f32
    linalg.yield %p : f32
  }} -> {s}
  %weights = linalg.softmax dimension(1) ins(%scaled : {s}) outs(%se : {s}) -> {s}
{narrow}  %oe = tensor.empty() : {o}
  %oz = linalg.fill ins(%zero : f32) outs(%oe : {o}) -> {o}
  %0 = linalg.matmul ins({weights}, %v : {sn}, {k}) outs(%oz : {o}) -> {o}
  return %0 : {o}
}}"""


CASES = [
    ("softmax of 32000 columns", softmax(4, 32000, "f32")),
    ("softmax of 32000 columns in f16", softmax(2, 32000, "f16")),
    ("softmax of two columns", softmax(5, 2, "f32")),
    ("layer norm of 5003", layer_norm(3, 5003)),
    ("layer norm of 40000", layer_norm(2, 40000)),
    ("layer norm of 7", layer_norm(4, 7)),
    ("one query, 2048 keys", attention(1, 2048, 64, "f32")),
    ("one query, 2048 keys in f16", attention(1, 2048, 64, "f16")),
    ("attention", attention(96, 160, 32, "f32")),
    ("attention in f16", attention(96, 160, 32, "f16")),
]
failed = 0
for number, (name, text) in enumerate(CASES):
    model = folder / f"{number}.mlir"
    model.write_text(text)
    for target in ("npu-v1", SMALL):
        run = subprocess.run([tool, "--check", "--npu-fallback=error", f"--target={target}", "--input=random(3)", model],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        matches = run.returncode == 0 and re.search(r"^matches host$", run.stdout, re.M)
        cycles = re.search(r"^on the NPU: .*, (\d+) cycles", run.stdout, re.M)
        print(f"{name}, {target}: {'matches' if matches else 'FAILED'}, {cycles[1] if cycles else '?'} cycles")
        if not matches:
            failed += 1
            print(run.stdout[-1500:])
sys.exit(failed != 0)
