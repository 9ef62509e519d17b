//===- ISAEnums.td - engines and enumerations -----------------------------===//
//
// No group, no instruction: the npu dialect includes this file for its engines and for the kinds of
// its element-wise ops.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TARGET_ISA_ISAENUMS_TD
#define NPU_TARGET_ISA_ISAENUMS_TD

include "NPU/Target/ISA/ISABase.td"

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

def MaxLoopDepth : Limit<"maxLoopDepth", 6, "loops nest this deep; counters are i0, the outermost, and so on">;
def MaxRegionBytes : Limit<"maxRegionBytes", 0x10000000000, "bytes of a region at most">;
def BufferAlignment
    : Limit<"bufferAlignment", 64, "bytes: compilers place on-chip buffers and ring slots at multiples of this">;

//===----------------------------------------------------------------------===//
// Engines and enumerations
//===----------------------------------------------------------------------===//

def Dmai : Engine<"dmai", 0, "moves data from DRAM to SRAM">;
def Dmao : Engine<"dmao", 1, "moves data from SRAM or ACC to DRAM">;
def Mxu : Engine<"mxu", 2, "systolic array: matrix products and convolutions into ACC">;
def Vpu : Engine<"vpu", 3, "vector lanes: element-wise operations, reductions, requantization">;
def Ctl : Engine<"ctl", 4, "waits and signals only">;

def EngineKind : Enumeration<"engines of a cluster"> {
  let cases = [Dmai, Dmao, Mxu, Vpu, Ctl];
}

def TypeI8 : Element<"i8", 0, 1, false, "signed">;
def TypeI16 : Element<"i16", 1, 2, false, "signed">;
def TypeI32 : Element<"i32", 2, 4, false, "signed">;
def TypeF16 : Element<"f16", 3, 2, true, "IEEE binary16">;
def TypeBf16 : Element<"bf16", 4, 2, true, "upper half of binary32">;
def TypeF32 : Element<"f32", 5, 4, true, "IEEE binary32">;

def ElementType : Enumeration<"element types in memory"> {
  let cases = [TypeI8, TypeI16, TypeI32, TypeF16, TypeBf16, TypeF32];
}

def MemorySpace : Enumeration<"on-chip memories"> {
  let cases = [Case<"sram", 0, "the cluster's SRAM">, Case<"acc", 1, "the cluster's accumulators">];
}

def MacType : Enumeration<"operand types of the systolic array"> {
  let cases = [
    Product<"i8", 0, TypeI8, TypeI8, TypeI32>, Product<"i16i8", 1, TypeI16, TypeI8, TypeI32>,
    Product<"f16", 2, TypeF16, TypeF16, TypeF32>, Product<"bf16", 3, TypeBf16, TypeBf16, TypeF32>,
    Product<"f32", 4, TypeF32, TypeF32, TypeF32>
  ];
}

def AccumulateMode : Enumeration<"what happens to the destination's old value"> {
  let cases = [
    Case<"never", 0, "overwritten">, Case<"always", 1, "added to">,
    Case<"unless", 2, "overwritten when all named counters are 0, added to otherwise">
  ];
}

class IntegerCase<string mnemonic, int number, string description, int passes = 1>
    : Case<mnemonic, number, description, passes> {
  let domain = Integers;
}
class FloatCase<string mnemonic, int number, string description, int passes = 1>
    : Case<mnemonic, number, description, passes> {
  let domain = Floats;
}
class Comparison<string mnemonic, int number, string description>
    : Case<mnemonic, number, description> {
  let identifier = "Cmp" # UpperCamel<!substr(mnemonic, 3)>.result;
  let isComparison = true;
}

def UnaryKind : Functions<"vector operations on one operand"> {
  let cases = [
    Case<"copy", 0, "x">, Case<"neg", 1, "-x">, Case<"abs", 2, "|x|">,
    IntegerCase<"not", 3, "bitwise complement">,
    FloatCase<"floor", 4, "round down">, FloatCase<"ceil", 5, "round up">,
    FloatCase<"roundeven", 6, "round to nearest, ties to even">,
    FloatCase<"exp", 7, "natural exponential", 8>, FloatCase<"log", 8, "natural logarithm", 8>,
    FloatCase<"tanh", 9, "hyperbolic tangent", 12>,
    FloatCase<"sigmoid", 10, "1 / (1 + exp(-x))", 14>,
    FloatCase<"erf", 11, "error function", 12>, FloatCase<"sqrt", 12, "square root", 4>,
    FloatCase<"rsqrt", 13, "1 / sqrt(x)", 8>, FloatCase<"reciprocal", 14, "1 / x", 4>,
    FloatCase<"exp2", 15, "2 to the power of x", 8>, FloatCase<"sin", 16, "sine", 14>,
    FloatCase<"cos", 17, "cosine", 14>
  ];
}

def BinaryKind : Functions<"vector operations on two operands"> {
  let cases = [
    Case<"add", 0, "a + b">, Case<"sub", 1, "a - b">, Case<"mul", 2, "a * b">,
    Case<"div", 3, "a / b; integers round toward zero, division by zero gives 0", 4>,
    Case<"min", 4, "smaller; a NaN operand gives NaN, -0 < +0">,
    Case<"max", 5, "larger; a NaN operand gives NaN, -0 < +0">,
    IntegerCase<"and", 6, "bitwise and">, IntegerCase<"or", 7, "bitwise or">,
    IntegerCase<"xor", 8, "bitwise exclusive or">,
    IntegerCase<"shl", 9, "shift left; 0 when b is outside 0..31">,
    IntegerCase<"shr", 10, "arithmetic shift right; b is clamped to 0..31">,
    IntegerCase<"shru", 11, "logical shift right of the 32-bit value; 0 when b is outside 0..31">,
    Comparison<"cmpeq", 12, "a = b ? 1 : 0">, Comparison<"cmpne", 13, "a != b ? 1 : 0">,
    Comparison<"cmplt", 14, "a < b ? 1 : 0">, Comparison<"cmple", 15, "a <= b ? 1 : 0">,
    Comparison<"cmpgt", 16, "a > b ? 1 : 0">, Comparison<"cmpge", 17, "a >= b ? 1 : 0">
  ];
}

def ReduceKind : Functions<"reductions"> {
  let cases = [
    Case<"sum", 0, "sum, in index order">, Case<"max", 1, "largest">, Case<"min", 2, "smallest">,
    Case<"prod", 3, "product, in index order">, IntegerCase<"and", 4, "bitwise and">,
    IntegerCase<"or", 5, "bitwise or">, IntegerCase<"xor", 6, "bitwise exclusive or">
  ];
}

def ArgReduceKind : Functions<"reductions to an index"> {
  let cases = [Case<"argmax", 0, "first index of the largest">, Case<"argmin", 1, "first index of the smallest">];
}

def Rounding : Enumeration<"rounding of float to integer conversions"> {
  let cases = [Case<"zero", 0, "toward zero">, Case<"even", 1, "to nearest, ties to even">];
}

#endif // NPU_TARGET_ISA_ISAENUMS_TD
