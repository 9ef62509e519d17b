//===- ISA.td - the instructions of the reference NPU ---------------------===//
//
// To add an instruction: one def here, one `visit` in the simulator, one assembly test.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TARGET_ISA_ISA_TD
#define NPU_TARGET_ISA_ISA_TD

include "NPU/Target/ISA/ISAGroups.td"

//===----------------------------------------------------------------------===//
// Control: every engine
//===----------------------------------------------------------------------===//

def LoopCount : Group<1, "trip count"> {
  let hasCustomSyntax = true;
  let fields = [Field<"trips", 0, 32, UInt, "number of iterations, at least 1">];
  let reserved = [Reserved<32, 32>];
}

def Loop : Instruction<"loop", 0x01, [Dmai, Dmao, Mxu, Vpu, Ctl], "begin a counted loop"> {
  let semantics = !strconcat([{
    Runs the instructions up to the matching `endloop` `trips` times. The loop's counter is `i<depth>`,
    `i0` for the outermost loop, and runs from 0. Loops nest up to }], !cast<string>(MaxLoopDepth.value),
    " deep. Each stream has its own.");
  let timing = "Free: the sequencer runs ahead of the engine.";
  let operands = [Part<"count", LoopCount, 1, "trip count">];
}

def EndLoop : Instruction<"endloop", 0x02, [Dmai, Dmao, Mxu, Vpu, Ctl], "end the innermost loop"> {
  let semantics = "Ends the innermost open loop.";
  let timing = "Free.";
}

def Synchronize : Instruction<"sync", 0x03, [Dmai, Dmao, Mxu, Vpu, Ctl], "only wait and signal"> {
  let semantics = "Waits, then signals. Serves when an instruction needs more than two of either.";
  let timing = "The issue overhead.";
  let operands = [Part<"sync", Sync, 1, "semaphores">];
}

def Halt : Instruction<"halt", 0x04, [Dmai, Dmao, Mxu, Vpu, Ctl], "end of the stream"> {
  let semantics = "Ends the stream; it is the last instruction of every stream and outside all loops.";
  let timing = "Free.";
}

//===----------------------------------------------------------------------===//
// DMA
//===----------------------------------------------------------------------===//

def LoadFlags : Group<1, "fill value and multicast"> {
  let fields = [
    Field<"fill", 0, 32, UInt, "bit pattern of the value read outside the tensor">,
    Field<"clusters", 32, 8, UInt, "further clusters that receive the data, one bit each">
  ];
  let reserved = [Reserved<40, 24>];
}

def DmaLoad : Instruction<"dma.load", 0x10, [Dmai], "load a box of a tensor into SRAM"> {
  let semantics = [{
    For every index vector `j` of the box: `chip[to + sum(j_d * chip_stride_d)]` = the element at DRAM
    byte `base + sum(coordinate_d * dram_stride_d)` of the region, or `fill` when a coordinate lies
    outside its window. With a non-empty `clusters` the same data is written at the same address of
    those clusters as well. The destination is SRAM.
  }];
  let timing = [{
    DRAM latency, then the longer of: the DRAM side, which moves every beat that a contiguous run of
    bytes touches (`getDmaCost` in `Target/ISA/Timing.h` defines runs and beats) and whose bandwidth
    is shared fairly by all active DMA engines; and the on-chip side at the target's elements per
    cycle, fill included.
  }];
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"from", DramSide, 4, "DRAM side">,
    Part<"to", Address, 6, "on-chip side">, Part<"flags", LoadFlags, 8, "fill and multicast">
  ];
  let repeated = [Repeated<"dims", BoxDim, 5, "dimensions of the box, outermost first">];
}

def DmaStore : Instruction<"dma.store", 0x11, [Dmao], "store a box of a tensor from SRAM or ACC"> {
  let semantics = [{
    For every index vector `j` of the box: the element at DRAM byte
    `base + sum(coordinate_d * dram_stride_d)` of the region = `chip[from + sum(j_d * chip_stride_d)]`;
    nothing is written where a coordinate lies outside its window.
  }];
  let timing = "As `dma.load`.";
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"to", DramSide, 4, "DRAM side">,
    Part<"from", Address, 6, "on-chip side">
  ];
  let repeated = [Repeated<"dims", BoxDim, 5, "dimensions of the box, outermost first">];
}

