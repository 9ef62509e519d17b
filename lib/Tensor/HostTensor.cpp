//===- HostTensor.cpp - dense tensors of the host -------------------------===//

#include "NPU/Tensor/HostTensor.h"

#include "NPU/Tensor/FloatFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace npu::runtime;

unsigned npu::runtime::getElementByteSize(ElementType type) {
  switch (type) {
  case ElementType::I1:
  case ElementType::I8:
    return 1;
  case ElementType::I16:
  case ElementType::F16:
  case ElementType::BF16:
    return 2;
  case ElementType::I32:
  case ElementType::F32:
    return 4;
  case ElementType::I64:
  case ElementType::F64:
    return 8;
  }
  llvm_unreachable("all element types are handled");
}

StringRef npu::runtime::getElementTypeName(ElementType type) {
  static constexpr StringLiteral names[] = {"i1",  "i8",   "i16", "i32", "i64",
                                            "f16", "bf16", "f32", "f64"};
  return names[static_cast<unsigned>(type)];
}

std::optional<ElementType> npu::runtime::parseElementType(StringRef name) {
  return StringSwitch<std::optional<ElementType>>(name)
      .Case("i1", ElementType::I1)
      .Case("i8", ElementType::I8)
      .Case("i16", ElementType::I16)
      .Case("i32", ElementType::I32)
      .Case("i64", ElementType::I64)
      .Case("f16", ElementType::F16)
      .Case("bf16", ElementType::BF16)
      .Case("f32", ElementType::F32)
      .Case("f64", ElementType::F64)
      .Default(std::nullopt);
}

bool npu::runtime::isFloat(ElementType type) { return type >= ElementType::F16; }

std::optional<int64_t> npu::runtime::countElements(ArrayRef<int64_t> shape, ElementType type) {
  int64_t count = 1;
  bool empty = false, overflow = false;
  for (int64_t extent : shape) {
    if (extent < 0)
      return std::nullopt;
    empty |= extent == 0;
    overflow |= !empty && MulOverflow(count, extent, count);
  }
  if (empty)
    return 0;
  int64_t byteSize;
  if (overflow || MulOverflow<int64_t>(count, getElementByteSize(type), byteSize))
    return std::nullopt;
  return count;
}

std::string npu::runtime::getTypeString(ElementType type, ArrayRef<int64_t> shape) {
  std::string result;
  for (int64_t extent : shape)
    result += std::to_string(extent) + "x";
  return result + getElementTypeName(type).str();
}

HostTensor::Storage::Storage(uint64_t numZeros) {
  // Small ones are many and are written soon.
  constexpr uint64_t lazyBytes = 1 << 20;
  if (numZeros < lazyBytes) {
    given.resize(numZeros);
    bytes = given;
    return;
  }
  Expected<LazyMemory> memory = LazyMemory::create(numZeros);
  if (!memory)
    report_bad_alloc_error(toString(memory.takeError()).c_str());
  zeros = std::move(*memory);
  bytes = {zeros.data(), size_t(zeros.size())};
}

HostTensor::HostTensor(ElementType type, ArrayRef<int64_t> shape)
    : type(type), shape(shape), numElements(countElements(shape, type).value_or(0)),
      storage(std::make_shared<Storage>(uint64_t(numElements) * getElementByteSize(type))) {
  assert(countElements(shape, type) && "invalid shape");
}

Expected<HostTensor> HostTensor::create(ElementType type, ArrayRef<int64_t> shape,
                                        std::vector<uint8_t> bytes) {
  std::optional<int64_t> count = countElements(shape, type);
  if (!count)
    return createStringError("tensor shape is negative or too large");
  uint64_t expected = *count * getElementByteSize(type);
  if (bytes.size() != expected)
    return createStringError("expected " + Twine(expected) + " bytes of data but found " +
                             Twine(bytes.size()));
  if (type == ElementType::I1)
    for (uint8_t &byte : bytes)
      byte = byte != 0;
  HostTensor tensor(type, {0});
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.numElements = *count;
  tensor.storage = std::make_shared<Storage>(std::move(bytes));
  return tensor;
}

MutableArrayRef<uint8_t> HostTensor::getMutableBytes() {
  if (storage.use_count() > 1)
    storage = std::make_shared<Storage>(storage->bytes.vec());
  return storage->bytes;
}

