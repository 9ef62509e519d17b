//===- GroupProblem.cpp - the tiling problems of a kernel's groups --------===//

#include "GroupProblem.h"

#include "NPU/Target/ISA/Instructions.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu;
using namespace npu::tile;

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

namespace {
/// Collects the buffers and the work of the groups [firstGroup, endGroup).
class ProblemBuilder {
public:
  ProblemBuilder(const StageGraph &graph, unsigned firstGroup, unsigned endGroup, Problem &problem,
                 SmallVectorImpl<unsigned> &dims, std::vector<BufferOwner> &owners)
      : graph(graph), firstGroup(firstGroup), endGroup(endGroup), problem(problem), dims(dims),
        owners(owners) {}

  /// `root`: its ops also run inside the loops over what they reduce.
  void addStage(unsigned stage, std::optional<unsigned> root);
  /// Adds a stage that makes, panel by panel, what another one reads on chip.
  void addByPanels(unsigned stage);
  void addStores();
  void setSplit();
  unsigned getBufferRoot(unsigned value) const;
  unsigned toProblemDim(unsigned dim) const { return llvm::find(dims, dim) - dims.begin(); }

private:
  void addArray(unsigned stage, std::optional<unsigned> root);
  void addVector(unsigned stage, std::optional<unsigned> root);
  void addOperand(unsigned stage, unsigned operand, std::optional<unsigned> root);
  void addMaker(unsigned stage);
  StagePanels toProblemPanels(unsigned stage) const;
  void addValue(unsigned value);
  SmallVector<Axis> toProblemAxes(ArrayRef<Axis> axes) const;
  bool isInside(unsigned stage) const {
    return graph.stages[stage].group >= firstGroup && graph.stages[stage].group < endGroup;
  }

  const StageGraph &graph;
  unsigned firstGroup, endGroup;
  Problem &problem;
  SmallVectorImpl<unsigned> &dims;
  std::vector<BufferOwner> &owners;
  DenseMap<std::pair<unsigned, unsigned>, unsigned> operandBuffers;
  DenseMap<unsigned, unsigned> valueBuffers;
  llvm::SmallDenseSet<unsigned> byPanels; ///< stages
};
} // namespace

SmallVector<Axis> ProblemBuilder::toProblemAxes(ArrayRef<Axis> axes) const {
  SmallVector<Axis> result(axes);
  for (Axis &axis : result)
    for (Term &term : axis.terms)
      term.dim = toProblemDim(term.dim);
  return result;
}

/// Whether elements of the buffer are in several windows.
static bool hasWindows(const Buffer &buffer) {
  return llvm::any_of(buffer.axes, [](const Axis &axis) { return axis.terms.size() > 1; });
}

/// Adds the buffer of a load; none for what another stage leaves on chip.
void ProblemBuilder::addOperand(unsigned stage, unsigned operand, std::optional<unsigned> root) {
  const StageOperand &description = graph.stages[stage].operands[operand];
  if (description.value && isInside(graph.values[*description.value].stage)) {
    const Stage &producer = graph.stages[graph.values[*description.value].stage];
    if (producer.panels && producer.group != graph.stages[stage].group && root)
      addMaker(graph.values[*description.value].stage);
    return;
  }
  auto [known, isNew] = operandBuffers.try_emplace({stage, operand}, problem.buffers.size());
  if (!isNew)
    return;
  Buffer buffer = description.buffer;
  buffer.axes = toProblemAxes(buffer.axes);
  ResidentAttr resident = graph.kernel.getResidentAttr();
  Value source = description.tensor;
  while (auto slice = source.getDefiningOp<tensor::ExtractSliceOp>())
    source = slice.getSource();
  if (auto argument = dyn_cast<BlockArgument>(source); argument && resident)
    buffer.isFromChip = llvm::is_contained(resident.getArguments(), argument.getArgNumber());
  if (description.value)
    buffer.isFromChip = graph.kept.contains(*description.value);
  // Windows overlap, so where they are loaded is worth a search.
  if (stage == root && hasWindows(buffer))
    buffer.role = BufferRole::Input;
  problem.buffers.push_back(std::move(buffer));
  owners.push_back({operand, stage});
}

