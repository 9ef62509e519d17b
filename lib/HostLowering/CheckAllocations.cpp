//===- CheckAllocations.cpp - checks that there is memory -----------------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

namespace npu::host {
#define GEN_PASS_DEF_CHECKALLOCATIONS
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

/// Whether the size of `type` in bytes, its alignment included, can be computed without overflow.
static bool hasComputableSize(MemRefType type) {
  constexpr uint64_t maxBytes = uint64_t(1) << 62;
  uint64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent);
  return bytes <= maxBytes;
}

namespace {
struct CheckAllocations : npu::host::impl::CheckAllocationsBase<CheckAllocations> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](memref::AllocOp op) -> WalkResult {
      MemRefType type = op.getType();
      if (type.getElementType().isIntOrFloat() && !hasComputableSize(type))
        return op.emitError("expected a temporary tensor of at most 2^62 bytes, found ")
               << RankedTensorType::get(type.getShape(), type.getElementType())
               << "; use smaller shapes";
      // With an alignment, no request is for nothing, for which null would be an answer, too.
      if (!op.getAlignment())
        op.setAlignment(npu::host::bufferAlignment);
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      Location loc = op.getLoc();
      Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, op);
      Value null = arith::ConstantIndexOp::create(builder, loc, 0);
      Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, address, null);
      std::string what;
      llvm::raw_string_ostream(what)
          << "cannot allocate a temporary "
          << RankedTensorType::get(type.getShape(), type.getElementType());
      cf::AssertOp::create(builder, loc, isThere, npu::host::describe(op, what));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
