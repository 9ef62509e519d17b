//===- StageTreesTest.cpp - random kernels of several stages --------------===//
//
// A random graph of contractions and element-wise stages gets a random schedule: which loops the
// stages share, what is loaded where, where values live, what is skewed. A schedule that cannot be
// is an error; any other must give, in tile form and as a program on the simulator, what tensor
// form says. Data are small integers, so f32 is exact.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "NPU/Codegen/Steps.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPUISA/IR/NPUISA.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Simulator/Simulator.h"
#include "NPU/Target/Verify/Mutate.h"
#include "NPU/Target/Verify/Verify.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>
#include <set>

using namespace mlir;
using namespace npu;
using namespace npu::test;
using llvm::formatv;

namespace {

/// Dimensions of the kernel are numbers; their extents are random.
using Dims = std::vector<unsigned>;

struct Operand {
  std::string tensor;            ///< `%a0`, or `%s1` of a stage
  std::optional<unsigned> stage; ///< that computes it
  std::string name;              ///< in schedules
  bool mustLoad = false;
};

struct StageInfo {
  std::string name;
  Dims dims;   ///< in the order of `letters`
  Dims result; ///< dimensions of its value
  std::vector<std::string> letters;
  std::set<unsigned> reductions;
  std::vector<Operand> operands;
  bool isArray = false, isReturned = false;
};

class StageTrees : public ::testing::Test {
protected:
  StageTrees() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  bool chance(int percent) { return pick(1, 100) <= percent; }

  // The kernel.
  unsigned newDim() {
    extents.push_back(pick(1, 12));
    return extents.size() - 1;
  }
  std::string getType(const Dims &dims) {
    std::string text = "tensor<";
    for (unsigned dim : dims)
      text += std::to_string(extents[dim]) + "x";
    return text + "f32>";
  }
  Operand newArgument(const Dims &dims) {
    std::string name = "arg" + std::to_string(arguments.size());
    arguments.push_back(dims);
    return {"%" + name, std::nullopt, name, true};
  }
  void addContraction();
  void addElementwise();
  std::string makeKernel(unsigned numStages);

  // The schedule.
  struct Child {
    std::string text;
    std::set<unsigned> stages;
  };
  std::vector<Child> makeBody(std::vector<unsigned> members, std::set<unsigned> looped,
                              bool isRoot);
  Child makeLoop(const std::vector<unsigned> &members, unsigned dim, std::set<unsigned> looped);
  std::string makeSchedule();
  void settle(std::vector<Child> &body, const std::set<unsigned> &looped, bool isRoot);

  std::string getTarget() {
    int64_t rows = 2 << pick(0, 2), cols = 2 << pick(0, 2), cells = rows * cols;
    return formatv("npu-v1:sramBytes={0},accBytes={1},macRows={2},macCols={3},macsPerCycleI8={4},"
                   "macsPerCycleF16={4},macsPerCycleI16I8={4},macsPerCycleF32={4}",
                   4096 << pick(0, 3), 2048 << pick(0, 2), rows, cols, cells);
  }

  enum class Verdict { Runs, Refused, Broken };
  Verdict check(const std::string &source);
  void checkChosen(const std::string &kernel);
  /// Deletes one wait or signal after the other. The verifier refuses every program that the
  /// simulator traps on; the few that it accepts lose a wait of a skewed stage's empty instance.
  void expectMutantsRefused(unsigned allowed);

