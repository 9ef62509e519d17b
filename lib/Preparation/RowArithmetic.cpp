//===- RowArithmetic.cpp - normalized rows in integers of 32 bits ---------===//
//
// Sums of bytes and of their squares are exact. What a row is divided by has 29 bits or more behind
// its first one, whatever its magnitude: an integer, and a shift for each row. Products are scaled
// as TOSA does, with 64 bits between, rounded to the nearest.
//
//===----------------------------------------------------------------------===//

#include "RowArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// Numbers of 32 bits
//===----------------------------------------------------------------------===//

namespace {
/// multiplier / 2^shift.
struct Scaling {
  int32_t multiplier = 0;
  int64_t shift = 0;
};

/// Builds what a body computes of i32.
class Body {
public:
  explicit Body(ImplicitLocOpBuilder &b) : b(b) {}

  Value constant(int64_t number) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(number)));
  }
  Value widen(Value byte, bool isUnsigned) {
    return isUnsigned ? arith::ExtUIOp::create(b, b.getI32Type(), byte).getResult()
                      : arith::ExtSIOp::create(b, b.getI32Type(), byte).getResult();
  }
  Value add(Value lhs, Value rhs) { return arith::AddIOp::create(b, lhs, rhs); }
  Value sub(Value lhs, Value rhs) { return arith::SubIOp::create(b, lhs, rhs); }
  Value mul(Value lhs, Value rhs) { return arith::MulIOp::create(b, lhs, rhs); }
  Value mul(Value lhs, int64_t rhs) { return mul(lhs, constant(rhs)); }
  Value div(Value lhs, Value rhs) { return arith::DivSIOp::create(b, lhs, rhs); }
  Value max(Value lhs, int64_t rhs) { return arith::MaxSIOp::create(b, lhs, constant(rhs)); }
  Value min(Value lhs, int64_t rhs) { return arith::MinSIOp::create(b, lhs, constant(rhs)); }
  Value shl(Value lhs, Value rhs) { return arith::ShLIOp::create(b, lhs, rhs); }
  Value shr(Value lhs, Value rhs) { return arith::ShRSIOp::create(b, lhs, rhs); }
  Value bitAnd(Value lhs, int64_t rhs) { return arith::AndIOp::create(b, lhs, constant(rhs)); }
  Value leadingZeros(Value number) { return math::CountLeadingZerosOp::create(b, number); }
  Value narrow(Value number, unsigned width) {
    return arith::TruncIOp::create(b, b.getIntegerType(width), number);
  }

  /// number * multiplier / 2^shift, rounded; shift is an i8 of 2 to 62.
  Value scale(Value number, Value multiplier, Value shift) {
    return tosa::ApplyScaleOp::create(b, b.getI32Type(), number, multiplier, shift,
                                      tosa::RoundingMode::SINGLE_ROUND);
  }
  Value scale(Value number, Value multiplier, int64_t shift) {
    return scale(number, multiplier,
                 arith::ConstantOp::create(b, b.getI8IntegerAttr(int8_t(shift))));
  }

  /// Where tables have the entry of a number from -256 to 255.
  Value getPlace(Value number) {
    Value word = narrow(mul(number, 128), 16);
    return add(arith::ExtSIOp::create(b, b.getI32Type(), word), constant(32768));
  }
  /// 128 * the entry at `place` of a table of 513, as TOSA reads it: between two entries is a line,
  /// of which only the ends are needed.
  Value look(Value place, Value table);

private:
  ImplicitLocOpBuilder &b;
};
} // namespace

/// `number`, not negative, with 31 bits of multiplier.
static Scaling getScaling(double number) {
  int exponent = 0;
  double mantissa = std::frexp(number, &exponent); // 0.5 to 1
  int64_t multiplier = std::llround(std::ldexp(mantissa, 31));
  if (multiplier == int64_t(1) << 31) {
    multiplier /= 2;
    ++exponent;
  }
  return {int32_t(multiplier), 31 - exponent};
}