template <typename T>
static T loadAs(ArrayRef<uint8_t> bytes, int64_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
static void storeAs(MutableArrayRef<uint8_t> bytes, int64_t index, T value) {
  std::memcpy(bytes.data() + index * sizeof(T), &value, sizeof(T));
}

static int64_t truncateSaturating(double value) {
  if (std::isnan(value))
    return 0;
  if (value >= 0x1p63)
    return INT64_MAX;
  if (value < -0x1p63)
    return INT64_MIN;
  return static_cast<int64_t>(value);
}

double HostTensor::getFloat(int64_t index) const {
  switch (type) {
  case ElementType::F16:
    return decodeF16(loadAs<uint16_t>(storage->bytes, index));
  case ElementType::BF16:
    return decodeBF16(loadAs<uint16_t>(storage->bytes, index));
  case ElementType::F32:
    return loadAs<float>(storage->bytes, index);
  case ElementType::F64:
    return loadAs<double>(storage->bytes, index);
  default:
    return static_cast<double>(getInt(index));
  }
}

int64_t HostTensor::getInt(int64_t index) const {
  switch (type) {
  case ElementType::I1:
    return loadAs<uint8_t>(storage->bytes, index);
  case ElementType::I8:
    return loadAs<int8_t>(storage->bytes, index);
  case ElementType::I16:
    return loadAs<int16_t>(storage->bytes, index);
  case ElementType::I32:
    return loadAs<int32_t>(storage->bytes, index);
  case ElementType::I64:
    return loadAs<int64_t>(storage->bytes, index);
  default:
    return truncateSaturating(getFloat(index));
  }
}

void HostTensor::setFloat(int64_t index, double value) {
  switch (type) {
  case ElementType::F16:
    return storeAs<uint16_t>(getMutableBytes(), index, encodeF16(value));
  case ElementType::BF16:
    return storeAs<uint16_t>(getMutableBytes(), index, encodeBF16(value));
  case ElementType::F32:
    return storeAs<float>(getMutableBytes(), index, static_cast<float>(value));
  case ElementType::F64:
    return storeAs<double>(getMutableBytes(), index, value);
  default:
    return setInt(index, truncateSaturating(value));
  }
}

void HostTensor::setInt(int64_t index, int64_t value) {
  switch (type) {
  case ElementType::I1:
    return storeAs<uint8_t>(getMutableBytes(), index, value & 1);
  case ElementType::I8:
    return storeAs<uint8_t>(getMutableBytes(), index, static_cast<uint8_t>(value));
  case ElementType::I16:
    return storeAs<uint16_t>(getMutableBytes(), index, static_cast<uint16_t>(value));
  case ElementType::I32:
    return storeAs<uint32_t>(getMutableBytes(), index, static_cast<uint32_t>(value));
  case ElementType::I64:
    return storeAs<int64_t>(getMutableBytes(), index, value);
  case ElementType::F32:
    // Through double an i64 would be rounded twice.
    return storeAs<float>(getMutableBytes(), index, static_cast<float>(value));
  default:
    return setFloat(index, static_cast<double>(value));
  }
}

HostTensor HostTensor::reshape(ArrayRef<int64_t> newShape) const { return bitcast(type, newShape); }

HostTensor HostTensor::bitcast(ElementType newType, ArrayRef<int64_t> newShape) const {
  HostTensor result = *this;
  result.type = newType;
  result.shape.assign(newShape.begin(), newShape.end());
  result.numElements = countElements(newShape, newType).value_or(0);
  assert(uint64_t(result.numElements) * getElementByteSize(newType) == storage->bytes.size() &&
         "the size in bytes must stay the same");
  return result;
}

void HostTensor::fill(double value) {
  if (numElements == 0)
    return;
  setFloat(0, value);
  MutableArrayRef<uint8_t> data = getMutableBytes();
  unsigned size = getElementByteSize(type);
  for (int64_t i = 1; i < numElements; ++i)
    std::memcpy(data.data() + i * size, data.data(), size);
}

/// SplitMix64 (Steele, Lea and Flood 2014): a counter and a mixing function, easy to port.
static uint64_t nextRandom(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void HostTensor::fillRandom(uint64_t seed, int64_t fanIn) {
  uint64_t state = seed;
  double scale = 1.0 / std::sqrt(static_cast<double>(std::max<int64_t>(fanIn, 1)));
  auto getReal = [&] {
    return (static_cast<double>(nextRandom(state) >> 39) * 0x1p-24 - 1.0) * scale;
  };
  MutableArrayRef<uint8_t> data = getMutableBytes();
  auto fill = [&](auto getValue) {
    for (int64_t i = 0; i < numElements; ++i)
      storeAs<decltype(getValue())>(data, i, getValue());
  };
  switch (type) {
  case ElementType::F16:
    return fill([&] { return encodeF16(getReal()); });
  case ElementType::BF16:
    return fill([&] { return encodeBF16(getReal()); });
  case ElementType::F32:
    return fill([&] { return static_cast<float>(getReal()); });
  case ElementType::F64:
    return fill(getReal);
  default:
    bool isNarrow = type == ElementType::I1 || type == ElementType::I8;
    for (int64_t i = 0; i < numElements; ++i) {
      uint64_t bits = nextRandom(state);
      setInt(i,
             isNarrow ? static_cast<int64_t>(bits >> 56) : static_cast<int64_t>(bits >> 53) - 1024);
    }
  }
}

void HostTensor::fillSmallInts(uint64_t seed) {
  uint64_t state = seed;
  for (int64_t i = 0; i < numElements; ++i)
    setInt(i, static_cast<int64_t>((nextRandom(state) >> 32) % 9) - 4);
}

SmallVector<int64_t> HostTensor::getCoordinates(int64_t index) const {
  SmallVector<int64_t> coordinates(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    coordinates[dim] = index % shape[dim];
    index /= shape[dim];
  }
  return coordinates;
}

bool HostTensor::operator==(const HostTensor &other) const {
  return type == other.type && shape == other.shape && getBytes() == other.getBytes();
}
