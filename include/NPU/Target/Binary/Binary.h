//===- Binary.h - programs as bytes ---------------------------------------===//
//
// The binary form of a program: a header, then sections in a fixed order, all little-endian and
// aligned to 8 bytes. docs/binary.md describes it. There is exactly one encoding of a program.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TARGET_BINARY_BINARY_H
#define NPU_TARGET_BINARY_BINARY_H

#include "NPU/Target/ISA/Program.h"

#include <vector>

namespace npu::isa {

/// Changes whenever the layout or the instruction set does.
inline constexpr uint32_t binaryVersion = 2;

/// True when the bytes start like a binary program, whatever follows.
bool isBinaryProgram(llvm::ArrayRef<uint8_t> bytes);

/// Encodes the program; fails when checkProgram does.
llvm::Expected<std::vector<uint8_t>> encodeBinary(const Program &program);

/// Decodes and checks a program. Anything but the encoding of a valid program is refused with a
/// message that starts with `<fileName>:` and names the byte offset.
llvm::Expected<Program> decodeBinary(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef fileName);

} // namespace npu::isa

#endif // NPU_TARGET_BINARY_BINARY_H
