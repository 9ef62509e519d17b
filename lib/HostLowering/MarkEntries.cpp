//===- MarkEntries.cpp - what the host calls, and how ---------------------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace npu::host {
#define GEN_PASS_DEF_MARKENTRIES
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

namespace {
struct MarkEntries : npu::host::impl::MarkEntriesBase<MarkEntries> {
  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    if (!function.isPublic())
      return;
    auto no = BoolAttr::get(&getContext(), false);
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
      function.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName, no);
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), UnitAttr::get(&getContext()));
  }
};
} // namespace
