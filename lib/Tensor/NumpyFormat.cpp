//===- NumpyFormat.cpp - .npy files ---------------------------------------===//
//
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. The contents come
// from outside: every length is checked before it is used.
//
//===----------------------------------------------------------------------===//

#include "NPU/Tensor/HostTensor.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;
using namespace npu::runtime;

namespace {
/// What the Python dictionary at the start of the file says.
struct NpyHeader {
  std::string descr;
  bool fortranOrder = false;
  SmallVector<int64_t> shape;
};

/// Parser of exactly the dictionaries that NumPy writes: three known keys with a string, a Boolean
/// and a tuple of integers.
class NpyHeaderParser {
public:
  explicit NpyHeaderParser(StringRef text) : rest(text) {}

  Expected<NpyHeader> parse() {
    NpyHeader header;
    bool seenDescr = false, seenOrder = false, seenShape = false;
    if (!consume('{'))
      return fail("expected '{'");
    while (!consume('}')) {
      std::string key;
      if (!parseString(key) || !consume(':'))
        return fail("expected a quoted key and ':'");
      bool *seen = key == "descr"           ? &seenDescr
                   : key == "fortran_order" ? &seenOrder
                   : key == "shape"         ? &seenShape
                                            : nullptr;
      if (!seen)
        return fail("unknown key '" + key + "'");
      if (*seen)
        return fail("repeated key '" + key + "'");
      *seen = true;
      if (seen == &seenDescr && !parseString(header.descr))
        return fail("expected a quoted type (structured types are not supported)");
      if (seen == &seenOrder && !parseBool(header.fortranOrder))
        return fail("expected True or False");
      if (seen == &seenShape && !parseShape(header.shape))
        return fail("expected a tuple of non-negative integers");
      if (!consume(',') && !rest.ltrim().starts_with("}"))
        return fail("expected ',' or '}'");
    }
    if (!rest.trim().empty())
      return fail("expected nothing after '}'");
    if (!seenDescr || !seenOrder || !seenShape)
      return fail("expected the keys 'descr', 'fortran_order' and 'shape'");
    return header;
  }

private:
  Error fail(const Twine &message) {
    return createStringError("malformed .npy header: " + message);
  }

  bool consume(char c) {
    rest = rest.ltrim();
    return rest.consume_front(StringRef(&c, 1));
  }

  bool parseString(std::string &result) {
    rest = rest.ltrim();
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      return false;
    size_t end = rest.find(rest.front(), 1);
    if (end == StringRef::npos)
      return false;
    result = rest.slice(1, end).str();
    rest = rest.drop_front(end + 1);
    return true;
  }

  bool parseBool(bool &result) {
    rest = rest.ltrim();
    result = rest.consume_front("True");
    return result || rest.consume_front("False");
  }

  bool parseShape(SmallVector<int64_t> &shape) {
    constexpr size_t maxRank = 32; // NumPy's own limit
    if (!consume('('))
      return false;
    while (!consume(')')) {
      int64_t extent;
      rest = rest.ltrim();
      if (shape.size() == maxRank || rest.consumeInteger(10, extent) || extent < 0)
        return false;
      shape.push_back(extent);
      if (!consume(',') && !rest.ltrim().starts_with(")"))
        return false;
    }
    return true;
  }

  StringRef rest;
};
} // namespace

/// Element type of a NumPy type string without its byte order, e.g. "f4".
static std::optional<ElementType> getNumpyType(StringRef kind) {
  if (kind == "b1" || kind == "?")
    return ElementType::I1;
  if (kind == "V2" || kind == "bfloat16")
    return ElementType::BF16;
  if (kind.size() != 2 || !StringRef("1248").contains(kind[1]))
    return std::nullopt;
  unsigned bits = (kind[1] - '0') * 8;
  if (kind[0] == 'i' || kind[0] == 'u')
    return parseElementType("i" + std::to_string(bits));
  if (kind[0] == 'f' && bits > 8)
    return parseElementType("f" + std::to_string(bits));
  return std::nullopt;
}

/// Column-major elements to row-major ones.
static std::vector<uint8_t> transposeFromFortran(ArrayRef<uint8_t> source, ArrayRef<int64_t> shape,
                                                 unsigned elementSize) {
  std::vector<uint8_t> result(source.size());
  SmallVector<int64_t> coordinates(shape.size(), 0);
  for (size_t target = 0; target < result.size(); target += elementSize) {
    int64_t index = 0;
    for (size_t dim = shape.size(); dim-- > 0;)
      index = index * shape[dim] + coordinates[dim];
    std::memcpy(&result[target], &source[index * elementSize], elementSize);
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++coordinates[dim] < shape[dim])
        break;
      coordinates[dim] = 0;
    }
  }
  return result;
}

