"""Writes tests of ONNX's Attention, as `npu-run --test-data-dir` reads them, with results computed as the specification
says, errata of ONNX 1.23 included.

usage: attention-cases.py <directory>
"""

import itertools
import math
import pathlib
import random
import struct
import subprocess
import sys

NAN, INF = math.nan, math.inf
# By name: the number of the data type in ONNX, and the letter that `struct` has for it.
TYPES = {"f32": (1, "f"), "i64": (7, "q"), "bool": (9, "?"), "f16": (10, "e")}
SLOTS = ("q", "k", "v", "mask", "past_k", "past_v", "lengths")
directory = pathlib.Path(sys.argv[1])


class Tensor:
    """`values` is a list, one number for all elements, or a function of the coordinates."""

    def __init__(self, type, dims, values):
        self.type, self.dims = type, list(dims)
        places = itertools.product(*map(range, dims))
        if callable(values):
            values = [values(*place) for place in places]
        elif not isinstance(values, list):
            values = [values] * math.prod(dims)
        assert len(values) == math.prod(dims), (dims, len(values))
        self.data = struct.pack(f"<{len(values)}{TYPES[type][1]}", *values)
        self.values = struct.unpack(f"<{len(values)}{TYPES[type][1]}", self.data)

    def at(self, *place):
        """An element; along dimensions of one element, that one. Dimensions that the tensor has not are the first ones."""
        number = 0
        for size, coordinate in zip(self.dims, place[len(place) - len(self.dims):]):
            number = number * size + (0 if size == 1 else coordinate)
        return self.values[number]

    def proto(self, name):
        def field(number, contents):
            return varint(number << 3 | 2) + varint(len(contents)) + contents

        dims = b"".join(varint(1 << 3) + varint(size) for size in self.dims)
        return dims + varint(2 << 3) + varint(TYPES[self.type][0]) + field(8, name.encode()) + field(9, self.data)


def varint(number):
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def rand(dims, seed, type="f32", low=-1, high=1):
    generator = random.Random(seed)
    return Tensor(type, dims, lambda *place: generator.uniform(low, high))


