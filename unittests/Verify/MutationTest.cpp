//===- MutationTest.cpp - random programs against the oracle --------------===//

#include "Oracle.h"
#include "RandomPipeline.h"

#include "NPU/Target/Verify/Mutate.h"
#include "NPU/Target/Verify/Verify.h"

#include <cstdlib>

using namespace npu;
using namespace npu::test;

namespace {
struct Totals {
  unsigned verdicts[6] = {};
  int64_t skipped = 0;
};
} // namespace

/// NPU_FUZZ_ROUNDS and NPU_FUZZ_SEED make the random tests longer and different.
static unsigned getSetting(const char *name, unsigned usual) {
  const char *text = std::getenv(name);
  return text ? unsigned(std::atoi(text)) : usual;
}

/// The verifier with and without skipping must agree with the oracle.
static Verdict check(const isa::Program &program, Totals &totals) {
  std::string text;
  llvm::raw_string_ostream os(text);
  isa::printAssembly(program, os);
  Verdict expected = runOracle(program);
  VerifyStats stats;
  std::string skipping = getMessage(verifyProgram(program, &stats));
  VerifyOptions full;
  full.skipPeriods = false;
  std::string running = getMessage(verifyProgram(program, nullptr, full));
  for (const std::string &message : {skipping, running}) {
    Verdict found = classify(message);
    if (expected == Verdict::RaceAndDeadlock)
      EXPECT_TRUE(found == Verdict::Race || found == Verdict::Deadlock) << message << "\n" << text;
    else
      EXPECT_EQ(found, expected) << message << "\n" << text;
  }
  EXPECT_EQ(stats.assumedOverlaps, 0);
  totals.skipped += stats.skipped;
  ++totals.verdicts[unsigned(expected)];
  return expected;
}

TEST(Mutation, RandomPipelinesAgainstTheOracle) {
  std::mt19937_64 random(getSetting("NPU_FUZZ_SEED", 7));
  Totals totals;
  for (unsigned round = 0; round < getSetting("NPU_FUZZ_ROUNDS", 300) && !HasFailure(); ++round) {
    isa::Program program = makeRandomPipeline(random);
    ASSERT_EQ(getMessage(isa::checkProgram(program)), "");
    ASSERT_EQ(check(program, totals), Verdict::Safe);
    int64_t shifts[] = {1, 8, 32, 256};
    for (unsigned k = 0; k < 4; ++k) {
      std::vector<Mutation> mutations = enumerateMutations(program, shifts[random() % 4]);
      isa::Program mutant = applyMutation(program, mutations[random() % mutations.size()]);
      if (k == 3)
        mutant = applyMutation(mutant, mutations[random() % mutations.size()]);
      if (getMessage(isa::checkProgram(mutant)).empty())
        check(mutant, totals);
    }
  }
  EXPECT_GT(totals.verdicts[unsigned(Verdict::Safe)], 400u);
  EXPECT_GT(totals.verdicts[unsigned(Verdict::Race)], 100u);
  EXPECT_GT(totals.verdicts[unsigned(Verdict::Deadlock)], 50u);
  EXPECT_GT(totals.skipped, 1000);
}

TEST(Mutation, RandomChaosAgainstTheOracle) {
  std::mt19937_64 random(getSetting("NPU_FUZZ_SEED", 11));
  Totals totals;
  for (unsigned round = 0; round < getSetting("NPU_FUZZ_ROUNDS", 2000) && !HasFailure(); ++round) {
    isa::Program program = makeRandomChaos(random);
    ASSERT_EQ(getMessage(isa::checkProgram(program)), "");
    check(program, totals);
  }
  EXPECT_GT(totals.verdicts[unsigned(Verdict::Safe)], 20u);
  EXPECT_GT(totals.verdicts[unsigned(Verdict::Race)], 100u);
  EXPECT_GT(totals.verdicts[unsigned(Verdict::Deadlock)], 50u);
  EXPECT_GT(totals.skipped, 100);
}

TEST(Mutation, RandomStoresAgainstTheOracle) {
  std::mt19937_64 random(getSetting("NPU_FUZZ_SEED", 17));
  Totals totals;
  for (unsigned round = 0; round < getSetting("NPU_FUZZ_ROUNDS", 6000) && !HasFailure(); ++round) {
    isa::Program program = makeRandomStores(random);
    ASSERT_EQ(getMessage(isa::checkProgram(program)), "");
    check(program, totals);
  }
  EXPECT_GT(totals.verdicts[unsigned(Verdict::Safe)], 300u);
  EXPECT_GT(totals.verdicts[unsigned(Verdict::Race)], 300u);
  EXPECT_GT(totals.verdicts[unsigned(Verdict::Bounds)], 100u);
}

