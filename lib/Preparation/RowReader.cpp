//===- RowReader.cpp - reads forms of rows from linalg --------------------===//
//
// A value is followed to the bytes that it is computed of, through every op that makes an operand,
// however the model divides its steps among ops. Coordinates are those of the op that reads; what a
// reduction sums up is read along the loops of that op that the sum does not depend on.
//
//===----------------------------------------------------------------------===//

#include "FoldBody.h"
#include "RowForms.h"

#include "NPU/Preparation/ContractionBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npu;
using Kind = RowForm::Kind;

/// What one value may be computed of: more is no normalization.
static constexpr unsigned kMaxElements = 128;

RowReader::RowReader(linalg::GenericOp op) : op(op), sizes(op.getStaticLoopRanges()) {}

RowForm RowReader::give(StringRef why) {
  if (reason.empty())
    reason = why;
  return {};
}

RowForm RowReader::read(Value bodyValue) {
  AffineMap loops = AffineMap::getMultiDimIdentityMap(sizes.size(), op.getContext());
  return readBody(op, bodyValue, loops, bodyValues);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

RowForm RowReader::readBody(linalg::GenericOp generic, Value value, AffineMap loops,
                            Values &values) {
  if (auto known = values.find(value); known != values.end())
    return known->second;
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return readConstant(constant, AffineMap::get(sizes.size(), 0, {}, generic.getContext()));
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != generic.getBody() ||
        argument.getArgNumber() >= unsigned(generic.getNumDpsInputs()))
      return {};
    OpOperand *operand = generic.getDpsInputOperand(argument.getArgNumber());
    if (!isa<RankedTensorType>(operand->get().getType()))
      return {};
    AffineMap map = generic.getMatchingIndexingMap(operand).compose(loops);
    return values[value] = readElement(operand->get(), map);
  }
  Operation *body = value.getDefiningOp();
  if (body->getBlock() != generic.getBody() || body->getNumRegions() != 0)
    return {};
  SmallVector<RowForm, 2> operands;
  for (Value operand : body->getOperands()) {
    operands.push_back(readBody(generic, operand, loops, values));
    if (!operands.back())
      return values[value] = {};
  }
  return values[value] = combineForms(body, operands);
}

RowForm RowReader::readConstant(Attribute constant, AffineMap map) {
  RowForm result;
  result.kind = Kind::Numbers;
  if (auto elements = dyn_cast<SplatElementsAttr>(constant))
    constant = elements.getSplatValue<Attribute>();
  if (isa<IntegerAttr, FloatAttr>(constant)) {
    result.constant = constant;
    if (auto real = dyn_cast<FloatAttr>(constant))
      result.scale = real.getValueAsDouble();
    return result;
  }
  auto type = dyn_cast<RankedTensorType>(cast<TypedAttr>(constant).getType());
  if (!type || !type.getElementType().isF32() || type.getNumElements() > maxRowNumbers)
    return {};
  SmallVector<float> numbers;
  if (auto elements = dyn_cast<DenseElementsAttr>(constant)) {
    llvm::append_range(numbers, elements.getValues<float>());
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || blob->getData().size() != sizeof(float) * type.getNumElements())
      return {};
    numbers.resize(type.getNumElements());
    std::memcpy(numbers.data(), blob->getData().data(), blob->getData().size());
  } else {
    return {};
  }
  // Loops in the order in which the constant has them.
  Numbers &scale = result.scale;
  for (auto [expression, size] : llvm::zip_equal(map.getResults(), type.getShape())) {
    if (isa<AffineConstantExpr>(expression) && size == 1)
      continue;
    auto loop = dyn_cast<AffineDimExpr>(expression);
    if (!loop || (!scale.loops.empty() && scale.loops.back() >= loop.getPosition()))
      return {};
    scale.loops.push_back(loop.getPosition());
    scale.sizes.push_back(size);
  }
  scale.values.assign(numbers.begin(), numbers.end());
  return result;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