  std::mt19937 random{11};
  MLIRContext context;
  std::vector<int64_t> extents;
  std::vector<Dims> arguments;
  std::vector<StageInfo> stages;
  /// What the schedule still has to say: loads by stage and operand, and places of values.
  std::set<std::pair<unsigned, unsigned>> pendingLoads;
  std::set<unsigned> pendingPlaces;
  std::optional<isa::Program> lastProgram; ///< of the last check that ran
  std::vector<std::vector<uint8_t>> lastInputs, lastOutputs;
  sim::Result lastResult;
};

void StageTrees::addContraction() {
  StageInfo stage;
  stage.name = "s" + std::to_string(stages.size());
  stage.isArray = true;
  stage.letters = {"m", "n", "k"};
  // The left operand is an argument or the value of an element-wise stage.
  std::vector<unsigned> values;
  for (auto [number, other] : llvm::enumerate(stages))
    if (!other.isArray)
      values.push_back(number);
  unsigned m, k, n = newDim();
  // Those that nobody has read may be in panels.
  std::vector<unsigned> unread;
  llvm::copy_if(values, std::back_inserter(unread), [&](unsigned value) {
    return llvm::none_of(stages, [&](const StageInfo &other) {
      return llvm::any_of(other.operands,
                          [&](const Operand &operand) { return operand.stage == value; });
    });
  });
  if (!unread.empty() && chance(60)) {
    unsigned value = unread[pick(0, unread.size() - 1)];
    m = newDim();
    k = stages[value].result[0];
    n = stages[value].result[1];
    stage.operands = {newArgument({m, k}), {"%v" + std::to_string(value), value, "rhs"}};
    stage.operands.front().name = "lhs";
    stage.dims = {m, n, k};
    stage.result = {m, n};
    stage.reductions = {k};
    stages.push_back(stage);
    return;
  }
  if (!values.empty() && chance(80)) {
    unsigned value = values[pick(0, values.size() - 1)];
    m = stages[value].result[0];
    k = stages[value].result[1];
    stage.operands.push_back({"%v" + std::to_string(value), value, "lhs"});
  } else {
    m = newDim();
    k = newDim();
    stage.operands.push_back(newArgument({m, k}));
    stage.operands.back().name = "lhs";
  }
  // The right one may be computed as well; what nobody else reads can be in panels on chip.
  std::vector<unsigned> rights;
  for (unsigned value : values)
    if (stages[value].result[0] == k)
      rights.push_back(value);
  if (!rights.empty() && chance(40)) {
    unsigned value = rights[pick(0, rights.size() - 1)];
    n = stages[value].result[1];
    if (n == m || n == k)
      return;
    stage.operands.push_back({"%v" + std::to_string(value), value, "rhs", chance(30)});
  } else {
    stage.operands.push_back(newArgument({k, n}));
    stage.operands.back().name = "rhs";
  }
  stage.dims = {m, n, k};
  stage.result = {m, n};
  stage.reductions = {k};
  stages.push_back(stage);
}

void StageTrees::addElementwise() {
  StageInfo stage;
  stage.name = "s" + std::to_string(stages.size());
  stage.letters = {"d0", "d1"};
  if (stages.empty()) {
    stage.dims = {newDim(), newDim()};
    stage.operands.push_back(newArgument(stage.dims));
  } else {
    unsigned value = pick(std::max<int64_t>(0, int64_t(stages.size()) - 2), stages.size() - 1);
    stage.dims = stages[value].result;
    stage.operands.push_back({"%v" + std::to_string(value), value, stages[value].name});
  }
  // A second operand of the same dimensions: a bias, an argument, another value.
  std::vector<unsigned> values;
  for (auto [number, other] : llvm::enumerate(stages))
    if (other.result == stage.dims && stage.operands[0].stage != number)
      values.push_back(number);
  if (!values.empty() && chance(50)) {
    unsigned value = values[pick(0, values.size() - 1)];
    stage.operands.push_back({"%v" + std::to_string(value), value, stages[value].name});
  } else if (chance(50)) {
    stage.operands.push_back(newArgument({stage.dims[1]}));
  } else {
    stage.operands.push_back(newArgument(stage.dims));
  }
  stage.result = stage.dims;
  stages.push_back(stage);
}

std::string StageTrees::makeKernel(unsigned numStages) {
  extents.clear();
  arguments.clear();
  stages.clear();
  while (stages.size() < numStages)
    if (chance(50))
      addContraction();
    else
      addElementwise();
  for (auto [number, stage] : llvm::enumerate(stages)) {
    bool isUsed = llvm::any_of(stages, [&, n = unsigned(number)](const StageInfo &other) {
      return llvm::any_of(other.operands,
                          [&](const Operand &operand) { return operand.stage == n; });
    });
    stage.isReturned = !isUsed || chance(10);
  }

  std::string text;
  llvm::raw_string_ostream os(text);
  os << "npu.kernel @k(";
  llvm::interleaveComma(llvm::enumerate(arguments), os, [&](auto argument) {
    os << "%arg" << argument.index() << ": " << getType(argument.value());
  });
  os << ") -> (";
  std::vector<unsigned> returned;
  for (auto [number, stage] : llvm::enumerate(stages))
    if (stage.isReturned)
      returned.push_back(number);
  llvm::interleaveComma(returned, os,
                        [&](unsigned number) { os << getType(stages[number].result); });
  os << ") attributes {target = #npu.target<\"" << getTarget()
     << "\">, schedule = " << makeSchedule() << "} {\n";
  for (auto [number, stage] : llvm::enumerate(stages)) {
    std::string result = getType(stage.result);
    auto typeOf = [&](const Operand &operand) {
      return operand.stage ? getType(stages[*operand.stage].result)
                           : getType(arguments[std::stoi(operand.tensor.substr(4))]);
    };
    os << "  %e" << number << " = tensor.empty() : " << result << "\n  %v" << number << " = ";
    const Operand &left = stage.operands[0], &right = stage.operands[1];
    if (stage.isArray)
      os << "npu.matmul " << left.tensor << ", " << right.tensor << " -> %e" << number
         << " {stage = \"" << stage.name << "\"} : ";
    else
      os << "npu.binary add " << left.tensor << ", " << right.tensor << " -> %e" << number
         << " {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> "
         << (!right.stage && arguments[std::stoi(right.tensor.substr(4))].size() == 1 ? "(j)"
                                                                                      : "(i, j)")
         << ">, affine_map<(i, j) -> (i, j)>], stage = \"" << stage.name << "\"} : ";
    os << typeOf(left) << ", " << typeOf(right) << " -> " << result << "\n";
  }
  os << "  npu.return ";
  llvm::interleaveComma(returned, os, [&](unsigned number) { os << "%v" << number; });
  os << " : ";
  llvm::interleaveComma(returned, os,
                        [&](unsigned number) { os << getType(stages[number].result); });
  os << "\n}\n";
  return text;
}

/// Places, before the children that need them, loads and values that have to be known here, and
/// some that could be known further out.
void StageTrees::settle(std::vector<Child> &body, const std::set<unsigned> &looped, bool isRoot) {
  std::vector<Child> result;
  for (auto [position, child] : llvm::enumerate(body)) {
    auto isElsewhere = [&, p = position](unsigned stage) {
      for (auto [other, sibling] : llvm::enumerate(body))
        if (other != p && sibling.stages.count(stage))
          return true;
      return false;
    };
    for (unsigned stage : child.stages) {
      for (unsigned operand = 0; operand < stages[stage].operands.size(); ++operand) {
        std::optional<unsigned> producer = stages[stage].operands[operand].stage;
        bool isNeeded = isRoot || (producer && isElsewhere(*producer));
        if (pendingLoads.count({stage, operand}) && (isNeeded || chance(40))) {
          pendingLoads.erase({stage, operand});
          result.push_back({"load @" + stages[stage].name + "." +
                                stages[stage].operands[operand].name + (chance(70) ? " x2" : ""),
                            {}});
        }
      }
      if (!pendingPlaces.count(stage))
        continue;
      bool isNeeded = isRoot;
      for (auto [other, description] : llvm::enumerate(stages))
        for (const Operand &operand : description.operands)
          isNeeded |= operand.stage == stage && isElsewhere(other);
      bool isSummed =
          llvm::any_of(stages[stage].reductions, [&](unsigned dim) { return looped.count(dim); });
      if (isNeeded || (!isSummed && chance(60))) {
        pendingPlaces.erase(stage);
        result.push_back({"value @" + stages[stage].name +
                              (stages[stage].isArray ? " -> acc" : " -> sram") +
                              (chance(70) ? " x2" : ""),
                          {}});
      }
    }
    result.push_back(child);
  }
  body = std::move(result);
}

StageTrees::Child StageTrees::makeLoop(const std::vector<unsigned> &members, unsigned dim,
                                       std::set<unsigned> looped) {
  looped.insert(dim);
  std::vector<Child> body = makeBody(members, looped, /*isRoot=*/false);
  const StageInfo &first = stages[members.front()];
  size_t position = llvm::find(first.dims, dim) - first.dims.begin();
  int64_t tile = chance(30) ? extents[dim] : pick(1, extents[dim]);
  std::string text = formatv("for {0}.{1} = {2} {{", first.name, first.letters[position], tile);
  text += llvm::join(llvm::map_range(body, [](const Child &child) { return child.text; }), ", ");
  return {text + "}", std::set<unsigned>(members.begin(), members.end())};
}

std::vector<StageTrees::Child> StageTrees::makeBody(std::vector<unsigned> members,
                                                    std::set<unsigned> looped, bool isRoot) {
  // Loops that all members have.
  std::vector<unsigned> common;
  for (unsigned dim : stages[members.front()].dims)
    if (!looped.count(dim) && llvm::all_of(members, [&](unsigned stage) {
          return llvm::is_contained(stages[stage].dims, dim);
        }))
      common.push_back(dim);
  std::vector<Child> body;
  if (!common.empty() && looped.size() < 4 && chance(60)) {
    body.push_back(makeLoop(members, common[pick(0, common.size() - 1)], looped));
  } else if (members.size() > 1) {
    size_t split = pick(1, members.size() - 1);
    body = makeBody({members.begin(), members.begin() + split}, looped, false);
    llvm::append_range(body, makeBody({members.begin() + split, members.end()}, looped, false));
  } else {
    unsigned stage = members.front();
    std::string text = "@" + stages[stage].name;
    if (!pendingPlaces.count(stage))
      text +=
          std::string(stages[stage].isArray ? " -> acc" : " -> sram") + (chance(50) ? " x2" : "");
    if (!isRoot && chance(15))
      text += " skew 1";
    body.push_back({text, {stage}});
  }
  settle(body, looped, isRoot);
  return body;
}

std::string StageTrees::makeSchedule() {
  pendingLoads.clear();
  pendingPlaces.clear();
  std::vector<unsigned> members;
  for (auto [number, stage] : llvm::enumerate(stages)) {
    members.push_back(number);
    for (auto [index, operand] : llvm::enumerate(stage.operands))
      if (operand.mustLoad || chance(20))
        pendingLoads.insert({number, index});
    if (stage.isArray || chance(50))
      pendingPlaces.insert(number);
  }
  std::vector<Child> body = makeBody(members, {}, /*isRoot=*/true);
  return "#npu.schedule<{" +
         llvm::join(llvm::map_range(body, [](const Child &child) { return child.text; }), ", ") +
         "}>";
}

/// Runs the kernel with the schedule that the search finds.
void StageTrees::checkChosen(const std::string &kernel) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kernel, &context);
  ASSERT_TRUE(module) << kernel;
  PassManager choose(&context);
  choose.addPass(createNPUChooseTiles());
  ASSERT_TRUE(succeeded(choose.run(*module))) << kernel;
  std::string scheduled;
  llvm::raw_string_ostream(scheduled) << *module;
  ASSERT_EQ(check(scheduled), Verdict::Runs) << scheduled;
}