/// What a stage leaves panels for, in dimensions of the problem.
StagePanels ProblemBuilder::toProblemPanels(unsigned stage) const {
  StagePanels panels = *graph.stages[stage].panels;
  panels.dim = toProblemDim(panels.dim);
  for (unsigned &dim : panels.order)
    dim = toProblemDim(dim);
  return panels;
}

void ProblemBuilder::addByPanels(unsigned stage) {
  StagePanels panels = toProblemPanels(stage);
  byPanels.insert(stage);
  unsigned first = problem.buffers.size(), firstOp = problem.vectorOps.size();
  addVector(stage, std::nullopt);
  for (Buffer &buffer : MutableArrayRef(problem.buffers).drop_front(first))
    buffer = getPanelBuffer(std::move(buffer), panels);
  int64_t count = llvm::divideCeil(problem.dims[panels.dim].extent, panels.columns);
  for (VectorOp &op : MutableArrayRef(problem.vectorOps).drop_front(firstOp))
    if (llvm::is_contained(op.dims, panels.dim))
      op.parts = count;
}

/// Adds what the vector unit makes in the loops of the contraction, and what it makes it of.
void ProblemBuilder::addMaker(unsigned stage) {
  const StagePanels &panels = *graph.stages[stage].panels;
  StagePanels inProblem = toProblemPanels(stage);
  unsigned first = problem.buffers.size(), firstOp = problem.vectorOps.size();
  addVector(stage, std::nullopt);
  unsigned made = valueBuffers.lookup(panels.value);
  for (unsigned index = first; index < problem.buffers.size(); ++index) {
    Buffer &buffer = problem.buffers[index];
    buffer = getPanelBuffer(std::move(buffer), inProblem);
    if (index == made) {
      buffer.role = BufferRole::Input;
      buffer.isMade = true;
      continue;
    }
    buffer.madeFor = made;
    if (buffer.isLoaded())
      buffer.role = BufferRole::Start;
  }
  for (VectorOp &op : MutableArrayRef(problem.vectorOps).drop_front(firstOp))
    op.madeFor = made;
}

/// What takes over the buffer of another part, which may have gone through DRAM, has its own.
unsigned ProblemBuilder::getBufferRoot(unsigned value) const {
  unsigned next = graph.values[value].inPlaceOf;
  auto isOther = [&] {
    return byPanels.contains(graph.values[value].stage) &&
           graph.values[next].stage != graph.values[value].stage;
  };
  while (next != value && isInside(graph.values[next].stage) && !isOther()) {
    value = next;
    // Chains are long; what was added has its root.
    if (auto known = valueBuffers.find(value); known != valueBuffers.end())
      return owners[known->second].value;
    next = graph.values[value].inPlaceOf;
  }
  return value;
}

void ProblemBuilder::addValue(unsigned value) {
  unsigned root = getBufferRoot(value);
  auto [known, isNew] = valueBuffers.try_emplace(root, problem.buffers.size());
  valueBuffers[value] = known->second;
  if (!isNew)
    return;
  Buffer buffer = graph.values[root].buffer;
  buffer.axes = toProblemAxes(buffer.axes);
  problem.buffers.push_back(std::move(buffer));
  owners.push_back({std::nullopt, graph.values[root].stage, root});
}

void ProblemBuilder::addArray(unsigned number, std::optional<unsigned> root) {
  const Stage &stage = graph.stages[number];
  NPUComputeOpInterface op = stage.getRoot().op;
  for (auto [index, operand] : llvm::enumerate(stage.operands))
    if (!operand.isInitial)
      addOperand(number, index, root);
  unsigned accumulator = graph.valueNumbers.lookup(op->getResult(0));
  addValue(accumulator);
  for (auto [index, operand] : llvm::enumerate(stage.operands)) {
    if (!operand.isInitial)
      continue;
    addOperand(number, index, root);
    problem.startsFromOperand = true;
    SmallVector<unsigned> dims;
    for (unsigned dim : graph.values[accumulator].buffer.getDims())
      dims.push_back(toProblemDim(dim));
    problem.vectorOps.push_back({dims, 1});
  }
}

