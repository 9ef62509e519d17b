//===- PlacementTest.cpp - where ONNX operators run -----------------------===//
//
// docs/SupportedOnnxOps.md says where an operator runs. That is what the partition decides of a
// model that has one node of it, for every operator of the table.
//
//===----------------------------------------------------------------------===//

#include "NPU/Dialect/ONNX/Specs/OpSpec.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Pipelines/PlaceModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace npu;
using namespace npu::onnx_ir;

namespace {
class PlacementTest : public testing::Test {
protected:
  PlacementTest() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Places the models in `file`, one for each of `specs`.
  void check(llvm::StringRef file, llvm::ArrayRef<OpSpec> specs);

private:
  /// A module with the model for `name` only; null if there is none.
  mlir::OwningOpRef<mlir::ModuleOp> getModel(llvm::StringRef name) {
    auto function = models->lookupSymbol<mlir::func::FuncOp>(name);
    if (!function)
      return {};
    mlir::OwningOpRef<mlir::ModuleOp> model = mlir::ModuleOp::create(function.getLoc());
    (*model)->setAttrs((*models)->getAttrs());
    mlir::OpBuilder::atBlockEnd(model->getBody()).clone(*function);
    return model;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> models;
};

/// Where the dispatches of a model run.
llvm::StringRef summarize(const Partition &partition) {
  auto runsOn = [&](npu::Placement placement) {
    return llvm::any_of(partition.getFunctions(), [&](const PartitionedFunction &function) {
      return !function.numbers.empty() && function.placement == placement;
    });
  };
  bool onNPU = runsOn(npu::Placement::NPU), onHost = runsOn(npu::Placement::Host);
  if (onNPU && onHost)
    return describe(Runs::Both);
  return describe(onNPU ? Runs::NPU : onHost ? Runs::Host : Runs::Nowhere);
}

} // namespace

void PlacementTest::check(llvm::StringRef file, llvm::ArrayRef<OpSpec> specs) {
  models = mlir::parseSourceFile<mlir::ModuleOp>(
      (NPU_SOURCE_DIR "/unittests/ONNX/Inputs/" + file).str(), &context);
  ASSERT_TRUE(models);
  PartitionOptions options;
  options.fallback = Fallback::Host;
  DispatchCompiler compiler("npu-v1");
  for (const OpSpec &spec : specs) {
    std::string name = (spec.domain + (spec.domain.empty() ? "" : ".") + spec.name).str();
    SCOPED_TRACE(name);
    mlir::OwningOpRef<mlir::ModuleOp> model = getModel(name);
    if (!model) {
      ADD_FAILURE() << "expected a function of this name in unittests/ONNX/Inputs/" << file.str();
      continue;
    }
    bool hasNode = false;
    model->walk([&](NodeOp op) { hasNode |= lookupOpSpec(op) == &spec; });
    EXPECT_TRUE(hasNode) << "expected a node of the operator in its model";
    mlir::FailureOr<Partition> partition = runtime::placeModel(*model, options, compiler);
    ASSERT_TRUE(mlir::succeeded(partition));
    EXPECT_EQ(summarize(*partition).str(), describe(spec.runs).str())
        << "what the partition says, and the column of the table";
  }
}

TEST_F(PlacementTest, OfOperatorsIsWhatTheDocumentSays) { check("operators.mlir", getOpSpecs()); }
TEST_F(PlacementTest, OfFunctionsIsWhatTheDocumentSays) {
  check("functions.mlir", getFunctionSpecs());
}
