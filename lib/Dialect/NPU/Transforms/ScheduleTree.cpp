//===- ScheduleTree.cpp - analysis of a kernel's schedule -----------------===//

#include "ScheduleTree.h"

#include "NPU/Target/ISA/Instructions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu;
using namespace npu::tile;

static constexpr StringLiteral kRemedy = "; remove the attribute to have it chosen";

InFlightDiagnostic ScheduleTree::emitError() const {
  return graph->kernel.emitOpError("schedule: ");
}

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

SmallVector<const ScheduleNode *> ScheduleNode::getLoops() const {
  SmallVector<const ScheduleNode *> loops;
  for (const ScheduleNode *node = parent; node->parent; node = node->parent)
    loops.push_back(node);
  std::reverse(loops.begin(), loops.end());
  return loops;
}

/// A new child of `parent`.
static ScheduleNode &addChild(ScheduleNode &parent, ScheduleNode::Kind kind) {
  auto child = std::make_unique<ScheduleNode>();
  child->kind = kind;
  child->parent = &parent;
  child->position = parent.children.size();
  child->level = parent.parent ? parent.level + 1 : 0;
  parent.children.push_back(std::move(child));
  return *parent.children.back();
}

LogicalResult ScheduleTree::addLoop(ScheduleNode &node, ScheduleLoopAttr attr) {
  std::optional<unsigned> dim = graph->findDim(attr.getDim());
  if (!dim) {
    InFlightDiagnostic diagnostic = emitError() << "expected a dimension of the kernel, found '"
                                                << attr.getDim().getValue() << '\'';
    std::string known =
        llvm::join(llvm::map_range(graph->dims, [](const Dim &dim) { return dim.name; }), ", ");
    diagnostic.attachNote() << "it has " << known;
    return diagnostic;
  }
  int64_t extent = graph->dims[*dim].extent;
  // A loop over parts of a tile.
  for (const ScheduleNode *outer = &node; outer->parent; outer = outer->parent) {
    if (outer->dim != *dim)
      continue;
    if (outer->tile % attr.getTile() != 0 || attr.getClusters() > 1)
      return emitError() << "expected a loop over '" << graph->dims[*dim].name
                         << "' inside of another one to divide its tiles of " << outer->tile
                         << ", on one cluster, found tiles of " << attr.getTile() << " on "
                         << attr.getClusters();
    extent = outer->tile;
    break;
  }
  if (graph->dims[*dim].isUnit && attr.getTile() != 1)
    return emitError() << "expected tiles of one index of dimension '" << graph->dims[*dim].name
                       << "', which no tile spans, found " << attr.getTile();
  ScheduleNode &loop = addChild(node, ScheduleNode::Kind::Loop);
  loop.dim = *dim;
  loop.tile = std::min(attr.getTile(), extent);
  loop.trips = llvm::divideCeil(extent, loop.tile);
  loop.clusters = attr.getClusters();
  return build(loop, attr.getBody());
}

FailureOr<ScheduleNode *> ScheduleTree::addOperand(ScheduleNode &node, ScheduleNode::Kind kind,
                                                   StringAttr attr) {
  bool isLoad = kind == ScheduleNode::Kind::Load;
  StringRef stageName, name;
  std::tie(stageName, name) = attr.getValue().split('.');
  std::optional<unsigned> stage = graph->findStage(stageName);
  if (!stage)
    return emitError() << "expected a stage of the kernel, found '" << stageName << "' in "
                       << (isLoad ? "load" : "keep") << " @" << attr.getValue();
  ArrayRef<StageOperand> operands = graph->stages[*stage].operands;
  const StageOperand *operand =
      llvm::find_if(operands, [&](const StageOperand &other) { return other.name == name; });
  if (operand == operands.end()) {
    InFlightDiagnostic diagnostic = emitError() << "expected an operand of stage '" << stageName
                                                << "', found '" << name << '\'';
    diagnostic.attachNote() << "it has "
                            << llvm::join(llvm::map_range(
                                              operands,
                                              [](const StageOperand &other) { return other.name; }),
                                          ", ");
    return diagnostic;
  }
  ScheduleNode &child = addChild(node, kind);
  child.stage = *stage;
  child.operand = operand - operands.begin();
  if (!(isLoad ? loads : keeps).try_emplace({child.stage, child.operand}, &child).second)
    return emitError() << "expected one " << (isLoad ? "load of" : "place for") << " '"
                       << attr.getValue() << "', found two";
  return &child;
}

