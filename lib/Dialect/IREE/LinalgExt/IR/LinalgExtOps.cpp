//===- LinalgExtOps.cpp - the part of iree_linalg_ext we read and print ---===//

#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"

#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"
#include "NPU/Dialect/IREE/Util/IR/HostInlining.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace npu;
using namespace npu::linalg_ext;

#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOpsDialect.cpp.inc"

void LinalgExtDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.cpp.inc"
      >();
  addInterfaces<HostInlinerInterface>();
}

Attribute LinalgExtDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  return parseForeignAttribute(parser, getNamespace(), type);
}

LogicalResult AttentionOp::verify() {
  ArrayAttr maps = getIndexingMaps();
  if (maps.size() != getNumOperands())
    return emitOpError("expected ")
           << getNumOperands() << " indexing maps, one for each operand, found " << maps.size();
  unsigned numDims = cast<AffineMapAttr>(maps[0]).getValue().getNumDims();
  for (auto [index, map, operand] :
       llvm::enumerate(maps.getAsValueRange<AffineMapAttr>(), getOperands())) {
    auto tensor = dyn_cast<RankedTensorType>(operand.getType());
    int64_t rank = tensor ? tensor.getRank() : 0;
    if (map.getNumDims() != numDims || map.getNumResults() != rank)
      return emitOpError("expected indexing map ")
             << index << " to map " << numDims << " dimensions to " << rank << ", found "
             << maps[index];
  }
  for (Value tensor : {getQuery(), getKey(), getValue(), getOutput()})
    if (!isa<FloatType>(getElementTypeOrSelf(tensor)))
      return emitOpError("expected query, key, value and output to have float elements, found ")
             << tensor.getType();
  if (getOutput().getType() != getType())
    return emitOpError("expected the result to have the type of the output, ")
           << getOutput().getType() << ", found " << getType();
  return success();
}

LogicalResult AttentionOp::verifyRegions() {
  Block &body = getRegion().front();
  auto yield = body.empty() ? YieldOp() : dyn_cast<YieldOp>(body.back());
  if (body.getNumArguments() == 1 && isa<FloatType>(body.getArgument(0).getType()) && yield &&
      yield.getNumOperands() == 1 && isa<FloatType>(yield.getOperandTypes().front()))
    return success();
  return emitOpError("expected the region to take a float and to end in an "
                     "'iree_linalg_ext.yield' of a float");
}

#define GET_OP_CLASSES
#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.cpp.inc"
