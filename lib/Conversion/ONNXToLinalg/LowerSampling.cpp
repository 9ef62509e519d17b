//===- LowerSampling.cpp - operators that sample images -------------------===//

#include "Indexing.h"
#include "Scalars.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace npu::onnx_ir;

namespace {
/// Arithmetic on f32, in which places are computed whatever the image is of.
struct Places {
  Lowering &b;

  Value number(double value) { return b.scalar(b.getF32Type(), value); }
  Value add(Value lhs, Value rhs) { return arith::AddFOp::create(b, lhs, rhs); }
  Value sub(Value lhs, Value rhs) { return arith::SubFOp::create(b, lhs, rhs); }
  Value mul(Value lhs, Value rhs) { return arith::MulFOp::create(b, lhs, rhs); }
  Value isLess(Value lhs, Value rhs) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, lhs, rhs);
  }
  Value clamp(Value value, double low, double high) {
    return arith::MinNumFOp::create(b, arith::MaxNumFOp::create(b, value, number(low)),
                                    number(high));
  }
  Value toIndex(Value place) {
    return arith::IndexCastOp::create(b, b.getIndexType(),
                                      arith::FPToSIOp::create(b, b.getI64Type(), place));
  }
  /// Mirrors a place at both ends as often as it takes.
  Value reflect(Value place, double low, double high);
};

/// How places outside of an image are read.
enum class Padding { Zeros, Border, Reflection };

/// The image, with what GridSample says of places outside.
struct Image {
  Lowering &b;
  Value tensor;
  Padding padding;
  bool isAligned;

  /// Bounds of places along spatial dimension `dim`.
  std::pair<double, double> getBounds(int64_t extent) const {
    return isAligned ? std::pair(0.0, double(extent - 1)) : std::pair(-0.5, extent - 0.5);
  }
  /// The element at whole places, as f32.
  Value read(ValueRange outer, ArrayRef<Value> places) const;
};
} // namespace

Value Places::reflect(Value place, double low, double high) {
  double range = high - low;
  if (range <= 0)
    return number(low);
  // The distance from the low end, without whole ways there and back.
  Value distance = math::AbsFOp::create(b, sub(place, number(low)));
  Value ways = math::FloorOp::create(b, arith::DivFOp::create(b, distance, number(2 * range)));
  Value rest = sub(distance, mul(ways, number(2 * range)));
  Value back = sub(number(2 * range), rest);
  return add(arith::MinNumFOp::create(b, rest, back), number(low));
}

Value Image::read(ValueRange outer, ArrayRef<Value> wholePlaces) const {
  Places p{b};
  ArrayRef<int64_t> shape = b.getShape(tensor);
  SmallVector<Value> position(outer);
  Value isInside;
  for (auto [dim, place] : llvm::enumerate(wholePlaces)) {
    int64_t extent = shape[outer.size() + dim];
    Value within = place;
    if (padding == Padding::Reflection) {
      auto [low, high] = getBounds(extent);
      within = p.reflect(place, low, high);
    } else if (padding == Padding::Zeros) {
      Value isHere = arith::AndIOp::create(b, p.isLess(p.number(-1), place),
                                           p.isLess(place, p.number(extent)));
      isInside = isInside ? Value(arith::AndIOp::create(b, isInside, isHere)) : isHere;
    }
    position.push_back(p.toIndex(p.clamp(within, 0, extent - 1)));
  }
  Value element = convert(b, extract(b, tensor, position), false, b.getF32Type());
  return isInside ? Value(arith::SelectOp::create(b, isInside, element, p.number(0))) : element;
}

/// Weights of the four elements around a place that is `t` behind the second: Keys' cubic with
/// a = -0.75.
static SmallVector<Value> getCubicWeights(Places p, Value t) {
  constexpr double a = -0.75;
  auto inner = [&](Value x) { // (a + 2) x^3 - (a + 3) x^2 + 1
    Value sum = p.sub(p.mul(p.number(a + 2), x), p.number(a + 3));
    return p.add(p.mul(p.mul(sum, x), x), p.number(1));
  };
  auto outer = [&](Value x) { // a x^3 - 5 a x^2 + 8 a x - 4 a
    Value sum = p.sub(p.mul(p.number(a), x), p.number(5 * a));
    sum = p.add(p.mul(sum, x), p.number(8 * a));
    return p.sub(p.mul(sum, x), p.number(4 * a));
  };
  Value one = p.number(1), two = p.number(2);
  return {outer(p.add(t, one)), inner(t), inner(p.sub(one, t)), outer(p.sub(two, t))};
}

