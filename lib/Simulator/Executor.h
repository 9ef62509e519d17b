//===- Executor.h - what each instruction does ----------------------------===//
//
// One visitor with a method per instruction, implemented in one file per engine. An instruction
// takes effect at once, when it starts: the tracker refuses every program for which that could be
// told from a gradual effect.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_SIMULATOR_EXECUTOR_H
#define NPU_LIB_SIMULATOR_EXECUTOR_H

#include "ArrayKernels.h"
#include "Memory.h"
#include "NPU/Simulator/Numbers.h"

#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Target/ISA/Timing.h"

namespace npu::sim {

struct BoxTransfer;

struct ClusterMemories {
  Memory sram, acc;
};

/// What an instruction did and how long it takes.
struct Effect {
  int64_t cycles = 0; ///< of an engine other than a DMA
  bool isTransfer = false, isStore = false;
  bool isLocal = false; ///< a transfer within SRAM: no latency
  isa::DmaCost transfer;
  int64_t macs = 0, elements = 0;
  isa::MacType macType = isa::MacType::I8; ///< of `macs`
};

class Executor final : public isa::InstructionVisitor<llvm::Expected<Effect>> {
public:
  Executor(const TargetDesc &target, llvm::MutableArrayRef<ClusterMemories> clusters,
           llvm::MutableArrayRef<Memory> regions, Tracker &tracker, int64_t cycleLimit,
           bool hasData)
      : target(target), clusters(clusters), regions(regions), tracker(tracker),
        cycleLimit(cycleLimit), hasData(hasData) {}

  llvm::Expected<Effect> execute(const isa::Instruction &instruction, int64_t cluster,
                                 const isa::Counters &counters);

  llvm::Expected<Effect> visit(const isa::Loop &) override;
  llvm::Expected<Effect> visit(const isa::EndLoop &) override;
  llvm::Expected<Effect> visit(const isa::Synchronize &) override;
  llvm::Expected<Effect> visit(const isa::Halt &) override;
  llvm::Expected<Effect> visit(const isa::DmaLoad &) override;
  llvm::Expected<Effect> visit(const isa::DmaGather &) override;
  llvm::Expected<Effect> visit(const isa::DmaCopy &) override;
  llvm::Expected<Effect> visit(const isa::DmaStore &) override;
  llvm::Expected<Effect> visit(const isa::MxuMatmul &) override;
  llvm::Expected<Effect> visit(const isa::MxuConv &) override;
  llvm::Expected<Effect> visit(const isa::MxuDepthwise &) override;
  llvm::Expected<Effect> visit(const isa::VpuFill &) override;
  llvm::Expected<Effect> visit(const isa::VpuUnary &) override;
  llvm::Expected<Effect> visit(const isa::VpuBinary &) override;
  llvm::Expected<Effect> visit(const isa::VpuBinaryImm &) override;
  llvm::Expected<Effect> visit(const isa::VpuSelect &) override;
  llvm::Expected<Effect> visit(const isa::VpuClamp &) override;
  llvm::Expected<Effect> visit(const isa::VpuCast &) override;
  llvm::Expected<Effect> visit(const isa::VpuReduce &) override;
  llvm::Expected<Effect> visit(const isa::VpuArgReduce &) override;
  llvm::Expected<Effect> visit(const isa::VpuScan &) override;
  llvm::Expected<Effect> visit(const isa::VpuIota &) override;
  llvm::Expected<Effect> visit(const isa::VpuTable8 &) override;
  llvm::Expected<Effect> visit(const isa::VpuTable16 &) override;
  llvm::Expected<Effect> visit(const isa::VpuRescale &) override;
  llvm::Expected<Effect> visit(const isa::VpuRequant &) override;
  llvm::Expected<Effect> visit(const isa::VpuRequantImm &) override;

private:
  static constexpr int64_t chunkElements = 1024;
  static constexpr unsigned maxOperands = isa::maxVectorOperands; ///< destination first

  /// A number per dimension of a vector instruction.
  using Extents = std::array<int64_t, isa::maxVectorDims>;

  /// A vector operand with its address evaluated.
  struct Vector {
    Memory *memory = nullptr;
    int64_t base = 0;
    Extents strides = {};
    isa::ElementType type = isa::ElementType::I8;

    Box getBox(const Extents &extents) const;
    Row getRow(int64_t offset, int64_t stride) const {
      return {memory->data + base + offset, stride, type};
    }
  };
  /// Computes `count` elements; rows in operand order, destination first.
  using RowFunction = llvm::function_ref<llvm::Error(llvm::ArrayRef<Row> rows, int64_t count)>;

