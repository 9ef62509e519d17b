//===- NamedTensors.cpp - inputs and outputs by name ----------------------===//

#include "NamedTensors.h"

#include "NPU/Tensor/HostTensor.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

StringRef npu::runtime::getDestination(StringRef output) {
  if (output.empty() || StringRef("-@+").contains(output.front()))
    return output;
  for (StringRef separator : {"=@", "=+"})
    if (size_t position = output.find(separator); position != StringRef::npos)
      return output.drop_front(position + 1);
  return output.ends_with("=-") ? output.take_back() : output;
}

/// Whether TensorReader may know what a text means; it says what is wrong with the rest.
static bool isWrittenAsTensor(StringRef text) {
  text = text.trim();
  SmallVector<int64_t> shape;
  llvm::Expected<runtime::ElementType> type = parseTensorType(text.split('=').first.trim(), shape);
  bool hasType = bool(type);
  consumeError(type.takeError());
  auto startsWith = [&](StringRef word) { return text.starts_with_insensitive(word); };
  return hasType || text.empty() || llvm::isDigit(text.front()) ||
         StringRef("@+*-.[(&").contains(text.front()) ||
         any_of(ArrayRef<StringRef>{"random(", "smallints(", "nan", "inf", "true", "false"},
                startsWith);
}

/// Which of `names` a flag starts with, and the text behind it.
static std::pair<std::optional<size_t>, StringRef>
splitName(StringRef flag, ArrayRef<std::string> names, StringRef kind) {
  std::optional<size_t> found;
  size_t length = 0;
  auto tryName = [&](size_t index, StringRef name) {
    if (flag.starts_with(name) && flag.substr(name.size()).starts_with("=") &&
        (!found || name.size() > length)) {
      found = index;
      length = name.size();
    }
  };
  for (auto [index, name] : enumerate(names))
    tryName(index, name);
  for (size_t index = 0; !found && index < names.size(); ++index)
    tryName(index, (kind + Twine(index)).str());
  return {found, found ? flag.drop_front(length + 1) : flag};
}

static std::string listNames(ArrayRef<std::string> names) {
  if (names.empty())
    return "none";
  return join(map_range(names, [](const std::string &name) { return "'" + name + "'"; }), ", ");
}

static llvm::Error makeUsageError(const Twine &message) {
  return llvm::make_error<UsageError>(message.str());
}

/// Orders the values of one flag; `filler` is for those of which nothing is said, null when all
/// must be given.
static llvm::Expected<std::vector<std::string>> orderFlags(ArrayRef<std::string> flags,
                                                           ArrayRef<std::string> names,
                                                           StringRef option, StringRef kind,
                                                           const char *filler) {
  std::vector<std::optional<std::string>> ordered(names.size());
  std::vector<std::string> rest;
  bool hasNames = false;
  for (StringRef flag : flags) {
    auto [index, text] = splitName(flag, names, kind);
    if (!index) {
      rest.push_back(flag.str());
      continue;
    }
    hasNames = true;
    if (ordered[*index])
      return makeUsageError("--" + option + ": " + kind + " '" + names[*index] +
                            "' is given twice");
    ordered[*index] = text.str();
  }
  if (!hasNames)
    return rest;
  auto next = rest.begin();
  std::vector<std::string> result;
  for (auto [name, value] : zip_equal(names, ordered)) {
    if (!value && next != rest.end())
      value = *next++;
    if (!value && !filler)
      return makeUsageError("--" + option + ": " + kind + " '" + name + "' is not given; the " +
                            kind + "s are " + listNames(names));
    result.push_back(value ? *value : filler);
  }
  result.insert(result.end(), next, rest.end());
  return result;
}

llvm::Expected<TensorFlags>
npu::runtime::orderTensorFlags(const RunCommandLine &options,
                               const std::optional<TensorNames> &known) {
  const TensorNames names = known.value_or(TensorNames());
  auto check = [&](StringRef flag, StringRef option, StringRef kind,
                   ArrayRef<std::string> candidates) -> llvm::Error {
    auto [index, text] = splitName(flag, candidates, kind);
    if (isWrittenAsTensor(text))
      return llvm::Error::success();
    std::string prefix = ("--" + option + "=" + flag + ": ").str();
    if (known && !index && text.contains('='))
      return makeUsageError(prefix + "there is no " + kind + " '" + text.split('=').first +
                            "'; the " + kind + "s are " + listNames(candidates));
    return makeUsageError(prefix +
                          "expected a tensor, as in 4x4xf32=1, @file.npy, random(1) or "
                          "smallints(1), also after the " +
                          kind + "'s name and '=', found '" + text + "'");
  };
  for (const std::string &flag : options.inputs)
    if (llvm::Error error = check(flag, "input", "input", names.inputs))
      return std::move(error);
  for (const std::string &flag : options.expectedOutputs)
    if (llvm::Error error = check(flag, "expected_output", "output", names.outputs))
      return std::move(error);
  for (StringRef flag : options.outputs)
    if (auto [index, text] = splitName(flag, names.outputs, "output");
        !index && getDestination(flag) != flag)
      return makeUsageError("--output=" + flag + ": there is no output '" +
                            flag.drop_back(getDestination(flag).size() + 1) +
                            "'; the outputs are " + listNames(names.outputs));
  TensorFlags flags;
  if (llvm::Error error = orderFlags(options.inputs, names.inputs, "input", "input", nullptr)
                              .moveInto(flags.inputs))
    return std::move(error);
  if (llvm::Error error = orderFlags(options.expectedOutputs, names.outputs, "expected_output",
                                     "output", "(ignored)")
                              .moveInto(flags.expectedOutputs))
    return std::move(error);
  if (llvm::Error error = orderFlags(options.outputs, names.outputs, "output", "output", "")
                              .moveInto(flags.outputs))
    return std::move(error);
  return flags;
}
