//===- LinalgExtOps.cpp - the part of iree_linalg_ext we read and print ---===//

#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"

#include "NPU/Dialect/IREE/Util/IR/ForeignAttr.h"
#include "NPU/Dialect/IREE/Util/IR/HostInlining.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace npu;
using namespace npu::linalg_ext;

#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOpsDialect.cpp.inc"

void LinalgExtDialect::initialize() {
  addAttributes<ForeignAttr<LinalgExtDialect>>();
  ForeignAttr<LinalgExtDialect>::attachInterface<ForeignDeviceMapping<LinalgExtDialect>>(
      *getContext());
  addOperations<
#define GET_OP_LIST
#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.cpp.inc"
      >();
  addInterfaces<HostInlinerInterface>();
}

Attribute LinalgExtDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  return parseForeignAttr<LinalgExtDialect>(parser, type);
}

void LinalgExtDialect::printAttribute(Attribute attribute, DialectAsmPrinter &printer) const {
  printForeignAttr<LinalgExtDialect>(attribute, printer);
}

//===----------------------------------------------------------------------===//
// What ops have in common
//===----------------------------------------------------------------------===//

static LogicalResult verifyBody(Operation *op, Region &region, TypeRange arguments, Type result) {
  Block &body = region.front();
  auto yield = body.empty() ? YieldOp() : dyn_cast<YieldOp>(body.back());
  if (TypeRange(body.getArgumentTypes()) == arguments && yield &&
      TypeRange(yield.getOperandTypes()) == TypeRange(result))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("expected the region to take (")
                                  << arguments << ") and to end in an 'iree_linalg_ext.yield' of "
                                  << result << ", found (" << body.getArgumentTypes() << ")";
  if (yield)
    diagnostic << " and (" << yield.getOperandTypes() << ")";
  return diagnostic;
}

static LogicalResult verifyDimension(Operation *op, int64_t dimension, RankedTensorType type) {
  if (dimension >= 0 && dimension < type.getRank())
    return success();
  return op->emitOpError("expected 'dimension' to be a dimension of ")
         << type << ", found " << dimension;
}

static LogicalResult verifyShape(Operation *op, StringRef name, RankedTensorType type,
                                 ArrayRef<int64_t> shape) {
  if (succeeded(verifyCompatibleShape(type.getShape(), shape)))
    return success();
  return op->emitOpError("expected ")
         << name << " of the shape of " << RankedTensorType::get(shape, type.getElementType())
         << ", found " << type;
}

static LogicalResult verifyElement(Operation *op, StringRef name, RankedTensorType type,
                                   Type element) {
  if (type.getElementType() == element)
    return success();
  return op->emitOpError("expected ")
         << name << " to have elements of " << element << ", found " << type;
}

static LogicalResult verifyPositions(Operation *op, StringRef name, RankedTensorType type) {
  if (type.getElementType().isIntOrIndex())
    return success();
  return op->emitOpError("expected ") << name << " to be integers or index, found " << type;
}

/// Results replace the outputs, so they are of the same types.
static LogicalResult verifyResults(Operation *op, ValueRange outputs) {
  for (auto [output, result] : llvm::zip_equal(outputs, op->getResults()))
    if (output.getType() != result.getType())
      return op->emitOpError("expected the result to have the type of the output, ")
             << output.getType() << ", found " << result.getType();
  return success();
}

static SmallVector<int64_t> dropDimension(RankedTensorType type, int64_t dimension) {
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dimension);
  return shape;
}

