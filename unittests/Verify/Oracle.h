//===- Oracle.h - the slow and obvious verifier ---------------------------===//
//
// Unrolls a program, orders all pairs of its instances and compares sets of bytes. Written from the
// manual, shares nothing with the verifier.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_UNITTESTS_VERIFY_ORACLE_H
#define NPU_UNITTESTS_VERIFY_ORACLE_H

#include "NPU/Target/Assembly/Assembly.h"
#include "NPU/Target/ISA/Program.h"

#include "gtest/gtest.h"

namespace npu::test {

enum class Verdict { Safe, Race, Deadlock, RaceAndDeadlock, Bounds, Other };

/// Prints the verdict's name when a comparison fails.
std::ostream &operator<<(std::ostream &os, Verdict verdict);

/// Understands loads, stores, `vpu.unary`, `mxu.matmul`, `sync`.
Verdict runOracle(const isa::Program &program);

/// Whether both programs order the same pairs of instances.
bool haveSameOrder(const isa::Program &a, const isa::Program &b);

/// The verdict of the verifier's message; an empty one is Safe.
Verdict classify(const std::string &message);

/// The message of an error, empty for success.
std::string getMessage(llvm::Error error);

/// Parses text; fails the test when it is wrong.
isa::Program parse(const std::string &text);

} // namespace npu::test

#endif // NPU_UNITTESTS_VERIFY_ORACLE_H
