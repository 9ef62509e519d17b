//===- StageGraph.cpp - analysis of a kernel in tensor form ---------------===//

#include "BufferUsage.h"
#include "GroupProblem.h"
#include "StageAnalyzer.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/TargetLegality.h"
#include "NPU/Target/ISA/Instructions.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace npu;
using namespace npu::tile;

SmallVector<std::pair<OpOperand *, AffineMap>> npu::getReadOperands(NPUComputeOpInterface op) {
  SmallVector<std::pair<OpOperand *, AffineMap>> operands;
  for (auto [index, operand, map] :
       llvm::enumerate(op.getDataOperands(), op.getIndexingMapsArray()))
    if (!op.staysInDram(index) && (operand != &op.getDestinationOperand() || op.readsDestination()))
      operands.push_back({operand, map});
  return operands;
}

/// The position of `operand` among the data operands.
static unsigned getDataIndex(NPUComputeOpInterface op, OpOperand &operand) {
  SmallVector<OpOperand *> operands = op.getDataOperands();
  return llvm::find(operands, &operand) - operands.begin();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static std::string describe(Operation *op, unsigned operand) {
  return ("operand " + Twine(operand) + " of " + op->getName().getStringRef()).str();
}

LogicalResult npu::checkContents(NPUComputeOpInterface op) {
  for (auto [operand, map] : getReadOperands(op))
    if (operand->get().getDefiningOp<tensor::EmptyOp>())
      return emitRejection(op,
                           {RejectionKind::NoContents, describe(op, operand->getOperandNumber())});
  return success();
}

/// What an op reads in DRAM is there when the kernel starts, all of it.
static LogicalResult checkInDram(NPUComputeOpInterface op) {
  for (auto [index, operand] : llvm::enumerate(op.getDataOperands()))
    if (op.staysInDram(index) && !llvm::isa<BlockArgument>(operand->get()) &&
        !operand->get().getDefiningOp<arith::ConstantOp>())
      return emitRejection(
          op, {RejectionKind::Gather, describe(op, index) + " is computed, or a slice"});
  return success();
}

LogicalResult StageAnalyzer::collectOps() {
  if (failed(verifyTensorOps(graph.kernel)))
    return failure();
  for (Operation &op : graph.kernel.getBody().front()) {
    if (llvm::isa<tensor::EmptyOp, tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
      continue;
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (!llvm::isa<RankedTensorType>(constant.getType()) ||
          !llvm::isa<DenseElementsAttr>(constant.getValue()))
        return emitRejection(&op, {RejectionKind::Constant, debugString(constant.getType())});
      continue;
    }
    if (auto terminator = dyn_cast<ReturnOp>(op)) {
      returnOp = terminator;
      continue;
    }
    auto compute = cast<NPUComputeOpInterface>(op);
    for (OpOperand *operand : compute.getDataOperands()) {
      auto type = cast<ShapedType>(operand->get().getType());
      if (!type.hasStaticShape() || type.getNumElements() == 0)
        return emitRejection(
            &op, {type.hasStaticShape() ? RejectionKind::NoElements : RejectionKind::DynamicShape,
                  debugString(type) + ", " + describe(&op, operand->getOperandNumber())});
    }
    if (failed(checkContents(compute)) || failed(checkInDram(compute)))
      return failure();
    ops.push_back(compute);
  }
  if (ops.empty())
    return emitRejection(graph.kernel, {RejectionKind::NoComputation, ""});
  return success();
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

unsigned DimUnion::add(Operation *op, unsigned count) {
  unsigned first = parents.size();
  for (unsigned i = 0; i < count; ++i) {
    parents.push_back(first + i);
    members.emplace_back().insert(op);
  }
  return first;
}

unsigned DimUnion::find(unsigned dim) const {
  while (parents[dim] != dim)
    dim = parents[dim];
  return dim;
}

bool DimUnion::unite(unsigned a, unsigned b) {
  a = find(a);
  b = find(b);
  if (a == b)
    return true;
  if (members[a].size() < members[b].size())
    std::swap(a, b);
  if (llvm::any_of(members[b], [&](Operation *op) { return members[a].contains(op); }))
    return false;
  members[a].insert_range(members[b]);
  members[b].clear();
  // The earlier op gives the number, so that names do not depend on what comes later.
  if (b < a) {
    std::swap(members[a], members[b]);
    std::swap(a, b);
  }
  parents[b] = a;
  return true;
}

/// The one dimension that `expr`, a coordinate of a tensor dimension of `size`, is over the domain
/// of extents `ranges`; those of one element do not count.
static std::optional<unsigned> getPlainDim(AffineExpr expr, ArrayRef<int64_t> ranges,
                                           int64_t size) {
  SmallVector<int64_t> coefficients;
  if (failed(getFlattenedAffineExpr(expr, ranges.size(), /*numSymbols=*/0, &coefficients)) ||
      coefficients.back() != 0)
    return std::nullopt;
  std::optional<unsigned> found, ofOne;
  for (auto [dim, range] : llvm::enumerate(ranges)) {
    if (coefficients[dim] == 0)
      continue;
    if (range == 1) {
      ofOne = ofOne.value_or(dim);
      continue;
    }
    if (found || coefficients[dim] != 1)
      return std::nullopt;
    found = dim;
  }
  if (!found)
    found = ofOne;
  // Padding makes a domain larger than the tensor.
  return found && ranges[*found] == size ? found : std::nullopt;
}

/// Makes the dimensions of a value and of an op that reads it one.
void StageAnalyzer::uniteOperand(NPUComputeOpInterface op, OpOperand &operand, AffineMap map) {
  auto producer = operand.get().getDefiningOp<NPUComputeOpInterface>();
  if (!producer)
    return;
  AffineMap result = producer.getIndexingMapsArray().back();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  ArrayRef<int64_t> shape = cast<ShapedType>(operand.get().getType()).getShape();
  for (auto [ofValue, coordinate, size] :
       llvm::zip_equal(result.getResults(), map.getResults(), shape)) {
    std::optional<unsigned> dim = getPlainDim(coordinate, ranges, size);
    if (!dim || !dimUnion.unite(dimsOf[producer][cast<AffineDimExpr>(ofValue).getPosition()],
                                dimsOf[op][*dim])) {
      unaligned.insert(&operand);
      return;
    }
  }
}

/// What the vector unit reduces along is one dimension for all ops that read the same tensor there:
/// so an op that needs the result and the tensor can share the tile.
void StageAnalyzer::uniteReducedDims() {
  llvm::SmallSetVector<unsigned, 4> reduced;
  for (NPUComputeOpInterface op : ops)
    if (!isArrayOp(op))
      reduced.insert_range(getReductionDims(op));
  auto isReduced = [&](unsigned dim) {
    return llvm::any_of(reduced,
                        [&](unsigned other) { return dimUnion.find(other) == dimUnion.find(dim); });
  };
  for (bool isChanged = !reduced.empty(); isChanged;) {
    isChanged = false;
    // The first op that reads a coordinate of a tensor; what is found once holds for the others.
    llvm::MapVector<std::pair<Value, unsigned>, SmallVector<unsigned>> readers;
    for (NPUComputeOpInterface op : ops) {
      if (isArrayOp(op))
        continue;
      SmallVector<int64_t> ranges = op.getStaticLoopRanges();
      for (auto [operand, map] : getReadOperands(op)) {
        if (operand->get().getDefiningOp<NPUComputeOpInterface>())
          continue; // united with its producer
        ArrayRef<int64_t> shape = cast<ShapedType>(operand->get().getType()).getShape();
        for (auto [index, coordinate] : llvm::enumerate(map.getResults()))
          if (std::optional<unsigned> dim = getPlainDim(coordinate, ranges, shape[index]))
            readers[{operand->get(), index}].push_back(dimsOf[op][*dim]);
      }
    }
    for (auto &[coordinate, dims] : readers) {
      auto first = llvm::find_if(dims, isReduced);
      if (first == dims.end())
        continue;
      for (unsigned dim : dims)
        if (dimUnion.find(dim) != dimUnion.find(*first))
          isChanged |= dimUnion.unite(*first, dim);
    }
  }
}

void StageAnalyzer::uniteDims() {
  for (NPUComputeOpInterface op : ops) {
    unsigned count = op.getIteratorTypes().size(), first = dimUnion.add(op, count);
    llvm::append_range(dimsOf[op], llvm::seq(first, first + count));
  }
  for (NPUComputeOpInterface op : ops)
    for (auto [operand, map] : getReadOperands(op))
      uniteOperand(op, *operand, map);
  uniteReducedDims();

  // Independent results of one element-wise nest share its loops.
  if (llvm::any_of(ops, isArrayOp))
    return;
  NPUComputeOpInterface root = ops.front();
  for (NPUComputeOpInterface op : ops)
    if (op.getIteratorTypes().size() >= root.getIteratorTypes().size())
      root = op;
  auto isRelated = [&](unsigned dim) {
    return llvm::any_of(dimsOf[root],
                        [&](unsigned other) { return dimUnion.find(other) == dimUnion.find(dim); });
  };
  for (NPUComputeOpInterface op : ops) {
    if (op.getStaticLoopRanges() != root.getStaticLoopRanges())
      continue;
    // What both reduce of one tensor is one dimension already.
    auto pairs = llvm::zip_equal(dimsOf[root], dimsOf[op]);
    if (llvm::all_of(pairs, [&](auto pair) {
          auto [a, b] = pair;
          return dimUnion.find(a) == dimUnion.find(b) || !isRelated(b);
        }))
      for (auto [a, b] : pairs)
        dimUnion.unite(a, b);
  }
}

/// Replaces the dimensions of ops by numbers without gaps.
void StageAnalyzer::numberDims() {
  DenseMap<unsigned, unsigned> numbers;
  for (NPUComputeOpInterface op : ops)
    for (auto [dim, extent] : llvm::zip_equal(dimsOf[op], op.getStaticLoopRanges())) {
      auto [number, isNew] = numbers.try_emplace(dimUnion.find(dim), graph.dims.size());
      dim = number->second;
      if (isNew)
        graph.dims.emplace_back().extent = extent;
    }
}

SmallVector<unsigned> StageAnalyzer::getTileDims(NPUComputeOpInterface op) {
  SmallVector<unsigned> dims;
  for (auto [dim, iterator] : llvm::zip_equal(getDims(op), op.getIteratorTypes()))
    if (!isArrayOp(op) || iterator == utils::IteratorType::parallel)
      dims.push_back(dim);
  return dims;
}

//===----------------------------------------------------------------------===//
// Operands and values
//===----------------------------------------------------------------------===//

/// Names the dimensions and says which of them tiles never span.
LogicalResult StageAnalyzer::describeDims() {
  SmallVector<SmallVector<unsigned>> stagesOf(graph.dims.size());
  llvm::SmallBitVector ofArray(graph.dims.size());
  llvm::SmallBitVector isWhole(graph.dims.size());
  auto rejectUnit = [&](NPUComputeOpInterface op, unsigned dim) -> LogicalResult {
    return emitRejection(
        op, {RejectionKind::TileDimension,
             op->getName().getStringRef() + ", dimension '" + graph.dims[dim].name + "'",
             "tiles that span it"});
  };
  // In the order of the ops, which stays when stages have names.
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, graph.stages.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    Operation *first = graph.stages[a].getRoot().op;
    return first->isBeforeInBlock(graph.stages[b].getRoot().op);
  });
  for (bool isArray : {true, false})
    for (unsigned number : order) {
      const Stage &stage = graph.stages[number];
      if (stage.isArray != isArray)
        continue;
      NPUComputeOpInterface op = stage.getRoot().op;
      for (auto [dim, description] :
           llvm::zip_equal(stage.getRoot().dims, op.getTileDims(graph.target))) {
        Dim &known = graph.dims[dim];
        if (known.name.empty())
          known.name = description.name;
        stagesOf[dim].push_back(number);
        known.isUnit |= description.isUnit;
        known.isReluctant |= description.isReluctant;
        if (isArray)
          ofArray.set(dim);
      }
    }
  for (const Stage &stage : graph.stages) {
    NPUComputeOpInterface op = stage.getRoot().op;
    for (auto [dim, description] :
         llvm::zip_equal(stage.getRoot().dims, op.getTileDims(graph.target)))
      if (description.mustBeInTile && graph.dims[dim].isUnit)
        return rejectUnit(op, dim);
  }
  // A vector instruction has few dimensions; the others are loops, first those of one element,
  // which cost nothing. The array's ops need theirs.
  for (const Stage &stage : graph.stages)
    for (const StageOp &op : stage.ops)
      for (auto [dim, description] : llvm::zip_equal(op.dims, op.op.getTileDims(graph.target)))
        if (description.isWhole) {
          isWhole.set(dim);
          if (graph.dims[dim].isUnit && graph.dims[dim].extent > 1)
            return rejectUnit(op.op, dim);
        }
  for (const Stage &stage : graph.stages) {
    if (stage.isArray)
      continue;
    SmallVector<unsigned> reductions = stage.getReductionDims();
    // Along most dimensions of its window an op moves in a loop, one element at a time; what is
    // reduced always has a dimension of its own in the instruction.
    NPUComputeOpInterface root = stage.getRoot().op;
    SmallVector<Dim> descriptions = root.getTileDims(graph.target);
    auto getSpanned = [&] {
      int64_t kept = 0, reduced = 0;
      for (auto [dim, description] : llvm::zip_equal(stage.getRoot().dims, descriptions)) {
        bool isStep = description.isReluctant && description.fixedTile == 1;
        if (graph.dims[dim].isUnit || isStep)
          continue;
        ++(llvm::is_contained(reductions, dim) ? reduced : kept);
      }
      return kept + (reductions.empty() ? 0 : std::max<int64_t>(reduced, 1));
    };
    for (bool onlyOnes : {true, false})
      for (unsigned number : stage.getRoot().dims) {
        Dim &dim = graph.dims[number];
        if (getSpanned() <= isa::maxVectorDims || ofArray.test(number) || isWhole.test(number) ||
            llvm::is_contained(reductions, number) || (onlyOnes && dim.extent != 1))
          continue;
        dim.isUnit = true;
      }
    if (getSpanned() > isa::maxVectorDims)
      return emitRejection(stage.getRoot().op, {RejectionKind::DimensionCount,
                                                Twine(getSpanned()) + " that tiles span, " +
                                                    stage.getRoot().op->getName().getStringRef(),
                                                "at most " + Twine(isa::maxVectorDims)});
  }
  // Of dimensions with the same name each is known by the first stage that has it.
  llvm::StringMap<unsigned> counts;
  for (const Dim &dim : graph.dims)
    ++counts[dim.name];
  for (auto [number, dim] : llvm::enumerate(graph.dims))
    if (counts[dim.name] > 1)
      dim.name = graph.stages[stagesOf[number].front()].name + "." + dim.name;
  return success();
}

