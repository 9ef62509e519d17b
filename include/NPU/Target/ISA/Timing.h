//===- Timing.h - how long instructions take ------------------------------===//
//
// The timing is part of the ISA's definition. The simulator and the compiler's cost model call
// these functions; neither has a timing of its own. All results are cycles.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TARGET_ISA_TIMING_H
#define NPU_TARGET_ISA_TIMING_H

#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Target/ISA/Instructions.h"

namespace npu::isa {

/// MAC/cycle of an operand type, 0 when the target does not support it.
int64_t getMacRate(const TargetDesc &target, MacType type);

/// `ceil(k / rows) * ceil(n / cols) * max(m, rows)` scaled by peak rate / type rate, plus fill and
/// drain (`rows + cols`). 0 when an extent is 0.
int64_t getMatmulCycles(const TargetDesc &target, MacType type, int64_t m, int64_t n, int64_t k);

/// `ceil(channels / cols) * max(pixels, rows) * ceil(taps / rows)`, scaled and filled in the same
/// way.
int64_t getDepthwiseCycles(const TargetDesc &target, MacType type, int64_t pixels, int64_t channels,
                           int64_t taps);

/// `ceil(elements / lanes) * passes`.
int64_t getVectorCycles(const TargetDesc &target, int64_t elements, int64_t passes);

/// Whether `vpu.reduce` takes the elements of a row one after the other: sums and products of
/// floats depend on the order. All else may be combined in any.
bool isSerial(ReduceKind kind, ElementType type);

/// `ceil(rows / lanes) * length * passes`: a lane takes a row, one element after the other.
int64_t getSerialCycles(const TargetDesc &target, int64_t rows, int64_t length, int64_t passes);

/// Passes over the lanes of a vector instruction; 1 for every other.
int64_t getPasses(const Instruction &instruction);

/// A DMA transfer's demand on the two sides of the engine.
struct DmaCost {
  int64_t dramBytes = 0;    ///< bytes of the runs
  int64_t chargedBytes = 0; ///< bytes of the beats that the runs touch
  int64_t chipElements = 0; ///< elements on the on-chip side, fill included
};

/// One dimension of a transfer with its affine fields evaluated.
struct BoxDimValue {
  int64_t dramStride, chipStride; ///< bytes
  int64_t extent;                 ///< indices
  int64_t origin, low, high;      ///< coordinates
  int64_t block;                  ///< coordinates per index of `outer`, 0 = none
  unsigned outer;
};

/// What a transfer moves on the DRAM side and what it is charged there.
///
/// DRAM moves whole beats: `beatBytes` bytes at a multiple of `beatBytes` from the region's start.
/// A transfer is charged every beat that each of its runs touches, so never less than the beats
/// that it touches altogether; a beat that two runs share is charged twice.
///
/// Runs are the contiguous pieces of what lies inside the windows when the engine walks the
/// dimensions from the smallest stride to the largest, whatever their order and direction: a
/// dimension continues the run as long as its stride is the bytes of the run so far. A stride of 0
/// repeats bytes that are there already and is not charged. A joined dimension whose blocks touch
/// is one dimension; of others each block that a window cuts is walked for itself.
///
/// `dramBase` is the byte of coordinate 0. Work does not grow with the elements. Expects extents
/// whose product is at most 2^48, and for every coordinate inside its window that `coordinate *
/// dramStride` lies in -2^59..2^59.
DmaCost getDmaCost(llvm::ArrayRef<BoxDimValue> dims, int64_t dramBase, int64_t elementBytes,
                   int64_t beatBytes);

/// The same for a gather: every index is a transfer of its own, of the dimensions without a stride
/// in `chosen`. Rows begin anywhere in a beat that multiples of `row_bytes` lead to, so each is
/// charged for the place at which it touches the most beats.
DmaCost getGatherCost(llvm::ArrayRef<BoxDimValue> dims, const IndexStrides &chosen,
                      int64_t dramBase, int64_t elementBytes, int64_t beatBytes);

/// By how much an array instruction may start before its predecessor ends: while results leave the
/// columns, operands enter the rows.
int64_t getArrayOverlap(const TargetDesc &target);

/// Cycles from instruction to instruction of an array that always has work, where each one takes
/// `cycles`.
int64_t getArrayPace(const TargetDesc &target, int64_t cycles);

/// Cycles from transfer to transfer of a DMA engine that always has work, where each one moves for
/// `cycles` after its latency.
double getTransferPace(const TargetDesc &target, double cycles);

/// Cycles of a transfer that has the DRAM to itself: latency plus the longer of both sides; 0 for
/// an empty one.
int64_t getDmaCycles(const TargetDesc &target, const DmaCost &cost);

} // namespace npu::isa

#endif // NPU_TARGET_ISA_TIMING_H
