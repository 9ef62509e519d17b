//===- Mutate.h - programs with one mistake -------------------------------===//
//
// Every way to break a program's synchronization or addressing by one small change. Tests of the
// verifier and of the simulator count how many of them are caught.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TARGET_VERIFY_MUTATE_H
#define NPU_TARGET_VERIFY_MUTATE_H

#include "NPU/Target/ISA/Program.h"

namespace npu {

enum class MutationKind {
  DeleteWait,
  DeleteSignal,
  IncrementWait, ///< the value waited for grows by 1
  DecrementWait, ///< the value waited for shrinks by 1
  ShiftAddress,  ///< the base of an on-chip address or of a DRAM side moves
};

/// One change of one instruction.
struct Mutation {
  MutationKind kind;
  unsigned stream, index; ///< the instruction
  unsigned slot;          ///< which wait, signal or address of it, from 0
  int64_t bytes = 0;      ///< of ShiftAddress

  /// `cluster 0 mxu, instruction 3: delete wait 0`.
  std::string describe(const isa::Program &program) const;
};

/// Every mutation of the program, in program order. Addresses are shifted up and down by
/// `shiftBytes`.
std::vector<Mutation> enumerateMutations(const isa::Program &program, int64_t shiftBytes = 64);

/// The mutated program; it has the same instructions in the same places and keeps the canonical
/// form, so a deleted first wait is replaced by the second.
isa::Program applyMutation(isa::Program program, const Mutation &mutation);

} // namespace npu

#endif // NPU_TARGET_VERIFY_MUTATE_H
