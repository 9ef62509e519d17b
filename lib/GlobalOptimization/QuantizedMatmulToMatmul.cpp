//===- QuantizedMatmulToMatmul.cpp - take zero points out of matmuls ------===//

#include "ZeroPoints.h"

#include "NPU/GlobalOptimization/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace npu::global_opt {
#define GEN_PASS_DEF_QUANTIZEDMATMULTOMATMUL
#include "NPU/GlobalOptimization/Passes.h.inc"
} // namespace npu::global_opt

using namespace mlir;
using namespace npu;
using namespace npu::global_opt;

namespace {
struct QuantizedMatmulToMatmul
    : global_opt::impl::QuantizedMatmulToMatmulBase<QuantizedMatmulToMatmul> {
  void runOnOperation() override {
    if (!splitAllZeroPoints<SplitZeroPoints<linalg::QuantizedMatmulOp, linalg::MatmulOp>,
                            SplitZeroPoints<linalg::QuantizedBatchMatmulOp, linalg::BatchMatmulOp>>(
            getOperation(), getAnalysis<PresentOps>()))
      markAllAnalysesPreserved();
  }
};
} // namespace
