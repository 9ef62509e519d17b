//===- RowForms.h - what floats are of rows of bytes ----------------------===//

#ifndef NPU_LIB_PREPARATION_ROWFORMS_H
#define NPU_LIB_PREPARATION_ROWFORMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SmallBitVector.h"

#include <optional>
#include <vector>

namespace npu {

/// The bytes that floats are computed of: an i8 tensor, and where it is read.
struct ByteSource {
  mlir::Value tensor;
  mlir::AffineMap map; ///< from the reader's loops
  bool isUnsigned = false;

  bool operator==(const ByteSource &other) const {
    return tensor == other.tensor && map == other.map && isUnsigned == other.isUnsigned;
  }
  int64_t getLeast() const { return isUnsigned ? 0 : llvm::minIntN(8); }
  int64_t getMost() const { return getLeast() + 255; }
};

/// The most numbers that differ from position to position.
constexpr int64_t maxRowNumbers = 1 << 20;

/// Constant numbers, one for each position of some of the reader's loops.
struct Numbers {
  llvm::SmallVector<unsigned> loops; ///< in ascending order
  llvm::SmallVector<int64_t> sizes;
  std::vector<double> values;

  Numbers(double value) : values{value} {}
  Numbers() : Numbers(0) {}

  bool isScalar() const { return loops.empty(); }
  double getScalar() const { return values.front(); }
  double getLargest() const; ///< of the magnitudes
};

/// What a float, or an integer on the way to one, is of a row of bytes x, whose mean is M. A row is
/// what the loops `reduced` go over; `size` is how many bytes it has.
struct RowForm {
  enum class Kind {
    Unknown,
    Numbers, ///< `scale`
    Table,   ///< of one byte
    Affine,  ///< alpha * x + beta * M + gamma
    Square,  ///< of that
    Moment,  ///< a * mean((x - center)^2) + b; without a center, of x - M
    Root,    ///< of a moment with a = 1, times `scale`
    InvRoot, ///< its reciprocal, times `scale`
    Normal,  ///< (x - center) / root(moment) * scale + offset
    Max,     ///< alpha * max(x) + gamma
    Below,   ///< alpha * (x - max(x))
    Exp,     ///< exp(alpha * (x - max(x)))
    ExpSum,  ///< the sum of a row of them
    InvSum,  ///< scale / that sum
    Softmax  ///< scale * exp / sum
  };

  Kind kind = Kind::Unknown;
  ByteSource source;
  llvm::SmallBitVector reduced; ///< empty where nothing is
  int64_t size = 0;
  double alpha = 0, beta = 0, gamma = 0;
  double a = 0, b = 0;
  std::optional<double> center;
  Numbers scale, offset;
  mlir::Attribute constant;             ///< of scalar numbers, if they are an element's value
  std::vector<mlir::Attribute> entries; ///< of a table, from that of the least i8 on

  bool is(Kind other) const { return kind == other; }
  explicit operator bool() const { return kind != Kind::Unknown; }
};

/// Says what values in the body of an op are, through the ops that make its operands.
class RowReader {
public:
  /// The loops of `op` need static sizes.
  explicit RowReader(mlir::linalg::GenericOp op);

  RowForm read(mlir::Value bodyValue);

  llvm::ArrayRef<int64_t> getSizes() const { return sizes; }
  /// Why a value that begins as one of a row is none; empty if no value does.
  llvm::StringRef getReason() const { return reason; }

private:
  using Values = llvm::DenseMap<mlir::Value, RowForm>;
  using Key = std::pair<mlir::Value, mlir::AffineMap>;

  RowForm readElement(mlir::Value tensor, mlir::AffineMap map);
  RowForm findElement(mlir::Value tensor, mlir::AffineMap map);
  RowForm readGeneric(mlir::OpResult result, mlir::AffineMap map);
  RowForm readSoftmax(mlir::linalg::SoftmaxOp op, mlir::AffineMap map);
  RowForm readConstant(mlir::Attribute constant, mlir::AffineMap map);
  RowForm readBody(mlir::linalg::GenericOp op, mlir::Value value, mlir::AffineMap loops,
                   Values &values);
  RowForm reduce(mlir::Operation *combiner, RowForm form, double start,
                 const llvm::SmallBitVector &loops);
  RowForm give(llvm::StringRef why);

  mlir::linalg::GenericOp op;
  llvm::SmallVector<int64_t> sizes;
  llvm::DenseMap<Key, RowForm> elements;
  Values bodyValues;
  llvm::StringRef reason;
};

/// What `op` makes of the forms of its operands.
RowForm combineForms(mlir::Operation *op, llvm::ArrayRef<RowForm> operands);

/// A table of a number that is linear in its byte, as an affine form; unknown for any other.
RowForm toAffine(const RowForm &form);
/// A table of the square of such a number, as a square.
RowForm toSquare(const RowForm &form);

} // namespace npu

#endif // NPU_LIB_PREPARATION_ROWFORMS_H