/// Sets extents and strides from the tensor's type.
static void setTensorShape(MutableArrayRef<Axis> axes, Value tensor) {
  auto type = cast<ShapedType>(tensor.getType());
  int64_t stride = getElementBytes(tensor.getType());
  for (int64_t i = type.getRank() - 1; i >= 0; --i) {
    axes[i].extent = type.getDimSize(i);
    axes[i].strideBytes = stride;
    stride *= type.getDimSize(i);
  }
}

/// The axes of tensor `whole` of which a slice has `axes`.
template <typename SliceOp>
static SmallVector<Axis> getWholeAxes(ArrayRef<Axis> axes, SliceOp slice, Value whole) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<Axis> result(dropped.size());
  setTensorShape(result, whole);
  for (auto [index, axis] : llvm::enumerate(result)) {
    axis.start = slice.getStaticOffset(index);
    axis.step = slice.getStaticStride(index);
    axis.strideBytes *= axis.step;
    axis.extent = slice.getStaticSize(index);
    if (dropped.test(index))
      continue;
    axis.terms = axes.front().terms;
    axis.offset = axes.front().offset;
    axis.span = axes.front().span;
    axes = axes.drop_front();
  }
  return result;
}

/// The axes of a tensor, or of the tensor of which it is a slice, whose coordinates over `dims` are
/// the map's results.
SmallVector<Axis> StageAnalyzer::getAxes(Value tensor, AffineMap map,
                                         ArrayRef<unsigned> dims) const {
  SmallVector<Axis> axes(map.getNumResults());
  for (auto [axis, expr] : llvm::zip_equal(axes, map.getResults())) {
    SmallVector<int64_t> coefficients;
    LogicalResult isLinear =
        getFlattenedAffineExpr(expr, map.getNumDims(), /*numSymbols=*/0, &coefficients);
    assert(succeeded(isLinear) && "maps of tensor form are linear");
    (void)isLinear;
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      if (coefficients[dim] != 0)
        axis.terms.push_back({dims[dim], coefficients[dim]});
    axis.offset = coefficients.back();
  }
  setTensorShape(axes, tensor);
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    return getWholeAxes(ArrayRef(axes), slice, slice.getSource());
  return axes;
}

