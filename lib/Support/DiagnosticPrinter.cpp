//===- DiagnosticPrinter.cpp - diagnostics for a terminal -----------------===//

#include "NPU/Support/DiagnosticPrinter.h"

#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace npu;

/// Of a location, only names of files are printed as they are. Those that need no escapes stay, so
/// that the file's lines are found by them.
static Location escapeFileNames(Location location) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](FileLineColRange range) -> Attribute {
    StringRef name = range.getFilename();
    std::string escaped = escapeText(name);
    if (escaped == name)
      return range;
    return FileLineColLoc::get(range.getContext(), escaped, range.getStartLine(),
                               range.getStartColumn());
  });
  return cast<LocationAttr>(replacer.replace(location));
}

/// A note below an error, which shows an op over several lines. Strings in it are escaped already.
static bool showsOp(const Diagnostic &diagnostic) {
  return !diagnostic.getArguments().empty() &&
         diagnostic.getArguments().front().getKind() ==
             DiagnosticArgument::DiagnosticArgumentKind::String &&
         diagnostic.getArguments().front().getAsString() == "see current operation: ";
}

static std::string escapeMessage(const Diagnostic &diagnostic) {
  std::string message = diagnostic.str();
  return showsOp(diagnostic) ? escapeLines(message) : escapeText(message);
}

static Diagnostic escape(Diagnostic &diagnostic) {
  Diagnostic escaped(escapeFileNames(diagnostic.getLocation()), diagnostic.getSeverity());
  escaped << escapeMessage(diagnostic);
  for (Diagnostic &note : diagnostic.getNotes())
    escaped.attachNote(escapeFileNames(note.getLocation())) << escapeMessage(note);
  return escaped;
}

DiagnosticPrinter::DiagnosticPrinter(llvm::SourceMgr &sources, MLIRContext *context,
                                     llvm::raw_ostream &os)
    : SourceMgrDiagnosticHandler(sources, context, stream), stream(os) {
  setHandler([this](Diagnostic &diagnostic) {
    Diagnostic escaped = escape(diagnostic);
    emitDiagnostic(escaped);
    return success();
  });
}
