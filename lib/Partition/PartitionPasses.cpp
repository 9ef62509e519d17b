//===- PartitionPasses.cpp - passes that place dispatches -----------------===//

#include "NPU/Codegen/Steps.h"
#include "NPU/Conversion/FuncToKernel/FuncToKernel.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Partition/Partition.h"
#include "NPU/Partition/Passes.h"
#include "NPU/Partition/Segments.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/OutputFiles.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/raw_ostream.h"

namespace npu {
#define GEN_PASS_DEF_FORMSEGMENTS
#define GEN_PASS_DEF_LEGALIZEDISPATCHES
#define GEN_PASS_DEF_PARTITIONDISPATCHES
#include "NPU/Partition/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

static void emitRemarks(const PartitionedFunction &function) {
  for (const RejectedOp &reason : function.reasons)
    remark::missed(reason.loc, remark::RemarkOpts::name(reason.rejection.getId())
                                   .category("npu-partition")
                                   .function(function.name))
        << remark::metric("dispatch", int64_t(function.numbers.front()))
        << remark::metric("op", reason.op) << remark::metric("value", reason.rejection.value)
        << remark::metric("limit", reason.rejection.limit)
        << remark::reason("{0}", reason.rejection.getReason())
        << remark::suggest("{0}", reason.rejection.getRemedy());
}

/// Decides, marks what the host runs and says why.
static FailureOr<Partition> partitionModule(ModuleOp module, StringRef fallback,
                                            StringRef placement, DispatchCompiler &compiler) {
  PartitionOptions options;
  if (fallback != "host" && fallback != "error")
    return module.emitError("unknown fallback '") << fallback << "', expected host or error";
  options.fallback = fallback == "host" ? Fallback::Host : Fallback::Error;
  if (failed(readPlacements(module, placement, options)))
    return failure();
  FailureOr<Partition> partition = Partition::compute(module, options, compiler);
  if (failed(partition))
    return failure();
  for (const PartitionedFunction &function : partition->getFunctions()) {
    if (function.placement == Placement::NPU)
      continue;
    function.function->setAttr(kPlacementAttrName,
                               PlacementAttr::get(module.getContext(), Placement::Host));
    emitRemarks(function);
  }
  return partition;
}

namespace {
struct PartitionDispatches : npu::impl::PartitionDispatchesBase<PartitionDispatches> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(partition(getOperation())))
      signalPassFailure();
  }

  LogicalResult partition(ModuleOp module) {
    DispatchCompiler compiler(target);
    FailureOr<Partition> partition = partitionModule(module, fallback, placement, compiler);
    if (failed(partition))
      return failure();
    if (writePlacement.empty())
      return success();
    OutputFiles files;
    llvm::Error error = files.write(
        writePlacement, escapeJSON(llvm::formatv("{0:2}\n", partition->toJSON()).str()));
    if (!error)
      error = files.commit();
    if (error)
      return module.emitError("cannot write the placements: ") << llvm::toString(std::move(error));
    return success();
  }
};

struct FormSegments : npu::impl::FormSegmentsBase<FormSegments> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    formSegments(getOperation(), [&](flow::DispatchOp dispatch) {
      func::FuncOp function = flow::findFunction(dispatch, symbols);
      return function && !function->hasAttr(kPlacementAttrName);
    });
  }
};

struct LegalizeDispatches : npu::impl::LegalizeDispatchesBase<LegalizeDispatches> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    OpPassManager pm(ModuleOp::getOperationName());
    populateLegalization(pm, "");
    pm.getDependentDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    DispatchCompiler compiler(target);
    FailureOr<Partition> partition = partitionModule(module, fallback, placement, compiler);
    if (failed(partition))
      return signalPassFailure();
    // In the order of the module, as convert-func-to-kernel does.
    DenseSet<Operation *> accepted;
    for (const PartitionedFunction &function : partition->getFunctions())
      if (func::FuncOp source = function.function; function.placement == Placement::NPU)
        accepted.insert(source);
    SmallVector<func::FuncOp> functions;
    module.walk([&](func::FuncOp function) {
      if (accepted.contains(function))
        functions.push_back(function);
    });
    SymbolTable symbols(module);
    for (func::FuncOp function : functions) {
      OpBuilder builder(function);
      FailureOr<KernelOp> kernel = compiler.createKernel(builder, function);
      if (failed(kernel))
        return signalPassFailure();
      // The kernel takes the symbol over.
      function.erase();
      moveToModule(*kernel, symbols);
    }
  }
};
} // namespace
