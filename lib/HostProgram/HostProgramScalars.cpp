//===- HostProgramScalars.cpp - scalar arithmetic of host programs --------===//

#include "HostProgramScalars.h"

#include "NPU/HostProgram/HostConstants.h"
#include "NPU/HostReference/LocatedError.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace npu::runtime;

Attribute npu::runtime::toScalarAttribute(const HostTensor &value, Type type) {
  if (isa<IndexType>(type))
    return IntegerAttr::get(type, value.getInt(0));
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerAttr::get(type, APInt(integer.getWidth(), value.getInt(0), /*isSigned=*/true,
                                        /*implicitTrunc=*/true));
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return {};
  // By its bits, so that NaN keeps its payload.
  uint64_t bits = 0;
  for (auto [index, byte] : llvm::enumerate(value.getBytes()))
    bits |= uint64_t(byte) << (8 * index);
  return FloatAttr::get(floatType,
                        APFloat(floatType.getFloatSemantics(), APInt(floatType.getWidth(), bits)));
}

SmallVector<Attribute> npu::runtime::toScalarAttributes(ValueRange values,
                                                        ArrayRef<HostTensor> tensors) {
  SmallVector<Attribute> attributes;
  for (auto [value, tensor] : llvm::zip_equal(values, tensors))
    attributes.push_back(toScalarAttribute(tensor, value.getType()));
  return attributes;
}

llvm::Expected<SmallVector<HostTensor>>
npu::runtime::evaluateScalars(Operation *op, ArrayRef<HostTensor> operands, int64_t memoryLimit) {
  if (!isMemoryEffectFree(op) || op->getNumRegions() != 0 || op->getNumResults() == 0)
    return makeOpError(op, "is not supported in a host program");
  SmallVector<OpFoldResult> folded;
  // An empty result is a change in place, of which there is no need where all operands are known.
  if (failed(op->fold(toScalarAttributes(op->getOperands(), operands), folded)) || folded.empty())
    return makeOpError(op, "cannot be evaluated in a host program, which computes with scalars, "
                           "and not where the result is undefined");
  SmallVector<HostTensor> results;
  for (OpFoldResult result : folded) {
    if (auto value = dyn_cast<Value>(result)) {
      results.push_back(
          operands[std::distance(op->operand_begin(), llvm::find(op->getOperands(), value))]);
      continue;
    }
    llvm::Expected<HostTensor> constant =
        loadConstant(op, cast<Attribute>(result), nullptr, memoryLimit);
    if (!constant)
      return constant.takeError();
    results.push_back(std::move(*constant));
  }
  return results;
}
