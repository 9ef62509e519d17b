//===- RoundConstants.cpp - constants of a wider float type ---------------===//

#include "NPU/Preparation/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace npu {
#define GEN_PASS_DEF_NPUROUNDCONSTANTS
#include "NPU/Preparation/Passes.h.inc"
} // namespace npu

using namespace mlir;

static bool roundsToNearest(arith::TruncFOp op) {
  return op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) ==
         arith::RoundingMode::to_nearest_even;
}

namespace {
struct RoundConstants : npu::impl::NPURoundConstantsBase<RoundConstants> {
  void runOnOperation() override {
    SmallVector<arith::TruncFOp> ops;
    getOperation()->walk([&](arith::TruncFOp op) {
      if (isa<FloatType>(op.getType()) && roundsToNearest(op))
        ops.push_back(op);
    });
    bool changed = false;
    for (arith::TruncFOp op : ops) {
      FloatAttr wide;
      if (!matchPattern(op.getIn(), m_Constant(&wide)))
        continue;
      auto type = cast<FloatType>(op.getType());
      APFloat number = wide.getValue();
      bool losesInfo = false;
      number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
      OpBuilder builder(op);
      op.replaceAllUsesWith(
          arith::ConstantOp::create(builder, op.getLoc(), FloatAttr::get(type, number))
              .getResult());
      op.erase();
      changed = true;
    }
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