/// Puts the axes with a dimension that tiles span, or that they have whole, into `buffer.order`, in
/// the order of `order`.
void StageAnalyzer::setOrder(Buffer &buffer, ArrayRef<unsigned> order) const {
  for (auto [index, axis] : llvm::enumerate(buffer.axes))
    if (axis.span > 1 ||
        llvm::any_of(axis.terms, [&](Term term) { return !graph.dims[term.dim].isUnit; }))
      buffer.order.push_back(index);
  auto rank = [&](unsigned axis) -> size_t {
    if (buffer.axes[axis].terms.empty())
      return order.size();
    return llvm::find(order, buffer.axes[axis].terms[0].dim) - order.begin();
  };
  llvm::sort(buffer.order, [&](unsigned a, unsigned b) { return rank(a) < rank(b); });
}

/// A name that does not change when equal ops become one.
std::string StageAnalyzer::getTensorName(Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return ("arg" + Twine(argument.getArgNumber())).str();
  if (auto known = graph.valueNumbers.find(tensor); known != graph.valueNumbers.end()) {
    // The stage, and the number among its values where it has several.
    unsigned stage = graph.values[known->second].stage, index = 0;
    for (unsigned value : graph.valuesOfStage[stage])
      index += value < known->second && graph.values[value].escapes;
    std::string name = graph.stages[stage].name;
    return index == 0 ? name : name + "_" + std::to_string(index);
  }
  Operation *op = tensor.getDefiningOp();
  // Equal constants, and equal slices of a tensor, count once.
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  SetVector<Attribute> distinct;
  for (Operation &other : *op->getBlock()) {
    auto otherSlice = dyn_cast<tensor::ExtractSliceOp>(other);
    if (other.getName() == op->getName() && (!slice || otherSlice.getSource() == slice.getSource()))
      distinct.insert(other.getAttrDictionary());
    if (&other == op)
      break;
  }
  unsigned number = llvm::find(distinct, op->getAttrDictionary()) - distinct.begin();
  std::string name = slice ? getTensorName(slice.getSource()) + "_slice" : "const";
  return name + std::to_string(number);
}