Value Body::look(Value place, Value table) {
  Value piece = arith::ShRUIOp::create(b, place, constant(7));
  auto read = [&](Value number) -> Value {
    Value index = arith::IndexCastUIOp::create(b, b.getIndexType(), number);
    Value entry = tensor::ExtractOp::create(b, table, index);
    return arith::ExtSIOp::create(b, b.getI32Type(), entry);
  };
  Value start = read(piece), end = read(add(piece, constant(1)));
  Value slope = mul(sub(end, start), bitAnd(place, 127));
  return add(shl(start, constant(7)), slope);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

namespace {
/// A tensor as the loops read it.
struct Operand {
  Value tensor;
  AffineMap map;
};

/// The integers of a normalization.
struct NormalPlan {
  double epsilon = 0;     ///< that is added to the sum of squares
  int64_t center = 0;     ///< of numbers that are not centered on their mean
  int64_t bits = 0;       ///< behind the point of a quotient
  double unit = 0;        ///< of the normal number that the quotient stands for
  bool isUniform = false; ///< nothing is added, and all are multiplied by one number
  int64_t finalBits = 0;  ///< behind the point of the result, unless that is so
};

/// Bits by which a dividend is moved, so that shifts of its products are none of less than 2.
constexpr int64_t kDividendBits = 4;

/// Builds ops over rows, whose elements are what the loops of a form go over.
class Rows {
public:
  Rows(OpBuilder &builder, Location loc, const RowForm &form, ArrayRef<int64_t> sizes)
      : b(loc, builder), form(form), sizes(sizes) {
    for (unsigned loop = 0; loop < sizes.size(); ++loop) {
      all.push_back(loop);
      if (!form.reduced.test(loop))
        outer.push_back(loop);
    }
  }

  std::optional<FixedPoint> createSoftmax(StringRef &reason);
  std::optional<FixedPoint> createNormal(StringRef &reason);

private:
  using Compute = function_ref<SmallVector<Value>(Body &, ValueRange)>;

  AffineMap getMap(ArrayRef<unsigned> loops);
  /// Results of i32, or i8 where `areBytes` says so, for each position of `loops`.
  SmallVector<Operand> compute(ArrayRef<unsigned> loops, ArrayRef<Operand> inputs,
                               Compute computeBody, ArrayRef<bool> areBytes = {false});
  /// Sums up what is computed of each element of a row; or finds the largest.
  Operand reduce(ArrayRef<Operand> inputs, bool isSum, Compute computeBody);
  Operand createNumbers(const Numbers &numbers, Type type, function_ref<int64_t(double)> round);
  Value createTable(function_ref<int64_t(int64_t)> getEntry);

  Operand getBytes() const { return {form.source.tensor, form.source.map}; }
  Value widen(Body &body, Value byte) { return body.widen(byte, form.source.isUnsigned); }

  /// The reciprocals of square roots of rows' sums of squares, as in `createNormal`: the integer
  /// and what a product with it is shifted by.
  SmallVector<Operand> createInverseRoots(Operand squares, std::optional<Operand> excess,
                                          double epsilon, int64_t bits);

  /// The multipliers and shifts of a normalization's scales, and its offsets.
  SmallVector<Operand> createParameters(const NormalPlan &plan);

  ImplicitLocOpBuilder b;
  const RowForm &form;
  ArrayRef<int64_t> sizes;
  SmallVector<unsigned> all, outer; ///< loops: of elements, of rows
};
} // namespace

AffineMap Rows::getMap(ArrayRef<unsigned> loops) {
  return AffineMap::getMultiDimMapWithTargets(sizes.size(), loops, b.getContext());
}

SmallVector<Operand> Rows::compute(ArrayRef<unsigned> loops, ArrayRef<Operand> inputs,
                                   Compute computeBody, ArrayRef<bool> areBytes) {
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> positions(sizes.size());
  for (auto [position, loop] : llvm::enumerate(loops)) {
    shape.push_back(sizes[loop]);
    positions[loop] = b.getAffineDimExpr(position);
  }
  SmallVector<Value> tensors, inits;
  SmallVector<AffineMap> maps;
  for (const Operand &input : inputs) {
    tensors.push_back(input.tensor);
    maps.push_back(input.map.replaceDimsAndSymbols(positions, {}, loops.size(), 0));
  }
  for (bool isByte : areBytes) {
    inits.push_back(tensor::EmptyOp::create(b, shape, b.getIntegerType(isByte ? 8 : 32)));
    maps.push_back(b.getMultiDimIdentityMap(loops.size()));
  }
  SmallVector<utils::IteratorType> iterators(loops.size(), utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      b, TypeRange(ValueRange(inits)), tensors, inits, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange arguments) {
        ImplicitLocOpBuilder builder(loc, nested);
        Body body(builder);
        linalg::YieldOp::create(builder, computeBody(body, arguments.take_front(tensors.size())));
      });
  return llvm::map_to_vector(op.getResults(),
                             [&](Value result) { return Operand{result, getMap(loops)}; });
}

