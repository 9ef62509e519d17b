//===- DiagnosticPrinter.h - diagnostics for a terminal ---------*- C++ -*-===//

#ifndef NPU_SUPPORT_DIAGNOSTICPRINTER_H
#define NPU_SUPPORT_DIAGNOSTICPRINTER_H

#include "NPU/Support/EscapeText.h"

#include "mlir/IR/Diagnostics.h"

namespace npu {

/// Prints diagnostics as upstream's handler does, but names in messages, file names and lines of
/// the source as printable characters (EscapeText.h).
class DiagnosticPrinter : public mlir::SourceMgrDiagnosticHandler {
public:
  DiagnosticPrinter(llvm::SourceMgr &sources, mlir::MLIRContext *context,
                    llvm::raw_ostream &os = llvm::errs());

private:
  EscapingStream stream;
};

} // namespace npu

#endif // NPU_SUPPORT_DIAGNOSTICPRINTER_H
