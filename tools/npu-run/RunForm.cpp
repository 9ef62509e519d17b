//===- RunForm.cpp - runs kernels in the forms of the compiler ------------===//

#include "RunForm.h"

#include "NPU/Interpreter/Interpreter.h"
#include "NPU/Support/EscapeText.h"
#include "NamedTensors.h"
#include "RunOutputs.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;
using llvm::formatv;

bool npu::runtime::isForm(ModuleOp module) {
  return !module.getOps<KernelOp>().empty() &&
         llvm::all_of(module.getOps(), llvm::IsaPred<KernelOp>);
}

/// The kernel to run. Others may be there for it to launch.
static llvm::Expected<KernelOp> chooseKernel(ModuleOp module, StringRef name) {
  SmallVector<KernelOp> kernels;
  std::string names;
  for (KernelOp kernel : module.getOps<KernelOp>()) {
    if (kernel.getSymName() == name)
      return kernel;
    kernels.push_back(kernel);
    names += (names.empty() ? "'" : ", '") + kernel.getSymName().str() + "'";
  }
  if (!name.empty())
    return llvm::createStringError("the module has no kernel '" + name + "', only " + names);
  if (kernels.size() > 1)
    return llvm::createStringError("the module has " + Twine(kernels.size()) +
                                   " kernels: " + names + "; choose one with --function=<name>");
  return kernels.front();
}

static llvm::Expected<SmallVector<HostTensorType>> getTensorTypes(KernelOp kernel,
                                                                  ArrayRef<ShapedType> types) {
  SmallVector<HostTensorType> result;
  for (ShapedType type : types) {
    std::optional<ElementType> element = interpreter::getHostType(type.getElementType());
    if (!type.hasStaticShape() || !element)
      return llvm::createStringError("kernel '" + kernel.getSymName() +
                                     "' has an argument or result that is no tensor or buffer of "
                                     "static shape");
    result.push_back({*element, llvm::to_vector(type.getShape())});
  }
  return result;
}

llvm::Expected<bool> npu::runtime::runForm(ModuleOp module, const RunCommandLine &options) {
  if (llvm::Error error = options.checkFor(RunInput::Kernel))
    return std::move(error);
  if (options.device != Device::NPU)
    return llvm::make_error<UsageError>("a kernel is interpreted as it is; leave out --device");
  llvm::Expected<KernelOp> kernel = chooseKernel(module, options.function);
  if (!kernel)
    return kernel.takeError();
  interpreter::Signature signature = interpreter::getSignature(*kernel);
  llvm::Expected<SmallVector<HostTensorType>> inputTypes =
      getTensorTypes(*kernel, signature.inputs);
  if (!inputTypes)
    return inputTypes.takeError();
  llvm::Expected<SmallVector<HostTensorType>> outputTypes =
      getTensorTypes(*kernel, signature.outputs);
  if (!outputTypes)
    return outputTypes.takeError();
  TensorNames names;
  for (size_t number = 0; number < inputTypes->size(); ++number)
    names.inputs.push_back(formatv("input{0}", number));
  for (size_t number = 0; number < outputTypes->size(); ++number)
    names.outputs.push_back(formatv("output{0}", number));
  llvm::Expected<TensorFlags> flags = orderTensorFlags(options, names);
  if (!flags)
    return flags.takeError();
  llvm::Expected<SmallVector<HostTensor>> inputs =
      makeInputs(flags->inputs, *inputTypes, options.memoryLimit);
  if (!inputs)
    return inputs.takeError();
  llvm::Expected<SmallVector<std::optional<HostTensor>>> wanted =
      readExpectedOutputs(flags->expectedOutputs, *outputTypes);
  if (!wanted)
    return wanted.takeError();

  interpreter::Options limits;
  limits.memoryLimit = options.memoryLimit;
  llvm::Expected<SmallVector<HostTensor>> outputs =
      interpreter::interpret(*kernel, *inputs, limits);
  if (!outputs)
    return outputs.takeError();
  llvm::outs() << formatv("kernel {0} in {1}\n", escapeText(kernel->getSymName()),
                          interpreter::toString(interpreter::getForm(*kernel)));
  bool isAsExpected = true;
  for (auto [number, output] : llvm::enumerate(*outputs)) {
    llvm::outs() << formatv("output{0}: {1}\n", number, output.getTypeString());
    const std::optional<HostTensor> &expected = (*wanted)[number];
    if (!expected)
      continue;
    llvm::Expected<CompareReport> report =
        compare(*expected, output, options.getTolerance().get(output.getElementType()));
    if (!report)
      return report.takeError();
    llvm::outs() << "  expected output: ";
    report->print(llvm::outs());
    isAsExpected &= report->passed;
  }
  OutputFiles files;
  if (llvm::Error error = writeOutputs(*outputs, flags->outputs, options, files))
    return std::move(error);
  if (llvm::Error error = files.commit())
    return std::move(error);
  return isAsExpected;
}
