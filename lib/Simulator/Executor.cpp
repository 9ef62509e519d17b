//===- Executor.cpp - what every engine shares ----------------------------===//

#include "Executor.h"

using namespace llvm;
using namespace npu;
using namespace npu::sim;

Expected<Effect> Executor::execute(const isa::Instruction &instruction, int64_t onCluster,
                                   const isa::Counters &now) {
  cluster = onCluster;
  counters = now;
  passes = isa::getPasses(instruction);
  if (std::optional<isa::TypeMismatch> mismatch = isa::checkTypes(instruction, target))
    return makeTrap(mismatch->isUnsupported ? TrapKind::UnsupportedType : TrapKind::BadOperand,
                    mismatch->message);
  return isa::accept(instruction, *this);
}

// The sequencer handles control; what remains of it has no effect.
Expected<Effect> Executor::visit(const isa::Loop &) { return Effect(); }
Expected<Effect> Executor::visit(const isa::EndLoop &) { return Effect(); }
Expected<Effect> Executor::visit(const isa::Synchronize &) { return Effect(); }
Expected<Effect> Executor::visit(const isa::Halt &) { return Effect(); }

Memory &Executor::getMemory(isa::MemorySpace space) {
  ClusterMemories &memories = clusters[cluster];
  return space == isa::MemorySpace::Sram ? memories.sram : memories.acc;
}

Expected<int64_t> Executor::countWork(ArrayRef<int64_t> extents, int64_t perCycle) const {
  if (is_contained(extents, 0))
    return 0;
  // Keeps every product of the timing functions inside 64 bits.
  Int128 most = std::min<Int128>(Int128(cycleLimit) * perCycle, Int128(1) << 48);
  Int128 product = 1;
  for (int64_t extent : extents)
    if ((product *= extent) > most)
      return makeTrap(
          TrapKind::CycleLimit,
          formatv("has extents whose product is larger than {0} cycles can process", cycleLimit));
  return int64_t(product);
}

Error Executor::requireSpace(const isa::Address &address, isa::MemorySpace space,
                             StringRef operand) const {
  if (address.space == space)
    return Error::success();
  return makeTrap(TrapKind::BadOperand,
                  formatv("operand '{0}' must be in {1}, found it in {2}", operand,
                          isa::toString(space), isa::toString(address.space)));
}

bool Executor::isAccumulating(isa::AccumulateMode mode, isa::CounterSet unless) const {
  if (mode != isa::AccumulateMode::Unless)
    return mode == isa::AccumulateMode::Always;
  for (unsigned k = 0; k < isa::maxLoopDepth; ++k)
    if (unless >> k & 1 && counters[k] != 0)
      return true;
  return false;
}
