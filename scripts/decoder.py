#!/usr/bin/env python3
"""Writes a small language model as exporters write them, for one number of new tokens.

usage: decoder.py <f16 | int8 | int4> <new tokens> <file.onnx>

Two layers of a decoder with made-up weights: 64 numbers, 4 heads of queries and 2 of keys, a vocabulary of 96, at most 32
positions. Operators are those of ONNX Runtime's model builder: SimplifiedLayerNormalization, GroupQueryAttention with its
rotary embedding and a cache of fixed size, SkipSimplifiedLayerNormalization. In int8 and int4, weights are those of
MatMulNBits, in blocks of 32, with zero points. The model takes `ids`, `past` (the number of tokens before them) and the
caches, and gives the token that it would continue with, and the caches. The weights do not depend on the number of new
tokens. Needs protoc and the onnx.proto of Debian's libonnx-dev.
"""

import argparse
import math
import pathlib
import random
import struct

from onnx_text import MICROSOFT, TYPES, Graph

WIDTH, HEADS, GROUPS, DEPTH, INNER, VOCABULARY, POSITIONS, BLOCK = 64, 4, 2, 16, 128, 96, 32, 32


class Decoder(Graph):
    def __init__(self, kind, tokens):
        super().__init__()
        self.kind, self.tokens = kind, tokens
        self.bits = {"int8": 8, "int4": 4}.get(kind)
        self.type = "f16" if kind == "f16" else "f32"
        self.random = random.Random(f"{kind} 1")

    def constant(self, type, dims, values):
        data = "".join(f"\\{byte:03o}" for byte in struct.pack(f"<{len(values)}{TYPES[type][1]}", *values))
        return self.initialize(type, dims, f'raw_data: "{data}"')

    def weights(self, dims, scale):
        return self.constant(self.type, dims, [self.random.gauss(0, scale) for _ in range(math.prod(dims))])

    def linear(self, x, rows, columns):
        """x times a matrix of rows x columns."""
        scale = rows ** -0.5
        if not self.bits:
            return self.add("MatMul", [x, self.weights([rows, columns], scale)])
        blocks = rows // BLOCK
        packed = self.constant("u8", [columns, blocks, BLOCK * self.bits // 8],
                               list(self.random.randbytes(columns * rows * self.bits // 8)))
        unit = scale / (1 << self.bits) * math.sqrt(12)
        scales = self.constant("f32", [columns * blocks],
                               [unit * self.random.uniform(0.8, 1.2) for _ in range(columns * blocks)])
        perByte = 8 // self.bits
        middle = 1 << (self.bits - 1)
        zeros = [self.random.randint(middle - 1, middle + 1) for _ in range(columns * blocks)]
        zero_bytes = [sum(zeros[i + j] << (j * self.bits) for j in range(perByte)) for i in range(0, len(zeros), perByte)]
        points = self.constant("u8", [len(zero_bytes)], zero_bytes)
        return self.add("MatMulNBits", [x, packed, scales, points], MICROSOFT, K=rows, N=columns, bits=self.bits,
                        block_size=BLOCK)

    def make(self):
        gain = lambda: self.constant(self.type, [WIDTH], [1 + 0.2 * self.random.uniform(-1, 1) for _ in range(WIDTH)])
        angles = [[position / 10000 ** (2 * i / DEPTH) for i in range(DEPTH // 2)] for position in range(POSITIONS)]
        cosines = self.constant(self.type, [POSITIONS, DEPTH // 2], [math.cos(a) for row in angles for a in row])
        sines = self.constant(self.type, [POSITIONS, DEPTH // 2], [math.sin(a) for row in angles for a in row])
        last = self.add("Add", ["past", self.constant("i32", [1], [self.tokens - 1])])
        total = self.constant("i32", [], [POSITIONS])
        hidden = self.add("Gather", [self.weights([VOCABULARY, WIDTH], 1.0), "ids"])
        x = self.add("SimplifiedLayerNormalization", [hidden, gain()], axis=-1, epsilon=1e-5, stash_type=1)
        outputs = []
        for layer in range(2):
            q = self.linear(x, WIDTH, HEADS * DEPTH)
            k, v = (self.linear(x, WIDTH, GROUPS * DEPTH) for _ in range(2))
            caches = [f"present{layer}.key", f"present{layer}.value"]
            context = f"context{layer}"
            self.add("GroupQueryAttention", [q, k, v, f"past{layer}.key", f"past{layer}.value", last, total, cosines, sines],
                     MICROSOFT, names=[context] + caches, num_heads=HEADS, kv_num_heads=GROUPS, do_rotary=1)
            outputs += caches
            projected = self.linear(context, HEADS * DEPTH, WIDTH)
            skip = [f"x{layer}", "", "", f"sum{layer}"]
            self.add("SkipSimplifiedLayerNormalization", [projected, hidden, gain()], MICROSOFT, names=skip, epsilon=1e-5)
            gate, up = (self.linear(skip[0], WIDTH, INNER) for _ in range(2))
            active = self.add("Mul", [self.add("Mul", [gate, self.add("Sigmoid", [gate])]), up])
            down = self.linear(active, INNER, WIDTH)
            after = [f"y{layer}", "", "", f"hidden{layer}"]
            self.add("SkipSimplifiedLayerNormalization", [down, skip[3], gain()], MICROSOFT, names=after, epsilon=1e-5)
            x, hidden = after[0], after[3]
        end = self.constant("i64", [1], [self.tokens])
        start = self.constant("i64", [1], [self.tokens - 1])
        axis = self.constant("i64", [1], [1])
        logits = self.linear(self.add("Slice", [x, start, end, axis]), WIDTH, VOCABULARY)
        logits = self.add("Cast", [logits], to=1)
        self.add("Identity", [logits], names=["logits"])
        self.add("ArgMax", [logits], names=["token"], axis=-1, keepdims=0)
        return outputs

    def write(self, path):
        caches = self.make()
        cache = [1, GROUPS, POSITIONS, DEPTH]
        inputs = [("ids", "i64", [1, self.tokens]), ("past", "i32", [1])]
        inputs += [(f"past{layer}.{name}", self.type, cache) for layer in range(2) for name in ("key", "value")]
        outputs = [("token", "i64", [1, 1]), ("logits", "f32", [1, 1, VOCABULARY])]
        outputs += [(name, self.type, cache) for name in caches]
        super().write(path, inputs, outputs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=("f16", "int8", "int4"))
    parser.add_argument("tokens", type=int)
    parser.add_argument("file", type=pathlib.Path)
    arguments = parser.parse_args()
    Decoder(arguments.kind, arguments.tokens).write(arguments.file)


if __name__ == "__main__":
    main()
