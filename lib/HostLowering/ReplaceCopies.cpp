//===- ReplaceCopies.cpp - copies of buffers become loops ----------------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace npu::host {
#define GEN_PASS_DEF_REPLACECOPIES
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

namespace {
struct ReplaceCopies : npu::host::impl::ReplaceCopiesBase<ReplaceCopies> {
  void runOnOperation() override {
    getOperation()->walk([](memref::CopyOp op) {
      OpBuilder builder(op);
      linalg::makeMemRefCopyOp(builder, op.getLoc(), op.getSource(), op.getTarget());
      op.erase();
    });
  }
};
} // namespace