LogicalResult ScheduleTree::addLoad(ScheduleNode &node, ScheduleLoadAttr attr) {
  FailureOr<ScheduleNode *> load = addOperand(node, ScheduleNode::Kind::Load, attr.getOperand());
  if (failed(load))
    return failure();
  (*load)->depth = attr.getDepth();
  return success();
}

LogicalResult ScheduleTree::addValue(ScheduleNode &node, ScheduleValueAttr attr) {
  std::optional<unsigned> stage = graph->findStage(attr.getStage());
  if (!stage)
    return emitError() << "expected a stage of the kernel, found '" << attr.getStage().getValue()
                       << '\'';
  if (homes[*stage])
    return emitError() << "expected one place for the values of stage '"
                       << attr.getStage().getValue() << "', found two";
  ScheduleNode &value = addChild(node, ScheduleNode::Kind::Value);
  value.stage = *stage;
  value.space = attr.getSpace();
  value.depth = attr.getDepth();
  homes[*stage] = &value;
  return success();
}

LogicalResult ScheduleTree::addLeaf(ScheduleNode &node, ScheduleStageAttr attr) {
  std::optional<unsigned> stage = graph->findStage(attr.getStage());
  if (!stage) {
    InFlightDiagnostic diagnostic = emitError() << "expected a stage of the kernel, found '"
                                                << attr.getStage().getValue() << '\'';
    diagnostic.attachNote()
        << "it has "
        << llvm::join(llvm::map_range(graph->stages, [](const Stage &other) { return other.name; }),
                      ", ");
    return diagnostic;
  }
  if (leaves[*stage])
    return emitError() << "expected stage '" << attr.getStage().getValue() << "' once, found twice";
  ScheduleNode &leaf = addChild(node, ScheduleNode::Kind::Leaf);
  leaf.stage = *stage;
  leaf.skew = attr.getSkew();
  leaves[*stage] = &leaf;
  if (!attr.getSpace())
    return success();
  leaf.space = *attr.getSpace();
  leaf.depth = attr.getDepth();
  leaf.isHome = true;
  if (homes[*stage])
    return emitError() << "expected one place for the values of stage '"
                       << attr.getStage().getValue() << "', found two";
  homes[*stage] = &leaf;
  return success();
}

LogicalResult ScheduleTree::build(ScheduleNode &node, ArrayRef<Attribute> body) {
  for (Attribute attr : body) {
    LogicalResult result = success();
    if (auto loop = dyn_cast<ScheduleLoopAttr>(attr))
      result = addLoop(node, loop);
    else if (auto load = dyn_cast<ScheduleLoadAttr>(attr))
      result = addLoad(node, load);
    else if (auto keep = dyn_cast<ScheduleKeepAttr>(attr))
      result = addOperand(node, ScheduleNode::Kind::Keep, keep.getOperand());
    else if (auto value = dyn_cast<ScheduleValueAttr>(attr))
      result = addValue(node, value);
    else
      result = addLeaf(node, cast<ScheduleStageAttr>(attr));
    if (failed(result))
      return failure();
  }
  return success();
}

