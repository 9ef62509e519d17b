//===- Machine.h - streams, time and synchronisation ----------------------===//

#ifndef NPU_LIB_SIMULATOR_MACHINE_H
#define NPU_LIB_SIMULATOR_MACHINE_H

#include "DramChannel.h"
#include "Executor.h"
#include "Semaphores.h"

#include <optional>

namespace npu::sim {

/// Runs all streams together. Time jumps from event to event; at one cycle, DRAM transfers end
/// first and streams act in the program's order, so a run is reproducible.
class Machine {
public:
  using RegionData = llvm::ArrayRef<llvm::MutableArrayRef<uint8_t>>;

  /// Without `data` only time passes.
  static llvm::Expected<std::unique_ptr<Machine>> create(const isa::Program &program,
                                                         const TargetDesc &target,
                                                         std::optional<RegionData> data,
                                                         const Options &options);

  llvm::Expected<Result> run();

private:
  enum class Phase : uint8_t {
    Issue,    ///< may start at `time` if its waits hold
    Blocked,  ///< waits for a semaphore
    Latency,  ///< a transfer's first byte arrives at `time`
    Transfer, ///< a transfer moves bytes
    Execute,  ///< ends at `time`
    Halted,
  };
  struct LoopFrame {
    size_t begin;  ///< index of the `loop`
    int64_t trips; ///< number of iterations
  };
  struct Engine {
    const isa::Stream *code = nullptr;
    Phase phase = Phase::Halted;
    size_t next = 0; ///< the instruction at issue or under way
    int64_t time = 0;
    isa::Counters counters = {};
    llvm::SmallVector<LoopFrame, isa::maxLoopDepth> loops;
    Clock clock;           ///< this stream's own entry counts its executed instructions
    int64_t blockedOn = 0; ///< the last semaphore that held the instruction up
    Event event;           ///< the instruction at issue or under way
    Effect effect;
    int64_t chipEnd = 0; ///< when the on-chip side of a transfer is done
  };

  Machine(const isa::Program &program, const TargetDesc &target, const Options &options,
          Semaphores semaphores, bool hasData);

  llvm::Error addMemories(RegionData data);
  llvm::Error checkReach() const;
  llvm::Error fetch(Engine &engine);
  llvm::Error step(unsigned stream);
  llvm::Error start(unsigned stream);
  void finish(unsigned stream);
  int64_t findUnmetWait(const Engine &engine) const;
  llvm::Error makeDeadlock() const;
  llvm::Error addPlace(llvm::Error error, const Engine &engine) const;
  Trap locate(Trap trap, const Engine &engine) const;

  const isa::Program &program;
  TargetDesc target;
  Options options;
  bool hasData;
  Semaphores semaphores;
  Tracker tracker;
  DramChannel dram;
  std::vector<std::vector<uint8_t>> storage; ///< of the on-chip memories
  std::vector<ClusterMemories> clusters;
  std::vector<Memory> regions;
  std::vector<Engine> engines;
  std::unique_ptr<Executor> executor;
  Result result;
  int64_t now = 0, steps = 0;
};

} // namespace npu::sim

#endif // NPU_LIB_SIMULATOR_MACHINE_H
