"""Writes models of what mixes tokens without attention, for npu-run --flagfile, with results of plain loops.

usage: token-mixers.py <directory>
"""

import itertools
import math
import pathlib
import random
import sys

directory = pathlib.Path(sys.argv[1])


class Tensor:
    def __init__(self, dims, make):
        self.dims = dims
        self.values = {place: make(*place) for place in itertools.product(*map(range, dims))}

    def __getitem__(self, place):
        return self.values[place]

    def type(self):
        return "x".join(map(str, self.dims)) + "xf32"

    def flag(self):
        return self.type() + "=" + " ".join(repr(value) for value in self.values.values())


def rand(dims, seed, low=-1, high=1):
    generator = random.Random(seed)
    return Tensor(dims, lambda *place: generator.uniform(low, high))


def write(name, operator, inputs, outputs, opset=29, **attributes):
    """A model of one node. Inputs that are None are left out."""
    given = [tensor for tensor in inputs if tensor]
    number = iter(range(len(given)))
    names = [f"%a{next(number)}" if tensor else "%none" for tensor in inputs]
    types = [f"tensor<{tensor.type()}>" if tensor else "none" for tensor in inputs]
    arguments = ", ".join(f"%a{index}: tensor<{tensor.type()}>" for index, tensor in enumerate(given))
    quote = lambda value: f'"{value}"' if isinstance(value, str) else f"{value} : {'i64' if isinstance(value, int) else 'f32'}"
    listed = ", ".join(f"{key} = {quote(value)}" for key, value in attributes.items())
    unknown = ", ".join(["!onnx.unknown"] * len(outputs))
    results = ", ".join(f"%y#{index}" if len(outputs) > 1 else "%y" for index in range(len(outputs)))
    (directory / f"{name}.mlir").write_text(f"""module attributes {{onnx.opset = {{ai.onnx = {opset} : i64}}}} {{
  func.func @main({arguments}) -> ({unknown}) {{
    %none = onnx.none : none
    %y{":" + str(len(outputs)) if len(outputs) > 1 else ""} = onnx.node "{operator}"({", ".join(names)}) {{{listed}}} : ({", ".join(types)}) -> ({unknown})
    return {results} : {unknown}
  }}
}}
""")
    flags = [f"--module={directory / name}.mlir", "--check", "--expected_f32_threshold=1e-5"]
    flags += ["--input=" + tensor.flag() for tensor in given] + ["--expected_output=" + tensor.flag() for tensor in outputs]
    (directory / f"{name}.flags").write_text("\n".join(flags) + "\n")


def swish(x, alpha=1.0):
    return x / (1 + math.exp(-alpha * x))


def linear_attention(name, rule, batch=1, steps=3, heads=2, shared=2, size=4, width=5, past=False, per_head=False, gate_of_all=False,
                     erases=False, scale=None):
    q, k = rand([batch, steps, heads * size], 1), rand([batch, steps, shared * size], 2)
    v = rand([batch, steps, shared * width], 3)
    before = rand([batch, shared, size, width], 4) if past else None
    decay = rand([batch, steps, shared * (1 if per_head else size)], 5, -1, 0) if "gated" in rule else None
    beta = rand([batch, steps, 1 if gate_of_all else shared], 6, 0, 1) if "delta" in rule else None
    erase = rand([batch, steps, shared * size], 7, 0, 1) if erases else None
    y, state = {}, {}
    for b, h in itertools.product(range(batch), range(shared)):
        s = [[before[b, h, d, m] if before else 0.0 for m in range(width)] for d in range(size)]
        for t in range(steps):
            key = [k[b, t, h * size + d] for d in range(size)]
            value = [v[b, t, h * width + m] for m in range(width)]
            if decay:
                s = [[x * math.exp(decay[b, t, h if per_head else h * size + d]) for x in row] for d, row in enumerate(s)]
            if beta:
                erased = [x * (erase[b, t, h * size + d] if erase else 1) for d, x in enumerate(key)]
                factor = beta[b, t, 0 if gate_of_all else h]
                value = [factor * (x - sum(s[d][m] * erased[d] for d in range(size))) for m, x in enumerate(value)]
            s = [[x + key[d] * value[m] for m, x in enumerate(row)] for d, row in enumerate(s)]
            for group in range(heads // shared):
                head = h * (heads // shared) + group
                for m in range(width):
                    y[b, t, head * width + m] = (scale or 1 / math.sqrt(size)) * sum(q[b, t, head * size + d] * s[d][m] for d in range(size))
        for d, m in itertools.product(range(size), range(width)):
            state[b, h, d, m] = s[d][m]
    outputs = [Tensor([batch, steps, heads * width], lambda *p: y[p]), Tensor([batch, shared, size, width], lambda *p: state[p])]
    attributes = {"scale": scale} if scale else {}
    inputs = [q, k, v, before, decay, beta, erase]
    while inputs[-1] is None:
        inputs.pop()
    write(name, "LinearAttention", inputs, outputs, update_rule=rule, q_num_heads=heads, kv_num_heads=shared, **attributes)


linear_attention("linear", "linear", batch=2)
linear_attention("linear_shared", "linear", heads=4, scale=0.25)
linear_attention("gated", "gated", past=True)
linear_attention("gated_heads", "gated", per_head=True, batch=2)
linear_attention("delta", "delta", past=True, heads=4)
linear_attention("delta_all", "delta", gate_of_all=True)
linear_attention("gated_delta", "gated_delta", batch=2, past=True)
linear_attention("gated_delta_erase", "gated_delta", erases=True)
linear_attention("one_token", "gated_delta", steps=1, past=True)
linear_attention("many_tokens", "gated_delta", steps=70, heads=1, shared=1, size=3, width=2)


def causal_conv(name, kernel=3, past=False, bias=False, activation="none"):
    x, w = rand([2, 3, 5], 1), rand([3, 1, kernel], 2)
    b, before = rand([3], 3) if bias else None, rand([2, 3, kernel - 1], 4) if past else None
    at = lambda n, c, i: x[n, c, i] if i >= 0 else before[n, c, i + kernel - 1] if before else 0.0
    conv = lambda n, c, i: sum(w[c, 0, k] * at(n, c, i + k - kernel + 1) for k in range(kernel)) + (b[c,] if b else 0)
    y = Tensor([2, 3, 5], lambda *p: swish(conv(*p)) if activation != "none" else conv(*p))
    outputs = [y] + ([Tensor([2, 3, kernel - 1], lambda n, c, i: at(n, c, i + 5 - kernel + 1))] if kernel > 1 else [])
    inputs = [x, w, b, before]
    while inputs[-1] is None:
        inputs.pop()
    write(name, "CausalConvWithState", inputs, outputs, activation=activation)


causal_conv("conv")
causal_conv("conv_past", past=True, bias=True, activation="silu")
causal_conv("conv_long", kernel=7, past=True, activation="swish")
causal_conv("conv_one", kernel=1, bias=True)
a, b = rand([2, 3, 4], 1, -3, 3), rand([2, 3, 4], 2)
write("swiglu", "SwiGLU", [a, b], [Tensor([2, 3, 4], lambda *p: swish(a[p], 1.5) * b[p])], alpha=1.5)
