//===- GroupProblem.cpp - the tiling problems of a kernel's groups --------===//

#include "GroupProblem.h"

#include "NPU/Target/ISA/Instructions.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace npu;
using namespace npu::tile;

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

namespace {
class ProblemBuilder {
public:
  ProblemBuilder(const StageGraph &graph, unsigned group);

  GroupProblem build();

private:
  void addDims();
  void addArray(unsigned stage);
  void addVector(unsigned stage);
  void addStores(unsigned group);
  void addOperand(unsigned stage, unsigned operand);
  void addValue(unsigned value);
  SmallVector<Axis> toProblemAxes(ArrayRef<Axis> axes) const;
  unsigned toProblemDim(unsigned dim) const {
    return llvm::find(result.dims, dim) - result.dims.begin();
  }

  const StageGraph &graph;
  GroupProblem result;
  DenseMap<std::pair<unsigned, unsigned>, unsigned> operandBuffers;
  DenseMap<unsigned, unsigned> valueBuffers;
};
} // namespace

ProblemBuilder::ProblemBuilder(const StageGraph &graph, unsigned group) : graph(graph) {
  for (auto [number, stage] : llvm::enumerate(graph.stages))
    if (stage.group == group)
      (stage.leadsGroup() ? result.root : result.tail) = number;
}

void ProblemBuilder::addDims() {
  const StageOp &root = graph.stages[result.root ? *result.root : *result.tail].getRoot();
  NPUComputeOpInterface op = root.op;
  result.dims = root.dims;
  llvm::SmallDenseSet<unsigned> whole;
  for (std::optional<unsigned> stage : {result.root, result.tail})
    if (stage)
      whole.insert_range(graph.stages[*stage].wholeDims);
  for (auto [number, dim] : llvm::zip_equal(root.dims, op.getTileDims(graph.target))) {
    result.problem.dims.push_back(dim);
    // Its largest op need not be the one that reduces.
    if (result.root)
      result.problem.dims.back().isReduction =
          llvm::is_contained(graph.stages[*result.root].getReductionDims(), number);
    if (whole.contains(number) && dim.fixedTile == 0)
      result.problem.dims.back().fixedTile = dim.extent;
    if (!graph.dims[number].isUnit || dim.isUnit)
      continue;
    // Another stage does not span it.
    result.problem.dims.back().isUnit = true;
    result.problem.dims.back().role = MxuRole::None;
    result.problem.dims.back().fixedTile = 0;
  }
}

SmallVector<Axis> ProblemBuilder::toProblemAxes(ArrayRef<Axis> axes) const {
  SmallVector<Axis> result(axes);
  for (Axis &axis : result)
    for (Term &term : axis.terms)
      term.dim = toProblemDim(term.dim);
  return result;
}

void ProblemBuilder::addOperand(unsigned stage, unsigned operand) {
  auto [known, isNew] = operandBuffers.try_emplace({stage, operand}, result.problem.buffers.size());
  if (!isNew)
    return;
  const StageOperand &description = graph.stages[stage].operands[operand];
  Buffer buffer = description.buffer;
  buffer.axes = toProblemAxes(buffer.axes);
  // Windows overlap, so where they are loaded is worth a search.
  if (stage == result.root &&
      llvm::any_of(buffer.axes, [](const Axis &axis) { return axis.terms.size() > 1; }))
    buffer.role = BufferRole::Input;
  result.problem.buffers.push_back(std::move(buffer));
  result.owners.push_back({operand, stage});
}

void ProblemBuilder::addValue(unsigned value) {
  unsigned root = graph.getBufferRoot(value);
  auto [known, isNew] = valueBuffers.try_emplace(root, result.problem.buffers.size());
  valueBuffers[value] = known->second;
  if (!isNew)
    return;
  Buffer buffer = graph.values[root].buffer;
  buffer.axes = toProblemAxes(buffer.axes);
  result.problem.buffers.push_back(std::move(buffer));
  result.owners.push_back({std::nullopt, graph.values[root].stage, root});
}