void StageAnalyzer::buildOperand(unsigned number, const StageOp &op, OpOperand &operand,
                                 AffineMap map, const TileLayout &layout, ArrayRef<unsigned> order,
                                 BufferRole role) {
  Stage &stage = graph.stages[number];
  StageOperand result;
  result.tensor = operand.get();
  result.fill = layout.fill;
  if (auto known = graph.valueNumbers.find(operand.get()); known != graph.valueNumbers.end()) {
    result.value = known->second;
    result.isAligned = !unaligned.contains(&operand);
  }
  Buffer &buffer = result.buffer;
  buffer.name = layout.description;
  buffer.role = role;
  buffer.elementBytes = getElementBytes(operand.get().getType());
  buffer.axes = getAxes(operand.get(), map, op.dims);
  if (op.op.readsWhole(getDataIndex(op.op, operand)))
    for (Axis &axis : buffer.axes)
      axis.span = axis.extent;
  buffer.panelColumns = layout.panelColumns;
  // Columns that tiles never span, as they are another op's batches, leave one of a panel.
  buffer.hasPanelAxis = layout.hasPanelAxis && !graph.dims[op.dims[layout.order.front()]].isUnit;
  setOrder(buffer, order);
  if (role == BufferRole::Operand) {
    // One load serves all ops that read the same elements.
    for (auto [index, other] : llvm::enumerate(stage.operands)) {
      bool isSame =
          other.tensor == operand.get() && other.buffer.role == role && other.fill == layout.fill &&
          other.buffer.axes.size() == buffer.axes.size() && // not a slice with fewer dimensions
          llvm::all_of_zip(other.buffer.axes, buffer.axes, [](const Axis &a, const Axis &b) {
            return a.terms.size() == b.terms.size() && a.offset == b.offset && a.span == b.span &&
                   llvm::all_of_zip(a.terms, b.terms, [](Term x, Term y) {
                     return x.dim == y.dim && x.coefficient == y.coefficient;
                   });
          });
      if (isSame) {
        graph.operandNumbers[&operand] = index;
        return;
      }
    }
  }
  std::string name = layout.name.empty() ? getTensorName(operand.get()) : layout.name;
  result.name = name;
  for (unsigned copy = 2; llvm::any_of(
           stage.operands, [&](const StageOperand &other) { return other.name == result.name; });
       ++copy)
    result.name = name + "_" + std::to_string(copy);
  graph.operandNumbers[&operand] = stage.operands.size();
  stage.operands.push_back(std::move(result));
}

