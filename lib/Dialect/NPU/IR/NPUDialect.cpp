//===- NPUDialect.cpp - dialect and attributes ----------------------------===//

#include "NPU/Dialect/NPU/IR/ISATypes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;

#include "NPU/Dialect/NPU/IR/NPUOpsDialect.cpp.inc"
#include "NPU/Dialect/NPU/IR/NPUOpsEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "NPU/Dialect/NPU/IR/NPUOpsAttributes.cpp.inc"

void NPUDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "NPU/Dialect/NPU/IR/NPUOpsAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "NPU/Dialect/NPU/IR/NPUOps.cpp.inc"
      >();
}

LogicalResult NPUDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  auto count = dyn_cast<IntegerAttr>(attribute.getValue());
  if (name == "npu.offset" &&
      (!count || !count.getType().isSignlessInteger(64) || count.getInt() < 0))
    return op->emitOpError("expected 'npu.offset' to be an i64 that is not negative but found ")
           << attribute.getValue();
  if (name != "npu.buffers" && name != kClustersAttrName)
    return success();
  if (!count || !count.getType().isSignlessInteger(64) || count.getInt() < 1)
    return op->emitOpError("expected '")
           << name << "' to be a positive i64 but found " << attribute.getValue();
  return success();
}

LogicalResult ClusterAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t dim,
                                  int64_t count) {
  if (dim < 0)
    return emitError() << "expected a dimension that is not negative but found " << dim;
  if (count < 1)
    return emitError() << "expected at least one cluster but found " << count;
  return success();
}

TypeRange npu::getDestinationResultTypes(const Value &output) {
  if (llvm::isa<RankedTensorType>(output.getType()))
    return TypeRange(ValueRange(output));
  return {};
}

bool npu::isComparison(BinaryKind kind) { return isa::getCase(getISAKind(kind)).isComparison; }

int64_t npu::getElementBytes(Type type) {
  return llvm::divideCeil(getElementTypeOrSelf(type).getIntOrFloatBitWidth(), 8);
}

int64_t npu::getByteSize(ShapedType type) { return type.getNumElements() * getElementBytes(type); }

std::optional<MemorySpace> npu::getMemorySpace(MemRefType type) {
  if (auto space = dyn_cast_or_null<MemorySpaceAttr>(type.getMemorySpace()))
    return space.getValue();
  return std::nullopt;
}