/// Coordinates of slices of `whole`, as gather reads and scatter writes them: `slices` holds them,
/// behind the dimensions of the indices.
static LogicalResult verifyCoordinates(Operation *op, ArrayRef<int64_t> dimensionMap,
                                       RankedTensorType whole, RankedTensorType slices,
                                       RankedTensorType indices, Value mask, StringRef wholeName,
                                       StringRef slicesName) {
  int64_t depth = dimensionMap.size();
  llvm::SmallBitVector seen(depth);
  for (int64_t dim : dimensionMap)
    if (dim >= 0 && dim < depth)
      seen.set(dim);
  if (depth == 0 || !seen.all() || depth > whole.getRank())
    return op->emitOpError("expected 'dimension_map' to be a permutation of the first dimensions "
                           "of the ")
           << wholeName << ", " << whole << ", found [" << dimensionMap << "]";
  if (failed(verifyPositions(op, "indices", indices)) ||
      failed(verifyElement(op, slicesName, slices, whole.getElementType())))
    return failure();
  ArrayRef<int64_t> slice = whole.getShape().drop_front(depth);
  int64_t batchRank = slices.getRank() - int64_t(slice.size());
  SmallVector<int64_t> shape(slices.getShape().take_front(std::max<int64_t>(batchRank, 0)));
  llvm::append_range(shape, slice);
  if (failed(verifyShape(op, slicesName, slices, shape)))
    return failure();
  shape.truncate(batchRank);
  if (auto type = mask ? cast<RankedTensorType>(mask.getType()) : RankedTensorType()) {
    if (!type.getElementType().isInteger(1) && !type.getElementType().isInteger(8))
      return op->emitOpError("expected a mask of i1 or i8, found ") << type;
    if (failed(verifyShape(op, "a mask", type, shape)))
      return failure();
  }
  // One coordinate needs no dimension.
  if (depth != 1 || indices.getRank() != batchRank)
    shape.push_back(depth);
  return verifyShape(op, "indices", indices, shape);
}

//===----------------------------------------------------------------------===//
// AttentionOp
//===----------------------------------------------------------------------===//

static LogicalResult verifyMaps(Operation *op, ArrayAttr maps) {
  if (maps.size() != op->getNumOperands())
    return op->emitOpError("expected ")
           << op->getNumOperands() << " indexing maps, one for each operand, found " << maps.size();
  unsigned numDims = cast<AffineMapAttr>(maps[0]).getValue().getNumDims();
  for (auto [index, map, operand] :
       llvm::enumerate(maps.getAsValueRange<AffineMapAttr>(), op->getOperands())) {
    auto tensor = dyn_cast<RankedTensorType>(operand.getType());
    int64_t rank = tensor ? tensor.getRank() : 0;
    if (map.getNumDims() != numDims || map.getNumResults() != rank)
      return op->emitOpError("expected indexing map ")
             << index << " to map " << numDims << " dimensions to " << rank << ", found "
             << maps[index];
  }
  return success();
}

static LogicalResult verifyFloats(Operation *op, ValueRange tensors, StringRef names) {
  for (Value tensor : tensors)
    if (!isa<FloatType>(getElementTypeOrSelf(tensor)))
      return op->emitOpError("expected ")
             << names << " to have float elements, found " << tensor.getType();
  return success();
}

static LogicalResult verifyScoreRegion(Operation *op, Region &region) {
  Block &body = region.front();
  auto yield = body.empty() ? YieldOp() : dyn_cast<YieldOp>(body.back());
  if (body.getNumArguments() == 1 && isa<FloatType>(body.getArgument(0).getType()) && yield &&
      yield.getNumOperands() == 1 && isa<FloatType>(yield.getOperandTypes().front()))
    return success();
  return op->emitOpError("expected the region to take a float and to end in an "
                         "'iree_linalg_ext.yield' of a float");
}

LogicalResult AttentionOp::verify() {
  if (failed(verifyMaps(*this, getIndexingMaps())) ||
      failed(verifyFloats(*this, {getQuery(), getKey(), getValue(), getOutput()},
                          "query, key, value and output")))
    return failure();
  return verifyResults(*this, getOutput());
}

LogicalResult AttentionOp::verifyRegions() { return verifyScoreRegion(*this, getRegion()); }

//===----------------------------------------------------------------------===//
// OnlineAttentionOp
//===----------------------------------------------------------------------===//

LogicalResult OnlineAttentionOp::verify() {
  if (failed(verifyMaps(*this, getIndexingMaps())) ||
      failed(verifyFloats(*this,
                          {getQuery(), getKey(), getValue(), getOutput(), getMax(), getSum()},
                          "query, key, value and outputs")))
    return failure();
  return verifyResults(*this, {getOutput(), getMax(), getSum()});
}

