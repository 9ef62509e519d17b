//===- ConvertElementwiseToLinalg.cpp - arith on tensors to generics -------===//

#include "NPU/GlobalOptimization/Passes.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::global_opt {
#define GEN_PASS_DEF_CONVERTELEMENTWISETOLINALG
#include "NPU/GlobalOptimization/Passes.h.inc"
} // namespace npu::global_opt

using namespace mlir;
using namespace npu;

namespace {
struct ConvertElementwiseToLinalg
    : npu::global_opt::impl::ConvertElementwiseToLinalgBase<ConvertElementwiseToLinalg> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    ChangeListener listener;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &listener);
    if (!listener.changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
