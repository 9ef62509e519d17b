//===- IrpaFormat.cpp - IREE's parameter archives -------------------------===//
//
// Format: IREE's runtime/src/iree/schemas/parameter_archive.h. A chain of headers; each has a table
// of entries, a segment of names and a segment of data, at offsets from the header.
//
//===----------------------------------------------------------------------===//

#include "NPU/Tensor/Parameters.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace llvm;
using namespace npu::runtime;
using namespace llvm::support::endian;

namespace {
/// Of the fields below, in bytes; IREE's structs are packed.
constexpr size_t prefixSize = 32, headerSize = 88, entryHeaderSize = 60, splatSize = 85,
                 dataSize = 76;
/// Entries that one file may have, over all of its headers, which may share their tables.
constexpr uint64_t maxEntries = uint64_t(1) << 20;

enum EntryType : uint32_t { Skip = 0, Splat = 1, Data = 2, External = 3 };

/// Bytes, repeated until `length` is reached.
struct Parameter {
  StringRef bytes;
  uint64_t length = 0;
};

class IrpaArchive : public ParameterArchive {
public:
  explicit IrpaArchive(std::unique_ptr<MemoryBuffer> contents) : contents(std::move(contents)) {}

  Error parse();
  bool contains(StringRef key) const override { return parameters.contains(key); }
  Expected<HostTensor> load(StringRef key, ElementType type,
                            ArrayRef<int64_t> shape) const override;

private:
  Error parseHeader(StringRef file);
  Error parseEntry(StringRef entry, StringRef names, StringRef storage);

  std::unique_ptr<MemoryBuffer> contents;
  StringMap<Parameter> parameters;
  uint64_t numEntries = 0;
};
} // namespace

/// The bytes that a pair of offset and length at `range` selects from `segment`.
static Expected<StringRef> getRange(StringRef segment, const char *range, StringRef what) {
  uint64_t offset = read64le(range), length = read64le(range + 8);
  // IREE leaves the offset of an empty range open.
  if (length == 0)
    return StringRef();
  if (offset > segment.size() || length > segment.size() - offset)
    return createStringError(what + " has " + Twine(length) + " bytes at offset " + Twine(offset) +
                             ", outside of the " + Twine(segment.size()) + " bytes there are");
  return segment.substr(offset, length);
}

Error IrpaArchive::parseEntry(StringRef entry, StringRef names, StringRef storage) {
  uint32_t type = read32le(entry.data() + 8);
  if (type == Skip)
    return Error::success();
  Expected<StringRef> name = getRange(names, entry.data() + 20, "the name of an entry");
  if (!name)
    return name.takeError();
  auto [parameter, isNew] = parameters.try_emplace(*name);
  if (!isNew)
    return createStringError("parameter '" + *name + "' occurs twice");
  auto checkSize = [&](size_t expected) -> Error {
    if (entry.size() >= expected)
      return Error::success();
    return createStringError("expected an entry of " + Twine(expected) + " bytes for parameter '" +
                             *name + "' but found " + Twine(entry.size()));
  };
  if (type == Splat) {
    if (Error error = checkSize(splatSize))
      return error;
    uint64_t length = read64le(entry.data() + 60);
    size_t patternLength = static_cast<uint8_t>(entry[84]);
    if (patternLength > 16 || !isPowerOf2_64(patternLength) || length % patternLength != 0)
      return createStringError("expected a pattern of 1, 2, 4, 8 or 16 bytes that divides the " +
                               Twine(length) + " bytes of parameter '" + *name +
                               "' but found one of " + Twine(patternLength));
    parameter->second = {entry.substr(68, patternLength), length};
    return Error::success();
  }
  if (type == Data) {
    if (Error error = checkSize(dataSize))
      return error;
    Expected<StringRef> bytes =
        getRange(storage, entry.data() + 60, "the data of parameter '" + name->str() + "'");
    if (!bytes)
      return bytes.takeError();
    parameter->second = {*bytes, bytes->size()};
    return Error::success();
  }
  if (type == External)
    return createStringError("parameter '" + *name +
                             "' is in another file, which is not supported; pack the archive");
  return createStringError("expected an entry of type 0, 1 or 2 but found type " + Twine(type));
}