Operand Rows::reduce(ArrayRef<Operand> inputs, bool isSum, Compute computeBody) {
  SmallVector<int64_t> shape;
  for (unsigned loop : outer)
    shape.push_back(sizes[loop]);
  Value start = Body(b).constant(isSum ? 0 : llvm::minIntN(32));
  Value empty = tensor::EmptyOp::create(b, shape, b.getI32Type());
  Value init = linalg::FillOp::create(b, start, empty).getResult(0);
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const Operand &input : inputs) {
    tensors.push_back(input.tensor);
    maps.push_back(input.map);
  }
  maps.push_back(getMap(outer));
  SmallVector<utils::IteratorType> iterators(sizes.size(), utils::IteratorType::parallel);
  for (unsigned loop : form.reduced.set_bits())
    iterators[loop] = utils::IteratorType::reduction;
  auto op = linalg::GenericOp::create(
      b, init.getType(), tensors, init, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange arguments) {
        ImplicitLocOpBuilder builder(loc, nested);
        Body body(builder);
        Value element = computeBody(body, arguments.drop_back()).front();
        Value result = isSum
                           ? arith::AddIOp::create(builder, element, arguments.back()).getResult()
                           : arith::MaxSIOp::create(builder, element, arguments.back()).getResult();
        linalg::YieldOp::create(builder, result);
      });
  return {op.getResult(0), getMap(outer)};
}

Operand Rows::createNumbers(const Numbers &numbers, Type type,
                            function_ref<int64_t(double)> round) {
  SmallVector<APInt> integers;
  for (double value : numbers.values)
    integers.emplace_back(type.getIntOrFloatBitWidth(), round(value), /*isSigned=*/true);
  auto elements = DenseElementsAttr::get(RankedTensorType::get(numbers.sizes, type), integers);
  return {arith::ConstantOp::create(b, elements), getMap(numbers.loops)};
}

Value Rows::createTable(function_ref<int64_t(int64_t)> getEntry) {
  SmallVector<int16_t> entries;
  for (int64_t number = -256; number <= 256; ++number)
    entries.push_back(int16_t(number <= 0 ? getEntry(number) : 0));
  auto type = RankedTensorType::get({int64_t(entries.size())}, b.getI16Type());
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef<int16_t>(entries)));
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