unsigned StageAnalyzer::addValue(unsigned number, const StageOp &op, ArrayRef<unsigned> order,
                                 BufferRole role) {
  unsigned index = graph.values.size();
  StageValue value;
  value.value = op.op->getResult(0);
  value.stage = number;
  value.inPlaceOf = value.bufferRoot = index;
  for (Operation *user : value.value.getUsers()) {
    auto known = stageOf.find(user);
    value.escapes |= known == stageOf.end() || known->second != number;
  }
  Buffer &buffer = value.buffer;
  buffer.role = role;
  buffer.name = role == BufferRole::Accumulator
                    ? "accumulator"
                    : ("result of " + op.op->getName().getStringRef()).str();
  buffer.elementBytes = getElementBytes(value.value.getType());
  buffer.axes = getAxes(value.value, op.op.getIndexingMapsArray().back(), op.dims);
  setOrder(buffer, order);
  graph.valueNumbers[value.value] = index;
  graph.valuesOfStage[number].push_back(index);
  if (role == BufferRole::Accumulator)
    accumulators.try_emplace(graph.stages[number].group, index);
  graph.values.push_back(std::move(value));
  return index;
}

/// The scratch memory of an op. Ops of a stage run one after the other, so those with the same
/// dimensions share what the largest of them needs.
std::optional<unsigned> StageAnalyzer::addScratch(unsigned number, const StageOp &op) {
  NPUComputeOpInterface compute = op.op;
  TileScratch scratch = compute.getTileScratch();
  if (scratch.bytes == 0)
    return std::nullopt;
  StageValue value;
  value.stage = number;
  value.inPlaceOf = value.bufferRoot = graph.values.size();
  Buffer &buffer = value.buffer;
  buffer.name = ("scratch memory of " + compute->getName().getStringRef()).str();
  for (unsigned dim : scratch.dims) {
    Axis &axis = buffer.axes.emplace_back();
    axis.terms.push_back({op.dims[dim], 1});
    axis.extent = graph.dims[op.dims[dim]].extent;
  }
  Axis &bytes = buffer.axes.emplace_back();
  bytes.span = bytes.extent = scratch.bytes;
  setOrder(buffer, op.dims);
  for (auto [index, other] : llvm::enumerate(graph.values)) {
    if (other.value || other.stage != number || other.buffer.getDims() != buffer.getDims())
      continue;
    Axis &shared = other.buffer.axes.back();
    shared.span = shared.extent = std::max(shared.span, scratch.bytes);
    return index;
  }
  graph.values.push_back(std::move(value));
  return graph.values.size() - 1;
}