  // Common to all engines.
  int64_t evaluate(const isa::Extent &extent) const { return isa::evaluate(extent, counters); }
  Memory &getMemory(isa::MemorySpace space);
  /// Whether the destination's old value counts in this iteration.
  bool isAccumulating(isa::AccumulateMode mode, isa::CounterSet unless) const;
  /// The product of extents; traps when it could not be processed within the cycle limit.
  llvm::Expected<int64_t> countWork(llvm::ArrayRef<int64_t> extents, int64_t perCycle) const;
  llvm::Error requireSpace(const isa::Address &address, isa::MemorySpace space,
                           llvm::StringRef operand) const;

  // DMA.
  /// `Side` is where the tensor lies, in `memory`.
  template <typename Side>
  llvm::Expected<BoxTransfer> prepare(const Side &side, const Memory &memory,
                                      const isa::Address &address, llvm::ArrayRef<isa::BoxDim> dims,
                                      const isa::IndexStrides *chosen = nullptr);
  /// What loads have in common: checks, the fill, and the other receivers. `move` brings the data.
  template <typename Op>
  llvm::Expected<Effect> receive(const Op &load, const BoxTransfer &transfer,
                                 llvm::function_ref<llvm::Error()> move);
  llvm::Error copyIn(Memory &region, const BoxTransfer &transfer);
  llvm::Error gatherRows(const isa::DmaGather &gather, const BoxTransfer &transfer);

  // Systolic array.
  /// Checks the result's bytes, computes, and accounts for it.
  llvm::Error readBias(const isa::Address &start, const ArrayProblem &problem, const Box &result);
  llvm::Expected<Effect> multiply(const isa::Accumulate &accumulate, ArrayProblem &problem,
                                  const Box &result,
                                  void (*run)(const ArrayProblem &, ArrayScratch &),
                                  int64_t cycles);
  llvm::Expected<int64_t> countMacs(int64_t pixels, llvm::ArrayRef<int64_t> extents) const;
  struct NamedAddress {
    const isa::Address &address;
    llvm::StringRef name;
  };
  /// Checks that both sides lie in SRAM, and the sums in ACC.
  llvm::Error requireSpaces(NamedAddress left, NamedAddress right, const isa::Address &out,
                            const isa::Accumulate &accumulate) const;
  llvm::Error readWindow(const ArrayProblem &problem, const isa::Window &window,
                         const isa::Pitch &pitch, int64_t base, int64_t channels);
  llvm::Error readPanels(Memory &memory, int64_t base, int64_t panelBytes,
                         llvm::ArrayRef<Box::Dim> taps, int64_t columns, int64_t elementBytes);

  // Vector lanes.
  llvm::Expected<Extents> evaluate(const isa::Shape &shape) const;
  Vector evaluate(const isa::VectorOperand &operand);
  llvm::Error claim(const Extents &extents, const Vector &dst, llvm::ArrayRef<Vector> sources,
                    const Extents &dstExtents);
  llvm::Expected<Effect> elementwise(const Extents &extents, const isa::VectorOperand &dst,
                                     llvm::ArrayRef<const isa::VectorOperand *> sources,
                                     RowFunction function);
  llvm::Expected<Effect> binary(const isa::Shape &shape, const isa::VectorOperand &dst,
                                const isa::VectorOperand &a, const isa::VectorOperand *b,
                                isa::BinaryKind kind, uint32_t immediate);
  llvm::Expected<Effect> requant(const isa::Shape &shape, const isa::VectorOperand &dst,
                                 const isa::VectorOperand &a, const isa::VectorOperand *scale,
                                 const isa::RequantOp &op, float immediate);
  template <typename T>
  void reduce(isa::ReduceKind kind, bool accumulates, const Extents &extents, const Vector &dst,
              const Vector &a, T (&buffers)[maxOperands][chunkElements]);
  template <typename Function>
  llvm::Expected<Effect> alongRows(const isa::Shape &shape, const isa::VectorOperand &dst,
                                   const isa::VectorOperand &a, bool isScan, Function compute);
  template <typename T, typename Function>
  static void visitParts(const Row &a, int64_t length, T *buffer, Function visit);
  llvm::Expected<const uint8_t *> getTable(const isa::Address &address, int64_t entries,
                                           int64_t elementBytes);
  Effect makeVectorEffect(const Extents &extents) const;
  /// Of an instruction whose elements wait for each other along the innermost dimension.
  Effect makeSerialEffect(const Extents &extents) const;

  const TargetDesc &target;
  llvm::MutableArrayRef<ClusterMemories> clusters;
  llvm::MutableArrayRef<Memory> regions;
  Tracker &tracker;
  int64_t cycleLimit;
  bool hasData; ///< or else only the time counts

  // The instruction under way.
  int64_t cluster = 0, passes = 1;
  isa::Counters counters = {};

  // Rows in the computing types.
  int32_t integers[maxOperands][chunkElements];
  float floats[maxOperands][chunkElements];
  ArrayScratch scratch;
};

} // namespace npu::sim

#endif // NPU_LIB_SIMULATOR_EXECUTOR_H
