//===- Bisect.cpp - from a wrong dispatch to the op -----------------------===//

#include "NPU/Bisection/Bisect.h"

#include "NPU/Support/EscapeText.h"

#include "AcrossLevels.h"
#include "LevelTrace.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;
using llvm::formatv;

void Bisection::print(llvm::raw_ostream &os) const {
  os << formatv("bisect: dispatch #{0} ({1})\n", dispatch, escapeText(name));
  for (const LevelResult &level : levels)
    os << "  " << escapeText(level.level) << ": " << escapeText(level.verdict) << "\n";
  for (const std::string &line : culprit)
    os << "  " << escapeText(line) << "\n";
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// How the outputs of a level differ from what the host gives; empty if they do not.
static llvm::Expected<std::string> findWrongOutput(ArrayRef<HostTensor> outputs,
                                                   ArrayRef<Judgment> judgments) {
  if (outputs.size() != judgments.size())
    return formatv("gives {0} outputs, expected {1}", outputs.size(), judgments.size()).str();
  for (auto [number, output] : llvm::enumerate(outputs)) {
    const Judgment &judgment = judgments[number];
    const HostTensor &expected = judgment.expected;
    if (output.getBytes().size() != expected.getBytes().size())
      return formatv("output {0} has {1} bytes, expected {2}", number, output.getBytes().size(),
                     expected.getBytes().size())
          .str();
    Tolerance tolerance = judgment.tolerance;
    tolerance.allowDegenerate = true;
    llvm::Expected<CompareReport> report = compare(
        expected, output.bitcast(expected.getElementType(), expected.getShape()), tolerance);
    if (!report)
      return report.takeError();
    if (report->getVerdict() != CheckVerdict::Mismatch)
      continue;
    std::string text;
    llvm::raw_string_ostream os(text);
    os << formatv("differs from the host: output {0}, {1} of {2} elements, the first at [", number,
                  report->numMismatches, report->numElements);
    llvm::interleaveComma(report->firstMismatchCoordinates, os);
    os << formatv("]: expected {0}, found {1}", llvm::format("%.9g", report->firstExpected),
                  llvm::format("%.9g", report->firstActual));
    return text;
  }
  return std::string();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static std::string describeByte(StringRef what, size_t byte, uint8_t expected, uint8_t found) {
  return formatv("{0} differs from the compiler's own, first at byte {1}: expected {2:x}, found "
                 "{3:x}",
                 what, byte, expected, found);
}

/// The first constant of a form that the compiler's own has otherwise; empty if there is none.
static std::string findWrongConstant(KernelOp own, KernelOp other) {
  unsigned count = std::min(own.getNumArguments(), other.getNumArguments());
  for (unsigned index = 0; index < count; ++index) {
    DenseElementsAttr expected = own.getConstant(index), found = other.getConstant(index);
    if (expected == found)
      continue;
    if (!expected || !found || expected.getType() != found.getType())
      return formatv("argument {0} is another constant than the compiler's own", index);
    auto expectedValues = expected.getValues<Attribute>(), values = found.getValues<Attribute>();
    for (auto [position, pair] : llvm::enumerate(llvm::zip(expectedValues, values))) {
      auto [before, after] = pair;
      if (before == after)
        continue;
      std::string text = formatv("constant argument {0} differs from the compiler's own, first at "
                                 "element {1}: expected ",
                                 index, position);
      llvm::raw_string_ostream os(text);
      before.print(os, /*elideType=*/true);
      os << ", found ";
      after.print(os, /*elideType=*/true);
      return text;
    }
  }
  return "";
}

static std::string findWrongConstant(const isa::Program &own, const isa::Program &other) {
  for (auto [expected, found] : llvm::zip(own.regions, other.regions)) {
    if (expected.kind != isa::RegionKind::Constants || found.kind != isa::RegionKind::Constants)
      continue;
    if (expected.data.size() != found.data.size())
      return formatv("region '{0}' has {1} bytes of constants, the compiler's own has {2}",
                     found.name, found.data.size(), expected.data.size());
    auto [before, after] =
        std::mismatch(expected.data.begin(), expected.data.end(), found.data.begin());
    if (before != expected.data.end())
      return describeByte("constants region '" + found.name + "'", before - expected.data.begin(),
                          *before, *after);
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The first step of `own` that `other` does not do so, or the first that only `other` does.
static std::optional<StepId> findWrongStep(const Trace &own, const Trace &other) {
  std::map<StepId, uint64_t> done(other.steps.begin(), other.steps.end());
  for (auto [id, digest] : own.steps) {
    auto known = done.find(id);
    if (known == done.end() || known->second != digest)
      return id;
    done.erase(known);
  }
  for (auto [id, digest] : other.steps)
    if (done.count(id))
      return id;
  return std::nullopt;
}

/// Lines about a step that is not the compiler's own.
static std::vector<std::string> describeStep(const std::optional<Step> &own,
                                             const std::optional<Step> &found) {
  std::vector<std::string> lines;
  auto append = [&](StringRef what, const Step &step) {
    lines.push_back((what + step.text).str());
    lines.push_back("  at " + step.place + (step.loops.empty() ? "" : ", " + step.loops));
  };
  if (!found) {
    append("first op that is missing: ", *own);
    return lines;
  }
  append("first op that differs: ", *found);
  if (!own) {
    lines.push_back("the compiler's own does nothing in its place");
    return lines;
  }
  if (own->text != found->text)
    lines.push_back("the compiler's own: " + own->text);
  auto isSame = [](const std::map<std::pair<std::string, int64_t>, WrittenElement> &map,
                   const auto &entry) {
    auto known = map.find(entry.first);
    return known != map.end() && known->second.value == entry.second.value;
  };
  for (const auto &entry : own->written) {
    if (isSame(found->written, entry))
      continue;
    auto known = found->written.find(entry.first);
    lines.push_back(
        formatv("{0}: expected {1}, found {2}", entry.second.place, entry.second.value,
                known == found->written.end() ? "nothing written" : known->second.value));
    return lines;
  }
  for (const auto &entry : found->written)
    if (!isSame(own->written, entry)) {
      lines.push_back(formatv("{0}: expected nothing written, found {1}", entry.second.place,
                              entry.second.value));
      return lines;
    }
  return lines;
}

/// Whether kernels have the same ops of engines in the same order, in whatever loops.
static bool haveSameOps(KernelOp a, KernelOp b) {
  auto getOps = [](KernelOp kernel) {
    SmallVector<OperationName> names;
    kernel.walk([&](Operation *op) {
      if (llvm::isa<NPUComputeOpInterface, DmaLoadOp, DmaStoreOp, DmaGatherOp, FillOp>(op))
        names.push_back(op->getName());
    });
    return names;
  };
  return getOps(a) == getOps(b);
}

/// Goes into a level that was put in the place of the compiler's own, which is right.
static std::vector<std::string> goInto(const KernelLevels &own, const KernelLevels &other,
                                       Level level, ArrayRef<HostTensor> inputs,
                                       const sim::Options &simulator) {
  std::string constant = level == Level::Program
                             ? findWrongConstant(own.getProgram(), other.getProgram())
                             : findWrongConstant(own.getKernel(level), other.getKernel(level));
  if (!constant.empty())
    return {constant};
  Trace expected = trace(own, level, inputs, simulator),
        found = trace(other, level, inputs, simulator);
  if ((level == Level::Tile || level == Level::Planned) && own.has(Level::Tensor) &&
      expected.steps.size() != found.steps.size() &&
      haveSameOps(own.getKernel(level), other.getKernel(level)))
    if (std::vector<std::string> lines =
            findOddOp(own.getKernel(Level::Tensor), other.getKernel(level), inputs, simulator);
        !lines.empty())
      return lines;
  std::optional<StepId> wrong = findWrongStep(expected, found);
  if (!wrong)
    return {"every op writes what the compiler's own writes"};
  return describeStep(trace(own, level, inputs, simulator, wrong).wanted,
                      trace(other, level, inputs, simulator, wrong).wanted);
}

/// Goes into a level that the compiler has made of the one above, which is right.
static std::vector<std::string> goAcross(const WrongDispatch &dispatch, const KernelLevels &own,
                                         Level level, const sim::Options &simulator) {
  std::vector<std::string> lines = {"the compiler's passes have made it so of the level above it"};
  if (level == Level::Tensor)
    return lines;
  Level upper = Level(int(level) - 1);
  const KernelLevels &levels = dispatch.replacement && dispatch.replacement->levels.has(upper)
                                   ? dispatch.replacement->levels
                                   : own;
  llvm::Expected<KernelLevels> numbered = KernelLevels::compile(numberOps(levels.getKernel(upper)));
  if (!numbered) {
    llvm::consumeError(numbered.takeError());
    return lines;
  }
  llvm::append_range(lines, findBrokenOp(*numbered, upper, dispatch.inputs, simulator));
  return lines;
}

llvm::Expected<Bisection> npu::runtime::bisect(const WrongDispatch &dispatch,
                                               DispatchCompiler &compiler,
                                               const sim::Options &simulator) {
  func::FuncOp function = dispatch.function;
  Bisection result;
  result.dispatch = dispatch.index;
  result.name = function.getSymName().str();
  llvm::Expected<KernelLevels> own = KernelLevels::compile(compiler, function);
  if (!own)
    return own.takeError();
  for (Level level : allLevels) {
    bool isReplaced = dispatch.replacement && level >= dispatch.replacement->levels.getFirst();
    const KernelLevels &levels = isReplaced ? dispatch.replacement->levels : *own;
    bool isGiven = isReplaced && level == levels.getFirst();
    std::string origin = !isReplaced ? "the compiler's own"
                                     : (isGiven ? "" : "made of ") + dispatch.replacement->path;
    Bisection::LevelResult &line = result.levels.emplace_back(Bisection::LevelResult{
        formatv("{0} ({1})", toString(level), origin), "as the host", false});
    Trace found = trace(levels, level, dispatch.inputs, simulator);
    std::string difference = found.failure;
    if (difference.empty())
      if (llvm::Error error = findWrongOutput(found.outputs, dispatch.outputs).moveInto(difference))
        return std::move(error);
    if (difference.empty())
      continue;
    line.verdict = std::move(difference);
    line.isWrong = true;
    result.culprit = {"the first level that differs is the " + toString(level).str()};
    if (isGiven)
      llvm::append_range(result.culprit, goInto(*own, levels, level, dispatch.inputs, simulator));
    else
      llvm::append_range(result.culprit, goAcross(dispatch, *own, level, simulator));
    return result;
  }
  result.culprit = {"alone, every level of it gives what the host gives: what differs is the "
                    "program of the segment that it ran in"};
  return result;
}
