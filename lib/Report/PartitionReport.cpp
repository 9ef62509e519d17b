//===- PartitionReport.cpp - which dispatches the NPU runs, as a table ----===//

#include "NPU/Partition/Partition.h"
#include "NPU/Pipelines/FormDispatches.h"
#include "NPU/Report/Passes.h"
#include "NPU/Support/EscapeText.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace npu::report {
#define GEN_PASS_DEF_PARTITIONREPORT
#include "NPU/Report/Passes.h.inc"
} // namespace npu::report

using namespace mlir;
using namespace npu;

namespace {
struct PartitionReport : npu::report::impl::PartitionReportBase<PartitionReport> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerFrontHalfDialects(registry);
  }

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(report(getOperation())))
      signalPassFailure();
  }

  LogicalResult report(ModuleOp module) {
    PartitionOptions options;
    options.fallback = Fallback::Host;
    if (format != "table" && format != "json")
      return module.emitError("unknown format '") << format << "', expected table or json";
    if (failed(readPlacements(module, placement, options)))
      return failure();
    DispatchCompiler compiler(target);
    FailureOr<OwningOpRef<ModuleOp>> formed = formDispatches(module, compiler);
    if (failed(formed))
      return failure();
    FailureOr<Partition> partition = Partition::compute(**formed, options, compiler);
    if (failed(partition))
      return failure();
    if (format == "json")
      llvm::outs() << escapeJSON(llvm::formatv("{0:2}\n", partition->toJSON()).str());
    else
      partition->print(llvm::outs());
    return success();
  }
};
} // namespace