/// The kernel's dimensions in the order in which the operand lies.
static SmallVector<unsigned> getKernelOrder(const StageOp &op, const TileLayout &layout) {
  return llvm::map_to_vector(layout.order, [&](unsigned dim) { return op.dims[dim]; });
}

LogicalResult StageAnalyzer::buildArrayStage(unsigned number) {
  const StageOp op = graph.stages[number].getRoot();
  NPUComputeOpInterface compute = op.op;
  if (compute.getTileWork().array->rate(graph.target) == 0)
    return emitRejection(compute, *getTargetLimit(compute, graph.target));
  SmallVector<OpOperand *> operands = compute.getDataOperands();
  SmallVector<AffineMap> maps = compute.getIndexingMapsArray();
  unsigned destination = operands.size() - 1;
  for (unsigned index = 0; index < destination; ++index) {
    TileLayout layout = compute.getTileLayout(index, graph.target);
    // Two operands stream through the array; another one is what sums start from.
    buildOperand(number, op, *operands[index], maps[index], layout, getKernelOrder(op, layout),
                 index < 2 ? BufferRole::Input : BufferRole::Start);
  }
  TileLayout layout = compute.getTileLayout(destination, graph.target);
  SmallVector<unsigned> order = getKernelOrder(op, layout);
  addValue(number, op, order, BufferRole::Accumulator);
  if (compute.readsDestination()) {
    layout.description = "initial accumulator";
    buildOperand(number, op, *operands[destination], maps[destination], layout, order,
                 BufferRole::Operand);
    graph.stages[number].operands.back().isInitial = true;
  }
  return success();
}