void ProblemBuilder::addVector(unsigned number, std::optional<unsigned> root) {
  for (const StageOp &stageOp : graph.stages[number].ops) {
    NPUComputeOpInterface op = stageOp.op;
    for (OpOperand *operand : op.getDataOperands())
      if (auto known = graph.operandNumbers.find(operand); known != graph.operandNumbers.end())
        addOperand(number, known->second, root);
    addValue(graph.valueNumbers.lookup(op->getResult(0)));
    if (stageOp.scratch)
      addValue(*stageOp.scratch);
    TileWork tileWork = op.getTileWork();
    VectorOp work;
    for (auto [dim, iterator] : llvm::zip_equal(stageOp.dims, op.getIteratorTypes())) {
      if (graph.dims[dim].isUnit)
        continue;
      work.dims.push_back(toProblemDim(dim));
      if (tileWork.isSerial && iterator == utils::IteratorType::reduction)
        work.serialDims.push_back(toProblemDim(dim));
    }
    work.passes = tileWork.passes;
    work.work = tileWork.vector;
    work.transferBytes = tileWork.transferBytes;
    work.isInReductions = number == root;
    problem.vectorOps.push_back(std::move(work));
  }
}

void ProblemBuilder::addStage(unsigned stage, std::optional<unsigned> root) {
  graph.stages[stage].isArray ? addArray(stage, root) : addVector(stage, root);
}

void ProblemBuilder::addStores() {
  auto addStore = [&](unsigned value, ArrayRef<Axis> axes, bool isLeftOut = false) {
    unsigned buffer = valueBuffers.lookup(value);
    problem.stores.push_back({buffer, toProblemAxes(axes), isLeftOut});
    problem.accumulatorIsStored |= problem.buffers[buffer].role == BufferRole::Accumulator;
  };
  ResidentAttr resident = graph.kernel.getResidentAttr();
  for (auto [number, kernelResult] : llvm::enumerate(graph.results))
    if (isInside(graph.values[kernelResult.value].stage))
      addStore(kernelResult.value, kernelResult.axes,
               resident && llvm::is_contained(resident.getResults(), number));
  // In the order in which others read them first.
  SmallVector<std::tuple<unsigned, unsigned, unsigned>> stored;
  for (unsigned group = firstGroup; group < endGroup; ++group)
    for (unsigned stage : graph.stagesOfGroup[group])
      for (unsigned value : graph.valuesOfStage[stage])
        for (auto [reader, operand] : graph.readersOfValue[value])
          if (!isInside(reader)) {
            stored.push_back({reader, operand, value});
            break;
          }
  llvm::sort(stored);
  for (auto [reader, operand, value] : stored)
    addStore(value, graph.getScratchAxes(value), graph.kept.contains(value));
}

/// The dimensions that clusters share of what stays on chip, if they can share them here.
static SmallVector<unsigned, 2> findResidentSplits(KernelOp kernel, const Problem &problem) {
  SmallVector<unsigned, 2> splits;
  ResidentAttr resident = kernel.getResidentAttr();
  if (!resident)
    return splits;
  ArrayRef<Axis> axes = problem.stores.front().axes;
  for (int64_t dim : resident.getDims()) {
    if (dim >= int64_t(axes.size()) || axes[dim].terms.size() != 1)
      return {};
    unsigned shared = axes[dim].terms.front().dim;
    if (!isSplittable(problem, shared) || problem.dims[shared].extent == 1)
      return {};
    splits.push_back(shared);
  }
  return splits;
}

void ProblemBuilder::setSplit() {
  problem.isAlone = graph.numGroups == 1;
  auto setFixed = [&](ClusterSplit split) {
    problem.fixedSplits.emplace();
    if (split.count > 1)
      problem.fixedSplits->push_back(split);
  };
  if (ClusterAttr cluster = graph.kernel.getClusterAttr())
    setFixed({static_cast<unsigned>(cluster.getDim()), cluster.getCount()});
  else if (graph.sharedDim)
    setFixed({toProblemDim(graph.sharedDim->dim), graph.sharedDim->count});
  else if (!graph.isExchanged && (firstGroup > 0 || endGroup < graph.numGroups))
    // What stays on chip between groups is one cluster's.
    setFixed({});
  problem.allowedSplits = findResidentSplits(graph.kernel, problem);
  if (ResidentAttr resident = graph.kernel.getResidentAttr())
    problem.hidden = resident.getHidden();
}

