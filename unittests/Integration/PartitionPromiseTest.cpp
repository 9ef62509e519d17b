//===- PartitionPromiseTest.cpp - what the partition accepts compiles -----===//
//
// Random modules on random chips. The partition decides by doing, so a dispatch that it accepts
// compiles, passes the program verifier, runs without a trap and computes what the host computes;
// what it refuses runs on the host. `NPU_PARTITION_CAMPAIGN=<first seed>:<count>` runs a campaign
// of other seeds instead of the few of every build.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "RandomModel.h"

#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Pipelines/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::StringRef;

namespace {

/// One of the orders and rules by which a front half forms dispatches; nothing: the function is a
/// dispatch as it is, if the target runs it.
void addRandomFrontHalf(Random &random, mlir::OpPassManager &pm) {
  FrontHalfOptions options;
  options.mode =
      random.of({dispatch_creation::FusionMode::NPU, dispatch_creation::FusionMode::IREE});
  // Only these rules have it.
  options.horizontalFusion =
      random.chance(20) && options.mode == dispatch_creation::FusionMode::NPU;
  if (random.chance(20))
    populateClassicPipeline(pm, options);
  else
    populateFrontHalfPipeline(pm, options);
}

bool hasUnreadArguments(mlir::ModuleOp module) {
  auto result = module.walk([](util::FuncOp function) {
    bool isUnread = llvm::any_of(function.getArguments(), [](mlir::BlockArgument argument) {
      return argument.use_empty() ||
             llvm::any_of(argument.getUsers(), llvm::IsaPred<util::ReturnOp>);
    });
    return isUnread ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// What is wrong with the model of `seed`; empty if nothing is.
std::string findFault(Harness &harness, uint64_t seed, Placements &placements) {
  Random random(seed);
  std::string target = makeRandomTarget(random, ChipRange());
  bool isDispatch = random.chance(40);
  std::string text = makeRandomModel(random, random.in(1, 4), isDispatch);
  auto describe = [&](const llvm::Twine &fault) {
    return (fault + "\n" + describeCase(seed, target, text)).str();
  };
  auto module = harness.parse(text);
  if (!module)
    return describe("the module does not parse");
  if (!isDispatch) {
    mlir::PassManager pm(module->getContext());
    addRandomFrontHalf(random, pm);
    if (failed(pm.run(*module)))
      return describe("the front half fails" + harness.takeDiagnostics());
    // The type of an argument that nothing reads any more, or that is returned as it is, is lost,
    // except to runModel.
    if (hasUnreadArguments(*module))
      module = harness.parse(text);
  }
  llvm::Expected<RunReport> report = harness.runModule(*module, target);
  if (!report)
    return describe(llvm::toString(report.takeError()));
  placements.add(*report);
  std::string difference = findDifference(*report);
  return difference.empty() ? "" : describe(difference);
}

void checkSeeds(uint64_t first, uint64_t number) {
  Placements placements;
  for (uint64_t seed = first; seed < first + number; ++seed) {
    // One context for many modules would keep all their constants.
    Harness harness;
    if (std::string fault = findFault(harness, seed, placements); !fault.empty())
      ADD_FAILURE() << fault;
  }
  // A promise about nothing would be kept.
  EXPECT_GT(placements.onNPU, placements.onHost);
  placements.print();
}

class PartitionPromise : public ::testing::TestWithParam<uint64_t> {};

TEST_P(PartitionPromise, IsKept) { checkSeeds(GetParam() * 25, 25); }

INSTANTIATE_TEST_SUITE_P(Seeds, PartitionPromise, ::testing::Range<uint64_t>(0, 4));

TEST(PartitionPromiseCampaign, IsKept) {
  std::optional<std::string> range = llvm::sys::Process::GetEnv("NPU_PARTITION_CAMPAIGN");
  if (!range)
    return;
  auto [first, count] = StringRef(*range).split(':');
  uint64_t firstSeed = 0, number = 0;
  ASSERT_FALSE(first.getAsInteger(10, firstSeed) || count.getAsInteger(10, number))
      << "expected NPU_PARTITION_CAMPAIGN=<first seed>:<count>, found " << *range;
  checkSeeds(firstSeed, number);
}

} // namespace