/// The accumulator on whose tile the stage works: of its group's contraction, or else the first
/// that it reads.
const StageValue *StageAnalyzer::findAccumulator(unsigned number) {
  const Stage &stage = graph.stages[number];
  if (auto known = accumulators.find(stage.group); known != accumulators.end())
    return &graph.values[known->second];
  for (const StageOp &op : stage.ops)
    for (auto [operand, map] : getReadOperands(op.op))
      if (auto known = graph.valueNumbers.find(operand->get());
          known != graph.valueNumbers.end() && !unaligned.contains(operand) &&
          graph.values[known->second].buffer.role == BufferRole::Accumulator)
        return &graph.values[known->second];
  return nullptr;
}

void StageAnalyzer::buildVectorStage(unsigned number) {
  // Kernel dimensions in the order of result tiles.
  SmallVector<unsigned> order;
  if (const StageValue *accumulator = findAccumulator(number))
    order = accumulator->buffer.getDims();
  for (unsigned dim : graph.stages[number].getRoot().dims)
    if (!graph.dims[dim].isUnit && !llvm::is_contained(order, dim))
      order.push_back(dim);

  std::vector<StageOp> stageOps = graph.stages[number].ops;
  for (auto [index, op] : llvm::enumerate(stageOps)) {
    NPUComputeOpInterface compute = op.op;
    Value result = compute->getResult(0);
    // A contraction reads its left operand from SRAM, and in an order of its own if tile by tile.
    SmallVector<unsigned> resultOrder = order;
    bool isReadInSram = false; // as what windows read must be to stay on chip
    for (OpOperand &use : result.getUses()) {
      auto reader = dyn_cast<NPUComputeOpInterface>(use.getOwner());
      if (!reader || &use == &reader.getDestinationOperand())
        continue;
      isReadInSram |= hasWindows(reader);
      if (!isArrayOp(reader))
        continue;
      TileLayout layout = reader.getTileLayout(getDataIndex(reader, use), graph.target);
      if (layout.panelColumns != 0)
        continue;
      isReadInSram = true;
      if (unaligned.contains(&use))
        continue;
      resultOrder = getKernelOrder({reader, llvm::to_vector(getDims(reader))}, layout);
      break;
    }
    std::optional<unsigned> inPlace;
    for (auto [operand, map] : getReadOperands(compute)) {
      auto known = graph.valueNumbers.find(operand->get());
      TileLayout layout = compute.getTileLayout(getDataIndex(compute, *operand), graph.target);
      layout.description = describe(compute, operand->getOperandNumber());
      bool isOwn = known != graph.valueNumbers.end() && graph.values[known->second].stage == number;
      if (!isOwn)
        buildOperand(number, op, *operand, map, layout, order, BufferRole::Operand);
      if (known == graph.valueNumbers.end() || unaligned.contains(operand))
        continue;
      // The result takes the place of an operand that dies here. Other readers in the stage come
      // before; an accumulator is not held up for them, as the array waits for it.
      bool mayWait = isOwn && graph.values[graph.getBufferRoot(known->second)].buffer.role !=
                                  BufferRole::Accumulator;
      bool dies = llvm::all_of(operand->get().getUsers(), [&](Operation *user) {
        auto stage = stageOf.find(user);
        return user == compute || (mayWait && stage != stageOf.end() && stage->second == number &&
                                   user->isBeforeInBlock(compute));
      });
      auto type = cast<ShapedType>(operand->get().getType());
      if (compute.mayOverwriteOperand() && dies && map.getNumResults() == map.getNumDims() &&
          type.getElementType() == cast<ShapedType>(result.getType()).getElementType())
        inPlace = known->second;
    }
    unsigned value = addValue(number, op, resultOrder, BufferRole::Value);
    graph.stages[number].ops[index].scratch = addScratch(number, op);
    bool isInAcc = inPlace && graph.values[graph.getBufferRoot(*inPlace)].buffer.role ==
                                  BufferRole::Accumulator;
    if (inPlace && !(isReadInSram && isInAcc) &&
        graph.values[*inPlace].buffer.getDims() == graph.values[value].buffer.getDims())
      graph.takeOver(value, *inPlace);
  }
}

LogicalResult StageAnalyzer::buildStage(unsigned number) {
  if (graph.stages[number].isArray)
    return buildArrayStage(number);
  buildVectorStage(number);
  return success();
}