def DmaGather : Instruction<"dma.gather", 0x12, [Dmai], "load a box of a tensor into SRAM, rows chosen by indices"> {
  let semantics = [{
    As `dma.load`, but each element comes from `index * row_bytes` further on, where `index` is the i32 in SRAM at
    `indices + sum(j_d * stride_d)`. An index below 0 or from `rows` on is a trap; none is read where a coordinate
    of a dimension with a stride lies outside its window. Such a dimension has no block, nor has one that it moves.
    All indices are read before anything is written, and none that is read lies in the destination.
  }];
  let timing = [{
    As `dma.load`, where every combination of the dimensions with a stride is a transfer of its own, charged for
    the row that touches the most beats.
  }];
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"from", DramSide, 4, "DRAM side">,
    Part<"to", Address, 6, "on-chip side">, Part<"flags", LoadFlags, 8, "fill and multicast">,
    Part<"indices", Address, 9, "index of the box's first element, SRAM">,
    Part<"chosen", IndexStrides, 11, "how indices lie, and what they choose">
  ];
  let repeated = [Repeated<"dims", BoxDim, 5, "dimensions of the box, outermost first">];
}

def DmaCopy : Instruction<"dma.copy", 0x13, [Dmai], "copy a box of a tensor within SRAM"> {
  let semantics = [{
    As `dma.load`, but the tensor lies in SRAM: `chip[to + sum(j_d * chip_stride_d)]` = the element at SRAM byte
    `base + sum(coordinate_d * dram_stride_d)`, or `fill` when a coordinate lies outside its window. No element that
    is read lies in the destination.
  }];
  let timing = [{
    The elements at the target's elements per cycle, fill included. DRAM has no part in it.
  }];
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"from", SramSide, 4, "source">,
    Part<"to", Address, 6, "destination">, Part<"flags", LoadFlags, 8, "fill and multicast">
  ];
  let repeated = [Repeated<"dims", BoxDim, 5, "dimensions of the box, outermost first">];
}

//===----------------------------------------------------------------------===//
// Systolic array
//===----------------------------------------------------------------------===//

def PanelStride : Group<1, "stride of packed weights"> {
  let fields = [Field<"panel_bytes", 0, 32, UInt, "bytes per panel of array-width columns">];
  let reserved = [Reserved<32, 32>];
}

def MxuMatmul : Instruction<"mxu.matmul", 0x20, [Mxu], "matrix product"> {
  let semantics = [{
    `out[i, j] (+)= sum over k of a[i, k] * b[k, j]`. Row `i` of `a` starts at `a + i * row_bytes`, its
    elements are contiguous. `b` is packed: columns `[p * cols, (p + 1) * cols)` form panel `p` at
    `b + p * panel_bytes`, in which row `k` is `cols` contiguous elements (`cols` = array columns of the
    target). Row `i` of `out`, in ACC, starts at `out + i * row_bytes`; its elements are contiguous,
    4 bytes each. The sum starts from 0, a bias (`accumulate`) or the old value and adds the products in increasing
    `k`: floats in f32 by fused steps, each of which rounds `sum + a[i, k] * b[k, j]` once, to nearest even; i32 wraps.
  }];
  let timing = [{
    `ceil(k / rows) * ceil(n / cols) * max(m, rows)` cycles times the array's peak rate divided by the
    operand type's rate, plus `rows + cols` cycles to fill and drain.
  }];
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"accumulate", Accumulate, 4, "types and accumulation">,
    Part<"a", Address, 7, "left operand, SRAM">, Part<"a_pitch", Pitch, 9, "strides of the left operand">,
    Part<"b", Address, 10, "right operand, packed, SRAM">,
    Part<"b_panel", PanelStride, 12, "stride of the right operand">,
    Part<"out", Address, 13, "result, ACC">, Part<"out_pitch", Pitch, 15, "strides of the result">,
    Part<"m", Extent, 16, "rows of the result">, Part<"n", Extent, 17, "columns of the result">,
    Part<"k", Extent, 18, "length of the sums">
  ];
}