RowForm RowReader::readElement(Value tensor, AffineMap map) {
  for (AffineExpr index : map.getResults())
    if (!isa<AffineDimExpr, AffineConstantExpr>(index))
      return {};
  if (auto known = elements.find({tensor, map}); known != elements.end())
    return known->second;
  if (elements.size() == kMaxElements)
    return {};
  elements[{tensor, map}] = {}; // counts, while its operands are read
  RowForm form = findElement(tensor, map);
  elements[{tensor, map}] = form;
  return form;
}

/// The indices of the source of a reshape that adds or drops dimensions of one element, if
/// `reassociation`, of the larger type's dimensions, says so; `indices` are those of its result.
static std::optional<AffineMap> mapUnitReshape(ArrayRef<ReassociationIndices> reassociation,
                                               RankedTensorType larger, AffineMap indices,
                                               bool isExpansion) {
  MLIRContext *context = larger.getContext();
  SmallVector<AffineExpr> results(isExpansion ? reassociation.size() : larger.getRank(),
                                  getAffineConstantExpr(0, context));
  for (auto [group, dims] : llvm::enumerate(reassociation)) {
    std::optional<int64_t> kept;
    for (int64_t dim : dims) {
      if (larger.getDimSize(dim) == 1)
        continue;
      if (kept)
        return std::nullopt;
      kept = dim;
    }
    if (kept)
      results[isExpansion ? group : *kept] = indices.getResult(isExpansion ? *kept : group);
  }
  return AffineMap::get(indices.getNumDims(), 0, results, context);
}

RowForm RowReader::findElement(Value tensor, AffineMap map) {
  if (TypedAttr constant = getSplatConstant(tensor))
    return readConstant(constant, map);
  Attribute constant;
  if (matchPattern(tensor, m_Constant(&constant)))
    return readConstant(constant, map);
  if (getElementTypeOrSelf(tensor).isSignlessInteger(8)) {
    if (!map.isProjectedPermutation())
      return {};
    RowForm result;
    result.kind = Kind::Table;
    result.source = {tensor, map, false};
    Builder builder(op.getContext());
    for (int64_t number = llvm::minIntN(8); number <= llvm::maxIntN(8); ++number)
      result.entries.push_back(builder.getI8IntegerAttr(number));
    return result;
  }
  if (auto generic = tensor.getDefiningOp<linalg::GenericOp>())
    return readGeneric(cast<OpResult>(tensor), map);
  if (auto softmax = tensor.getDefiningOp<linalg::SoftmaxOp>())
    return readSoftmax(softmax, map);
  if (auto expand = tensor.getDefiningOp<tensor::ExpandShapeOp>()) {
    std::optional<AffineMap> source =
        mapUnitReshape(expand.getReassociationIndices(), expand.getResultType(), map, true);
    return source ? readElement(expand.getSrc(), *source) : RowForm();
  }
  if (auto collapse = tensor.getDefiningOp<tensor::CollapseShapeOp>()) {
    std::optional<AffineMap> source =
        mapUnitReshape(collapse.getReassociationIndices(), collapse.getSrcType(), map, false);
    return source ? readElement(collapse.getSrc(), *source) : RowForm();
  }
  return {};
}

