//===- LowerToTiles.cpp - tensor form to tile form ------------------------===//
//
// One walk over the schedule's tree creates everything: loops, buffers, DMA, the ops of the stages.
// Shapes come from ScheduleTree, whose rules have been checked; nothing is decided here.
//
//===----------------------------------------------------------------------===//

#include "PanelExtents.h"
#include "ScheduleTree.h"
#include "Strips.h"
#include "TileCost.h"
#include "TileSignature.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Support/PartLocation.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace npu;
using namespace npu::tile;

namespace npu {
#define GEN_PASS_DEF_NPULOWERTOTILES
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

namespace {
/// constant + sum of coefficient * counter, by loop.
struct Linear {
  int64_t constant = 0;
  SmallVector<std::pair<unsigned, int64_t>, 2> terms;
};

class TileLowering {
public:
  explicit TileLowering(const ScheduleTree &tree)
      : tree(tree), graph(tree.getGraph()), kernel(graph.kernel), builder(kernel.getContext()),
        loc(graph.stages.front().getRoot().op.getLoc()) {}

  void run();

private:
  /// A loop around the insertion point. Those of one iteration have no counter.
  struct Loop {
    const ScheduleNode *node;
    Value counter, extent, offset;
  };

  void createScratch();
  void replaceBody(Block *oldBlock);

  // Index values.
  Value getConstant(int64_t value);
  Value createApply(const Linear &sum);
  Value createExtent(const Linear &limit, int64_t full);
  Value createExtentOf(unsigned dim);
  SmallVector<Value> getExtents(ArrayRef<unsigned> dims);
  void makeEmpty(ArrayRef<unsigned> dims, MutableArrayRef<Value> extents, Linear count);
  SmallVector<unsigned, 2> findLoops(unsigned dim) const;
  std::optional<unsigned> findLoop(unsigned dim) const;
  void subtractPassed(Linear &limit, unsigned dim, int64_t scale) const;
  Linear getOffset(const Axis &axis, unsigned firstLoop, unsigned endLoop) const;
  bool isRagged(const ScheduleNode &loop) const;

  // Buffers.
  Value allocate(const ScheduleBuffer &buffer, Type elementType);
  Location getTransferLoc(Location op) const;
  void createLoad(const ScheduleNode &load);
  Linear getOnce(const ScheduleNode &keep, const Buffer &buffer, Linear limit) const;
  Value getWholeValue(unsigned value);
  Linear getLoadLimit(const Axis &axis) const;
  Value createView(const ScheduleBuffer &buffer, Value memref, bool isPrevious);
  Value getOperandView(unsigned stage, OpOperand &operand);
  Value getValueView(unsigned value);
  Value getPrevious(Value buffer);
  void createStores(unsigned value);
  void createStoresAfter(const ScheduleNode &child);

  // Nodes.
  void createBody(const ScheduleNode &loop);
  void createLoop(const ScheduleNode &loop);
  void createKeep(const ScheduleNode &keep);
  void createPlace(const ScheduleNode &place);
  void initialize(unsigned stage, unsigned value);
  bool isSummedBehind(const ScheduleNode &leaf) const;
  void createLeaf(const ScheduleNode &leaf);
  void createOp(unsigned stage, const StageOp &op);
  void addProducts(Value products, unsigned value, ArrayRef<Value> init);

  const ScheduleTree &tree;
  const StageGraph &graph;
  KernelOp kernel;
  OpBuilder builder;
  Location loc;
  Block *entry = nullptr;
  DenseMap<Value, Value> dramOf; ///< tensors of the old body to arguments and scratch memory
  SmallVector<Value> outputs;
  DenseMap<int64_t, Value> constants;
  SmallVector<Loop> loops;
  DenseMap<const ScheduleNode *, Value> loaded; ///< what loads fill
  DenseMap<const ScheduleNode *, Value> kept;   ///< buffers of what is loaded in parts
  DenseMap<unsigned, Value> valueBuffers;       ///< by root
  const ScheduleNode *skewed = nullptr;         ///< the leaf under way, if it is
};
} // namespace

//===----------------------------------------------------------------------===//
// Index values
//===----------------------------------------------------------------------===//

Value TileLowering::getConstant(int64_t value) {
  Value &constant = constants[value];
  if (!constant) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    constant = arith::ConstantIndexOp::create(builder, loc, value);
  }
  return constant;
}

