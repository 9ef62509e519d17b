//===- SymbolNames.cpp - names of symbols that passes make ----------------===//

#include "NPU/Dialect/IREE/Util/IR/SymbolNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace npu;

/// Appends the identifiers in `text`, an underscore before each.
static void appendIdentifiers(std::string &name, StringRef text) {
  bool isInside = false;
  for (char c : text) {
    if (llvm::isAlnum(c)) {
      if (!isInside)
        name += '_';
      name += c;
    }
    isInside = llvm::isAlnum(c);
  }
}

std::string util::getSymbolName(StringRef prefix, Type type, StringRef parts) {
  std::string name = prefix.str(), typeText;
  llvm::raw_string_ostream(typeText) << type;
  appendIdentifiers(name, parts);
  appendIdentifiers(name, typeText);
  return name;
}
