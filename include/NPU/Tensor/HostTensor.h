//===- HostTensor.h - dense tensors of the host ---------------------------===//
//
// The values that enter and leave a model: an element type, a static shape and contiguous
// row-major bytes (little endian, i1 as one byte per element). Independent of MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TENSOR_HOSTTENSOR_H
#define NPU_TENSOR_HOSTTENSOR_H

#include "NPU/Support/HostMemory.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace npu::runtime {

enum class ElementType { I1, I8, I16, I32, I64, F16, BF16, F32, F64 };

/// Size of one element in bytes; an i1 takes one byte.
unsigned getElementByteSize(ElementType type);

/// Spelling in IR and in tensor specifications, e.g. "bf16".
llvm::StringRef getElementTypeName(ElementType type);

/// Inverse of `getElementTypeName`.
std::optional<ElementType> parseElementType(llvm::StringRef name);

bool isFloat(ElementType type);

/// Number of elements of `shape`, or nothing if it is negative or its size in bytes for `type` does
/// not fit 63 bits.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape, ElementType type);

/// "4x4xf32"
std::string getTypeString(ElementType type, llvm::ArrayRef<int64_t> shape);

/// A dense tensor. Copies share their bytes until one of them is written.
class HostTensor {
public:
  /// An empty f32 tensor of shape [0].
  HostTensor() : HostTensor(ElementType::F32, {0}) {}

  /// A tensor of zeros. `shape` must be valid (see `countElements`).
  HostTensor(ElementType type, llvm::ArrayRef<int64_t> shape);

  /// As the constructor, for a shape and bytes that come from outside.
  static llvm::Expected<HostTensor> create(ElementType type, llvm::ArrayRef<int64_t> shape,
                                           std::vector<uint8_t> bytes);

  ElementType getElementType() const { return type; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getNumElements() const { return numElements; }

  llvm::ArrayRef<uint8_t> getBytes() const { return storage->bytes; }
  /// The bytes for writing; stops sharing them first.
  llvm::MutableArrayRef<uint8_t> getMutableBytes();

  /// Element `index` in row-major order, exact for every type but i64 beyond 2^53.
  double getFloat(int64_t index) const;
  /// Element `index` as an integer; a float is truncated towards zero and saturated, NaN is 0.
  int64_t getInt(int64_t index) const;
  /// Stores `value`, rounded once to nearest even for floats, truncated for integers.
  void setFloat(int64_t index, double value);
  /// Stores `value`, wrapped to the width of an integer type.
  void setInt(int64_t index, int64_t value);

  /// Same bytes under another shape with the same number of elements.
  HostTensor reshape(llvm::ArrayRef<int64_t> newShape) const;
  /// Same bytes under another type and shape of the same size in bytes.
  HostTensor bitcast(ElementType newType, llvm::ArrayRef<int64_t> newShape) const;

  /// Every element = `value`.
  void fill(double value);
  /// Deterministic on every host. Floats are uniform in [-1, 1) / sqrt(`fanIn`) in steps of 2^-24
  /// before scaling; i1, i8 use their whole range, wider integers [-1024, 1023].
  void fillRandom(uint64_t seed, int64_t fanIn = 1);
  /// Integers in [-4, 4] (i1: 0 or 1), so that sums of up to 2^20 products are exact in f32.
  void fillSmallInts(uint64_t seed);

  /// Row-major coordinates of element `index`.
  llvm::SmallVector<int64_t> getCoordinates(int64_t index) const;

  /// "4x4xf32"
  std::string getTypeString() const { return runtime::getTypeString(type, shape); }

  /// Same type, shape and bytes.
  bool operator==(const HostTensor &other) const;
  bool operator!=(const HostTensor &other) const { return !(*this == other); }

private:
  ElementType type;
  llvm::SmallVector<int64_t> shape;
  int64_t numElements;
  /// Bytes that were given, or zeros that take no memory until they are written.
  struct Storage {
    explicit Storage(uint64_t numZeros);
    explicit Storage(std::vector<uint8_t> bytes) : given(std::move(bytes)), bytes(given) {}

    std::vector<uint8_t> given;
    LazyMemory zeros;
    llvm::MutableArrayRef<uint8_t> bytes; ///< of either
  };
  std::shared_ptr<Storage> storage;
};

/// Makes the magnitudes of a contraction of length `fanIn` about one for `parseTensor`'s random.
struct TensorParseOptions {
  /// Contraction length that `random(seed)` scales for, 1 = do not scale.
  int64_t fanIn = 1;
};

/// Parses a tensor specification:
///   4x4xf32            zeros                    4x4xf32=1          splat
///   2x2xi32=1 2 3 4    values, row-major; brackets and commas are allowed and mean nothing
///   4x4xf32=random(3)  see `fillRandom`         4x4xi8=smallints(3)  see `fillSmallInts`
/// TensorReader knows more.
llvm::Expected<HostTensor> parseTensor(llvm::StringRef spec, TensorParseOptions options = {});

/// Parses "2x2xf32" or "f32" into a shape, to which it appends, and an element type.
llvm::Expected<ElementType> parseTensorType(llvm::StringRef spec,
                                            llvm::SmallVectorImpl<int64_t> &shape);

/// Decodes a .npy file of any format version. Big-endian and Fortran-ordered data are converted,
/// unsigned integers keep their bits, "V2" is read as bf16.
llvm::Expected<HostTensor> decodeNpy(llvm::StringRef contents);
/// Likewise for the first array of a file of one or more, as repeated numpy.save writes; takes it
/// off `file`.
llvm::Expected<HostTensor> decodeNextNpy(llvm::StringRef &file);
/// The .npy file of `tensor`, format version 1.0; bf16 is written as "V2", as ml_dtypes does.
std::string encodeNpy(const HostTensor &tensor);

} // namespace npu::runtime

#endif // NPU_TENSOR_HOSTTENSOR_H