def MxuConv : Instruction<"mxu.conv", 0x21, [Mxu], "2-D convolution with implicit im2col"> {
  let semantics = [{
    `out[h, w, f] (+)= sum over y, x, c of in[h * stride_h + y * dilation_h, w * stride_w + x *
    dilation_w, c] * weights[y, x, c, f]`. Input rows are `row_bytes` apart, pixels `pixel_bytes`,
    channels contiguous. The weights are packed in panels of `cols` output channels; in a panel tap
    `(y, x)` starts at `y * tap_row_bytes + x * tap_bytes` and input channel `c` is `cols` contiguous
    elements. Output rows and pixels are `row_bytes` and `pixel_bytes` apart in ACC. Products are added in
    the order y, x, c, rounded as in `mxu.matmul`. Padding is the load's fill.
  }];
  let timing = "As `mxu.matmul` with m = h * w, n = f, k = y * x * c.";
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"accumulate", Accumulate, 4, "types and accumulation">,
    Part<"in", Address, 7, "input, SRAM">, Part<"in_pitch", Pitch, 9, "strides of the input">,
    Part<"weights", Address, 10, "weights, packed, SRAM">,
    Part<"weights_panel", PanelStride, 12, "stride of the weights">,
    Part<"out", Address, 13, "result, ACC">, Part<"out_pitch", Pitch, 15, "strides of the result">,
    Part<"window", Window, 16, "kernel window">,
    Part<"h", Extent, 18, "output rows">, Part<"w", Extent, 19, "output columns">,
    Part<"f", Extent, 20, "output channels">, Part<"c", Extent, 21, "input channels">,
    Part<"y", Extent, 22, "kernel rows">, Part<"x", Extent, 23, "kernel columns">
  ];
}

def MxuDepthwise : Instruction<"mxu.depthwise", 0x22, [Mxu], "2-D depthwise convolution"> {
  let semantics = [{
    `out[h, w, g] (+)= sum over y, x of in[h * stride_h + y * dilation_h, w * stride_w + x * dilation_w,
    g] * weights[y, x, g]`. Channels are contiguous everywhere; tap `(y, x)` of the weights starts at
    `y * tap_row_bytes + x * tap_bytes`. Products are added in the order y, x, as in `mxu.matmul`.
  }];
  let timing = [{
    `ceil(g / cols) * max(h * w, rows) * ceil(y * x / rows)` cycles, scaled by the type's rate as in
    `mxu.matmul`, plus `rows + cols`.
  }];
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"accumulate", Accumulate, 4, "types and accumulation">,
    Part<"in", Address, 7, "input, SRAM">, Part<"in_pitch", Pitch, 9, "strides of the input">,
    Part<"weights", Address, 10, "weights, SRAM">,
    Part<"out", Address, 12, "result, ACC">, Part<"out_pitch", Pitch, 14, "strides of the result">,
    Part<"window", Window, 15, "kernel window">,
    Part<"h", Extent, 17, "output rows">, Part<"w", Extent, 18, "output columns">,
    Part<"g", Extent, 19, "channels">, Part<"y", Extent, 20, "kernel rows">,
    Part<"x", Extent, 21, "kernel columns">
  ];
}

//===----------------------------------------------------------------------===//
// Vector unit
//===----------------------------------------------------------------------===//

/// The destination is the first operand of the vector unit.
class VectorInstruction<string mnemonic, int opcode, string title, int passesOverLanes = 1>
    : Instruction<mnemonic, opcode, [Vpu], title> {
  let passes = passesOverLanes;
  let timing = "`ceil(elements / lanes)` cycles times "
      # !if(!eq(passesOverLanes, 1), "the operation's passes", !cast<string>(passesOverLanes)) # ".";
}

def UnaryOp : Group<1, "operation"> {
  let fields = [Field<"kind", 0, 5, EnumOf<UnaryKind>, "which function">];
  let reserved = [Reserved<5, 59>];
}

def BinaryOp : Group<1, "operation"> {
  let fields = [Field<"kind", 0, 5, EnumOf<BinaryKind>, "which function">];
  let reserved = [Reserved<5, 59>];
}

