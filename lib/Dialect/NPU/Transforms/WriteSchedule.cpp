//===- WriteSchedule.cpp - what was chosen as the schedule attribute ------===//

#include "GroupProblem.h"
#include "ScheduleTree.h"

#include "NPU/Target/ISA/Instructions.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace npu;
using namespace npu::tile;

namespace {
/// When a load happens: before the loops that compute a tile of the result, right before the
/// root, after it, or before each part of the tail.
enum class LoadTime { BeforeRoot, WithRoot, AfterRoot, WithPart };

using Nodes = SmallVector<Attribute>;
} // namespace

/// The name of what `buffer` is loaded for; nothing if that can be read where it is on chip, which
/// is not in panels.
static StringAttr getLoaded(const StageGraph &graph, const BufferOwner &owner, const Buffer &buffer,
                            const llvm::DenseSet<unsigned> &resident) {
  const StageOperand &operand = graph.stages[owner.stage].operands[*owner.operand];
  if (buffer.panelColumns == 0 && operand.value && resident.contains(*operand.value) &&
      mayReadOnChip(graph, graph.stages[owner.stage], operand))
    return {};
  return StringAttr::get(graph.kernel.getContext(),
                         graph.stages[owner.stage].name + "." + operand.name);
}

static void addLoad(const StageGraph &graph, const BufferOwner &owner, const Buffer &buffer,
                    int64_t depth, const llvm::DenseSet<unsigned> &resident, Nodes &nodes) {
  if (StringAttr name = getLoaded(graph, owner, buffer, resident))
    nodes.push_back(ScheduleLoadAttr::get(name.getContext(), name, depth));
}

namespace {
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
  void addSpilled(Nodes &nodes) const;
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
  unsigned level = schedule.getLoadLevel(problem, buffer);
  if (problem.buffers[buffer].isForRoot())
    return level == schedule.order.size() ? LoadTime::WithRoot : LoadTime::BeforeRoot;
  if (schedule.isPart(problem, buffer))
    return LoadTime::WithPart;
  bool isLate = group.root && group.owners[buffer].stage == group.tail && level == numParallel;
  return isLate ? LoadTime::AfterRoot : LoadTime::BeforeRoot;
}

void GroupWriter::addLoads(Nodes &nodes, unsigned level, LoadTime time) const {
  auto isHere = [&](unsigned index) {
    return schedule.getLoadLevel(problem, index) == level && getLoadTime(index) == time;
  };
  for (auto [index, buffer] : llvm::enumerate(problem.buffers))
    if (buffer.isLoaded() && isHere(index))
      addLoad(graph, group.owners[index], buffer, schedule.depths[index], resident, nodes);
  // Behind the loads of what it is made of.
  for (auto [index, buffer] : llvm::enumerate(problem.buffers))
    if (buffer.isMade && isHere(index))
      nodes.push_back(ScheduleStageAttr::get(context, getStageName(*group.maker), MemorySpace::Sram,
                                             schedule.depths[index], 0));
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
    if (buffer.role == role && !buffer.isPrivate && !buffer.madeFor)
      return depth;
  return 1;
}

/// The loops over parts of a tile whose sums are in SRAM.
void GroupWriter::addSpilled(Nodes &nodes) const {
  const auto &[outer, inner] = *schedule.spilled;
  auto getName = [&](unsigned buffer) {
    return getLoaded(graph, group.owners[buffer], problem.buffers[buffer], resident);
  };
  auto addLoadOf = [&](Nodes &body, unsigned buffer) {
    StringAttr name = getName(buffer);
    assert(name && "what is on chip as a whole is not reloaded");
    body.push_back(ScheduleLoadAttr::get(context, name, schedule.depths[buffer]));
  };
  Nodes innerBody, outerBody;
  addLoadOf(innerBody, inner.buffer);
  innerBody.push_back(ScheduleStageAttr::get(context, getStageName(*group.root), MemorySpace::Acc,
                                             getValueDepth(BufferRole::Accumulator), 0));
  addLoadOf(outerBody, outer.buffer);
  outerBody.push_back(makeLoop(inner.dim, inner.tile, 1, innerBody));
  nodes.push_back(ScheduleKeepAttr::get(context, getName(inner.buffer)));
  nodes.push_back(makeLoop(outer.dim, outer.tile, 1, outerBody));
}

