//===- LowerReduction.cpp - reductions and scans --------------------------===//

#include "Arithmetic.h"

#include "NPU/Dialect/ONNX/Specs/Reduction.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <limits>

using namespace mlir;
using namespace npu::onnx_ir;

namespace {
enum class Kind { Product, Maximum, Minimum };
} // namespace

/// What a reduction of `kind` starts from.
static Value getIdentity(Lowering &b, Kind kind, Type type, bool isUnsigned) {
  if (kind == Kind::Product)
    return b.scalar(type, int64_t(1));
  bool isMaximum = kind == Kind::Maximum;
  if (isa<FloatType>(type)) {
    double infinity = std::numeric_limits<double>::infinity();
    return b.scalar(type, isMaximum ? -infinity : infinity);
  }
  unsigned width = type.getIntOrFloatBitWidth();
  APInt least = isUnsigned ? APInt::getZero(width) : APInt::getSignedMinValue(width);
  return b.scalar(type, (isMaximum ? least : ~least).getSExtValue());
}

/// Reduces `axes` of `operand`, keeping none of them.
static Value reduce(Lowering &b, Value operand, ArrayRef<int64_t> axes, Kind kind,
                    bool isUnsigned = false) {
  if (axes.empty())
    return operand;
  Value initial = getIdentity(b, kind, b.getElementType(operand), isUnsigned);
  return b.reduce(operand, axes, initial, [&](Lowering &b, Value element, Value accumulator) {
    switch (kind) {
    case Kind::Product:
      return multiply(b, accumulator, element);
    case Kind::Maximum:
      return maximum(b, accumulator, element, isUnsigned);
    case Kind::Minimum:
      return minimum(b, accumulator, element, isUnsigned);
    }
    llvm_unreachable("all kinds are above");
  });
}

/// `body` of each element of `tensor`, or `tensor` itself without a body.
static Value map(Lowering &b, Value tensor, Type elementType, Lowering::Body body) {
  return body ? b.elementwise(b.getShape(tensor), elementType, tensor, body) : tensor;
}

/// Type that the elements of input 0 are combined in: halves would lose what the sum is about, and
/// what is no integer in between has to be a float (`isReal`).
static Type getComputeType(Lowering &b, bool isReal) {
  Type type = b.getElementType(b.getInput(0));
  if (isa<FloatType>(type))
    return type.getIntOrFloatBitWidth() < 32 ? b.getF32Type() : type;
  return isReal ? Type(b.getF64Type()) : type;
}

/// Input 0 in the type that it is combined in.
static Value widenInput(Lowering &b, Type type) {
  Value input = b.getInput(0);
  if (b.getElementType(input) == type)
    return input;
  bool isUnsigned = b.isUnsigned(0);
  return map(b, input, type,
             [&](Lowering &b, ValueRange x) { return convert(b, x[0], isUnsigned, type); });
}

/// Sets the result to `tensor`, converted back, with the dimensions of the result.
static void setReduced(Lowering &b, Value tensor) {
  RankedTensorType type = b.getResultType();
  bool isUnsigned = b.isUnsigned(0);
  if (b.getElementType(tensor) != type.getElementType())
    tensor = map(b, tensor, type.getElementType(), [&](Lowering &b, ValueRange x) {
      return convert(b, x[0], /*isUnsigned=*/false, type.getElementType(), isUnsigned);
    });
  b.setResult(b.reshape(tensor, type.getShape()));
}

/// after(sum of before(x)), each of which may be absent.
static void lowerBySum(Lowering &b, bool isReal, Lowering::Body before, Lowering::Body after) {
  SmallVector<int64_t> axes = *getReducedAxes(b.getNode());
  Type type = getComputeType(b, isReal);
  Value elements = map(b, widenInput(b, type), type, before);
  setReduced(b, map(b, sum(b, elements, axes), type, after));
}

static Value square(Lowering &b, ValueRange x) { return multiply(b, x[0], x[0]); }

static Value takeLog(Lowering &b, ValueRange x) { return math::LogOp::create(b, x[0]); }

void npu::onnx_ir::lowerReduceSum(Lowering &b) {
  setReduced(b, sum(b, b.getInput(0), *getReducedAxes(b.getNode())));
}

void npu::onnx_ir::lowerReduceSumSquare(Lowering &b) {
  lowerBySum(b, /*isReal=*/false, square, {});
}

