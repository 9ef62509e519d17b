//===- Matching.h - what linalg ops are to the NPU ------------------------===//
//
// Matching and rewriting are separate: a match says what an op is, or why it is nothing the NPU
// has, without touching the IR. So a partition can ask, and the error names the same reason.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_CONVERSION_LINALGTONPU_MATCHING_H
#define NPU_LIB_CONVERSION_LINALGTONPU_MATCHING_H

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/NPU/Transforms/Rejection.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <string>

namespace npu {

/// Fails unless all shapes are static and all element types are those of the dialect.
mlir::LogicalResult matchShapesAndTypes(mlir::Operation *op, Rejection &reason);

//===----------------------------------------------------------------------===//
// Contractions and convolutions
//===----------------------------------------------------------------------===//

/// An operand of the matrix engine. A letter repeats where adjacent dimensions collapse into one;
/// `units` are dimensions of extent 1 to append.
struct ArrayOperand {
  mlir::Value value;
  std::string letters;
  std::string units;
};

/// A `tensor.pad` that becomes the padding of the convolution, per spatial dimension.
struct FoldedPadding {
  mlir::Value source;
  llvm::SmallVector<int64_t> low, high;
  mlir::TypedAttr value;
};

/// A contraction or convolution. `lhs` is A or the input, `rhs` B or the filter.
struct ArrayOp {
  bool isConv = false;
  ArrayOperand lhs, rhs;
  std::string outputLayout;
  llvm::SmallVector<int64_t> strides, dilations;
  std::optional<FoldedPadding> padding;
};

/// A coordinate of an operand: `dim * scale + window * windowScale`, where the window dimension is
/// a reduction loop and may be absent.
struct Coordinate {
  int64_t dim = -1, scale = 1;
  int64_t window = -1, windowScale = 1;