Value TileLowering::createApply(const Linear &sum) {
  if (sum.terms.empty())
    return getConstant(sum.constant);
  if (sum.constant == 0 && sum.terms.size() == 1) {
    auto [loop, coefficient] = sum.terms[0];
    if (coefficient == 1)
      return loops[loop].counter;
    // The offset of a tile exists already, except for the call that makes it.
    if (loops[loop].offset && coefficient == loops[loop].node->tile)
      return loops[loop].offset;
  }
  SmallVector<Value> operands;
  AffineExpr expr = builder.getAffineConstantExpr(sum.constant);
  for (auto [loop, coefficient] : sum.terms) {
    expr = expr + builder.getAffineDimExpr(operands.size()) * coefficient;
    operands.push_back(loops[loop].counter);
  }
  return affine::AffineApplyOp::create(builder, loc, AffineMap::get(operands.size(), 0, expr),
                                       operands);
}

/// min(limit, full).
Value TileLowering::createExtent(const Linear &limit, int64_t full) {
  if (limit.terms.empty())
    return getConstant(std::min(limit.constant, full));
  SmallVector<Value> operands;
  AffineExpr expr = builder.getAffineConstantExpr(limit.constant);
  for (auto [loop, coefficient] : limit.terms) {
    expr = expr + builder.getAffineDimExpr(operands.size()) * coefficient;
    operands.push_back(loops[loop].counter);
  }
  AffineMap map = AffineMap::get(operands.size(), 0, {expr, builder.getAffineConstantExpr(full)},
                                 builder.getContext());
  return affine::AffineMinOp::create(builder, loc, map, operands);
}

/// The loops over `dim` that move around the insertion point, outermost first: those inside of the
/// first are over parts of its tiles.
SmallVector<unsigned, 2> TileLowering::findLoops(unsigned dim) const {
  SmallVector<unsigned, 2> found;
  for (auto [index, loop] : llvm::enumerate(loops))
    if (loop.node->dim == dim && loop.counter)
      found.push_back(index);
  return found;
}

/// The innermost of them, if there is one.
std::optional<unsigned> TileLowering::findLoop(unsigned dim) const {
  SmallVector<unsigned, 2> found = findLoops(dim);
  return found.empty() ? std::nullopt : std::optional(found.back());
}

/// What is left of dimension `dim` at the counters of its loops: subtracts `scale` times each
/// index that they have passed, if not all tiles are full.
void TileLowering::subtractPassed(Linear &limit, unsigned dim, int64_t scale) const {
  SmallVector<unsigned, 2> found = findLoops(dim);
  if (llvm::any_of(found, [&](unsigned loop) { return isRagged(*loops[loop].node); }))
    for (unsigned loop : found)
      limit.terms.push_back({loop, -scale * loops[loop].node->tile});
}

/// Whether some iteration has less than a full tile, as far as the loop itself decides.
bool TileLowering::isRagged(const ScheduleNode &loop) const {
  return graph.dims[loop.dim].extent % loop.tile != 0 || loop.trips % loop.clusters != 0 ||
         loop.isExtended;
}

/// The extent of the current tile along `dim`.
Value TileLowering::createExtentOf(unsigned dim) {
  int64_t extent = graph.dims[dim].extent;
  std::optional<unsigned> index = findLoop(dim);
  if (!index)
    return getConstant(graph.dims[dim].isUnit ? 1 : extent);
  Linear limit = {extent, {}};
  subtractPassed(limit, dim, 1);
  return createExtent(limit, loops[*index].node->tile);
}

/// Extents of the current tile. Of a skewed stage one of them is zero in the first iteration of its
/// loop: that of the loop's dimension where tiles divide it, or else one that does not change.
SmallVector<Value> TileLowering::getExtents(ArrayRef<unsigned> dims) {
  SmallVector<Value> extents;
  for (unsigned dim : dims) {
    std::optional<unsigned> loop = findLoop(dim);
    extents.push_back(loop ? loops[*loop].extent : createExtentOf(dim));
  }
  if (loops.empty())
    return extents;
  unsigned last = loops.size() - 1;
  const ScheduleNode &loop = *loops[last].node;
  int64_t extent = graph.dims[loop.dim].extent;
  // The others have nothing to do in the iteration more that a skewed stage needs. What no tile
  // spans has no extent that says so.
  if (!skewed && loop.isExtended && graph.dims[loop.dim].isUnit)
    makeEmpty(dims, extents, {loop.trips, {{last, -1}}});
  if (!skewed)
    return extents;
  bool isEmptyFirst = false;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (dim != loop.dim)
      continue;
    isEmptyFirst = extent % loop.tile == 0;
    Linear limit = {isEmptyFirst ? 0 : extent + loop.tile,
                    {{last, isEmptyFirst ? loop.tile : -loop.tile}}};
    extents[index] = createExtent(limit, loop.tile);
  }
  if (!isEmptyFirst)
    makeEmpty(dims, extents, {0, {{last, 1}}});
  return extents;
}

