"""Prints a file that nests something as deep as it is told.

usage: nested.py <kind> <depth>
"""

import sys

KINDS = {
    "custom": ("module {\n", "", "}\n"),
    "generic": ('"builtin.module"() ({\n', "^bb0:\n", "}) : () -> ()\n"),
    "loops": ("scf.execute_region {\n", "", "scf.yield\n}\n"),
    "arrays": ("[", "", "]"),
    "dictionaries": ("{a = ", "1", "}"),
    "types": ("tuple<", "i32", ">"),
    "pointers": ("!util.ptr<", "i32", ">"),
    "locations": ("fused[", '"a"', "]"),
    "callsites": ('callsite("a" at ', '"b"', ")"),
    "expressions": ("(", "d0", ")"),
    "signs": ("-", "d0", ""),
}
AROUND = {
    "loops": ("func.func @f() {\n", "return\n}\n"),
    "arrays": ("module attributes {x.a = ", "} {}\n"),
    "dictionaries": ("module attributes {x.a = ", "} {}\n"),
    "types": ("func.func private @f(", ")\n"),
    "pointers": ("func.func private @f(", ")\n"),
    "locations": ("module {} loc(", ")\n"),
    "callsites": ("module {} loc(", ")\n"),
    "expressions": ("#map = affine_map<(d0) -> (", ")>\n"),
    "signs": ("#map = affine_map<(d0) -> (", ")>\n"),
}


def main():
    kind, depth = sys.argv[1], int(sys.argv[2])
    if kind == "aliases":
        for i in range(depth):
            print(f"#a{i} = [{f'#a{i - 1}' if i else ''}]")
        print(f"module attributes {{x.a = #a{depth - 1}}} {{}}")
        return
    begin, middle, end = KINDS[kind]
    before, after = AROUND.get(kind, ("", ""))
    print(before + begin * depth + middle + end * depth + after, end="")


if __name__ == "__main__":
    main()