void ProblemBuilder::addArray(unsigned number) {
  const Stage &stage = graph.stages[number];
  NPUComputeOpInterface op = stage.getRoot().op;
  result.problem.array = op.getTileWork().array;
  for (auto [index, operand] : llvm::enumerate(stage.operands))
    if (!operand.isInitial)
      addOperand(number, index);
  unsigned accumulator = graph.valueNumbers.lookup(op->getResult(0));
  addValue(accumulator);
  for (auto [index, operand] : llvm::enumerate(stage.operands)) {
    if (!operand.isInitial)
      continue;
    addOperand(number, index);
    SmallVector<unsigned> dims;
    for (unsigned dim : graph.values[accumulator].buffer.getDims())
      dims.push_back(toProblemDim(dim));
    result.problem.vectorOps.push_back({dims, 1});
  }
}

void ProblemBuilder::addVector(unsigned number) {
  for (const StageOp &stageOp : graph.stages[number].ops) {
    NPUComputeOpInterface op = stageOp.op;
    for (OpOperand *operand : op.getDataOperands())
      if (auto known = graph.operandNumbers.find(operand); known != graph.operandNumbers.end()) {
        const StageOperand &description = graph.stages[number].operands[known->second];
        // A value of the group's root is here already.
        if (!description.value || !valueBuffers.contains(*description.value))
          addOperand(number, known->second);
      }
    addValue(graph.valueNumbers.lookup(op->getResult(0)));
    VectorOp work;
    for (unsigned dim : stageOp.dims)
      if (!graph.dims[dim].isUnit)
        work.dims.push_back(toProblemDim(dim));
    work.passes = op.getTileWork().passes;
    work.transferBytes = op.getTileWork().transferBytes;
    work.isInReductions = number == result.root;
    result.problem.vectorOps.push_back(std::move(work));
  }
}

void ProblemBuilder::addStores(unsigned group) {
  auto addStore = [&](unsigned value, ArrayRef<Axis> axes) {
    unsigned buffer = valueBuffers.lookup(value);
    result.problem.stores.push_back({buffer, toProblemAxes(axes)});
    result.problem.accumulatorIsStored |=
        result.problem.buffers[buffer].role == BufferRole::Accumulator;
  };
  for (const StageResult &kernelResult : graph.results)
    if (graph.stages[graph.values[kernelResult.value].stage].group == group)
      addStore(kernelResult.value, kernelResult.axes);
  llvm::SmallDenseSet<unsigned> stored;
  for (const Stage &stage : graph.stages)
    for (const StageOperand &operand : stage.operands)
      if (operand.value && stage.group != group &&
          graph.stages[graph.values[*operand.value].stage].group == group &&
          stored.insert(*operand.value).second)
        addStore(*operand.value, graph.getScratchAxes(*operand.value));
}

GroupProblem ProblemBuilder::build() {
  unsigned group = graph.stages[result.root ? *result.root : *result.tail].group;
  addDims();
  if (result.root && graph.stages[*result.root].isArray)
    addArray(*result.root);
  else if (result.root)
    addVector(*result.root);
  if (result.tail)
    addVector(*result.tail);
  addStores(group);
  if (ClusterAttr cluster = graph.kernel.getClusterAttr())
    result.problem.fixedSplit =
        ClusterSplit{static_cast<unsigned>(cluster.getDim()), cluster.getCount()};
  else if (graph.numGroups > 1)
    // Clusters do not wait for each other's parts.
    result.problem.fixedSplit = ClusterSplit();
  return std::move(result);
}

