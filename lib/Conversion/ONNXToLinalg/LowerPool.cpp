//===- LowerPool.cpp - pools ----------------------------------------------===//

#include "Arithmetic.h"
#include "Windows.h"

#include "NPU/Dialect/ONNX/Specs/Pool.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

static Window getPoolWindow(Node &node) {
  return *getWindow(node, node.getShape(0).drop_front(2), *node.getInts("kernel_shape"));
}

static SmallVector<int64_t> getSpatialAxes(Node &node) {
  return llvm::to_vector(llvm::seq<int64_t>(2, node.getRank(0)));
}

/// The place in the input of the element that the body of a generic op reads, counted through all
/// of it, and whether it is in the input at all. The last spatial dimension counts fastest, or the
/// first one if `isColumnMajor`.
static std::pair<Value, Value> getPlace(Lowering &b, ArrayRef<int64_t> input, const Window &window,
                                        bool isColumnMajor) {
  unsigned rank = input.size();
  Value inside, place = b.scalar(b.getIndexType(), int64_t(0));
  SmallVector<unsigned> order{0, 1};
  for (unsigned d = 0; d < window.getRank(); ++d)
    order.push_back(2 + (isColumnMajor ? window.getRank() - 1 - d : d));
  auto scaled = [&](Value value, int64_t factor) {
    return arith::MulIOp::create(b, value, b.scalar(b.getIndexType(), factor));
  };
  for (unsigned dim : order) {
    Value coordinate = linalg::IndexOp::create(b, dim);
    Value extent = b.scalar(b.getIndexType(), input[dim]);
    if (dim >= 2) {
      unsigned d = dim - 2;
      Value kernel = linalg::IndexOp::create(b, rank + d);
      coordinate =
          add(b, scaled(coordinate, window.strides[d]), scaled(kernel, window.dilations[d]));
      coordinate = subtract(b, coordinate, b.scalar(b.getIndexType(), window.padsBegin[d]));
      // In front of the input it is a large unsigned number.
      Value isIn = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, coordinate, extent);
      inside = inside ? arith::AndIOp::create(b, inside, isIn).getResult() : isIn;
    }
    place = add(b, scaled(place, input[dim]), coordinate);
  }
  return {arith::IndexCastOp::create(b, b.getI64Type(), place), inside};
}

/// Largest elements and where they are.
static void lowerMaxPoolWithIndices(Lowering &b, Value input, const Window &window) {
  Node &node = b.getNode();
  Type type = b.getElementType(input);
  bool isUnsigned = b.isUnsigned(0), isColumnMajor = node.getInt("storage_order", 0) != 0;
  WindowLoops loops = getWindowLoops(b, input, 2, window);
  Value kernel = b.empty(window.kernel, type);
  // No place yet.
  Value places = filled(b, loops.outputShape, b.scalar(b.getI64Type(), int64_t(-1)));
  Value maxima = filled(b, loops.outputShape, lowest(b, type, isUnsigned));
  auto op = linalg::GenericOp::create(
      b, TypeRange{maxima.getType(), places.getType()}, ValueRange{input, kernel},
      ValueRange{maxima, places},
      ArrayRef<AffineMap>{loops.inputMap, loops.kernelMap, loops.outputMap, loops.outputMap},
      loops.iterators, [&](OpBuilder &builder, Location, ValueRange x) {
        Lowering inner(node, {}, builder);
        auto [place, inside] = getPlace(inner, node.getShape(0), window, isColumnMajor);
        Value isFirst = arith::CmpIOp::create(inner, arith::CmpIPredicate::slt, x[3],
                                              inner.scalar(inner.getI64Type(), int64_t(0)));
        Value isLarger;
        if (isa<FloatType>(type)) {
          // A NaN is larger than all others.
          Value ordered = arith::CmpFOp::create(inner, arith::CmpFPredicate::OGT, x[0], x[2]);
          Value isNaN = arith::CmpFOp::create(inner, arith::CmpFPredicate::UNO, x[0], x[0]);
          isLarger = arith::OrIOp::create(inner, ordered, isNaN);
        } else {
          auto predicate = isUnsigned ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt;
          isLarger = arith::CmpIOp::create(inner, predicate, x[0], x[2]);
        }
        Value isTaken =
            arith::AndIOp::create(inner, inside, arith::OrIOp::create(inner, isFirst, isLarger));
        linalg::YieldOp::create(inner,
                                ValueRange{arith::SelectOp::create(inner, isTaken, x[0], x[2]),
                                           arith::SelectOp::create(inner, isTaken, place, x[3])});
      });
  b.setResult(0, op.getResult(0));
  b.setResult(1, op.getResult(1));
}

void npu::onnx_ir::lowerMaxPool(Lowering &b) {
  Window window = getPoolWindow(b.getNode());
  bool isUnsigned = b.isUnsigned(0);
  Value initial = lowest(b, b.getElementType(b.getInput(0)), isUnsigned);
  Value input = padForWindow(b, b.getInput(0), window, initial, /*withOverhang=*/true);
  if (b.getNode().hasOutput(1))
    return lowerMaxPoolWithIndices(b, input, window);
  b.setResult(reduceWindows(b, input, 2, window, initial, [&](Lowering &b, Value x, Value y) {
    return maximum(b, x, y, isUnsigned);
  }));
}