StageTrees::Verdict StageTrees::check(const std::string &source) {
  SCOPED_TRACE(source);
  std::string message;
  bool isLocated = true;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return;
    llvm::raw_string_ostream(message) << diagnostic << '\n';
    isLocated &= !llvm::isa<UnknownLoc>(diagnostic.getLocation());
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  if (!module) {
    ADD_FAILURE() << message;
    return Verdict::Broken;
  }
  auto kernel = *module->getOps<KernelOp>().begin();
  std::vector<View> inputs;
  for (const Dims &dims : arguments) {
    SmallVector<int64_t> shape;
    for (unsigned dim : dims)
      shape.push_back(extents[dim]);
    View view = View::allocate(shape, 0);
    for (double &element : *view.data)
      element = pick(-2, 2);
    inputs.push_back(view);
  }
  std::string error;
  std::vector<View> expected = interpret(kernel, inputs, error);
  EXPECT_EQ(error, "");

  PassManager lower(&context);
  lower.addNestedPass<KernelOp>(createNPULowerToTiles());
  if (failed(lower.run(*module))) {
    EXPECT_TRUE(isLocated);
    EXPECT_NE(message.find("schedule: "), std::string::npos) << message;
    return Verdict::Refused;
  }
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  SCOPED_TRACE(text);
  std::vector<View> all = inputs;
  for (const View &result : expected)
    all.push_back(View::allocate(result.shape, std::nan("")));
  interpret(*module->getOps<KernelOp>().begin(), all, error);
  EXPECT_EQ(error, "");
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(*expected[i].data, *all[inputs.size() + i].data) << "tile form, result " << i;
  if (HasFailure())
    return Verdict::Broken;

  PassManager rest(&context);
  rest.addNestedPass<KernelOp>(createNPUVerifyTileForm());
  populatePlannedFormPipeline(rest);
  populateProgramPipeline(rest);
  if (failed(rest.run(*module))) {
    ADD_FAILURE() << message;
    return Verdict::Broken;
  }
  FailureOr<isa::Program> program = isa::toProgram(*module->getOps<isa::ProgramOp>().begin());
  EXPECT_TRUE(succeeded(program));
  std::vector<std::vector<uint8_t>> memory;
  size_t input = 0;
  for (const isa::Region &region : program->regions) {
    std::vector<uint8_t> &bytes = memory.emplace_back(region.bytes);
    if (region.kind != isa::RegionKind::Input)
      continue;
    for (auto [index, element] : llvm::enumerate(*inputs[input].data)) {
      float value = element;
      memcpy(&bytes[4 * index], &value, 4);
    }
    ++input;
  }
  lastInputs = memory;
  std::vector<MutableArrayRef<uint8_t>> regions(memory.begin(), memory.end());
  llvm::Expected<sim::Result> result = sim::simulate(*program, regions);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return Verdict::Broken;
  }
  lastProgram = *program;
  lastOutputs = memory;
  lastResult = *result;
  size_t output = 0;
  for (auto [region, bytes] : llvm::zip_equal(program->regions, memory)) {
    if (region.kind != isa::RegionKind::Output)
      continue;
    for (auto [index, element] : llvm::enumerate(*expected[output].data)) {
      float value;
      memcpy(&value, &bytes[4 * index], 4);
      if (value != element) {
        ADD_FAILURE() << "result " << output << ", element " << index << ": expected " << element
                      << ", found " << value;
        return Verdict::Broken;
      }
    }
    ++output;
  }
  return HasFailure() ? Verdict::Broken : Verdict::Runs;
}

