//===- Replacements.cpp - what is run in the place of dispatches ----------===//

#include "NPU/Execution/Replacements.h"

#include "NPU/Support/InputFile.h"
#include "NPU/Target/Translate/Translate.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;
using llvm::formatv;

static llvm::Error makeError(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// Whether `name` is a dispatch's: its number, with or without #, or that of its function.
static bool isNamed(const ReplaceableDispatch &dispatch, StringRef name) {
  unsigned number;
  StringRef digits = name;
  digits.consume_front("#");
  if (!digits.getAsInteger(10, number))
    return number == dispatch.index;
  ReplaceableDispatch known = dispatch;
  return known.function.getSymName() == name;
}

static std::string describe(ArrayRef<ReplaceableDispatch> dispatches) {
  std::string names;
  for (ReplaceableDispatch dispatch : dispatches)
    names += formatv("{0}#{1} ({2})", names.empty() ? "" : ", ", dispatch.index,
                     dispatch.function.getSymName());
  return names.empty() ? "none" : names;
}

/// `64 bytes, 128 bytes`, or `16xf32, …` where types are known.
template <typename Sizes>
static std::string describeSizes(const Sizes &sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  return text.empty() ? "none" : text;
}

/// Bytes of what a program is given and gives, in its regions' order.
static SmallVector<int64_t> getSizes(const isa::Program &program,
                                     bool (*isWanted)(isa::RegionKind)) {
  SmallVector<int64_t> sizes;
  for (const isa::Region &region : program.regions)
    if (isWanted(region.kind))
      sizes.push_back(region.bytes);
  return sizes;
}

static llvm::Error checkInterface(const isa::Program &program, const isa::Program &own) {
  if (!areCompatibleTargets(program.target, own.target))
    return makeError(formatv("is for target {0}, expected {1}; say --target={0} to compile the "
                             "other dispatches for it, too",
                             program.target, own.target));
  for (auto [what, isWanted] :
       {std::pair("input", &isa::isInput), std::pair("output", &isa::isOutput)})
    if (getSizes(program, isWanted) != getSizes(own, isWanted))
      return makeError(
          formatv("has {0} regions of other sizes than the dispatch, expected {1} bytes "
                  "but found {2}",
                  what, describeSizes(getSizes(own, isWanted)),
                  describeSizes(getSizes(program, isWanted))));
  return llvm::Error::success();
}

/// The kernel of `module` that is meant: the one of the function's name, or the only one.
static llvm::Expected<KernelOp> findKernel(ModuleOp module, StringRef name) {
  SmallVector<KernelOp> kernels = llvm::to_vector(module.getOps<KernelOp>());
  for (KernelOp kernel : kernels)
    if (kernel.getSymName() == name)
      return kernel;
  if (kernels.size() == 1)
    return kernels.front();
  if (kernels.empty())
    return makeError("has no npu.kernel; expected one in tensor form, tile form or planned form");
  std::string names;
  for (KernelOp kernel : kernels)
    names += (names.empty() ? "'" : ", '") + kernel.getSymName().str() + "'";
  return makeError("has no kernel '" + name + "', only " + names);
}

static llvm::Expected<KernelLevels> readForm(StringRef path, StringRef contents,
                                             func::FuncOp function, StringRef target) {
  ParserConfig config(function.getContext());
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(contents, config, path);
  if (!module)
    return makeError("is not a form that can be read");
  llvm::Expected<KernelOp> kernel = findKernel(*module, function.getSymName());
  if (!kernel)
    return kernel.takeError();
  TargetAttr attr = kernel->getTargetAttr();
  if (!attr || attr.getName().getValue() != target)
    return makeError(formatv("is for target {0}, expected {1}",
                             attr ? attr.getName().getValue() : "none", target));
  for (Type type : llvm::concat<const Type>(kernel->getArgumentTypes(), kernel->getResultTypes()))
    if (auto shaped = dyn_cast<ShapedType>(type); !shaped || !shaped.hasStaticShape())
      return makeError("has arguments that are no tensors or buffers of static shape");
  OwningOpRef<ModuleOp> alone = ModuleOp::create(module->getLoc());
  OpBuilder::atBlockEnd(alone->getBody()).clone(*kernel->getOperation());
  return KernelLevels::compile(std::move(alone));
}

static llvm::Expected<std::shared_ptr<const Replacement>>
read(const ReplacementRequest &request, func::FuncOp function, DispatchCompiler &compiler) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInput(request.path);
  if (!buffer)
    return buffer.takeError();
  FailureOr<const CompiledProgram *> own = compiler.getProgram(function);
  if (failed(own))
    return makeError("replaces '" + function.getSymName() + "', which was not compiled");
  auto replacement = std::make_shared<Replacement>();
  replacement->path = request.path;
  if (request.isProgram) {
    llvm::Expected<isa::Program> program =
        readProgram(llvm::MemoryBufferRef((*buffer)->getBuffer(), request.path));
    if (!program)
      return program.takeError();
    replacement->levels = KernelLevels::get(std::move(*program));
  } else {
    llvm::Expected<KernelLevels> levels =
        readForm(request.path, (*buffer)->getBuffer(), function, compiler.getTarget());
    if (!levels)
      return levels.takeError();
    replacement->levels = std::move(*levels);
  }
  if (llvm::Error error = checkInterface(replacement->levels.getProgram(), (*own)->code))
    return std::move(error);
  return replacement;
}

llvm::Expected<std::map<unsigned, std::shared_ptr<const Replacement>>>
npu::runtime::readReplacements(ArrayRef<ReplacementRequest> requests,
                               ArrayRef<ReplaceableDispatch> dispatches,
                               DispatchCompiler &compiler) {
  std::map<unsigned, std::shared_ptr<const Replacement>> replacements;
  for (const ReplacementRequest &request : requests) {
    std::shared_ptr<const Replacement> replacement;
    for (const ReplaceableDispatch &dispatch : dispatches) {
      if (!isNamed(dispatch, request.name))
        continue;
      if (!replacement) {
        llvm::Expected<std::shared_ptr<const Replacement>> made =
            read(request, dispatch.function, compiler);
        if (!made) {
          std::string message = llvm::toString(made.takeError());
          // Errors of parsers begin with the file.
          return makeError(StringRef(message).starts_with(request.path + ":")
                               ? message
                               : request.path + ": " + message);
        }
        replacement = std::move(*made);
      }
      replacements[dispatch.index] = replacement;
    }
    if (!replacement)
      return makeError("the NPU runs no dispatch '" + request.name + "' that " + request.path +
                       " could replace; there are: " + describe(dispatches));
  }
  return replacements;
}