/// Makes the first extent that does not change zero where `count` is.
void TileLowering::makeEmpty(ArrayRef<unsigned> dims, MutableArrayRef<Value> extents,
                             Linear count) {
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (findLoop(dim) || graph.dims[dim].isUnit)
      continue;
    int64_t whole = graph.dims[dim].extent;
    count.constant *= whole;
    for (auto &term : count.terms)
      term.second *= whole;
    extents[index] = createExtent(count, whole);
    return;
  }
}

/// Coordinate along `axis` at the counters of the loops [firstLoop, endLoop). A skewed stage is an
/// iteration behind.
Linear TileLowering::getOffset(const Axis &axis, unsigned firstLoop, unsigned endLoop) const {
  Linear sum;
  for (Term term : axis.terms) {
    for (unsigned loop : findLoops(term.dim)) {
      if (loop < firstLoop || loop >= endLoop)
        continue;
      int64_t step = term.coefficient * loops[loop].node->tile;
      sum.terms.push_back({loop, step});
      if (skewed && loop + 1 == loops.size())
        sum.constant -= step;
    }
  }
  return sum;
}

/// DRAM coordinate of the index that lies `offset` from the axis' first.
static Linear getCoordinate(const Axis &axis, Linear offset) {
  offset.constant = axis.start + axis.step * (offset.constant + axis.offset);
  for (auto &term : offset.terms)
    term.second *= axis.step;
  return offset;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Value TileLowering::allocate(const ScheduleBuffer &buffer, Type elementType) {
  auto space = MemorySpaceAttr::get(builder.getContext(), buffer.space);
  auto type = MemRefType::get(buffer.shape, elementType, MemRefLayoutAttrInterface(), space);
  auto alloc = memref::AllocOp::create(builder, loc, type);
  if (buffer.depth > 1)
    alloc->setAttr(kBuffersAttrName, builder.getI64IntegerAttr(buffer.depth));
  return alloc;
}

/// Elements of the tensor that are left along `axis` from the load's origin; a halo counts whole.
Linear TileLowering::getLoadLimit(const Axis &axis) const {
  Linear limit = {axis.span, {}};
  for (Term term : axis.terms) {
    if (graph.dims[term.dim].isUnit)
      continue;
    std::optional<unsigned> loop = findLoop(term.dim);
    bool isTap = graph.dims[term.dim].isReluctant;
    int64_t extent = loop && isTap ? loops[*loop].node->tile : graph.dims[term.dim].extent;
    limit.constant += term.coefficient * (extent - 1);
    if (!isTap)
      subtractPassed(limit, term.dim, term.coefficient);
  }
  return limit;
}

/// Transfers have the place of the kernel, and the part of the op that they are for.
Location TileLowering::getTransferLoc(Location op) const {
  unsigned part = getPart(op);
  return part == getPart(loc) ? loc : getPartLocation(loc, part);
}

/// What is on chip as a whole, without what its last tiles reach beyond.
Value TileLowering::getWholeValue(unsigned value) {
  Value memref = valueBuffers.lookup(tree.getBufferRoot(value));
  const Buffer &buffer = graph.values[value].buffer;
  SmallVector<OpFoldResult> sizes;
  for (unsigned axis : buffer.order)
    sizes.push_back(builder.getIndexAttr(buffer.axes[axis].extent));
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, loc, memref, offsets, sizes, strides);
}

/// `limit`, and nothing after the first iteration of loops beside `keep` that do not move `buffer`.
Linear TileLowering::getOnce(const ScheduleNode &keep, const Buffer &buffer, Linear limit) const {
  for (auto [index, loop] : llvm::enumerate(loops))
    if (index >= keep.level && loop.counter && !dependsOn(buffer, loop.node->dim))
      limit.terms.push_back({index, -limit.constant});
  return limit;
}

