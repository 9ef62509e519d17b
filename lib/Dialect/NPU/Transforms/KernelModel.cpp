//===- KernelModel.cpp - a kernel in tensor form as a tiling problem ------===//

#include "KernelModel.h"

#include "NPU/Dialect/NPU/Transforms/TargetLegality.h"

#include "NPU/Target/ISA/Timing.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;
using namespace npu::tile;

/// Dimensions of a vector operand; further ones become loops.
static constexpr unsigned kMaxVectorDims = 4;

namespace {
/// Builds a KernelModel step by step; every step reports its own errors.
class Analyzer {
public:
  explicit Analyzer(KernelOp kernel) { model.kernel = kernel; }

  FailureOr<KernelModel> run();

private:
  LogicalResult collectOps();
  LogicalResult chooseRoot();
  LogicalResult buildDims();
  LogicalResult buildContractionBuffers();
  LogicalResult inferTailDims();
  LogicalResult buildTail();
  LogicalResult buildStores();
  void readHandChoices();

  /// The axes of a tensor whose coordinates over the root's dimensions are `map`'s results.
  SmallVector<Axis> getAxes(Value tensor, AffineMap map) const;
  SmallVector<Axis> getAxes(Value tensor, ArrayRef<unsigned> dims) const;
  /// Puts the axes with a dimension that tiles span into `buffer.order`, sorted by `rank`.
  void setOrder(Buffer &buffer, function_ref<size_t(unsigned)> rank) const;
  unsigned addBuffer(Buffer buffer, BufferSource source);
  unsigned addLoad(Value tensor, ArrayRef<unsigned> dims, std::string name);
  unsigned addValue(Value value, ArrayRef<unsigned> dims, std::string name);

  KernelModel model;
  SmallVector<NPUComputeOpInterface> ops;
  ReturnOp returnOp;
  /// Root dimension of each dimension of a value that is computed in the kernel; -1 unknown.
  DenseMap<Value, SmallVector<int>> valueDims;
  DenseMap<Operation *, SmallVector<int>> domainDims;
  DenseMap<Value, unsigned> bufferOf;
};
} // namespace

static int64_t getElementBytes(Value value) {
  return llvm::divideCeil(cast<ShapedType>(value.getType()).getElementTypeBitWidth(), 8);
}

//===----------------------------------------------------------------------===//
// Ops and root
//===----------------------------------------------------------------------===//

LogicalResult npu::checkContents(NPUComputeOpInterface op) {
  for (OpOperand *operand : op.getDataOperands()) {
    bool isRead = operand != &op.getDestinationOperand() || op.readsDestination();
    if (isRead && operand->get().getDefiningOp<tensor::EmptyOp>())
      return emitRejection(
          op, {RejectionKind::NoContents, "operand " + Twine(operand->getOperandNumber()) + " of " +
                                              op->getName().getStringRef()});
  }
  return success();
}

LogicalResult Analyzer::collectOps() {
  if (!llvm::hasSingleElement(model.kernel.getBody()))
    return model.kernel.emitOpError("expected a body of one block in tensor form");
  for (Operation &op : model.kernel.getBody().front()) {
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
    auto compute = dyn_cast<NPUComputeOpInterface>(op);
    if (!compute || compute.hasBufferForm())
      return op.emitOpError(
          "is not part of tensor form: expected npu ops on tensors, slices, tensor.empty, "
          "arith.constant and npu.return");
    for (OpOperand *operand : compute.getDataOperands()) {
      auto type = cast<ShapedType>(operand->get().getType());
      if (!type.hasStaticShape() || type.getNumElements() == 0)
        return emitRejection(
            &op, {type.hasStaticShape() ? RejectionKind::NoElements : RejectionKind::DynamicShape,
                  debugString(type) + ", operand " + Twine(operand->getOperandNumber()) + " of " +
                      op.getName().getStringRef()});
    }
    if (failed(checkContents(compute)))
      return failure();
    ops.push_back(compute);
  }
  if (!returnOp)
    return model.kernel.emitOpError("expected a body that ends in npu.return");
  if (ops.empty())
    return emitRejection(model.kernel, {RejectionKind::NoComputation, ""});
  return success();
}

