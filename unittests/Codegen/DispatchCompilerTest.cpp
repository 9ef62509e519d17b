//===- DispatchCompilerTest.cpp - each dispatch is legalized once ---------===//

#include "NPU/Codegen/DispatchCompiler.h"
#include "../Shared.h"

#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Execution/ModelRunner.h"
#include "NPU/Hook/IREEHook.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Pipelines/PlaceModel.h"
#include "NPU/Target/Binary/Binary.h"
#include "NPU/TaskGraph/BuildTaskGraph.h"
#include "NPU/Tensor/Parameters.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlir;
using namespace npu;

namespace {

/// How often a remark of a name was emitted.
using Counts = std::map<std::string, unsigned>;

class CountingStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit CountingStreamer(Counts &counts) : counts(counts) {}
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    ++counts[remark.getRemarkName().str()];
  }

private:
  Counts &counts;
};

struct Session {
  explicit Session(unsigned threads = 2)
      : pool(llvm::hardware_concurrency(threads)), context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    if (threads > 1)
      context.setThreadPool(pool);
  }

  void countRemarks() {
    remark::RemarkCategories categories;
    categories.passed = "npu-codegen";
    ASSERT_TRUE(succeeded(remark::enableOptimizationRemarks(
        context, std::make_unique<CountingStreamer>(counts),
        std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)));
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    return parseSourceString<ModuleOp>(text, ParserConfig(&context));
  }
  OwningOpRef<ModuleOp> read(const Twine &path) {
    return parseSourceFile<ModuleOp>(getSharedPath("corpus/iree/" + path), ParserConfig(&context));
  }

  Counts counts;
  llvm::DefaultThreadPool pool;
  MLIRContext context;
};

/// The distinct functions of dispatches in `module`, by their text without names and locations.
static Counts getDistinct(ModuleOp module) {
  Counts distinct;
  for (const flow::DispatchSite &site : flow::collectDispatches(module)) {
    auto function = site.body ? dyn_cast<func::FuncOp>(site.body->getParentOp()) : func::FuncOp();
    if (!function)
      continue;
    OwningOpRef<func::FuncOp> clone = function.clone();
    clone->setSymName("f");
    std::string text;
    llvm::raw_string_ostream os(text);
    clone->print(os, OpPrintingFlags().useLocalScope());
    ++distinct[text];
  }
  return distinct;
}

