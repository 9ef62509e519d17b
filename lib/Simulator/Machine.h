//===- Machine.h - streams, time and synchronization ----------------------===//

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
  /// What the sequencer of a stream does.
  enum class Phase : uint8_t {
    Issue,    ///< the instruction at issue may start at `time` if its waits hold
    Blocked,  ///< it waits for a semaphore
    Draining, ///< it waits until those before it have ended
    Busy,     ///< the next instruction is issued when one under way has ended
    Halted,
  };
  struct LoopFrame {
    size_t begin;  ///< index of the `loop`
    int64_t trips; ///< number of iterations
  };
  /// An instruction that has started and not ended.
  struct Flight {
    enum class Stage : uint8_t {
      Latency, ///< a transfer's first byte may come at `time`
      Move,    ///< a transfer moves bytes
      Execute, ///< ends at `time`, but not before those before it
    };
    Stage stage = Stage::Execute;
    int64_t time = 0;
    int64_t moveStart = 0, chipEnd = 0; ///< of a transfer: from when to when the chip side moves
    isa::DmaCost transfer;
    bool isTransfer = false;
    Event event;
    Clock clock; ///< at its start; empty where no other starts before it ends
  };
  struct Engine {
    const isa::Stream *code = nullptr;
    Phase phase = Phase::Halted;
    size_t next = 0; ///< the instruction at issue, or the last one that was
    int64_t time = 0;
    isa::Counters counters = {};
    llvm::SmallVector<LoopFrame, isa::maxLoopDepth> loops;
    Clock clock;           ///< this stream's own entry counts its executed instructions
    int64_t blockedOn = 0; ///< the last semaphore that held the instruction up
    Event event;           ///< the instruction at issue
    llvm::SmallVector<Flight, 2> flights; ///< in their order, in which they end
    int64_t lastEnd = 0;                  ///< when the last of them that has ended did
  };

  Machine(const isa::Program &program, const TargetDesc &target, const Options &options,
          Semaphores semaphores, bool hasData);

  llvm::Error addMemories(RegionData data);
  llvm::Error checkReach() const;
  llvm::Error fetch(Engine &engine);
  llvm::Error issue(unsigned stream);
  llvm::Error start(unsigned stream);
  llvm::Error advance(unsigned stream);
  void move(unsigned stream);
  llvm::Error finish(unsigned stream);
  void wake();
  int64_t getMaxFlights(const Engine &engine) const;
  PartResult *findPart(int64_t source);
  bool actsNow(const Engine &engine) const;
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
