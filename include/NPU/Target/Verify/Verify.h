//===- Verify.h - proofs about programs -----------------------------------===//
//
// Proves, without executing data, that a program is safe on its target. The compiler runs it on
// every program it emits. See docs/verifier.md for the method. Shares no code with the simulator,
// which finds the same mistakes at run time.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TARGET_VERIFY_VERIFY_H
#define NPU_TARGET_VERIFY_VERIFY_H

#include "NPU/Target/ISA/Program.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace npu {

/// Why a program is not safe, and the instruction at fault: for a race the later of the two, for a
/// deadlock the first that waits in vain.
class VerifyError : public llvm::ErrorInfo<VerifyError> {
public:
  static char ID;

  VerifyError(std::string message, unsigned stream, unsigned instruction)
      : message(std::move(message)), stream(stream), instruction(instruction) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  std::string message;
  unsigned stream;      ///< number in the program
  unsigned instruction; ///< number in the stream
};

struct VerifyOptions {
  /// Prove the iterations of outermost loops by periodicity instead of running them all.
  bool skipPeriods = true;
  /// Instruction instances that may be run before the verifier gives up.
  int64_t maxInstances = int64_t(1) << 28;
  /// A race says which bytes and instructions meet. Without, it only says that there is one.
  bool describesRaces = true;
};

/// The work of verifySynchronization.
struct VerifyStats {
  int64_t instances = 0;       ///< instruction instances run
  int64_t skipped = 0;         ///< instances that repeat earlier ones, not run
  int64_t conflictPairs = 0;   ///< pairs of operands that may meet in some iteration
  int64_t pairsChecked = 0;    ///< pairs of unordered footprints compared
  int64_t assumedOverlaps = 0; ///< comparisons that ran out of budget and count as an overlap
};

/// Everything: the program's structure, ranges, then synchronization. Fails with a VerifyError
/// unless the structure is wrong.
llvm::Error verifyProgram(const isa::Program &program, VerifyStats *stats = nullptr,
                          const VerifyOptions &options = {});

/// Checks single instructions, for all iterations in closed form: every address lies in its memory
/// and is aligned to its element, regions are written only if they may be, operands stand in the
/// memories and have the types that the instruction and the target allow.
llvm::Error verifyRanges(const isa::Program &program);

/// Checks how streams meet: each semaphore has one signalling stream, every wait ends, and two
/// accesses of different streams to the same byte, one of them a write, are ordered. Expects a
/// program that passes verifyRanges.
llvm::Error verifySynchronization(const isa::Program &program, VerifyStats *stats = nullptr,
                                  const VerifyOptions &options = {});

/// A wait that is longer than it must be: the program is as safe with a lower value. It gives right
/// results but costs overlap, e.g. a ring of two slots of which one is used at a time.
struct SlackWait {
  unsigned stream, instruction; ///< numbers in the program and in the stream
  unsigned slot;                ///< which of the instruction's two waits
  int64_t semaphore;
  int64_t signals; ///< that it asks for without need, in the iteration that asks for the most
  bool isNeeded;   ///< if not, nothing is lost without the wait
};

/// Lowers every wait of a safe program as far as the program is safe, in the order in which the
/// streams come to them, and drops those that nothing needs. With any value one lower the program
/// that is left would not be safe. Returns the changed waits in program order, with the places that
/// they had. Fails on a program that is not safe, as verifySynchronization does but with less said.
llvm::Expected<std::vector<SlackWait>> tightenWaits(isa::Program &program);

/// Fails with the first wait that tightenWaits would change, if there is one. Expects a safe
/// program.
llvm::Error verifyTightWaits(const isa::Program &program);

/// Whether two programs with the same instructions, which differ only in waits and signals, order
/// their instruction instances alike. Programs that deadlock agree when they stop at the same
/// point. Compares 64-bit hashes of every instance's vector clock. False for programs whose
/// instructions differ or that are not well formed.
bool sameHappensBefore(const isa::Program &a, const isa::Program &b);

/// Whether `a`, which differs from `b` only in waits and signals, comes as far as `b` and orders at
/// least the instances that `b` orders: it is as safe as `b`, if perhaps slower. Keeps the clocks
/// of every instance of both.
bool containsHappensBefore(const isa::Program &a, const isa::Program &b);

} // namespace npu

#endif // NPU_TARGET_VERIFY_VERIFY_H
