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

bool npu::isa::isSerial(ReduceKind kind, ElementType type) {
  return isFloat(type) && (kind == ReduceKind::Sum || kind == ReduceKind::Prod);
}

int64_t npu::isa::getSerialCycles(const TargetDesc &target, int64_t rows, int64_t length,
                                  int64_t passes) {
  return ceilDiv(rows, target.vpuLanes) * length * passes;
}

namespace {
/// The passes of the function that an instruction computes.
struct FunctionPasses {
  template <typename E>
  void function(E kind) {
    passes = getCost(kind);
  }
  template <typename G>
  void operand(const OperandType &, const G &) {}

  int64_t passes = 1;
};
} // namespace

int64_t npu::isa::getPasses(const Instruction &instruction) {
  return std::visit(
      [](const auto &held) {
        using T = std::decay_t<decltype(held)>;
        FunctionPasses function;
        T::visitTypes(function, held);
        return T::passes * function.passes;
      },
      instruction);
}

int64_t npu::isa::getArrayOverlap(const TargetDesc &target) {
  return target.macPipelined ? std::min(target.macRows, target.macCols) : 0;
}

int64_t npu::isa::getArrayPace(const TargetDesc &target, int64_t cycles) {
  return target.macPipelined ? std::max(target.issueCycles, cycles - getArrayOverlap(target))
                             : target.issueCycles + cycles;
}

double npu::isa::getTransferPace(const TargetDesc &target, double cycles) {
  double wait = target.issueCycles + target.dramLatencyCycles;
  return std::max(cycles, (wait + cycles) / target.dmaOutstanding);
}

int64_t npu::isa::getDmaCycles(const TargetDesc &target, const DmaCost &cost) {
  if (cost.chipElements == 0)
    return 0;
  return target.dramLatencyCycles +
         std::max(ceilDiv(cost.chargedBytes, target.dramBytesPerCycle),
                  ceilDiv(cost.chipElements, target.dmaElementsPerCycle));
}