LogicalResult OnlineAttentionOp::verifyRegions() { return verifyScoreRegion(*this, getRegion()); }

//===----------------------------------------------------------------------===//
// ScanOp
//===----------------------------------------------------------------------===//

LogicalResult ScanOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyDimension(*this, getDimension(), input)) ||
      failed(verifyShape(*this, "an output", getOutput().getType(), input.getShape())) ||
      failed(verifyShape(*this, "an accumulator", getAccumulator().getType(),
                         dropDimension(input, getDimension()))) ||
      failed(verifyElement(*this, "the output", getOutput().getType(), input.getElementType())) ||
      failed(verifyElement(*this, "the accumulator", getAccumulator().getType(),
                           input.getElementType())))
    return failure();
  return verifyResults(*this, {getOutput(), getAccumulator()});
}

LogicalResult ScanOp::verifyRegions() {
  Type element = getInput().getType().getElementType();
  return verifyBody(*this, getRegion(), {element, element}, element);
}

//===----------------------------------------------------------------------===//
// ArgCompareOp
//===----------------------------------------------------------------------===//

LogicalResult ArgCompareOp::verify() {
  RankedTensorType values = getValues().getType(), value = getOutputValue().getType(),
                   position = getOutputIndex().getType();
  if (failed(verifyDimension(*this, getDimension(), values)))
    return failure();
  SmallVector<int64_t> shape = dropDimension(values, getDimension());
  if (failed(verifyShape(*this, "an output", value, shape)) ||
      failed(verifyShape(*this, "output positions", position, shape)) ||
      failed(verifyElement(*this, "the output", value, values.getElementType())) ||
      failed(verifyPositions(*this, "the positions", position)))
    return failure();
  if (Value indices = getIndices()) {
    auto type = cast<RankedTensorType>(indices.getType());
    if (failed(verifyShape(*this, "indices", type, values.getShape())) ||
        failed(verifyElement(*this, "the indices", type, position.getElementType())))
      return failure();
    if (getIndexBase())
      return emitOpError("expected indices or 'index_base', found both; add the base to the "
                         "indices");
  }
  return verifyResults(*this, {getOutputValue(), getOutputIndex()});
}

LogicalResult ArgCompareOp::verifyRegions() {
  Type element = getValues().getType().getElementType();
  return verifyBody(*this, getRegion(), {element, element}, IntegerType::get(getContext(), 1));
}

//===----------------------------------------------------------------------===//
// GatherOp
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::verify() {
  if (failed(verifyCoordinates(*this, getDimensionMap(), getSource().getType(),
                               getOutput().getType(), getIndices().getType(), getMask(), "source",
                               "an output")))
    return failure();
  return verifyResults(*this, getOutput());
}

LogicalResult GatherOp::verifyRegions() {
  if (getRegion().empty())
    return success();
  Type element = getSource().getType().getElementType();
  if (failed(verifyBody(*this, getRegion(), {element, element}, element)))
    return failure();
  Block &body = getRegion().front();
  if (body.getTerminator()->getOperand(0) == body.getArgument(0))
    return success();
  return emitOpError("expected no region, or one that yields its first argument; compute on the "
                     "result of the gather");
}

//===----------------------------------------------------------------------===//
// ScatterOp
//===----------------------------------------------------------------------===//

LogicalResult ScatterOp::verify() {
  if (failed(verifyCoordinates(*this, getDimensionMap(), getOriginal().getType(),
                               getUpdates().getType(), getIndices().getType(), getMask(), "output",
                               "updates")))
    return failure();
  return verifyResults(*this, getOriginal());
}

LogicalResult ScatterOp::verifyRegions() {
  Type element = getOriginal().getType().getElementType();
  return verifyBody(*this, getRegion(), {element, element}, element);
}

//===----------------------------------------------------------------------===//
// SortOp
//===----------------------------------------------------------------------===//

