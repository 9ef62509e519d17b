//===- LowerToTiles.cpp - tensor form to tile form ------------------------===//
//
// One walk over the loop nest that the schedule describes creates everything: loops, buffers, DMA,
// the root and its tail. Shapes come from the functions that the search used, so the footprint
// cannot differ from what it promised.
//
//===----------------------------------------------------------------------===//

#include "KernelModel.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;
using namespace npu::tile;

namespace npu {
#define GEN_PASS_DEF_NPULOWERTOTILES
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

namespace {
/// When a load happens: before the loops that compute a tile of the result, right before the root,
/// or after it.
enum class LoadTime { BeforeRoot, WithRoot, AfterRoot };

/// constant + sum of coefficient * counter, by loop.
struct Linear {
  int64_t constant = 0;
  SmallVector<std::pair<unsigned, int64_t>, 2> terms;
};

class TileLowering {
public:
  TileLowering(KernelModel &model, const Schedule &schedule)
      : model(model), problem(model.problem), schedule(schedule),
        builder(model.kernel.getContext()), loc(model.root.getLoc()),
        numParallel(schedule.getNumParallelLoops(problem)),
        numSpareLoops(isa::maxLoopDepth -
                      std::min<unsigned>(isa::maxLoopDepth, schedule.order.size())) {}

  void run();

private:
  // The signature.
  void createEntryBlock();
  void replaceBody(Block *oldBlock);
  void recordTiling();

  // Index values.
  Value getConstant(int64_t value);
  Value createApply(const Linear &sum);
  Value createExtent(const Linear &limit, int64_t full);
  Linear getOffset(const Axis &axis, unsigned firstLoop, unsigned endLoop) const;
  bool isRagged(unsigned dim) const;
  void setDimValues(unsigned dim);

  // Buffers.
  MemRefType getBufferType(unsigned buffer, ArrayRef<int64_t> shape) const;
  void allocate(unsigned buffer);
  void createLoad(unsigned buffer);
  LoadTime getLoadTime(unsigned buffer) const;
  void createLoads(unsigned level, LoadTime time);
  Linear getLoadLimit(const Axis &axis, unsigned level) const;
  Value createView(unsigned buffer);
  void createStores(Value value);

  // Ops.
  void createLevel(unsigned level);
  void enterLoop(unsigned dim, int64_t trips);
  void enterWholeLoops(bool areReductions);
  void createInitialization();
  void createRoot();
  void createTail();
  void createTailOp(const TailOp &tail);
  SmallVector<unsigned> getBufferDims(unsigned buffer) const;
  SmallVector<Value> getExtents(ArrayRef<unsigned> dims) const;
  std::string getLetters(ArrayRef<unsigned> dims) const;