void TileLowering::createLoad(const ScheduleNode &load) {
  const StageOperand &operand = graph.stages[load.stage].operands[load.operand];
  ScheduleBuffer place = tree.getLoadBuffer(load);
  const Buffer &buffer = *place.buffer;
  const ScheduleNode *keep = tree.findKeep(load);
  Value memref =
      keep ? createView(tree.getKeptBuffer(*keep), kept.lookup(keep), /*isPrevious=*/false)
           : allocate(place, getElementTypeOrSelf(operand.tensor));
  loaded[&load] = memref;

  SmallVector<Value> origin, extents;
  SmallVector<AffineExpr> coordinates(buffer.axes.size(), builder.getAffineConstantExpr(0));
  for (const Axis &axis : buffer.axes)
    origin.push_back(createApply(getCoordinate(axis, getOffset(axis, 0, loops.size()))));

  int64_t columns = buffer.panelColumns; // of a panel that are loaded
  bool isPacked = columns > 0;
  if (isPacked && !buffer.hasPanelAxis)
    extents.push_back(getConstant(1));
  for (unsigned axisIndex : buffer.order) {
    const Axis &axis = buffer.axes[axisIndex];
    unsigned position = extents.size();
    coordinates[axisIndex] = builder.getAffineDimExpr(position);
    Linear limit = getLoadLimit(axis);
    auto loop = axis.terms.empty() ? std::nullopt : findLoop(axis.terms[0].dim);
    bool isPanels = isPacked && buffer.hasPanelAxis && position == 0;
    if (isPanels) {
      // Panels are counted; the columns of the last one that do not exist are filled.
      coordinates[axisIndex] = coordinates[axisIndex] * buffer.panelColumns +
                               builder.getAffineDimExpr(place.shape.size() - 1);
      bool isWhole = !loop || loops[*loop].node->tile % buffer.panelColumns == 0;
      columns = isWhole ? columns : std::min(columns, loops[*loop].node->tile);
      limit.constant = isWhole || limit.terms.empty()
                           ? llvm::divideCeil(limit.constant, buffer.panelColumns)
                           : place.shape[0];
      if (!isWhole)
        limit.terms.clear();
      for (auto &term : limit.terms)
        term.second /= buffer.panelColumns;
    }
    coordinates[axisIndex] = coordinates[axisIndex] * axis.step;
    bool isOnce = keep && axisIndex == buffer.order.front();
    if (isOnce)
      limit = getOnce(*keep, buffer, std::move(limit));
    bool isPlain = axis.terms.size() == 1 && axis.terms[0].coefficient == 1 &&
                   !(isPacked && position == 0) && !isOnce;
    extents.push_back(isPlain && loop ? loops[*loop].extent
                                      : createExtent(limit, place.shape[position]));
  }
  if (isPacked)
    extents.push_back(getConstant(buffer.hasPanelAxis ? columns : 1));

  Value source = dramOf.lookup(operand.tensor);
  if (tree.isFromChip(load)) {
    // A value has dimensions of its own order.
    ArrayRef<unsigned> order = graph.values[*operand.value].buffer.order;
    source = getWholeValue(*operand.value);
    origin = llvm::map_to_vector(order, [&](unsigned axis) { return origin[axis]; });
    coordinates = llvm::map_to_vector(order, [&](unsigned axis) { return coordinates[axis]; });
  }
  AffineMap map = AffineMap::get(place.shape.size(), 0, coordinates, builder.getContext());
  AffineMapAttr mapAttr = map.isIdentity() ? AffineMapAttr() : AffineMapAttr::get(map);
  Location of = loc;
  for (Operation *user : operand.tensor.getUsers())
    if (llvm::any_of(graph.stages[load.stage].ops,
                     [&](const StageOp &stageOp) { return stageOp.op == user; }))
      of = user->getLoc();
  // What is beyond the last column of a panel is read, and not used.
  TypedAttr fill = operand.fill;
  if (isPacked && !fill)
    fill = builder.getZeroAttr(getElementTypeOrSelf(operand.tensor));
  DmaLoadOp::create(builder, getTransferLoc(of), source, origin, memref, extents, mapAttr, fill,
                    /*clusters=*/nullptr);
}

/// The instance of a buffer of the innermost loop that its iteration before had.
Value TileLowering::getPrevious(Value buffer) {
  return PreviousOp::create(builder, loc, buffer.getType(), buffer);
}

