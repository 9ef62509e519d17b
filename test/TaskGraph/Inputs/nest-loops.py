"""Prints a model with N loops inside of each other."""

import sys

n = int(sys.argv[1])
print("func.func @main(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {")
print("%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index")
for i in range(n):
    value = f"%a{i - 1}" if i else "%x"
    print(
        f"%r{i} = scf.for %i{i} = %c0 to %n step %c1 iter_args(%a{i} = {value})"
        " -> tensor<4xf32> {"
    )
print(f"%q = math.exp %a{n - 1} : tensor<4xf32>\nscf.yield %q : tensor<4xf32>")
for i in range(n - 1, 0, -1):
    print(f"}}\nscf.yield %r{i} : tensor<4xf32>")
print("}\nreturn %r0 : tensor<4xf32>\n}")
