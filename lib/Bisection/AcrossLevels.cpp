//===- AcrossLevels.cpp - what the passes between two levels broke --------===//

#include "AcrossLevels.h"

#include "LevelTrace.h"
#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Execution/NPUExecutor.h"
#include "NPU/Tensor/Compare.h"

#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <set>

using namespace mlir;
using namespace npu;
using namespace npu::runtime;
using llvm::formatv;

static constexpr StringLiteral prefix = "npu op ";

OwningOpRef<ModuleOp> npu::runtime::numberOps(KernelOp kernel) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  Operation *copy = OpBuilder::atBlockEnd(module->getBody()).clone(*kernel);
  unsigned next = 0;
  copy->walk([&](Operation *op) {
    auto name = StringAttr::get(op->getContext(), prefix + Twine(next++));
    op->setLoc(NameLoc::get(name, op->getLoc()));
  });
  return module;
}

static std::optional<unsigned> parseNumber(StringRef name) {
  unsigned number;
  if (name.consume_front(prefix) && !name.getAsInteger(10, number))
    return number;
  return std::nullopt;
}

/// The number of the op of the upper level that an op is of.
static std::optional<unsigned> getNumber(Operation *op) {
  std::optional<unsigned> number;
  op->getLoc()->walk([&](Location loc) {
    if (auto name = dyn_cast<NameLoc>(loc))
      number = parseNumber(name.getName());
    return number ? WalkResult::interrupt() : WalkResult::advance();
  });
  return number;
}

static interpreter::Options getOptions(const sim::Options &simulator) {
  interpreter::Options options;
  options.memoryLimit = simulator.memoryLimit;
  options.opLimit = simulator.stepLimit;
  return options;
}

/// Runs a form; what it writes counts even where it does not come to its end.
static void observe(KernelOp kernel, ArrayRef<HostTensor> inputs, const sim::Options &simulator,
                    std::function<void(const interpreter::Write &)> onWrite) {
  interpreter::Options options = getOptions(simulator);
  options.onWrite = std::move(onWrite);
  llvm::consumeError(interpreter::interpret(kernel, inputs, options).takeError());
}

/// What a step has written, in the order of its offsets.
static HostTensor getValues(const interpreter::Write &write) {
  const interpreter::View &view = write.destination;
  int64_t bytes = getElementBytes(view.elementType);
  std::vector<uint8_t> values;
  for (int64_t offset : write.offsets)
    llvm::append_range(values, ArrayRef(view.memory->bytes).slice(offset, bytes));
  ElementType type = interpreter::getHostType(view.elementType).value_or(ElementType::I8);
  return llvm::cantFail(
      HostTensor::create(type, {int64_t(write.offsets.size())}, std::move(values)));
}

//===----------------------------------------------------------------------===//
// From tensor form to tile form
//===----------------------------------------------------------------------===//

namespace {
/// The elements of a value of the upper level.
class KnownValues {
public:
  void add(const HostTensor &values) {
    for (int64_t i = 0; i < values.getNumElements(); ++i) {
      double value = values.getFloat(i);
      hasNaN |= value != value;
      if (value == value)
        known.insert(value);
      if (std::isfinite(value))
        largest = std::max(largest, std::abs(value));
    }
  }
  /// Sums may be added up in another order.
  bool has(double value, ElementType type) const {
    if (value != value)
      return hasNaN;
    double allowed = isFloat(type) ? 2 * getUlp(value, type) + 1e-5 * largest : 0;
    if (!std::isfinite(value))
      return known.count(value);
    auto nearest = known.lower_bound(value - allowed);
    return nearest != known.end() && *nearest <= value + allowed;
  }

private:
  std::set<double> known;
  double largest = 0;
  bool hasNaN = false;
};
} // namespace

/// Whether sums that the op adds up over loops are complete in an iteration.
static bool isComplete(const interpreter::Write &write) {
  ValueRange init = llvm::TypeSwitch<Operation *, ValueRange>(write.op)
                        .Case<MatmulOp, ConvOp, ReduceOp, PoolOp>(
                            [](auto sum) -> ValueRange { return sum.getInit(); })
                        .Default([](Operation *) { return ValueRange(); });
  SmallVector<scf::ForOp> loops;
  for (Operation *op = write.op->getParentOp(); op; op = op->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(op))
      loops.insert(loops.begin(), loop);
  return llvm::all_of(init, [&](Value value) {
    for (auto [loop, counter] : llvm::zip(loops, write.counters))
      if (value == loop.getInductionVar())
        return counter + 1 == getTripCount(loop);
    return false;
  });
}

static std::vector<std::string> describe(const Step &step, StringRef problem) {
  return {"first op that differs: " + step.text,
          "  at " + step.place + (step.loops.empty() ? "" : ", " + step.loops), problem.str()};
}

