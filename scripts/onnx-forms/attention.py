"""Attention as ONNX has it from opset 23 on, and as exporters write it with com.microsoft."""

from model import MICROSOFT, Tensor, form, model, node, rand, single

Q, K, V = rand("f32", [2, 4, 3, 8], 1), rand("f32", [2, 4, 5, 8], 2), rand("f32", [2, 4, 5, 6], 3)
QKV = {"q": Q, "k": K, "v": V}
MASK = rand("f32", [3, 5], 4)


def attention(name, inputs, arguments, outputs="y", opset=23, **attributes):
    single("attention_" + name, "Attention", inputs, arguments, outputs, opset=opset, **attributes)


attention("plain", "q k v", QKV)
attention("causal", "q k v", QKV, is_causal=1)
attention("groups", "q k v", {"q": Q, "k": rand("f32", [2, 2, 5, 8], 2), "v": rand("f32", [2, 2, 5, 6], 3)}, scale=0.3)
attention("bias", "q k v m", {**QKV, "m": MASK})
attention("mask", "q k v m", {**QKV, "m": Tensor("bool", [2, 1, 3, 5], [1, 0, 1, 1, 1] * 6)})
attention("softcap", "q k v", QKV, softcap=2.0)
attention("past", "q k v _ pk pv", {**QKV, "pk": rand("f32", [2, 4, 2, 8], 5), "pv": rand("f32", [2, 4, 2, 6], 6)},
          "y p1 p2", is_causal=1)
for mode in range(4):
    attention(f"mode{mode}", "q k v m", {**QKV, "m": MASK}, "y _ _ o", qk_matmul_output_mode=mode, softcap=2.0)
attention("flat", "q k v", {"q": rand("f32", [2, 3, 32], 1), "k": rand("f32", [2, 5, 32], 2),
                            "v": rand("f32", [2, 5, 24], 3)}, q_num_heads=4, kv_num_heads=4)
attention("flat_groups", "q k v", {"q": rand("f32", [2, 3, 32], 1), "k": rand("f32", [2, 5, 16], 2),
                                   "v": rand("f32", [2, 5, 16], 3)}, q_num_heads=4, kv_num_heads=2, is_causal=1)
attention("lengths", "q k v _ _ _ n", {**QKV, "n": Tensor("i64", [2], [3, 5])}, opset=24)

for interleaved in (0, 1):
    cache = {"c": rand("f32", [8, 4], 3), "s": rand("f32", [8, 4], 4)}
    positions = Tensor("i64", [2, 3], [0, 1, 2, 3, 4, 5])
    flat, heads = rand("f32", [2, 3, 16], 1), rand("f32", [2, 2, 3, 8], 1)
    single(f"rotary_flat{interleaved}", "RotaryEmbedding", "x p c s", {"x": flat, "p": positions}, "y", cache,
           MICROSOFT, interleaved=interleaved)
    single(f"rotary_offset{interleaved}", "RotaryEmbedding", "x p c s", {"x": heads, "p": Tensor("i64", [1], 2)}, "y",
           cache, MICROSOFT, interleaved=interleaved)
    single(f"rotary23_{interleaved}", "RotaryEmbedding", "x c s p", {"x": heads, "p": positions}, "y",
           {"c": rand("f32", [8, 2], 3), "s": rand("f32", [8, 2], 4)}, opset=23, interleaved=interleaved,
           rotary_embedding_dim=4)
    single(f"rotary23_flat{interleaved}", "RotaryEmbedding", "x c s",
           {"x": flat, "c": rand("f32", [2, 3, 4], 3), "s": rand("f32", [2, 3, 4], 4)}, "y", opset=23,
           interleaved=interleaved, num_heads=2)
single("rotary_part", "RotaryEmbedding", "x p c s",
       {"x": rand("f32", [2, 3, 16], 1), "p": Tensor("i64", [2, 3], [0, 1, 2, 3, 4, 5])}, "y",
       {"c": rand("f32", [8, 2], 3), "s": rand("f32", [8, 2], 4)}, MICROSOFT, num_heads=2, rotary_embedding_dim=4)

for mode, rows, first in (("linear", 2, [1, 5]), ("circular", 4, [1, 6])):
    single("scatter_" + mode, "TensorScatter", "p u w",
           {"p": rand("f32", [2, 3, 8, 4], 1), "u": rand("f32", [2, 3, rows, 4], 2), "w": Tensor("i64", [2], first)},
           "y", opset=24, mode=mode)


