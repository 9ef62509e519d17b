//===- OnnxTests.cpp - ONNX's backend tests through npu-run ---------------===//

#include "NPU/Execution/OnnxTests.h"

#include "NPU/Dialect/ONNX/Specs/OpSpec.h"
#include "NPU/Execution/InputShapes.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Pipelines/Pipelines.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/InputFile.h"
#include "NPU/Target/ONNX/ImportONNX.h"
#include "NPU/Tensor/TensorReader.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

namespace {
/// From best to worst.
enum class Verdict { NPU, Fallback, Rejected, Wrong, Crashed };

struct Outcome {
  Verdict verdict = Verdict::NPU;
  std::string note;
};
} // namespace

static std::string joinPath(StringRef directory, const Twine &name) {
  SmallString<128> path(directory);
  llvm::sys::path::append(path, name);
  return std::string(path);
}

/// `input_0.pb`, `input_1.pb` and so on, as far as there are such files.
static std::vector<std::string> listFiles(StringRef dataSet, StringRef kind) {
  std::vector<std::string> files;
  while (true) {
    std::string path = joinPath(dataSet, kind + "_" + Twine(files.size()) + ".pb");
    if (!llvm::sys::fs::is_regular_file(path))
      return files;
    files.push_back(std::move(path));
  }
}

/// Whether shapes, or what is chosen while importing, depend on an operand.
static bool needsConstant(mlir::OpOperand &use) {
  auto node = cast<onnx_ir::NodeOp>(use.getOwner());
  unsigned number = use.getOperandNumber();
  if (const onnx_ir::OpSpec *spec = onnx_ir::lookupOpSpec(node);
      spec && spec->needsConstant(number))
    return true;
  StringRef name = node.getOpType();
  // A Loop with outputs of all its iterations.
  if (name == "Loop")
    return number <= 1 && node.getNumResults() + 2 > node.getInputs().size();
  return (name == "SequenceInsert" && number == 2) ||
         (is_contained({"SequenceAt", "SequenceErase", "SplitToSequence"}, name) && number == 1);
}

/// Numbers of the arguments that some node needs as constants, or that such are computed of, if
/// they have so few elements that they are no data.
static SmallVector<unsigned> findShapeInputs(mlir::ModuleOp module) {
  constexpr int64_t maxElements = 64;
  auto function = *module.getOps<mlir::func::FuncOp>().begin();
  SetVector<mlir::Value> wanted;
  BitVector isBound(function.getNumArguments());
  auto want = [&](mlir::Value value, bool isDirect) {
    auto argument = dyn_cast<mlir::BlockArgument>(value);
    if (!argument) {
      wanted.insert(value);
      return;
    }
    auto type = dyn_cast<mlir::RankedTensorType>(argument.getType());
    bool isSmall = type && type.hasStaticShape() && type.getNumElements() <= maxElements;
    if (argument.getOwner() == &function.getBody().front() && (isDirect || isSmall))
      isBound.set(argument.getArgNumber());
  };
  function.walk([&](onnx_ir::NodeOp node) {
    for (mlir::OpOperand &operand : node->getOpOperands())
      if (needsConstant(operand))
        want(operand.get(), /*isDirect=*/true);
  });
  for (size_t next = 0; next < wanted.size(); ++next) {
    auto node = wanted[next].getDefiningOp<onnx_ir::NodeOp>();
    if (node && !is_contained({"Shape", "Size"}, node.getOpType()))
      for (mlir::Value input : node.getInputs())
        want(input, /*isDirect=*/false);
  }
  return SmallVector<unsigned>(isBound.set_bits());
}

/// Why the data of a test are not for its model, if they are not: some tests of ONNX have that.
static std::string findOtherData(mlir::ModuleOp module, ArrayRef<std::string> inputs) {
  auto function = *module.getOps<mlir::func::FuncOp>().begin();
  SmallVector<HostTensorType> types;
  for (mlir::Type type : function.getArgumentTypes())
    if (std::optional<HostTensorType> known = HostTensorType::get(type))
      types.push_back(*known);
  if (types.size() != function.getNumArguments() || inputs.size() != types.size())
    return llvm::formatv("the model has {0} inputs, the data set {1}", function.getNumArguments(),
                         inputs.size());
  for (auto [number, type, input] : enumerate(types, inputs)) {
    TensorReader::Type wanted{type.elementType, type.shape};
    llvm::Expected<SmallVector<HostTensor>> tensors = TensorReader().read(input, &wanted);
    if (!tensors)
      return toString(tensors.takeError());
    if (!type.matches(tensors->front()))
      return llvm::formatv("the model declares a {0} as input {1}, the data set has a {2}",
                           type.str(), number, tensors->front().getTypeString());
  }
  return "";
}

/// What a correct run is worth.
static Outcome judge(const RunReport &report) {
  for (const OutputRecord &output : report.outputs)
    if (output.expectation && !output.expectation->passed) {
      std::string text;
      llvm::raw_string_ostream os(text);
      output.expectation->print(os);
      return {Verdict::Wrong, formatv("output {0}: {1}", output.name, StringRef(text).trim())};
    }
  unsigned onNPU = llvm::count_if(report.dispatches, [](const DispatchRecord &record) {
    return record.placement == Placement::NPU;
  });
  if (onNPU == report.dispatches.size() && onNPU > 0)
    return {Verdict::NPU, llvm::formatv("{0} dispatches", onNPU)};
  for (const DispatchRecord &record : report.dispatches)
    if (record.placement == Placement::Host && !record.reasons.empty())
      return {Verdict::Fallback,
              llvm::formatv("{0} of {1} dispatches on the NPU; #{2}: {3}", onNPU,
                            report.dispatches.size(), record.index, record.reasons.front())};
  return {Verdict::Fallback, "nothing to compute for the NPU"};
}

