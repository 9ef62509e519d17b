//===- LaunchTest.cpp - executables of IREE, compiled, run and compared ----===//
//
// Executables of the corpus that take offsets as push constants go through the hook for both back
// ends. What comes out runs on buffers of which the tensors are parts, with the constants of the
// sites that IREE lists, and every byte of all buffers must be what the host makes of them. The
// host runs the dispatch of the model's flow phase; where its tensors lie is read off the
// executable, both without the hook.
//
//===----------------------------------------------------------------------===//

#include "../Shared.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Hook/IREEHook.h"
#include "NPU/HostReference/HostReference.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Preparation/Passes.h"
#include "NPU/Simulator/Simulator.h"
#include "NPU/Target/Binary/Binary.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

#include <array>
#include <random>
#include <utility>

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

namespace {
template <typename T>
T unwrap(llvm::Expected<T> value) {
  static const llvm::ExitOnError exitOnError("unexpected error: ");
  return exitOnError(std::move(value));
}

using Buffer = std::vector<uint8_t>;

struct Dispatch {
  const char *model, *executable;
  /// How many of the sites are run; those of large dispatches take their time.
  size_t numSites;

  friend void PrintTo(const Dispatch &dispatch, std::ostream *os) {
    *os << dispatch.model << " " << dispatch.executable;
  }
};

/// Where a tensor lies at one site.
struct Place {
  size_t binding, offset, bytes;
  bool isRead, isWritten;
};
} // namespace

static uint64_t getInteger(Attribute value) {
  return cast<IntegerAttr>(value).getValue().getZExtValue();
}

/// An integer of an executable's code where a launch passes `constants`.
static Attribute evaluate(Value value, ArrayRef<uint32_t> constants) {
  Operation *op = value.getDefiningOp();
  if (auto load = dyn_cast<hal::InterfaceConstantLoadOp>(op))
    return IntegerAttr::get(load.getType(), APInt(32, constants[load.getOrdinal().getZExtValue()]));
  if (auto assume = dyn_cast<util::AssumeIntOp>(op))
    return evaluate(assume.getOperand(cast<OpResult>(value).getResultNumber()), constants);
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(evaluate(operand, constants));
  SmallVector<OpFoldResult> results;
  EXPECT_TRUE(succeeded(op->fold(operands, results)) && results.size() == 1)
      << op->getName().getStringRef().str();
  return cast<Attribute>(results.front());
}

/// The constants that each site passes; IREE lists them as bounds that are equal.
static std::vector<std::vector<uint32_t>> getSites(func::FuncOp function, size_t numConstants) {
  std::vector<std::vector<uint32_t>> sites;
  function.walk([&](util::AssumeIntOp assume) {
    for (auto [operand, list] : llvm::zip(assume.getOperands(), assume.getAssumptions())) {
      auto load =
          operand.getDefiningOp()->getOperand(0).getDefiningOp<hal::InterfaceConstantLoadOp>();
      auto rows = cast<ArrayAttr>(list).getAsRange<util::IntAssumptionAttr>();
      sites.resize(std::max<size_t>(sites.size(), llvm::range_size(rows)),
                   std::vector<uint32_t>(numConstants));
      for (auto [site, row] : llvm::zip_equal(sites, rows)) {
        EXPECT_TRUE(row.getUmin() && row.getUmin() == row.getUmax());
        site[load.getOrdinal().getZExtValue()] = *row.getUmin();
      }
    }
  });
  return sites;
}

/// Where the function's tensors lie, in the order of the dispatch's operands.
static std::vector<Place> getPlaces(func::FuncOp function, ArrayRef<uint32_t> constants) {
  std::vector<Place> places;
  for (auto subspan : function.getOps<hal::InterfaceBindingSubspanOp>()) {
    auto type = cast<tensor_ext::DispatchTensorType>(subspan.getType());
    size_t bytes =
        type.getTensorType().getNumElements() * (type.getTensorType().getElementTypeBitWidth() / 8);
    places.push_back({size_t(subspan.getBinding().getZExtValue()),
                      size_t(getInteger(evaluate(subspan.getByteOffset(), constants))), bytes,
                      type.getAccess() != tensor_ext::TensorAccess::WriteOnly, type.isWritable()});
  }
  return places;
}