TEST(Mutation, SameHappensBefore) {
  std::mt19937_64 random(13);
  unsigned same = 0, different = 0;
  for (unsigned round = 0; round < 60; ++round) {
    isa::Program program = makeRandomPipeline(random);
    EXPECT_TRUE(sameHappensBefore(program, program));
    for (const Mutation &mutation : enumerateMutations(program)) {
      isa::Program mutant = applyMutation(program, mutation);
      if (mutation.kind == MutationKind::ShiftAddress) {
        EXPECT_FALSE(sameHappensBefore(program, mutant));
        continue;
      }
      bool expected = haveSameOrder(program, mutant);
      EXPECT_EQ(sameHappensBefore(program, mutant), expected) << mutation.describe(program);
      ++(expected ? same : different);
    }
  }
  EXPECT_GT(same, 5u);
  EXPECT_GT(different, 200u);
}

TEST(Mutation, ContainsHappensBefore) {
  std::mt19937_64 random(19);
  unsigned deadlocks = 0, stricter = 0;
  for (unsigned round = 0; round < 60; ++round) {
    isa::Program program = makeRandomPipeline(random);
    EXPECT_TRUE(containsHappensBefore(program, program));
    for (const Mutation &mutation : enumerateMutations(program)) {
      isa::Program mutant = applyMutation(program, mutation);
      bool contains = containsHappensBefore(mutant, program);
      switch (mutation.kind) {
      case MutationKind::DeleteWait:
      case MutationKind::DecrementWait:
        EXPECT_TRUE(containsHappensBefore(program, mutant)) << mutation.describe(program);
        EXPECT_EQ(contains, haveSameOrder(program, mutant)) << mutation.describe(program);
        break;
      case MutationKind::IncrementWait: {
        Verdict verdict = classify(getMessage(verifyProgram(mutant)));
        EXPECT_EQ(verdict, contains ? Verdict::Safe : Verdict::Deadlock)
            << mutation.describe(program);
        ++(contains ? stricter : deadlocks);
        break;
      }
      case MutationKind::DeleteSignal:
        break;
      case MutationKind::ShiftAddress:
        EXPECT_FALSE(contains);
        break;
      }
    }
  }
  EXPECT_GT(deadlocks, 20u);
  EXPECT_GT(stricter, 20u);
}

/// The instruction that an error names exists, is not a loop, and stands in a stream of the
/// message.
TEST(Mutation, ErrorsNameAnInstruction) {
  std::mt19937_64 random(23);
  unsigned errors = 0;
  for (unsigned round = 0; round < 30; ++round) {
    isa::Program program = makeRandomPipeline(random);
    for (const Mutation &mutation : enumerateMutations(program)) {
      isa::Program mutant = applyMutation(program, mutation);
      llvm::Error rest = llvm::handleErrors(verifyProgram(mutant), [&](const VerifyError &error) {
        ++errors;
        ASSERT_LT(error.stream, mutant.streams.size());
        ASSERT_LT(error.instruction, mutant.streams[error.stream].code.size());
        EXPECT_TRUE(isa::getSync(mutant.streams[error.stream].code[error.instruction]));
        EXPECT_NE(error.message.find(isa::describe(mutant.streams[error.stream])),
                  std::string::npos);
      });
      llvm::consumeError(std::move(rest));
    }
  }
  EXPECT_GT(errors, 500u);
}

TEST(Mutation, TightWaits) {
  std::mt19937_64 random(29);
  unsigned tight = 0, loose = 0;
  for (unsigned round = 0; round < 60; ++round) {
    isa::Program program = makeRandomPipeline(random);
    bool expected = true;
    for (const Mutation &mutation : enumerateMutations(program))
      if (mutation.kind == MutationKind::DecrementWait)
        expected &= runOracle(applyMutation(program, mutation)) != Verdict::Safe;
    EXPECT_EQ(getMessage(verifyTightWaits(program)).empty(), expected);
    ++(expected ? tight : loose);
    isa::Program tightened = program;
    llvm::Expected<std::vector<SlackWait>> lowered = tightenWaits(tightened);
    ASSERT_TRUE(bool(lowered));
    EXPECT_EQ(lowered->empty(), expected);
    EXPECT_EQ(tightened == program, expected);
    EXPECT_EQ(runOracle(tightened), Verdict::Safe);
    for (const Mutation &mutation : enumerateMutations(tightened))
      if (mutation.kind == MutationKind::DecrementWait) {
        EXPECT_NE(runOracle(applyMutation(tightened, mutation)), Verdict::Safe)
            << mutation.describe(tightened);
      }
    for (const Mutation &mutation : enumerateMutations(program))
      if (mutation.kind == MutationKind::IncrementWait) {
        isa::Program mutant = applyMutation(program, mutation);
        if (runOracle(mutant) == Verdict::Safe) {
          EXPECT_NE(getMessage(verifyTightWaits(mutant)), "") << mutation.describe(program);
        }
      }
  }
  EXPECT_GT(tight, 5u);
  EXPECT_GT(loose, 5u);
}
