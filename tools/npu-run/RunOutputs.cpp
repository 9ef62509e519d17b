//===- RunOutputs.cpp - what becomes of a run's outputs -------------------===//

#include "RunOutputs.h"

#include "NPU/Tensor/TensorReader.h"
#include "NamedTensors.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

/// As iree-run-module prints tensors: `2x2xf32=[1 2][3 4]`.
static void printTensor(const HostTensor &value, int64_t limit) {
  // Elements between brackets, of every dimension but the first.
  SmallVector<int64_t> sizes;
  int64_t size = 1;
  for (int64_t extent : reverse(value.getShape().drop_front(value.getShape().empty() ? 0 : 1)))
    sizes.push_back(size *= extent);
  llvm::outs() << value.getTypeString() << "=";
  // As many digits as tell any two numbers apart.
  int digits = value.getElementType() == runtime::ElementType::F64 ? 17 : 9;
  int64_t count = std::min(limit, value.getNumElements());
  for (int64_t i = 0; i < count; ++i) {
    int64_t opened = count_if(sizes, [&](int64_t size) { return i % size == 0; });
    llvm::outs() << (i && !opened ? " " : "") << std::string(opened, '[');
    if (isFloat(value.getElementType()))
      llvm::outs() << formatv("{0}", llvm::format("%.*g", digits, value.getFloat(i)));
    else
      llvm::outs() << value.getInt(i);
    llvm::outs() << std::string(count_if(sizes, [&](int64_t size) { return (i + 1) % size == 0; }),
                                ']');
  }
  llvm::outs() << (count < value.getNumElements() ? " ...\n" : "\n");
}

llvm::Error npu::runtime::checkDestinations(const RunCommandLine &options) {
  for (StringRef output : options.outputs) {
    StringRef destination = getDestination(output);
    if (destination.empty() || destination == "-")
      continue;
    if (!destination.starts_with("@") && !destination.starts_with("+"))
      return llvm::make_error<UsageError>(
          ("expected nothing, -, @file or +file for --output, found '" + destination + "'").str());
    if (StringRef path = destination.drop_front(); !path.ends_with(".npy") && !isRawFileName(path))
      return llvm::make_error<UsageError>(
          ("expected a file that ends in .npy or, for raw bytes, .bin for --output, found '" +
           destination + "'")
              .str());
    if (llvm::Error error =
            OutputFiles::check(destination.drop_front(), OutputFiles::Inputs::Replace))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error npu::runtime::writeOutputs(ArrayRef<HostTensor> values,
                                       ArrayRef<std::string> destinations,
                                       const RunCommandLine &options, OutputFiles &files) {
  if (destinations.size() > values.size())
    return llvm::make_error<UsageError>(
        llvm::formatv("expected --output for {0} outputs, found {1}", values.size(),
                      destinations.size())
            .str());
  for (auto [value, destination] : zip(values, destinations)) {
    StringRef path = destination;
    if (path.empty())
      continue;
    if (path == "-") {
      printTensor(value, options.maxPrintedElements);
      continue;
    }
    bool isAppended = path.starts_with("+");
    path = path.drop_front();
    std::string npy = path.ends_with(".npy") ? encodeNpy(value) : std::string();
    StringRef contents = npy.empty() ? toStringRef(value.getBytes()) : StringRef(npy);
    constexpr auto inputs = OutputFiles::Inputs::Replace;
    if (llvm::Error error =
            isAppended ? files.append(path, contents, inputs) : files.write(path, contents, inputs))
      return error;
  }
  return llvm::Error::success();
}