  bool isPlain() const { return window < 0 && scale == 1; }
};

/// `expr` as a coordinate; failure for anything else.
mlir::FailureOr<Coordinate> parseCoordinate(mlir::AffineExpr expr,
                                            llvm::ArrayRef<mlir::utils::IteratorType> iterators);

/// Whether `op` has loops that are not parallel.
bool isReduction(mlir::linalg::LinalgOp op);

mlir::FailureOr<ArrayOp> matchArrayOp(mlir::linalg::LinalgOp op, Rejection &reason);

/// Operands change their shape only where that costs nothing: in the kernel's signature or in a
/// constant. To be asked before anything is converted, since it counts uses.
mlir::LogicalResult matchReshapes(const ArrayOp &match, Rejection &reason);

//===----------------------------------------------------------------------===//
// Transpositions
//===----------------------------------------------------------------------===//

/// For each dimension of the result of `op` the dimension of its input, if `op` is an element-wise
/// linalg op that only permutes; nothing otherwise.
std::optional<llvm::SmallVector<int64_t>> getPermutation(mlir::linalg::LinalgOp op);

/// Reads through the transpositions that make `operand`.
void foldTransposedOperand(ArrayOperand &operand);

/// The result of a npu op with its dimensions permuted, by a copy of the op that writes it so. Null
/// if `value` is not the result of a npu op.
mlir::Value createPermuted(mlir::OpBuilder &builder, mlir::Value value,
                           llvm::ArrayRef<int64_t> permutation);

//===----------------------------------------------------------------------===//
// Element-wise ops
//===----------------------------------------------------------------------===//

/// A predicate of two operands, by comparisons that the vector unit has.
struct Comparison {
  enum Form {
    Plain,         ///< `kind` of both
    LessOrGreater, ///< one of both
    EachItself,    ///< `kind` of each operand and itself: eq of both, or ne of one
    Always,        ///< `kind` of a constant and itself
    NegatedLeft,   ///< of bits: `kind` of the left one turned round and the right one
    NegatedRight   ///< of bits: `kind` of the left one and the right one turned round
  };
  Form form = Plain;
  BinaryKind kind = BinaryKind::CmpEq;
  bool isNegated = false;
  bool isUnsigned = false; ///< the operands' signs are turned round first
};

/// One step of a chain: one npu op, or the few that make up for one. Operands are values of the
/// linalg op's body: block arguments, constants, results of earlier steps.
struct ElementwiseStep {
  enum Kind {
    Unary,
    Binary,
    Compare,
    Select,
    NumberLimit,   ///< `binary` (min or max) of two floats, or the one that is not a NaN
    UnsignedLimit, ///< `binary` (min or max) of two unsigned integers
    Clamp,
    Cast,
    Requantize,
    Rescale,
    Table,     ///< what a table has for the operand
    Positions, ///< the counter of a loop, as an integer
    Gather     ///< an element of a tensor; the operand is the coordinate that is computed
  };
  Kind kind;
  mlir::Value result;
  llvm::SmallVector<mlir::Value, 3> operands;
  // What each kind adds.
  UnaryKind unary = UnaryKind::Neg;
  BinaryKind binary = BinaryKind::Add;
  CastKind cast = CastKind::ExtSI;
  Comparison comparison = {};
  mlir::TypedAttr lo = {}, hi = {}; // clamp
  mlir::FloatAttr scale = {};       // requantize without an operand of scales
  int64_t zeroPoint = 0;            // requantize and rescale: of the output
  int64_t inputZeroPoint = 0;       // rescale
  int64_t min = 0, max = 0;         // requantize and rescale
  bool doubleRound = false;         // rescale
  unsigned loop = 0;                // positions
  mlir::Value source = {};          // gather, table
  bool isUnsigned = false;          // table: it begins with what it has for 0
  unsigned dimension = 0;           // gather: the one of the coordinate that is computed
  mlir::AffineMap sourceMap = {};   // gather: from the loops, 0 for that one
};

/// The chain of an element-wise op, in order.
using ElementwisePlan = llvm::SmallVector<ElementwiseStep>;

mlir::FailureOr<ElementwisePlan> matchElementwise(mlir::linalg::LinalgOp op, Rejection &reason);

/// The chain that computes `values` of the body of `op`, in order.
mlir::FailureOr<ElementwisePlan> matchValues(mlir::linalg::LinalgOp op, mlir::ValueRange values,
                                             Rejection &reason);

/// One op of the body as one step.
mlir::FailureOr<ElementwiseStep> matchBodyOp(mlir::linalg::LinalgOp op, mlir::Operation *bodyOp,
                                             Rejection &reason);

/// The constant that body value `value` is in every iteration: a scalar constant or an element of
/// a tensor filled with one.
mlir::TypedAttr getBodyConstant(mlir::linalg::LinalgOp op, mlir::Value value);

/// The quantization sequence that ends in `tail`, an op of the body, as one step.
std::optional<ElementwiseStep> matchQuantization(mlir::linalg::LinalgOp op, mlir::Operation *tail);

/// A minimum or maximum of `value` and `bound`, which is the constant if one of them is.
struct Limit {
  BinaryKind kind;
  mlir::Value value, bound;
};

/// `select` as the larger or the smaller of what it compares; of NaNs and zeros either.
std::optional<Limit> matchExtreme(mlir::arith::SelectOp select);

/// `op` as exactly npu's min or max: an op of that meaning, or a choice by a comparison.
std::optional<Limit> matchLimit(mlir::linalg::LinalgOp op, mlir::Operation *limit);

/// `op` as a comparison, if it is one.
std::optional<ElementwiseStep> matchComparison(mlir::Operation *op);

/// `choice` as one of two values: by a condition, as a number rather than a NaN, or unsigned.
std::optional<ElementwiseStep> matchChoice(mlir::linalg::LinalgOp op, mlir::Operation *choice);

/// `op` as an integer that a loop counts, or as an element that indices choose; nothing if it is
/// neither, failure if it cannot be.
mlir::FailureOr<std::optional<ElementwiseStep>> matchIndexing(mlir::Operation *bodyOp,
                                                              Rejection &reason);

/// `tail` as TOSA's TABLE of an argument or a constant, and bytes that a table has for unsigned
/// ones.
std::optional<ElementwiseStep> matchTable(mlir::Operation *tail);

/// Whether `source` is there before the kernel starts; a reshape of an argument moves no data.
bool isInDram(mlir::Value source);

/// npu's op of the same meaning on numbers that are not i1, if there is one.
std::optional<BinaryKind> getBinaryKind(mlir::Operation *op);

/// Whether the flags of `op` say that no NaN occurs.
bool excludesNaN(mlir::Operation *op);

/// `tail` as a limit from below and above by constants: min(max(x, lo), hi) or the reverse.
std::optional<ElementwiseStep> matchClamp(mlir::linalg::LinalgOp op, mlir::Operation *tail);

//===----------------------------------------------------------------------===//
// Reductions of the vector unit
//===----------------------------------------------------------------------===//

/// What one result of an op is a reduction of.
struct ReductionTerm {
  enum Form {
    Plain,
    Number,  ///< a maximum or minimum of floats, NaNs left out
    Unsigned ///< a maximum or minimum of unsigned integers
  };
  Form form = Plain;
  ReduceKind kind = ReduceKind::Sum;
  mlir::Value value;            ///< of the body, in the accumulator's type or extended to it
  unsigned accumulator = 0;     ///< number of the result whose initial tensor it starts with
  mlir::TypedAttr constantInit; ///< that tensor if it is filled with one value
  bool isScan = false;          ///< each element is what is combined so far
};

/// Several results of reductions over the same loops.
struct ReductionPlan {
  llvm::SmallVector<ReductionTerm, 1> terms;
  ElementwisePlan steps; ///< that compute the terms
  /// The only term is an input of which this is the map; it slides windows. Padding of the input is
  /// part of it.
  mlir::AffineMap window;
  mlir::tensor::PadOp padding;
};

mlir::FailureOr<ReductionPlan> matchReduction(mlir::linalg::LinalgOp op, Rejection &reason);

/// What `pad` pads with, if it is a constant and the amounts are static and not negative.
mlir::TypedAttr getConstantPadding(mlir::tensor::PadOp pad);

/// Whether the pad of `slice` adds elements only where the tensor that is sliced ends as well:
/// elsewhere that tensor lies beside the slice, not the padding.
bool isAtEdges(mlir::tensor::PadOp pad, mlir::tensor::ExtractSliceOp slice);

/// Whether loads can fill the padding in: they do beyond the tensor, where a slice may not end.
bool mayPadAtLoads(mlir::tensor::PadOp pad);

/// Whether combining with `constant` changes nothing.
bool isNeutral(const ReductionTerm &term, mlir::TypedAttr constant);

} // namespace npu

#endif // NPU_LIB_CONVERSION_LINALGTONPU_MATCHING_H
