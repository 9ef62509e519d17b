//===- NoteDialect.cpp - a dialect that is not in the tree ----------------===//
//
//   npu-opt --load-dialect-plugin=build/NoteDialect.so note.mlir
//
//===----------------------------------------------------------------------===//

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

#include "NoteDialect.h.inc"
#define GET_OP_CLASSES
#include "NoteOps.h.inc"

#include "NoteDialect.cpp.inc"
#define GET_OP_CLASSES
#include "NoteOps.cpp.inc"

using namespace mlir;

void note::NoteDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "NoteOps.cpp.inc"
      >();
}

/// The kernel that it is about is one of the toolchain's own ops.
LogicalResult note::AboutOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (symbols.lookupNearestSymbolFrom<npu::KernelOp>(*this, getKernelAttr()))
    return success();
  return emitOpError("expected the name of an npu.kernel, found ") << getKernelAttr();
}

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "NoteDialect", "1",
          [](DialectRegistry *registry) { registry->insert<note::NoteDialect>(); }};
}
