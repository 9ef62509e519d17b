//===- Reader.cpp - the elements of a compute op's operands ---------------===//

#include "Reader.h"

using namespace mlir;
using namespace npu;
using namespace npu::interpreter;

llvm::Error npu::interpreter::makeOpError(Operation *op, const Twine &message) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = op->getLoc()->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ':' << file.getLine() << ':' << file.getColumn() << ": ";
  os << "'" << op->getName() << "' op " << message;
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

llvm::Error npu::interpreter::expectValue(Operation *op, const Memory &memory, int64_t position,
                                          int64_t bytes) {
  for (int64_t byte = position; byte < position + bytes; ++byte)
    if (!memory.isWritten[byte])
      return makeOpError(op, "reads byte " + Twine(byte) + " of " + memory.name +
                                 ", which nothing has written");
  return llvm::Error::success();
}

void npu::interpreter::writeBytes(Memory &memory, int64_t position, ArrayRef<uint8_t> bytes) {
  llvm::copy(bytes, memory.bytes.begin() + position);
  std::fill_n(memory.isWritten.begin() + position, bytes.size(), true);
}

SmallVector<uint8_t, 8> npu::interpreter::getBytes(Attribute value, Type type) {
  std::optional<isa::ElementType> element = getISAType(type);
  if (!element)
    return {};
  Memory memory("", isa::getByteSize(*element));
  store(memory, 0, *element, getScalar(value));
  return SmallVector<uint8_t, 8>(memory.bytes.begin(), memory.bytes.end());
}

Reader::Reader(NPUComputeOpInterface op, const Operands &operands) : op(op), operands(operands) {
  maps = op.getIndexingMapsArray();
  accesses.reserve(maps.size());
  for (auto [view, map] : llvm::zip_equal(operands.views, maps)) {
    accesses.emplace_back(view, map);
    types.push_back(getISAType(view.elementType).value_or(isa::ElementType::I8));
  }
}

std::optional<Scalar> Reader::read(unsigned operand, ArrayRef<int64_t> position) {
  std::optional<int64_t> place = accesses[operand].find(position);
  if (!place)
    return std::nullopt;
  const Memory &memory = *operands.views[operand].memory;
  if (!error)
    if (llvm::Error missing = expectValue(op, memory, *place, isa::getByteSize(types[operand])))
      error = llvm::toString(std::move(missing));
  return load(memory, *place, types[operand]);
}

Scalar Reader::get(unsigned operand, ArrayRef<int64_t> position) {
  if (std::optional<Scalar> value = read(operand, position))
    return *value;
  fail("reads operand " + Twine(operand) + " outside of its buffer");
  return {};
}

std::optional<int64_t> Reader::findDestination(ArrayRef<int64_t> position) {
  std::optional<int64_t> place = accesses.back().find(position);
  if (!place)
    fail("writes outside of its destination");
  return place;
}

void Reader::write(ArrayRef<int64_t> position, Scalar value) {
  if (std::optional<int64_t> place = findDestination(position)) {
    store(*operands.views.back().memory, *place, types.back(), value);
    written.push_back(*place);
  }
}

void Reader::fail(const Twine &message) {
  if (!error)
    error = llvm::toString(makeOpError(op, message));
}

llvm::Expected<std::vector<int64_t>> Reader::finish() {
  if (error)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), *error);
  return std::move(written);
}