void StageTrees::expectMutantsRefused(unsigned allowed) {
  ASSERT_TRUE(lastProgram);
  unsigned count = 0, accepted = 0;
  for (const Mutation &mutation : enumerateMutations(*lastProgram)) {
    if (mutation.kind != MutationKind::DeleteWait && mutation.kind != MutationKind::DeleteSignal)
      continue;
    isa::Program mutant = applyMutation(*lastProgram, mutation);
    llvm::Error error = isa::checkProgram(mutant);
    if (!error)
      error = verifyProgram(mutant);
    ++count;
    if (llvm::errorToBool(std::move(error)))
      continue;
    ++accepted;
    std::vector<std::vector<uint8_t>> memory = lastInputs;
    std::vector<MutableArrayRef<uint8_t>> regions(memory.begin(), memory.end());
    llvm::Expected<sim::Result> result = sim::simulate(mutant, regions);
    EXPECT_TRUE(bool(result)) << mutation.describe(*lastProgram)
                              << llvm::toString(result.takeError());
    EXPECT_EQ(memory, lastOutputs) << mutation.describe(*lastProgram);
  }
  EXPECT_GT(count, 10u);
  EXPECT_LE(accepted, allowed);
}

/// Scores, a stage of the vector unit, and what they are weights of, for a strip of rows at a time:
/// what is between the products never leaves the chip. The context is an iteration behind.
TEST_F(StageTrees, AttentionHead) {
  extents = {64, 16, 96, 16};
  arguments = {{0, 1}, {2, 1}, {2, 3}};
  constexpr llvm::StringLiteral text = R"(
npu.kernel @head(%q: tensor<64x16xf32>, %k: tensor<96x16xf32>, %v: tensor<96x16xf32>) -> tensor<64x16xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{
        for scores.m = 16 {load @scores.lhs x2, value @context -> acc x2,
          for scores.n = 32 {load @scores.rhs x2, @scores -> acc x2, @weights -> sram x2, load @context.rhs x3,
              @context skew 1},
          @normalize -> sram x2}}>} {
  %e = tensor.empty() : tensor<64x96xf32>
  %f = tensor.empty() : tensor<64x16xf32>
  %0 = npu.matmul %q, %k -> %e {layout_b = #npu.layout<nk>, stage = "scores"} : tensor<64x16xf32>, tensor<96x16xf32> -> tensor<64x96xf32>
  %1 = npu.binary mul %0 -> %e {imm = 2.0 : f32, stage = "weights"} : tensor<64x96xf32> -> tensor<64x96xf32>
  %2 = npu.binary max %1 -> %e {imm = -3.0 : f32, stage = "weights"} : tensor<64x96xf32> -> tensor<64x96xf32>
  %3 = npu.matmul %2, %v -> %f {stage = "context"} : tensor<64x96xf32>, tensor<96x16xf32> -> tensor<64x16xf32>
  %4 = npu.binary add %3 -> %f {imm = 1.0 : f32, stage = "normalize"} : tensor<64x16xf32> -> tensor<64x16xf32>
  npu.return %4 : tensor<64x16xf32>
})";
  EXPECT_EQ(check(text.str()), Verdict::Runs);
  // Q and the result once, K and V for each of four strips; no scores.
  EXPECT_EQ(lastResult.dramBytesRead, 4 * (64 * 16 + 4 * 2 * 96 * 16));
  EXPECT_EQ(lastResult.dramBytesWritten, 4 * 64 * 16);
  expectMutantsRefused(/*allowed=*/1);
}

