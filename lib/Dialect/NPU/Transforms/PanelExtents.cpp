//===- PanelExtents.cpp - extents in panels of columns --------------------===//

#include "PanelExtents.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu;

Value npu::createPanelCount(OpBuilder &builder, affine::AffineMinOp extent, int64_t whole,
                            int64_t columns) {
  AffineMap map = extent.getMap();
  SmallVector<AffineExpr> counts;
  for (AffineExpr expr : map.getResults()) {
    SmallVector<int64_t> coefficients;
    LogicalResult isLinear =
        getFlattenedAffineExpr(expr, map.getNumDims(), /*numSymbols=*/0, &coefficients);
    assert(succeeded(isLinear) && "extents are linear in the counters");
    (void)isLinear;
    int64_t constant = coefficients.pop_back_val(), step = columns, panels = 1;
    if (llvm::any_of(coefficients, [&](int64_t factor) { return factor % columns != 0; })) {
      step = whole;
      panels = llvm::divideCeil(whole, columns);
    }
    AffineExpr count =
        builder.getAffineConstantExpr(llvm::divideCeilSigned(constant, step) * panels);
    for (auto [dim, factor] : llvm::enumerate(coefficients))
      count = count + builder.getAffineDimExpr(dim) * (factor / step * panels);
    counts.push_back(count);
  }
  AffineMap panelMap = AffineMap::get(map.getNumDims(), 0, counts, builder.getContext());
  return affine::AffineMinOp::create(builder, extent.getLoc(), panelMap, extent.getOperands());
}