FailureOr<ScheduleTree> ScheduleTree::create(const StageGraph &graph, ScheduleAttr attr) {
  ScheduleTree tree(graph);
  tree.root = std::make_unique<ScheduleNode>();
  tree.leaves.resize(graph.stages.size());
  tree.homes.resize(graph.stages.size());
  if (failed(tree.build(*tree.root, attr.getBody())) || failed(tree.verify()))
    return failure();
  return std::move(tree);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Whether `node` is in the body that `outer` is in, or further inside of it.
static bool isInBodyOf(const ScheduleNode &node, const ScheduleNode &outer) {
  const ScheduleNode *parent = node.parent;
  while (parent && parent != outer.parent)
    parent = parent->parent;
  return parent == outer.parent;
}

/// The innermost loop around both.
const ScheduleNode *npu::getCommonLoop(const ScheduleNode &a, const ScheduleNode &b) {
  SmallVector<const ScheduleNode *> chain;
  for (const ScheduleNode *loop = a.parent; loop; loop = loop->parent)
    chain.push_back(loop);
  const ScheduleNode *loop = b.parent;
  while (!llvm::is_contained(chain, loop))
    loop = loop->parent;
  return loop;
}

/// The child of `loop` that is or holds `node`.
const ScheduleNode *npu::getChildOf(const ScheduleNode *loop, const ScheduleNode *node) {
  while (node->parent != loop)
    node = node->parent;
  return node;
}

/// Whether `a` happens before `b` in an iteration of the loops around both.
static bool isBefore(const ScheduleNode &a, const ScheduleNode &b) {
  const ScheduleNode *loop = getCommonLoop(a, b);
  return getChildOf(loop, &a)->position < getChildOf(loop, &b)->position;
}

const ScheduleNode *ScheduleTree::findLoad(unsigned stage, unsigned operand) const {
  return loads.lookup({stage, operand});
}

std::string ScheduleTree::getOperandName(const ScheduleNode &node) const {
  const Stage &stage = graph->stages[node.stage];
  return stage.name + "." + stage.operands[node.operand].name;
}

const ScheduleNode *ScheduleTree::findKeep(const ScheduleNode &load) const {
  return keeps.lookup({load.stage, load.operand});
}

/// Whether the op that computes `value` at `leaf` runs once for what lives at `home`. In loops that
/// it does not depend on it would read what it has written.
static bool isComputedOnce(const StageValue &value, const ScheduleNode &leaf,
                           const ScheduleNode &home) {
  SmallVector<const ScheduleNode *> loops = leaf.getLoops();
  return llvm::all_of(ArrayRef(loops).drop_front(home.level), [&](const ScheduleNode *loop) {
    return loop->trips == 1 || llvm::any_of(value.buffer.axes, [&](const Axis &axis) {
             return llvm::any_of(axis.terms, [&](Term term) { return term.dim == loop->dim; });
           });
  });
}

const Buffer &ScheduleTree::getBuffer(unsigned stage, unsigned operand) const {
  auto known = panelOperands.find({stage, operand});
  return known == panelOperands.end() ? graph->stages[stage].operands[operand].buffer
                                      : known->second;
}

const Buffer &ScheduleTree::getBuffer(unsigned value) const {
  auto known = panelValues.find(value);
  return known == panelValues.end() ? graph->values[value].buffer : known->second;
}

/// Finds the stages whose reader takes their values on chip in panels.
void ScheduleTree::findPanels() {
  for (auto [number, stage] : llvm::enumerate(graph->stages)) {
    if (!stage.panels || findLoad(stage.panels->reader, stage.panels->operand))
      continue;
    panelStages.insert(number);
    for (auto [operand, description] : llvm::enumerate(stage.operands))
      panelOperands[{number, operand}] = getPanelBuffer(description.buffer, *stage.panels);
    for (unsigned value : graph->valuesOfStage[number])
      panelValues[value] = getPanelBuffer(graph->values[value].buffer, *stage.panels);
  }
}

/// Finds the buffer of each value, where it lives and who works on it: in one pass, as kernels may
/// have thousands of values.
void ScheduleTree::assignBuffers() {
  size_t count = graph->values.size();
  std::vector<SmallVector<unsigned, 1>> readers(count);
  std::vector<SmallVector<const ScheduleNode *, 1>> loadsOf(count);
  for (auto [number, stage] : llvm::enumerate(graph->stages))
    for (auto [operand, description] : llvm::enumerate(stage.operands)) {
      if (!description.value)
        continue;
      if (const ScheduleNode *load = findLoad(number, operand))
        loadsOf[*description.value].push_back(load);
      else
        readers[*description.value].push_back(number);
    }
  // What lives at `home` is stored after the child of its body that computes it.
  auto isLoadedBefore = [&](unsigned value, const ScheduleNode &home) {
    const ScheduleNode *child = getChildOf(home.parent, leaves[graph->values[value].stage]);
    return llvm::any_of(loadsOf[value], [&](const ScheduleNode *load) {
      return isInBodyOf(*load, home) && getChildOf(home.parent, load) == child;
    });
  };

  std::vector<bool> escapes(count);
  bufferRoots.resize(count);
  bufferUsers.assign(count, {});
  for (unsigned value = 0; value < count; ++value) {
    // What it takes over was computed before.
    unsigned next = graph->values[value].inPlaceOf;
    unsigned stage = graph->values[value].stage, nextStage = graph->values[next].stage;
    // Also the buffer of another stage that it works on, unless it has to live longer.
    bool takesOver = next != value &&
                     (stage == nextStage ||
                      (!isInPanels(stage) && llvm::is_contained(readers[next], stage) &&
                       isInBodyOf(*homes[stage], *homes[nextStage]) &&
                       !isLoadedBefore(value, *homes[graph->values[bufferRoots[next]].stage]) &&
                       isComputedOnce(graph->values[value], *leaves[stage], *homes[nextStage])));
    unsigned root = bufferRoots[value] = takesOver ? bufferRoots[next] : value;
    bufferUsers[root].insert(stage);
    bufferUsers[root].insert_range(readers[value]);
    if (stage == graph->values[root].stage && graph->values[value].escapes)
      escapes[root] = true;
  }
  bufferHomes.resize(count);
  for (unsigned value = 0; value < count; ++value) {
    unsigned root = bufferRoots[value], stage = graph->values[root].stage;
    bufferHomes[value] =
        graph->stages[stage].isArray || escapes[root] ? homes[stage] : leaves[stage];
  }
}

int64_t ScheduleTree::getSpan(const ScheduleNode &node, unsigned dim,
                              ArrayRef<unsigned> stages) const {
  if (graph->dims[dim].isUnit)
    return 1;
  auto isOver = [&](const ScheduleNode *loop) { return loop->dim == dim; };
  SmallVector<const ScheduleNode *> outer = node.getLoops();
  if (auto loop = llvm::find_if(llvm::reverse(outer), isOver); loop != outer.rend())
    return (*loop)->tile;
  int64_t span = 0;
  for (unsigned stage : stages) {
    SmallVector<const ScheduleNode *> loops = leaves[stage]->getLoops();
    const auto *loop = llvm::find_if(loops, isOver);
    int64_t own = loop == loops.end() ? graph->dims[dim].extent : (*loop)->tile * (*loop)->trips;
    span = std::max(span, own);
  }
  return span;
}

int64_t ScheduleTree::getSpan(const ScheduleNode &node, const Axis &axis,
                              ArrayRef<unsigned> stages) const {
  int64_t span = axis.span;
  for (Term term : axis.terms)
    if (!graph->dims[term.dim].isUnit)
      span += term.coefficient * (getSpan(node, term.dim, stages) - 1);
  return span;
}

SmallVector<int64_t> ScheduleTree::getShape(const Buffer &buffer, const ScheduleNode &node,
                                            ArrayRef<unsigned> stages) const {
  SmallVector<int64_t> shape;
  for (unsigned axis : buffer.order)
    shape.push_back(getSpan(node, buffer.axes[axis], stages));
  buffer.packShape(shape);
  return shape;
}

ScheduleBuffer ScheduleTree::getLoadBuffer(const ScheduleNode &load) const {
  const Buffer &buffer = getBuffer(load.stage, load.operand);
  return {&buffer,
          &load,
          MemorySpace::Sram,
          load.depth,
          getShape(buffer, load, load.stage),
          getOperandName(load)};
}

ScheduleBuffer ScheduleTree::getKeptBuffer(const ScheduleNode &keep) const {
  ScheduleBuffer buffer = getLoadBuffer(*findLoad(keep.stage, keep.operand));
  buffer.home = &keep;
  buffer.shape = getShape(*buffer.buffer, keep, keep.stage);
  return buffer;
}

ScheduleBuffer ScheduleTree::getValueBuffer(unsigned value) const {
  unsigned root = getBufferRoot(value);
  const StageValue &description = graph->values[root];
  const ScheduleNode &home = getHome(root);
  // A leaf that is not the home of its stage's values has its own ones in SRAM.
  bool hasPlace = home.kind == ScheduleNode::Kind::Value || home.isHome;
  return {&getBuffer(root),
          &home,
          hasPlace ? home.space : MemorySpace::Sram,
          description.buffer.isPrivate ? 1
          : hasPlace                   ? home.depth
                                       : homes[description.stage]->depth,
          getShape(getBuffer(root), home, getUsers(root)),
          graph->stages[description.stage].name};
}

std::vector<ScheduleBuffer> ScheduleTree::getBuffers() const {
  std::vector<ScheduleBuffer> buffers;
  for (unsigned stage = 0; stage < graph->stages.size(); ++stage)
    for (unsigned operand = 0; operand < graph->stages[stage].operands.size(); ++operand)
      if (const ScheduleNode *load = findLoad(stage, operand)) {
        const ScheduleNode *keep = findKeep(*load);
        buffers.push_back(keep ? getKeptBuffer(*keep) : getLoadBuffer(*load));
      }
  for (unsigned value = 0; value < graph->values.size(); ++value)
    if (getBufferRoot(value) == value)
      buffers.push_back(getValueBuffer(value));
  return buffers;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Every loop around a leaf tiles the stage, and what no tile spans has a loop.
LogicalResult ScheduleTree::verifyLeaf(unsigned stage) {
  const Stage &description = graph->stages[stage];
  if (!leaves[stage])
    return emitError() << "expected stage '" << description.name << "', which it does not have";
  if (!homes[stage])
    return emitError() << "expected a place for the values of stage '" << description.name
                       << "', as in @" << description.name
                       << (description.isArray ? " -> acc" : " -> sram");
  ArrayRef<unsigned> dims = description.getRoot().dims;
  SmallVector<const ScheduleNode *> loops = leaves[stage]->getLoops();
  // In panels, values are made again where that takes less than to keep them, as loads are.
  auto isOfReader = [&](unsigned dim) {
    return isInPanels(stage) &&
           llvm::is_contained(graph->stages[description.panels->reader].getRoot().dims, dim);
  };
  for (const ScheduleNode *loop : loops)
    if (!llvm::is_contained(dims, loop->dim) && !isOfReader(loop->dim))
      return emitError() << "stage '" << description.name << "' is inside a loop over '"
                         << graph->dims[loop->dim].name
                         << "', which it does not have; it would compute the same again";
  for (unsigned dim : dims)
    if (graph->dims[dim].isUnit && graph->dims[dim].extent != 1 &&
        llvm::none_of(loops, [&](const ScheduleNode *loop) { return loop->dim == dim; }))
      return emitError() << "expected a loop over '" << graph->dims[dim].name
                         << "', which no tile spans, around stage '" << description.name << '\'';
  for (const ScheduleNode *loop : loops)
    if (loop->trips > 1 && llvm::is_contained(description.wholeDims, loop->dim))
      return emitError() << "expected no loop over '" << graph->dims[loop->dim].name
                         << "' around stage '" << description.name
                         << "', which reduces along it and reads the result, found tiles of "
                         << loop->tile << "; make the reduction a stage of its own";
  return success();
}

/// The box of a buffer at `node` has no dimension that one buffer cannot have.
LogicalResult ScheduleTree::verifySpan(const ScheduleNode &node, const Buffer &buffer,
                                       ArrayRef<unsigned> stages, StringRef name) {
  for (unsigned stage : stages) {
    if (!isInBodyOf(*leaves[stage], node))
      continue; // the stage's operand is refused
    SmallVector<const ScheduleNode *> loops = leaves[stage]->getLoops();
    for (const ScheduleNode *loop : ArrayRef(loops).drop_front(node.level)) {
      bool moves = llvm::any_of(buffer.axes, [&](const Axis &axis) {
        return llvm::any_of(axis.terms, [&](Term term) { return term.dim == loop->dim; });
      });
      if (!moves || loop->trips == 1)
        continue;
      if (graph->dims[loop->dim].isUnit)
        return emitError() << "'" << name << "' is outside of the loop over '"
                           << graph->dims[loop->dim].name << "', which no tile spans";
      if (loop->clusters > 1)
        return emitError() << "'" << name << "' is outside of the loop over '"
                           << graph->dims[loop->dim].name
                           << "', of which each cluster has its own part";
      // A view of several panels starts at a whole panel.
      if (buffer.hasPanelAxis && buffer.axes[buffer.order[0]].terms[0].dim == loop->dim &&
          loop->tile % buffer.panelColumns != 0)
        return emitError() << "'" << name << "' is outside of the loop over '"
                           << graph->dims[loop->dim].name << "' in steps of " << loop->tile
                           << ", expected a multiple of the array's " << buffer.panelColumns
                           << " columns";
    }
  }
  return success();
}

LogicalResult ScheduleTree::verifyHome(unsigned stage) {
  const Stage &description = graph->stages[stage];
  const ScheduleNode &home = *homes[stage], &leaf = *leaves[stage];
  if (!isInBodyOf(leaf, home) || (&home != &leaf && !isBefore(home, leaf)))
    return emitError() << "expected the values of stage '" << description.name
                       << "' to have their place before it, in a loop around it or none";
  MemorySpace expected = description.isArray ? MemorySpace::Acc : MemorySpace::Sram;
  if (home.space != expected)
    return emitError() << "expected the values of stage '" << description.name << "' in "
                       << stringifyMemorySpace(expected) << ", found "
                       << stringifyMemorySpace(home.space);
  for (const ScheduleNode *loop : home.getLoops())
    if (loop->trips > 1 && llvm::is_contained(description.getReductionDims(), loop->dim))
      return emitError() << "expected the values of stage '" << description.name
                         << "' outside of the loop over '" << graph->dims[loop->dim].name
                         << "', along which it adds them up";
  for (unsigned value = 0; value < graph->values.size(); ++value) {
    if (graph->values[value].stage != stage || getBufferRoot(value) != value)
      continue;
    if (failed(verifySpan(getHome(value), getBuffer(value), getUsers(value), description.name)))
      return failure();
  }
  return success();
}

LogicalResult ScheduleTree::verifyLoad(const ScheduleNode &load) {
  const StageOperand &operand = graph->stages[load.stage].operands[load.operand];
  std::string name = getOperandName(load);
  const ScheduleNode &leaf = *leaves[load.stage];
  if (!isInBodyOf(leaf, load) || !isBefore(load, leaf))
    return emitError() << "expected the load of '" << name
                       << "' before its stage, in a loop around it or none";
  if (operand.isInitial &&
      (!isBefore(load, *homes[load.stage]) || !isInBodyOf(*homes[load.stage], load)))
    return emitError() << "expected the load of '" << name
                       << "' before the place of its stage's values, which it initialises";
  return verifySpan(load, getBuffer(load.stage, load.operand), load.stage, name);
}

/// Parts that no iteration loads again, and that do not overlap, fill a buffer of the whole kernel.
LogicalResult ScheduleTree::verifyKeep(const ScheduleNode &keep) {
  std::string name = getOperandName(keep);
  const ScheduleNode &load = *findLoad(keep.stage, keep.operand);
  if (keep.level > 0 || !isBefore(keep, load))
    return emitError() << "expected the place of '" << name
                       << "', which is kept, outside of all loops and before its load";
  if (load.depth > 1)
    return emitError() << "expected one buffer for '" << name
                       << "', which is kept, found a ring of " << load.depth;
  if (leaves[load.stage]->skew != 0)
    return emitError() << "expected no place for '" << name << "' to be kept in: stage '"
                       << graph->stages[load.stage].name << "' is skewed";
  const Buffer &buffer = getBuffer(load.stage, load.operand);
  for (const ScheduleNode *loop : load.getLoops()) {
    if (loop->trips == 1)
      continue;
    if (loop->clusters > 1)
      return emitError() << "expected no split over clusters around the load of '" << name
                         << "', which is kept, found that of '" << graph->dims[loop->dim].name
                         << '\'';
    for (const Axis &axis : buffer.axes)
      for (Term term : axis.terms)
        if (term.dim == loop->dim &&
            getSpan(load, axis, load.stage) > term.coefficient * loop->tile)
          return emitError()
                 << "expected parts of '" << name
                 << "', which is kept, that do not overlap, found windows that do along "
                 << "'" << graph->dims[loop->dim].name << '\'';
  }
  return verifySpan(keep, buffer, keep.stage, name);
}

/// What a stage reads of another one is complete and where the stage can read it.
LogicalResult ScheduleTree::verifyOperand(unsigned stage, unsigned number) {
  const Stage &description = graph->stages[stage];
  const StageOperand &operand = description.operands[number];
  const ScheduleNode *load = findLoad(stage, number), *keep = keeps.lookup({stage, number});
  std::string name = description.name + "." + operand.name;
  if (keep && !load)
    return emitError() << "expected a load of '" << name << "', which is to be kept";
  if (load && failed(verifyLoad(*load)))
    return failure();
  if (keep && failed(verifyKeep(*keep)))
    return failure();
  if (!operand.value)
    return load ? success()
                : LogicalResult(emitError()
                                << "expected a load of '" << name << "', which lies in DRAM");
  unsigned producer = graph->values[*operand.value].stage;
  const ScheduleNode &reader = load ? *load : *leaves[stage], &writer = *leaves[producer];
  if (!isBefore(writer, reader))
    return emitError() << "expected stage '" << graph->stages[producer].name << "' before '" << name
                       << "', which reads its result";
  // In an iteration of the loops around both, the reader needs what the writer made in it.
  for (const ScheduleNode *loop = getCommonLoop(writer, reader); loop->parent;
       loop = loop->parent) {
    if (loop->trips == 1)
      continue;
    bool isSummed = llvm::is_contained(graph->stages[producer].getReductionDims(), loop->dim);
    // A load takes whole panels.
    bool splitsPanels = load && operand.buffer.hasPanelAxis &&
                        operand.buffer.getDims().front() == loop->dim &&
                        loop->tile % operand.buffer.panelColumns != 0;
    if (isSummed || !operand.isAligned || splitsPanels)
      return emitError() << "'" << name << "' needs more of stage '" << graph->stages[producer].name
                         << "' than an iteration of the loop over '" << graph->dims[loop->dim].name
                         << "' makes; close the loop between them";
  }
  // A skewed stage is behind what else its loop has in an iteration.
  bool isAsLate = !load && reader.parent == writer.parent && reader.skew == writer.skew;
  if (writer.skew != 0 && !isAsLate && isInBodyOf(reader, writer))
    return emitError() << "'" << name << "' needs what the skewed stage '"
                       << graph->stages[producer].name
                       << "' makes an iteration later; skew it, too, or read it after the loop";
  if (load)
    return success();
  ScheduleBuffer buffer = getValueBuffer(*operand.value);
  const Buffer &asked = getBuffer(stage, number);
  if (isInPanels(stage) && asked.panelColumns > 0 && operand.isAligned)
    return emitError() << "expected a load of '" << name << "': stage '" << description.name
                       << "' works in panels for '"
                       << graph->stages[description.panels->reader].name
                       << "', which the result of '" << graph->stages[producer].name
                       << "' is not in; or load what that reads";
  if (!operand.isAligned || operand.isInitial ||
      asked.panelColumns != buffer.buffer->panelColumns ||
      (description.isArray &&
       (buffer.space != MemorySpace::Sram || operand.buffer.getDims() != buffer.buffer->getDims())))
    return emitError() << "expected a load of '" << name
                       << "': the stage cannot read the result of '" << graph->stages[producer].name
                       << "' where it lies on chip";
  if (!isInBodyOf(*leaves[stage], *buffer.home))
    return emitError() << "expected the values of stage '" << graph->stages[producer].name
                       << "' in a loop around stage '" << description.name
                       << "', which reads them, or a load of '" << name << '\'';
  return success();
}

/// Tiles of a stage whose values are in panels begin at whole panels, and are whole where its
/// instructions need that.
LogicalResult ScheduleTree::verifyPanels(unsigned stage) {
  const StagePanels &panels = *graph->stages[stage].panels;
  for (const ScheduleNode *loop : leaves[stage]->getLoops())
    if (llvm::is_contained(panels.wholeDims, loop->dim) && loop->trips > 1)
      return emitError() << "stage '" << graph->stages[stage].name << "' leaves panels for '"
                         << graph->stages[panels.reader].name << "."
                         << graph->stages[panels.reader].operands[panels.operand].name
                         << "' with too many dimensions for tiles of '"
                         << graph->dims[loop->dim].name
                         << "' that are not whole; close its loop, or load the operand";
  for (const ScheduleNode *loop : leaves[stage]->getLoops())
    if (loop->dim == panels.dim && loop->trips > 1 && loop->tile % panels.columns != 0)
      return emitError() << "stage '" << graph->stages[stage].name << "' leaves panels of "
                         << panels.columns << " columns for '" << graph->stages[panels.reader].name
                         << "." << graph->stages[panels.reader].operands[panels.operand].name
                         << "', expected a multiple of them as tiles of '"
                         << graph->dims[loop->dim].name << "', found " << loop->tile
                         << "; or load the operand";
  return success();
}

/// A skewed leaf reads, one iteration later, what others of its loop made.
LogicalResult ScheduleTree::verifySkew(const ScheduleNode &leaf) {
  if (leaf.skew == 0)
    return success();
  const Stage &stage = graph->stages[leaf.stage];
  ScheduleNode *loop = leaf.parent;
  if (!loop->parent)
    return emitError() << "expected the skewed stage '" << stage.name << "' in a loop";
  if (loop->clusters > 1)
    return emitError() << "expected no skew in the loop over '" << graph->dims[loop->dim].name
                       << "', which is split over clusters";
  for (const ScheduleNode *outer = loop->parent; outer->parent; outer = outer->parent)
    if (outer->dim == loop->dim)
      return emitError() << "expected no skew in a loop over parts of the tiles of '"
                         << graph->dims[loop->dim].name << "'; skew the stage in the outer one";
  if (!stage.isArray && llvm::is_contained(stage.getReductionDims(), loop->dim))
    return emitError() << "expected no skew of stage '" << stage.name << "' in the loop over '"
                       << graph->dims[loop->dim].name
                       << "', along which the vector unit reduces it";
  bool sumsBehind = llvm::is_contained(stage.getReductionDims(), loop->dim);
  if (sumsBehind && llvm::any_of(stage.operands, [](const StageOperand &operand) {
        return operand.buffer.role == BufferRole::Start;
      }))
    return emitError() << "expected no skew of stage '" << stage.name << "' in the loop over '"
                       << graph->dims[loop->dim].name
                       << "', along which it adds to a bias; add the bias behind the contraction";
  // In the first iteration some extent is zero.
  bool isRagged = graph->dims[loop->dim].extent % loop->tile != 0;
  for (const StageOp &op : stage.ops) {
    bool hasFixed = llvm::any_of(op.dims, [&](unsigned dim) {
      if (graph->dims[dim].isUnit)
        return false;
      bool isLooped = llvm::any_of(leaf.getLoops(), [&](const ScheduleNode *outer) {
        return outer->dim == dim && outer->trips > 1;
      });
      return dim == loop->dim ? !isRagged : !isLooped;
    });
    if (!hasFixed)
      return emitError() << "expected tiles that divide dimension '" << graph->dims[loop->dim].name
                         << "' of the skewed stage '" << stage.name
                         << "', or a dimension of it without a loop";
  }
  loop->isExtended = true;
  const ScheduleNode &own = *homes[leaf.stage];
  if (&own != &leaf && own.parent == loop && own.depth < 2)
    return emitError() << "expected at least two buffers for the values of the skewed stage '"
                       << stage.name << "', or their place at its leaf";
  for (auto [number, operand] : llvm::enumerate(stage.operands)) {
    const ScheduleNode *load = findLoad(leaf.stage, number);
    const ScheduleNode *home = load;
    int64_t depth = load ? load->depth : 0, writerSkew = 0;
    if (!load) {
      ScheduleBuffer buffer = getValueBuffer(*operand.value);
      home = buffer.home;
      depth = buffer.depth;
      writerSkew = leaves[graph->values[*operand.value].stage]->skew;
    }
    if (home->parent == loop && writerSkew == 0 && depth < 2)
      return emitError() << "expected at least two buffers for '" << stage.name << "."
                         << operand.name << "', which the skewed stage reads one iteration later";
  }
  return success();
}

bool ScheduleTree::isFromChip(const ScheduleNode &load) const {
  std::optional<unsigned> value = graph->stages[load.stage].operands[load.operand].value;
  if (!value || getBufferRoot(*value) != *value)
    return false;
  // Of several clusters one has it, or each a part.
  if (leaves[load.stage]->findSplit() || leaves[graph->values[*value].stage]->findSplit())
    return false;
  const ScheduleNode &home = getHome(*value);
  return home.kind == ScheduleNode::Kind::Value && home.level == 0 &&
         home.space == MemorySpace::Sram && isBefore(home, load);
}

/// Buffers that are in use while the same child of the root runs fit together.
LogicalResult ScheduleTree::verifyFootprint() {
  SmallVector<int64_t> sram(root->children.size() + 1), acc(root->children.size() + 1);
  llvm::DenseMap<const ScheduleNode *, unsigned> lastUses = getLastUses();
  std::vector<ScheduleBuffer> buffers = getBuffers();
  for (const ScheduleBuffer &buffer : buffers) {
    auto [first, last] = getLife(buffer, lastUses);
    int64_t bytes = buffer.buffer->elementBytes;
    for (int64_t size : buffer.shape)
      bytes *= size;
    bytes = getSlotBytes(bytes) * buffer.depth;
    for (unsigned child = first; child <= last; ++child)
      (buffer.space == MemorySpace::Acc ? acc : sram)[child] += bytes;
  }
  for (auto [needed, available, name] :
       {std::tuple(*llvm::max_element(sram), graph->target.sramBytes, "SRAM"),
        std::tuple(*llvm::max_element(acc), graph->target.accBytes, "accumulator memory")}) {
    if (needed <= available)
      continue;
    InFlightDiagnostic diagnostic = emitError()
                                    << "needs " << needed << " bytes of " << name << ", target '"
                                    << graph->target.name << "' has " << available
                                    << "; choose smaller tiles or depths" << kRemedy;
    for (const ScheduleBuffer &buffer : buffers) {
      if ((buffer.space == MemorySpace::Acc) != (StringRef(name) != "SRAM"))
        continue;
      std::string shape;
      llvm::raw_string_ostream os(shape);
      llvm::interleave(buffer.shape, os, "x");
      diagnostic.attachNote() << buffer.name << ": " << shape << " elements of "
                              << buffer.buffer->elementBytes << " bytes, " << buffer.depth
                              << " times";
    }
    return diagnostic;
  }
  return success();
}

LogicalResult ScheduleTree::verify() {
  findPanels();
  for (unsigned stage = 0; stage < graph->stages.size(); ++stage)
    if (failed(verifyLeaf(stage)))
      return failure();
  assignBuffers();
  for (const auto &[place, load] : loads) {
    std::optional<unsigned> value = graph->stages[load->stage].operands[load->operand].value;
    if (value && !isFromChip(*load))
      scratch.insert(*value);
  }
  for (unsigned stage = 0; stage < graph->stages.size(); ++stage) {
    if (failed(verifyHome(stage)) || (isInPanels(stage) && failed(verifyPanels(stage))))
      return failure();
    for (unsigned operand = 0; operand < graph->stages[stage].operands.size(); ++operand)
      if (failed(verifyOperand(stage, operand)))
        return failure();
  }
  for (const ScheduleNode *leaf : leaves)
    if (failed(verifySkew(*leaf)))
      return failure();
  if (failed(verifyClusters()))
    return failure();
  return verifyFootprint();
}