/// What every driver does: binds regions to buffers and starts the program.
static void launch(const isa::Program &program, ArrayRef<uint8_t *> buffers) {
  std::vector<Buffer> memory(program.regions.size());
  std::vector<MutableArrayRef<uint8_t>> regions;
  for (auto [region, own] : llvm::zip(program.regions, memory)) {
    if (isa::isInput(region.kind) || isa::isOutput(region.kind)) {
      ASSERT_FALSE(buffers.empty());
      regions.push_back({buffers.front(), size_t(region.bytes)});
      buffers = buffers.drop_front();
    } else {
      own.resize(region.bytes);
      regions.push_back(own);
    }
  }
  ASSERT_TRUE(buffers.empty());
  unwrap(sim::simulate(program, regions));
}

static void npuLaunch(const void *program, size_t programBytes, void *const *buffers,
                      size_t numBuffers) {
  ArrayRef<uint8_t> bytes(static_cast<const uint8_t *>(program), programBytes);
  launch(unwrap(isa::decodeBinary(bytes, "program")),
         ArrayRef(reinterpret_cast<uint8_t *const *>(buffers), numBuffers));
}

/// The bytes of the variant's first object.
static ArrayRef<char> getObject(hal::ExecutableVariantOp variant) {
  auto object = cast<hal::ExecutableObjectAttr>(variant.getObjectsAttr()[0]);
  return cast<DenseElementsAttr>(object.getData()).getRawData();
}

/// The address that `binding<number>+<bytes>+<factor>*constant<number>...` stands for, which must
/// have `size` bytes behind it.
static uint8_t *findRegion(StringRef name, MutableArrayRef<Buffer> buffers,
                           ArrayRef<uint32_t> constants, size_t size) {
  size_t binding, offset;
  EXPECT_TRUE(name.consume_front("binding") && !name.consumeInteger(10, binding) &&
              name.consume_front("+") && !name.consumeInteger(10, offset));
  while (!name.empty()) {
    size_t factor, constant;
    bool isTerm = name.consume_front("+") && !name.consumeInteger(10, factor) &&
                  name.consume_front("*constant") && !name.consumeInteger(10, constant);
    EXPECT_TRUE(isTerm) << name.str();
    if (!isTerm)
      break;
    offset += factor * constants[constant];
  }
  EXPECT_LE(offset + size, buffers[binding].size());
  return buffers[binding].data() + offset;
}

/// Runs a program as the driver of a back end that takes binaries.
static void runBinary(hal::ExecutableVariantOp variant, MutableArrayRef<Buffer> buffers,
                      ArrayRef<uint32_t> constants) {
  ArrayRef<char> object = getObject(variant);
  isa::Program program = unwrap(isa::decodeBinary(
      ArrayRef(reinterpret_cast<const uint8_t *>(object.data()), object.size()), "object"));
  std::vector<uint8_t *> bound;
  for (const isa::Region &region : program.regions)
    if (isa::isInput(region.kind) || isa::isOutput(region.kind))
      bound.push_back(findRegion(region.name, buffers, constants, region.bytes));
  launch(program, bound);
}

/// Calls `function`; more arguments than it takes do no harm.
template <size_t... Indices>
static void callFunction(llvm::orc::ExecutorAddr function,
                         const std::array<uintptr_t, sizeof...(Indices)> &arguments,
                         std::index_sequence<Indices...>) {
  function.toPtr<void (*)(std::enable_if_t<(Indices < 16), uintptr_t>...)>()(arguments[Indices]...);
}

