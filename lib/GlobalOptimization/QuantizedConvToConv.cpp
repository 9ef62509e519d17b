//===- QuantizedConvToConv.cpp - take zero points out of convolutions -----===//

#include "ZeroPoints.h"

#include "NPU/GlobalOptimization/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace npu::global_opt {
#define GEN_PASS_DEF_QUANTIZEDCONVTOCONV
#include "NPU/GlobalOptimization/Passes.h.inc"
} // namespace npu::global_opt

using namespace mlir;
using namespace npu;
using namespace npu::global_opt;

namespace {
struct QuantizedConvToConv : global_opt::impl::QuantizedConvToConvBase<QuantizedConvToConv> {
  void runOnOperation() override {
    if (!splitAllZeroPoints<
            SplitZeroPoints<linalg::Conv2DNchwFchwQOp, linalg::Conv2DNchwFchwOp>,
            SplitZeroPoints<linalg::Conv2DNgchwGfchwQOp, linalg::Conv2DNgchwGfchwOp>,
            SplitZeroPoints<linalg::Conv2DNhwcFhwcQOp, linalg::Conv2DNhwcFhwcOp>,
            SplitZeroPoints<linalg::Conv2DNhwcHwcfQOp, linalg::Conv2DNhwcHwcfOp>,
            SplitZeroPoints<linalg::Conv2DNhwgcGfhwcQOp, linalg::Conv2DNhwgcGfhwcOp>,
            SplitZeroPoints<linalg::Conv3DNdhwcDhwcfQOp, linalg::Conv3DNdhwcDhwcfOp>,
            SplitZeroPoints<linalg::DepthwiseConv2DNhwcHwcQOp, linalg::DepthwiseConv2DNhwcHwcOp>,
            SplitZeroPoints<linalg::DepthwiseConv2DNhwcHwcmQOp, linalg::DepthwiseConv2DNhwcHwcmOp>>(
            getOperation(), getAnalysis<PresentOps>()))
      markAllAnalysesPreserved();
  }
};
} // namespace