/// `getKey` is equal for ops that are to give the same.
static std::vector<std::string>
compareWithTensors(KernelOp tensor, KernelOp lower, ArrayRef<HostTensor> inputs,
                   const sim::Options &simulator,
                   llvm::function_ref<std::optional<std::string>(Operation *)> getKey) {
  std::map<std::string, KnownValues> known;
  std::map<std::string, std::string> texts;
  observe(tensor, inputs, simulator, [&](const interpreter::Write &write) {
    if (std::optional<std::string> key = getKey(write.op)) {
      known[*key].add(getValues(write));
      texts.try_emplace(*key, printOp(write.op));
    }
  });
  std::vector<std::string> lines;
  observe(lower, inputs, simulator, [&](const interpreter::Write &write) {
    if (!lines.empty() || !llvm::isa<NPUComputeOpInterface>(write.op) || !isComplete(write))
      return;
    std::optional<std::string> key = getKey(write.op);
    auto values = key ? known.find(*key) : known.end();
    if (values == known.end())
      return;
    HostTensor found = getValues(write);
    for (auto [position, offset] : llvm::enumerate(write.offsets)) {
      if (values->second.has(found.getFloat(position), found.getElementType()))
        continue;
      Step step = describeWrite(write);
      const WrittenElement &element = step.written[{write.destination.memory->name, offset}];
      lines = describe(step, formatv("{0}: found {1}, which no element is that the tensor form "
                                     "gives there",
                                     element.place, element.value)
                                 .str());
      lines.push_back("in tensor form: " + texts[*key]);
      return;
    }
  });
  return lines;
}

std::vector<std::string> npu::runtime::findOddOp(KernelOp tensorForm, KernelOp kernel,
                                                 ArrayRef<HostTensor> inputs,
                                                 const sim::Options &simulator) {
  return compareWithTensors(tensorForm, kernel, inputs, simulator,
                            [](Operation *op) -> std::optional<std::string> {
                              return op->getName().getStringRef().str();
                            });
}

//===----------------------------------------------------------------------===//
// From tile form down
//===----------------------------------------------------------------------===//

namespace {
/// What the steps of one op have written: each counts once, as clusters load the same.
struct Writes {
  unsigned order = 0; ///< of the first step
  std::set<uint64_t> digests;
  Step first;
};
/// By the number of the op and, between forms, its name: passes add ops for others.
using WritesOfOps = std::map<std::pair<unsigned, std::string>, Writes>;

/// What the lower level may do otherwise for an op.
struct Latitude {
  bool inParts = false;   ///< in several steps, which also write what is between them
  bool elsewhere = false; ///< at other places
  bool notAtAll = false;
};
} // namespace

/// Levels name memories in DRAM differently.
static void add(WritesOfOps &writes, unsigned number, StringRef name, StringRef memory,
                ArrayRef<std::pair<int64_t, ArrayRef<uint8_t>>> elements,
                llvm::function_ref<Step()> describe) {
  if (elements.empty())
    return;
  auto [known, isNew] = writes.try_emplace({number, name.str()});
  if (isNew) {
    known->second.order = writes.size();
    known->second.first = describe();
  }
  uint64_t digest = 0;
  for (auto [offset, bytes] : elements)
    digest += getDigest(memory.starts_with("cluster ") ? memory : "memory", offset, bytes);
  known->second.digests.insert(digest);
}

/// `isRelative`: to where the destination begins.
static WritesOfOps getWrites(KernelOp kernel, bool isRelative, ArrayRef<HostTensor> inputs,
                             const sim::Options &simulator) {
  WritesOfOps writes;
  observe(kernel, inputs, simulator, [&](const interpreter::Write &write) {
    std::optional<unsigned> number = getNumber(write.op);
    if (!number)
      return;
    const interpreter::View &view = write.destination;
    int64_t bytes = getElementBytes(view.elementType);
    std::vector<std::pair<int64_t, ArrayRef<uint8_t>>> elements;
    for (int64_t offset : write.offsets)
      elements.push_back({isRelative ? offset - view.offset : offset,
                          ArrayRef(view.memory->bytes).slice(offset, bytes)});
    add(writes, *number, isRelative ? write.op->getName().getStringRef() : StringRef(),
        isRelative ? StringRef() : StringRef(view.memory->name), elements,
        [&] { return describeWrite(write); });
  });
  return writes;
}

static WritesOfOps getWrites(const isa::Program &program, ArrayRef<HostTensor> inputs,
                             const sim::Options &simulator) {
  WritesOfOps writes;
  sim::Options options = simulator;
  options.recordEvents = false;
  options.partOfSource.clear();
  options.onExecution = [&](const sim::Execution &execution) {
    const isa::Instruction &instruction =
        program.streams[execution.stream].code[execution.instruction];
    int64_t source = std::visit([](const auto &held) { return int64_t(held.source); }, instruction);
    std::optional<unsigned> number =
        source == 0 ? std::nullopt : parseNumber(program.sources[source - 1]);
    if (!number)
      return;
    int64_t bytes = isa::getByteSize(getWrittenType(instruction));
    std::vector<std::pair<int64_t, ArrayRef<uint8_t>>> elements;
    StringRef memory;
    for (const sim::WrittenBytes &write : execution.writes) {
      // What other clusters receive is the same.
      if (!memory.empty() && memory != write.memory)
        continue;
      memory = write.memory;
      for (int64_t at = 0; at + bytes <= int64_t(write.bytes.size()); at += bytes)
        elements.push_back({write.begin + at, write.bytes.slice(at, bytes)});
    }
    add(writes, *number, "", memory, elements,
        [&] { return describeExecution(program, execution); });
  };
  SmallVector<HostTensor> types;
  for (const isa::Region &region : program.regions)
    if (isa::isOutput(region.kind))
      types.push_back(HostTensor(ElementType::I8, {region.bytes}));
  llvm::consumeError(launch(program, inputs, types, options).takeError());
  return writes;
}