/// Runs the function of a variant for a CPU: interprets what IREE compiles and calls the object.
static void runFunction(hal::ExecutableVariantOp variant, MutableArrayRef<Buffer> buffers,
                        ArrayRef<uint32_t> constants) {
  auto jit = unwrap(llvm::orc::LLJITBuilder().create());
  llvm::cantFail(jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(
      {{jit->mangleAndIntern("npu_launch"),
        {llvm::orc::ExecutorAddr::fromPtr(npuLaunch), llvm::JITSymbolFlags::Exported}}})));
  ArrayRef<char> object = getObject(variant);
  llvm::cantFail(jit->addObjectFile(
      llvm::MemoryBuffer::getMemBufferCopy(StringRef(object.data(), object.size()))));

  auto functions = variant.getInnerModule().getOps<func::FuncOp>();
  func::FuncOp function = *llvm::find_if(functions, [](func::FuncOp f) { return !f.isExternal(); });
  auto call = *function.getOps<func::CallOp>().begin();
  std::array<uintptr_t, 16> arguments = {};
  ASSERT_LE(call.getNumOperands(), arguments.size());
  for (auto [operand, argument] : llvm::zip(call.getOperands(), arguments)) {
    if (auto subspan = operand.getDefiningOp<hal::InterfaceBindingSubspanOp>()) {
      EXPECT_FALSE(subspan.getByteOffset());
      argument = uintptr_t(buffers[subspan.getBinding().getZExtValue()].data());
    } else {
      argument = getInteger(evaluate(operand, constants));
    }
  }
  callFunction(unwrap(jit->lookup(call.getCallee())), arguments,
               std::make_index_sequence<arguments.size()>());
}

namespace {
class LaunchTest : public testing::TestWithParam<Dispatch> {
protected:
  LaunchTest() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  static std::string getPath(const Twine &file) {
    return getSharedPath("corpus/iree/" + Twine(GetParam().model) + "/" + file);
  }

  static std::string readExecutable() {
    auto file = llvm::MemoryBuffer::getFile(
        getPath("executables/" + Twine(GetParam().executable) + ".mlir"));
    EXPECT_TRUE(bool(file)) << "the corpus is not where it should be";
    return file ? (*file)->getBuffer().str() : std::string();
  }

  /// The function of the dispatch on tensors, from the flow phase.
  func::FuncOp importReference() {
    flowModule = parseSourceFile<ModuleOp>(getPath("flow.mlir"), &context);
    PassManager passes(&context);
    passes.addPass(flow::createImportDispatches());
    if (!flowModule || failed(passes.run(*flowModule)))
      return {};
    func::FuncOp found;
    flowModule->walk([&](flow::ExecutableOp executable) {
      if (executable.getSymName() == GetParam().executable)
        executable.walk([&](func::FuncOp function) { found = function; });
    });
    return found;
  }

  /// What comes out of the hook for `backend`.
  OwningOpRef<ModuleOp> compile(StringRef text, StringRef backend) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    hook::HookOptions options{"npu-v1", backend.str()};
    auto result = hook::compileExecutable(*module->getOps<hal::ExecutableOp>().begin(), options);
    EXPECT_TRUE(succeeded(result) && result->isChanged);
    return module;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> flowModule;
};
} // namespace

static hal::ExecutableVariantOp getVariant(ModuleOp module) {
  auto executable = *module.getOps<hal::ExecutableOp>().begin();
  return *executable.getOps<hal::ExecutableVariantOp>().begin();
}