/// Weights that are computed for tiles of both of their dimensions, again for each strip of rows,
/// the last panel and the last tile in part; the product is an iteration behind.
TEST_F(StageTrees, Panels) {
  extents = {11, 40, 22};
  arguments = {{0, 1}, {1, 2}, {2}};
  constexpr llvm::StringLiteral text = R"(
npu.kernel @panels(%x: tensor<11x40xf32>, %w: tensor<40x22xf32>, %s: tensor<22xf32>) -> tensor<11x22xf32>
    attributes {target = #npu.target<"npu-v1:macRows=8,macCols=8,macsPerCycleI8=64,macsPerCycleF16=64,macsPerCycleI16I8=64,macsPerCycleF32=64">, schedule = #npu.schedule<{
        for n = 16 {load @dequantize.arg2 x2,
          for m = 4 {value @product -> acc x2,
            for k = 8 {load @dequantize.arg1 x2, @dequantize -> sram x2, load @product.lhs x2, @product skew 1}}}}>} {
  %e = tensor.empty() : tensor<40x22xf32>
  %f = tensor.empty() : tensor<11x22xf32>
  %0 = npu.binary add %w -> %e {imm = 3.0 : f32, stage = "dequantize"} : tensor<40x22xf32> -> tensor<40x22xf32>
  %1 = npu.binary mul %0, %s -> %e {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
    affine_map<(i, j) -> (i, j)>], stage = "dequantize"} : tensor<40x22xf32>, tensor<22xf32> -> tensor<40x22xf32>
  %2 = npu.matmul %x, %1 -> %f {stage = "product"} : tensor<11x40xf32>, tensor<40x22xf32> -> tensor<11x22xf32>
  npu.return %2 : tensor<11x22xf32>
})";
  EXPECT_EQ(check(text.str()), Verdict::Runs);
  // Both operands for each strip and tile, the scales once; nothing of the weights is written.
  EXPECT_EQ(lastResult.dramBytesRead, 4 * (3 * 40 * 22 + 2 * 11 * 40 + 22));
  EXPECT_EQ(lastResult.dramBytesWritten, 4 * 11 * 22);
  expectMutantsRefused(/*allowed=*/1);
}