def BinaryImmOp : Group<1, "operation and immediate"> {
  let fields = [
    Field<"kind", 0, 5, EnumOf<BinaryKind>, "which function">,
    Field<"immediate", 32, 32, UInt, "bit pattern of the right operand, in the computing type">
  ];
  let reserved = [Reserved<5, 27>];
}

def FillValue : Group<1, "a constant"> {
  let fields = [Field<"bits", 0, 32, UInt, "bit pattern, in the computing type">];
  let reserved = [Reserved<32, 32>];
}

def VpuFill : VectorInstruction<"vpu.fill", 0x30, "write one value everywhere"> {
  let semantics = "`dst[j] = value`, the value converted as every result.";
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents">,
    Vector<"dst", 8, "destination", AllTypes>, Part<"value", FillValue, 13, "value">
  ];
}

def VpuUnary : VectorInstruction<"vpu.unary", 0x31, "function of one operand"> {
  let semantics = [{
    `dst[j] = f(a[j])`. The computing type is i32 for integer and f32 for float operands: an operand is
    extended to it when read; a result is rounded to nearest even (floats) or wrapped (integers) to
    the destination's type when written. Source and destination are both integer or both float.
  }];
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents">,
    Vector<"dst", 8, "destination", ResultType>, Vector<"a", 13, "operand">,
    Part<"op", UnaryOp, 18, "function">
  ];
}

def VpuBinary : VectorInstruction<"vpu.binary", 0x32, "function of two operands"> {
  let semantics = "`dst[j] = f(a[j], b[j])`; types as in `vpu.unary`. Comparisons write an integer type.";
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents">,
    Vector<"dst", 8, "destination", ResultType>, Vector<"a", 13, "left operand">,
    Vector<"b", 18, "right operand">, Part<"op", BinaryOp, 23, "function">
  ];
}

def VpuBinaryImm : VectorInstruction<"vpu.binary_imm", 0x33, "function of an operand and a constant"> {
  let semantics = "`dst[j] = f(a[j], immediate)`; types as in `vpu.unary`.";
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents">,
    Vector<"dst", 8, "destination", ResultType>, Vector<"a", 13, "left operand">,
    Part<"op", BinaryImmOp, 18, "function and right operand">
  ];
}

def VpuSelect : VectorInstruction<"vpu.select", 0x34, "choice between two operands"> {
  let semantics = "`dst[j] = condition[j] != 0 ? a[j] : b[j]`; the condition is an integer type.";
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents">,
    Vector<"dst", 8, "destination", ResultType>, Vector<"condition", 13, "condition", IntegerType>,
    Vector<"a", 18, "taken when true">, Vector<"b", 23, "taken when false">
  ];
}

def Bounds : Group<1, "bounds"> {
  let fields = [
    Field<"low", 0, 32, UInt, "bit pattern of the lower bound, in the computing type">,
    Field<"high", 32, 32, UInt, "bit pattern of the upper bound">
  ];
}

def VpuClamp : VectorInstruction<"vpu.clamp", 0x35, "clamp between two constants"> {
  let semantics = "`dst[j] = min(max(a[j], low), high)` with the min and max of `vpu.binary`.";
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents">,
    Vector<"dst", 8, "destination", ResultType>, Vector<"a", 13, "operand">,
    Part<"bounds", Bounds, 18, "bounds">
  ];
}

def CastMode : Group<1, "conversion mode"> {
  let fields = [
    Field<"unsigned_source", 0, 1, Flag, "an integer source is read as unsigned">,
    Field<"saturate", 1, 1, Flag, "an integer destination saturates instead of wrapping">,
    Field<"rounding", 2, 2, EnumOf<Rounding>, "rounding of float to integer">
  ];
  let reserved = [Reserved<4, 60>];
}

def VpuCast : VectorInstruction<"vpu.cast", 0x36, "conversion between types"> {
  let semantics = [{
    Integer to integer wraps or saturates; integer to float and float to float round to nearest even;
    float to integer rounds as `rounding` says and always saturates, NaN gives 0.
  }];
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents">,
    Vector<"dst", 8, "destination", AllTypes>, Vector<"a", 13, "operand", AllTypes>,
    Part<"mode", CastMode, 18, "mode">
  ];
}