/// What passes below tile form may do otherwise, by the numbers of ops.
static std::map<unsigned, Latitude> getLatitudes(KernelOp tileForm) {
  std::map<unsigned, Latitude> latitudes;
  DenseSet<Value> begun;
  tileForm.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op).Case<MatmulOp, ConvOp>([&](auto contraction) {
      if (contraction.getBegin())
        for (Value operand : {op->getOperand(0), op->getOperand(1)})
          begun.insert(memref::skipViewLikeOps(cast<MemrefValue>(operand)));
      if (std::optional<unsigned> number = getNumber(op); number && contraction.getEnd())
        latitudes[*number].inParts = true;
    });
  });
  // What is between groups may stay on chip, and what does not has its dimensions in any order.
  auto isScratch = [](Value memory) {
    return memref::skipViewLikeOps(cast<MemrefValue>(memory)).getDefiningOp() != nullptr;
  };
  tileForm.walk([&](Operation *op) {
    std::optional<unsigned> number = getNumber(op);
    if (auto load = dyn_cast<DmaLoadOp>(op); load && number) {
      latitudes[*number].inParts |=
          begun.contains(memref::skipViewLikeOps(cast<MemrefValue>(load.getDst())));
      latitudes[*number].notAtAll |= isScratch(load.getSrc());
    } else if (auto store = dyn_cast<DmaStoreOp>(op);
               store && number && isScratch(store.getDst())) {
      latitudes[*number].elsewhere = latitudes[*number].notAtAll = true;
    }
  });
  return latitudes;
}

static std::vector<std::string> compareWrites(const WritesOfOps &upper, const WritesOfOps &lower,
                                              llvm::function_ref<Latitude(unsigned)> getLatitude) {
  SmallVector<std::pair<WritesOfOps::key_type, const Writes *>> inOrder;
  for (const auto &[op, writes] : upper)
    inOrder.push_back({op, &writes});
  llvm::sort(inOrder,
             [](const auto &a, const auto &b) { return a.second->order < b.second->order; });
  for (const auto &[op, writes] : inOrder) {
    auto found = lower.find(op);
    Latitude latitude = getLatitude(op.first);
    if (found == lower.end() ? latitude.notAtAll : latitude.elsewhere)
      continue;
    if (found == lower.end())
      return describe(writes->first, "the next level does nothing for this op");
    const std::set<uint64_t> &digests = found->second.digests;
    // The last cluster may go past the end.
    bool isDone = std::includes(digests.begin(), digests.end(), writes->digests.begin(),
                                writes->digests.end());
    if (isDone || (latitude.inParts && digests.size() != writes->digests.size()))
      continue;
    std::vector<std::string> lines =
        describe(found->second.first, "it writes other elements, or elsewhere, than the op of the "
                                      "level above");
    lines.push_back("in the level above: " + writes->first.text);
    lines.push_back("  at " + writes->first.place);
    return lines;
  }
  return {};
}

std::vector<std::string> npu::runtime::findBrokenOp(const KernelLevels &levels, Level upper,
                                                    ArrayRef<HostTensor> inputs,
                                                    const sim::Options &simulator) {
  switch (upper) {
  case Level::Tensor:
    return compareWithTensors(levels.getKernel(Level::Tensor), levels.getKernel(Level::Tile),
                              inputs, simulator, [](Operation *op) -> std::optional<std::string> {
                                if (std::optional<unsigned> number = getNumber(op))
                                  return std::to_string(*number);
                                return std::nullopt;
                              });
  case Level::Tile: {
    std::map<unsigned, Latitude> latitudes = getLatitudes(levels.getKernel(Level::Tile));
    return compareWrites(
        getWrites(levels.getKernel(Level::Tile), /*isRelative=*/true, inputs, simulator),
        getWrites(levels.getKernel(Level::Planned), /*isRelative=*/true, inputs, simulator),
        [&](unsigned number) { return latitudes[number]; });
  }
  case Level::Planned: {
    Latitude latitude;
    latitude.inParts = true;
    return compareWrites(
        getWrites(levels.getKernel(Level::Planned), /*isRelative=*/false, inputs, simulator),
        getWrites(levels.getProgram(), inputs, simulator), [&](unsigned) { return latitude; });
  }
  case Level::Program:
    break;
  }
  return {};
}