def fused(name, inputs, arguments, outputs="y", **attributes):
    weights = {"w": rand("f32", [8, 24], 2), "b": rand("f32", [24], 3)}
    single("fused_attention_" + name, "Attention", inputs, {"x": rand("f32", [2, 3, 8], 1), **arguments}, outputs,
           weights, MICROSOFT, num_heads=2, **attributes)


fused("plain", "x w b", {})
fused("past", "x w b _ p", {"p": rand("f32", [2, 2, 2, 4, 4], 5)}, "y z", unidirectional=1)
fused("mask", "x w b m", {"m": Tensor("i32", [2, 3], [1, 1, 0, 1, 1, 1])})
fused("lengths", "x w b m", {"m": Tensor("i32", [2], [2, 3])})


def heads(name, inputs, arguments, outputs="y", constants={}, **attributes):
    given = {"q": rand("f32", [2, 3, 16], 1), "k": rand("f32", [2, 5, 16], 2), "v": rand("f32", [2, 5, 24], 3)}
    single("heads_" + name, "MultiHeadAttention", inputs, {**given, **arguments}, outputs, constants, MICROSOFT,
           num_heads=2, **attributes)


heads("plain", "q k v", {})
heads("bias", "q k v b", {}, constants={"b": rand("f32", [56], 4)})
heads("mask", "q k v _ m", {"m": Tensor("i32", [2, 5], [1, 1, 1, 0, 0, 1, 1, 1, 1, 1])})
heads("added", "q k v _ _ r", {"r": rand("f32", [1, 2, 3, 5], 4)})
heads("past", "q k v _ _ _ pk pv",
      {"k": rand("f32", [2, 3, 16], 2), "v": rand("f32", [2, 3, 16], 3), "pk": rand("f32", [2, 2, 2, 8], 5),
       "pv": rand("f32", [2, 2, 2, 8], 6)}, "y a b", unidirectional=1)
heads("ready", "q k v", {"k": rand("f32", [2, 2, 5, 8], 2), "v": rand("f32", [2, 2, 5, 8], 3)})


def grouped(name, rows, past, total, batch=1, last=None, packed=False, rotates=True, **attributes):
    """4 heads of 16 numbers that share 2 of keys; `past` is what the buffer holds, `total` the keys after the step."""
    tensor = lambda width, seed: rand("f32", [batch, rows, width], seed)
    arguments = {"q": tensor(128, 1)} if packed else {"q": tensor(64, 1), "k": tensor(32, 2), "v": tensor(32, 3)}
    inputs = ["q", "", ""] if packed else ["q", "k", "v"]
    if past:
        arguments.update(pk=rand("f32", [batch, 2, past, 16], 4), pv=rand("f32", [batch, 2, past, 16], 5))
    inputs += ["pk", "pv"] if past else ["", ""]
    arguments["last"] = Tensor("i32", [batch], last or [total - 1] * batch)
    constants = {"total": Tensor("i32", [], total)}
    inputs += ["last", "total"]
    if rotates:
        constants.update(c=rand("f32", [16, 8], 6), s=rand("f32", [16, 8], 7))
        inputs += ["c", "s"]
    single("grouped_" + name, "GroupQueryAttention", inputs, arguments, "y a b", constants, MICROSOFT, num_heads=4,
           kv_num_heads=2, do_rotary=int(rotates), **attributes)


grouped("prompt", 5, 0, 5)
grouped("prompt_plain", 5, 0, 5, rotates=False)
grouped("step", 1, 4, 5)
grouped("step_packed", 1, 4, 5, packed=True)
grouped("step_batch", 1, 4, 5, batch=2, last=[3, 4])
grouped("buffer", 1, 8, 5)
grouped("window", 3, 4, 7, local_window_size=3)
grouped("softcap", 5, 0, 5, softcap=3.0, scale=0.4)


def embeddings():
    arguments = {"ids": rand("i32", [2, 5], 1, 0, 9), "seg": rand("i32", [2, 5], 2, 0, 1),
                 "mask": Tensor("i32", [2, 5], [1] * 8 + [0] * 2)}
    constants = {"we": rand("f32", [10, 8], 3), "pe": rand("f32", [6, 8], 4), "se": rand("f32", [2, 8], 5),
                 "g": rand("f32", [8], 6), "b": rand("f32", [8], 7)}
    nodes = [node("EmbedLayerNormalization", "ids seg we pe se g b mask", "y m", MICROSOFT, epsilon=1e-5)]
    return model(nodes, arguments, "y m:i32", constants)


form("embeddings", embeddings)