// e = exp(alpha * (x - max)) is one of 256 numbers, with 29 bits behind the point: two tables hold
// its halves, which are summed up apart, so that no bit of them is lost. A row's error is that of
// rounding e, less than size / 2^30 of the result.
std::optional<FixedPoint> Rows::createSoftmax(StringRef &reason) {
  constexpr int64_t bits = 29, lowBits = 15, low = (int64_t(1) << lowBits) - 1;
  if (form.size > 1 << 16) {
    reason = "a sum of more than 65536 exponentials may not fit into 32 bits";
    return std::nullopt;
  }
  // The quotient has 30 bits behind the point.
  if (form.scale.getLargest() > 0x1p18) {
    reason = "a step of the result is less than 2^-18";
    return std::nullopt;
  }
  auto getExp = [&](int64_t number) {
    return std::llround(std::ldexp(std::exp(form.alpha * double(number)), bits));
  };
  Value highTable = createTable([&](int64_t number) { return getExp(number) >> lowBits; });
  Value lowTable = createTable([&](int64_t number) { return getExp(number) & low; });

  Operand max = reduce({getBytes()}, /*isSum=*/false, [&](Body &body, ValueRange in) {
    return SmallVector<Value>{widen(body, in[0])};
  });
  SmallVector<Operand> halves =
      compute(all, {getBytes(), max},
              [&](Body &body, ValueRange in) {
                Value place = body.getPlace(body.sub(widen(body, in[0]), in[1]));
                SmallVector<Value> entries;
                for (Value table : {highTable, lowTable})
                  entries.push_back(body.shr(body.look(place, table), body.constant(7)));
                return entries;
              },
              {false, false});
  auto getFirst = [](Body &, ValueRange in) { return SmallVector<Value>{in[0]}; };
  Operand highSum = reduce({halves[0]}, /*isSum=*/true, getFirst);
  Operand lowSum = reduce({halves[1]}, /*isSum=*/true, getFirst);
  // With sum = s * 2^shift, s from 2^30 to 2^31: y = 2^60 / s.
  SmallVector<Operand> inverse = compute(
      outer, {highSum, lowSum},
      [&](Body &body, ValueRange in) {
        Value high = body.add(in[0], body.shr(in[1], body.constant(lowBits)));
        Value last = body.sub(body.constant(31), body.leadingZeros(high)); // 14 to 30
        Value missing = body.sub(body.constant(30), last);
        Value rest = body.shl(body.bitAnd(in[1], low), missing);
        Value sum = body.add(body.shl(high, missing), body.shr(rest, body.constant(lowBits)));
        // The quotient of the upper half has 14 bits; each step has twice as many.
        Value half = body.shr(sum, body.constant(15));
        Value y = body.shl(body.div(body.constant(int64_t(1) << 30), half), body.constant(15));
        for (unsigned step = 0; step < 2; ++step) {
          Value one = body.scale(sum, y, 30);
          y = body.add(y, body.scale(body.sub(body.constant(int64_t(1) << 30), one), y, 30));
        }
        return SmallVector<Value>{y, body.narrow(body.add(last, body.constant(lowBits)), 8)};
      },
      {false, true});
  Operand quotient =
      compute(all, {halves[0], halves[1], inverse[0], inverse[1]}, [&](Body &body, ValueRange in) {
        Value exp = body.add(body.shl(in[0], body.constant(lowBits)), in[1]);
        return SmallVector<Value>{body.scale(exp, in[2], in[3])};
      })[0];
  return FixedPoint{quotient.tensor, form.scale.getScalar() * 0x1p-30};
}

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