/// The current tile of a buffer, which may hold several.
Value TileLowering::createView(const ScheduleBuffer &place, Value memref, bool isPrevious) {
  if (isPrevious)
    memref = getPrevious(memref);
  const Buffer &buffer = *place.buffer;
  SmallVector<OpFoldResult> offsets, sizes, strides;
  bool isPacked = buffer.panelColumns > 0, isPart = false;
  if (isPacked && !buffer.hasPanelAxis)
    offsets.push_back(builder.getIndexAttr(0));
  SmallVector<int64_t> tileShape;
  for (unsigned axisIndex : buffer.order) {
    const Axis &axis = buffer.axes[axisIndex];
    int64_t span = axis.span;
    for (Term term : axis.terms) {
      if (graph.dims[term.dim].isUnit)
        continue;
      std::optional<unsigned> loop = findLoop(term.dim);
      span +=
          term.coefficient * ((loop ? loops[*loop].node->tile : graph.dims[term.dim].extent) - 1);
    }
    tileShape.push_back(span);
    Linear offset = getOffset(axis, place.home->level, loops.size());
    if (isPacked && buffer.hasPanelAxis && offsets.empty()) {
      offset.constant /= buffer.panelColumns;
      for (auto &term : offset.terms)
        term.second /= buffer.panelColumns;
    }
    isPart |= !offset.terms.empty();
    offsets.push_back(offset.terms.empty() ? OpFoldResult(builder.getIndexAttr(0))
                                           : OpFoldResult(createApply(offset)));
  }
  buffer.packShape(tileShape);
  if (!isPart && tileShape == place.shape)
    return memref;
  if (isPacked)
    offsets.push_back(builder.getIndexAttr(0));
  for (int64_t size : tileShape)
    sizes.push_back(builder.getIndexAttr(size));
  strides.assign(sizes.size(), builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, loc, memref, offsets, sizes, strides);
}

Value TileLowering::getValueView(unsigned value) {
  ScheduleBuffer place = tree.getValueBuffer(value);
  // A skewed stage works on what its loop held before, except where skewed stages put theirs.
  bool isPrevious = skewed && place.home->parent == skewed->parent && place.home->skew == 0;
  return createView(place, valueBuffers.lookup(tree.getBufferRoot(value)), isPrevious);
}

/// What an op reads: a load of its stage, or a value.
Value TileLowering::getOperandView(unsigned stage, OpOperand &operand) {
  auto known = graph.operandNumbers.find(&operand);
  if (known != graph.operandNumbers.end())
    if (const ScheduleNode *load = tree.findLoad(stage, known->second)) {
      // What is kept has a part for each iteration, or one for all of them.
      const ScheduleNode *keep = skewed ? tree.findKeep(*load) : nullptr;
      if (keep)
        return createView(tree.getKeptBuffer(*keep), kept.lookup(keep), /*isPrevious=*/false);
      return createView(tree.getLoadBuffer(*load), loaded.lookup(load),
                        skewed && load->parent == skewed->parent);
    }
  return getValueView(graph.valueNumbers.lookup(operand.get()));
}

/// Stores what the place of `value` holds into the results and scratch memory that take it.
void TileLowering::createStores(unsigned value) {
  const Buffer &buffer = graph.values[tree.getBufferRoot(value)].buffer;
  SmallVector<unsigned> dims = buffer.getDims();
  auto createStore = [&](Value memref, ArrayRef<Axis> axes) {
    SmallVector<Value> origin;
    SmallVector<AffineExpr> coordinates;
    for (const Axis &axis : axes) {
      origin.push_back(createApply(getCoordinate(axis, getOffset(axis, 0, loops.size()))));
      auto position = axis.terms.empty() ? dims.end() : llvm::find(dims, axis.terms[0].dim);
      coordinates.push_back(position == dims.end()
                                ? builder.getAffineConstantExpr(0)
                                : builder.getAffineDimExpr(position - dims.begin()) * axis.step);
    }
    AffineMap map = AffineMap::get(dims.size(), 0, coordinates, builder.getContext());
    Location of = graph.values[value].value.getLoc();
    DmaStoreOp::create(builder, getTransferLoc(of), getValueView(value), memref, origin,
                       getExtents(dims),
                       map.isIdentity() ? AffineMapAttr() : AffineMapAttr::get(map));
  };
  for (auto [result, output] : llvm::zip_equal(graph.results, outputs))
    if (result.value == value)
      createStore(output, result.axes);
  if (tree.isScratch(value))
    createStore(dramOf.lookup(graph.values[value].value), graph.getScratchAxes(value));
}

