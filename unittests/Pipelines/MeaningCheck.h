//===- MeaningCheck.h - what a network computes, before and after ---------===//

#ifndef NPU_UNITTESTS_PIPELINES_MEANINGCHECK_H
#define NPU_UNITTESTS_PIPELINES_MEANINGCHECK_H

#include "../Tensor/Unwrap.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"
#include "NPU/HostProgram/HostModel.h"
#include "NPU/HostReference/HostReference.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Tensor/Compare.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/DJB.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace npu::runtime {

using namespace mlir;

using Tensors = llvm::SmallVector<HostTensor>;

inline llvm::Expected<HostTensor> makeParameter(StringRef, StringRef key,
                                                const HostTensorType &type) {
  HostTensor tensor(type.elementType, type.shape);
  tensor.fillRandom(llvm::djbHash(key), type.shape.empty() ? 1 : type.shape.front());
  return tensor;
}

inline Tensors makeInputs(func::FuncOp function, size_t number) {
  Tensors inputs;
  for (Type type : llvm::ArrayRef(function.getArgumentTypes()).take_front(number)) {
    HostTensorType tensorType = *HostTensorType::get(type);
    HostTensor tensor(tensorType.elementType, tensorType.shape);
    // Indices stay small; what is quantized uses its range, or requantization leaves nothing.
    if (tensorType.elementType == ElementType::I32)
      tensor.fillSmallInts(inputs.size() + 1);
    else
      tensor.fillRandom(inputs.size() + 1);
    inputs.push_back(tensor);
  }
  return inputs;
}

/// What a network computes from random inputs, and by how much that may differ.
struct Expectation {
  Tensors inputs, results, bounds;
};

/// Runs networks on the host, as they came and after dispatches were formed.
class MeaningCheck {
public:
  MeaningCheck() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.allowUnregisteredDialects();
  }

  OwningOpRef<ModuleOp> parse(StringRef file) {
    return parseSourceFile<ModuleOp>(file, ParserConfig(&context));
  }

  void run(ModuleOp module, llvm::function_ref<void(OpPassManager &)> populate) {
    PassManager pm(&context);
    populate(pm);
    ASSERT_TRUE(succeeded(pm.run(module)));
  }

  /// Runs the network as it came.
  Expectation runInput(ModuleOp input) {
    OwningOpRef<ModuleOp> module = input.clone();
    run(*module, [](OpPassManager &pm) { linalg_ext::addDecomposition(pm); });
    auto model = unwrap(HostModel::create(*module, "", makeParameter));
    size_t numInputs = model->getFunction().getNumArguments() - model->getArguments({}).size();
    Expectation expectation;
    expectation.inputs = makeInputs(model->getFunction(), numInputs);
    Tensors arguments = model->getArguments(expectation.inputs);
    expectation.results =
        unwrap(unwrap(HostReference::create(model->getFunction()))->run(arguments));
    expectation.bounds = unwrap(computeContractionBound(model->getFunction(), arguments));
    return expectation;
  }

  /// Turns dispatches, if there are any, into plain ops again.
  OwningOpRef<ModuleOp> inlineDispatches(ModuleOp phase) {
    OwningOpRef<ModuleOp> module = phase.clone();
    run(*module, [](OpPassManager &pm) {
      pm.addPass(flow::createOutlineDispatchRegions());
      pm.addPass(flow::createImportDispatches());
      pm.addPass(flow::createInlineDispatches());
      linalg_ext::addDecomposition(pm);
    });
    EXPECT_TRUE(module->getOps<flow::ExecutableOp>().empty());
    return module;
  }

  /// Compares what the ops of `phase` compute.
  void check(ModuleOp phase, const Expectation &expectation) {
    OwningOpRef<ModuleOp> module = inlineDispatches(phase);
    auto model = unwrap(HostModel::create(*module, "", makeParameter));
    Tensors actual = unwrap(unwrap(HostReference::create(model->getFunction()))
                                ->run(model->getArguments(expectation.inputs)));
    ASSERT_EQ(actual.size(), expectation.results.size());
    for (auto [index, result] : llvm::enumerate(actual)) {
      // A bias that was where a sum starts is added at its end.
      Tolerance tolerance = Tolerance::fromBound(expectation.bounds[index], /*ulps=*/4);
      CompareReport report = unwrap(compare(expectation.results[index], result, tolerance));
      std::string text;
      llvm::raw_string_ostream os(text);
      report.print(os);
      EXPECT_TRUE(report.passed) << text;
    }
  }

protected:
  MLIRContext context;
};

} // namespace npu::runtime

#endif // NPU_UNITTESTS_PIPELINES_MEANINGCHECK_H
