//===- CompileDispatch.cpp - one entry point of an executable -------------===//

#include "CompileDispatch.h"

#include "NPU/Codegen/DispatchCompiler.h"
#include "NPU/Target/Binary/Binary.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace npu;
using namespace npu::hook;

/// `reason (model.mlir:3:5)`, without the place if it is not in a file.
static std::string addLocation(std::string reason, Location loc) {
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    llvm::raw_string_ostream(reason) << " (" << file.getFilename().getValue() << ':'
                                     << file.getLine() << ':' << file.getColumn() << ')';
  return reason;
}

/// Imports `func`; whatever it is refused for goes to `refusal`.
static FailureOr<ImportedFunction> import(func::FuncOp func, std::string &refusal) {
  // Other threads may be compiling other dispatches.
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler handler(func.getContext(), [&](Diagnostic &diagnostic) {
    if (llvm::get_threadid() != thread)
      return failure(); // for the next handler
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && refusal.empty())
      refusal = addLocation(diagnostic.str(), diagnostic.getLocation());
    return success();
  });
  return importInterface(func);
}

static std::string print(ArrayRef<RejectedOp> reasons) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      reasons, os,
      [&](const RejectedOp &reason) {
        os << addLocation(llvm::formatv("{0}", reason.rejection), reason.loc);
      },
      "; ");
  return text;
}

/// Gives each region that is bound at launch the buffer of its argument or result, and its name.
static LogicalResult bindRegions(isa::Program &program, const ImportedFunction &imported,
                                 CompiledDispatch &dispatch) {
  ArrayRef<BufferRange> arguments = imported.arguments, results = imported.results;
  for (isa::Region &region : program.regions) {
    const BufferRange *input = nullptr, *output = nullptr;
    if (isa::isInput(region.kind) && !arguments.empty()) {
      input = &arguments.front();
      arguments = arguments.drop_front();
    }
    if (isa::isOutput(region.kind) && !results.empty()) {
      output = &results.front();
      results = results.drop_front();
    }
    const BufferRange *range = output ? output : input;
    if (!range)
      continue;
    bool isWrittenElsewhere = !output && llvm::is_contained(imported.results, *range);
    if ((input && output && !(*input == *output)) || isWrittenElsewhere) {
      llvm::raw_string_ostream(dispatch.refusal)
          << Rejection(RejectionKind::SharedBuffer, "binding " + Twine(range->binding));
      return failure();
    }
    region.name = llvm::formatv("binding{0}+{1}", range->binding, range->offset.str());
    dispatch.buffers.push_back(*range);
  }
  return success();
}

FailureOr<CompiledDispatch> npu::hook::compileDispatch(func::FuncOp func, StringRef target) {
  CompiledDispatch dispatch;
  OwningOpRef<ModuleOp> module = ModuleOp::create(func.getLoc());
  auto clone = cast<func::FuncOp>(OpBuilder::atBlockEnd(module->getBody()).clone(*func));
  FailureOr<ImportedFunction> imported = import(clone, dispatch.refusal);
  if (failed(imported))
    return dispatch;
  DispatchCompiler compiler(target);
  FailureOr<std::vector<RejectedOp>> reasons = compiler.getReasons(clone);
  if (failed(reasons))
    return failure();
  dispatch.refusal = print(*reasons);
  if (!dispatch.refusal.empty())
    return dispatch;

  FailureOr<const CompiledProgram *> compiled = compiler.getProgram(clone);
  if (failed(compiled))
    return failure();
  isa::Program program = (*compiled)->code;
  if (failed(bindRegions(program, *imported, dispatch)))
    return dispatch;
  llvm::Expected<std::vector<uint8_t>> bytes = isa::encodeBinary(program);
  if (!bytes)
    return func.emitError(llvm::toString(bytes.takeError()));
  dispatch.program = std::move(*bytes);
  return dispatch;
}