// W = squares - excess^2 / size + epsilon, as an integer times 2^-k, where k makes it one of 30
// bits. The first is at least twice the second, so no bits are lost by the difference.
SmallVector<Operand> Rows::createInverseRoots(Operand squares, std::optional<Operand> excess,
                                              double epsilon, int64_t bits) {
  SmallVector<Operand> inputs = {squares};
  if (excess)
    inputs.push_back(*excess);
  auto computeBody = [&](Body &body, ValueRange in) {
    auto makeEven = [&](Value number) { return body.bitAnd(number, -2); };
    Value two = body.constant(2);
    Value bound = body.add(in[0], body.constant(int64_t(std::ceil(epsilon))));
    Value k = makeEven(body.sub(body.leadingZeros(bound), two));
    Scaling added = getScaling(epsilon);
    Value addedShift = body.min(body.sub(body.constant(30 + added.shift), k), 62);
    Value w = body.add(body.shl(in[0], k),
                       body.scale(body.constant(int64_t(1) << 30), body.constant(added.multiplier),
                                  body.narrow(addedShift, 8)));
    if (excess) {
      Scaling inverse = getScaling(1 / double(form.size));
      Value shift = body.sub(body.constant(inverse.shift), k);
      w = body.sub(w, body.scale(body.mul(in[1], in[1]), body.constant(inverse.multiplier),
                                 body.narrow(shift, 8)));
    }
    // Less than that only where all numbers are the mean, and nothing is left to be scaled.
    w = body.max(w, int64_t(1) << 26);
    Value more = makeEven(body.sub(body.leadingZeros(w), two));
    w = body.shl(w, more);
    k = body.add(k, more);
    // y = 2^29 / sqrt(w / 2^30): a line that is 9 % off at most, and four of Newton's steps.
    Value y = body.sub(body.constant(int64_t(2.1327 * 0x1p29)),
                       body.scale(w, body.constant(int64_t(1.2187 * 0x1p30)), 31));
    for (unsigned step = 0; step < 4; ++step) {
      Value square = body.scale(y, y, 30);
      Value one = body.scale(w, square, 30);
      y = body.scale(y, body.sub(body.constant(int64_t(3) << 28), one), 29);
    }
    // 1 / sqrt(W) = y * 2^(k / 2 - 44).
    Value half = body.shr(k, body.constant(1));
    Value shift = body.sub(body.constant(44 + kDividendBits - bits), half);
    return SmallVector<Value>{y, body.narrow(shift, 8)};
  };
  return compute(outer, inputs, computeBody, {false, true});
}

/// What integers a normalization has: none of them is beyond 32 bits, or `reason` says why not.
static std::optional<NormalPlan> planNormal(const RowForm &form, StringRef &reason) {
  NormalPlan plan;
  const ByteSource &source = form.source;
  auto count = double(form.size);
  double center = form.center.value_or(0), farthest = 128;
  plan.epsilon = form.b * count;
  if (form.size < 2 || !(plan.epsilon > 0)) {
    reason = "nothing is added to what a row is divided by, which may be 0";
    return std::nullopt;
  }
  if (form.center) {
    plan.center = std::llround(center);
    if (std::abs(center - double(plan.center)) > 0x1p-15 || std::abs(center) > 1024) {
      reason = "the zero point of the numbers is no integer from -1024 to 1024";
      return std::nullopt;
    }
    farthest = double(std::max(plan.center - source.getLeast(), source.getMost() - plan.center));
  }
  // From the integer next to the mean, squares are less than half a step's more in all.
  double mostSquares = count * (farthest * farthest + 1) + std::ceil(plan.epsilon);
  if (form.size > 1 << 16 || mostSquares >= 0x1p30) {
    reason = "a row's sum of squares does not fit into 30 bits";
    return std::nullopt;
  }

  // What is multiplied by the root's reciprocal becomes as much as the size, or 1.
  plan.bits = form.center ? 29 : 30 - int64_t(llvm::Log2_64_Ceil(form.size));
  double root = std::sqrt(count);
  plan.unit = std::ldexp(form.center ? root : 1 / root, -int(plan.bits));
  double scale = form.scale.getLargest(), offset = form.offset.getLargest();
  plan.isUniform = form.scale.isScalar() && offset == 0;
  // One bit is for the sum of both.
  int exponent = 0;
  (void)std::frexp(scale * root + offset, &exponent);
  plan.finalBits = std::min(29 - exponent, 24);
  if (!std::isfinite(scale * root + offset) || scale * plan.unit > 0x1p-12 || plan.finalBits < 12) {
    reason = "a step of the result is too small beside the largest numbers";
    return std::nullopt;
  }
  return plan;
}

