"""What exporters and optimizers make of normalizations, activations and products."""

from model import MICROSOFT, Tensor, form, model, node, rand, single

X, SKIP = rand("f32", [2, 4, 8], 1), rand("f32", [2, 4, 8], 2)
GAMMA, BETA, BIAS = rand("f32", [8], 3), rand("f32", [8], 4), rand("f32", [8], 5)

single("skip_normalization", "SkipLayerNormalization", "x s g b bias", {"x": X, "s": SKIP}, "y _ _ sum",
       {"g": GAMMA, "b": BETA, "bias": BIAS}, MICROSOFT, epsilon=1e-5)
single("skip_simplified", "SkipSimplifiedLayerNormalization", "x s g", {"x": X, "s": SKIP}, "y _ _ sum", {"g": GAMMA},
       MICROSOFT, epsilon=1e-5)
single("simplified", "SimplifiedLayerNormalization", "x g", {"x": X}, "y", {"g": GAMMA}, axis=-1, epsilon=1e-5)


def activations():
    nodes = [node("FastGelu", "x b", "y", MICROSOFT), node("BiasGelu", "y b", "z", MICROSOFT),
             node("QuickGelu", "z", "w", MICROSOFT, alpha=1.702), node("Gelu", "w", "v", MICROSOFT)]
    return model(nodes, {"x": rand("f32", [2, 4, 8], 1, -3, 3)}, "y z w v", {"b": BETA})


form("activations", activations)
single("swish", "Swish", "x", {"x": X}, "y", opset=24, alpha=1.5)
single("matmul_transposed", "FusedMatMul", "a b", {"a": rand("f32", [2, 3, 5, 4], 1), "b": rand("f32", [2, 3, 6, 5], 2)},
       "y", domain=MICROSOFT, alpha=0.5, transA=1, transB=1)
single("matmul_batch", "FusedMatMul", "a b", {"a": rand("f32", [5, 2, 3, 4], 1), "b": rand("f32", [2, 3, 4, 6], 2)}, "y",
       domain=MICROSOFT, transBatchA=1)


def few_bits(name, k, bits, block, zero_points=None, bias=False):
    """Weights of 8 columns in blocks; `zero_points` is the type of theirs."""
    blocks = -(-k // block)
    constants = {"b": rand("u8", [8, blocks, block * bits // 8], 2, 0, 255),
                 "s": rand("f32", [8 * blocks], 3, 0.01, 0.1)}
    if zero_points == "u8":
        constants["z"] = rand("u8", [8 * -(-blocks * bits // 8)], 4, 0, 255)
    elif zero_points:
        constants["z"] = rand("f32", [8 * blocks], 4, 0, 15)
    if bias:
        constants["bias"] = rand("f32", [8], 5)
    inputs = ["a", "b", "s", "z" if zero_points else "", "", "bias" if bias else ""]
    while not inputs[-1]:
        inputs.pop()
    single("few_bits_" + name, "MatMulNBits", inputs, {"a": rand("f32", [2, 3, k], 1)}, "y", constants, MICROSOFT,
           K=k, N=8, bits=bits, block_size=block, accuracy_level=1)


few_bits("4", 32, 4, 16)
few_bits("4_zeros", 64, 4, 32, "u8")
few_bits("4_float_zeros", 64, 4, 16, "f32")
few_bits("4_rest", 40, 4, 16, "u8", bias=True)
few_bits("8", 32, 8, 16, "u8")

single("dynamic_matmul", "DynamicQuantizeMatMul", "a b bs bz bias", {"a": rand("f32", [2, 3, 16], 1)}, "y",
       {"b": rand("u8", [16, 8], 2, 0, 255), "bs": rand("f32", [8], 3, 0.01, 0.02), "bz": rand("u8", [8], 5, 100, 150),
        "bias": BETA}, MICROSOFT)
single("integer_matmul", "MatMulIntegerToFloat", "a b as bs az bz bias", {"a": rand("u8", [2, 3, 16], 1, 0, 255)}, "y",
       {"b": rand("i8", [16, 8], 2, -128, 127), "as": Tensor("f32", [], 0.02), "az": Tensor("u8", [], 120),
        "bz": Tensor("i8", [], 3), "bs": Tensor("f32", [], 0.03), "bias": BETA}, MICROSOFT)

EMBEDDINGS = {"words": rand("f32", [20, 8], 3), "places": rand("f32", [6, 8], 4), "g": GAMMA, "b": BETA,
              "segments": rand("f32", [2, 8], 6)}
WORDS = Tensor("i32", [2, 4], [3, 1, 19, 0, 7, 7, 2, 11])
for name, inputs, arguments in (
        ("embed_plain", "i _ words places _ g b", {"i": WORDS}),
        ("embed_mask", "i _ words places _ g b mask", {"i": WORDS, "mask": Tensor("i32", [2, 4], [1, 1, 1, 0, 1, 1, 0, 0])}),
        ("embed_segments", "i t words places segments g b", {"i": WORDS, "t": Tensor("i32", [2, 4], [0, 0, 1, 1, 0, 1, 1, 1])})):
    constants = {key: EMBEDDINGS[key] for key in inputs.split() if key in EMBEDDINGS}
    single(name, "EmbedLayerNormalization", inputs, arguments, "y m:i32", constants, MICROSOFT, epsilon=1e-5)

for name, type, dims, attributes in (
        ("flat", "f32", [4, 5], {}), ("order", "i64", [12], {"sorted": 0}), ("rows", "i64", [6, 2], {"axis": 0}),
        ("columns", "f32", [2, 7, 2], {"axis": 1}), ("rows_order", "i8", [7, 2], {"axis": 0, "sorted": 0}), ("back", "f32", [3, 8], {"axis": -1})):
    # Whole numbers, so that there are equal ones.
    values = [int(value) for value in rand("i32", dims, 8, -1, 1).values]
    single("unique_" + name, "Unique", "x", {"x": Tensor(type, dims, values)}, "y:" + type + " i:i64 j:i64 n:i64", opset=11, **attributes)

for name, attributes in (("plain", {}), ("exclusive", {"exclusive": 1}), ("reverse", {"reverse": 1, "exclusive": 1})):
    single("products_" + name, "CumProd", "x a", {"x": rand("f32", [3, 6], 1, 0.5, 2)}, "y", {"a": Tensor("i64", [], 1)},
           opset=26, **attributes)
single("bits", "BitCast", "x", {"x": rand("f32", [3, 6], 1)}, "y:i32", opset=26, to=6)