LogicalResult SortOp::verify() {
  if (getOutputs().empty() || getNumResults() != getOutputs().size())
    return emitOpError("expected outputs, and a result for each, found ")
           << getOutputs().size() << " outputs and " << getNumResults() << " results";
  RankedTensorType first = getType(0);
  if (failed(verifyDimension(*this, getDimension(), first)))
    return failure();
  for (unsigned index = 1; index < getOutputs().size(); ++index)
    if (failed(verifyShape(*this, "an output", getType(index), first.getShape())))
      return failure();
  return verifyResults(*this, getOutputs());
}

LogicalResult SortOp::verifyRegions() {
  SmallVector<Type> elements;
  for (Type type : getOutputs().getTypes())
    elements.append(2, getElementTypeOrSelf(type));
  return verifyBody(*this, getRegion(), elements, IntegerType::get(getContext(), 1));
}

//===----------------------------------------------------------------------===//
// TopkOp, TopkV2Op
//===----------------------------------------------------------------------===//

/// Verifies all of a top-k but its indices; `positions` may be null.
static LogicalResult verifyTopk(Operation *op, int64_t dimension, RankedTensorType values,
                                RankedTensorType best, RankedTensorType positions) {
  if (failed(verifyDimension(op, dimension, values)))
    return failure();
  SmallVector<int64_t> shape(values.getShape());
  if (best.getRank() == values.getRank())
    shape[dimension] = best.getDimSize(dimension);
  if (failed(verifyShape(op, "an output", best, shape)) ||
      failed(verifyElement(op, "the output", best, values.getElementType())))
    return failure();
  if (!positions)
    return success();
  if (failed(verifyShape(op, "output indices", positions, best.getShape())))
    return failure();
  return verifyPositions(op, "the output indices", positions);
}

LogicalResult TopkOp::verify() {
  RankedTensorType values = getValues().getType(), positions = getOutputIndices().getType();
  if (failed(verifyTopk(*this, getDimension(), values, getOutputValues().getType(), positions)))
    return failure();
  if (Value indices = getIndices()) {
    auto type = cast<RankedTensorType>(indices.getType());
    if (failed(verifyShape(*this, "indices", type, values.getShape())) ||
        failed(verifyElement(*this, "the indices", type, positions.getElementType())))
      return failure();
  }
  return verifyResults(*this, {getOutputValues(), getOutputIndices()});
}

LogicalResult TopkOp::verifyRegions() {
  Type element = getValues().getType().getElementType();
  return verifyBody(*this, getRegion(), {element, element}, IntegerType::get(getContext(), 1));
}

LogicalResult TopkV2Op::verify() {
  auto values = dyn_cast<RankedTensorType>(getInputs().front().getType());
  if (getInputs().size() > 2 || getOutputs().empty() || getOutputs().size() > 2 ||
      getOutputs().size() != getNumResults())
    return emitOpError("expected values and maybe indices, outputs for values and maybe indices, "
                       "and a result for each output, found ")
           << getInputs().size() << " inputs, " << getOutputs().size() << " outputs and "
           << getNumResults() << " results";
  auto typeOf = [](Value value) { return cast<RankedTensorType>(value.getType()); };
  RankedTensorType positions = getOutputs().size() == 2 ? typeOf(getOutputs()[1]) : nullptr;
  if (failed(verifyTopk(*this, getDimension(), values, typeOf(getOutputs().front()), positions)))
    return failure();
  if (getInputs().size() == 2) {
    RankedTensorType indices = typeOf(getInputs()[1]);
    if (failed(verifyShape(*this, "indices", indices, values.getShape())) ||
        failed(verifyPositions(*this, "the indices", indices)) ||
        (positions &&
         failed(verifyElement(*this, "the output indices", positions, indices.getElementType()))))
      return failure();
  }
  return verifyResults(*this, getOutputs());
}

LogicalResult TopkV2Op::verifyRegions() {
  Type element = getElementTypeOrSelf(getInputs().front().getType());
  return verifyBody(*this, getRegion(), {element, element}, IntegerType::get(getContext(), 1));
}

#define GET_OP_CLASSES
#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.cpp.inc"
