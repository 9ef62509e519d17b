"""Writes models of many sorts and top-k, each of an argument of its own, or of one with its positions."""

import os
import sys

folder = sys.argv[1]


class Model:
    def __init__(self):
        self.arguments, self.types, self.results, self.body = [], [], [], ""

    def get_tensor(self, shape, kind):
        return f"tensor<{'x'.join(map(str, shape))}x{kind}>"

    def get_region(self, kind, is_descending, further=""):
        compare = ("arith.cmpi s" if kind[0] == "i" else "arith.cmpf o") + ("gt" if is_descending else "lt")
        return f"{{\n  ^bb0(%a: {kind}, %b: {kind}{further}):\n    %q = {compare}, %a, %b : {kind}\n    iree_linalg_ext.yield %q : i1\n  }}"

    def add_argument(self, tensor):
        self.arguments.append(f"%x{len(self.arguments)}: {tensor}")
        return self.arguments[-1].split(":")[0]

    def add_results(self, value, types):
        self.results += [value] if len(types) == 1 else [f"{value}#{number}" for number in range(len(types))]
        self.types += types

    def add_sort(self, shape, dimension, kind, is_descending):
        tensor = self.get_tensor(shape, kind)
        x = self.add_argument(tensor)
        self.body += f"  {x}s = iree_linalg_ext.sort dimension({dimension}) outs({x} : {tensor}) {self.get_region(kind, is_descending)} -> {tensor}\n"
        self.add_results(x + "s", [tensor])

    def add_topk(self, shape, dimension, kind, is_descending, count):
        tensor = self.get_tensor(shape, kind)
        best = list(shape)
        best[dimension] = count
        values, places = self.get_tensor(best, kind), self.get_tensor(best, "i32")
        x = self.add_argument(tensor)
        self.body += f"  {x}v = tensor.empty() : {values}\n  {x}p = tensor.empty() : {places}\n"
        self.body += f"  {x}k:2 = iree_linalg_ext.topk dimension({dimension}) ins({x} : {tensor}) outs({x}v, {x}p : {values}, {places}) "
        self.body += f"{self.get_region(kind, is_descending)} -> {values}, {places}\n"
        self.add_results(x + "k", [values, places])

    def add_positions(self, shape, kind, is_descending):
        """Elements of rows together with their positions, as an argument."""
        tensor, places = self.get_tensor(shape, kind), self.get_tensor(shape, "i32")
        x, i = self.add_argument(tensor), self.add_argument(places)
        self.body += f"  {x}s:2 = iree_linalg_ext.sort dimension({len(shape) - 1}) outs({x}, {i} : {tensor}, {places}) "
        self.body += f"{self.get_region(kind, is_descending, ', %c: i32, %d: i32')} -> {tensor}, {places}\n"
        self.add_results(x + "s", [tensor, places])

    def write(self, name):
        with open(os.path.join(folder, name + ".mlir"), "w") as file:
            file.write(f"func.func @f({', '.join(self.arguments)}) -> ({', '.join(self.types)}) {{\n{self.body}"
                       f"  return {', '.join(self.results)} : {', '.join(self.types)}\n}}\n")


def write_all(name, kinds, lengths):
    model = Model()
    for kind in kinds:
        for number, length in enumerate(lengths):
            is_descending = (number + len(kind)) % 2 == 1
            # Along the last dimension, one outside, and the only one.
            shape, dimension = [([3, length], 1), ([2, length, 3], 1), ([length], 0)][number % 3]
            model.add_sort(shape, dimension, kind, is_descending)
            model.add_topk(shape, dimension, kind, not is_descending, (length + 3) // 4)
    model.write(name)


write_all("any", ["i8", "i16", "i32", "f16", "bf16", "f32"], [1, 2, 5, 100, 256])
write_all("long", ["i16", "f16", "f32"], [1000, 4096])
write_all("integers", ["i8", "i16", "i32"], [2, 57, 256])
huge = Model()
huge.add_sort([100000], 0, "f32", False)
huge.write("huge")
for order in ("up", "down"):
    rows = Model()
    rows.add_positions([2, 8], "f32", order == "down")
    rows.write(order)
