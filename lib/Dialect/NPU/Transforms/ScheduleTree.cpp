//===- ScheduleTree.cpp - analysis of a kernel's schedule -----------------===//

#include "ScheduleTree.h"

#include "NPU/Target/ISA/Instructions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu;
using namespace npu::tile;

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
  auto moves = [&](const ScheduleNode *loop) {
    for (; loop->parent; loop = loop->parent)
      if (loop->dim == *dim && loop->trips > 1)
        return true;
    return false;
  };
  for (const ScheduleNode *outer = &node; outer->parent; outer = outer->parent) {
    if (outer->dim != *dim)
      continue;
    bool isRagged = moves(outer) && outer->tile % attr.getTile() != 0;
    if (isRagged || attr.getClusters() > 1)
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
  // A larger one would be a smaller one by another name.
  if (attr.getTile() > extent)
    return emitError() << "expected tiles of at most " << extent << " along '"
                       << graph->dims[*dim].name << "', found " << attr.getTile();
  ScheduleNode &loop = addChild(node, ScheduleNode::Kind::Loop);
  loop.dim = *dim;
  loop.tile = attr.getTile();
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
  leaf.begin = attr.getBegin();
  leaf.beginDim = attr.getBeginDim();
  leaf.endDim = attr.getEndDim();
  leaves[*stage] = &leaf;
  if (!attr.getSpace())
    return success();
  leaf.space = *attr.getSpace();
  leaf.depth = attr.getDepth();
  leaf.addsProducts = graph->stages[*stage].isArray && homes[*stage] &&
                      homes[*stage]->space == MemorySpace::Sram && leaf.space == MemorySpace::Acc;
  if (leaf.addsProducts)
    return success();
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

bool npu::isInBodyOf(const ScheduleNode &node, const ScheduleNode &outer) {
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

bool npu::isBefore(const ScheduleNode &a, const ScheduleNode &b) {
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

bool ScheduleTree::isByPanels(unsigned stage) const {
  if (!isInPanels(stage))
    return false;
  const StagePanels &panels = *graph->stages[stage].panels;
  return llvm::any_of(leaves[stage]->getLoops(), [&](const ScheduleNode *loop) {
    return loop->dim == panels.dim && loop->tile == panels.columns;
  });
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
    // What has it as a whole needs no more; parts of that may go past its end.
    if (loop == loops.end())
      return graph->dims[dim].extent;
    span = std::max(span, (*loop)->tile * (*loop)->trips);
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

ScheduleBuffer ScheduleTree::getProductBuffer(const ScheduleNode &leaf) const {
  const Buffer &buffer = getBuffer(graph->valuesOfStage[leaf.stage].front());
  return {&buffer,
          &leaf,
          leaf.space,
          leaf.depth,
          getShape(buffer, leaf, leaf.stage),
          "products of " + graph->stages[leaf.stage].name};
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
  for (const ScheduleNode *leaf : leaves)
    if (leaf->addsProducts)
      buffers.push_back(getProductBuffer(*leaf));
  return buffers;
}

bool ScheduleTree::isFromChip(const ScheduleNode &load) const {
  std::optional<unsigned> value = graph->stages[load.stage].operands[load.operand].value;
  if (!value)
    return false;
  // The last value of a stage may be where those before it were, but not where another stage works.
  const StageValue &description = graph->values[*value];
  if (graph->values[getBufferRoot(*value)].stage != description.stage)
    return false;
  // Of several clusters one has it, or each a part.
  if (!leaves[load.stage]->getSplits().empty() || !leaves[description.stage]->getSplits().empty())
    return false;
  const ScheduleNode &home = getHome(*value);
  return home.kind == ScheduleNode::Kind::Value && home.level == 0 &&
         home.space == MemorySpace::Sram && isBefore(home, load);
}