void npu::onnx_ir::lowerReduceLogSum(Lowering &b) { lowerBySum(b, /*isReal=*/true, {}, takeLog); }

void npu::onnx_ir::lowerReduceL1(Lowering &b) {
  bool isUnsigned = b.isUnsigned(0);
  lowerBySum(b, /*isReal=*/false,
             [&](Lowering &b, ValueRange x) -> Value {
               if (isa<FloatType>(x[0].getType()))
                 return math::AbsFOp::create(b, x[0]);
               return isUnsigned ? x[0] : Value(math::AbsIOp::create(b, x[0]));
             },
             {});
}

void npu::onnx_ir::lowerReduceL2(Lowering &b) {
  lowerBySum(b, /*isReal=*/true, square,
             [](Lowering &b, ValueRange x) -> Value { return math::SqrtOp::create(b, x[0]); });
}

void npu::onnx_ir::lowerReduceMean(Lowering &b) {
  Type type = b.getElementType(b.getInput(0));
  Value input = widenInput(b, isa<FloatType>(type) ? type : b.getF64Type());
  setReduced(b, mean(b, input, *getReducedAxes(b.getNode())));
}

static void lowerPlain(Lowering &b, Kind kind) {
  SmallVector<int64_t> axes = *getReducedAxes(b.getNode());
  // Booleans are bits.
  bool isUnsigned = b.isUnsigned(0) || b.getResultType().getElementType().isInteger(1);
  Type type = kind == Kind::Product ? getComputeType(b, /*isReal=*/false)
                                    : b.getResultType().getElementType();
  setReduced(b, reduce(b, widenInput(b, type), axes, kind, isUnsigned));
}

void npu::onnx_ir::lowerReduceMax(Lowering &b) { lowerPlain(b, Kind::Maximum); }
void npu::onnx_ir::lowerReduceMin(Lowering &b) { lowerPlain(b, Kind::Minimum); }
void npu::onnx_ir::lowerReduceProd(Lowering &b) { lowerPlain(b, Kind::Product); }

/// log(sum(exp(x - m))) + m, where m is the maximum, so that nothing overflows. An infinite m is
/// left out, as infinities have no difference.
void npu::onnx_ir::lowerReduceLogSumExp(Lowering &b) {
  SmallVector<int64_t> axes = *getReducedAxes(b.getNode());
  Type type = getComputeType(b, /*isReal=*/true);
  Value input = widenInput(b, type);
  SmallVector<int64_t> kept(b.getShape(input));
  for (int64_t axis : axes)
    kept[axis] = 1;
  Value maximum = reduce(b, input, axes, Kind::Maximum);
  Value shift = map(b, maximum, type, [&](Lowering &b, ValueRange x) -> Value {
    Value infinity = b.scalar(type, std::numeric_limits<double>::infinity());
    Value isFinite = compare(b, arith::CmpIPredicate::slt, math::AbsFOp::create(b, x[0]), infinity);
    return arith::SelectOp::create(b, isFinite, x[0], b.scalar(type, 0.0));
  });
  Value powers = b.elementwise(b.getShape(input), type, {input, b.reshape(shift, kept)},
                               [](Lowering &b, ValueRange x) -> Value {
                                 return math::ExpOp::create(b, subtract(b, x[0], x[1]));
                               });
  Value sums = sum(b, powers, axes);
  setReduced(b, b.elementwise(kept, type, {sums, b.reshape(shift, kept)},
                              [](Lowering &b, ValueRange x) -> Value {
                                return add(b, math::LogOp::create(b, x[0]), x[1]);
                              }));
}

//===----------------------------------------------------------------------===//
// Positions of extrema
//===----------------------------------------------------------------------===//

/// Whether `element` takes the place of `best`, of smaller index. NaN is more extreme than all.
static Value isMoreExtreme(Lowering &b, bool isMaximum, bool selectsLast, Value element,
                           Value best) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = isMaximum ? (selectsLast ? Predicate::sge : Predicate::sgt)
                                  : (selectsLast ? Predicate::sle : Predicate::slt);
  Value wins = compare(b, predicate, element, best, b.isUnsigned(0));
  if (!isa<FloatType>(element.getType()))
    return wins;
  Value isNaN = compare(b, Predicate::ne, element, element);
  if (!selectsLast)
    isNaN = arith::AndIOp::create(b, isNaN, compare(b, Predicate::eq, best, best));
  return arith::OrIOp::create(b, wins, isNaN);
}