def VpuReduce : VectorInstruction<"vpu.reduce", 0x37, "reduction along the innermost dimension"> {
  let semantics = [{
    `dst[j0, j1, j2, 0] = a[j0, j1, j2, 0] op a[j0, j1, j2, 1] op …` from left to right in the computing
    type of `vpu.unary`; when accumulating, `dst[j0, j1, j2, 0]` comes first. So a reduction runs over several
    tiles, or over the taps of a window, in loops. Any dimension can be made innermost by the operand's
    strides. Nothing to reduce gives the neutral element.
  }];
  let timing = [{
    `ceil(elements / lanes)` cycles times the operation's passes, since the order matters to no result; but
    `ceil(d0 * d1 * d2 / lanes) * d3` cycles times the passes for `sum` and `prod` of floats: a lane takes a row, as in `vpu.scan`.
  }];
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents of the operand">,
    Vector<"dst", 8, "destination; stride3 is 0", ResultType>, Vector<"a", 13, "operand">,
    Part<"reduction", Reduction, 18, "reduction and accumulation">
  ];
}

def ArgReduceOp : Group<1, "operation"> {
  let fields = [Field<"kind", 0, 3, EnumOf<ArgReduceKind>, "which reduction">];
  let reserved = [Reserved<3, 61>];
}

def VpuArgReduce : VectorInstruction<"vpu.argreduce", 0x38, "index of the extreme along the innermost dimension"> {
  let semantics = [{
    `dst[j0, j1, j2, 0]` = the first innermost index at which `a` is largest or smallest; a NaN is beyond
    every number. The destination is an integer type.
  }];
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents of the operand">,
    Vector<"dst", 8, "destination; stride3 is 0", IntegerType>, Vector<"a", 13, "operand">,
    Part<"op", ArgReduceOp, 18, "reduction">
  ];
}

class Table<string identifier, int at, Element element, int entries>
    : TablePart<identifier, Address, at, "table, SRAM", element, entries>;

def ScanOp : Group<1, "operation"> {
  let fields = [Field<"kind", 0, 3, EnumOf<ReduceKind>, "which reduction">];
  let reserved = [Reserved<3, 61>];
}

def VpuScan : VectorInstruction<"vpu.scan", 0x3E, "running reduction along the innermost dimension"> {
  let semantics = [{
    `dst[j0, j1, j2, j3] = a[j0, j1, j2, 0] op a[j0, j1, j2, 1] op … op a[j0, j1, j2, j3]` from left to right in the
    computing type of `vpu.unary`: what is written is converted, what goes on is not.
  }];
  let timing = [{
    `ceil(d0 * d1 * d2 / lanes) * d3` cycles times the operation's passes: a lane takes a row, as each of its elements
    waits for the one before.
  }];
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents">,
    Vector<"dst", 8, "destination", ResultType>, Vector<"a", 13, "operand">,
    Part<"op", ScanOp, 18, "reduction">
  ];
}

def Positions : Group<3, "an affine function of indices"> {
  let fields = [
    Field<"start", 0, 40, Affine, "value at index 0">,
    Field<"step0", 64, 32, SInt, "what it grows by per index of dimension 0">,
    Field<"step1", 96, 32, SInt, "per index of dimension 1">,
    Field<"step2", 128, 32, SInt, "per index of dimension 2">,
    Field<"step3", 160, 32, SInt, "per index of dimension 3">
  ];
  let reserved = [Reserved<40, 24>];
}

def VpuIota : VectorInstruction<"vpu.iota", 0x3F, "affine function of the indices"> {
  let semantics = [{
    `dst[j] = start + sum(j_d * step_d)`, in i32, which wraps, and then as every result. The destination is an integer type.
  }];
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents">,
    Vector<"dst", 8, "destination", IntegerType>, Part<"values", Positions, 13, "values">
  ];
}

def VpuTable8 : VectorInstruction<"vpu.table8", 0x39, "256-entry table look-up"> {
  let semantics = "`dst[j] = table[a[j] + 128]` for i8 `a`.";
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents">,
    Vector<"dst", 8, "destination", ExactlyI8>, Vector<"a", 13, "operand", ExactlyI8>,
    Table<"table", 18, TypeI8, 256>
  ];
}

