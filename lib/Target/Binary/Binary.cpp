//===- Binary.cpp - programs as bytes -------------------------------------===//

#include "NPU/Target/Binary/Binary.h"

#include "NPU/Target/ISA/Codec.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace npu::isa;

static constexpr char magic[8] = {'N', 'P', 'U', 'P', 'R', 'O', 'G', '\n'};

/// A program cannot need more; a larger count in a file is refused before anything is allocated.
static constexpr uint64_t maxEntries = 1 << 20;

namespace {
class Writer {
public:
  void word(uint64_t value) {
    for (unsigned i = 0; i < 8; ++i)
      bytes.push_back(value >> (8 * i));
  }
  /// A length, then the bytes, then zeros to the next word.
  void blob(ArrayRef<uint8_t> data) {
    word(data.size());
    bytes.insert(bytes.end(), data.begin(), data.end());
    bytes.resize(alignTo(bytes.size(), 8));
  }
  void string(StringRef text) { blob(arrayRefFromStringRef(text)); }

  std::vector<uint8_t> bytes;
};

/// Reads words; after the first failure every read gives zeros.
class Reader {
public:
  explicit Reader(ArrayRef<uint8_t> bytes) : bytes(bytes) {}

  uint64_t word(StringRef what) {
    if (bytes.size() - offset < 8) {
      fail("expected " + what + ", found the end of the file");
      return 0;
    }
    uint64_t value = support::endian::read64le(bytes.data() + offset);
    offset += 8;
    return value;
  }
  uint64_t count(StringRef what) {
    uint64_t value = word(what);
    if (value <= maxEntries)
      return value;
    fail(formatv("{0} is {1}, more than {2}", what, value, maxEntries), 8);
    return 0;
  }
  ArrayRef<uint8_t> blob(StringRef what) {
    uint64_t size = word(("the length of " + what).str());
    if (size > bytes.size() - offset) {
      fail(formatv("{0} has {1} bytes, but only {2} are left", what, size, bytes.size() - offset),
           8);
      return {};
    }
    ArrayRef<uint8_t> data = bytes.slice(offset, size);
    offset += size;
    while (offset % 8 && !hasFailed())
      if (offset == bytes.size() || bytes[offset++] != 0)
        fail("expected zeros up to the next word after " + what);
    return data;
  }
  std::string string(StringRef what) { return toStringRef(blob(what)).str(); }

  std::vector<uint64_t> words(uint64_t count, StringRef what) {
    std::vector<uint64_t> result;
    if (count > (bytes.size() - offset) / 8) {
      fail(formatv("{0} has {1} words, but only {2} are left", what, count,
                   (bytes.size() - offset) / 8),
           8);
      return result;
    }
    for (uint64_t i = 0; i < count; ++i)
      result.push_back(word(what));
    return result;
  }

  void fail(const Twine &what, uint64_t back = 0) {
    if (!message.empty())
      return;
    message = what.str();
    failedAt = offset - back;
  }
  bool hasFailed() const { return !message.empty(); }
  bool isAtEnd() const { return offset == bytes.size(); }

  ArrayRef<uint8_t> bytes;
  uint64_t offset = 0, failedAt = 0;
  std::string message;
};
} // namespace

bool npu::isa::isBinaryProgram(ArrayRef<uint8_t> bytes) {
  return toStringRef(bytes).starts_with(StringRef(magic, sizeof(magic)));
}

Expected<std::vector<uint8_t>> npu::isa::encodeBinary(const Program &program) {
  if (Error error = checkProgram(program))
    return std::move(error);
  Writer writer;
  writer.bytes.assign(std::begin(magic), std::end(magic));
  writer.word(binaryVersion);
  writer.string(program.name);
  writer.string(program.target);
  writer.word(program.regions.size());
  for (const Region &region : program.regions) {
    writer.word(uint64_t(region.kind));
    writer.string(region.name);
    writer.word(region.bytes);
    writer.blob(region.data);
  }
  writer.word(program.sources.size());
  for (const std::string &source : program.sources)
    writer.string(source);
  writer.word(program.streams.size());
  for (const Stream &stream : program.streams) {
    std::vector<uint64_t> words;
    for (const Instruction &instruction : stream.code)
      if (Error error = encode(instruction, words))
        return std::move(error);
    writer.word(stream.cluster);
    writer.word(uint64_t(stream.engine));
    writer.word(words.size());
    for (uint64_t word : words)
      writer.word(word);
  }
  return std::move(writer.bytes);
}

static void readStream(Reader &reader, Program &program) {
  Stream stream;
  stream.cluster = reader.count("a stream's cluster");
  uint64_t engine = reader.count("a stream's engine");
  if (engine >= std::size(EnumTraits<EngineKind>::cases))
    reader.fail("unknown engine " + Twine(engine), 8);
  stream.engine = static_cast<EngineKind>(engine);
  uint64_t length = reader.count("a stream's length in words");
  uint64_t start = reader.offset;
  std::vector<uint64_t> words = reader.words(length, "a stream");
  if (reader.hasFailed())
    return;
  ArrayRef<uint64_t> rest = words;
  while (!rest.empty()) {
    uint64_t offset = start + (words.size() - rest.size()) * 8;
    Expected<Instruction> instruction = decode(rest);
    if (!instruction) {
      reader.offset = offset;
      reader.fail("stream " + describe(stream) + ", instruction " + Twine(stream.code.size()) +
                  ": " + toString(instruction.takeError()));
      return;
    }
    stream.code.push_back(std::move(*instruction));
  }
  program.streams.push_back(std::move(stream));
}

static Program readProgram(Reader &reader) {
  Program program;
  program.name = reader.string("the kernel's name");
  program.target = reader.string("the target");
  for (uint64_t i = reader.count("the number of regions"); i > 0 && !reader.hasFailed(); --i) {
    Region region;
    uint64_t kind = reader.count("a region's kind");
    if (kind >= std::size(EnumTraits<RegionKind>::cases))
      reader.fail("unknown region kind " + Twine(kind), 8);
    region.kind = static_cast<RegionKind>(kind);
    region.name = reader.string("a region's name");
    region.bytes = reader.word("a region's size");
    region.data = reader.blob("a region's data").vec();
    program.regions.push_back(std::move(region));
  }
  for (uint64_t i = reader.count("the number of sources"); i > 0 && !reader.hasFailed(); --i)
    program.sources.push_back(reader.string("a source"));
  for (uint64_t i = reader.count("the number of streams"); i > 0 && !reader.hasFailed(); --i)
    readStream(reader, program);
  if (!reader.isAtEnd())
    reader.fail("expected the end of the file");
  return program;
}

Expected<Program> npu::isa::decodeBinary(ArrayRef<uint8_t> bytes, StringRef fileName) {
  auto makeError = [&](uint64_t offset, const Twine &message) {
    return createStringError(inconvertibleErrorCode(), formatv("{0}: error: at byte {1}: {2}",
                                                               fileName, offset, message.str()));
  };
  if (!isBinaryProgram(bytes))
    return makeError(0, "not an NPU program: expected it to start with 'NPUPROG'");
  Reader reader(bytes);
  reader.offset = sizeof(magic);
  uint64_t version = reader.word("the version");
  if (!reader.hasFailed() && version != binaryVersion)
    return makeError(sizeof(magic), formatv("version {0} is not supported, expected {1}: compile "
                                            "or assemble the program again",
                                            version, binaryVersion));
  Program program = readProgram(reader);
  if (reader.hasFailed())
    return makeError(reader.failedAt, reader.message);
  if (Error error = checkProgram(program))
    return makeError(0, toString(std::move(error)));
  return std::move(program);
}
