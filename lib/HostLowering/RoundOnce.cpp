//===- RoundOnce.cpp - integers become narrow floats in one rounding ------===//
//
// LLVM converts integers to bf16 through f32, and rounds twice where f32 cannot hold the integer.
// Upstream's canonicalization merges `arith.truncf` of a converted integer into one conversion,
// which has a different result. Either would undo what this pass does and differ from what the IR
// says.
//
//===----------------------------------------------------------------------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::host {
#define GEN_PASS_DEF_ROUNDONCE
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

namespace {
/// Rounds the integer to odd first, to as many bits as the wider float holds: what is cut off stays
/// visible in the last bit, and the second rounding is that of the exact value.
template <typename Op>
struct RoundToOdd : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<IntegerType>(op.getIn().getType());
    if (!type || !isa<BFloat16Type>(op.getType()))
      return rewriter.notifyMatchFailure(op, "not from an integer to bf16");
    unsigned width = type.getWidth();
    FloatType wide = width <= 32 ? FloatType(rewriter.getF32Type()) : rewriter.getF64Type();
    unsigned precision = wide.getFPMantissaWidth();
    if (width <= precision || width > 64)
      return rewriter.notifyMatchFailure(op, "the wider float holds every integer, or is none");

    Location loc = op.getLoc();
    constexpr bool isSigned = std::is_same_v<Op, arith::SIToFPOp>;
    auto constant = [&](const APInt &value) -> Value {
      return arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(type, value));
    };
    unsigned numCut = width - precision;
    APInt cutMask = APInt::getLowBitsSet(width, numCut);
    Value none = constant(APInt::getZero(width)), integer = op.getIn();
    Value cut = arith::AndIOp::create(rewriter, loc, integer, constant(cutMask));
    Value kept = arith::AndIOp::create(rewriter, loc, integer, constant(~cutMask));
    Value isExact = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, cut, none);
    Value last = arith::SelectOp::create(rewriter, loc, isExact, none,
                                         constant(APInt::getOneBitSet(width, numCut)));
    Value odd = arith::OrIOp::create(rewriter, loc, kept, last);

    // Of what the wider float holds, nothing is cut off.
    APInt bound = APInt::getOneBitSet(width, precision);
    Value distance = integer;
    if (isSigned) {
      distance = arith::AddIOp::create(rewriter, loc, integer, constant(bound));
      bound <<= 1;
    }
    Value isSmall =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, distance, constant(bound));
    Value rounded = arith::SelectOp::create(rewriter, loc, isSmall, integer, odd);
    Value exact = Op::create(rewriter, loc, wide, rounded);
    rewriter.replaceOpWithNewOp<LLVM::FPTruncOp>(op, op.getType(), exact);
    return success();
  }
};

/// Two conversions stay two.
struct KeepTruncation : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    if (!op.getIn().getDefiningOp<arith::SIToFPOp>() &&
        !op.getIn().getDefiningOp<arith::UIToFPOp>())
      return rewriter.notifyMatchFailure(op, "not of a converted integer");
    if (isa<ShapedType>(op.getType()) || op.getRoundingmode())
      return rewriter.notifyMatchFailure(op, "of a tensor, or with another rounding");
    rewriter.replaceOpWithNewOp<LLVM::FPTruncOp>(op, op.getType(), op.getIn());
    return success();
  }
};

struct RoundOnce : npu::host::impl::RoundOnceBase<RoundOnce> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<RoundToOdd<arith::SIToFPOp>, RoundToOdd<arith::UIToFPOp>, KeepTruncation>(
        &getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
