//===- SourceOps.cpp - errors that name the op of the model ---------------===//

#include "NPU/Support/SourceOps.h"

#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace npu;

SourceOps::SourceOps(Operation *root, llvm::function_ref<bool(Operation *)> isSource)
    : engine(root->getContext()->getDiagEngine()) {
  root->walk([&](Operation *op) {
    if (isSource(op))
      sources.try_emplace(op->getLoc(),
                          Source{op->getName(), llvm::to_vector(op->getOperandTypes()),
                                 llvm::to_vector(op->getResultTypes())});
  });
  handler = engine.registerHandler([this](Diagnostic &diagnostic) -> LogicalResult {
    auto source = sources.find(diagnostic.getLocation());
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error || source == sources.end())
      return failure();
    std::string message = diagnostic.str();
    if (StringRef(message).contains(source->second.name.getStringRef()))
      return failure();
    errors.push_back({diagnostic.getLocation(), std::move(message)});
    return success();
  });
}

SourceOps::~SourceOps() {
  engine.eraseHandler(handler);
  for (const Error &error : errors) {
    const Source &source = sources.find(error.location)->second;
    InFlightDiagnostic diagnostic = emitError(error.location);
    diagnostic << "'" << source.name << "' op cannot be lowered to linalg with types ("
               << source.operands << ") -> (" << source.results
               << "); use types that its specification has";
    diagnostic.attachNote() << "the lowering says: " << error.message;
  }
}
