//===- ISAGroups.td - operand groups --------------------------------------===//

#ifndef NPU_TARGET_ISA_ISAGROUPS_TD
#define NPU_TARGET_ISA_ISAGROUPS_TD

include "NPU/Target/ISA/ISAEnums.td"

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Word 0 of every instruction; written by the codec, not by an instruction's definition.
def Head : Group<1, "word 0 of every instruction"> {
  let fields = [
    Field<"opcode", 0, 8, UInt, "which instruction">,
    Field<"terms", 8, 8, UInt, "number of term words at the end">,
    Field<"repeats", 16, 8, UInt, "number of repetitions of the repeated group">,
    Field<"source", 24, 16, UInt, "entry of the program's source table, 0 when unknown">
  ];
  let reserved = [Reserved<40, 24>];
}

/// A loop term: adds `coefficient * counter` to affine field number `slot` of its instruction.
def Term : Group<1, "a loop term"> {
  let description = [{
    Terms are sorted by slot, then by counter; each (slot, counter) pair occurs at most once and its
    coefficient is not 0. A counter must belong to a loop that encloses the instruction.
  }];
  let fields = [
    Field<"slot", 0, 8, UInt, "number of the affine field, counted from 0 in encoding order">,
    Field<"counter", 8, 3, UInt, "nesting depth of the loop, 0 = outermost">,
    Field<"coefficient", 24, 40, SInt, "factor of the counter, not 0">
  ];
  let reserved = [Reserved<11, 13>];
}

def Sync : Group<3, "semaphores an instruction waits for and signals"> {
  let description = [{
    Semaphores are 0 at launch and only grow. Issue blocks until every named wait holds; a signal adds
    1 when the instruction's writes are visible. A wait whose value is 0 or less always holds.
    Semaphore 0 means `none`. Only one stream may signal a given semaphore.
  }];
  let fields = [
    Field<"wait0", 0, 16, UInt, "first semaphore waited for">,
    Field<"wait1", 16, 16, UInt, "second semaphore waited for; needs the first">,
    Field<"signal0", 32, 16, UInt, "first semaphore signalled">,
    Field<"signal1", 48, 16, UInt, "second semaphore signalled; needs the first">,
    Field<"value0", 64, 40, Affine, "least value of the first">,
    Field<"value1", 128, 40, Affine, "least value of the second">
  ];
  let reserved = [Reserved<104, 24>, Reserved<168, 24>];
  let hasCustomSyntax = true;
}

def Address : Group<2, "an address in SRAM or ACC"> {
  let description = [{
    `base + (position mod depth) * slot_bytes`, with the mathematical (non-negative) mod. Depth 1 is
    an address without a ring; its slot size and position are 0.
  }];
  let fields = [
    Field<"space", 0, 1, EnumOf<MemorySpace>, "which memory">,
    Field<"depth", 8, 16, UInt, "number of slots of the ring, at least 1">,
    Field<"base", 24, 40, Affine, "bytes from the start of the memory">,
    Field<"slot_bytes", 64, 24, UInt, "distance of two slots", 16>,
    Field<"position", 88, 40, Affine, "which iteration's slot, before the mod">
  ];
  let reserved = [Reserved<1, 7>];
  let hasCustomSyntax = true;
}

def Extent : Group<1, "a number of elements, clamped at a ragged edge"> {
  let description = "`clamp(limit, 0, full)`, evaluated in every iteration.";
  let fields = [
    Field<"limit", 0, 36, Affine, "elements left from here to the edge">,
    Field<"full", 36, 28, UInt, "elements of a full tile">
  ];
  let hasCustomSyntax = true;
}

def BoxDim : Group<5, "one dimension of a DMA transfer"> {
  let description = [{
    With `j` the index in this dimension, the coordinate is
    `origin + j + block * j_outer`, where `j_outer` is the index of dimension `outer`; the DRAM address
    grows by `dram_stride` per coordinate, the on-chip address by `chip_stride` per `j`. A coordinate
    outside `[low, high)` is outside the tensor: it reads as the fill value and is not written.
  }];
  let fields = [
    Field<"dram_stride", 0, 40, SInt, "bytes per coordinate in DRAM, 0 repeats">,
    Field<"outer", 40, 3, UInt, "dimension whose index also moves this coordinate">,
    Field<"chip_stride", 64, 32, SInt, "bytes per index on chip">,
    Field<"block", 96, 32, UInt, "coordinates per index of the outer dimension, 0 = none">,
    Field<"origin", 192, 36, Affine, "first coordinate; may be negative">,
    Field<"low", 256, 32, SInt, "first coordinate inside the tensor">,
    Field<"high", 288, 32, SInt, "first coordinate past the tensor">
  ];
  let parts = [Part<"extent", Extent, 2, "number of indices">];
  let reserved = [Reserved<43, 21>, Reserved<228, 28>];
}

def DramSide : Group<2, "the DRAM side of a DMA transfer"> {
  let fields = [
    Field<"region", 0, 8, UInt, "entry of the program's region table">,
    Field<"type", 8, 3, EnumOf<ElementType>, "element type; its size is what counts">,
    Field<"base", 64, 48, Affine, "byte offset of coordinate 0 in the region">
  ];
  let reserved = [Reserved<11, 53>, Reserved<112, 16>];
}

def SramSide : Group<2, "the source of a copy within SRAM"> {
  let fields = [
    Field<"type", 8, 3, EnumOf<ElementType>, "element type; its size is what counts">,
    Field<"base", 64, 48, Affine, "SRAM byte of coordinate 0">
  ];
  let reserved = [Reserved<0, 8>, Reserved<11, 53>, Reserved<112, 16>];
}