/// One op with two results: the extremum and its index.
static void lowerArgExtremum(Lowering &b, bool isMaximum) {
  Node &node = b.getNode();
  Value input = b.getInput(0);
  ArrayRef<int64_t> extents = b.getShape(input);
  unsigned rank = extents.size();
  int64_t axis = node.getInt("axis", 0);
  axis = axis < 0 ? axis + rank : axis;
  bool selectsLast = node.getInt("select_last_index", 0) != 0;
  Type type = b.getElementType(input), indexType = b.getI64Type();

  SmallVector<int64_t> shape(extents);
  shape.erase(shape.begin() + axis);
  auto fill = [&](Value value) {
    return linalg::FillOp::create(b, value, b.empty(shape, value.getType())).getResult(0);
  };
  Value best =
      fill(getIdentity(b, isMaximum ? Kind::Maximum : Kind::Minimum, type, b.isUnsigned(0)));
  Value index = fill(b.scalar(indexType, int64_t(0)));
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  AffineMap kept = identity.dropResult(axis);
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators[axis] = utils::IteratorType::reduction;
  auto generic = linalg::GenericOp::create(
      b, TypeRange{best.getType(), index.getType()}, input, ValueRange{best, index},
      ArrayRef<AffineMap>{identity, kept, kept}, iterators,
      [&](OpBuilder &builder, Location, ValueRange x) {
        Lowering inner(node, ValueRange(), builder);
        Value position =
            arith::IndexCastOp::create(inner, indexType, linalg::IndexOp::create(inner, axis));
        Value wins = isMoreExtreme(inner, isMaximum, selectsLast, x[0], x[1]);
        Value element = arith::SelectOp::create(inner, wins, x[0], x[1]);
        position = arith::SelectOp::create(inner, wins, position, x[2]);
        linalg::YieldOp::create(inner, ValueRange{element, position});
      });
  b.setResult(b.reshape(generic.getResult(1), b.getResultType().getShape()));
}

void npu::onnx_ir::lowerArgMax(Lowering &b) { lowerArgExtremum(b, /*isMaximum=*/true); }
void npu::onnx_ir::lowerArgMin(Lowering &b) { lowerArgExtremum(b, /*isMaximum=*/false); }

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

/// `tensor` moved by `amount` elements along `axis`, to higher indices or to lower ones. `fill`
/// comes in.
static Value shift(Lowering &b, Value tensor, int64_t axis, int64_t amount, bool isUp, Value fill) {
  ArrayRef<int64_t> shape = b.getShape(tensor);
  if (amount >= shape[axis])
    return b.splat(shape, fill);
  SmallVector<int64_t> offsets(shape.size(), 0), sizes(shape), none(shape.size(), 0);
  SmallVector<int64_t> padding(shape.size(), 0);
  padding[axis] = amount;
  sizes[axis] = shape[axis] - amount;
  if (!isUp)
    offsets[axis] = amount;
  Value kept = b.slice(tensor, offsets, sizes);
  return isUp ? b.pad(kept, padding, none, fill) : b.pad(kept, none, padding, fill);
}

/// Combines each element with all before it, in as many steps as their number has bits. `neutral`
/// changes nothing.
static void lowerCumulative(Lowering &b, int64_t neutral,
                            llvm::function_ref<Value(Lowering &, Value, Value)> combine) {
  Node &node = b.getNode();
  int64_t axis = node.getConstantInts(1)->front();
  axis = axis < 0 ? axis + node.getRank(0) : axis;
  bool isUp = node.getInt("reverse", 0) == 0;
  Type type = getComputeType(b, /*isReal=*/false);
  Value result = widenInput(b, type), fill = b.scalar(type, neutral);
  int64_t extent = node.getShape(0)[axis];
  if (node.getInt("exclusive", 0) != 0 && extent > 0)
    result = shift(b, result, axis, 1, isUp, fill);
  for (int64_t count = 1; count < extent; count *= 2)
    result =
        b.elementwise(b.getShape(result), type, {result, shift(b, result, axis, count, isUp, fill)},
                      [&](Lowering &b, ValueRange x) { return combine(b, x[0], x[1]); });
  setReduced(b, result);
}

void npu::onnx_ir::lowerCumSum(Lowering &b) { lowerCumulative(b, 0, add); }
void npu::onnx_ir::lowerCumProd(Lowering &b) { lowerCumulative(b, 1, multiply); }
