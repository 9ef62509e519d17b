//===- InstructionFootprints.h - the on-chip bytes that instructions touch ===//

#ifndef NPU_TARGET_VERIFY_INSTRUCTIONFOOTPRINTS_H
#define NPU_TARGET_VERIFY_INSTRUCTIONFOOTPRINTS_H

#include "NPU/Target/ISA/Program.h"

#include <memory>

namespace npu::verify {

struct Model;
struct Site;

/// The bytes [begin, end) of an on-chip memory, as one operand of an instruction touches them.
struct InstructionFootprint {
  int64_t cluster;
  isa::MemorySpace space;
  int64_t begin, end;
  bool reads, writes;
};

/// The footprints of a program's instructions.
class Footprints {
public:
  /// Fails when the program is not well formed. The program must outlive the result.
  static llvm::Expected<Footprints> create(const isa::Program &program);
  Footprints(Footprints &&);
  ~Footprints();

  /// What the instruction touches with these counters: for each operand from its first byte to its
  /// last one, even if not all between them are touched. Operands without elements have none.
  llvm::SmallVector<InstructionFootprint, 4> get(unsigned stream, unsigned instruction,
                                                 const isa::Counters &counters) const;

private:
  Footprints();

  std::unique_ptr<Model> model;
  std::vector<std::vector<const Site *>> sites; ///< by stream and instruction; null for loops
};

} // namespace npu::verify

#endif // NPU_TARGET_VERIFY_INSTRUCTIONFOOTPRINTS_H