void npu::onnx_ir::lowerGridSample(Lowering &b) {
  Node &node = b.getNode();
  StringRef mode = node.getString("mode", "linear");
  StringRef padding = node.getString("padding_mode", "zeros");
  bool isNearest = mode == "nearest", isCubic = mode.ends_with("cubic");
  Image image{b, b.getInput(0),
              padding == "zeros"    ? Padding::Zeros
              : padding == "border" ? Padding::Border
                                    : Padding::Reflection,
              node.getInt("align_corners", 0) != 0};
  RankedTensorType type = b.getResultType();
  int64_t spatial = type.getRank() - 2;
  ArrayRef<int64_t> extents = node.getShape(0).drop_front(2);
  // Coordinates of all channels, the last dimension's first.
  SmallVector<Value> coordinates;
  SmallVector<int64_t> offsets(spatial + 2, 0), sizes(node.getShape(1)), shape(type.getShape());
  shape[1] = 1, sizes.back() = 1;
  for (int64_t dim = 0; dim < spatial; ++dim) {
    offsets.back() = spatial - 1 - dim;
    coordinates.push_back(b.reshape(b.slice(b.getInput(1), offsets, sizes), shape));
  }
  b.setResult(b.elementwise(
      type.getShape(), type.getElementType(), coordinates, [&](Lowering &b, ValueRange x) {
        Places p{b};
        SmallVector<Value> loops = getLoopIndices(b, type.getRank());
        ValueRange outer = ValueRange(loops).take_front(2);
        SmallVector<SmallVector<Value>> places(spatial), weights(spatial);
        for (int64_t dim = 0; dim < spatial; ++dim) {
          double extent = extents[dim];
          Value c = p.add(convert(b, x[dim], false, b.getF32Type()), p.number(1));
          Value place = image.isAligned
                            ? p.mul(p.mul(c, p.number(0.5)), p.number(extent - 1))
                            : p.mul(p.sub(p.mul(c, p.number(extent)), p.number(1)), p.number(0.5));
          if (isNearest)
            place = math::RoundEvenOp::create(b, place);
          // The elements around a cubic's place are moved to the border each by itself.
          if (image.padding == Padding::Border && !isCubic)
            place = p.clamp(place, 0, extent - 1);
          else if (image.padding == Padding::Reflection) {
            auto [low, high] = image.getBounds(extents[dim]);
            place = p.reflect(place, low, high);
          }
          if (isNearest) {
            places[dim] = {place};
            continue;
          }
          Value first = math::FloorOp::create(b, place), rest = p.sub(place, first);
          if (isCubic) {
            for (int64_t tap = -1; tap <= 2; ++tap)
              places[dim].push_back(p.add(first, p.number(tap)));
            weights[dim] = getCubicWeights(p, rest);
          } else {
            places[dim] = {first, p.add(first, p.number(1))};
            weights[dim] = {p.sub(p.number(1), rest), rest};
          }
        }
        // All taps of all dimensions, the last dimension fastest.
        Value sum;
        SmallVector<size_t> taps(spatial, 0);
        for (bool isDone = false; !isDone;) {
          SmallVector<Value> at;
          Value weight;
          for (int64_t dim = 0; dim < spatial; ++dim) {
            at.push_back(places[dim][taps[dim]]);
            if (isNearest)
              continue;
            Value own = weights[dim][taps[dim]];
            weight = weight ? p.mul(weight, own) : own;
          }
          Value element = image.read(outer, at);
          Value term = weight ? p.mul(element, weight) : element;
          sum = sum ? p.add(sum, term) : term;
          isDone = true;
          for (int64_t dim = spatial; isDone && dim-- > 0;) {
            taps[dim] = (taps[dim] + 1) % places[dim].size();
            isDone = taps[dim] == 0;
          }
        }
        return convert(b, sum, false, type.getElementType());
      }));
}

