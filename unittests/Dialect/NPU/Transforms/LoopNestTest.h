//===- LoopNestTest.h - a fixture that makes nests of loops -----*- C++ -*-===//

#ifndef NPU_UNITTESTS_DIALECT_NPU_TRANSFORMS_LOOPNESTTEST_H
#define NPU_UNITTESTS_DIALECT_NPU_TRANSFORMS_LOOPNESTTEST_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include "gtest/gtest.h"

namespace npu {

class LoopNestTest : public testing::Test {
protected:
  LoopNestTest() {
    context.loadDialect<mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                        mlir::scf::SCFDialect>();
    module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  }

  /// Loops inside each other, outermost first, after what the module holds already.
  llvm::SmallVector<mlir::scf::ForOp> makeLoops(llvm::ArrayRef<int64_t> trips) {
    llvm::SmallVector<mlir::scf::ForOp> loops;
    auto builder = mlir::OpBuilder::atBlockEnd(module->getBody());
    mlir::Location loc = module->getLoc();
    for (int64_t count : trips) {
      auto getConstant = [&](int64_t value) {
        return mlir::arith::ConstantIndexOp::create(builder, loc, value);
      };
      loops.push_back(mlir::scf::ForOp::create(builder, loc, getConstant(0), getConstant(count),
                                               getConstant(1)));
      builder.setInsertionPointToStart(loops.back().getBody());
    }
    return loops;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace npu

#endif // NPU_UNITTESTS_DIALECT_NPU_TRANSFORMS_LOOPNESTTEST_H
