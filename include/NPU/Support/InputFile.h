//===- InputFile.h - reading files of any kind and size -------------------===//

#ifndef NPU_SUPPORT_INPUTFILE_H
#define NPU_SUPPORT_INPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdint>
#include <memory>

namespace npu {

struct InputOptions {
  /// What is longer is refused before it fills the memory. 0: as much as there is memory.
  uint64_t maxBytes = 0;
  /// Another file gave the name: it must be one of a regular file, as opening or reading anything
  /// else may never end. Who names a pipe on the command line knows that it ends.
  bool isNamedByData = false;
  /// `-` is the standard input.
  bool allowsStdin = false;
  /// The contents must be followed by a zero, as parsers of text want.
  bool needsTerminator = true;
  /// Others may change the file while it is in use: read it instead of mapping it.
  bool isVolatile = false;
};

/// Limits of files that no sensible use comes near.
constexpr uint64_t maxFlagfileBytes = uint64_t(1) << 20, maxJSONBytes = uint64_t(1) << 26;

/// The contents of a regular file, a pipe or a terminal. Devices without end are refused. The error
/// does not name the file: `expected a regular file, found a pipe`.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readInput(llvm::StringRef path,
                                                              const InputOptions &options = {});

} // namespace npu

#endif // NPU_SUPPORT_INPUTFILE_H