GroupProblem npu::makeProblem(const StageGraph &graph, unsigned group) {
  return ProblemBuilder(graph, group).build();
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

namespace {
/// When a load happens: before the loops that compute a tile of the result, right before the
/// root, or after it.
enum class LoadTime { BeforeRoot, WithRoot, AfterRoot };

using Nodes = SmallVector<Attribute>;

/// The nodes of one group.
class GroupWriter {
public:
  GroupWriter(const StageGraph &graph, const GroupProblem &group, const Schedule &schedule,
              const llvm::DenseSet<unsigned> &resident)
      : graph(graph), group(group), problem(group.problem), schedule(schedule), resident(resident),
        context(graph.kernel.getContext()), numParallel(schedule.getNumParallelLoops(problem)),
        numSpareLoops(isa::maxLoopDepth -
                      std::min<unsigned>(isa::maxLoopDepth, schedule.order.size())) {}

  Nodes write() { return writeLevel(0); }
  /// Whether the stage's values are on chip for the whole kernel.
  bool isResident(unsigned stage) const;

private:
  Nodes writeLevel(unsigned level);
  LoadTime getLoadTime(unsigned buffer) const;
  void addLoads(Nodes &nodes, unsigned level, LoadTime time) const;
  void wrapInWholeLoops(Nodes &nodes, ArrayRef<unsigned> dims) const;
  SmallVector<unsigned> takeWholeDims(bool areReductions);
  Attribute makeLoop(unsigned dim, int64_t tile, int64_t clusters, ArrayRef<Attribute> body) const;
  StringAttr getStageName(unsigned stage) const {
    return StringAttr::get(context, graph.stages[stage].name);
  }
  int64_t getValueDepth(BufferRole role) const;

  const StageGraph &graph;
  const GroupProblem &group;
  const Problem &problem;
  const Schedule &schedule;
  const llvm::DenseSet<unsigned> &resident; ///< values on chip for the whole kernel
  MLIRContext *context;
  unsigned numParallel;
  /// Loops that a stream could have beside those of the schedule.
  unsigned numSpareLoops;
};
} // namespace

/// Loads of the tail that several tiles share do not wait for the first one.
LoadTime GroupWriter::getLoadTime(unsigned buffer) const {
  unsigned level = schedule.levels[buffer];
  if (problem.buffers[buffer].role == BufferRole::Input)
    return level == schedule.order.size() ? LoadTime::WithRoot : LoadTime::BeforeRoot;
  bool isLate = group.root && group.owners[buffer].stage == group.tail && level == numParallel;
  return isLate ? LoadTime::AfterRoot : LoadTime::BeforeRoot;
}

void GroupWriter::addLoads(Nodes &nodes, unsigned level, LoadTime time) const {
  for (auto [index, buffer] : llvm::enumerate(problem.buffers)) {
    if (!buffer.isLoaded() || schedule.levels[index] != level || getLoadTime(index) != time)
      continue;
    const GroupProblem::Owner &owner = group.owners[index];
    const StageOperand &operand = graph.stages[owner.stage].operands[*owner.operand];
    if (operand.value && resident.contains(*operand.value))
      continue;
    std::string name = graph.stages[owner.stage].name + "." + operand.name;
    nodes.push_back(
        ScheduleLoadAttr::get(context, StringAttr::get(context, name), schedule.depths[index]));
  }
}

Attribute GroupWriter::makeLoop(unsigned dim, int64_t tile, int64_t clusters,
                                ArrayRef<Attribute> body) const {
  return ScheduleLoopAttr::get(context, StringAttr::get(context, graph.dims[group.dims[dim]].name),
                               tile, clusters, body);
}

/// A dimension that tiles span whole has a loop of one iteration, so that programs have the same
/// form whether or not a tensor fits; none where streams would have more loops than they can.
SmallVector<unsigned> GroupWriter::takeWholeDims(bool areReductions) {
  SmallVector<unsigned> dims;
  for (auto [index, dim] : llvm::enumerate(problem.dims)) {
    if (dim.isReduction != areReductions || dim.isUnit || dim.isReluctant ||
        schedule.getLoop(index) || numSpareLoops == 0)
      continue;
    dims.push_back(index);
    --numSpareLoops;
  }
  return dims;
}

void GroupWriter::wrapInWholeLoops(Nodes &nodes, ArrayRef<unsigned> dims) const {
  for (unsigned dim : llvm::reverse(dims))
    nodes = {makeLoop(dim, problem.dims[dim].extent, 1, nodes)};
}

bool GroupWriter::isResident(unsigned stage) const {
  return llvm::any_of(resident, [&](unsigned value) { return graph.values[value].stage == stage; });
}

/// Ring depth of the buffers of values of `role`, which have all the same.
int64_t GroupWriter::getValueDepth(BufferRole role) const {
  for (auto [buffer, depth] : llvm::zip_equal(problem.buffers, schedule.depths))
    if (buffer.role == role)
      return depth;
  return 1;
}

/// Everything inside `level` loops.
Nodes GroupWriter::writeLevel(unsigned level) {
  SmallVector<unsigned> whole;
  if (level == numParallel)
    whole = takeWholeDims(/*areReductions=*/false);
  Nodes nodes;
  addLoads(nodes, level, LoadTime::BeforeRoot);
  if (level == numParallel && group.root && !isResident(*group.root)) {
    bool isArray = graph.stages[*group.root].isArray;
    nodes.push_back(ScheduleValueAttr::get(
        context, getStageName(*group.root), isArray ? MemorySpace::Acc : MemorySpace::Sram,
        getValueDepth(isArray ? BufferRole::Accumulator : BufferRole::Value)));
  }
  if (level < schedule.order.size()) {
    unsigned dim = schedule.order[level];
    bool isSplit = schedule.clusterCount > 1 && dim == schedule.clusterDim;
    nodes.push_back(makeLoop(dim, schedule.tiles[dim], isSplit ? schedule.clusterCount : 1,
                             writeLevel(level + 1)));
  } else if (group.root) {
    SmallVector<unsigned> wholeReductions = takeWholeDims(/*areReductions=*/true);
    Nodes inner;
    addLoads(inner, level, LoadTime::WithRoot);
    inner.push_back(ScheduleStageAttr::get(context, getStageName(*group.root), std::nullopt, 1, 0));
    wrapInWholeLoops(inner, wholeReductions);
    nodes.append(inner);
  }
  if (level == numParallel) {
    addLoads(nodes, level, LoadTime::AfterRoot);
    if (group.tail) {
      bool isOutside = isResident(*group.tail);
      nodes.push_back(
          ScheduleStageAttr::get(context, getStageName(*group.tail),
                                 isOutside ? std::nullopt : std::optional(MemorySpace::Sram),
                                 isOutside ? 1 : getValueDepth(BufferRole::Value), 0));
    }
    wrapInWholeLoops(nodes, whole);
  }
  return nodes;
}

/// Bytes of a value as a whole.
static int64_t getWholeBytes(const StageValue &value) {
  int64_t bytes = value.buffer.elementBytes;
  for (const Axis &axis : value.buffer.axes)
    bytes *= axis.extent;
  return getSlotBytes(bytes);
}

/// Whether the values of a stage that others use could stay on chip for the whole kernel.
static bool mayStay(const StageGraph &graph, unsigned stage) {
  if (graph.stages[stage].isArray)
    return false; // the matrix engine does not read what it writes
  bool isUsed = false;
  for (auto [number, value] : llvm::enumerate(graph.values)) {
    if (value.stage != stage || !value.escapes)
      continue;
    // Each tile of the buffer is a view of a whole one.
    if (value.buffer.order.size() != value.buffer.axes.size() ||
        graph.values[graph.getBufferRoot(number)].stage != stage)
      return false;
    for (const Stage &reader : graph.stages)
      for (const StageOperand &operand : reader.operands) {
        if (operand.value != number)
          continue;
        isUsed = true;
        if (!operand.isAligned || operand.isInitial || operand.buffer.panelColumns != 0 ||
            (reader.isArray && operand.buffer.getDims() != value.buffer.getDims()))
          return false;
      }
  }
  return isUsed;
}

/// Values that are kept on chip between groups: greedily, in the order of the stages.
static llvm::DenseSet<unsigned> chooseResidents(const StageGraph &graph,
                                                ArrayRef<GroupProblem> problems,
                                                ArrayRef<Schedule> schedules) {
  llvm::DenseSet<unsigned> resident;
  if (problems.size() == 1)
    return resident;
  SmallVector<int64_t> used;
  for (auto [problem, schedule] : llvm::zip_equal(problems, schedules))
    used.push_back(getFootprint(problem.problem, schedule).sramBytes);
  for (auto [stage, description] : llvm::enumerate(graph.stages)) {
    if (!mayStay(graph, stage))
      continue;
    unsigned last = description.group;
    int64_t bytes = 0;
    for (auto [number, value] : llvm::enumerate(graph.values)) {
      if (value.stage != stage || !value.escapes)
        continue;
      bytes += getWholeBytes(value);
      for (const Stage &reader : graph.stages)
        for (const StageOperand &operand : reader.operands)
          if (operand.value == number)
            last = std::max(last, reader.group);
    }
    auto span = MutableArrayRef(used).slice(description.group, last - description.group + 1);
    if (llvm::any_of(span, [&](int64_t live) { return live + bytes > graph.target.sramBytes; }))
      continue;
    for (int64_t &live : span)
      live += bytes;
    for (auto [number, value] : llvm::enumerate(graph.values))
      if (value.stage == stage && value.escapes)
        resident.insert(number);
  }
  return resident;
}

static bool isLoadBehindLoop(ArrayRef<Attribute> nodes) {
  const auto *loop = llvm::find_if(nodes, llvm::IsaPred<ScheduleLoopAttr>);
  return std::any_of(loop, nodes.end(), llvm::IsaPred<ScheduleLoadAttr>);
}

ScheduleAttr npu::makeSchedule(const StageGraph &graph, ArrayRef<GroupProblem> problems,
                               ArrayRef<Schedule> schedules) {
  MLIRContext *context = graph.kernel.getContext();
  llvm::DenseSet<unsigned> resident = chooseResidents(graph, problems, schedules);
  Nodes nodes;
  double cycles = 0;
  for (auto [group, schedule] : llvm::zip_equal(problems, schedules)) {
    GroupWriter writer(graph, group, schedule, resident);
    for (std::optional<unsigned> stage : {group.root, group.tail})
      if (stage && writer.isResident(*stage))
        nodes.push_back(ScheduleValueAttr::get(
            context, StringAttr::get(context, graph.stages[*stage].name), MemorySpace::Sram, 1));
    nodes.append(writer.write());
    cycles += schedule.predictedCycles;
  }
  // A load behind the loops may take the place of a ring of theirs, all of which it then waits for.
  bool isTight = problems.size() == 1 && !isLoadBehindLoop(nodes);
  return ScheduleAttr::get(context, nodes, static_cast<int64_t>(cycles), isTight);
}

LogicalResult npu::reportDoesNotFit(const StageGraph &graph, const GroupProblem &group,
                                    const Schedule &schedule) {
  const Problem &problem = group.problem;
  Footprint footprint = getFootprint(problem, schedule);
  bool isAcc = footprint.accBytes > graph.target.accBytes;
  const char *memory = isAcc ? "accumulator memory" : "SRAM";
  std::string needed, limit;
  llvm::raw_string_ostream os(needed);
  os << (isAcc ? footprint.accBytes : footprint.sramBytes) << " bytes of " << memory
     << " for the tile";
  for (auto [dim, size] : llvm::zip(problem.dims, schedule.tiles))
    os << ' ' << dim.name << '=' << size;
  llvm::raw_string_ostream(limit) << "at most "
                                  << (isAcc ? graph.target.accBytes : graph.target.sramBytes)
                                  << " bytes on target '" << graph.target.name << "'";
  NPUComputeOpInterface root = graph.stages[group.root ? *group.root : *group.tail].getRoot().op;
  // An op may have sizes that it cannot have otherwise; given are those that it carries.
  bool isGiven = llvm::any_of(llvm::zip_equal(root.getTileSizes(), root.getTileDims(graph.target)),
                              [](auto entry) {
                                auto &[size, dim] = entry;
                                return size > 0 && !dim.isUnit;
                              });
  RejectionKind kind = isGiven ? RejectionKind::GivenTile : RejectionKind::DoesNotFit;
  InFlightDiagnostic diagnostic = emitRejection(root, {kind, needed, limit});
  for (auto [index, buffer] : llvm::enumerate(problem.buffers)) {
    std::string shape;
    llvm::raw_string_ostream os(shape);
    llvm::interleave(getBufferShape(problem, schedule, index), os, "x");
    diagnostic.attachNote(root->getLoc())
        << buffer.name << ": " << shape << " elements of " << buffer.elementBytes << " bytes, "
        << schedule.depths[index] << " times " << getSlotBytes(problem, schedule, index)
        << " bytes of " << (buffer.role == BufferRole::Accumulator ? "accumulator memory" : "SRAM");
  }
  return diagnostic;
}