static bool isContraction(Operation *op) { return llvm::isa<MatmulOp, ConvOp>(op); }

LogicalResult Analyzer::chooseRoot() {
  SmallVector<NPUComputeOpInterface> contractions;
  for (NPUComputeOpInterface op : ops)
    if (isContraction(op))
      contractions.push_back(op);
  if (contractions.size() > 1) {
    InFlightDiagnostic diagnostic =
        emitRejection(contractions[1], {RejectionKind::SeveralRoots, Twine(contractions.size())});
    diagnostic.attachNote(contractions[0].getLoc()) << "the first root is here";
    return diagnostic;
  }
  if (contractions.empty()) {
    // The op with the largest domain, the last of them.
    model.root = ops.front();
    for (NPUComputeOpInterface op : ops)
      if (op.getIteratorTypes().size() >= model.root.getIteratorTypes().size())
        model.root = op;
    return success();
  }
  model.root = contractions[0];
  for (OpOperand *operand : model.root.getDataOperands()) {
    if (operand == &model.root.getDestinationOperand() && !model.root.readsDestination())
      continue;
    auto producer = operand->get().getDefiningOp<NPUComputeOpInterface>();
    if (!producer)
      continue;
    InFlightDiagnostic diagnostic =
        emitRejection(model.root, {RejectionKind::ComputedOperand,
                                   "operand " + Twine(operand->getOperandNumber()) + " of " +
                                       model.root->getName().getStringRef()});
    diagnostic.attachNote(producer.getLoc()) << "its producer is here";
    return diagnostic;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

static MxuRole getMxuRole(char letter, bool isDepthwise) {
  if (StringRef("mhw").contains(letter))
    return MxuRole::M;
  if (letter == 'n' || letter == 'f' || (letter == 'g' && isDepthwise))
    return MxuRole::N;
  if (StringRef("kcyx").contains(letter))
    return MxuRole::K;
  return MxuRole::None;
}

LogicalResult Analyzer::buildDims() {
  std::string letters = model.root.getDimLetters();
  Problem &problem = model.problem;
  auto conv = dyn_cast<ConvOp>(*model.root);
  problem.hasContraction = isContraction(model.root);
  problem.isDepthwise = conv && conv.isDepthwise();
  SmallVector<utils::IteratorType> iterators = model.root.getIteratorTypes();
  for (auto [index, extent] : llvm::enumerate(model.root.getStaticLoopRanges())) {
    Dim dim;
    dim.extent = extent;
    dim.isReduction = iterators[index] == utils::IteratorType::reduction;
    if (!problem.hasContraction) {
      dim.name = ("d" + Twine(index)).str();
      dim.granule = index + 1 == iterators.size() ? model.target.dramBytesPerCycle : 1;
      problem.dims.push_back(dim);
      continue;
    }
    char letter = letters[index];
    dim.name = letter;
    dim.isUnit =
        letter == 'b' || (conv && (letter == 'n' || (letter == 'g' && !problem.isDepthwise)));
    if (!dim.isUnit)
      dim.role = getMxuRole(letter, problem.isDepthwise);
    dim.isReluctant = letter == 'y' || letter == 'x';
    if (dim.role == MxuRole::N)
      dim.granule = model.target.macCols;
    else if (dim.role != MxuRole::None && (letter == 'm' || letter == 'k' || letter == 'c'))
      dim.granule = model.target.macRows;
    problem.dims.push_back(dim);
  }
  if (problem.hasContraction)
    return success();
  // A vector instruction has few dimensions; the others are loops. Those of one element cost
  // nothing.
  unsigned spanned = problem.dims.size();
  for (bool onlyOnes : {true, false})
    for (Dim &dim : problem.dims)
      if (spanned > kMaxVectorDims && !dim.isUnit && (dim.extent == 1 || !onlyOnes)) {
        dim.isUnit = true;
        --spanned;
      }
  return success();
}

SmallVector<unsigned> KernelModel::getResultDims() const {
  SmallVector<unsigned> dims;
  if (accumulator) {
    const Buffer &buffer = problem.buffers[*accumulator];
    for (unsigned axis : buffer.order)
      dims.push_back(buffer.axes[axis].terms[0].dim);
    return dims;
  }
  for (auto [index, dim] : llvm::enumerate(problem.dims))
    if (!dim.isUnit)
      dims.push_back(index);
  return dims;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Sets extents and strides from the tensor's type.
static void setTensorShape(MutableArrayRef<Axis> axes, Value tensor) {
  auto type = cast<ShapedType>(tensor.getType());
  int64_t stride = getElementBytes(tensor);
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
    axes = axes.drop_front();
  }
  return result;
}

/// `axes` of `tensor`, or of the tensor of which it is a slice.
static SmallVector<Axis> seeThroughSlice(SmallVector<Axis> axes, Value tensor) {
  setTensorShape(axes, tensor);
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    return getWholeAxes(axes, slice, slice.getSource());
  return axes;
}

SmallVector<Axis> Analyzer::getAxes(Value tensor, AffineMap map) const {
  SmallVector<Axis> axes(map.getNumResults());
  for (auto [axis, expr] : llvm::zip(axes, map.getResults())) {
    SmallVector<int64_t> coefficients;
    LogicalResult isLinear =
        getFlattenedAffineExpr(expr, map.getNumDims(), /*numSymbols=*/0, &coefficients);
    assert(succeeded(isLinear) && "maps of tensor form are linear");
    (void)isLinear;
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      if (coefficients[dim] != 0)
        axis.terms.push_back({dim, coefficients[dim]});
    axis.offset = coefficients.back();
  }
  return seeThroughSlice(std::move(axes), tensor);
}

SmallVector<Axis> Analyzer::getAxes(Value tensor, ArrayRef<unsigned> dims) const {
  SmallVector<Axis> axes(dims.size());
  for (auto [axis, dim] : llvm::zip(axes, dims))
    axis.terms.push_back({dim, 1});
  return seeThroughSlice(std::move(axes), tensor);
}

void Analyzer::setOrder(Buffer &buffer, function_ref<size_t(unsigned)> rank) const {
  for (auto [index, axis] : llvm::enumerate(buffer.axes))
    if (llvm::any_of(axis.terms, [&](Term term) { return !model.problem.dims[term.dim].isUnit; }))
      buffer.order.push_back(index);
  llvm::sort(buffer.order, [&](unsigned a, unsigned b) {
    return rank(buffer.axes[a].terms[0].dim) < rank(buffer.axes[b].terms[0].dim);
  });
}

unsigned Analyzer::addBuffer(Buffer buffer, BufferSource source) {
  buffer.elementBytes = getElementBytes(source.tensor);
  model.problem.buffers.push_back(std::move(buffer));
  model.sources.push_back(source);
  return model.problem.buffers.size() - 1;
}

/// Rank of a root dimension among those of a result tile.
static size_t getResultRank(const KernelModel &model, unsigned dim) {
  SmallVector<unsigned> dims = model.getResultDims();
  return llvm::find(dims, dim) - dims.begin();
}

unsigned Analyzer::addLoad(Value tensor, ArrayRef<unsigned> dims, std::string name) {
  for (auto [index, source] : llvm::enumerate(model.sources)) {
    Buffer &buffer = model.problem.buffers[index];
    if (source.tensor == tensor && buffer.role == BufferRole::Operand &&
        buffer.axes.size() == dims.size() && // not a slice with fewer dimensions
        llvm::all_of_zip(buffer.axes, dims,
                         [](const Axis &axis, unsigned dim) { return axis.terms[0].dim == dim; }))
      return index;
  }
  Buffer buffer;
  buffer.name = std::move(name);
  buffer.role = BufferRole::Operand;
  buffer.axes = getAxes(tensor, dims);
  setOrder(buffer, [&](unsigned dim) { return getResultRank(model, dim); });
  return addBuffer(std::move(buffer), {tensor});
}

unsigned Analyzer::addValue(Value value, ArrayRef<unsigned> dims, std::string name) {
  Buffer buffer;
  buffer.name = std::move(name);
  buffer.role = BufferRole::Value;
  buffer.axes = getAxes(value, dims);
  setOrder(buffer, [&](unsigned dim) { return getResultRank(model, dim); });
  return addBuffer(std::move(buffer), {value});
}

static isa::MacType getMacType(Type left) {
  if (left.isSignlessInteger(8))
    return isa::MacType::I8;
  if (left.isSignlessInteger(16))
    return isa::MacType::I16i8;
  if (left.isF16())
    return isa::MacType::F16;
  return left.isBF16() ? isa::MacType::Bf16 : isa::MacType::F32;
}

LogicalResult Analyzer::buildContractionBuffers() {
  Problem &problem = model.problem;
  if (!problem.hasContraction)
    return success();
  SmallVector<OpOperand *> operands = model.root.getDataOperands();
  SmallVector<AffineMap> maps = model.root.getIndexingMapsArray();
  auto conv = dyn_cast<ConvOp>(*model.root);
  std::string letters = model.root.getDimLetters();
  Value left = operands[0]->get(), right = operands[1]->get(), output = operands[2]->get();
  problem.macType = getMacType(cast<ShapedType>(left.getType()).getElementType());
  if (isa::getMacRate(model.target, problem.macType) == 0)
    return emitRejection(model.root, *getTargetLimit(model.root, model.target));

  auto rankIn = [&](StringRef canonical) {
    return [&letters, canonical](unsigned dim) { return canonical.find(letters[dim]); };
  };
  auto zeroOf = [&](Value tensor) {
    return Builder(tensor.getContext())
        .getZeroAttr(cast<ShapedType>(tensor.getType()).getElementType());
  };
  Buffer input, weights, result;
  input.name = "left operand";
  input.role = BufferRole::Input;
  input.axes = getAxes(left, maps[0]);
  setOrder(input, rankIn(conv ? "hwcg" : "mk"));
  BufferSource inputSource = {left};
  if (conv && conv.hasPadding())
    inputSource.fill = conv.getPadValue() ? *conv.getPadValue() : zeroOf(left);

  weights.name = conv ? "filter" : "right operand";
  weights.role = BufferRole::Input;
  weights.axes = getAxes(right, maps[1]);
  setOrder(weights, rankIn(conv ? "fyxcg" : "nk"));
  BufferSource weightsSource = {right};
  if (!problem.isDepthwise) {
    weights.panelColumns = model.target.macCols;
    weights.hasPanelAxis = letters.find(conv ? 'f' : 'n') != std::string::npos;
    weightsSource.fill = zeroOf(right);
  }

  result.name = "accumulator";
  result.role = BufferRole::Accumulator;
  result.axes = getAxes(output, maps[2]);
  setOrder(result, rankIn(conv ? "hwfg" : "mn"));
  addBuffer(std::move(input), inputSource);
  addBuffer(std::move(weights), weightsSource);
  model.accumulator = addBuffer(std::move(result), {model.root->getResult(0)});
  bufferOf[model.root->getResult(0)] = *model.accumulator;

  if (model.root.readsDestination()) {
    SmallVector<unsigned> dims = llvm::map_to_vector(maps[2].getResults(), [](AffineExpr expr) {
      return cast<AffineDimExpr>(expr).getPosition();
    });
    model.initialBuffer = addLoad(output, dims, "initial accumulator");
    problem.vectorOps.push_back({model.getResultDims(), 1});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Tail
//===----------------------------------------------------------------------===//

/// Equates dimensions of values with those of the domains that use them until nothing is learnt.
LogicalResult Analyzer::inferTailDims() {
  for (NPUComputeOpInterface op : ops) {
    auto rank = cast<ShapedType>(op->getResult(0).getType()).getRank();
    valueDims[op->getResult(0)].assign(rank, -1);
    domainDims[op].assign(op.getIteratorTypes().size(), -1);
  }
  for (auto [index, dim] : llvm::enumerate(domainDims[model.root]))
    dim = index;

  // Ops still to look at: whoever is next to what has been learnt.
  SetVector<Operation *> worklist;
  auto visit = [&](NPUComputeOpInterface op) -> LogicalResult {
    SmallVector<OpOperand *> operands = op.getDataOperands();
    for (auto [operand, map] : llvm::zip(operands, op.getIndexingMapsArray())) {
      bool isDestination = operand == operands.back();
      Value value = isDestination ? Value(op->getResult(0)) : operand->get();
      auto known = valueDims.find(value);
      if (known == valueDims.end())
        continue;
      for (auto [ofValue, expr] : llvm::zip(known->second, map.getResults())) {
        auto position = dyn_cast<AffineDimExpr>(expr);
        if (!position)
          continue;
        int &ofDomain = domainDims[op][position.getPosition()];
        if (ofValue == ofDomain)
          continue;
        if (ofValue >= 0 && ofDomain >= 0)
          return emitRejection(op, {RejectionKind::Reordered, op->getName().getStringRef()});
        if (ofDomain < 0) {
          ofDomain = ofValue;
          worklist.insert(op);
          continue;
        }
        ofValue = ofDomain;
        worklist.insert(value.getDefiningOp());
        for (Operation *user : value.getUsers())
          if (domainDims.contains(user))
            worklist.insert(user);
      }
    }
    return success();
  };
  auto propagate = [&]() -> LogicalResult {
    while (!worklist.empty())
      if (failed(visit(cast<NPUComputeOpInterface>(worklist.pop_back_val()))))
        return failure();
    return success();
  };
  worklist.insert_range(llvm::reverse(ops));
  if (failed(propagate()))
    return failure();
  // Independent results of one element-wise nest.
  for (NPUComputeOpInterface op : ops) {
    SmallVector<int> &dims = domainDims[op];
    bool isUnrelated = llvm::all_of(dims, [](int dim) { return dim < 0; });
    if (!isUnrelated || model.problem.hasContraction ||
        op.getStaticLoopRanges() != model.root.getStaticLoopRanges())
      continue;
    for (auto [index, dim] : llvm::enumerate(dims))
      dim = index;
    worklist.insert(op);
    if (failed(propagate()))
      return failure();
  }
  for (NPUComputeOpInterface op : ops)
    for (auto [dim, extent] : llvm::zip(domainDims[op], op.getStaticLoopRanges())) {
      bool isParallel = dim >= 0 && !model.problem.dims[dim].isReduction;
      if (op == model.root || (isParallel && model.problem.dims[dim].extent == extent))
        continue;
      InFlightDiagnostic diagnostic =
          emitRejection(op, {RejectionKind::ForeignDimension,
                             "of extent " + Twine(extent) + ", " + op->getName().getStringRef()});
      diagnostic.attachNote(model.root.getLoc()) << "the root is here";
      return diagnostic;
    }
  return success();
}

/// Passes of the vector unit, by the ISA's names of the operations.
static int64_t getPasses(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](UnaryOp unary) {
        auto kind = isa::fromString<isa::UnaryKind>(stringifyUnaryKind(unary.getKind()));
        return kind ? isa::getCost(*kind) : 1;
      })
      .Case([](BinaryOp binary) {
        auto kind = isa::fromString<isa::BinaryKind>(stringifyBinaryKind(binary.getKind()));
        // A constant on the left that has to be written first.
        return (kind ? isa::getCost(*kind) : 1) + binary.needsOwnDestination();
      })
      .Case<RequantizeOp, RescaleOp>([](Operation *) { return 2; })
      .Default([](Operation *) { return 1; });
}

LogicalResult Analyzer::buildTail() {
  auto toDims = [](ArrayRef<int> dims) { return SmallVector<unsigned>(dims.begin(), dims.end()); };
  for (NPUComputeOpInterface op : ops) {
    if (isContraction(op))
      continue;
    TailOp tail;
    tail.op = op;
    tail.dims = toDims(domainDims[op]);
    SmallVector<OpOperand *> operands = op.getDataOperands();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    Value result = op->getResult(0);
    auto binary = dyn_cast<BinaryOp>(*op);
    bool canShare = !binary || !binary.needsOwnDestination();
    std::optional<unsigned> inPlace;
    for (auto [operand, map] : llvm::zip(ArrayRef(operands).drop_back(), maps)) {
      Value value = operand->get();
      auto known = bufferOf.find(value);
      if (known == bufferOf.end()) {
        SmallVector<unsigned> dims;
        for (AffineExpr expr : map.getResults())
          dims.push_back(tail.dims[cast<AffineDimExpr>(expr).getPosition()]);
        tail.operands.push_back(addLoad(value, dims,
                                        ("operand " + Twine(operand->getOperandNumber()) + " of " +
                                         op->getName().getStringRef())
                                            .str()));
        continue;
      }
      tail.operands.push_back(known->second);
      // The result takes the place of an operand that dies here.
      bool dies = llvm::all_of(value.getUsers(), [&](Operation *user) { return user == op; });
      auto type = cast<ShapedType>(value.getType());
      if (canShare && dies && map.getNumResults() == map.getNumDims() &&
          type.getElementType() == cast<ShapedType>(result.getType()).getElementType())
        inPlace = known->second;
    }
    tail.result = inPlace ? *inPlace
                          : addValue(result, toDims(valueDims[result]),
                                     ("result of " + op->getName().getStringRef()).str());
    bufferOf[result] = tail.result;
    SmallVector<unsigned> spanned;
    for (unsigned dim : tail.dims)
      if (!model.problem.dims[dim].isUnit)
        spanned.push_back(dim);
    model.problem.vectorOps.push_back({spanned, getPasses(op)});
    model.tail.push_back(std::move(tail));
  }
  return success();
}

LogicalResult Analyzer::buildStores() {
  for (OpOperand &operand : returnOp->getOpOperands()) {
    auto insertion = operand.get().getDefiningOp<tensor::InsertSliceOp>();
    Value value = insertion ? insertion.getSource() : operand.get();
    auto buffer = bufferOf.find(value);
    if (buffer == bufferOf.end())
      return emitRejection(returnOp, {RejectionKind::ResultNotComputed,
                                      "result " + Twine(operand.getOperandNumber())});
    SmallVector<unsigned> dims =
        llvm::map_to_vector(valueDims[value], [](int dim) { return static_cast<unsigned>(dim); });
    SmallVector<Axis> axes = getAxes(value, dims);
    if (insertion)
      axes = getWholeAxes(axes, insertion, insertion.getDest());
    model.problem.stores.push_back({buffer->second, std::move(axes)});
    model.storedValues.push_back(value);
    if (buffer->second == model.accumulator)
      model.problem.accumulatorIsStored = true;
  }
  if (model.problem.stores.empty())
    return returnOp.emitOpError("expected at least one result but found none");
  return success();
}

void Analyzer::readHandChoices() {
  for (auto [dim, size] : llvm::zip(model.problem.dims, model.root.getTileSizes()))
    if (!dim.isUnit)
      dim.fixedTile = size;
  if (ClusterAttr cluster = model.kernel.getClusterAttr())
    model.problem.fixedSplit =
        ClusterSplit{static_cast<unsigned>(cluster.getDim()), cluster.getCount()};
}

FailureOr<KernelModel> Analyzer::run() {
  TargetAttr attr = model.kernel.getTargetAttr();
  if (!attr)
    return model.kernel.emitOpError("expected a 'target' attribute, e.g. #npu.target<\"npu-v1\">");
  llvm::Expected<TargetDesc> target = parseTarget(attr.getName().getValue());
  if (!target)
    return model.kernel.emitOpError() << llvm::toString(target.takeError());
  model.target = *target;
  if (failed(collectOps()) || failed(chooseRoot()) || failed(buildDims()) ||
      failed(buildContractionBuffers()) || failed(inferTailDims()) || failed(buildTail()) ||
      failed(buildStores()))
    return failure();
  if (ClusterAttr cluster = model.kernel.getClusterAttr(); cluster && cluster.getCount() > 1)
    if (cluster.getDim() >= static_cast<int64_t>(model.problem.dims.size()) ||
        !isSplittable(model.problem, cluster.getDim()) ||
        cluster.getCount() > model.target.clusters)
      return model.kernel.emitOpError("expected a cluster split of a parallel dimension that every "
                                      "result has over at most ")
             << model.target.clusters << " clusters of target '" << model.target.name
             << "' but found " << cluster;
  readHandChoices();
  return std::move(model);
}

FailureOr<KernelModel> npu::analyzeKernel(KernelOp kernel) { return Analyzer(kernel).run(); }