/// Two products with bias and ReLU between them, in one loop over rows.
TEST_F(StageTrees, Chain) {
  extents = {64, 16, 48, 24};
  arguments = {{0, 1}, {1, 2}, {2}, {2, 3}};
  constexpr llvm::StringLiteral text = R"(
npu.kernel @chain(%x: tensor<64x16xf32>, %w: tensor<16x48xf32>, %b: tensor<48xf32>, %u: tensor<48x24xf32>) -> tensor<64x24xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{
        load @first.rhs, load @relu.arg2, load @second.rhs,
        for first.m = 16 {load @first.lhs x2, @first -> acc x2, @relu -> sram x2, @second -> acc x2}}>} {
  %e = tensor.empty() : tensor<64x48xf32>
  %f = tensor.empty() : tensor<64x24xf32>
  %0 = npu.matmul %x, %w -> %e {stage = "first"} : tensor<64x16xf32>, tensor<16x48xf32> -> tensor<64x48xf32>
  %1 = npu.binary add %0, %b -> %e {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], stage = "relu"}
      : tensor<64x48xf32>, tensor<48xf32> -> tensor<64x48xf32>
  %2 = npu.binary max %1 -> %e {imm = 0.0 : f32, stage = "relu"} : tensor<64x48xf32> -> tensor<64x48xf32>
  %3 = npu.matmul %2, %u -> %f {stage = "second"} : tensor<64x48xf32>, tensor<48x24xf32> -> tensor<64x24xf32>
  npu.return %3 : tensor<64x24xf32>
})";
  EXPECT_EQ(check(text.str()), Verdict::Runs);
  EXPECT_EQ(lastResult.dramBytesRead, 4 * (64 * 16 + 16 * 48 + 48 + 48 * 24));
  EXPECT_EQ(lastResult.dramBytesWritten, 4 * 64 * 24);
  expectMutantsRefused(/*allowed=*/0);
}

