//===- Program.cpp - compiled models of the C API -------------------------===//

#include "Handles.h"

#include "NPU/Execution/GraphRunner.h"
#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Tensor/Parameters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace llvm;
using namespace npu;
using namespace npu::capi;
using namespace npu::taskgraph;
using runtime::ElementType;
using runtime::HostTensor;

static constexpr std::pair<ElementType, NpuElementType> elementTypes[] = {
    {ElementType::I1, NPU_I1},     {ElementType::I8, NPU_I8},   {ElementType::I16, NPU_I16},
    {ElementType::I32, NPU_I32},   {ElementType::I64, NPU_I64}, {ElementType::F16, NPU_F16},
    {ElementType::BF16, NPU_BF16}, {ElementType::F32, NPU_F32}, {ElementType::F64, NPU_F64}};

NpuElementType capi::toC(ElementType type) {
  return find_if(elementTypes, [&](auto entry) { return entry.first == type; })->second;
}

std::optional<ElementType> capi::fromC(int32_t type) {
  const auto *entry = find_if(elementTypes, [&](auto entry) { return entry.second == type; });
  if (entry == std::end(elementTypes))
    return std::nullopt;
  return entry->first;
}

/// Says how a tensor of the caller is not the `expected`; nothing if it is. Reads no more of its
/// shape than the expected one has, as its rank may be any number.
static std::optional<std::string> findMismatch(const NpuTensor &tensor, const Buffer &expected) {
  std::optional<ElementType> type = fromC(tensor.elementType);
  if (!type)
    return formatv("an element type of number {0}", tensor.elementType).str();
  if (tensor.rank < 0 || size_t(tensor.rank) > expected.shape.size())
    return formatv("a {0} of rank {1}", runtime::getElementTypeName(*type), tensor.rank).str();
  if (tensor.rank > 0 && !tensor.shape)
    return std::string("a shape that is NULL");
  ArrayRef<int64_t> shape(tensor.shape, tensor.rank);
  if (*type == expected.dtype && shape == ArrayRef(expected.shape))
    return std::nullopt;
  return "a " + runtime::getTypeString(*type, shape);
}

/// Checks that a tensor of the caller can be input or output `number`.
static Error checkTensor(const NpuTensor &tensor, const Buffer &buffer, StringRef what,
                         size_t number) {
  std::string expected = "a " + runtime::getTypeString(buffer.dtype, buffer.shape);
  if (std::optional<std::string> found = findMismatch(tensor, buffer))
    return createStringError(
        formatv("{0} {1}: expected {2}, found {3}", what, number, expected, *found).str());
  if (tensor.numBytes != uint64_t(buffer.bytes))
    return createStringError(formatv("{0} {1}: expected {2} bytes for {3}, found {4}", what, number,
                                     buffer.bytes, expected, tensor.numBytes)
                                 .str());
  if (tensor.numBytes > 0)
    return checkPointer(tensor.data, formatv("data of {0} {1}", what, number).str());
  return Error::success();
}

static Error checkTensors(const NpuTensor *tensors, size_t count, const TaskGraph &graph,
                          ArrayRef<Port> ports, StringRef what) {
  if (count != ports.size())
    return make_error<runtime::UsageError>(
        formatv("expected {0} {1}s, found {2}", ports.size(), what, count).str());
  if (count > 0)
    if (Error error = checkPointer(tensors, (what + "s").str()))
      return error;
  for (auto [number, port] : enumerate(ports))
    if (Error error = checkTensor(tensors[number], graph.buffers[port.buffer], what, number))
      return error;
  return Error::success();
}

NpuStatus npuProgramRead(const char *path, NpuProgram **program, char **error) {
  auto read = [&]() -> Error {
    if (Error error = checkPointer(path, "a path"))
      return error;
    if (Error error = checkPointer(program, "a place for the program"))
      return error;
    Expected<TaskGraph> graph = readTaskGraph(path);
    if (!graph)
      return graph.takeError();
    if (Expected<TargetDesc> target = parseTarget(graph->target); !target)
      return createStringError(Twine(path) + ": target: " + toString(target.takeError()));
    *program = new NpuProgram{std::move(*graph)};
    return Error::success();
  };
  return report(read(), error);
}

