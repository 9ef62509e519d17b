//===- SafetensorsFormat.cpp - .safetensors files -------------------------===//
//
// Format: https://github.com/huggingface/safetensors#format. Eight bytes with the size of a JSON
// object, the object, the data.
//
//===----------------------------------------------------------------------===//

#include "NPU/Support/JSON.h"
#include "NPU/Tensor/Parameters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace npu;
using namespace npu::runtime;

namespace {
struct Entry {
  std::optional<ElementType> type; ///< none: one that is not supported
  std::string typeName;
  SmallVector<int64_t> shape;
  uint64_t begin = 0, end = 0;
};

class SafetensorsArchive : public ParameterArchive {
public:
  explicit SafetensorsArchive(std::unique_ptr<MemoryBuffer> contents)
      : contents(std::move(contents)) {}

  Error parse();
  bool contains(StringRef key) const override { return entries.contains(key); }
  Expected<HostTensor> load(StringRef key, ElementType type,
                            ArrayRef<int64_t> shape) const override;

private:
  std::unique_ptr<MemoryBuffer> contents;
  StringRef data;
  StringMap<Entry> entries;
};
} // namespace

static std::optional<ElementType> parseTypeName(StringRef name) {
  return StringSwitch<std::optional<ElementType>>(name)
      .Case("BOOL", ElementType::I1)
      .Cases({"I8", "U8"}, ElementType::I8)
      .Cases({"I16", "U16"}, ElementType::I16)
      .Cases({"I32", "U32"}, ElementType::I32)
      .Cases({"I64", "U64"}, ElementType::I64)
      .Case("F16", ElementType::F16)
      .Case("BF16", ElementType::BF16)
      .Case("F32", ElementType::F32)
      .Case("F64", ElementType::F64)
      .Default(std::nullopt);
}

static Expected<uint64_t> getSize(const json::Value &value, StringRef name) {
  if (std::optional<int64_t> number = value.getAsInteger(); number && *number >= 0)
    return *number;
  return createStringError("tensor '" + name +
                           "': expected non-negative integers as shape and "
                           "data_offsets");
}

static Expected<Entry> parseEntry(StringRef name, const json::Value &value) {
  const json::Object *object = value.getAsObject();
  const json::Array *shape = object ? object->getArray("shape") : nullptr;
  const json::Array *offsets = object ? object->getArray("data_offsets") : nullptr;
  std::optional<StringRef> type = object ? object->getString("dtype") : std::nullopt;
  if (!shape || !offsets || !type || offsets->size() != 2)
    return createStringError("tensor '" + name +
                             "': expected an object with the string 'dtype', the array 'shape' and "
                             "two numbers 'data_offsets'");
  Entry entry;
  entry.typeName = type->str();
  entry.type = parseTypeName(*type);
  for (const json::Value &extent : *shape) {
    Expected<uint64_t> size = getSize(extent, name);
    if (!size)
      return size.takeError();
    entry.shape.push_back(*size);
  }
  for (auto [offset, target] :
       {std::pair(&offsets->front(), &entry.begin), std::pair(&offsets->back(), &entry.end)}) {
    Expected<uint64_t> size = getSize(*offset, name);
    if (!size)
      return size.takeError();
    *target = *size;
  }
  if (!entry.type) // only an error for who loads it; its size is unknown here
    return entry;
  std::optional<int64_t> count = countElements(entry.shape, *entry.type);
  if (!count)
    return createStringError("tensor '" + name + "': the shape is too large");
  uint64_t bytes = *count * getElementByteSize(*entry.type);
  if (entry.end < entry.begin || entry.end - entry.begin != bytes)
    return createStringError("tensor '" + name + "': expected " + Twine(bytes) +
                             " bytes but its data_offsets are " + Twine(entry.begin) + " and " +
                             Twine(entry.end));
  return entry;
}

Error SafetensorsArchive::parse() {
  StringRef file = contents->getBuffer();
  constexpr uint64_t maxHeaderSize = 100'000'000; // the reference implementation's limit
  if (file.size() < 8)
    return createStringError("truncated .safetensors file: expected 8 bytes for the size of the "
                             "header but found " +
                             Twine(file.size()));
  uint64_t headerSize = support::endian::read64le(file.data());
  file = file.drop_front(8);
  if (headerSize > file.size() || headerSize > maxHeaderSize)
    return createStringError("expected a header of at most " +
                             Twine(std::min<uint64_t>(file.size(), maxHeaderSize)) +
                             " bytes but found one of " + Twine(headerSize));
  StringRef header = file.take_front(headerSize);
  data = file.drop_front(headerSize);
  constexpr unsigned maxDepth = 8; // three are needed
  Expected<json::Value> value = parseJSON(header, maxDepth);
  if (!value)
    return createStringError("malformed header: " + toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  if (!object)
    return createStringError("malformed header: expected a JSON object");

  SmallVector<const StringMapEntry<Entry> *> ordered;
  for (const auto &[key, tensor] : *object) {
    StringRef name = key;
    if (name == "__metadata__")
      continue;
    Expected<Entry> entry = parseEntry(name, tensor);
    if (!entry)
      return entry.takeError();
    ordered.push_back(&*entries.try_emplace(name, std::move(*entry)).first);
  }
  llvm::sort(ordered, [](const auto *a, const auto *b) {
    return std::tuple(a->second.begin, a->second.end, a->first()) <
           std::tuple(b->second.begin, b->second.end, b->first());
  });
  uint64_t position = 0;
  for (const StringMapEntry<Entry> *entry : ordered) {
    if (entry->second.begin != position)
      return createStringError("tensor '" + entry->first() + "': expected data at offset " +
                               Twine(position) + ", after the previous tensor, but found " +
                               Twine(entry->second.begin));
    position = entry->second.end;
    if (position < entry->second.begin || position > data.size())
      return createStringError("tensor '" + entry->first() + "': its data ends at offset " +
                               Twine(position) + " but the file has " + Twine(data.size()) +
                               " bytes of data");
  }
  if (position != data.size())
    return createStringError("expected " + Twine(position) + " bytes of data but found " +
                             Twine(data.size()));
  return Error::success();
}

Expected<HostTensor> SafetensorsArchive::load(StringRef key, ElementType type,
                                              ArrayRef<int64_t> shape) const {
  const Entry &entry = entries.find(key)->second;
  if (entry.type != type || ArrayRef(entry.shape) != shape)
    return createStringError(
        "parameter '" + key + "' is a " +
        (entry.type ? getTypeString(*entry.type, entry.shape) : "tensor of " + entry.typeName) +
        " but a " + getTypeString(type, shape) + " was expected");
  StringRef bytes = data.slice(entry.begin, entry.end);
  return HostTensor::create(type, shape,
                            std::vector<uint8_t>(bytes.bytes_begin(), bytes.bytes_end()));
}

Expected<std::unique_ptr<ParameterArchive>>
npu::runtime::createSafetensorsArchive(std::unique_ptr<MemoryBuffer> contents) {
  auto archive = std::make_unique<SafetensorsArchive>(std::move(contents));
  if (Error error = archive->parse())
    return std::move(error);
  return archive;
}