RowForm RowReader::readGeneric(OpResult result, AffineMap map) {
  auto generic = cast<linalg::GenericOp>(result.getOwner());
  if (!generic.hasPureTensorSemantics())
    return {};
  OpOperand *init = generic.getDpsInitOperand(result.getResultNumber());
  AffineMap written = generic.getMatchingIndexingMap(init);
  if (!written.isProjectedPermutation())
    return {};
  // What each loop is of the reader's.
  SmallVector<AffineExpr> loops(generic.getNumLoops());
  llvm::SmallBitVector used(sizes.size()), reduced(sizes.size());
  for (auto [position, index] : llvm::enumerate(map.getResults())) {
    loops[written.getDimPosition(position)] = index;
    if (auto loop = dyn_cast<AffineDimExpr>(index))
      used.set(loop.getPosition());
  }
  SmallVector<int64_t> ranges = generic.getStaticLoopRanges();
  for (auto [loop, type] : llvm::enumerate(generic.getIteratorTypesArray())) {
    if (loops[loop])
      continue;
    int64_t free = 0, numLoops = sizes.size();
    while (free < numLoops && (used.test(free) || sizes[free] != ranges[loop]))
      ++free;
    if (type != utils::IteratorType::reduction || free == numLoops)
      return {};
    loops[loop] = getAffineDimExpr(free, op.getContext());
    used.set(free);
    reduced.set(free);
  }
  AffineMap toLoops = AffineMap::get(sizes.size(), 0, loops, op.getContext());
  Value value = generic.getBody()->getTerminator()->getOperand(result.getResultNumber());
  Values values;
  if (generic.getNumReductionLoops() == 0)
    return readBody(generic, value, toLoops, values);

  Operation *combiner = value.getDefiningOp();
  auto start = dyn_cast_or_null<FloatAttr>(getSplatConstant(init->get()));
  Value accumulator = generic.getMatchingBlockArgument(init);
  if (reduced.none() || !combiner || combiner->getNumOperands() != 2 || !start)
    return {};
  for (unsigned index : {0, 1})
    if (combiner->getOperand(index) == accumulator)
      return reduce(combiner, readBody(generic, combiner->getOperand(1 - index), toLoops, values),
                    start.getValueAsDouble(), reduced);
  return {};
}

RowForm RowReader::readSoftmax(linalg::SoftmaxOp softmax, AffineMap map) {
  auto loop = dyn_cast<AffineDimExpr>(map.getResult(softmax.getDimension()));
  RowForm input = readElement(softmax.getInput(), map);
  RowForm result = toAffine(input);
  if (!loop || !input)
    return {};
  if (!result || result.beta != 0 || result.alpha <= 0)
    return give("the softmax is of no numbers that rise in proportion to bytes");
  result.kind = Kind::Softmax;
  result.scale = Numbers(1);
  result.reduced.resize(sizes.size());
  result.reduced.set(loop.getPosition());
  result.size = sizes[loop.getPosition()];
  return result;
}

RowForm RowReader::reduce(Operation *combiner, RowForm form, double start,
                          const llvm::SmallBitVector &loops) {
  if (form.is(Kind::Table)) {
    RowForm affine = toAffine(form);
    form = affine ? affine : toSquare(form);
  }
  if (!form || (!form.reduced.empty() && form.reduced != loops))
    return {};
  // What does not go along the row counts less often than the loops say.
  for (unsigned loop : loops.set_bits())
    if (form.is(Kind::Numbers) || !form.source.map.isFunctionOfDim(loop))
      return {};
  RowForm result = form;
  result.reduced = loops;
  result.size = 1;
  for (unsigned loop : loops.set_bits())
    result.size *= sizes[loop];
  auto count = double(result.size);
  if (isa<arith::AddFOp>(combiner) && start == 0) {
    if (form.is(Kind::Affine)) {
      result.alpha = 0;
      result.beta = count * (form.alpha + form.beta);
      result.gamma = count * form.gamma;
      return result;
    }
    if (form.is(Kind::Exp)) {
      result.kind = Kind::ExpSum;
      return result;
    }
    if (!form.is(Kind::Square) || form.alpha == 0)
      return {};
    result.kind = Kind::Moment;
    result.a = count * form.alpha * form.alpha;
    result.b = 0;
    double distance = form.alpha + form.beta, tolerance = 0x1p-20 * std::abs(form.alpha);
    if (form.beta == 0)
      result.center = -form.gamma / form.alpha;
    else if (std::abs(distance) > tolerance || std::abs(form.gamma) > 256 * tolerance)
      return give("the squares are neither of distances from the mean nor from a number");
    return result;
  }
  if (!isa<arith::MaximumFOp, arith::MaxNumFOp>(combiner) || !form.is(Kind::Affine) ||
      form.beta != 0 || form.alpha <= 0 ||
      start > form.alpha * double(form.source.getLeast()) + form.gamma)
    return {};
  result.kind = Kind::Max;
  return result;
}
