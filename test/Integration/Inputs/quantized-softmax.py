"""Writes softmax over rows of quantized numbers in TOSA, in the sequence of ops by which TensorFlow Lite's softmax is legalized.

usage: quantized-softmax.py <rows> <columns> <file>

Of i8: exponentials of 32 bits from two tables, and a quotient by Newton's method. Of i16: a table of exponentials and one of reciprocals.
"""

import math
import sys

rows, columns = int(sys.argv[1]), int(sys.argv[2])
WHOLE, ROW, ONE = f"{rows}x{columns}", f"{rows}x1", "1x1"
lines = []


def constant(shape, element, values):
    name = f"%c{len(lines)}"
    lines.append(f'  {name} = "tosa.const"() <{{values = dense<{values}> : tensor<{shape}x{element}>}}> : () -> tensor<{shape}x{element}>')
    return name


def add(text, operands, result):
    name = f"%v{len(lines)}"
    lines.append(f"  {name} = {text} : ({', '.join(f'tensor<{operand}>' for operand in operands)}) -> tensor<{result}>")
    return name


def binary(op, a, a_shape, b, b_shape, shape, attributes=""):
    return add(f"tosa.{op} {a}, {b}{attributes}", [a_shape + "xi32", b_shape + "xi32"], shape + "xi32")


def shift_right(a, a_shape, b, b_shape):
    return binary("arithmetic_right_shift", a, a_shape, b, b_shape, a_shape, " {round = true}")


def number(value):
    return constant(ONE, "i32", value)


def multiply(a, a_shape, b, b_shape, shape, shift):
    amount = constant("1", "i8", shift)
    return add(f"tosa.mul {a}, {b}, {amount}", [a_shape + "xi32", b_shape + "xi32", "1xi8"], shape + "xi32")


def rescale(value, shape, source, target, shift, source_zero=0, target_zero=0):
    """By 2^(30 - shift)."""
    operands = [value, constant("1", "i32", 1 << 30), constant("1", "i8", shift), constant("1", source, source_zero),
                constant("1", target, target_zero)]
    attributes = ("rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, "
                  "output_unsigned = false")
    return add(f"tosa.rescale {', '.join(operands)} {{{attributes}}}",
               [f"{shape}x{source}", "1xi32", "1xi8", f"1x{source}", f"1x{target}"], f"{shape}x{target}")


def reduce(kind, value):
    return add(f"tosa.reduce_{kind} {value} {{axis = 1 : i32}}", [WHOLE + "xi32"], ROW + "xi32")


def look_up(value, shape, table):
    return add(f"tosa.table {value}, {table}", [shape + "xi16", "513xi16"], shape + "xi32")


def begin(element, zero):
    lines.append(f"func.func @softmax_{element}(%x: tensor<{WHOLE}x{element}>) -> tensor<{WHOLE}x{element}> {{")
    wide = rescale("%x", WHOLE, element, "i32", 30, zero)
    return binary("sub", wide, WHOLE, reduce("max", wide), ROW, WHOLE)


def end(result, element):
    lines.append(f"  return {result} : tensor<{WHOLE}x{element}>\n}}")


def write_i8():
    difference = rescale(begin("i8", -5), WHOLE, "i32", "i16", 23)
    exponentials = [min(round(math.exp(0.1 * min(i - 256, 0)) * 2**31), 2**31 - 1) for i in range(513)]
    upper = look_up(difference, WHOLE, constant("513", "i16", [value >> 16 for value in exponentials]))
    lower = look_up(difference, WHOLE, constant("513", "i16", [value % 2**16 - 2**15 for value in exponentials]))
    upper = binary("logical_left_shift", upper, WHOLE, number(9), ONE, WHOLE)
    lower = binary("add", shift_right(lower, WHOLE, number(7), ONE), WHOLE, number(2**15), ONE, WHOLE)
    exponential = binary("add", upper, WHOLE, lower, WHOLE, WHOLE)
    total = reduce("sum", shift_right(exponential, WHOLE, number(12), ONE))
    zeros = add(f"tosa.clz {total}", [ROW + "xi32"], ROW + "xi32")
    headroom = binary("sub", zeros, ROW, number(1), ONE, ROW)
    denominator = binary("logical_left_shift", total, ROW, headroom, ROW, ROW)
    quotient = binary("add", multiply(denominator, ROW, number(-1010580540), ONE, ROW, 31), ROW, number(1515870810), ONE, ROW)
    for _ in range(3):
        product = multiply(quotient, ROW, denominator, ROW, ROW, 31)
        rest = binary("sub", number(2**29), ONE, product, ROW, ROW)
        step = multiply(multiply(quotient, ROW, rest, ROW, ROW, 31), ROW, number(4), ONE, ROW, 0)
        quotient = binary("add", quotient, ROW, step, ROW, ROW)
    result = multiply(exponential, WHOLE, quotient, ROW, WHOLE, 30)
    amount = binary("sub", number(35), ONE, zeros, ROW, ROW)
    end(rescale(shift_right(result, WHOLE, amount, ROW), WHOLE, "i32", "i8", 30, 0, -128), "i8")


def write_i16():
    def table(function):
        return constant("513", "i16", [min(round(2**15 * function(i / 512)), 2**15 - 1) for i in range(513)])

    difference = binary("add", rescale(begin("i16", 0), WHOLE, "i32", "i32", 31), WHOLE, number(32767), ONE, WHOLE)
    exponential = look_up(rescale(difference, WHOLE, "i32", "i16", 30), WHOLE, table(lambda x: math.exp(10 * x - 10)))
    exponential = shift_right(exponential, WHOLE, number(7), ONE)
    total = reduce("sum", exponential)
    zeros = add(f"tosa.clz {total}", [ROW + "xi32"], ROW + "xi32")
    headroom = binary("sub", zeros, ROW, number(1), ONE, ROW)
    fraction = binary("sub", binary("logical_left_shift", total, ROW, headroom, ROW, ROW), ROW, number(2**30), ONE, ROW)
    position = binary("sub", shift_right(fraction, ROW, number(14), ONE), ROW, number(2**15), ONE, ROW)
    reciprocal = look_up(rescale(position, ROW, "i32", "i16", 30), ROW, table(lambda x: 1 / (1 + x)))
    reciprocal = shift_right(reciprocal, ROW, number(7), ONE)
    result = multiply(reciprocal, ROW, exponential, WHOLE, WHOLE, 0)
    amount = binary("sub", number(31), ONE, zeros, ROW, ROW)
    end(rescale(shift_right(result, WHOLE, amount, ROW), WHOLE, "i32", "i16", 30), "i16")


write_i8()
write_i16()
with open(sys.argv[3], "w") as file:
    file.write("\n".join(lines) + "\n")
