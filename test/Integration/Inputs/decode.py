"""decode.py <folder of tools> <decoder.py> <f16 | int8 | int4> <folder> [target]: prints the tokens that a decoder gives.

Compiles a task graph for 16 tokens and one for each token after them, and runs these, with the caches that each gives in
files: 9 tokens in all. Fails if a dispatch that multiplies runs on the host."""

import array
import json
import pathlib
import subprocess
import sys

tools, script, kind, folder, *target = sys.argv[1:]
tools, folder = pathlib.Path(tools), pathlib.Path(folder)
TYPE = "f16" if kind == "f16" else "f32"
CACHE = f"1x2x32x16x{TYPE}"


def compile(tokens):
    model, graph = folder / f"{kind}-{tokens}.onnx", folder / f"{kind}-{tokens}.json"
    subprocess.run([sys.executable, script, kind, str(tokens), model], check=True)
    options = [f"--target={name}" for name in target]
    subprocess.run([tools / "npu-translate", "--mlir-to-npu-json", *options, model, "-o", graph], check=True)
    for function in json.loads(graph.read_text())["hostFunctions"]:
        if function["macs"]:
            sys.exit(f"{kind}: on the host: {function}")
    return graph


def run(graph, ids, past, caches):
    outputs = [folder / f"cache{number}.{graph.stem}.{past}" for number in range(4)]
    token = folder / "token.bin"
    command = [tools / "npu-run", "--allow-host-code", graph, f"--input=1x{len(ids)}xi64={' '.join(map(str, ids))}",
               f"--input=1xi32={past}"]
    command += [f"--input={CACHE}=@{cache}" for cache in caches] if caches else [f"--input={CACHE}=0"] * 4
    command += [f"--output=@{token}", "--output="] + [f"--output=@{cache}" for cache in outputs]
    # A file of numbers has no shape of its own.
    outputs = [cache.with_suffix(cache.suffix + ".bin") for cache in outputs]
    command[-4:] = [f"--output=@{cache}" for cache in outputs]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return array.array("q", token.read_bytes())[0], outputs


prompt, step = compile(16), compile(1)
token, caches = run(prompt, [(29 * i + 7) % 96 for i in range(16)], 0, None)
tokens = [token]
for number in range(8):
    token, caches = run(step, [token], 16 + number, caches)
    tokens.append(token)
print(kind, *tokens)