NpuStatus npuProgramWrite(NpuProgram *program, const char *path, char **error) {
  auto write = [&]() -> Error {
    if (Error error = checkPointer(program, "a program"))
      return error;
    if (Error error = checkPointer(path, "a path"))
      return error;
    return writeTaskGraph(program->graph, path);
  };
  return report(write(), error);
}

void npuProgramFree(NpuProgram *program) { delete program; }

size_t npuProgramGetNumInputs(const NpuProgram *program) {
  return program ? program->graph.inputs.size() : 0;
}

size_t npuProgramGetNumOutputs(const NpuProgram *program) {
  return program ? program->graph.outputs.size() : 0;
}

static Error describePort(const NpuProgram *program, std::vector<Port> TaskGraph::*ports,
                          size_t index, NpuTensor *tensor) {
  if (Error error = checkPointer(program, "a program"))
    return error;
  if (Error error = checkPointer(tensor, "a place for the tensor"))
    return error;
  const std::vector<Port> &all = program->graph.*ports;
  if (index >= all.size())
    return make_error<runtime::UsageError>(
        formatv("expected an index less than {0}, found {1}", all.size(), index).str());
  const Buffer &buffer = program->graph.buffers[all[index].buffer];
  *tensor = {all[index].name.c_str(), buffer.shape.data(), nullptr,
             uint64_t(buffer.bytes),  toC(buffer.dtype),   int32_t(buffer.shape.size())};
  return Error::success();
}

NpuStatus npuProgramGetInput(const NpuProgram *program, size_t index, NpuTensor *tensor,
                             char **error) {
  return report(describePort(program, &TaskGraph::inputs, index, tensor), error);
}

NpuStatus npuProgramGetOutput(const NpuProgram *program, size_t index, NpuTensor *tensor,
                              char **error) {
  return report(describePort(program, &TaskGraph::outputs, index, tensor), error);
}

static Error run(const NpuProgram &program, const NpuOptions &options, const NpuTensor *inputs,
                 const NpuTensor *outputs, char **json) {
  const TaskGraph &graph = program.graph;
  runtime::GraphRunOptions runOptions;
  runOptions.simulator = options.simulator;
  runOptions.taskLimit = options.hostOpLimit;
  runOptions.allowHostCode = program.isOurs || options.allowHostCode;
  if (!runOptions.allowHostCode)
    if (Error error = runtime::refuseHostCode(graph))
      return error;
  if (Error error = runtime::checkMemory(graph, options.simulator.memoryLimit))
    return error;
  runtime::ParameterSet parameters;
  for (const std::string &source : options.parameters)
    if (Error error = parameters.add(source))
      return error;
  runOptions.parameter = [&](StringRef scope, StringRef key, const runtime::HostTensorType &type) {
    return parameters.load(scope, key, type.elementType, type.shape);
  };
  SmallVector<HostTensor> values;
  for (auto [number, port] : enumerate(graph.inputs)) {
    const Buffer &buffer = graph.buffers[port.buffer];
    const auto *bytes = static_cast<const uint8_t *>(inputs[number].data);
    Expected<HostTensor> value = HostTensor::create(
        buffer.dtype, buffer.shape, std::vector<uint8_t>(bytes, bytes + buffer.bytes));
    if (!value)
      return value.takeError();
    values.push_back(std::move(*value));
  }
  runOptions.inputValues = values;
  Expected<runtime::RunReport> result = runtime::runTaskGraph(graph, runOptions);
  if (!result)
    return result.takeError();
  for (auto [number, output] : enumerate(result->outputs)) {
    ArrayRef<uint8_t> bytes = output.value.getBytes();
    if (!bytes.empty())
      std::memcpy(outputs[number].data, bytes.data(), bytes.size());
  }
  if (json)
    *json = copyString(toJSON(*result, graph.target));
  return Error::success();
}

NpuStatus npuProgramRun(NpuProgram *program, const NpuOptions *options, const NpuTensor *inputs,
                        size_t numInputs, const NpuTensor *outputs, size_t numOutputs,
                        char **reportText, char **error) {
  auto checkAndRun = [&]() -> Error {
    if (Error error = checkPointer(program, "a program"))
      return error;
    const TaskGraph &graph = program->graph;
    if (Error error = checkTensors(inputs, numInputs, graph, graph.inputs, "input"))
      return error;
    if (Error error = checkTensors(outputs, numOutputs, graph, graph.outputs, "output"))
      return error;
    return run(*program, getOptions(options), inputs, outputs, reportText);
  };
  return report(checkAndRun(), error);
}