TEST_F(StageTrees, Random) {
  unsigned runs = 0, refused = 0, inPanels = 0;
  for (unsigned i = 0; i < 20000 && runs < 400; ++i) {
    std::string source = makeKernel(pick(2, 5));
    Verdict verdict = check(source);
    if (verdict == Verdict::Broken)
      return;
    inPanels += verdict == Verdict::Runs && llvm::any_of(stages, [&](const StageInfo &stage) {
                  return stage.isArray && stage.operands[1].stage &&
                         source.find("load @" + stage.name + ".rhs") == std::string::npos;
                });
    ++(verdict == Verdict::Runs ? runs : refused);
  }
  RecordProperty("runs", runs);
  RecordProperty("refused", refused);
  std::cout << runs << " ran, " << refused << " were refused\n";
  EXPECT_GE(runs, 400u);
  EXPECT_GE(refused, 100u);
  EXPECT_GE(inPanels, 10u);
}

/// Weights that are computed, of random sizes on random chips, and mostly too large for the memory.
/// They go through DRAM only where the memory is so small that this is faster.
TEST_F(StageTrees, ChosenPanels) {
  constexpr unsigned count = 40;
  unsigned onChip = 0;
  for (unsigned i = 0; i < count; ++i) {
    extents = {pick(1, 40), pick(1, 300), pick(1, 200)};
    arguments = {{0, 1}, {1, 2}, {chance(50) ? 2u : 1u}, {2}};
    bool hasTail = chance(50), isTransposed = chance(50);
    if (isTransposed)
      arguments[1] = {2, 1};
    std::string weights = getType(arguments[1]), result = getType({0, 2});
    std::string scaleMap = arguments[2] == Dims{1} ? "(k)" : "(n)";
    std::string kernel = formatv(
        "npu.kernel @k(%x: {0}, %w: {1}, %s: {2}, %b: {3}) -> {4} attributes {{target = "
        "#npu.target<\"{5}\">} {{\n  %e = tensor.empty() : {1}\n  %f = tensor.empty() : {4}\n",
        getType(arguments[0]), weights, getType(arguments[2]), getType(arguments[3]), result,
        getTarget());
    kernel += formatv("  %0 = npu.binary add %w -> %e {{imm = 3.0 : f32} : {0} -> {0}\n  %1 = "
                      "npu.binary mul %0, %s -> %e {{indexing_maps = [affine_map<{2} -> {2}>, "
                      "affine_map<{2} -> {3}>, affine_map<{2} -> {2}>]} : {0}, {1} -> {0}\n",
                      weights, getType(arguments[2]), isTransposed ? "(n, k)" : "(k, n)", scaleMap);
    kernel +=
        formatv("  %2 = npu.matmul %x, %1 -> %f {{layout_b = #npu.layout<{0}>} : {1}, {2} -> {3}\n",
                isTransposed ? "nk" : "kn", getType(arguments[0]), weights, result);
    if (hasTail)
      kernel +=
          formatv("  %3 = npu.binary add %2, %b -> %f {{indexing_maps = [affine_map<(m, n) -> "
                  "(m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>]} : {0}, "
                  "{1} -> {0}\n",
                  result, getType(arguments[3]));
    kernel += formatv("  npu.return %{0} : {1}\n}\n", hasTail ? 3 : 2, result);
    ASSERT_NO_FATAL_FAILURE(checkChosen(kernel));
    onChip += lastResult.dramBytesWritten == 4 * extents[0] * extents[2];
  }
  std::cout << onChip << " stay on chip\n";
  EXPECT_GE(onChip, count * 3 / 4);
}