def IndexStrides : Group<4, "how the indices of a gather lie, and what they choose"> {
  let fields = [
    Field<"stride0", 0, 32, SInt, "bytes between indices along dimension 0 of the box; 0: none of its own">,
    Field<"stride1", 32, 32, SInt, "along dimension 1">,
    Field<"stride2", 64, 32, SInt, "along dimension 2">,
    Field<"stride3", 96, 32, SInt, "along dimension 3">,
    Field<"stride4", 128, 32, SInt, "along dimension 4">,
    Field<"rows", 160, 32, UInt, "number of rows, which every index lies below">,
    Field<"row_bytes", 192, 40, UInt, "bytes from row to row in DRAM">
  ];
  let reserved = [Reserved<232, 24>];
}

def Accumulate : Group<3, "how results meet the accumulator's old value"> {
  let description = [{
    Sums that do not continue the old value start from 0, or, `biased`, from what `start` has for the column: as many contiguous elements
    of 4 bytes as the result has columns, in SRAM. They are read in any case. Without it `start` is `sram[0]`.
  }];
  let fields = [
    Field<"type", 0, 3, EnumOf<MacType>, "operand types">,
    Field<"biased", 3, 1, Flag, "sums start from a bias">,
    Field<"mode", 8, 2, EnumOf<AccumulateMode>, "never, always, or unless counters are 0">,
    Field<"counters", 16, 6, Counters, "the counters of `unless`">
  ];
  let parts = [Part<"start", Address, 1, "the bias">];
  let reserved = [Reserved<4, 4>, Reserved<10, 6>, Reserved<22, 42>];
  let hasCustomSyntax = true;
}

def Reduction : Group<1, "what a reduction computes, and how results meet the destination's old value"> {
  let fields = [
    Field<"kind", 0, 3, EnumOf<ReduceKind>, "which reduction">,
    Field<"mode", 8, 2, EnumOf<AccumulateMode>, "never, always, or unless counters are 0">,
    Field<"counters", 16, 6, Counters, "the counters of `unless`">
  ];
  let reserved = [Reserved<3, 5>, Reserved<10, 6>, Reserved<22, 42>];
  let hasCustomSyntax = true;
}

def Window : Group<2, "kernel window of a convolution"> {
  let fields = [
    Field<"stride_h", 0, 16, UInt, "input rows per output row">,
    Field<"stride_w", 16, 16, UInt, "input columns per output column">,
    Field<"dilation_h", 32, 16, UInt, "input rows per kernel row">,
    Field<"dilation_w", 48, 16, UInt, "input columns per kernel column">,
    Field<"tap_row_bytes", 64, 32, UInt, "bytes per kernel row in the weights">,
    Field<"tap_bytes", 96, 32, UInt, "bytes per kernel column in the weights">
  ];
}

/// Byte strides of up to two outer dimensions of an operand of the systolic array.
def Pitch : Group<1, "byte strides of an array operand"> {
  let fields = [
    Field<"row_bytes", 0, 32, UInt, "bytes per row">,
    Field<"pixel_bytes", 32, 32, UInt, "bytes per pixel in a row; 0 for a matrix">
  ];
}

def VectorOperand : Group<5, "an operand of the vector unit"> {
  let description = "Up to 4 dimensions, each with a byte stride; 0 broadcasts.";
  let parts = [Part<"at", Address, 0, "address of element 0">];
  let fields = [
    Field<"stride0", 128, 32, SInt, "bytes per index of dimension 0">,
    Field<"stride1", 160, 32, SInt, "bytes per index of dimension 1">,
    Field<"stride2", 192, 32, SInt, "bytes per index of dimension 2">,
    Field<"stride3", 224, 32, SInt, "bytes per index of dimension 3">,
    Field<"type", 256, 3, EnumOf<ElementType>, "element type">
  ];
  let reserved = [Reserved<259, 61>];
  let hasCustomSyntax = true;
}

def AllTypes : OperandType<"", [TypeI8, TypeI16, TypeI32, TypeF16, TypeBf16, TypeF32]>;
def Computing : OperandType<"", AllTypes.allowed> {
  let isComputing = true;
}
def ResultType : OperandType<"", AllTypes.allowed> {
  let isResult = true;
}
def IntegerType : OperandType<"an integer type", [TypeI8, TypeI16, TypeI32]>;
def ExactlyI8 : OperandType<"i8", [TypeI8]>;
def ExactlyI16 : OperandType<"i16", [TypeI16]>;
def ExactlyI32 : OperandType<"i32", [TypeI32]>;
def NarrowInteger : OperandType<"i8 or i16", [TypeI8, TypeI16]>;
/// Requantization scales by f32 on every target.
def ScaleType : OperandType<"f32", [TypeF32]> {
  let needsFloatLanes = false;
}

/// An operand of a vector instruction.
class Vector<string identifier, int at, string description, OperandType t = Computing>
    : TypedPart<identifier, VectorOperand, at, description, t>;

def Shape : Group<4, "extents of a vector operation"> {
  let parts = [
    Part<"d0", Extent, 0, "dimension 0 (outermost)">, Part<"d1", Extent, 1, "dimension 1">,
    Part<"d2", Extent, 2, "dimension 2">, Part<"d3", Extent, 3, "dimension 3 (innermost)">
  ];
  let hasCustomSyntax = true;
}

#endif // NPU_TARGET_ISA_ISAGROUPS_TD