Expected<HostTensor> npu::runtime::decodeNextNpy(StringRef &file) {
  StringRef contents = file;
  constexpr StringLiteral magic("\x93NUMPY");
  if (!contents.consume_front(magic))
    return createStringError("not a .npy file: the magic number is missing");
  if (contents.size() < 4)
    return createStringError("truncated .npy file: the header is incomplete");
  unsigned version = static_cast<uint8_t>(contents[0]);
  if (version < 1 || version > 3)
    return createStringError("expected .npy format version 1, 2 or 3 but found " + Twine(version));
  unsigned lengthSize = version == 1 ? 2 : 4;
  contents = contents.drop_front(2);
  if (contents.size() < lengthSize)
    return createStringError("truncated .npy file: the header is incomplete");
  uint64_t headerLength = lengthSize == 2 ? support::endian::read16le(contents.data())
                                          : support::endian::read32le(contents.data());
  contents = contents.drop_front(lengthSize);
  if (contents.size() < headerLength)
    return createStringError("truncated .npy file: the header says it has " + Twine(headerLength) +
                             " bytes but only " + Twine(contents.size()) + " follow");

  Expected<NpyHeader> header = NpyHeaderParser(contents.take_front(headerLength)).parse();
  if (!header)
    return header.takeError();
  contents = contents.drop_front(headerLength);

  StringRef kind = header->descr;
  bool bigEndian = kind.starts_with(">");
  if (!kind.empty() && StringRef("<>|=").contains(kind.front()))
    kind = kind.drop_front();
  std::optional<ElementType> type = getNumpyType(kind);
  if (!type)
    return createStringError("element type '" + header->descr +
                             "' of the .npy file is not supported; convert it to bool, an integer, "
                             "float16, bfloat16, float32 or float64");

  // The size is checked before anything of that size is allocated.
  std::optional<int64_t> count = countElements(header->shape, *type);
  if (!count)
    return createStringError("shape of the .npy file is too large");
  unsigned size = getElementByteSize(*type);
  uint64_t byteCount = uint64_t(*count) * size;
  StringRef rest = contents.drop_front(std::min<uint64_t>(byteCount, contents.size()));
  if (contents.size() < byteCount || (!rest.empty() && !rest.starts_with(magic)))
    return createStringError("expected " + Twine(byteCount) +
                             " bytes of data in the .npy file but found " + Twine(contents.size()));

  file = rest;
  contents = contents.take_front(byteCount);
  std::vector<uint8_t> bytes(contents.bytes_begin(), contents.bytes_end());
  if (bigEndian)
    for (size_t i = 0; i < bytes.size(); i += size)
      std::reverse(bytes.begin() + i, bytes.begin() + i + size);
  if (header->fortranOrder && header->shape.size() > 1)
    bytes = transposeFromFortran(bytes, header->shape, size);
  return HostTensor::create(*type, header->shape, std::move(bytes));
}

Expected<HostTensor> npu::runtime::decodeNpy(StringRef contents) {
  Expected<HostTensor> tensor = decodeNextNpy(contents);
  if (tensor && !contents.empty())
    return createStringError("expected one array in the .npy file but found more");
  return tensor;
}

static StringRef getNumpyName(ElementType type) {
  static constexpr StringLiteral names[] = {"|b1", "|i1", "<i2", "<i4", "<i8",
                                            "<f2", "<V2", "<f4", "<f8"};
  return names[static_cast<unsigned>(type)];
}

std::string npu::runtime::encodeNpy(const HostTensor &tensor) {
  std::string header;
  raw_string_ostream os(header);
  os << "{'descr': '" << getNumpyName(tensor.getElementType())
     << "', 'fortran_order': False, 'shape': (";
  for (auto [index, extent] : enumerate(tensor.getShape()))
    os << (index ? ", " : "") << extent;
  os << (tensor.getShape().size() == 1 ? ",), }" : "), }");
  // The data starts at a multiple of 64 bytes, after a newline.
  constexpr size_t prefixSize = 10;
  header.append(alignTo(prefixSize + header.size() + 1, 64) - prefixSize - header.size() - 1, ' ');
  header += '\n';

  std::string result("\x93NUMPY\x01\x00", 8);
  result += static_cast<char>(header.size() & 0xff);
  result += static_cast<char>(header.size() >> 8);
  result += header;
  result.append(tensor.getBytes().begin(), tensor.getBytes().end());
  return result;
}
