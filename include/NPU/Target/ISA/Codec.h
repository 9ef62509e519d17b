//===- Codec.h - instructions to words and back ---------------------------===//

#ifndef NPU_TARGET_ISA_CODEC_H
#define NPU_TARGET_ISA_CODEC_H

#include "NPU/Target/ISA/Instructions.h"

#include "llvm/Support/Error.h"

#include <vector>

namespace npu::isa {

/// Appends the instruction's words. Fails when checkInstruction does.
llvm::Error encode(const Instruction &instruction, std::vector<uint64_t> &words);

/// Decodes the instruction at the front of `words` and drops its words. Fails, with a message that
/// names the field, on an unknown opcode, a reserved bit, a truncated instruction, a term that is
/// not canonical, or whatever checkInstruction refuses; so decoding then encoding gives the same
/// words.
llvm::Expected<Instruction> decode(llvm::ArrayRef<uint64_t> &words);

/// A default-constructed instruction by its name; nullopt when there is none.
std::optional<Instruction> makeInstruction(llvm::StringRef mnemonic);

} // namespace npu::isa

#endif // NPU_TARGET_ISA_CODEC_H