/// The dimensions of a group, which are those of its root's largest op.
static void addDims(const StageGraph &graph, GroupProblem &result) {
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

/// The problem of the group, with the groups from `firstGroup` on in its loops.
static GroupProblem makeProblem(const StageGraph &graph, unsigned firstGroup, unsigned group) {
  GroupProblem result;
  for (unsigned number : graph.stagesOfGroup[group])
    (graph.stages[number].leadsGroup() ? result.root : result.tail) = number;
  addDims(graph, result);
  ProblemBuilder builder(graph, firstGroup, group + 1, result.problem, result.dims, result.owners);
  for (std::optional<unsigned> stage : {result.root, result.tail})
    if (stage)
      builder.addStage(*stage, result.root);
  if (result.root && graph.stages[*result.root].isArray)
    result.problem.array = graph.stages[*result.root].getRoot().op.getTileWork().array;
  builder.addStores();
  builder.setSplit();
  return result;
}

GroupProblem npu::makeProblem(const StageGraph &graph, unsigned group) {
  return ::makeProblem(graph, group, group);
}

std::optional<GroupProblem> npu::makeProblemWithMaker(const StageGraph &graph, unsigned group) {
  if (group == 0 || graph.stagesOfGroup[group - 1].size() != 1)
    return std::nullopt;
  unsigned maker = graph.stagesOfGroup[group - 1].front();
  const std::optional<StagePanels> &panels = graph.stages[maker].panels;
  if (!panels || graph.stages[panels->reader].group != group)
    return std::nullopt;
  // Its loops are those of the contraction.
  ArrayRef<unsigned> dims = graph.stages[panels->reader].getRoot().dims;
  if (!llvm::all_of(graph.stages[maker].getRoot().dims,
                    [&](unsigned dim) { return llvm::is_contained(dims, dim); }))
    return std::nullopt;
  GroupProblem result = ::makeProblem(graph, group - 1, group);
  result.maker = maker;
  for (auto [number, dim] : llvm::zip_equal(result.dims, result.problem.dims))
    if (llvm::is_contained(panels->wholeDims, number) && !dim.isUnit)
      dim.fixedTile = dim.extent;
  return result;
}

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

bool npu::mayReadOnChip(const StageGraph &graph, const Stage &reader, const StageOperand &operand) {
  if (!operand.isAligned || operand.isInitial || operand.buffer.panelColumns != 0)
    return false;
  const Buffer &buffer = graph.values[graph.getBufferRoot(*operand.value)].buffer;
  return !reader.isArray ||
         (buffer.role != BufferRole::Accumulator && operand.buffer.getDims() == buffer.getDims());
}

/// The stages of a nest that make, panel by panel, what a contraction of it reads on chip; nothing
/// where a stage cannot read on chip what another one computes.
static std::optional<llvm::SmallDenseSet<unsigned>> findByPanels(const StageGraph &graph,
                                                                 ArrayRef<unsigned> stages) {
  llvm::SmallDenseSet<unsigned> byPanels;
  for (unsigned number : stages)
    for (auto [index, operand] : llvm::enumerate(graph.stages[number].operands)) {
      if (!operand.value)
        continue;
      unsigned producer = graph.values[*operand.value].stage;
      if (!llvm::is_contained(stages, producer))
        continue;
      const std::optional<StagePanels> &panels = graph.stages[producer].panels;
      if (panels && panels->reader == number && panels->operand == index)
        byPanels.insert(producer);
      else if (!mayReadOnChip(graph, graph.stages[number], operand))
        return std::nullopt;
    }
  for (unsigned number : byPanels)
    for (const StageOperand &operand : graph.stages[number].operands)
      if (operand.value && llvm::is_contained(stages, graph.values[*operand.value].stage) &&
          !graph.mayReadByPanels(operand, *graph.stages[number].panels))
        return std::nullopt;
  return byPanels;
}

/// The dimensions of all stages of a nest: loops are over those that all of them have and none
/// reduces.
static void addDims(const StageGraph &graph, NestOfGroups &result) {
  llvm::SmallSetVector<unsigned, 8> dims;
  for (unsigned stage : result.stages)
    dims.insert_range(graph.stages[stage].getRoot().dims);
  result.dims.assign(dims.begin(), dims.end());
  llvm::sort(result.dims);
  for (unsigned number : result.dims) {
    Dim dim = graph.dims[number];
    bool mayLoop = true;
    for (unsigned stage : result.stages) {
      const Stage &description = graph.stages[stage];
      if (result.byPanels.contains(stage))
        mayLoop &= number != description.panels->dim &&
                   !llvm::is_contained(description.panels->wholeDims, number);
      const StageOp &root = description.getRoot();
      const auto *position = llvm::find(root.dims, number);
      mayLoop &= position != root.dims.end() &&
                 !llvm::is_contained(description.getReductionDims(), number) &&
                 !llvm::is_contained(description.wholeDims, number);
      if (position == root.dims.end())
        continue;
      NPUComputeOpInterface op = root.op;
      Dim own = op.getTileDims(graph.target)[position - root.dims.begin()];
      dim.granule = std::max(dim.granule, own.granule);
      if (own.fixedTile > 0 && !dim.isUnit)
        dim.fixedTile = own.fixedTile;
    }
    dim.isReduction = false;
    dim.isReluctant = false;
    result.problem.problem.dims.push_back(dim);
    result.problem.mayLoop.push_back(mayLoop);
  }
}

bool npu::keepWindowed(StageGraph &graph) {
  for (const Stage &stage : graph.stages)
    for (const StageOperand &operand : stage.operands) {
      if (!operand.value || !hasWindows(operand.buffer))
        continue;
      const StageValue &value = graph.values[*operand.value];
      if (graph.stages[value.stage].group == stage.group || !mayStay(graph, value.stage) ||
          !graph.kept.insert(*operand.value).second)
        continue;
      int64_t bytes = getByteSize(cast<ShapedType>(value.value.getType()));
      // Tiles at its end are whole ones.
      graph.keptBytes += bytes + bytes / 8;
    }
  return !graph.kept.empty();
}

/// Whether one of the groups makes, for others than these, what is to stay on chip: in a nest it
/// would go through DRAM.
static bool makesKept(const StageGraph &graph, unsigned firstGroup, unsigned endGroup) {
  auto isInside = [&](unsigned stage) {
    return graph.stages[stage].group >= firstGroup && graph.stages[stage].group < endGroup;
  };
  return llvm::any_of(graph.kept, [&](unsigned value) {
    return isInside(graph.values[value].stage) &&
           llvm::any_of(graph.readersOfValue[value],
                        [&](auto reader) { return !isInside(std::get<0>(reader)); });
  });
}

std::optional<NestOfGroups> npu::makeNest(const StageGraph &graph, unsigned firstGroup,
                                          unsigned endGroup) {
  if (makesKept(graph, firstGroup, endGroup))
    return std::nullopt;
  NestOfGroups result;
  result.firstGroup = firstGroup;
  result.endGroup = endGroup;
  for (unsigned group = firstGroup; group < endGroup; ++group)
    llvm::append_range(result.stages, graph.stagesOfGroup[group]);
  llvm::sort(result.stages);
  std::optional<llvm::SmallDenseSet<unsigned>> byPanels = findByPanels(graph, result.stages);
  if (!byPanels)
    return std::nullopt;
  result.byPanels = std::move(*byPanels);
  addDims(graph, result);
  Problem &problem = result.problem.problem;
  for (auto [dim, mayLoop] : llvm::zip_equal(problem.dims, result.problem.mayLoop))
    if (!mayLoop &&
        ((dim.isUnit && dim.extent > 1) || (dim.fixedTile > 0 && dim.fixedTile < dim.extent)))
      return std::nullopt;

  ProblemBuilder builder(graph, firstGroup, endGroup, problem, result.dims, result.owners);
  for (unsigned number : result.stages) {
    const Stage &stage = graph.stages[number];
    NestStage &description = result.problem.stages.emplace_back();
    for (const StageOperand &operand : stage.operands) {
      if (!operand.value)
        continue;
      auto add = [&](unsigned value, SmallVectorImpl<unsigned> &stages) {
        const auto *producer = llvm::find(result.stages, graph.values[value].stage);
        if (producer != result.stages.end())
          stages.push_back(producer - result.stages.begin());
      };
      add(*operand.value, description.producers);
      // What takes over a buffer of another nest has its own here.
      add(builder.getBufferRoot(*operand.value), description.holders);
    }
    description.isByPanels = result.byPanels.contains(number);
    description.firstOp = problem.vectorOps.size();
    if (description.isByPanels)
      builder.addByPanels(number);
    else
      builder.addStage(number, /*root=*/std::nullopt);
    description.endOp = description.endOfReads = problem.vectorOps.size();
    for (const StageOp &op : stage.ops) {
      SmallVector<unsigned> &opDims = description.opDims.emplace_back();
      for (unsigned dim : op.dims)
        if (!graph.dims[dim].isUnit)
          opDims.push_back(builder.toProblemDim(dim));
    }
    if (!stage.isArray)
      continue;
    NPUComputeOpInterface op = stage.getRoot().op;
    description.array = op.getTileWork().array;
    description.roles.assign(problem.dims.size(), MxuRole::None);
    for (auto [dim, own] : llvm::zip_equal(stage.getRoot().dims, op.getTileDims(graph.target)))
      if (!graph.dims[dim].isUnit)
        description.roles[builder.toProblemDim(dim)] = own.role;
  }
  // Who reads an accumulator last, as its next contents wait for that.
  for (auto [position, number] : llvm::enumerate(result.stages)) {
    unsigned op = result.problem.stages[position].firstOp;
    if (graph.stages[number].isArray)
      continue;
    for (const StageOp &stageOp : graph.stages[number].ops) {
      ++op;
      for (OpOperand *operand : stageOp.op.getDataOperands()) {
        auto known = graph.valueNumbers.find(operand->get());
        if (known == graph.valueNumbers.end())
          continue;
        unsigned stage = graph.values[graph.getBufferRoot(known->second)].stage;
        const auto *array = llvm::find(result.stages, stage);
        if (array != result.stages.end() && graph.stages[stage].isArray)
          result.problem.stages[array - result.stages.begin()].endOfReads = op;
      }
    }
  }
  for (const BufferOwner &owner : result.owners)
    result.problem.stageOf.push_back(llvm::find(result.stages, owner.stage) -
                                     result.stages.begin());
  builder.addStores();
  builder.setSplit();
  return result;
}

LogicalResult npu::reportDoesNotFit(const StageGraph &graph, const GroupProblem &group,
                                    const Schedule &schedule) {
  const Problem &problem = group.problem;
  Footprint footprint = getFootprint(problem, schedule);
  bool isAcc = footprint.accBytes > graph.target.accBytes;
  const char *memory = isAcc ? "accumulator memory" : "SRAM";
  std::string needed, limit;
  llvm::raw_string_ostream os(needed);
  bool isTooDeep = schedule.order.size() > isa::maxLoopDepth;
  if (isTooDeep)
    os << schedule.order.size() << " loops";
  else
    os << (isAcc ? footprint.accBytes : footprint.sramBytes + graph.constantBytes) << " bytes of "
       << memory;
  os << " for the tile";
  for (auto [dim, size] : llvm::zip(problem.dims, schedule.tiles))
    os << ' ' << dim.name << '=' << size;
  llvm::raw_string_ostream limitStream(limit);
  if (isTooDeep)
    limitStream << "at most " << isa::maxLoopDepth << " loops in a stream";
  else
    limitStream << "at most "
                << (isAcc ? graph.target.accBytes : graph.target.sramBytes + graph.constantBytes)
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