/// Everything inside `level` loops.
Nodes GroupWriter::writeLevel(unsigned level) {
  SmallVector<unsigned> whole;
  // Of spilled sums, loops over parts take the place of those.
  if (level == numParallel && !schedule.spilled) {
    // The loop over parts needs one as well, where no reduction has it.
    bool needsLoop = schedule.partSize > 0 && numParallel == schedule.order.size();
    numSpareLoops -= needsLoop;
    whole = takeWholeDims(/*areReductions=*/false);
    numSpareLoops += needsLoop;
  }
  Nodes nodes;
  for (auto [index, buffer] : llvm::enumerate(problem.buffers))
    if (schedule.isKept(index) && schedule.levels[index] == level)
      if (StringAttr name = getLoaded(graph, group.owners[index], buffer, resident))
        nodes.push_back(ScheduleKeepAttr::get(context, name));
  addLoads(nodes, level, LoadTime::BeforeRoot);
  if (level == numParallel && group.root && !isResident(*group.root)) {
    bool isInAcc = graph.stages[*group.root].isArray && !schedule.spilled;
    BufferRole role = isInAcc ? BufferRole::Accumulator : BufferRole::Value;
    nodes.push_back(ScheduleValueAttr::get(context, getStageName(*group.root),
                                           isInAcc ? MemorySpace::Acc : MemorySpace::Sram,
                                           schedule.spilled ? 1 : getValueDepth(role)));
  }
  if (level < schedule.order.size()) {
    unsigned dim = schedule.order[level];
    nodes.push_back(
        makeLoop(dim, schedule.tiles[dim], schedule.getClusters(dim), writeLevel(level + 1)));
  } else if (schedule.spilled) {
    addSpilled(nodes);
  } else if (group.root) {
    SmallVector<unsigned> wholeReductions = takeWholeDims(/*areReductions=*/true);
    Nodes inner;
    addLoads(inner, level, LoadTime::WithRoot);
    std::optional<unsigned> beginDim =
        !schedule.begin.empty() ? findBeginDim(problem, schedule) : std::nullopt;
    inner.push_back(ScheduleStageAttr::get(
        context, getStageName(*group.root), std::nullopt, 1, 0,
        beginDim ? StringAttr::get(context, graph.dims[group.dims[*beginDim]].name) : StringAttr(),
        schedule.begin,
        schedule.endsInParts
            ? StringAttr::get(context, graph.dims[group.dims[schedule.partDim]].name)
            : StringAttr()));
    wrapInWholeLoops(inner, wholeReductions);
    nodes.append(inner);
  }
  if (level == numParallel) {
    addLoads(nodes, level, LoadTime::AfterRoot);
    Nodes tail;
    addLoads(tail, level, LoadTime::WithPart);
    if (group.tail) {
      bool isOutside = isResident(*group.tail);
      tail.push_back(
          ScheduleStageAttr::get(context, getStageName(*group.tail),
                                 isOutside ? std::nullopt : std::optional(MemorySpace::Sram),
                                 isOutside ? 1 : getValueDepth(BufferRole::Value), 0));
    }
    if (schedule.partSize > 0)
      tail = {makeLoop(schedule.partDim, schedule.partSize, 1, tail)};
    nodes.append(tail);
    wrapInWholeLoops(nodes, whole);
  }
  return nodes;
}

/// Indices that whole tiles of a part span of a dimension of the kernel.
static int64_t getSpan(const ScheduledGroups &part, unsigned dim, int64_t extent) {
  ArrayRef<unsigned> dims = part.nest ? ArrayRef(part.nest->dims) : ArrayRef(part.group->dims);
  const Problem &problem = part.nest ? part.nest->problem.problem : part.group->problem;
  const Schedule &schedule = part.nest ? part.shared.schedule : part.schedule;
  const unsigned *found = llvm::find(dims, dim);
  if (found == dims.end())
    return extent;
  unsigned index = found - dims.begin();
  return schedule.tiles[index] * schedule.getTrips(problem, index);
}

/// Bytes of a value as a whole, of which each of `parts` has whole tiles.
static int64_t getWholeBytes(const StageGraph &graph, const StageValue &value,
                             ArrayRef<ScheduledGroups> parts) {
  int64_t bytes = value.buffer.elementBytes;
  for (const Axis &axis : value.buffer.axes) {
    int64_t span = axis.span;
    for (Term term : axis.terms) {
      int64_t extent = graph.dims[term.dim].extent, most = extent;
      for (const ScheduledGroups &part : parts)
        most = std::max(most, getSpan(part, term.dim, extent));
      span += term.coefficient * (most - 1);
    }
    bytes *= std::max(span, axis.extent);
  }
  return getSlotBytes(bytes);
}

bool npu::mayStay(const StageGraph &graph, unsigned stage) {
  if (graph.stages[stage].isArray)
    return false; // the matrix engine does not read what it writes
  bool isUsed = false;
  for (auto [number, value] : llvm::enumerate(graph.values)) {
    if (value.stage != stage || !value.escapes)
      continue;
    // Each tile of the buffer is a view of a whole one.
    for (auto [index, axis] : llvm::enumerate(value.buffer.axes))
      if (axis.extent > 1 && !llvm::is_contained(value.buffer.order, index))
        return false;
    if (graph.values[graph.getBufferRoot(number)].stage != stage)
      return false;
    isUsed |= !graph.readersOfValue[number].empty();
  }
  return isUsed;
}