void npu::onnx_ir::lowerRoiAlign(Lowering &b) {
  Node &node = b.getNode();
  RankedTensorType type = b.getResultType();
  int64_t height = node.getShape(0)[2], width = node.getShape(0)[3], rois = type.getDimSize(0);
  int64_t samples = node.getInt("sampling_ratio", 0);
  double scale = node.getFloat("spatial_scale", 1);
  bool isMax = node.getString("mode", "avg") == "max";
  // Before opset 16, places were not moved by half an element.
  bool isHalf = node.getOpset() >= 16 &&
                node.getString("coordinate_transformation_mode", "half_pixel") == "half_pixel";
  Value image = b.getInput(0);
  SmallVector<Value> operands;
  for (int64_t column = 0; column < 4; ++column)
    operands.push_back(b.reshape(b.slice(b.getInput(1), {0, column}, {rois, 1}), {rois, 1, 1, 1}));
  operands.push_back(b.reshape(b.getInput(2), {rois, 1, 1, 1}));
  b.setResult(b.elementwise(
      type.getShape(), type.getElementType(), operands, [&](Lowering &b, ValueRange x) {
        Places p{b};
        SmallVector<Value> loops = getLoopIndices(b, 4);
        SmallVector<Value> edges;
        for (Value edge : x.take_front(4))
          edges.push_back(p.sub(p.mul(convert(b, edge, false, b.getF32Type()), p.number(scale)),
                                p.number(isHalf ? 0.5 : 0)));
        Value batch = createIndex(b, x[4], node.getShape(0)[0]);
        auto toFloat = [&](Value index) -> Value {
          return arith::SIToFPOp::create(b, b.getF32Type(),
                                         arith::IndexCastOp::create(b, b.getI64Type(), index));
        };
        // For rows and columns: the elements before and behind each sample, their weights, and
        // whether it is on the image.
        struct Axis {
          SmallVector<Value> low, high, lowWeight, highWeight, isInside;
        };
        auto getAxis = [&](Value begin, Value end, Value index, int64_t count, int64_t extent) {
          Axis axis;
          Value size = p.sub(end, begin);
          if (!isHalf)
            size = arith::MaxNumFOp::create(b, size, p.number(1));
          Value bin = arith::DivFOp::create(b, size, p.number(count));
          Value start = p.add(begin, p.mul(toFloat(index), bin));
          for (int64_t sample = 0; sample < samples; ++sample) {
            Value place = p.add(start, arith::DivFOp::create(b, p.mul(p.number(sample + 0.5), bin),
                                                             p.number(samples)));
            Value isLow = p.isLess(place, p.number(-1)), isHigh = p.isLess(p.number(extent), place);
            Value isOutside = arith::OrIOp::create(b, isLow, isHigh);
            axis.isInside.push_back(
                arith::XOrIOp::create(b, isOutside, b.scalar(b.getI1Type(), int64_t(1))));
            Value within = p.clamp(place, 0, extent - 1);
            Value low = math::FloorOp::create(b, within);
            Value high = arith::MinNumFOp::create(b, p.add(low, p.number(1)), p.number(extent - 1));
            Value rest = p.sub(within, low);
            axis.low.push_back(p.toIndex(low));
            axis.high.push_back(p.toIndex(high));
            axis.lowWeight.push_back(p.sub(p.number(1), rest));
            axis.highWeight.push_back(rest);
          }
          return axis;
        };
        Axis rows = getAxis(edges[1], edges[3], loops[2], type.getDimSize(2), height);
        Axis columns = getAxis(edges[0], edges[2], loops[3], type.getDimSize(3), width);
        Value result;
        for (int64_t i = 0; i < samples; ++i)
          for (int64_t j = 0; j < samples; ++j) {
            auto read = [&](Value row, Value column, Value rowWeight, Value columnWeight) {
              Value element = extract(b, image, {batch, loops[1], row, column});
              return p.mul(convert(b, element, false, b.getF32Type()),
                           p.mul(rowWeight, columnWeight));
            };
            SmallVector<Value> terms{
                read(rows.low[i], columns.low[j], rows.lowWeight[i], columns.lowWeight[j]),
                read(rows.low[i], columns.high[j], rows.lowWeight[i], columns.highWeight[j]),
                read(rows.high[i], columns.low[j], rows.highWeight[i], columns.lowWeight[j]),
                read(rows.high[i], columns.high[j], rows.highWeight[i], columns.highWeight[j])};
            auto combine = [&](Value lhs, Value rhs) -> Value {
              return isMax ? Value(arith::MaxNumFOp::create(b, lhs, rhs)) : p.add(lhs, rhs);
            };
            Value value = combine(combine(combine(terms[0], terms[1]), terms[2]), terms[3]);
            Value isInside = arith::AndIOp::create(b, rows.isInside[i], columns.isInside[j]);
            value = arith::SelectOp::create(b, isInside, value, p.number(0));
            result = result ? combine(result, value) : value;
          }
        if (!isMax)
          result = arith::DivFOp::create(b, result, p.number(double(samples * samples)));
        return convert(b, result, false, type.getElementType());
      }));
}
