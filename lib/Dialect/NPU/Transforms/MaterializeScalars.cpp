//===- MaterializeScalars.cpp - constants of rescalings into memory -------===//

#include "BufferUsage.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

namespace npu {
#define GEN_PASS_DEF_NPUMATERIALIZESCALARS
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

namespace {
struct MaterializeScalars : public npu::impl::NPUMaterializeScalarsBase<MaterializeScalars> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(expectTileForm(kernel)))
      return signalPassFailure();
    SmallVector<RescaleOp> rescales;
    kernel.walk([&](RescaleOp op) {
      if (!op.getMultipliers() && op.getMultiplier() && op.getShift() &&
          llvm::isa<MemRefType>(op.getInput().getType()))
        rescales.push_back(op);
    });
    if (rescales.empty())
      return markAllAnalysesPreserved();
    // Each loop over clusters has its own.
    DenseMap<std::pair<Block *, Attribute>, Value> scalars;
    for (RescaleOp op : rescales)
      materialize(op, *getNestOp(op)->getBlock(), scalars);
  }

private:
  static void materialize(RescaleOp op, Block &nest,
                          DenseMap<std::pair<Block *, Attribute>, Value> &scalars) {
    OpBuilder builder(op);
    auto getScalar = [&](IntegerAttr value) -> Value {
      Value &scalar = scalars[{&nest, value}];
      if (scalar)
        return scalar;
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&nest);
      auto space = MemorySpaceAttr::get(builder.getContext(), MemorySpace::Sram);
      auto type = MemRefType::get({}, value.getType(), MemRefLayoutAttrInterface(), space);
      scalar = memref::AllocOp::create(builder, op.getLoc(), type);
      FillOp::create(builder, op.getLoc(), scalar, value);
      return scalar;
    };
    Value multiplier = getScalar(builder.getI32IntegerAttr(*op.getMultiplier()));
    Value shift = getScalar(builder.getI8IntegerAttr(*op.getShift()));

    SmallVector<AffineMap> maps = cast<NPUComputeOpInterface>(*op).getIndexingMapsArray();
    AffineMap scalarMap = AffineMap::get(maps.front().getNumDims(), 0, builder.getContext());
    maps.insert(maps.begin() + 1, 2, scalarMap);
    op.getMultipliersMutable().assign(multiplier);
    op.getShiftsMutable().assign(shift);
    op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
    op.removeMultiplierAttr();
    op.removeShiftAttr();
  }
};
} // namespace
