//===- Simulator.cpp - traps and the entry point --------------------------===//

#include "NPU/Simulator/Simulator.h"

#include "Machine.h"

using namespace llvm;
using namespace npu;
using namespace npu::sim;

char Trap::ID = 0;

StringRef npu::sim::toString(TrapKind kind) {
  switch (kind) {
  case TrapKind::OutOfBounds:
    return "out of bounds";
  case TrapKind::Misaligned:
    return "misaligned";
  case TrapKind::UninitializedRead:
    return "uninitialized read";
  case TrapKind::DataRace:
    return "data race";
  case TrapKind::Overlap:
    return "overlap";
  case TrapKind::ReadOnlyRegion:
    return "read-only region";
  case TrapKind::UnsupportedType:
    return "unsupported type";
  case TrapKind::BadOperand:
    return "bad operand";
  case TrapKind::SemaphoreConflict:
    return "semaphore conflict";
  case TrapKind::Deadlock:
    return "deadlock";
  case TrapKind::CycleLimit:
    return "cycle limit";
  case TrapKind::StepLimit:
    return "step limit";
  }
  llvm_unreachable("unknown kind of trap");
}

void Trap::printPlace(raw_ostream &os) const {
  os << stream << ", instruction " << instruction << " (" << mnemonic;
  for (unsigned k = 0; k < depth; ++k)
    os << (k == 0 ? " at " : ", ") << "i" << k << " = " << counters[k];
  os << ")";
  if (!source.empty())
    os << " of " << source;
}

void Trap::log(raw_ostream &os) const {
  os << toString(kind) << ": ";
  if (instruction >= 0) {
    printPlace(os);
    os << ": ";
  }
  os << detail;
}

std::error_code Trap::convertToErrorCode() const { return inconvertibleErrorCode(); }

Error npu::sim::makeTrap(TrapKind kind, const Twine &detail) {
  return make_error<Trap>(kind, detail.str());
}

int64_t StreamStats::getWaitCycles() const {
  int64_t cycles = 0;
  for (auto [semaphore, waited] : waits)
    cycles += waited;
  return cycles;
}

Error npu::sim::checkMemory(const isa::Program &program, const Options &options) {
  double bytes = 0; // cannot overflow, and is only compared
  for (const isa::Region &region : program.regions) {
    bool isReadOnly =
        region.kind == isa::RegionKind::Input || region.kind == isa::RegionKind::Constants;
    bytes += double(region.bytes) * (isReadOnly ? 1 : 1 + sizeof(uint32_t));
  }
  if (bytes <= double(options.memoryLimit))
    return Error::success();
  return createStringError(
      inconvertibleErrorCode(),
      formatv(
          "the regions of kernel '{0}' need {1:F0} bytes of memory, more than the limit of {2}; "
          "use smaller shapes or a larger --memory-limit",
          program.name, bytes, options.memoryLimit));
}

Expected<Result> npu::sim::simulate(const isa::Program &program,
                                    ArrayRef<MutableArrayRef<uint8_t>> regions,
                                    const Options &options) {
  if (Error error = isa::checkProgram(program))
    return std::move(error);
  Expected<TargetDesc> target = parseTarget(program.target);
  if (!target)
    return target.takeError();
  if (Error error = checkMemory(program, options))
    return std::move(error);
  if (regions.size() != program.regions.size())
    return createStringError(inconvertibleErrorCode(),
                             formatv("expected {1} regions of program '{0}', found {2}",
                                     program.name, program.regions.size(), regions.size()));
  for (auto [region, data] : llvm::zip(program.regions, regions))
    if (region.kind != isa::RegionKind::Constants && int64_t(data.size()) != region.bytes)
      return createStringError(inconvertibleErrorCode(),
                               formatv("expected {1} bytes for region '{0}', found {2}",
                                       region.name, region.bytes, data.size()));
  Expected<std::unique_ptr<Machine>> machine = Machine::create(program, *target, regions, options);
  if (!machine)
    return machine.takeError();
  return (*machine)->run();
}

Expected<Result> npu::sim::measure(const isa::Program &program, const Options &options) {
  if (Error error = isa::checkProgram(program))
    return std::move(error);
  Expected<TargetDesc> target = parseTarget(program.target);
  if (!target)
    return target.takeError();
  Expected<std::unique_ptr<Machine>> machine =
      Machine::create(program, *target, /*data=*/std::nullopt, options);
  if (!machine)
    return machine.takeError();
  return (*machine)->run();
}