/// How many elements of each window along dimension `d` count for a mean value: those in the input,
/// or in its padding as well.
static SmallVector<double> countElements(const Window &window, unsigned d, int64_t input,
                                         bool countsPadding) {
  int64_t first = countsPadding ? -window.padsBegin[d] : 0;
  int64_t last = countsPadding ? input + window.padsEnd[d] : input;
  SmallVector<double> counts;
  for (int64_t place = 0; place < window.output[d]; ++place) {
    // The k for which first <= start + k * dilation < last.
    int64_t start = place * window.strides[d] - window.padsBegin[d], step = window.dilations[d];
    int64_t begin = start < first ? llvm::divideCeil(first - start, step) : 0;
    int64_t end = last > start ? llvm::divideCeil(last - start, step) : 0;
    counts.push_back(std::max<int64_t>(0, std::min(end, window.kernel[d]) - begin));
  }
  return counts;
}

/// The sums over all windows, divided by how many elements count.
static Value divideByCounts(Lowering &b, Value sums, const Window &window) {
  Node &node = b.getNode();
  Type type = b.getElementType(sums);
  bool countsPadding = node.getInt("count_include_pad", 0) != 0;
  double common = 1; // along dimensions where all windows are alike
  SmallVector<Value> operands{sums};
  for (unsigned d = 0; d < window.getRank(); ++d) {
    SmallVector<double> counts = countElements(window, d, node.getShape(0)[2 + d], countsPadding);
    if (llvm::all_equal(counts)) {
      common *= counts.empty() ? 1 : counts.front();
      continue;
    }
    SmallVector<int64_t> shape(window.getRank() - d, 1);
    shape[0] = window.output[d];
    SmallVector<Attribute> elements = llvm::map_to_vector(
        counts, [&](double count) -> Attribute { return b.getFloatAttr(type, count); });
    operands.push_back(arith::ConstantOp::create(
        b, DenseElementsAttr::get(RankedTensorType::get(shape, type), elements)));
  }
  return b.elementwise(b.getShape(sums), type, operands, [&](Lowering &b, ValueRange x) {
    Value count;
    for (Value factor : x.drop_front())
      count = count ? multiply(b, count, factor) : factor;
    if (!count || common != 1) {
      Value factor = b.scalar(type, common);
      count = count ? multiply(b, count, factor) : factor;
    }
    return divide(b, x[0], count);
  });
}

void npu::onnx_ir::lowerAveragePool(Lowering &b) {
  Window window = getPoolWindow(b.getNode());
  Value input = widenFloats(b, b.getInput(0));
  Value zero = b.scalar(b.getElementType(input), 0.0);
  input = padForWindow(b, input, window, zero, /*withOverhang=*/true);
  Value means = divideByCounts(b, reduceWindows(b, input, 2, window, zero, add), window);
  b.setResult(castFloats(b, means, b.getResultType().getElementType()));
}

void npu::onnx_ir::lowerGlobalAveragePool(Lowering &b) {
  Value means = mean(b, widenFloats(b, b.getInput(0)), getSpatialAxes(b.getNode()));
  b.setResult(castFloats(b, means, b.getResultType().getElementType()));
}

void npu::onnx_ir::lowerGlobalMaxPool(Lowering &b) {
  Value initial = lowest(b, b.getElementType(b.getInput(0)));
  b.setResult(reduceKept(b, b.getInput(0), getSpatialAxes(b.getNode()), initial,
                         [](Lowering &b, Value x, Value y) { return maximum(b, x, y); }));
}

/// Adds the p-th power of the magnitude of an element.
static Value addPower(Lowering &b, Value element, Value sum, double p) {
  if (p == 2)
    return add(b, sum, multiply(b, element, element));
  Value magnitude = math::AbsFOp::create(b, element);
  if (p != 1)
    magnitude = math::PowFOp::create(b, magnitude, b.scalar(element.getType(), p));
  return add(b, sum, magnitude);
}

static Value takeRoot(Lowering &b, Value sums, double p) {
  if (p == 1)
    return sums;
  return b.elementwise(b.getShape(sums), b.getElementType(sums), sums,
                       [&](Lowering &b, ValueRange x) -> Value {
                         if (p == 2)
                           return math::SqrtOp::create(b, x[0]);
                         return math::PowFOp::create(b, x[0], b.scalar(x[0].getType(), 1 / p));
                       });
}

void npu::onnx_ir::lowerLpPool(Lowering &b) {
  Window window = getPoolWindow(b.getNode());
  double p = getNormOrder(b.getNode());
  Value input = widenFloats(b, b.getInput(0));
  Value zero = b.scalar(b.getElementType(input), 0.0);
  input = padForWindow(b, input, window, zero, /*withOverhang=*/true);
  Value sums = reduceWindows(b, input, 2, window, zero, [&](Lowering &b, Value x, Value sum) {
    return addPower(b, x, sum, p);
  });
  b.setResult(castFloats(b, takeRoot(b, sums, p), b.getResultType().getElementType()));
}

void npu::onnx_ir::lowerGlobalLpPool(Lowering &b) {
  double p = getNormOrder(b.getNode());
  Value input = widenFloats(b, b.getInput(0));
  Value zero = b.scalar(b.getElementType(input), 0.0);
  Value sums = reduceKept(b, input, getSpatialAxes(b.getNode()), zero,
                          [&](Lowering &b, Value x, Value sum) { return addPower(b, x, sum, p); });
  b.setResult(castFloats(b, takeRoot(b, sums, p), b.getResultType().getElementType()));
}
