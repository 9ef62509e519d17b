//===- IREEHook.cpp - IREE's executables compiled for the NPU -------------===//

#include "NPU/Hook/IREEHook.h"

#include "CompileDispatch.h"
#include "HostObject.h"
#include "NPU/Support/EscapeText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace npu;
using namespace npu::hook;

namespace {
struct EntryPoint {
  hal::ExecutableExportOp exportOp;
  func::FuncOp func;
  CompiledDispatch dispatch;
};
} // namespace

/// Whether IREE compiles the variant to code of a CPU, which calls the NPU. It takes the code of
/// all other back ends as it is.
static bool runsOnCPU(hal::ExecutableVariantOp variant) {
  return variant.getTarget().getBackend() == "llvm-cpu";
}

static hal::ExecutableObjectAttr createObject(MLIRContext *context, const Twine &path,
                                              ArrayRef<char> bytes) {
  auto type = VectorType::get(bytes.size(), IntegerType::get(context, 8));
  return hal::ExecutableObjectAttr::get(
      context, StringAttr::get(context, path),
      cast<TypedAttr>(Attribute(
          DenseElementsAttr::get(type, ArrayRef((const int8_t *)bytes.data(), bytes.size())))));
}

static void addObjects(hal::ExecutableVariantOp variant, ArrayRef<Attribute> added) {
  SmallVector<Attribute> objects;
  if (ArrayAttr present = variant.getObjectsAttr())
    objects.append(present.begin(), present.end());
  objects.append(added.begin(), added.end());
  variant.setObjectsAttr(ArrayAttr::get(variant.getContext(), objects));
}

/// The NPU distributes its work itself, so there is one workgroup. Nothing else of the region
/// could be lowered when there is no code to compile.
static void setSingleWorkgroup(hal::ExecutableExportOp exportOp) {
  if (exportOp.getWorkgroupCount().empty())
    return;
  Block &block = exportOp.getWorkgroupCount().front();
  Location loc = block.back().getLoc();
  while (!block.empty())
    block.back().erase();
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  hal::ReturnOp::create(builder, loc, {one, one, one});
}

static std::string getLaunchName(hal::ExecutableExportOp exportOp) {
  return (exportOp.getSymName() + "_npu").str();
}

/// Clones into the block of `builder` what the buffers' offsets are computed with, as it is written
/// in `block`. Returns the offsets.
static SmallVector<Value> cloneOffsets(Block &block, ArrayRef<BufferRange> buffers,
                                       OpBuilder &builder) {
  auto subspans = llvm::to_vector(block.getOps<hal::InterfaceBindingSubspanOp>());
  llvm::SmallPtrSet<Operation *, 16> needed;
  SmallVector<Value> offsets;
  for (const BufferRange &range : buffers) {
    offsets.push_back(subspans[range.subspan].getByteOffset());
    if (offsets.back())
      needed.insert(offsets.back().getDefiningOp());
  }
  for (Operation &op : llvm::reverse(block))
    if (needed.contains(&op))
      for (Value operand : op.getOperands())
        needed.insert(operand.getDefiningOp());
  IRMapping mapping;
  for (Operation &op : block)
    if (needed.contains(&op))
      builder.clone(op, mapping);
  for (Value &offset : offsets)
    offset = offset ? mapping.lookup(offset)
                    : arith::ConstantIndexOp::create(builder, block.back().getLoc(), 0).getResult();
  return offsets;
}

/// Makes the function of an entry point call the launching function of its object.
static void callLauncher(EntryPoint &entry) {
  func::FuncOp func = entry.func;
  hal::PipelineLayoutAttr layout = entry.exportOp.getLayout();
  Location loc = func.getLoc();
  Region code;
  code.takeBody(func.getBody());
  OpBuilder builder = OpBuilder::atBlockEnd(func.addEntryBlock());
  auto bytes = MemRefType::get({}, builder.getI8Type());
  SmallVector<Value> operands;
  SmallVector<Value> offsets = cloneOffsets(code.front(), entry.dispatch.buffers, builder);
  for (auto [range, offset] : llvm::zip(entry.dispatch.buffers, offsets)) {
    hal::DescriptorFlags flags = layout.getBindings()[range.binding].getFlags();
    auto base = hal::InterfaceBindingSubspanOp::create(
        builder, loc, bytes, layout, builder.getIndexAttr(range.binding), /*byte_offset=*/Value(),
        /*dynamic_dims=*/ValueRange(), /*alignment=*/IntegerAttr(),
        flags == hal::DescriptorFlags::None
            ? hal::DescriptorFlagsAttr()
            : hal::DescriptorFlagsAttr::get(builder.getContext(), flags));
    operands.append({base, offset});
  }
  func::CallOp::create(builder, loc, getLaunchName(entry.exportOp), TypeRange(), operands);
  func::ReturnOp::create(builder, loc);

  builder.setInsertionPoint(func);
  auto launcher =
      func::FuncOp::create(builder, loc, getLaunchName(entry.exportOp),
                           builder.getFunctionType(ValueRange(operands).getTypes(), {}));
  launcher.setPrivate();
  launcher->setAttr("hal.import.static", builder.getUnitAttr());
  launcher->setAttr("llvm.bareptr", builder.getBoolAttr(true));
}

