//===- Timing.cpp - how long instructions take ----------------------------===//

#include "NPU/Target/ISA/Timing.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;
using namespace npu;
using namespace npu::isa;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t npu::isa::getMacRate(const TargetDesc &target, MacType type) {
  switch (type) {
  case MacType::I8:
    return target.macsPerCycleI8;
  case MacType::I16i8:
    return target.macsPerCycleI16I8;
  case MacType::F16:
  case MacType::Bf16:
    return target.macsPerCycleF16;
  case MacType::F32:
    return target.macsPerCycleF32;
  }
  llvm_unreachable("unknown operand type");
}

/// Passes of the array at its peak rate, stretched to the type's rate, plus fill and drain.
static int64_t scalePasses(const TargetDesc &target, MacType type, int64_t cycles) {
  int64_t rate = getMacRate(target, type);
  if (cycles == 0 || rate == 0)
    return 0;
  return ceilDiv(cycles * target.macRows * target.macCols, rate) + target.macRows + target.macCols;
}

int64_t npu::isa::getMatmulCycles(const TargetDesc &target, MacType type, int64_t m, int64_t n,
                                  int64_t k) {
  if (m == 0 || n == 0 || k == 0)
    return 0;
  return scalePasses(target, type,
                     ceilDiv(k, target.macRows) * ceilDiv(n, target.macCols) *
                         std::max(m, target.macRows));
}

int64_t npu::isa::getDepthwiseCycles(const TargetDesc &target, MacType type, int64_t pixels,
                                     int64_t channels, int64_t taps) {
  if (pixels == 0 || channels == 0 || taps == 0)
    return 0;
  return scalePasses(target, type,
                     ceilDiv(channels, target.macCols) * std::max(pixels, target.macRows) *
                         ceilDiv(taps, target.macRows));
}

int64_t npu::isa::getVectorCycles(const TargetDesc &target, int64_t elements, int64_t passes) {
  return ceilDiv(elements, target.vpuLanes) * passes;
}

int64_t npu::isa::getPasses(const Instruction &instruction) {
  if (auto *unary = std::get_if<VpuUnary>(&instruction))
    return getCost(unary->op.kind);
  if (auto *binary = std::get_if<VpuBinary>(&instruction))
    return getCost(binary->op.kind);
  if (auto *binary = std::get_if<VpuBinaryImm>(&instruction))
    return getCost(binary->op.kind);
  bool isRequantization = std::holds_alternative<VpuRescale>(instruction) ||
                          std::holds_alternative<VpuRequant>(instruction) ||
                          std::holds_alternative<VpuRequantImm>(instruction);
  return isRequantization ? 2 : 1;
}

/// Coordinates of [begin, begin + count) inside [low, high).
static int64_t countInside(int64_t begin, int64_t count, int64_t low, int64_t high) {
  return std::max<int64_t>(0, std::min(begin + count, high) - std::max(begin, low));
}

DmaCost npu::isa::getDmaCost(ArrayRef<BoxDimValue> dims, int64_t elementBytes, int64_t beatBytes) {
  DmaCost cost;
  cost.chipElements = 1;
  for (const BoxDimValue &dim : dims)
    cost.chipElements *= dim.extent;
  if (cost.chipElements == 0)
    return cost;

  // The set of DRAM bytes as independent (byte stride, count) pairs.
  struct Axis {
    int64_t stride, count;
  };
  SmallVector<Axis> axes;
  SmallVector<bool> isJoined(dims.size(), false);
  for (const BoxDimValue &dim : dims) {
    if (dim.block == 0)
      continue;
    const BoxDimValue &outer = dims[dim.outer];
    // Blocks that touch make one dimension; others keep a dimension of whole blocks.
    isJoined[dim.outer] = true;
    if (dim.block == dim.extent && outer.dramStride == 0) {
      axes.push_back(
          {dim.dramStride, countInside(dim.origin, dim.block * outer.extent, dim.low, dim.high)});
      continue;
    }
    int64_t blocks = 0, inside = 0;
    for (int64_t j = 0; j < outer.extent; ++j) {
      int64_t count = countInside(dim.origin + dim.block * j, dim.extent, dim.low, dim.high);
      blocks += count > 0;
      inside = std::max(inside, count);
    }
    axes.push_back({dim.dramStride, inside});
    axes.push_back({dim.dramStride * dim.block + outer.dramStride, blocks});
  }
  for (auto [dim, joined] : llvm::zip(dims, isJoined))
    if (dim.block == 0 && !joined)
      axes.push_back({dim.dramStride, countInside(dim.origin, dim.extent, dim.low, dim.high)});

  int64_t runBytes = elementBytes, runs = 1;
  bool isOpen = true;
  llvm::sort(axes, [](const Axis &a, const Axis &b) {
    return std::make_pair(std::abs(a.stride), a.count) <
           std::make_pair(std::abs(b.stride), b.count);
  });
  for (const Axis &axis : axes) {
    if (axis.count == 0)
      return cost; // all fill: nothing moves on the DRAM side
    if (axis.count == 1 || axis.stride == 0)
      continue;
    isOpen &= std::abs(axis.stride) == runBytes;
    (isOpen ? runBytes : runs) *= axis.count;
  }
  cost.dramBytes = runs * runBytes;
  cost.chargedBytes = runs * std::max(runBytes, beatBytes);
  return cost;
}

int64_t npu::isa::getDmaCycles(const TargetDesc &target, const DmaCost &cost) {
  if (cost.chipElements == 0)
    return 0;
  return target.dramLatencyCycles +
         std::max(ceilDiv(cost.chargedBytes, target.dramBytesPerCycle),
                  ceilDiv(cost.chipElements, target.dmaElementsPerCycle));
}