  KernelModel &model;
  const Problem &problem;
  const Schedule &schedule;
  OpBuilder builder;
  Location loc;
  unsigned numParallel;
  /// Loops that a stream could have beside those of the schedule.
  unsigned numSpareLoops;
  Block *entry = nullptr;
  ReturnOp returnOp;
  DenseMap<Value, Value> dramOf; ///< tensors of the old body to arguments
  SmallVector<Value> outputs;
  DenseMap<int64_t, Value> constants;
  SmallVector<Value> counters;
  SmallVector<Value> dimExtents, dimOffsets;
  SmallVector<Value> buffers;
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

/// The expression of `sum` over the counters it uses, which are appended to `operands`.
static AffineExpr getExpr(const Linear &sum, ArrayRef<Value> counters, MLIRContext *context,
                          SmallVectorImpl<Value> &operands) {
  AffineExpr expr = getAffineConstantExpr(sum.constant, context);
  for (auto [loop, coefficient] : sum.terms) {
    expr = expr + getAffineDimExpr(operands.size(), context) * coefficient;
    operands.push_back(counters[loop]);
  }
  return expr;
}

Value TileLowering::createApply(const Linear &sum) {
  if (sum.terms.empty())
    return getConstant(sum.constant);
  if (sum.constant == 0 && sum.terms.size() == 1 && sum.terms[0].second == 1)
    return counters[sum.terms[0].first];
  // The offset of a tile exists already, but for the call that makes it.
  if (sum.constant == 0 && sum.terms.size() == 1) {
    unsigned dim = schedule.order[sum.terms[0].first];
    if (dimOffsets[dim] && sum.terms[0].second == schedule.tiles[dim])
      return dimOffsets[dim];
  }
  SmallVector<Value> operands;
  AffineExpr expr = getExpr(sum, counters, builder.getContext(), operands);
  return affine::AffineApplyOp::create(builder, loc, AffineMap::get(operands.size(), 0, expr),
                                       operands);
}

/// min(limit, full).
Value TileLowering::createExtent(const Linear &limit, int64_t full) {
  if (limit.terms.empty())
    return getConstant(std::min(limit.constant, full));
  SmallVector<Value> operands;
  MLIRContext *context = builder.getContext();
  AffineExpr expr = getExpr(limit, counters, context, operands);
  AffineMap map =
      AffineMap::get(operands.size(), 0, {expr, getAffineConstantExpr(full, context)}, context);
  return affine::AffineMinOp::create(builder, loc, map, operands);
}

/// Coordinate along `axis` at the counters of the loops [firstLoop, endLoop).
Linear TileLowering::getOffset(const Axis &axis, unsigned firstLoop, unsigned endLoop) const {
  Linear sum;
  for (Term term : axis.terms)
    if (std::optional<unsigned> loop = schedule.getLoop(term.dim);
        loop && *loop >= firstLoop && *loop < endLoop)
      sum.terms.push_back({*loop, term.coefficient * schedule.tiles[term.dim]});
  return sum;
}

/// DRAM coordinate of the index that lies `offset` from the axis' first.
static Linear getCoordinate(const Axis &axis, Linear offset) {
  offset.constant = axis.start + axis.step * (offset.constant + axis.offset);
  for (auto &term : offset.terms)
    term.second *= axis.step;
  return offset;
}

/// Whether some iteration has less than a full tile.
bool TileLowering::isRagged(unsigned dim) const {
  if (problem.dims[dim].extent % schedule.tiles[dim] != 0)
    return true;
  return schedule.clusterCount > 1 && dim == schedule.clusterDim &&
         schedule.getTrips(problem, dim) % schedule.clusterCount != 0;
}

/// Extent and offset of the current tile; right after the loop over `dim` is entered, or at the
/// start of the kernel for one without a loop.
void TileLowering::setDimValues(unsigned dim) {
  int64_t extent = problem.dims[dim].extent, tile = schedule.tiles[dim];
  std::optional<unsigned> loop = schedule.getLoop(dim);
  Linear limit = {extent, {}}, offset;
  if (loop) {
    offset.terms.push_back({*loop, tile});
    if (isRagged(dim))
      limit.terms.push_back({*loop, -tile});
  }
  dimExtents[dim] = createExtent(limit, tile);
  dimOffsets[dim] = Value();
  dimOffsets[dim] = createApply(offset);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

MemRefType TileLowering::getBufferType(unsigned buffer, ArrayRef<int64_t> shape) const {
  bool isAcc = problem.buffers[buffer].role == BufferRole::Accumulator;
  Type elementType = cast<ShapedType>(model.sources[buffer].tensor.getType()).getElementType();
  auto space =
      MemorySpaceAttr::get(elementType.getContext(), isAcc ? MemorySpace::Acc : MemorySpace::Sram);
  return MemRefType::get(shape, elementType, MemRefLayoutAttrInterface(), space);
}

void TileLowering::allocate(unsigned buffer) {
  auto alloc = memref::AllocOp::create(
      builder, loc, getBufferType(buffer, getBufferShape(problem, schedule, buffer)));
  if (schedule.depths[buffer] > 1)
    alloc->setAttr("npu.buffers", builder.getI64IntegerAttr(schedule.depths[buffer]));
  buffers[buffer] = alloc;
}

/// Elements of the tensor that are left along `axis` from the load's origin; a halo counts whole.
Linear TileLowering::getLoadLimit(const Axis &axis, unsigned level) const {
  Linear limit = {1, {}};
  for (Term term : axis.terms) {
    std::optional<unsigned> loop = schedule.getLoop(term.dim);
    bool isOutside = loop && *loop < level;
    bool isTap = problem.dims[term.dim].isReluctant;
    int64_t extent = isOutside && isTap ? schedule.tiles[term.dim] : problem.dims[term.dim].extent;
    limit.constant += term.coefficient * (extent - 1);
    if (isOutside && !isTap && isRagged(term.dim))
      limit.terms.push_back({*loop, -term.coefficient * schedule.tiles[term.dim]});
  }
  return limit;
}

void TileLowering::createLoad(unsigned index) {
  const Buffer &buffer = problem.buffers[index];
  unsigned level = schedule.levels[index];
  MLIRContext *context = builder.getContext();
  allocate(index);
  SmallVector<int64_t> shape = getBufferShape(problem, schedule, index);

  SmallVector<Value> origin;
  SmallVector<AffineExpr> coordinates(buffer.axes.size(), getAffineConstantExpr(0, context));
  for (const Axis &axis : buffer.axes) {
    origin.push_back(createApply(getCoordinate(axis, getOffset(axis, 0, level))));
  }

  SmallVector<Value> extents;
  bool isPacked = buffer.panelColumns > 0;
  if (isPacked && !buffer.hasPanelAxis)
    extents.push_back(getConstant(1));
  for (unsigned axisIndex : buffer.order) {
    const Axis &axis = buffer.axes[axisIndex];
    unsigned position = extents.size();
    coordinates[axisIndex] = getAffineDimExpr(position, context);
    Linear limit = getLoadLimit(axis, level);
    if (isPacked && buffer.hasPanelAxis && position == 0) {
      // Panels are counted; the columns of the last one that do not exist are filled.
      AffineExpr column = getAffineDimExpr(shape.size() - 1, context);
      coordinates[axisIndex] = coordinates[axisIndex] * buffer.panelColumns + column;
      bool isWhole = schedule.tiles[axis.terms[0].dim] % buffer.panelColumns == 0;
      limit.constant = isWhole || limit.terms.empty()
                           ? llvm::divideCeil(limit.constant, buffer.panelColumns)
                           : shape[0];
      if (!isWhole)
        limit.terms.clear();
      for (auto &term : limit.terms)
        term.second /= buffer.panelColumns;
    }
    coordinates[axisIndex] = coordinates[axisIndex] * axis.step;
    bool isPlain = axis.terms.size() == 1 && !(isPacked && position == 0);
    std::optional<unsigned> loop = schedule.getLoop(axis.terms[0].dim);
    extents.push_back(isPlain && loop && *loop < level ? dimExtents[axis.terms[0].dim]
                                                       : createExtent(limit, shape[position]));
  }
  if (isPacked)
    extents.push_back(getConstant(buffer.hasPanelAxis ? buffer.panelColumns : 1));

  AffineMap map = AffineMap::get(shape.size(), 0, coordinates, context);
  AffineMapAttr mapAttr = map.isIdentity() ? AffineMapAttr() : AffineMapAttr::get(map);
  DmaLoadOp::create(builder, loc, dramOf.lookup(model.sources[index].tensor), origin,
                    buffers[index], extents, mapAttr, model.sources[index].fill);
}

/// Loads of the tail that several tiles share do not wait for the first one.
LoadTime TileLowering::getLoadTime(unsigned buffer) const {
  unsigned level = schedule.levels[buffer];
  if (problem.buffers[buffer].role == BufferRole::Input)
    return level == schedule.order.size() ? LoadTime::WithRoot : LoadTime::BeforeRoot;
  bool isLate = problem.hasContraction && model.initialBuffer != buffer && level == numParallel;
  return isLate ? LoadTime::AfterRoot : LoadTime::BeforeRoot;
}

/// The loads that belong inside `level` loops.
void TileLowering::createLoads(unsigned level, LoadTime time) {
  for (auto [index, buffer] : llvm::enumerate(problem.buffers))
    if (buffer.isLoaded() && schedule.levels[index] == level && getLoadTime(index) == time)
      createLoad(index);
}

/// The current tile of a buffer, which may hold several.
Value TileLowering::createView(unsigned index) {
  const Buffer &buffer = problem.buffers[index];
  if (!buffer.isLoaded())
    return buffers[index];
  unsigned level = schedule.levels[index];
  SmallVector<OpFoldResult> offsets, strides;
  bool isPacked = buffer.panelColumns > 0, isPart = false;
  if (isPacked && !buffer.hasPanelAxis)
    offsets.push_back(builder.getIndexAttr(0));
  for (unsigned axisIndex : buffer.order) {
    Linear offset = getOffset(buffer.axes[axisIndex], level, counters.size());
    if (isPacked && buffer.hasPanelAxis && offsets.empty())
      for (auto &term : offset.terms)
        term.second /= buffer.panelColumns;
    isPart |= !offset.terms.empty();
    offsets.push_back(offset.terms.empty() ? OpFoldResult(builder.getIndexAttr(0))
                                           : OpFoldResult(createApply(offset)));
  }
  if (!isPart)
    return buffers[index];
  if (isPacked)
    offsets.push_back(builder.getIndexAttr(0));
  Schedule perTile = schedule;
  perTile.levels[index] = schedule.order.size();
  SmallVector<OpFoldResult> sizes;
  for (int64_t size : getBufferShape(problem, perTile, index))
    sizes.push_back(builder.getIndexAttr(size));
  strides.assign(sizes.size(), builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, loc, buffers[index], offsets, sizes, strides);
}

/// Root dimension of each dimension of a result or operand tile.
SmallVector<unsigned> TileLowering::getBufferDims(unsigned index) const {
  const Buffer &buffer = problem.buffers[index];
  return llvm::map_to_vector(buffer.order,
                             [&](unsigned axis) { return buffer.axes[axis].terms[0].dim; });
}

SmallVector<Value> TileLowering::getExtents(ArrayRef<unsigned> dims) const {
  return llvm::map_to_vector(dims, [&](unsigned dim) { return dimExtents[dim]; });
}

/// Stores the tile of `value` into the outputs that return it.
void TileLowering::createStores(Value value) {
  MLIRContext *context = builder.getContext();
  for (auto [stored, output, store] : llvm::zip(model.storedValues, outputs, problem.stores)) {
    if (stored != value)
      continue;
    SmallVector<unsigned> dims = getBufferDims(store.buffer);
    SmallVector<Value> origin;
    SmallVector<AffineExpr> coordinates;
    for (const Axis &axis : store.axes) {
      origin.push_back(createApply(getCoordinate(axis, getOffset(axis, 0, numParallel))));
      const auto *position = axis.terms.empty() ? dims.end() : llvm::find(dims, axis.terms[0].dim);
      coordinates.push_back(position == dims.end()
                                ? getAffineConstantExpr(0, context)
                                : getAffineDimExpr(position - dims.begin(), context) * axis.step);
    }
    AffineMap map = AffineMap::get(dims.size(), 0, coordinates, context);
    DmaStoreOp::create(builder, loc, buffers[store.buffer], output, origin, getExtents(dims),
                       map.isIdentity() ? AffineMapAttr() : AffineMapAttr::get(map));
  }
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

std::string TileLowering::getLetters(ArrayRef<unsigned> dims) const {
  std::string letters;
  for (unsigned dim : dims)
    letters += problem.dims[dim].name;
  return letters;
}

/// Copies the old contents of the destination into the accumulator.
void TileLowering::createInitialization() {
  if (!model.initialBuffer)
    return;
  Value view = createView(*model.initialBuffer), accumulator = buffers[*model.accumulator];
  // Adding minus zero keeps every float, also minus zero.
  Type elementType = cast<ShapedType>(view.getType()).getElementType();
  TypedAttr zero = llvm::isa<FloatType>(elementType)
                       ? TypedAttr(builder.getFloatAttr(elementType, -0.0))
                       : TypedAttr(builder.getZeroAttr(elementType));
  auto copy = BinaryOp::create(builder, loc, BinaryKind::Add, view, zero, accumulator);
  copy.getExtentsMutable().assign(getExtents(model.getResultDims()));
}

/// Sets what matmul and conv have in common in tile form.
template <typename OpTy>
static void finishRoot(OpTy op, ArrayRef<Value> extents, ArrayRef<Value> init, bool isPacked,
                       bool accumulate) {
  op.getExtentsMutable().assign(extents);
  if (!accumulate)
    op.getInitMutable().assign(init);
  op.setAccumulate(accumulate);
  op.setPacked(isPacked);
}

void TileLowering::createRoot() {
  Value left = createView(0), right = createView(1), output = buffers[*model.accumulator];
  SmallVector<unsigned> dims;
  for (auto [index, dim] : llvm::enumerate(problem.dims))
    if (!dim.isUnit)
      dims.push_back(index);
  SmallVector<Value> extents = getExtents(dims);
  ArrayRef<Value> init = ArrayRef(counters).drop_front(numParallel);
  std::string leftLetters = getLetters(getBufferDims(0));
  std::string rightLetters = getLetters(getBufferDims(1));
  std::string outputLetters = getLetters(getBufferDims(*model.accumulator));
  // Panels come first in the buffer but are the last letter of the layout.
  if (problem.buffers[1].hasPanelAxis)
    std::rotate(rightLetters.begin(), rightLetters.begin() + 1, rightLetters.end());
  if (auto conv = dyn_cast<ConvOp>(*model.root)) {
    auto tiled = ConvOp::create(builder, loc, left, right, output, leftLetters, rightLetters,
                                outputLetters, conv.getStrideValues(), conv.getDilationValues());
    return finishRoot(tiled, extents, init, !problem.isDepthwise, conv.getAccumulate());
  }
  auto tiled =
      MatmulOp::create(builder, loc, left, right, output, leftLetters, rightLetters, outputLetters);
  finishRoot(tiled, extents, init, /*isPacked=*/true, cast<MatmulOp>(*model.root).getAccumulate());
}

void TileLowering::createTailOp(const TailOp &tail) {
  SmallVector<unsigned> domain = getBufferDims(tail.result);
  if (!buffers[tail.result])
    allocate(tail.result);
  MLIRContext *context = builder.getContext();
  SmallVector<AffineMap> maps;
  SmallVector<unsigned> used(tail.operands);
  used.push_back(tail.result);
  for (unsigned buffer : used) {
    SmallVector<AffineExpr> coordinates;
    for (unsigned dim : getBufferDims(buffer))
      coordinates.push_back(getAffineDimExpr(llvm::find(domain, dim) - domain.begin(), context));
    maps.push_back(AffineMap::get(domain.size(), 0, coordinates, context));
  }
  SmallVector<Value> operands;
  for (unsigned buffer : tail.operands)
    operands.push_back(createView(buffer));
  operands.push_back(buffers[tail.result]);

  Operation *tiled = mlir::clone(builder, tail.op, TypeRange(), operands);
  ArrayAttr mapsAttr;
  if (llvm::any_of(maps, [](AffineMap map) { return !map.isIdentity(); }))
    mapsAttr = builder.getAffineMapArrayAttr(maps);
  llvm::TypeSwitch<Operation *>(tiled)
      .Case<UnaryOp, BinaryOp, SelectOp, ClampOp, CastOp, RequantizeOp, RescaleOp>([&](auto op) {
        op.getExtentsMutable().assign(getExtents(domain));
        op.removeTileAttr();
        if (mapsAttr)
          op.setIndexingMapsAttr(mapsAttr);
        else
          op.removeIndexingMapsAttr();
      });
}

void TileLowering::createTail() {
  if (model.accumulator)
    createStores(model.root->getResult(0));
  for (const TailOp &tail : model.tail) {
    createTailOp(tail);
    createStores(tail.op->getResult(0));
  }
}

void TileLowering::enterLoop(unsigned dim, int64_t trips) {
  Value zero = getConstant(0), one = getConstant(1);
  auto loop = scf::ForOp::create(builder, loc, zero, getConstant(trips), one);
  loop->setAttr("npu.dim", builder.getI64IntegerAttr(dim));
  builder.setInsertionPointToStart(loop.getBody());
  if (trips > 1)
    counters.push_back(loop.getInductionVar());
}

/// A dimension that tiles span whole has a loop of one iteration, so that programs have the same
/// form whether or not a tensor fits; none where streams would have more loops than they can.
void TileLowering::enterWholeLoops(bool areReductions) {
  for (auto [index, dim] : llvm::enumerate(problem.dims)) {
    if (dim.isReduction != areReductions || dim.isUnit || dim.isReluctant ||
        schedule.getLoop(index) || numSpareLoops == 0)
      continue;
    enterLoop(index, /*trips=*/1);
    --numSpareLoops;
  }
}

/// Everything inside `level` loops.
void TileLowering::createLevel(unsigned level) {
  OpBuilder::InsertionGuard levelGuard(builder);
  if (level == numParallel)
    enterWholeLoops(/*areReductions=*/false);
  createLoads(level, LoadTime::BeforeRoot);
  if (level == numParallel && model.accumulator) {
    allocate(*model.accumulator);
    createInitialization();
  }
  if (level < schedule.order.size()) {
    OpBuilder::InsertionGuard guard(builder);
    unsigned dim = schedule.order[level];
    enterLoop(dim, schedule.getTrips(problem, dim));
    setDimValues(dim);
    createLevel(level + 1);
    counters.pop_back();
  } else if (problem.hasContraction) {
    OpBuilder::InsertionGuard guard(builder);
    enterWholeLoops(/*areReductions=*/true);
    createLoads(level, LoadTime::WithRoot);
    createRoot();
  }
  if (level == numParallel) {
    createLoads(level, LoadTime::AfterRoot);
    createTail();
  }
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

static MemRefType getDramType(Type type) {
  auto shaped = cast<ShapedType>(type);
  return MemRefType::get(shaped.getShape(), shaped.getElementType(), MemRefLayoutAttrInterface(),
                         MemorySpaceAttr::get(type.getContext(), MemorySpace::Dram));
}

void TileLowering::createEntryBlock() {
  KernelOp kernel = model.kernel;
  Block *old = &kernel.getBody().front();
  returnOp = cast<ReturnOp>(old->getTerminator());
  SmallVector<DictionaryAttr> argAttrs;
  kernel.getAllArgAttrs(argAttrs);
  argAttrs.resize(kernel.getNumArguments(), builder.getDictionaryAttr({}));
  entry = new Block();
  kernel.getBody().push_back(entry);
  // What a result is inserted into is changed in place, and comes last.
  auto insertion = returnOp.getOperand(0).getDefiningOp<tensor::InsertSliceOp>();
  if (insertion)
    argAttrs.pop_back();
  for (BlockArgument argument : old->getArguments())
    if (!insertion || insertion.getDest() != argument)
      dramOf[argument] = entry->addArgument(getDramType(argument.getType()), argument.getLoc());
  for (auto slice : old->getOps<tensor::ExtractSliceOp>())
    dramOf[slice] = dramOf.lookup(slice.getSource());
  // The contents of constants become part of the program, those of equal ones once.
  DenseMap<Attribute, Value> constantArguments;
  for (auto constant : old->getOps<arith::ConstantOp>()) {
    Value &argument = constantArguments[constant.getValue()];
    if (!argument) {
      argument = entry->addArgument(getDramType(constant.getType()), constant.getLoc());
      argAttrs.push_back(builder.getDictionaryAttr(
          builder.getNamedAttr(KernelOp::kConstantAttrName, constant.getValue())));
    }
    dramOf[constant] = argument;
  }
  for (Value result : returnOp.getOperands()) {
    outputs.push_back(entry->addArgument(getDramType(result.getType()), result.getLoc()));
    NamedAttrList attributes;
    attributes.set(KernelOp::kOutputAttrName, builder.getUnitAttr());
    if (insertion)
      attributes.set(KernelOp::kInOutAttrName, builder.getUnitAttr());
    argAttrs.push_back(attributes.getDictionary(builder.getContext()));
  }
  kernel.setFunctionType(builder.getFunctionType(entry->getArgumentTypes(), {}));
  kernel.setAllArgAttrs(argAttrs);
  kernel.removeResAttrsAttr();
}

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

/// Notes the tile and what it is expected to cost, for whoever describes the program.
void TileLowering::recordTiling() {
  SmallVector<StringRef> dims;
  for (const Dim &dim : problem.dims)
    dims.push_back(dim.name);
  auto cycles = static_cast<int64_t>(predictCycles(problem, schedule, model.target));
  model.kernel->setAttr(
      kTilingAttrName,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("dims", builder.getStrArrayAttr(dims)),
           builder.getNamedAttr("sizes", builder.getDenseI64ArrayAttr(schedule.tiles)),
           builder.getNamedAttr("predicted_cycles", builder.getI64IntegerAttr(cycles))}));
}

void TileLowering::run() {
  Block *oldBlock = &model.kernel.getBody().front();
  createEntryBlock();
  builder.setInsertionPointToEnd(entry);
  dimExtents.resize(problem.dims.size());
  dimOffsets.resize(problem.dims.size());
  buffers.resize(problem.buffers.size());
  for (unsigned dim = 0, e = problem.dims.size(); dim != e; ++dim)
    if (!schedule.getLoop(dim))
      setDimValues(dim);
  createLevel(0);
  ReturnOp::create(builder, loc);
  replaceBody(oldBlock);
  model.kernel->removeAttr(kScheduleAttrName);
  recordTiling();
}

namespace {
struct LowerToTiles : npu::impl::NPULowerToTilesBase<LowerToTiles> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (kernel.getResultTypes().empty()) // tile form already
      return;
    FailureOr<KernelModel> model = analyzeKernel(kernel);
    if (failed(model))
      return signalPassFailure();
    FailureOr<std::optional<Schedule>> schedule = readSchedule(*model);
    if (failed(schedule))
      return signalPassFailure();
    if (!*schedule) {
      // Sizes are given, absent ones mean the whole dimension; the rest is chosen.
      for (Dim &dim : model->problem.dims)
        dim.fixedTile = dim.isUnit ? 0 : dim.fixedTile > 0 ? dim.fixedTile : dim.extent;
      if (!model->problem.fixedSplit)
        model->problem.fixedSplit = ClusterSplit();
      *schedule = searchTiles(model->problem, model->target);
      if (!*schedule) {
        (void)reportDoesNotFit(*model, getSmallestSchedule(model->problem));
        return signalPassFailure();
      }
      writeSchedule(*model, **schedule);
    }
    TileLowering(*model, **schedule).run();
  }
};
} // namespace