LogicalResult StageAnalyzer::buildResults() {
  for (OpOperand &operand : returnOp->getOpOperands()) {
    auto insertion = operand.get().getDefiningOp<tensor::InsertSliceOp>();
    Value value = insertion ? insertion.getSource() : operand.get();
    auto number = graph.valueNumbers.find(value);
    if (number == graph.valueNumbers.end())
      return emitRejection(returnOp, {RejectionKind::ResultNotComputed,
                                      "result " + Twine(operand.getOperandNumber())});
    SmallVector<Axis> axes = graph.getScratchAxes(number->second);
    if (insertion)
      axes = getWholeAxes(ArrayRef(axes), insertion, insertion.getDest());
    graph.results.push_back({number->second, std::move(axes)});
  }
  assert(!graph.results.empty() && "a kernel without results is not in tensor form");
  return success();
}

void StageAnalyzer::findPrivateBuffers() {
  for (auto [number, value] : llvm::enumerate(graph.values))
    value.buffer.isPrivate = graph.getBufferRoot(number) == number &&
                             value.buffer.role == BufferRole::Value && !value.escapes;
  for (auto [number, value] : llvm::enumerate(graph.values))
    if (value.escapes)
      graph.values[graph.getBufferRoot(number)].buffer.isPrivate = false;
}

void StageAnalyzer::findReaders() {
  graph.stagesOfGroup.resize(graph.numGroups);
  graph.readersOfValue.resize(graph.values.size());
  for (auto [number, stage] : llvm::enumerate(graph.stages)) {
    graph.stagesOfGroup[stage.group].push_back(number);
    for (auto [index, operand] : llvm::enumerate(stage.operands))
      if (operand.value)
        graph.readersOfValue[*operand.value].push_back({number, index});
  }
}

/// The memory that npu-materialize-scalars takes for the constants of rescalings.
static int64_t getConstantBytes(KernelOp kernel) {
  llvm::SmallDenseSet<std::pair<unsigned, int64_t>> constants;
  for (auto rescale : kernel.getBody().getOps<RescaleOp>())
    if (!rescale.getMultipliers()) {
      constants.insert({0, rescale.getMultiplier().value_or(0)});
      constants.insert({1, rescale.getShift().value_or(0)});
    }
  return constants.size() * getSlotBytes(1);
}

FailureOr<StageGraph> StageAnalyzer::run() {
  FailureOr<TargetDesc> target = getTarget(graph.kernel);
  if (failed(target))
    return failure();
  graph.target = *target;
  graph.constantBytes = getConstantBytes(graph.kernel);
  graph.target.sramBytes -= graph.constantBytes;
  if (failed(collectOps()))
    return failure();
  uniteDims();
  numberDims();
  if (failed(formStages()) || failed(describeDims()))
    return failure();
  graph.valuesOfStage.resize(graph.stages.size());
  for (unsigned number = 0; number < graph.stages.size(); ++number)
    if (failed(buildStage(number)))
      return failure();
  if (failed(buildResults()))
    return failure();
  findPrivateBuffers();
  findReaders();
  for (auto [number, stage] : llvm::enumerate(graph.stages))
    stage.panels = graph.findPanels(number);
  return std::move(graph);
}

/// Whether every group has tiles that fit, those over whole dimensions included.
static bool fits(const StageGraph &graph) {
  for (const Stage &stage : graph.stages)
    for (unsigned dim : stage.wholeDims)
      if (graph.dims[dim].isUnit && graph.dims[dim].extent > 1)
        return false;
  for (unsigned group = 0; group < graph.numGroups; ++group) {
    Problem problem = makeProblem(graph, group).problem;
    if (!fits(problem, getSmallestSchedule(problem), graph.target))
      return false;
  }
  return true;
}

FailureOr<StageGraph> StageGraph::analyze(KernelOp kernel) {
  FailureOr<StageGraph> graph = StageAnalyzer(kernel, /*splitsReductions=*/false).run();
  if (failed(graph) ||
      llvm::all_of(graph->stages, [](const Stage &stage) { return stage.wholeDims.empty(); }) ||
      llvm::any_of(kernel.getOps<NPUComputeOpInterface>(),
                   [](NPUComputeOpInterface op) { return op.getStage().has_value(); }) ||
      fits(*graph))
    return graph;
  return analyzeSplit(kernel);
}

FailureOr<StageGraph> StageGraph::analyzeSplit(KernelOp kernel) {
  return StageAnalyzer(kernel, /*splitsReductions=*/true).run();
}
