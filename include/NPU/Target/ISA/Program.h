//===- Program.h - a complete NPU program ---------------------------------===//
//
// What assembly text and binaries hold: the target, the DRAM regions, one instruction stream per
// cluster and engine, and a table that leads instructions back to their source.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TARGET_ISA_PROGRAM_H
#define NPU_TARGET_ISA_PROGRAM_H

#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Target/ISA/Instructions.h"
#include "NPU/Target/ISA/SharedBytes.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace npu::isa {

/// Who provides a region's contents and who may write it.
enum class RegionKind : uint8_t {
  Constants, ///< read-only, contents in the program
  Scratch,   ///< undefined at launch, read and written
  Input,     ///< read-only, bound at launch
  Output,    ///< undefined at launch, bound at launch
  InOut,     ///< bound at launch, with contents that the program changes in place
};
template <>
struct EnumTraits<RegionKind> {
  static constexpr llvm::StringLiteral title = "RegionKind";
  static constexpr EnumCase<RegionKind> cases[] = {{RegionKind::Constants, "constants"},
                                                   {RegionKind::Scratch, "scratch"},
                                                   {RegionKind::Input, "input"},
                                                   {RegionKind::Output, "output"},
                                                   {RegionKind::InOut, "inout"}};
};

/// Whether the caller gives the contents.
inline bool isInput(RegionKind kind) {
  return kind == RegionKind::Input || kind == RegionKind::InOut;
}
/// Whether the caller takes the contents.
inline bool isOutput(RegionKind kind) {
  return kind == RegionKind::Output || kind == RegionKind::InOut;
}

/// A range of DRAM that instructions address by its number. The kind decides who may write.
struct Region {
  RegionKind kind = RegionKind::Scratch;
  std::string name;
  int64_t bytes = 0;
  SharedBytes data; ///< contents of a constants region, `bytes` long; otherwise empty

  bool operator==(const Region &other) const {
    return kind == other.kind && name == other.name && bytes == other.bytes && data == other.data;
  }
};

/// The in-order program of one engine of one cluster. Ends with `halt`.
struct Stream {
  int64_t cluster = 0;
  EngineKind engine = EngineKind::Ctl;
  std::vector<Instruction> code;

  bool operator==(const Stream &other) const {
    return cluster == other.cluster && engine == other.engine && code == other.code;
  }
};

struct Program {
  std::string name;                 ///< the kernel's name
  std::string target;               ///< specification as understood by npu::parseTarget
  std::vector<Region> regions;      ///< numbered from 0
  std::vector<std::string> sources; ///< entry k is what an instruction calls source k + 1
  std::vector<Stream> streams;      ///< ordered by cluster, then engine; no two alike

  bool operator==(const Program &other) const {
    return name == other.name && target == other.target && regions == other.regions &&
           sources == other.sources && streams == other.streams;
  }
};

/// `cluster 0 mxu`, for messages.
std::string describe(const Stream &stream);

/// Checks one instruction: every field in its range and every group in its canonical form (unused
/// semaphores absent, rings of depth 1 without slot and position, counters only with `unless`).
/// Messages name the field's path, the value and the range.
llvm::Error checkInstruction(const Instruction &instruction);

/// Why an instruction's types do not fit.
struct TypeMismatch {
  bool isUnsupported; ///< this target lacks the type, or else no target takes it there
  std::string message;
};

/// Checks the types of an instruction's operands against the instruction, its function and the
/// target, as ISA.td states them. Expects an instruction that passes checkInstruction.
std::optional<TypeMismatch> checkTypes(const Instruction &instruction, const TargetDesc &target);

/// Checks the structure that every consumer relies on: the target exists, streams are ordered and
/// unique, loops are balanced and at most maxLoopDepth deep, `halt` ends each stream, instructions
/// stand on engines that have them, counters belong to enclosing loops, regions and sources exist.
/// The parsers and decoders call it.
llvm::Error checkProgram(const Program &program);

} // namespace npu::isa

#endif // NPU_TARGET_ISA_PROGRAM_H