/// Runs one data set of the model in `file`.
static Outcome runDataSet(const llvm::MemoryBuffer &file, StringRef dataSet, RunOptions options) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      diagnostics += (diagnostics.empty() ? "" : "; ") + diagnostic.str();
  });
  ONNXImportOptions importOptions;
  mlir::OwningOpRef<mlir::ModuleOp> module = importONNX(file, importOptions, &context);
  if (!module)
    return {Verdict::Rejected, diagnostics};
  std::vector<std::string> inputs = listFiles(dataSet, "input");
  SmallVector<unsigned> bound = findShapeInputs(*module);
  for (unsigned number : bound)
    if (number < inputs.size())
      importOptions.boundInputs.push_back({std::to_string(number), inputs[number]});
  if (!bound.empty()) {
    module = importONNX(file, importOptions, &context);
    if (!module)
      return {Verdict::Rejected, diagnostics};
  }
  for (auto [number, input] : llvm::enumerate(inputs))
    if (!is_contained(bound, number))
      options.inputs.push_back("@" + input);
  if (llvm::Error error = specializeToInputs(*module, "", options.inputs, InputUse::Values,
                                             options.simulator.memoryLimit)) {
    std::string message = toString(std::move(error));
    return {Verdict::Rejected, diagnostics.empty() ? message : diagnostics};
  }
  mlir::PassManager pm(&context, mlir::ModuleOp::getOperationName());
  populateONNXPipeline(pm);
  if (failed(pm.run(*module)))
    return {Verdict::Rejected, diagnostics};
  if (std::string reason = findOtherData(*module, options.inputs); !reason.empty())
    return {Verdict::Rejected, reason};
  for (const std::string &output : listFiles(dataSet, "output"))
    options.expectedOutputs.push_back("@" + output);
  if (options.expectedOutputs.empty())
    return {Verdict::Wrong, "expected output_0.pb in " + dataSet.str() + ", found none"};
  llvm::Expected<RunReport> report = runModel(*module, options);
  if (report)
    return judge(*report);
  std::string message = toString(report.takeError());
  return {Verdict::Wrong, diagnostics.empty() ? message : diagnostics + "; " + message};
}

static Outcome runTest(StringRef directory, const RunOptions &options) {
  std::string path = joinPath(directory, "model.onnx");
  InputOptions inputOptions;
  inputOptions.isNamedByData = true;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> file = readInput(path, inputOptions);
  if (!file)
    return {Verdict::Wrong, path + ": " + toString(file.takeError())};
  Outcome worst;
  unsigned set = 0;
  for (;; ++set) {
    std::string dataSet = joinPath(directory, "test_data_set_" + Twine(set));
    if (!llvm::sys::fs::is_directory(dataSet))
      break;
    Outcome outcome{Verdict::Crashed, ""};
    llvm::CrashRecoveryContext recovery;
    recovery.RunSafely([&] { outcome = runDataSet(**file, dataSet, options); });
    if (set == 0 || outcome.verdict > worst.verdict)
      worst = std::move(outcome);
  }
  if (set == 0)
    return {Verdict::Wrong, "expected test_data_set_0 beside model.onnx, found none"};
  return worst;
}

/// Directories with a model, `root` and beneath, in the order of their names.
static llvm::Expected<std::vector<std::string>> findTests(StringRef root) {
  std::vector<std::string> tests;
  if (!llvm::sys::fs::is_directory(root))
    return createStringError(root + ": expected a directory with ONNX tests");
  auto visit = [&](StringRef directory) {
    if (llvm::sys::fs::exists(joinPath(directory, "model.onnx")))
      tests.push_back(directory.str());
  };
  visit(root);
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator entry(root, error, /*follow_symlinks=*/false),
       end;
       entry != end && !error; entry.increment(error))
    if (entry->type() == llvm::sys::fs::file_type::directory_file)
      visit(entry->path());
  if (error)
    return createStringError(root + ": " + error.message());
  llvm::sort(tests);
  if (tests.empty())
    return createStringError(root + ": expected directories with model.onnx and test_data_set_0, "
                                    "found none");
  return tests;
}

llvm::Expected<OnnxTestCounts>
npu::runtime::runOnnxTests(StringRef directory, const RunOptions &options, raw_ostream &os) {
  llvm::Expected<std::vector<std::string>> tests = findTests(directory);
  if (!tests)
    return tests.takeError();
  llvm::CrashRecoveryContext::Enable();
  OnnxTestCounts counts;
  for (const std::string &test : *tests) {
    Outcome outcome = runTest(test, options);
    unsigned *const counters[] = {&counts.npu, &counts.fallback, &counts.rejected, &counts.wrong,
                                  &counts.crashed};
    const StringLiteral names[] = {"npu", "fallback", "rejected", "WRONG", "CRASHED"};
    ++*counters[unsigned(outcome.verdict)];
    // Diagnostics may have lines of their own.
    std::replace(outcome.note.begin(), outcome.note.end(), '\n', ' ');
    os << formatv("{0,-8}  {1}: {2}\n", names[unsigned(outcome.verdict)],
                  escapeText(llvm::sys::path::filename(test)), escapeText(outcome.note));
    os.flush();
  }
  llvm::CrashRecoveryContext::Disable();
  os << llvm::formatv("{0} tests on {1}\n  wholly on the NPU:    {2}\n  with fallback:        {3}\n"
                      "  rejected with reason: {4}\n  wrong:                {5}\n"
                      "  crashed:              {6}\n",
                      tests->size(), escapeText(getTargetName(options.target)), counts.npu,
                      counts.fallback, counts.rejected, counts.wrong, counts.crashed);
  return counts;
}