TEST_P(LaunchTest, MatchesTheHost) {
  NPU_NEEDS_SHARED();
  // The code is for the machine that runs it.
  std::string text = readExecutable(), triple = "x86_64-unknown-unknown-eabi-elf";
  ASSERT_NE(text.find(triple), std::string::npos);
  text.replace(text.find(triple), triple.size(), llvm::sys::getProcessTriple());
  std::string forBinaries = text, cpu = "<\"llvm-cpu\"";
  forBinaries.replace(forBinaries.find(cpu), cpu.size(), "<\"npu\"");

  OwningOpRef<ModuleOp> asked = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(asked);
  hal::ExecutableVariantOp variant = getVariant(*asked);
  auto function = *variant.getInnerModule().getOps<func::FuncOp>().begin();
  auto exportOp = *variant.getOps<hal::ExecutableExportOp>().begin();
  auto layout = exportOp.getLayout();
  std::vector<std::vector<uint32_t>> sites = getSites(function, layout.getConstants());
  ASSERT_GE(sites.size(), GetParam().numSites);

  func::FuncOp reference = importReference();
  ASSERT_TRUE(reference);
  HostReferenceOptions options;
  // The model's f16 sums are defined as widened.
  options.prepare = [](OpPassManager &pm) { pm.addPass(createNPUWidenAccumulators()); };
  std::unique_ptr<HostReference> host = unwrap(HostReference::create(reference, options));
  OwningOpRef<ModuleOp> called = compile(text, "llvm-cpu"), binary = compile(forBinaries, "npu");

  bool hasOffset = false;
  for (ArrayRef<uint32_t> constants : ArrayRef(sites).take_back(GetParam().numSites)) {
    std::vector<Place> places = getPlaces(function, constants);
    hasOffset |= llvm::any_of(constants, [](uint32_t constant) { return constant != 0; });

    // Buffers hold anything around the tensors, and end where the last tensor ends.
    std::vector<Buffer> buffers(layout.getBindings().size());
    std::mt19937 random(42);
    for (const Place &place : places)
      buffers[place.binding].resize(
          std::max(buffers[place.binding].size(), place.offset + place.bytes));
    for (Buffer &buffer : buffers)
      for (uint8_t &byte : buffer)
        byte = random();
    SmallVector<HostTensor> inputs;
    for (const Place &place : places) {
      if (!place.isRead)
        continue;
      ASSERT_LT(inputs.size(), host->getInputTypes().size());
      const HostTensorType &type = host->getInputTypes()[inputs.size()];
      HostTensor &tensor = inputs.emplace_back(type.elementType, type.shape);
      ASSERT_EQ(tensor.getBytes().size(), place.bytes);
      tensor.fillSmallInts(inputs.size());
      llvm::copy(tensor.getBytes(), buffers[place.binding].begin() + place.offset);
    }
    SmallVector<HostTensor> outputs = unwrap(host->run(inputs));
    std::vector<Buffer> expected = buffers, first = buffers, second = buffers;
    auto output = outputs.begin();
    for (const Place &place : places)
      if (place.isWritten)
        llvm::copy((output++)->getBytes(), expected[place.binding].begin() + place.offset);
    ASSERT_EQ(output, outputs.end());
    ASSERT_NE(expected, buffers);

    runFunction(getVariant(*called), first, constants);
    EXPECT_TRUE(first == expected);
    runBinary(getVariant(*binary), second, constants);
    EXPECT_TRUE(second == expected);
  }
  EXPECT_TRUE(hasOffset);
}

// The result at an offset; both operands; next to a constant offset; changed in place; two operands
// of one binding.
INSTANTIATE_TEST_SUITE_P(
    Corpus, LaunchTest,
    testing::Values(Dispatch{"net_bert_tiny_f32", "forward_dispatch_3", 4},
                    Dispatch{"net_bert_tiny_f32", "forward_dispatch_4", 4},
                    Dispatch{"transformer_encoder_f32", "encoder_dispatch_2", 2},
                    Dispatch{"net_resnet50_nhwc_f32", "predict_dispatch_49", 1},
                    Dispatch{"net_resnet50_nchw_f16", "predict_dispatch_32", 1}),
    [](const testing::TestParamInfo<Dispatch> &info) {
      return std::string(info.param.model) + "_" + info.param.executable;
    });
