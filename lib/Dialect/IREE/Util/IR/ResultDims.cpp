//===- ResultDims.cpp - ops that are given the sizes of their results -----===//

#include "NPU/Dialect/IREE/Util/IR/ResultDims.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

ReifiedRankedShapedTypeDims npu::reifyShapes(Builder &builder, TypeRange types, ValueRange dims) {
  ReifiedRankedShapedTypeDims shapes;
  auto size = dims.begin();
  for (Type type : types) {
    SmallVector<OpFoldResult> &shape = shapes.emplace_back();
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || !shaped.hasRank())
      continue;
    for (int64_t extent : shaped.getShape())
      shape.push_back(ShapedType::isDynamic(extent) ? OpFoldResult(*size++)
                                                    : OpFoldResult(builder.getIndexAttr(extent)));
  }
  return shapes;
}