def VpuTable16 : VectorInstruction<"vpu.table16", 0x3A, "513-entry interpolated table look-up"> {
  let semantics = [{
    With `x = a[j] + 32768`, `i = x >> 7`, `r = x & 127`:
    `dst[j] = table[i] * 128 + (table[i + 1] - table[i]) * r`. `a` is i16, the destination i32.
  }];
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents">,
    Vector<"dst", 8, "destination", ExactlyI32>, Vector<"a", 13, "operand", ExactlyI16>,
    Table<"table", 18, TypeI16, 513>
  ];
}

def RescaleOp : Group<2, "mode, zero points and bounds"> {
  let fields = [
    Field<"double_round", 0, 1, Flag, "round the shift twice, as TOSA's DOUBLE_ROUND">,
    Field<"bounded", 1, 1, Flag, "bound the result by `low` and `high`">,
    Field<"input_zero", 16, 16, SInt, "subtracted from the operand">,
    Field<"output_zero", 32, 16, SInt, "added to the result">,
    Field<"low", 64, 32, SInt, "lower bound">, Field<"high", 96, 32, SInt, "upper bound">
  ];
  let reserved = [Reserved<2, 14>, Reserved<48, 16>];
}

def VpuRescale : VectorInstruction<"vpu.rescale", 0x3B, "integer requantization by multiplier and shift", 2> {
  let semantics = [{
    With `v = a[j] - input_zero`, `s = shift[j]` in 2..62:
    `dst[j] = saturate(((v * multiplier[j] + round) >> s) + output_zero)` in 64 bits, where `round` is
    `1 << (s - 1)`, and with double rounding and `s > 31` additionally `+ (1 << 30)` for `v >= 0`,
    `- (1 << 30)` otherwise (TOSA 1.0 apply_scale_32). The destination is an integer type. With `bounded`, what is
    saturated is `min(max(..., low), high)`.
  }];
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents">,
    Vector<"dst", 8, "destination", IntegerType>, Vector<"a", 13, "operand", IntegerType>,
    Vector<"multiplier", 18, "multipliers", ExactlyI32>,
    Vector<"shift", 23, "shifts", ExactlyI8>, Part<"op", RescaleOp, 28, "mode, zero points and bounds">
  ];
}

def RequantOp : Group<2, "scale, zero point and bounds"> {
  let fields = [
    Field<"zero", 0, 32, SInt, "added after rounding">,
    Field<"low", 64, 32, SInt, "lower bound">, Field<"high", 96, 32, SInt, "upper bound">
  ];
  let reserved = [Reserved<32, 32>];
}

def ScaleValue : Group<1, "a scale"> {
  let fields = [Field<"value", 0, 32, Float, "factor">];
  let reserved = [Reserved<32, 32>];
}

def VpuRequant : VectorInstruction<"vpu.requant", 0x3C, "requantization by an f32 scale", 2> {
  let semantics = [{
    `dst[j] = min(max(roundeven(f32(a[j]) * scale[j]) + zero, low), high)`: `a` is i32, converted to f32
    rounding to nearest even; the product is rounded to f32; NaN gives `low`. Available on targets without
    float lanes.
  }];
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents">,
    Vector<"dst", 8, "destination", NarrowInteger>, Vector<"a", 13, "operand", ExactlyI32>,
    Vector<"scale", 18, "scales", ScaleType>, Part<"op", RequantOp, 23, "zero point and bounds">
  ];
}

def VpuRequantImm : VectorInstruction<"vpu.requant_imm", 0x3D, "requantization by a constant f32 scale", 2> {
  let semantics = "As `vpu.requant` with one scale.";
  let operands = [
    Part<"sync", Sync, 1, "semaphores">, Part<"shape", Shape, 4, "extents">,
    Vector<"dst", 8, "destination", NarrowInteger>, Vector<"a", 13, "operand", ExactlyI32>,
    Part<"op", RequantOp, 18, "zero point and bounds">, Part<"scale", ScaleValue, 20, "scale">
  ];
}

#endif // NPU_TARGET_ISA_ISA_TD
