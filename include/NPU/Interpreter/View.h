//===- View.h - elements in an interpreted memory ---------------*- C++ -*-===//

#ifndef NPU_INTERPRETER_VIEW_H
#define NPU_INTERPRETER_VIEW_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace npu::interpreter {

/// Bytes, and which of them have a value.
struct Memory {
  std::string name;
  std::vector<uint8_t> bytes;
  std::vector<bool> isWritten;

  Memory(std::string name, int64_t size)
      : name(std::move(name)), bytes(size, 0), isWritten(size, false) {}
  Memory(std::string name, llvm::ArrayRef<uint8_t> contents)
      : name(std::move(name)), bytes(contents.begin(), contents.end()),
        isWritten(contents.size(), true) {}
};

/// A strided view of elements. Offsets and strides are bytes.
struct View {
  std::shared_ptr<Memory> memory;
  int64_t offset = 0;
  llvm::SmallVector<int64_t> shape, strides;
  mlir::Type elementType;

  /// All of `memory` from `offset` on as row-major elements of `type`.
  static View get(std::shared_ptr<Memory> memory, mlir::ShapedType type, int64_t offset = 0);

  /// The row-major coordinates of the element whose first byte is at `position` of the memory.
  llvm::SmallVector<int64_t> getCoordinates(int64_t position) const;
  /// The elements, row-major and without gaps.
  std::vector<uint8_t> getBytes() const;
};

/// Where the elements of an operand are, by position in an iteration domain.
class Access {
public:
  Access(const View &view, mlir::AffineMap map);

  /// The first byte of the element; nothing where a coordinate is outside of the shape.
  std::optional<int64_t> find(llvm::ArrayRef<int64_t> position) const { return find(position, {}); }
  /// The same, with `origin` added to the coordinates.
  std::optional<int64_t> find(llvm::ArrayRef<int64_t> position,
                              llvm::ArrayRef<int64_t> origin) const;

private:
  const View &view;
  mlir::AffineMap map;
  /// Of each coordinate: a constant, and a factor per dimension. Empty: the map is no such sum.
  llvm::SmallVector<llvm::SmallVector<int64_t>> sums;
};

/// The value of an affine expression without symbols.
int64_t evaluate(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims);

/// Calls `body` with every position below `extents`, the last dimension fastest.
template <typename Body>
void forEachPosition(llvm::ArrayRef<int64_t> extents, Body body) {
  for (int64_t extent : extents)
    if (extent <= 0)
      return;
  llvm::SmallVector<int64_t, 8> position(extents.size(), 0);
  while (true) {
    body(llvm::ArrayRef<int64_t>(position));
    size_t dim = extents.size();
    for (; dim > 0; --dim) {
      if (++position[dim - 1] < extents[dim - 1])
        break;
      position[dim - 1] = 0;
    }
    if (dim == 0)
      return;
  }
}

} // namespace npu::interpreter

#endif // NPU_INTERPRETER_VIEW_H
