//===- FitRows.cpp - softmax and norms of bytes in integers ---------------===//
//
// Where the floats that a quantization rounds are a softmax or a normalization of bytes, they are
// computed in fixed point. What rounds and limits them stays as the model has it.
//
//===----------------------------------------------------------------------===//

#include "RowArithmetic.h"

#include "NPU/Preparation/Passes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npu {
#define GEN_PASS_DEF_NPUFITROWS
#include "NPU/Preparation/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

/// Whether nothing but integers becomes of what is rounded.
static bool isQuantization(math::RoundEvenOp round) {
  if (!round.getType().isF32())
    return false;
  SmallVector<Operation *> ops = {round};
  DenseSet<Operation *> seen;
  while (!ops.empty()) {
    Operation *op = ops.pop_back_val();
    if (isa<arith::FPToSIOp, arith::FPToUIOp>(op) || !seen.insert(op).second)
      continue;
    if (isa<linalg::YieldOp>(op) || op->getNumRegions() != 0)
      return false;
    llvm::append_range(ops, op->getUsers());
  }
  return true;
}

static void eraseDead(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Makes what `round` rounds of an element of `value`, and gives the op that results. Inputs that
/// its body no longer reads are gone.
static linalg::GenericOp readFixedPoint(linalg::GenericOp op, math::RoundEvenOp round,
                                        FixedPoint value) {
  Block *body = op.getBody();
  int64_t numInputs = op.getNumDpsInputs();
  Location loc = round.getLoc();
  Value element =
      body->insertArgument(unsigned(numInputs), IntegerType::get(op.getContext(), 32), loc);
  {
    ImplicitLocOpBuilder b(loc, round);
    Value real = arith::SIToFPOp::create(b, b.getF32Type(), element);
    Value unit = arith::ConstantOp::create(b, b.getF32FloatAttr(float(value.unit)));
    round.setOperand(arith::MulFOp::create(b, real, unit));
  }
  eraseDead(*body);

  SmallVector<Value> inputs(op.getDpsInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  inputs.push_back(value.tensor);
  maps.insert(maps.begin() + numInputs,
              AffineMap::getMultiDimIdentityMap(op.getNumLoops(), op.getContext()));
  for (int64_t input = numInputs; input-- > 0;)
    if (body->getArgument(unsigned(input)).use_empty()) {
      body->eraseArgument(unsigned(input));
      inputs.erase(inputs.begin() + input);
      maps.erase(maps.begin() + input);
    }
  OpBuilder builder(op);
  auto result = linalg::GenericOp::create(builder, op.getLoc(), op.getResultTypes(), inputs,
                                          op.getDpsInits(), builder.getAffineMapArrayAttr(maps),
                                          op.getIteratorTypes(), /*doc=*/nullptr,
                                          /*library_call=*/nullptr);
  result.getRegion().takeBody(op.getRegion());
  op.replaceAllUsesWith(result);
  op.erase();
  return result;
}

static void emitMissed(Location loc, StringRef reason) {
  if (!reason.empty() && loc.getContext()->getRemarkEngine())
    remark::missed(loc, remark::RemarkOpts::name("NotInIntegers").category("npu-rows"))
        << remark::reason("{0}", reason.str());
}

/// Rewrites one quantization of `op`. Returns the op that results, or null.
static linalg::GenericOp fitFirst(linalg::GenericOp op, DenseSet<Operation *> &seen) {
  for (auto round : op.getBody()->getOps<math::RoundEvenOp>()) {
    if (!seen.insert(round).second || !isQuantization(round))
      continue;
    RowReader reader(op);
    RowForm form = reader.read(round.getOperand());
    StringRef reason = reader.getReason();
    std::optional<FixedPoint> value;
    if (form.is(RowForm::Kind::Softmax) || form.is(RowForm::Kind::Normal)) {
      OpBuilder builder(op);
      value = createFixedPoint(builder, round.getLoc(), form, reader.getSizes(), reason);
    }
    if (value)
      return readFixedPoint(op, round, *value);
    emitMissed(round.getLoc(), reason);
  }
  return {};
}

namespace {
struct FitRows : npu::impl::NPUFitRowsBase<FitRows> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics() && op.getNumReductionLoops() == 0 &&
          !ShapedType::isDynamicShape(op.getStaticLoopRanges()))
        ops.push_back(op);
    });
    DenseSet<Block *> blocks;
    for (linalg::GenericOp op : ops) {
      DenseSet<Operation *> seen;
      while ((op = fitFirst(op, seen)))
        blocks.insert(op->getBlock());
    }
    // Nobody reads the floats any more.
    for (Block *block : blocks)
      eraseDead(*block);
    if (blocks.empty())
      markAllAnalysesPreserved();
  }
};
} // namespace
