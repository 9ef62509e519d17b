//===- LocatedError.cpp - errors that say where in the IR they are --------===//

#include "NPU/HostReference/LocatedError.h"

using namespace mlir;

std::string npu::runtime::formatLocation(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  if (!file)
    return "";
  return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
          Twine(file.getColumn()) + ": ")
      .str();
}

llvm::Error npu::runtime::makeOpError(Operation *op, const llvm::Twine &message) {
  return llvm::createStringError(formatLocation(op->getLoc()) + "'" + op->getName().getStringRef() +
                                 "' op " + message);
}
