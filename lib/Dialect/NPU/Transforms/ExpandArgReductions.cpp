//===- ExpandArgReductions.cpp - positions of extremes by reductions ------===//
//
// A tile of npu.arg_reduce has rows whole. The extreme, and then the least position of what equals
// it, are reductions that go on from tile to tile.
//
//===----------------------------------------------------------------------===//

#include "GroupProblem.h"

#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace npu;

namespace npu {
#define GEN_PASS_DEF_NPUEXPANDARGREDUCTIONS
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

static bool fits(KernelOp kernel) {
  // Other threads are looking at other kernels.
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler ignored(
      kernel.getContext(), [&](Diagnostic &) { return success(llvm::get_threadid() == thread); });
  return succeeded(checkFit(kernel));
}

static void expand(ArgReduceOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getInput().getType());
  auto rowsType = cast<RankedTensorType>(op.getOutput().getType());
  Type i1 = builder.getI1Type(), i32 = builder.getI32Type();
  // Over the dimensions of the input in its order.
  SmallVector<AffineMap> own = op.getIndexingMapsArray();
  AffineMap all = builder.getMultiDimIdentityMap(type.getRank());
  AffineMap rows = own[1].compose(inversePermutation(own[0]));
  unsigned dim = *own[0].getResultPosition(builder.getAffineDimExpr(op.getDimension()));
  int64_t length = type.getDimSize(dim);
  auto createEmpty = [&](RankedTensorType like, Type elementType) -> Value {
    return tensor::EmptyOp::create(builder, loc, like.getShape(), elementType);
  };

  bool isMax = op.getKind() == ArgReduceKind::Argmax;
  Value x = op.getInput();
  Value extreme = ReduceOp::create(builder, loc, isMax ? ReduceKind::Max : ReduceKind::Min, x,
                                   createEmpty(rowsType, type.getElementType()), {all, rows})
                      ->getResult(0);
  Value found = BinaryOp::create(builder, loc, BinaryKind::CmpEq, x, extreme, createEmpty(type, i1),
                                 {all, rows, all})
                    ->getResult(0);
  if (llvm::isa<FloatType>(type.getElementType())) {
    Value isNaN = BinaryOp::create(builder, loc, BinaryKind::CmpNe, x, x, createEmpty(type, i1))
                      ->getResult(0);
    found = BinaryOp::create(builder, loc, BinaryKind::Or, found, isNaN, createEmpty(type, i1))
                ->getResult(0);
  }
  Value positions = createPositions(builder, loc, length, builder.getI32Type());
  Value none = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(RankedTensorType::get({}, i32), APInt(32, length)));
  AffineMap scalar = AffineMap::get(type.getRank(), 0, builder.getContext());
  Value position = SelectOp::create(builder, loc, found, positions, none, createEmpty(type, i32),
                                    ArrayRef<AffineMap>{all, all.getSubMap({dim}), scalar, all})
                       ->getResult(0);
  Value first =
      ReduceOp::create(builder, loc, ReduceKind::Min, position, op.getOutput(), {all, rows})
          ->getResult(0);
  op->getResult(0).replaceAllUsesWith(first);
  op.erase();
}

namespace {
struct ExpandArgReductions : npu::impl::NPUExpandArgReductionsBase<ExpandArgReductions> {
  void runOnOperation() override {
    getOperation()->walk([&](KernelOp kernel) {
      if (kernel.getResultTypes().empty()) // not in tensor form
        return WalkResult::skip();
      auto ops = llvm::to_vector(kernel.getBody().getOps<ArgReduceOp>());
      if (ops.empty() || fits(kernel))
        return WalkResult::skip();
      for (ArgReduceOp op : ops)
        expand(op);
      return WalkResult::skip();
    });
  }
};
} // namespace