constexpr llvm::StringLiteral products = R"(
func.func @a(%x: tensor<8x16xf32>, %y: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%x, %y : tensor<8x16xf32>, tensor<16x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
func.func private @b(%x: tensor<8x16xf32>, %y: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%x, %y : tensor<8x16xf32>, tensor<16x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
func.func @other(%x: tensor<8x16xf32>, %y: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%one : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%x, %y : tensor<8x16xf32>, tensor<16x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
func.func @sorted(%x: tensor<8xf64>) -> tensor<8xf64> {
  %r = math.erf %x : tensor<8xf64>
  return %r : tensor<8xf64>
}
func.func @sorted_too(%x: tensor<8xf64>) -> tensor<8xf64> {
  %r = math.erf %x : tensor<8xf64>
  return %r : tensor<8xf64>
}
)";

TEST(DispatchCompiler, EqualFunctionsShare) {
  Session session;
  session.countRemarks();
  OwningOpRef<ModuleOp> module = session.parse(products);
  ASSERT_TRUE(module);
  DispatchCompiler compiler("npu-v1");
  auto get = [&](StringRef name) { return module->lookupSymbol<func::FuncOp>(name); };
  ASSERT_TRUE(succeeded(compiler.compile({get("a"), get("b"), get("other")})));
  EXPECT_EQ(session.counts, (Counts{{"Compiled", 2}, {"Legalized", 2}}));
  EXPECT_EQ(*compiler.getProgram(get("a")), *compiler.getProgram(get("b")));
  EXPECT_NE(*compiler.getProgram(get("a")), *compiler.getProgram(get("other")));
  EXPECT_EQ((*compiler.getProgram(get("b")))->code.name, "a");
  EXPECT_EQ(session.counts, (Counts{{"Compiled", 2}, {"Legalized", 2}}));

  // A function that has changed is another one.
  get("b")->walk([](arith::ConstantOp constant) {
    constant.setValueAttr(FloatAttr::get(constant.getType(), 1.0));
  });
  EXPECT_EQ(*compiler.getProgram(get("b")), *compiler.getProgram(get("other")));
  EXPECT_EQ(session.counts, (Counts{{"Compiled", 2}, {"Legalized", 2}}));
}

TEST(DispatchCompiler, ReasonsAreWhereTheFunctionIs) {
  Session session;
  OwningOpRef<ModuleOp> module = session.parse(products);
  ASSERT_TRUE(module);
  DispatchCompiler compiler("npu-v1");
  for (StringRef name : {"sorted", "sorted_too"}) {
    auto function = module->lookupSymbol<func::FuncOp>(name);
    FailureOr<std::vector<RejectedOp>> reasons = compiler.getReasons(function);
    ASSERT_TRUE(succeeded(reasons));
    ASSERT_FALSE(reasons->empty());
    std::vector<Location> places = {function.getLoc()};
    function.walk([&](Operation *op) { places.push_back(op->getLoc()); });
    for (const RejectedOp &reason : *reasons)
      EXPECT_TRUE(llvm::is_contained(places, reason.loc)) << name.str();
  }
}

TEST(DispatchCompiler, ReasonsNameNoOtherFunction) {
  Session session;
  OwningOpRef<ModuleOp> module = session.parse(R"(
func.func @first(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
func.func @second(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
)");
  ASSERT_TRUE(module);
  DispatchCompiler compiler("npu-v1");
  for (auto function : module->getOps<func::FuncOp>()) {
    FailureOr<std::vector<RejectedOp>> reasons = compiler.getReasons(function);
    ASSERT_TRUE(succeeded(reasons));
    ASSERT_EQ(reasons->size(), 1u);
    EXPECT_EQ(llvm::formatv("{0}", reasons->front().rejection).str().find("first"),
              std::string::npos);
    EXPECT_EQ(reasons->front().loc, function.getLoc());
  }
}

TEST(DispatchCompiler, KernelsHaveTheFunctionsNamesAndPlaces) {
  Session session;
  OwningOpRef<ModuleOp> module = session.parse(products);
  ASSERT_TRUE(module);
  DispatchCompiler compiler("npu-v1");
  auto a = module->lookupSymbol<func::FuncOp>("a"), b = module->lookupSymbol<func::FuncOp>("b");
  ASSERT_TRUE(succeeded(compiler.legalize({a, b})));
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module->getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(kernels->getBody());
  FailureOr<KernelOp> kernel = compiler.createKernel(builder, b);
  ASSERT_TRUE(succeeded(kernel));
  EXPECT_EQ(kernel->getSymName(), "b");
  EXPECT_TRUE(kernel->isPrivate());
  EXPECT_EQ(kernel->getLoc(), b.getLoc());
  Location product = b.getLoc();
  b.walk([&](Operation *op) {
    if (op->getName().getStringRef() == "linalg.matmul")
      product = op->getLoc();
  });
  bool isFound = false;
  (*kernel)->walk([&](Operation *op) { isFound |= op->getLoc() == product; });
  EXPECT_TRUE(isFound);
}

/// What the task graph of a model is, in bytes.
static std::string buildGraph(Session &session, const Twine &model) {
  OwningOpRef<ModuleOp> module = session.read(model);
  taskgraph::BuildOptions options;
  options.target = "npu-v1";
  llvm::Expected<taskgraph::TaskGraph> graph = taskgraph::buildTaskGraph(*module, options);
  EXPECT_TRUE(bool(graph)) << llvm::toString(graph.takeError());
  if (!graph)
    return "";
  llvm::SmallString<128> folder;
  EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("npu-codegen", folder));
  std::string path = (folder + "/model.json").str(), text;
  EXPECT_FALSE(bool(taskgraph::writeTaskGraph(*graph, path)));
  for (const std::string &file : {path, (folder + "/model.bin").str()})
    text += (*llvm::MemoryBuffer::getFile(file))->getBuffer();
  llvm::sys::fs::remove_directories(folder);
  return text;
}

class Models : public ::testing::TestWithParam<const char *> {};

TEST_P(Models, AreLegalizedOncePerDispatch) {
  NPU_NEEDS_SHARED();
  std::string path = std::string(GetParam()) + "/flow.mlir";
  Session session;
  session.countRemarks();
  OwningOpRef<ModuleOp> module = session.read(path);
  ASSERT_TRUE(module);
  DispatchCompiler compiler("npu-v1");
  PartitionOptions options;
  options.fallback = Fallback::Host;
  FailureOr<Partition> partition = runtime::placeModel(*module, options, compiler);
  ASSERT_TRUE(succeeded(partition));
  unsigned distinct = getDistinct(*module).size();
  EXPECT_GT(distinct, 2u);
  EXPECT_EQ(session.counts["Legalized"], distinct);

  session.counts.clear();
  ASSERT_NE(buildGraph(session, path), "");
  EXPECT_EQ(session.counts["Legalized"], distinct);
  EXPECT_GT(session.counts["Compiled"] + session.counts["CompiledSegment"], 0u);
  EXPECT_LE(session.counts["Compiled"], distinct);
}

TEST_P(Models, DoNotDependOnThreads) {
  NPU_NEEDS_SHARED();
  std::string path = std::string(GetParam()) + "/flow.mlir";
  Session one(1), two(2), eight(8);
  std::string expected = buildGraph(one, path);
  EXPECT_TRUE(buildGraph(two, path) == expected);
  EXPECT_TRUE(buildGraph(eight, path) == expected);
}

/// A run needs all programs at once; with random parameters.
TEST_P(Models, RunsLegalizeOnce) {
  NPU_NEEDS_SHARED();
  Session session;
  session.countRemarks();
  OwningOpRef<ModuleOp> module = session.read(std::string(GetParam()) + "/flow.mlir");
  ASSERT_TRUE(module);
  unsigned distinct = getDistinct(*module).size();
  runtime::ParameterSet parameters;
  ASSERT_FALSE(bool(parameters.add("model=random(1)")));
  runtime::RunOptions options;
  options.target = "npu-v1";
  options.parameter = [&](StringRef scope, StringRef key, const runtime::HostTensorType &type) {
    return parameters.load(scope, key, type.elementType, type.shape);
  };
  llvm::Expected<runtime::RunReport> report = runtime::runModel(*module, options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(session.counts["Legalized"], distinct);
}

INSTANTIATE_TEST_SUITE_P(DispatchCompiler, Models,
                         ::testing::Values("net_resnet50_nhwc_f32", "net_bert_base_f32"),
                         [](const auto &info) { return std::string(info.param); });

/// The hook sees one executable at a time.
TEST(DispatchCompiler, HookLegalizesOnce) {
  NPU_NEEDS_SHARED();
  std::error_code error;
  unsigned executables = 0;
  for (StringRef model : {"net_resnet50_nhwc_f32", "net_bert_base_f32"}) {
    std::string folder = getSharedPath("corpus/iree/" + model + "/executables");
    for (llvm::sys::fs::directory_iterator file(folder, error), end; !error && file != end;
         file.increment(error)) {
      Session session;
      session.countRemarks();
      auto module = parseSourceFile<ModuleOp>(file->path(), ParserConfig(&session.context));
      ASSERT_TRUE(module) << file->path();
      for (auto executable : module->getOps<hal::ExecutableOp>()) {
        auto variant = *executable.getOps<hal::ExecutableVariantOp>().begin();
        hook::HookOptions options;
        options.target = "npu-v1";
        options.backend = variant.getTarget().getBackend().str();
        session.counts.clear();
        ASSERT_TRUE(succeeded(hook::compileExecutable(executable, options))) << file->path();
        EXPECT_LE(session.counts["Legalized"],
                  llvm::range_size(variant.getOps<hal::ExecutableExportOp>()))
            << file->path();
        executables += session.counts["Legalized"];
      }
    }
    ASSERT_FALSE(error) << error.message();
  }
  EXPECT_GT(executables, 20u);
}

TEST(DispatchCompiler, ErrorsAreEmittedInOrder) {
  Session session(8);
  std::string text;
  for (unsigned n = 0; n < 20; ++n)
    text += llvm::formatv(R"(
func.func @f{0}() -> tensor<{1}xf32> {
  %c = arith.constant dense_resource<missing{0}> : tensor<{1}xf32>
  return %c : tensor<{1}xf32>
}
)",
                          n, n + 1)
                .str();
  OwningOpRef<ModuleOp> module = session.parse(text);
  ASSERT_TRUE(module);
  std::vector<std::string> messages;
  ScopedDiagnosticHandler handler(
      &session.context, [&](Diagnostic &diagnostic) { messages.push_back(diagnostic.str()); });
  DispatchCompiler compiler("npu-v1");
  auto functions = llvm::to_vector(module->getOps<func::FuncOp>());
  EXPECT_TRUE(failed(compiler.legalize(functions)));
  ASSERT_EQ(messages.size(), 20u);
  for (auto [number, message] : llvm::enumerate(messages))
    EXPECT_NE(message.find("'missing" + std::to_string(number) + "'"), std::string::npos)
        << message;
  // They are emitted again to whoever asks again.
  EXPECT_TRUE(failed(compiler.getReasons(functions.front())));
  EXPECT_EQ(messages.size(), 21u);
}

} // namespace
