//===- FileKind.h - what a file is, by its contents -----------------------===//
//
// Files get renamed and come through pipes, so that tools look at contents, not at names. Who gives
// a file to a tool that does not read it is told what it is and what reads it.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_SUPPORT_FILEKIND_H
#define NPU_SUPPORT_FILEKIND_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace npu {

enum class FileKind {
  Empty,
  MLIR,     ///< in text
  Bytecode, ///< of MLIR
  ONNX,
  Assembly,
  Program, ///< a binary one
  JSON,    ///< such as a task graph
  Npy,
  Zip, ///< such as .npz and .pt
  ELF,
  Text, ///< of no kind that is known here
  Data  ///< binary, of no kind that is known here
};

/// The kind of a file with these contents, of which the first bytes suffice for most kinds.
FileKind recognizeFile(llvm::StringRef contents);

/// Whether a parser of MLIR should see a file of this kind: text may be anything to it,
/// and nothing is an empty module.
inline bool mayBeMLIR(FileKind kind) {
  return kind == FileKind::MLIR || kind == FileKind::Bytecode || kind == FileKind::Text ||
         kind == FileKind::Empty;
}

/// What is wrong when `found` is not what a tool reads, which `expected` names: `expected MLIR,
/// found an ONNX model; npu-translate --onnx-to-mlir makes MLIR of it`.
std::string describeMismatch(llvm::StringRef expected, FileKind found);

/// What is wrong with MLIR that has ops of a dialect that model converters lower before this
/// compiler reads it, such as stablehlo; with the line of the first one. Nothing when there is no
/// such op. `isKnown` says which dialects are read after all.
std::optional<std::string> findUnloweredOp(llvm::StringRef text,
                                           llvm::function_ref<bool(llvm::StringRef)> isKnown);

} // namespace npu

#endif // NPU_SUPPORT_FILEKIND_H
