//===- SanitizeModuleNames.cpp - modules get names that are identifiers ---===//

#include "NPU/InputConversion/Passes.h"

#include "llvm/ADT/StringExtras.h"

namespace npu::input {
#define GEN_PASS_DEF_SANITIZEMODULENAMES
#include "NPU/InputConversion/Passes.h.inc"
} // namespace npu::input

using namespace mlir;

static std::string sanitize(StringRef name) {
  std::string result = name.str();
  for (char &c : result)
    if (!llvm::isAlnum(c))
      c = '_';
  if (!result.empty() && llvm::isDigit(result.front()))
    result.insert(result.begin(), '_');
  return result;
}

namespace {
struct SanitizeModuleNames : npu::input::impl::SanitizeModuleNamesBase<SanitizeModuleNames> {
  void runOnOperation() override {
    bool changed = false;
    getOperation()->walk([&](ModuleOp module) {
      std::optional<StringRef> name = module.getSymName();
      if (!name || sanitize(*name) == *name)
        return;
      module.setSymName(sanitize(*name));
      changed = true;
    });
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
