//===- SourceNames.h - what a location says to a user -----------*- C++ -*-===//

#ifndef NPU_SUPPORT_SOURCENAMES_H
#define NPU_SUPPORT_SOURCENAMES_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

#include <functional>
#include <string>

namespace npu {

/// The places in the user's model that `loc` is made of, in order, each once: a name if there is
/// one, as of an ONNX node, else `path:line:column`, or without the directory `file:line:column`.
/// Of a call, the place in the callee. Empty if nothing is known.
inline llvm::SmallVector<std::string> getSourceNames(mlir::LocationAttr loc,
                                                     bool withDirectory = true) {
  llvm::SmallVector<std::string> names;
  llvm::StringSet<> known;
  auto add = [&](const llvm::Twine &name) {
    if (auto [entry, isNew] = known.insert(name.str()); isNew)
      names.push_back(entry->first().str());
  };
  std::function<void(mlir::LocationAttr)> collect = [&](mlir::LocationAttr part) {
    if (auto file = llvm::dyn_cast<mlir::FileLineColLoc>(part))
      add((withDirectory ? file.getFilename().getValue()
                         : llvm::sys::path::filename(file.getFilename().getValue())) +
          ":" + llvm::Twine(file.getLine()) + ":" + llvm::Twine(file.getColumn()));
    else if (auto name = llvm::dyn_cast<mlir::NameLoc>(part))
      add(name.getName().getValue());
    else if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(part))
      collect(call.getCallee());
    else if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(part))
      llvm::for_each(fused.getLocations(), collect);
  };
  collect(loc);
  return names;
}

} // namespace npu

#endif // NPU_SUPPORT_SOURCENAMES_H