def split(tensor, heads):
    """Batch x rows x (heads * size) as batch x heads x rows x size."""
    if len(tensor.dims) == 4:
        return tensor
    batch, rows, width = tensor.dims
    return Tensor(tensor.type, [batch, heads, rows, width // heads],
                  lambda b, h, i, d: tensor.at(b, i, h * (width // heads) + d))


def append(past, new):
    if past is None:
        return new
    (batch, heads, rows, size), length = new.dims, past.dims[2]
    return Tensor(new.type, [batch, heads, length + rows, size],
                  lambda b, h, i, d: past.at(b, h, i, d) if i < length else new.at(b, h, i - length, d))


def attend(given, outputs, opset, is_causal=0, q_num_heads=0, kv_num_heads=0, scale=None, softcap=0.0,
           qk_matmul_output_mode=0, softmax_precision=0, local_window_size=-1, left_window_size=-1):
    q = split(given["q"], q_num_heads)
    k = append(given.get("past_k"), split(given["k"], kv_num_heads))
    v = append(given.get("past_v"), split(given["v"], kv_num_heads))
    mask, lengths = given.get("mask"), given.get("lengths")
    batch, heads, rows, size = q.dims
    keys, group = k.dims[2], heads // k.dims[1]
    scale = 1 / math.sqrt(size) if scale is None else scale
    past = given["past_k"].dims[2] if "past_k" in given else 0
    if mask is not None and lengths is not None and not past and len(mask.dims) == 3:
        mask = Tensor(mask.type, [mask.dims[0], 1, *mask.dims[1:]], list(mask.values))

    def get_bias(b, h, i, j):
        bias = 0.0
        first = lengths.at(b) - rows if lengths is not None and not past else past
        if (is_causal or local_window_size > 0) and j > i + first:
            return -INF
        # One counts the row's own key, the other those in front of it.
        window = left_window_size + 1 if left_window_size >= 0 else local_window_size
        if window > 0 and i + first - j >= window:
            return -INF
        if lengths is not None and j >= lengths.at(b):
            return -INF
        if mask is not None:
            width = mask.dims[-1]
            if j >= width and (opset >= 24 or width > 1):
                return -INF
            bias = mask.at(b, h, i, j)
            if mask.type == "bool":
                bias = 0.0 if bias else -INF
        return bias

    y, shown = {}, {}
    for b, h, i in itertools.product(range(batch), range(heads), range(rows)):
        products, seen = [], {}
        for j in range(keys):
            score = sum(q.at(b, h, i, d) * k.at(b, h // group, j, d) for d in range(size)) * scale
            capped = softcap * math.tanh(score / softcap) if softcap > 0 else score
            bias = get_bias(b, h, i, j)
            if bias != -INF:
                seen[j] = capped + bias
            products.append((score, capped, seen.get(j, -INF)))
        most = max(seen.values(), default=0)
        shares = {j: math.exp(score - most) for j, score in seen.items()}
        total = sum(shares.values())
        for j in range(keys):
            shown[b, h, i, j] = (*products[j], shares.get(j, 0) / total if seen else 0.0)[qk_matmul_output_mode]
        for d in range(v.dims[3]):
            y[b, h, i, d] = sum(share * v.at(b, h // group, j, d) for j, share in shares.items()) / (total or 1)
    type, width = q.type, v.dims[3]
    if len(given["q"].dims) == 4:
        result = Tensor(type, [batch, heads, rows, width], lambda *place: y[place])
    else:
        result = Tensor(type, [batch, rows, heads * width], lambda b, i, n: y[b, n // width, i, n % width])
    results = [result, k, v, Tensor(type, [batch, heads, rows, keys], lambda *place: shown[place])]
    return [results[number] for number in outputs]


def write(name, outputs=(0,), opset=24, **given):
    """`given` are tensors by the names in SLOTS, and attributes."""
    tensors = {slot: given.pop(slot) for slot in SLOTS if slot in given}
    results = attend(tensors, outputs, opset, **given)

    def declare(kind, name, tensor):
        shape = " ".join(f"dim {{ dim_value: {size} }}" for size in tensor.dims)
        number = TYPES[tensor.type][0]
        return f'{kind} {{ name: "{name}" type {{ tensor_type {{ elem_type: {number} shape {{ {shape} }} }} }} }}'

    def attribute(name, value):
        return f'attribute {{ name: "{name}" ' + (f"type: FLOAT f: {value}" if isinstance(value, float) else f"type: INT i: {value}") + " }"

    last = max(SLOTS.index(slot) for slot in tensors)
    text = [f'ir_version: 10 opset_import {{ domain: "" version: {opset} }} graph {{ name: "g" node {{ op_type: "Attention"']
    text += [f'input: "{slot if slot in tensors else ""}"' for slot in SLOTS[:last + 1]]
    text += [f'output: "{f"o{number}" if number in outputs else ""}"' for number in range(max(outputs) + 1)]
    text += [attribute(key, value) for key, value in given.items()] + ["}"]
    text += [declare("input", slot, tensor) for slot, tensor in tensors.items()]
    text += [declare("output", f"o{number}", tensor) for number, tensor in zip(outputs, results)] + ["}"]
    data = directory / name / "test_data_set_0"
    data.mkdir(parents=True)
    command = ["protoc", "--proto_path=/usr/include/onnx", "--encode=onnx.ModelProto", "/usr/include/onnx/onnx.proto"]
    model = subprocess.run(command, input="\n".join(text).encode(), stdout=subprocess.PIPE, check=True).stdout
    (directory / name / "model.onnx").write_bytes(model)
    for number, (slot, tensor) in enumerate(tensors.items()):
        (data / f"input_{number}.pb").write_bytes(tensor.proto(slot))
    for number, tensor in enumerate(results):
        (data / f"output_{number}.pb").write_bytes(tensor.proto(f"o{outputs[number]}"))


def make(batch, heads, key_heads, rows, keys, size, width=None, type="f32"):
    return {"q": rand([batch, heads, rows, size], 1, type), "k": rand([batch, key_heads, keys, size], 2, type),
            "v": rand([batch, key_heads, keys, width or size], 3, type)}


def spoil(tensor, lengths, value):
    """What is behind the keys of each batch is `value`."""
    return Tensor(tensor.type, tensor.dims, lambda b, h, i, d: tensor.at(b, h, i, d) if i < lengths[b] else value)


def ints(*values):
    return Tensor("i64", [len(values)], list(values))


def bools(dims, *values):
    return Tensor("bool", dims, list(map(bool, values)))


# Rows that a mask hides as a whole, from one operator set to the other.
small = make(1, 2, 2, 2, 2, 8)
for opset in (23, 24):
    write(f"hidden_row_{opset}", opset=opset, mask=bools([2, 2], 0, 0, 1, 1), **small)
    write(f"hidden_row_mode3_{opset}", (0, 3), opset, mask=bools([2, 2], 0, 0, 1, 1), qk_matmul_output_mode=3, **small)
    write(f"one_column_{opset}", opset=opset, mask=Tensor("f32", [2, 1], [0.0, 1.0]), **make(1, 1, 1, 2, 4, 8))
write("hidden_all", mask=bools([1, 1, 1, 2], 0, 0), **small)
write("hidden_causal", mask=bools([2, 2], 1, 0, 0, 0), is_causal=1, **small)
write("hidden_float", mask=Tensor("f32", [2, 2], [-INF, -INF, -INF, 0.5]), **small)
write("hidden_float_causal", mask=Tensor("f32", [2, 2], [-INF, 0.0, 0.25, -INF]), is_causal=1, **small)
write("low_float", mask=Tensor("f32", [2, 2], -1e30), **small)
for mode in range(4):
    write(f"mode{mode}", (0, 3), mask=bools([2, 1, 3, 5], *[0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1] * 2), softcap=1.5,
          qk_matmul_output_mode=mode, **make(2, 4, 2, 3, 5, 8, 6))
    write(f"causal_mode{mode}", (0, 3), is_causal=1, qk_matmul_output_mode=mode, **make(1, 2, 2, 3, 5, 8))
half = {"q": Tensor("f16", [1, 2, 2, 8], 0.0), "k": rand([1, 2, 4, 8], 2, "f16"),
        "v": Tensor("f16", [1, 2, 4, 8], lambda b, h, i, d: i + d / 8)}
for precision in (1, 10, 11, 16):
    write(f"precision{precision}_f16", (0, 3), mask=bools([2, 4], 0, 0, 0, 0, 1, 0, 1, 0), softmax_precision=precision,
          qk_matmul_output_mode=3, **half)
write("precision11", softmax_precision=11, **small)
# Products of f16 are scaled before they overflow.
write("large_f16", q=Tensor("f16", [1, 1, 2, 128], 40.0), k=Tensor("f16", [1, 1, 4, 128], 40.0),
      v=Tensor("f16", [1, 1, 4, 8], lambda b, h, i, d: i + d / 8))
write("other_values", **make(1, 2, 2, 2, 4, 8) | {"v": half["v"]})
write("scale", scale=0.3, mask=bools([2, 2], 1, 0, 0, 0), **small)
write("scale0", scale=0.0, **small)
write("softcap_poison", mask=Tensor("f32", [4, 6], [0.0, 0.0, 0.0, 0.0, -INF, -INF] * 4), softcap=0.5,
      **make(1, 1, 1, 4, 6, 8) | {"v": spoil(rand([1, 1, 6, 8], 3), [4], 1e3)})

# Masks of all shapes, with and without heads that share keys, for one batch and for several.
for batch, key_heads, rows in itertools.product((1, 2), (2, 4), (1, 3)):
    given = make(batch, 4, key_heads, rows, 5, 8, 6)
    for number, dims in enumerate(([5], [rows, 5], [1, 5], [4, rows, 5], [4, 1, 5], [1, rows, 5], [batch, 1, 1, 5], [batch, 1, rows, 5],
                                   [1, 4, rows, 5], [batch, 4, rows, 5], [batch, 4, 1, 5])):
        write(f"shapes/{batch}_{key_heads}_{rows}_{number}", mask=rand(dims, 9), is_causal=number % 2, **given)
    write(f"shapes/{batch}_{key_heads}_{rows}_lengths", lengths=ints(*range(4, 4 + batch)), is_causal=1, **given)

# Keys in a buffer, the first of which count.
write("decode", lengths=ints(8, 5), is_causal=1, **make(2, 4, 2, 1, 8, 8))
write("decode_f16", lengths=ints(4, 2), is_causal=1,
      **{key: Tensor("f16", [2, *value.dims[1:]], lambda b, h, i, d, value=value: value.at(0, h, i, d)) for key, value in half.items()})
write("prefill", lengths=ints(4, 5, 6), is_causal=1, **make(3, 2, 2, 2, 6, 8))
write("prefill_short", lengths=ints(2), is_causal=1, **make(1, 2, 2, 4, 4, 8))
write("lengths_zero", lengths=ints(0, 3), **make(2, 4, 2, 3, 5, 8, 6))
write("lengths_flat", lengths=ints(3, 5), is_causal=1, q_num_heads=4, kv_num_heads=2, q=rand([2, 3, 32], 1),
      k=rand([2, 5, 16], 2), v=rand([2, 5, 12], 3))
write("composed", lengths=ints(4, 5), is_causal=1, mask=rand([2, 1, 3, 6], 5), **make(2, 2, 2, 3, 6, 8))
write("composed_bools", lengths=ints(4, 5), is_causal=1, **make(2, 2, 2, 3, 6, 8),
      mask=bools([2, 1, 3, 6], *[1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0], *[1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 1, 0]))
write("mask_of_batches", lengths=ints(4, 6), mask=rand([2, 3, 6], 5), **make(2, 3, 3, 3, 6, 8))
write("mask_of_heads", mask=rand([3, 4, 6], 5), **make(2, 3, 3, 4, 6, 8))
write("mask_short", lengths=ints(3, 4), mask=rand([2, 3, 4, 4], 5), **make(2, 3, 3, 4, 6, 8, 10))
write("mask_short_bools", mask=bools([2, 3], 1, 0, 1, 0, 0, 0), **make(1, 2, 2, 2, 5, 8))
for value, word in ((NAN, "nan"), (INF, "inf"), (1e30, "large")):
    for is_causal in (0, 1):
        given = make(2, 4, 2, 2, 6, 8)
        given |= {key: spoil(given[key], [4, 2], value) for key in ("k", "v")}
        write(f"behind_{word}{is_causal}", lengths=ints(4, 2), is_causal=is_causal, **given)
given = make(1, 2, 2, 2, 5, 8)
write("hidden_keys_nan", mask=bools([1, 1, 1, 5], 1, 1, 1, 0, 0), **given | {"k": spoil(given["k"], [3], NAN)})

# Keys of earlier steps.
past = {"past_k": rand([2, 2, 3, 8], 5), "past_v": rand([2, 2, 3, 6], 6)}
write("past", (0, 1, 2), is_causal=1, **make(2, 4, 2, 4, 4, 8, 6), **past)
write("past_hidden", (0, 1, 2, 3), is_causal=1, qk_matmul_output_mode=2, **make(2, 4, 2, 2, 2, 8, 6), **past,
      mask=bools([2, 5], 0, 0, 0, 0, 1, 1, 0, 0, 1, 0))

# Windows.
windowed = make(2, 3, 3, 4, 6, 8)
for is_causal in (0, 1):
    write(f"window{is_causal}", opset=25, local_window_size=3, is_causal=is_causal, **windowed)
    write(f"window_left{is_causal}", opset=25, left_window_size=1, is_causal=is_causal, **windowed)
write("window_left_own", opset=25, left_window_size=0, is_causal=1, **windowed)
write("window_left_past", (0, 1, 2), 25, left_window_size=2, is_causal=1, **make(2, 4, 2, 4, 2, 8, 6), **past)
write("window_none", opset=25, local_window_size=-1, **windowed)
write("window_past", (0, 1, 2), 25, local_window_size=3, **make(2, 4, 2, 4, 2, 8, 6), **past)
write("window_lengths", opset=25, local_window_size=2, lengths=ints(6, 2), mask=rand([2, 4, 6], 5), **windowed)
write("window_hidden", opset=25, local_window_size=2, **make(1, 2, 2, 6, 3, 8))

# One kernel, which goes through the keys block by block: a row sees none, one only some in the last block.
write("long", mask=Tensor("bool", [4, 4096], lambda i, j: (True, False, j >= 4090, j % 7 == 0)[i]),
      q=Tensor("f32", [1, 1, 4, 4], 0.0), k=rand([1, 1, 4096, 4], 2), v=Tensor("f32", [1, 1, 4096, 4], lambda b, h, j, d: j % 64 + d))
print(len(list(directory.rglob("model.onnx"))), "tests")