static Footprint getFootprint(const ScheduledGroups &part) {
  return part.nest ? getFootprint(part.nest->problem.problem, part.shared.schedule)
                   : getFootprint(part.group->problem, part.schedule);
}

/// The part that each group is in.
static SmallVector<unsigned> getPartOfGroups(ArrayRef<ScheduledGroups> parts) {
  SmallVector<unsigned> partOf;
  for (auto [number, part] : llvm::enumerate(parts))
    partOf.append(part.nest           ? part.nest->endGroup - part.nest->firstGroup
                  : part.group->maker ? 2
                                      : 1,
                  number);
  return partOf;
}

/// Values that are kept on chip between parts: greedily, in the order of the stages. What a nest
/// makes for others than itself goes through scratch memory.
static llvm::DenseSet<unsigned> chooseResidents(const StageGraph &graph,
                                                ArrayRef<ScheduledGroups> parts) {
  llvm::DenseSet<unsigned> resident;
  // Of what clusters share each of them has its own part.
  if (parts.size() == 1 || graph.sharedDim || graph.isExchanged)
    return resident;
  SmallVector<int64_t> used;
  for (const ScheduledGroups &part : parts)
    used.push_back(getFootprint(part).sramBytes);
  SmallVector<unsigned> partOf = getPartOfGroups(parts);
  for (auto [stage, description] : llvm::enumerate(graph.stages)) {
    unsigned first = partOf[description.group], last = first;
    if (parts[first].nest || parts[first].group->maker == stage || !mayStay(graph, stage))
      continue;
    for (auto [number, value] : llvm::enumerate(graph.values)) {
      if (value.stage != stage || !value.escapes)
        continue;
      for (const Stage &reader : graph.stages)
        for (const StageOperand &operand : reader.operands)
          if (operand.value == number)
            last = std::max(last, partOf[reader.group]);
    }
    int64_t bytes = 0;
    for (const StageValue &value : graph.values)
      if (value.stage == stage && value.escapes)
        bytes += getWholeBytes(graph, value, parts.slice(first, last - first + 1));
    auto span = MutableArrayRef(used).slice(first, last - first + 1);
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

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

namespace {
/// The nodes of groups that share loops.
class NestWriter {
public:
  NestWriter(const StageGraph &graph, const NestOfGroups &groups, const Nest &nest,
             const llvm::DenseSet<unsigned> &resident)
      : graph(graph), groups(groups), problem(groups.problem.problem), nest(nest),
        resident(resident), context(graph.kernel.getContext()) {}

  Nodes write() const;

private:
  Nodes writeLevel(unsigned level) const;
  void addLoads(Nodes &nodes, unsigned level, unsigned stage) const;
  bool isAtFirst(unsigned buffer) const { return nest.isLoadedAtFirst(groups.problem, buffer); }

  const StageGraph &graph;
  const NestOfGroups &groups;
  const Problem &problem;
  const Nest &nest;
  const llvm::DenseSet<unsigned> &resident;
  MLIRContext *context;
};
} // namespace

Nodes NestWriter::write() const {
  Nodes nodes;
  for (auto [index, buffer] : llvm::enumerate(problem.buffers))
    if (isAtFirst(index))
      if (StringAttr name = getLoaded(graph, groups.owners[index], buffer, resident))
        nodes.push_back(ScheduleKeepAttr::get(context, name));
  nodes.append(writeLevel(0));
  return nodes;
}

void NestWriter::addLoads(Nodes &nodes, unsigned level, unsigned stage) const {
  unsigned innermost = nest.schedule.order.size();
  for (auto [index, buffer] : llvm::enumerate(problem.buffers))
    if (buffer.isLoaded() && groups.owners[index].stage == stage &&
        (isAtFirst(index) ? innermost : nest.schedule.levels[index]) == level)
      addLoad(graph, groups.owners[index], buffer, nest.schedule.depths[index], resident, nodes);
}

/// Everything inside `level` loops; loads in the order in which their stages need them.
Nodes NestWriter::writeLevel(unsigned level) const {
  Nodes nodes;
  const Schedule &schedule = nest.schedule;
  if (level < schedule.order.size()) {
    for (unsigned stage : groups.stages)
      addLoads(nodes, level, stage);
    unsigned dim = schedule.order[level];
    nodes.push_back(ScheduleLoopAttr::get(
        context, StringAttr::get(context, graph.dims[groups.dims[dim]].name), schedule.tiles[dim],
        schedule.getClusters(dim), writeLevel(level + 1)));
    return nodes;
  }
  for (auto [position, stage] : llvm::enumerate(groups.stages)) {
    addLoads(nodes, level, stage);
    int64_t depth = 1;
    for (auto [index, buffer] : llvm::enumerate(problem.buffers))
      if (!buffer.isLoaded() && groups.owners[index].stage == stage)
        depth = std::max(depth, schedule.depths[index]);
    bool isSkewed = nest.firstSkewed && position >= *nest.firstSkewed;
    auto name = StringAttr::get(context, graph.stages[stage].name);
    if (groups.byPanels.contains(stage)) {
      const StagePanels &panels = *graph.stages[stage].panels;
      const Dim &dim = graph.dims[panels.dim];
      nodes.push_back(ScheduleValueAttr::get(context, name, MemorySpace::Sram, depth));
      nodes.push_back(ScheduleLoopAttr::get(
          context, StringAttr::get(context, dim.name), std::min(panels.columns, dim.extent),
          /*clusters=*/1, ScheduleStageAttr::get(context, name, std::nullopt, 1, 0)));
      continue;
    }
    nodes.push_back(ScheduleStageAttr::get(
        context, name, graph.stages[stage].isArray ? MemorySpace::Acc : MemorySpace::Sram, depth,
        isSkewed));
  }
  return nodes;
}

/// Cycles of a group where what it reads of others, and they of it, is on chip.
static double predictOnChip(const StageGraph &graph, const ScheduledGroups &part,
                            const llvm::DenseSet<unsigned> &resident) {
  Problem problem = part.group->problem;
  bool isChanged = false;
  for (auto [buffer, owner] : llvm::zip_equal(problem.buffers, part.group->owners)) {
    if (!owner.operand)
      continue;
    std::optional<unsigned> value = graph.stages[owner.stage].operands[*owner.operand].value;
    bool isOnChip = value && resident.contains(*value);
    buffer.isFromChip |= isOnChip;
    isChanged |= isOnChip;
  }
  for (Store &store : problem.stores) {
    unsigned value = part.group->owners[store.buffer].value;
    bool isResult =
        llvm::any_of(graph.results, [&](const auto &result) { return result.value == value; });
    bool isOnChip = resident.contains(value) && !isResult;
    store.isLeftOut |= isOnChip;
    isChanged |= isOnChip;
  }
  return isChanged ? predictCycles(problem, part.schedule, graph.target)
                   : part.schedule.predictedCycles;
}

/// The schedule of all parts, with `resident` values on chip between them.
static ScheduleAttr makeSchedule(const StageGraph &graph, ArrayRef<ScheduledGroups> parts,
                                 const llvm::DenseSet<unsigned> &resident) {
  MLIRContext *context = graph.kernel.getContext();
  Nodes nodes;
  double cycles = 0;
  for (const ScheduledGroups &part : parts) {
    if (part.nest) {
      nodes.append(NestWriter(graph, *part.nest, part.shared, resident).write());
      cycles += part.shared.schedule.predictedCycles;
      continue;
    }
    GroupWriter writer(graph, *part.group, part.schedule, resident);
    for (std::optional<unsigned> stage : {part.group->root, part.group->tail})
      if (stage && writer.isResident(*stage))
        nodes.push_back(ScheduleValueAttr::get(
            context, StringAttr::get(context, graph.stages[*stage].name), MemorySpace::Sram, 1));
    nodes.append(writer.write());
    cycles += predictOnChip(graph, part, resident);
  }
  return ScheduleAttr::get(context, nodes, static_cast<int64_t>(cycles));
}

/// Whether all that is to stay on chip does: what is handed on inside of a part is there anyway.
static bool areKept(const StageGraph &graph, ArrayRef<ScheduledGroups> parts,
                    const llvm::DenseSet<unsigned> &resident) {
  SmallVector<unsigned> partOf = getPartOfGroups(parts);
  auto getPart = [&](unsigned stage) { return partOf[graph.stages[stage].group]; };
  return llvm::all_of(graph.kept, [&](unsigned value) {
    return resident.contains(value) || llvm::all_of(graph.readersOfValue[value], [&](auto reader) {
             return getPart(reader.first) == getPart(graph.values[value].stage);
           });
  });
}

ScheduleAttr npu::makeSchedule(const StageGraph &graph, ArrayRef<ScheduledGroups> parts) {
  llvm::DenseSet<unsigned> resident = chooseResidents(graph, parts);
  if (!areKept(graph, parts, resident))
    return {};
  ScheduleAttr schedule = ::makeSchedule(graph, parts, resident);
  if (resident.empty())
    return schedule;
  // A tail whose result is elsewhere may need a place for what it computes on the way, which was
  // that of the result.
  ScopedDiagnosticHandler ignored(graph.kernel.getContext(),
                                  [](Diagnostic &) { return success(); });
  if (succeeded(ScheduleTree::create(graph, schedule)))
    return schedule;
  return graph.kept.empty() ? ::makeSchedule(graph, parts, {}) : ScheduleAttr();
}