/// Keeps the module, whose functions launch the programs of objects that are linked to it.
static LogicalResult replaceByCalls(hal::ExecutableVariantOp variant,
                                    MutableArrayRef<EntryPoint> entries, StringRef driver) {
  hal::ExecutableTargetAttr target = variant.getTarget();
  auto triple = target.getConfiguration()
                    ? target.getConfiguration().getAs<StringAttr>("target_triple")
                    : StringAttr();
  if (!triple)
    return variant.emitOpError("expected a 'target_triple' in the configuration of ") << target;
  SmallVector<Attribute> objects;
  for (EntryPoint &entry : entries) {
    std::string name = getLaunchName(entry.exportOp);
    llvm::Expected<llvm::SmallVector<char>> object = createHostObject(
        entry.dispatch.program, name, entry.dispatch.buffers.size(), triple.getValue());
    if (!object)
      return variant.emitOpError() << llvm::toString(object.takeError());
    objects.push_back(createObject(variant.getContext(), name + ".o", *object));
  }
  MLIRContext *context = variant.getContext();
  objects.push_back(
      hal::ExecutableObjectAttr::get(context, StringAttr::get(context, driver), TypedAttr()));
  for (EntryPoint &entry : entries)
    callLauncher(entry);
  addObjects(variant, objects);
  return success();
}

/// Drops the module: IREE takes the programs as they are.
static void replaceByPrograms(hal::ExecutableVariantOp variant,
                              MutableArrayRef<EntryPoint> entries) {
  SmallVector<Attribute> objects;
  for (EntryPoint &entry : entries) {
    ArrayRef<uint8_t> bytes = entry.dispatch.program;
    objects.push_back(createObject(variant.getContext(), entry.exportOp.getSymName() + ".npub",
                                   ArrayRef((const char *)bytes.data(), bytes.size())));
  }
  variant.getInnerModule().erase();
  addObjects(variant, objects);
}

/// Compiles the entry points of one variant; all of them, or none.
static LogicalResult compileVariant(hal::ExecutableVariantOp variant, const HookOptions &options,
                                    HookResult &result) {
  ModuleOp module = variant.getInnerModule();
  if (!module) {
    result.log.push_back(
        llvm::formatv("Variant @{0} has no code, left as it is", variant.getSymName()));
    return success();
  }
  SmallVector<EntryPoint> entries;
  bool isSupported = true;
  for (auto exportOp : variant.getOps<hal::ExecutableExportOp>()) {
    auto func = module.lookupSymbol<func::FuncOp>(exportOp.getSymName());
    if (!func)
      return exportOp.emitOpError("expected a func.func of this name in the module of the variant");
    FailureOr<CompiledDispatch> dispatch = compileDispatch(func, options.target);
    if (failed(dispatch))
      return failure();
    if (!dispatch->refusal.empty()) {
      result.unsupported.push_back(llvm::formatv("Dispatch @{0} not supported: {1}",
                                                 exportOp.getSymName(), dispatch->refusal));
      result.log.push_back(result.unsupported.back());
      isSupported = false;
    }
    entries.push_back({exportOp, func, std::move(*dispatch)});
  }
  if (!isSupported)
    return success();
  for (EntryPoint &entry : entries)
    result.log.push_back(llvm::formatv("Dispatch @{0} compiled for {1}: {2} bytes",
                                       entry.exportOp.getSymName(), options.target,
                                       entry.dispatch.program.size()));
  if (runsOnCPU(variant)) {
    if (failed(replaceByCalls(variant, entries, options.driver)))
      return failure();
  } else {
    replaceByPrograms(variant, entries);
  }
  for (EntryPoint &entry : entries)
    setSingleWorkgroup(entry.exportOp);
  result.isChanged = true;
  return success();
}

FailureOr<HookResult> npu::hook::compileExecutable(hal::ExecutableOp executable,
                                                   const HookOptions &options) {
  HookResult result;
  bool isOurs = false;
  for (auto variant : executable.getOps<hal::ExecutableVariantOp>()) {
    if (variant.getTarget().getBackend() != options.backend)
      continue;
    isOurs = true;
    if (failed(compileVariant(variant, options, result)))
      return failure();
  }
  if (!isOurs)
    result.log.push_back(llvm::formatv("Executable @{0} has no variant for '{1}', left as it is",
                                       executable.getSymName(), options.backend));
  return result;
}

llvm::Error npu::hook::appendLog(StringRef path, ArrayRef<std::string> lines) {
  if (path.empty())
    return llvm::Error::success();
  std::error_code error;
  llvm::raw_fd_ostream os(path, error, llvm::sys::fs::CD_OpenAlways, llvm::sys::fs::FA_Write,
                          llvm::sys::fs::OF_Append);
  if (!error) {
    // One write, so that the lines of several processes do not mix.
    os.SetUnbuffered();
    os << llvm::join(llvm::map_range(lines, escapeText), "\n") + "\n";
    error = os.error();
    os.clear_error();
  }
  if (error)
    return llvm::createStringError(error,
                                   "cannot write the log to '" + path + "': " + error.message());
  return llvm::Error::success();
}
