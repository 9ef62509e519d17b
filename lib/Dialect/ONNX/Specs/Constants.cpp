//===- Constants.cpp - other constants of the same elements ---------------===//

#include "NPU/Dialect/ONNX/Specs/Constants.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <cstring>

using namespace mlir;

/// The bytes of a constant that is in memory.
static ArrayRef<char> getBytes(ElementsAttr value) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense.getRawData();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      return blob->getData();
  return {};
}

TypedAttr npu::onnx_ir::gatherConstant(ElementsAttr value, ArrayRef<int64_t> shape,
                                       ArrayRef<int64_t> strides, int64_t base) {
  RankedTensorType type = cast<RankedTensorType>(value.getType()).clone(shape);
  unsigned width = type.getElementType().getIntOrFloatBitWidth() / 8;
  ArrayRef<char> source = getBytes(value);
  if (auto dense = dyn_cast<DenseElementsAttr>(value); dense && dense.isSplat())
    strides = {}, base = 0;
  else if (width == 0 || int64_t(source.size()) != value.getNumElements() * width)
    return {};
  if (width == 0)
    return {};
  std::vector<char> bytes(type.getNumElements() * width);
  SmallVector<int64_t> position(shape.size()), steps(strides);
  steps.resize(shape.size(), 0);
  int64_t offset = base;
  for (size_t target = 0; target < bytes.size(); target += width) {
    std::memcpy(&bytes[target], source.data() + offset * width, width);
    for (unsigned loop = shape.size(); loop-- > 0;) {
      offset += steps[loop];
      if (++position[loop] < shape[loop])
        break;
      offset -= steps[loop] * shape[loop];
      position[loop] = 0;
    }
  }
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}