/// `file` starts with the header, from which all offsets count.
Error IrpaArchive::parseHeader(StringRef file) {
  unsigned minor = read16le(file.data() + 6);
  uint64_t size = read64le(file.data() + 8);
  if (minor > 0)
    return createStringError("expected version 0.0 but found version 0." + Twine(minor));
  if (size != headerSize || file.size() < headerSize)
    return createStringError("expected a header of " + Twine(headerSize) + " bytes but found " +
                             Twine(size) + " with " + Twine(file.size()) + " bytes left");
  uint64_t count = read64le(file.data() + 32);
  Expected<StringRef> entries = getRange(file, file.data() + 40, "the table of entries");
  if (!entries)
    return entries.takeError();
  Expected<StringRef> names = getRange(file, file.data() + 56, "the segment of names");
  if (!names)
    return names.takeError();
  Expected<StringRef> storage = getRange(file, file.data() + 72, "the segment of data");
  if (!storage)
    return storage.takeError();
  if (count > maxEntries - numEntries)
    return createStringError("expected at most " + Twine(maxEntries) + " entries but found " +
                             Twine(count));
  numEntries += count;

  StringRef rest = *entries;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t entrySize = rest.size() < entryHeaderSize ? 0 : read64le(rest.data());
    if (entrySize < entryHeaderSize || entrySize > rest.size())
      return createStringError("entry " + Twine(i) + " of " + Twine(count) + " says it has " +
                               Twine(entrySize) + " bytes, expected " + Twine(entryHeaderSize) +
                               " to the " + Twine(rest.size()) + " that are left in the table");
    if (Error error = parseEntry(rest.take_front(entrySize), *names, *storage))
      return error;
    rest = rest.drop_front(std::min<uint64_t>(alignTo(entrySize, 16), rest.size()));
  }
  return Error::success();
}

Error IrpaArchive::parse() {
  StringRef file = contents->getBuffer();
  while (true) {
    if (file.size() < prefixSize)
      return createStringError("truncated parameter archive: expected a header of " +
                               Twine(headerSize) + " bytes but found " + Twine(file.size()));
    if (!file.starts_with("IRPA"))
      return createStringError("not a parameter archive: the magic number 'IRPA' is missing");
    // Headers of later versions may be skipped, but what they hold would be missed.
    if (unsigned major = read16le(file.data() + 4))
      return createStringError("expected version 0 but found version " + Twine(major));
    if (Error error = parseHeader(file))
      return error;
    uint64_t next = read64le(file.data() + 16);
    if (next == 0)
      return Error::success();
    if (next < headerSize || next > file.size())
      return createStringError("the next header is at offset " + Twine(next) + ", expected " +
                               Twine(headerSize) + " to " + Twine(file.size()));
    file = file.drop_front(next);
  }
}

Expected<HostTensor> IrpaArchive::load(StringRef key, ElementType type,
                                       ArrayRef<int64_t> shape) const {
  const Parameter &parameter = parameters.find(key)->second;
  std::optional<int64_t> count = countElements(shape, type);
  uint64_t bytes = count.value_or(0) * getElementByteSize(type);
  if (parameter.length != bytes)
    return createStringError("expected " + Twine(bytes) + " bytes for parameter '" + key +
                             "' but found " + Twine(parameter.length));
  std::vector<uint8_t> data(bytes);
  for (uint64_t i = 0; i < bytes; i += parameter.bytes.size())
    std::memcpy(&data[i], parameter.bytes.data(), parameter.bytes.size());
  return HostTensor::create(type, shape, std::move(data));
}

Expected<std::unique_ptr<ParameterArchive>>
npu::runtime::createIrpaArchive(std::unique_ptr<MemoryBuffer> contents) {
  auto archive = std::make_unique<IrpaArchive>(std::move(contents));
  if (Error error = archive->parse())
    return std::move(error);
  return archive;
}