// With n = size: distances from the mean are D / n, where D = n * x - sum, exactly. The sum of
// squares is that of distances from m, the integer next to the mean, less a correction by what the
// sum of distances from m is. So (x - M) / sqrt(V + e) = D / sqrt(n * W).
std::optional<FixedPoint> Rows::createNormal(StringRef &reason) {
  std::optional<NormalPlan> plan = planNormal(form, reason);
  if (!plan)
    return std::nullopt;
  // What the squares are of, and what `scaled` times a byte less another is the dividend.
  constexpr int64_t factor = 1 << kDividendBits;
  bool isCentered = !form.center;
  int64_t size = form.size, scaled = isCentered ? factor * size : factor;
  std::optional<Operand> middle, excess, subtrahend;
  if (isCentered) {
    Operand sum = reduce({getBytes()}, /*isSum=*/true, [&](Body &body, ValueRange in) {
      return SmallVector<Value>{widen(body, in[0])};
    });
    auto computeMean = [&](Body &body, ValueRange in) {
      int64_t least = form.source.getLeast();
      Value positive = body.add(in[0], body.constant(size / 2 - size * least));
      Value mean = body.add(body.div(positive, body.constant(size)), body.constant(least));
      return SmallVector<Value>{mean, body.sub(in[0], body.mul(mean, size)),
                                body.mul(in[0], factor)};
    };
    SmallVector<Operand> parts = compute(outer, {sum}, computeMean, {false, false, false});
    middle = parts[0];
    excess = parts[1];
    subtrahend = parts[2];
  }
  SmallVector<Operand> inputs = {getBytes()};
  if (middle)
    inputs.push_back(*middle);
  Operand squares = reduce(inputs, /*isSum=*/true, [&](Body &body, ValueRange in) {
    Value distance = body.sub(widen(body, in[0]), isCentered ? in[1] : body.constant(plan->center));
    return SmallVector<Value>{body.mul(distance, distance)};
  });
  SmallVector<Operand> inverse = createInverseRoots(squares, excess, plan->epsilon, plan->bits);

  inputs = {getBytes(), inverse[0], inverse[1]};
  if (!plan->isUniform)
    llvm::append_range(inputs, createParameters(*plan));
  if (subtrahend)
    inputs.push_back(*subtrahend);
  Operand result = compute(all, inputs, [&](Body &body, ValueRange in) {
    Value other = isCentered ? in.back() : body.constant(scaled * plan->center);
    Value dividend = body.sub(body.mul(widen(body, in[0]), scaled), other);
    Value value = body.scale(dividend, in[1], in[2]);
    if (!plan->isUniform)
      value = body.add(body.scale(value, in[3], in[4]), in[5]);
    return SmallVector<Value>{value};
  })[0];
  double unit = plan->isUniform ? form.scale.getScalar() * plan->unit
                                : std::ldexp(1.0, -int(plan->finalBits));
  return FixedPoint{result.tensor, unit};
}

SmallVector<Operand> Rows::createParameters(const NormalPlan &plan) {
  double factor = std::ldexp(plan.unit, int(plan.finalBits));
  auto getShift = [&](double value) {
    return value == 0 ? 62 : std::min(getScaling(std::abs(value) * factor).shift, int64_t(62));
  };
  return {createNumbers(form.scale, b.getI32Type(),
                        [&](double value) {
                          return std::llround(std::ldexp(value * factor, int(getShift(value))));
                        }),
          createNumbers(form.scale, b.getI8Type(), getShift),
          createNumbers(form.offset, b.getI32Type(), [&](double value) {
            return std::llround(std::ldexp(value, int(plan.finalBits)));
          })};
}

std::optional<FixedPoint> npu::createFixedPoint(OpBuilder &builder, Location loc,
                                                const RowForm &form, ArrayRef<int64_t> sizes,
                                                StringRef &reason) {
  Rows rows(builder, loc, form, sizes);
  return form.is(RowForm::Kind::Softmax) ? rows.createSoftmax(reason) : rows.createNormal(reason);
}