/// Filters that are computed, in the order of a file or with channels last, of kernels in one or
/// two dimensions, padded and with strides.
TEST_F(StageTrees, ChosenFilters) {
  constexpr unsigned count = 40;
  unsigned onChip = 0;
  for (unsigned i = 0; i < count; ++i) {
    // h, w, c, f, y, x
    bool isFlat = chance(20), isLast = chance(40);
    int64_t y = isFlat ? 1 : pick(1, 4), x = pick(1, 4), stride = pick(1, 2);
    int64_t h = isFlat ? 1 : pick(1, 6), w = pick(1, 9), pad = pick(0, x - 1);
    extents = {(h - 1) * stride + y, (w - 1) * stride + x - pad, pick(1, 40), pick(1, 40), y, x, w};
    if (extents[1] < 1)
      continue;
    extents.push_back(h);
    arguments = {{2, 0, 1}, isLast ? Dims{4, 5, 2, 3} : Dims{3, 2, 4, 5}, {3}};
    std::string filter = getType(arguments[1]), scale = getType(arguments[2]);
    std::string input = getType(arguments[0]), result = getType({3, 7, 6});
    std::string all = isLast ? "(y, x, c, f)" : "(f, c, y, x)";
    std::string kernel = formatv(
        "npu.kernel @k(%x: {0}, %w: {1}, %s: {2}) -> {3} attributes {{target = "
        "#npu.target<\"{4}\">} {{\n  %e = tensor.empty() : {1}\n  %f = tensor.empty() : {3}\n",
        input, filter, scale, result, getTarget());
    kernel += formatv("  %0 = npu.binary add %w -> %e {{imm = 3.0 : f32} : {0} -> {0}\n  %1 = "
                      "npu.binary mul %0, %s -> %e {{indexing_maps = [affine_map<{2} -> {2}>, "
                      "affine_map<{2} -> (f)>, affine_map<{2} -> {2}>]} : {0}, {1} -> {0}\n",
                      filter, scale, all);
    kernel += formatv("  %2 = npu.conv %x, %1 -> %f {{layout_input = #npu.layout<chw>, "
                      "layout_filter = #npu.layout<{0}>, layout_output = #npu.layout<fhw>, stride "
                      "= array<i64: {1}, {1}>, pad_low = array<i64: 0, {2}>, pad_high = "
                      "array<i64: 0, 0>} : {3}, {4} -> {5}\n  npu.return %2 : {5}\n}\n",
                      isLast ? "yxcf" : "fcyx", stride, pad, input, filter, result);
    ASSERT_NO_FATAL_FAILURE(checkChosen(kernel));
    onChip += lastResult.dramBytesWritten == 4 * extents[3] * h * w;
  }
  std::cout << onChip << " stay on chip\n";
  EXPECT_GE(onChip, count * 3 / 4);
}

/// Weights in blocks with a scale each: the product adds up along blocks and what is in them.
TEST_F(StageTrees, ChosenBlocks) {
  constexpr unsigned count = 30;
  unsigned onChip = 0;
  for (unsigned i = 0; i < count; ++i) {
    extents = {pick(1, 20), pick(1, 24), pick(1, 12), pick(1, 3), pick(1, 100)};
    arguments = {{0, 1, 2, 3}, {4, 1, 2, 3}, {4, 1}, {3}};
    std::string weights = getType(arguments[1]), result = getType({0, 4});
    std::string kernel = formatv(
        "#all = affine_map<(n, i, j, k) -> (n, i, j, k)>\n"
        "npu.kernel @k(%x: {0}, %w: {1}, %s: {2}, %b: {3}) -> {4} attributes {{target = "
        "#npu.target<\"{5}\">} {{\n  %e = tensor.empty() : {1}\n  %f = tensor.empty() : {4}\n"
        "  %0 = npu.binary add %w, %b -> %e {{indexing_maps = [#all, affine_map<(n, i, j, k) -> "
        "(k)>, #all]} : {1}, {3} -> {1}\n"
        "  %1 = npu.binary mul %0, %s -> %e {{indexing_maps = [#all, affine_map<(n, i, j, k) -> "
        "(n, i)>, #all]} : {1}, {2} -> {1}\n"
        "  %2 = npu.matmul %x, %1 -> %f {{layout_a = #npu.layout<mijk>, layout_b = "
        "#npu.layout<nijk>} : {0}, {1} -> {4}\n  npu.return %2 : {4}\n}\n",
        getType(arguments[0]), weights, getType(arguments[2]), getType(arguments[3]), result,
        getTarget());
    ASSERT_NO_FATAL_FAILURE(checkChosen(kernel));
    onChip += lastResult.dramBytesWritten == 4 * extents[0] * extents[4];
  }
  std::cout << onChip << " stay on chip\n";
  EXPECT_GE(onChip, count * 3 / 4);
}

} // namespace