/// Stores the values that are complete after a child of the innermost loop: their place is in its
/// body, and the leaf that computes them is in the child.
void TileLowering::createStoresAfter(const ScheduleNode &child) {
  for (unsigned value = 0; value < graph.values.size(); ++value) {
    const ScheduleNode &leaf = tree.getLeaf(graph.values[value].stage);
    if (tree.getHome(value).parent != child.parent || leaf.parent == child.parent)
      continue; // elsewhere, or stored by the leaf
    const ScheduleNode *node = &leaf;
    while (node && node != &child)
      node = node->parent;
    if (node)
      createStores(value);
  }
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// Allocates the operand of which a load further inside fills a part at a time.
void TileLowering::createKeep(const ScheduleNode &keep) {
  Value tensor = graph.stages[keep.stage].operands[keep.operand].tensor;
  kept[&keep] = allocate(tree.getKeptBuffer(keep), getElementTypeOrSelf(tensor));
}

/// Allocates the values that live at `place`, and initializes an accumulator. A leaf allocates
/// those of the vector unit when it computes them.
void TileLowering::createPlace(const ScheduleNode &place) {
  const Stage &stage = graph.stages[place.stage];
  if (place.kind == ScheduleNode::Kind::Leaf && !stage.isArray)
    return;
  for (auto [value, description] : llvm::enumerate(graph.values)) {
    if (tree.getBufferRoot(value) != value || &tree.getHome(value) != &place)
      continue;
    valueBuffers[value] =
        allocate(tree.getValueBuffer(value), getElementTypeOrSelf(description.value));
    if (stage.isArray)
      initialize(place.stage, value);
  }
}

/// Gives an accumulator its first contents where the contraction does not.
void TileLowering::initialize(unsigned stage, unsigned value) {
  Value buffer = valueBuffers.lookup(value);
  for (auto [index, operand] : llvm::enumerate(graph.stages[stage].operands)) {
    if (!operand.isInitial)
      continue;
    const ScheduleNode &load = *tree.findLoad(stage, index);
    Value view = createView(tree.getLoadBuffer(load), loaded.lookup(&load), /*isPrevious=*/false);
    auto copy = CopyOp::create(builder, loc, view, buffer);
    copy.getExtentsMutable().assign(getExtents(graph.values[value].buffer.getDims()));
    return;
  }
  // A skewed stage cannot overwrite in the first iteration, in which it computes nothing.
  if (isSummedBehind(tree.getLeaf(stage)))
    FillOp::create(builder, loc, buffer,
                   builder.getZeroAttr(cast<ShapedType>(buffer.getType()).getElementType()));
}

/// Whether the skewed leaf adds up along the loop in which it is an iteration behind.
bool TileLowering::isSummedBehind(const ScheduleNode &leaf) const {
  return leaf.skew != 0 &&
         llvm::is_contained(graph.stages[leaf.stage].getReductionDims(), leaf.parent->dim);
}

void TileLowering::createOp(unsigned stage, const StageOp &stageOp) {
  NPUComputeOpInterface op = stageOp.op;
  unsigned result = graph.valueNumbers.lookup(op->getResult(0));
  unsigned root = tree.getBufferRoot(result);
  SmallVector<Value> buffers;
  SmallVector<SmallVector<unsigned>> dims;
  auto toOpDims = [&](ArrayRef<unsigned> kernelDims) {
    return llvm::map_to_vector(kernelDims, [&](unsigned dim) -> unsigned {
      return llvm::find(stageOp.dims, dim) - stageOp.dims.begin();
    });
  };
  // In panels, the columns of one are a dimension more, behind those of the op.
  bool isInPanels = tree.isInPanels(stage);
  auto addDims = [&](const Buffer &buffer) {
    dims.push_back(toOpDims(buffer.getDims()));
    if (isInPanels && buffer.hasPanelAxis)
      dims.back().push_back(stageOp.dims.size());
    else if (isInPanels) // the columns of the one panel under way
      llvm::replace(dims.back(), toOpDims(graph.stages[stage].panels->dim).front(),
                    static_cast<unsigned>(stageOp.dims.size()));
  };
  if (root == result && &tree.getHome(root) == &tree.getLeaf(stage) && !graph.stages[stage].isArray)
    valueBuffers[root] =
        allocate(tree.getValueBuffer(root), getElementTypeOrSelf(op->getResult(0)));
  Value scratch;
  if (stageOp.scratch) {
    Value &known = valueBuffers[*stageOp.scratch];
    if (!known)
      known = allocate(tree.getValueBuffer(*stageOp.scratch), builder.getI8Type());
    scratch = known;
  }
  const ScheduleNode &leaf = tree.getLeaf(stage);
  OpOperand &destination = op.getDestinationOperand();
  for (OpOperand *operand : op.getDataOperands()) {
    if (operand == &destination) {
      buffers.push_back(leaf.addsProducts ? allocate(tree.getProductBuffer(leaf),
                                                     getElementTypeOrSelf(op->getResult(0)))
                                          : getValueView(result));
      addDims(tree.getBuffer(root));
      continue;
    }
    if (op.staysInDram(buffers.size())) {
      buffers.push_back(dramOf.lookup(operand->get()));
      dims.emplace_back();
      continue;
    }
    buffers.push_back(getOperandView(stage, *operand));
    auto known = graph.operandNumbers.find(operand);
    bool isLoaded = known != graph.operandNumbers.end() && tree.findLoad(stage, known->second);
    addDims(isLoaded ? tree.getBuffer(stage, known->second)
                     : *tree.getValueBuffer(graph.valueNumbers.lookup(operand->get())).buffer);
  }

  // Extents of the dimensions that tiles span; reductions that have a loop say when to overwrite.
  SmallVector<unsigned> spanned;
  for (unsigned dim : stageOp.dims)
    if (!graph.dims[dim].isUnit)
      spanned.push_back(dim);
  SmallVector<Value> spannedExtents = getExtents(spanned), extents, init;
  for (unsigned dim : stageOp.dims) {
    const auto *position = llvm::find(spanned, dim);
    extents.push_back(position == spanned.end() ? Value()
                                                : spannedExtents[position - spanned.begin()]);
  }
  if (isInPanels) {
    const StagePanels &panels = *graph.stages[stage].panels;
    if (auto *panelDim = llvm::find(stageOp.dims, panels.dim); panelDim != stageOp.dims.end()) {
      Value &extent = extents[panelDim - stageOp.dims.begin()];
      if (std::optional<int64_t> constant = getConstantIntValue(extent))
        extent = getConstant(llvm::divideCeil(*constant, panels.columns));
      else
        extent = createPanelCount(builder, extent.getDefiningOp<affine::AffineMinOp>(),
                                  graph.dims[panels.dim].extent, panels.columns);
      extents.push_back(getConstant(panels.columns));
    }
  }
  SmallVector<unsigned> reductions = stageOp.getReductionDims();
  bool accumulates = op.readsDestination() || isSummedBehind(tree.getLeaf(stage));
  for (const Loop &loop : loops)
    if (loop.counter && llvm::is_contained(reductions, loop.node->dim))
      init.push_back(loop.counter);
  auto getTileOffset = [&](std::optional<unsigned> dim) {
    Axis axis;
    if (dim)
      axis.terms.push_back({stageOp.dims[*dim], 1});
    return createApply(getOffset(axis, 0, loops.size()));
  };
  std::string letters = op.getDimLetters();
  StringRef end;
  for (auto [index, dim] : llvm::enumerate(stageOp.dims))
    if (leaf.endDim && graph.dims[dim].name == leaf.endDim.getValue())
      end = StringRef(letters).substr(index, 1);
  ArrayRef<Value> ownInit = leaf.addsProducts ? ArrayRef<Value>() : init;
  op.createOnTile(builder, {buffers, dims, extents, ownInit, getTileOffset, scratch, accumulates,
                            leaf.begin, end});
  if (leaf.addsProducts)
    addProducts(buffers.back(), result, init);
}

/// Adds what a contraction left in the accumulator to its sums in SRAM; overwrites these where all
/// of `init` are zero.
void TileLowering::addProducts(Value products, unsigned value, ArrayRef<Value> init) {
  SmallVector<Value> extents = getExtents(tree.getBuffer(value).getDims());
  AffineMap identity = builder.getMultiDimIdentityMap(extents.size());
  auto sum = ReduceOp::create(builder, loc, ReduceKind::Sum, products, getValueView(value),
                              {identity, identity});
  sum.getExtentsMutable().assign(extents);
  sum.getInitMutable().assign(init);
}

void TileLowering::createLeaf(const ScheduleNode &leaf) {
  skewed = leaf.skew != 0 ? &leaf : nullptr;
  if (leaf.isHome)
    createPlace(leaf);
  for (const StageOp &op : graph.stages[leaf.stage].ops) {
    createOp(leaf.stage, op);
    unsigned value = graph.valueNumbers.lookup(op.op->getResult(0));
    if (tree.getHome(value).parent == leaf.parent)
      createStores(value);
  }
  skewed = nullptr;
}

void TileLowering::createLoop(const ScheduleNode &node) {
  OpBuilder::InsertionGuard guard(builder);
  int64_t trips = node.trips + node.isExtended;
  auto loop = scf::ForOp::create(builder, loc, getConstant(0), getConstant(trips), getConstant(1));
  if (node.clusters > 1)
    loop->setAttr(kClustersAttrName, builder.getI64IntegerAttr(node.clusters));
  builder.setInsertionPointToStart(loop.getBody());
  loops.push_back({&node, trips > 1 ? loop.getInductionVar() : Value(), Value(), Value()});
  if (trips > 1) {
    loops.back().extent = createExtentOf(node.dim);
    loops.back().offset = createApply({0, {{loops.size() - 1, node.tile}}});
  }
  createBody(node);
  loops.pop_back();
}

void TileLowering::createBody(const ScheduleNode &loop) {
  for (const auto &child : loop.children) {
    switch (child->kind) {
    case ScheduleNode::Kind::Loop:
      createLoop(*child);
      break;
    case ScheduleNode::Kind::Load:
      createLoad(*child);
      break;
    case ScheduleNode::Kind::Keep:
      createKeep(*child);
      break;
    case ScheduleNode::Kind::Value:
      createPlace(*child);
      break;
    case ScheduleNode::Kind::Leaf:
      createLeaf(*child);
      break;
    }
    createStoresAfter(*child);
  }
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

/// Drops the tensor ops and the index values that nothing uses.
void TileLowering::replaceBody(Block *oldBlock) {
  SmallVector<Operation *> indexOps;
  entry->walk([&](Operation *op) {
    if (llvm::isa<affine::AffineApplyOp, affine::AffineMinOp, arith::ConstantOp>(op))
      indexOps.push_back(op);
  });
  for (Operation *op : llvm::reverse(indexOps))
    if (op->use_empty())
      op->erase();
  oldBlock->erase();
}

/// Memory for the values that stages load which other stages compute.
void TileLowering::createScratch() {
  for (auto [number, value] : llvm::enumerate(graph.values))
    if (tree.isScratch(number))
      dramOf[value.value] =
          memref::AllocOp::create(builder, loc, getDramType(value.value.getType()));
}

void TileLowering::run() {
  Block *oldBlock = &kernel.getBody().front();
  TileSignature signature = createTileSignature(kernel);
  entry = signature.entry;
  dramOf = std::move(signature.dramOf);
  outputs = std::move(signature.outputs);
  builder.setInsertionPointToEnd(entry);
  createScratch();
  createBody(tree.getRoot());
  ReturnOp::create(builder, loc);
  replaceBody(oldBlock);
}

namespace {
struct LowerToTiles : npu::impl::NPULowerToTilesBase<LowerToTiles> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (kernel.getResultTypes().empty()) // tile form already
      return;
    if (!kernel.getScheduleAttr()) {
      kernel.emitOpError("expected a schedule; run npu-choose-tiles first or write one");
      return signalPassFailure();
    }
    auto lower = [](const ScheduleTree &tree) {
      recordTiling(tree);
      TileLowering(tree).run();
    };
    if (ScheduleStripsAttr strips = getStrips(kernel.getScheduleAttr())) {
      if (failed(lowerStrips(kernel, strips, lower)))
        signalPassFailure();
      return;
    }
    FailureOr<StageGraph> graph = StageGraph::analyze(kernel);
    if (failed(graph))
      return signalPassFailure();
    FailureOr<ScheduleTree> tree = ScheduleTree::create(*graph, kernel.getScheduleAttr());
    if (failed(tree))
      return signalPassFailure();
    lower(*tree);
  }
};
} // namespace
