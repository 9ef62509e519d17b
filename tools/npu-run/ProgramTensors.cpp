//===- ProgramTensors.cpp - a program's inputs and outputs ----------------===//

#include "ProgramTensors.h"

#include "NamedTensors.h"

#include "NPU/Tensor/TensorReader.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

namespace {
/// The element types that transfers have for a region.
class RegionTypes {
public:
  explicit RegionTypes(int64_t region) : region(region) {}

  void operator()(const isa::DmaLoad &load) { add(load.from); }
  void operator()(const isa::DmaGather &gather) { add(gather.from); }
  void operator()(const isa::DmaStore &store) { add(store.to); }
  template <typename Other>
  void operator()(const Other &) {}

  /// The only one whose elements fill the region, or else bytes.
  HostTensorType get(int64_t bytes) const {
    HostTensorType type{runtime::ElementType::I8, {bytes}};
    if (!only || isSeveral || bytes % isa::getByteSize(*only) != 0)
      return type;
    return {*parseElementType(isa::toString(*only)), {bytes / isa::getByteSize(*only)}};
  }

private:
  void add(const isa::DramSide &side) {
    if (side.region != region)
      return;
    isSeveral |= only && *only != side.type;
    only = side.type;
  }

  int64_t region;
  std::optional<isa::ElementType> only;
  bool isSeveral = false;
};
} // namespace

static HostTensorType getType(const isa::Program &program, int64_t region) {
  RegionTypes types(region);
  for (const isa::Stream &stream : program.streams)
    for (const isa::Instruction &instruction : stream.code)
      std::visit(types, instruction);
  return types.get(program.regions[region].bytes);
}

/// Reads a tensor for a region. A file or a specification that says a type may say any.
static llvm::Expected<SmallVector<HostTensor>> readTensor(TensorReader &reader,
                                                          StringRef specification,
                                                          ElementType elementType,
                                                          ArrayRef<int64_t> shape) {
  SmallVector<int64_t> stated;
  llvm::Expected<ElementType> own = parseTensorType(specification.split('=').first.trim(), stated);
  bool isTyped = bool(own) || specification.find_first_of("@+*") == 0;
  if (!own)
    consumeError(own.takeError());
  TensorReader::Type type{elementType, shape};
  return reader.read(specification, isTyped ? nullptr : &type);
}

static llvm::Expected<SmallVector<HostTensor>> readRegions(const RunCommandLine &options,
                                                           ArrayRef<std::string> specifications,
                                                           ArrayRef<HostTensorType> types) {
  if (specifications.size() > types.size())
    return llvm::make_error<UsageError>(
        llvm::formatv("expected --input for {0} inputs of the program, found {1}", types.size(),
                      specifications.size())
            .str());
  if (areForAllInputs(specifications)) {
    llvm::Expected<SmallVector<HostTensor>> made =
        makeInputs(specifications, types, options.memoryLimit);
    if (!made)
      return llvm::createStringError(options.getPath() + ": " + toString(made.takeError()));
    return made;
  }
  TensorReader reader;
  SmallVector<HostTensor> inputs;
  for (StringRef specification : specifications) {
    if (inputs.size() >= types.size())
      return llvm::createStringError(
          llvm::formatv("expected {0} inputs of the program, found more", types.size()).str());
    const HostTensorType &type = types[inputs.size()];
    llvm::Expected<SmallVector<HostTensor>> input =
        readTensor(reader, specification, type.elementType, type.shape);
    if (!input)
      return input.takeError();
    append_range(inputs, *input);
  }
  return inputs;
}

static llvm::Expected<SmallVector<std::optional<HostTensor>>>
readExpected(ArrayRef<std::string> specifications, ArrayRef<HostTensor> outputs) {
  SmallVector<std::optional<HostTensor>> expected;
  if (specifications.size() > outputs.size())
    return llvm::make_error<UsageError>(
        llvm::formatv("expected --expected_output for {0} outputs of the program, found {1}",
                      outputs.size(), specifications.size())
            .str());
  TensorReader reader;
  for (StringRef specification : specifications) {
    if (specification.trim() == "(ignored)") {
      expected.push_back(std::nullopt);
      continue;
    }
    unsigned number = expected.size();
    if (number >= outputs.size())
      break;
    const HostTensor &output = outputs[number];
    llvm::Expected<SmallVector<HostTensor>> read =
        readTensor(reader, specification, output.getElementType(), output.getShape());
    if (!read)
      return createStringError("expected output " + Twine(number) + ": " +
                               toString(read.takeError()));
    for (HostTensor &tensor : *read)
      expected.push_back(std::move(tensor));
  }
  if (!specifications.empty() && expected.size() != outputs.size())
    return llvm::createStringError(
        llvm::formatv("expected --expected_output for {0} outputs of the program, found {1}",
                      outputs.size(), expected.size())
            .str());
  for (auto [number, tensor] : enumerate(expected))
    if (tensor && tensor->getBytes().size() != outputs[number].getBytes().size())
      return llvm::createStringError(
          llvm::formatv("expected output {0}: expected a tensor of {1} bytes, as its "
                        "region has, but found a {2}, which has {3}",
                        number, outputs[number].getBytes().size(), tensor->getTypeString(),
                        tensor->getBytes().size())
              .str());
  return expected;
}

llvm::Expected<ProgramTensors> ProgramTensors::read(const isa::Program &program,
                                                    const RunCommandLine &options) {
  ProgramTensors tensors;
  SmallVector<HostTensorType> inputTypes;
  TensorNames names;
  for (auto [number, region] : llvm::enumerate(program.regions)) {
    HostTensorType type = getType(program, number);
    if (isa::isOutput(region.kind)) {
      tensors.outputTypes.push_back(HostTensor(type.elementType, type.shape));
      names.outputs.push_back(region.name);
    }
    if (isa::isInput(region.kind)) {
      inputTypes.push_back(std::move(type));
      names.inputs.push_back(region.name);
    }
  }
  llvm::Expected<TensorFlags> flags = orderTensorFlags(options, names);
  if (!flags)
    return flags.takeError();
  tensors.destinations = std::move(flags->outputs);
  if (llvm::Error error = readRegions(options, flags->inputs, inputTypes).moveInto(tensors.inputs))
    return std::move(error);
  if (llvm::Error error =
          readExpected(flags->expectedOutputs, tensors.outputTypes).moveInto(tensors.expected))
    return std::move(error);
  for (auto [type, wanted] : zip(tensors.outputTypes, tensors.expected))
    if (wanted)
      type = HostTensor(wanted->getElementType(), wanted->getShape());
  return tensors;
}

llvm::Expected<bool> ProgramTensors::compareWithExpected(MutableArrayRef<HostTensor> outputs,
                                                         const ExpectedTolerance &tolerance) const {
  bool isAsExpected = true;
  for (auto [number, wanted] : enumerate(expected)) {
    if (!wanted)
      continue;
    llvm::Expected<CompareReport> report =
        compare(*wanted, outputs[number], tolerance.get(wanted->getElementType()));
    if (!report)
      return report.takeError();
    llvm::outs() << llvm::formatv("output{0}: {1}\n  expected output: ", number,
                                  wanted->getTypeString());
    report->print(llvm::outs());
    isAsExpected &= report->passed;
  }
  return isAsExpected;
}
