//===- RowForms.cpp - what floats are of rows of bytes --------------------===//
//
// The algebra: which form the result of an op has, given those of its operands. Models spell a
// normalization in many ways, whose forms are one.
//
//===----------------------------------------------------------------------===//

#include "RowForms.h"

#include "FoldBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace npu;
using Kind = RowForm::Kind;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

double Numbers::getLargest() const {
  double largest = 0;
  for (double value : values)
    largest = std::max(largest, std::abs(value));
  return largest;
}

/// `combine` of each pair of numbers, at all positions of the loops of both.
static Numbers zip(const Numbers &lhs, const Numbers &rhs,
                   function_ref<double(double, double)> combine) {
  Numbers result;
  result.values.clear();
  // Loop, size, and what the position moves by in either operand.
  struct Axis {
    unsigned loop;
    int64_t size, lhsStride, rhsStride;
  };
  SmallVector<Axis> axes;
  auto addAxes = [&](const Numbers &numbers, int64_t Axis::*stride) {
    int64_t step = 1;
    for (size_t index = numbers.loops.size(); index-- > 0;) {
      Axis *axis = llvm::find_if(axes, [&](Axis a) { return a.loop == numbers.loops[index]; });
      if (axis == axes.end())
        axis = &axes.emplace_back(Axis{numbers.loops[index], numbers.sizes[index], 0, 0});
      axis->*stride = step;
      step *= numbers.sizes[index];
    }
  };
  addAxes(lhs, &Axis::lhsStride);
  addAxes(rhs, &Axis::rhsStride);
  llvm::sort(axes, [](Axis a, Axis b) { return a.loop < b.loop; });
  int64_t count = 1;
  for (Axis axis : axes) {
    result.loops.push_back(axis.loop);
    result.sizes.push_back(axis.size);
    count *= axis.size;
  }
  for (int64_t position = 0; position < count; ++position) {
    int64_t rest = position, left = 0, right = 0;
    for (Axis axis : llvm::reverse(axes)) {
      left += rest % axis.size * axis.lhsStride;
      right += rest % axis.size * axis.rhsStride;
      rest /= axis.size;
    }
    result.values.push_back(combine(lhs.values[left], rhs.values[right]));
  }
  return result;
}

static Numbers product(const Numbers &lhs, const Numbers &rhs) {
  return zip(lhs, rhs, [](double a, double b) { return a * b; });
}
static Numbers sum(const Numbers &lhs, const Numbers &rhs) {
  return zip(lhs, rhs, [](double a, double b) { return a + b; });
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// The result of `op` for each byte, or of constants; as upstream's folders have it, which the
/// host's functions agree with.
static RowForm foldForms(Operation *op, ArrayRef<RowForm> operands) {
  RowForm result;
  result.kind = Kind::Numbers;
  for (const RowForm &operand : operands) {
    if (operand.is(Kind::Numbers) && operand.constant)
      continue;
    if (!operand.is(Kind::Table) || (result.is(Kind::Table) && !(result.source == operand.source)))
      return {};
    result.kind = Kind::Table;
    result.source = operand.source;
  }
  auto fold = [&](size_t entry) {
    return foldBodyOp(op, [&](Value value) -> Attribute {
      const RowForm &operand =
          operands[llvm::find(op->getOperands(), value) - op->getOperands().begin()];
      return operand.is(Kind::Table) ? operand.entries[entry] : operand.constant;
    });
  };
  if (result.is(Kind::Table)) {
    for (size_t entry = 0; entry < 256; ++entry) {
      result.entries.push_back(fold(entry));
      if (!isa_and_nonnull<IntegerAttr, FloatAttr>(result.entries.back()))
        return {};
    }
    return result;
  }
  result.constant = fold(0);
  if (auto real = dyn_cast_or_null<FloatAttr>(result.constant))
    result.scale = real.getValueAsDouble();
  return isa_and_nonnull<IntegerAttr, FloatAttr>(result.constant) ? result : RowForm();
}

/// Tries `fit(number, form)`, which finds what `form` is by values of numbers, for bytes of either
/// kind. It is that where the table is close to it: beyond the rounding of the floats, which
/// computed a difference and a product or two.
static RowForm fitTable(const RowForm &form,
                        function_ref<void(function_ref<double(int64_t)>, RowForm &)> fit,
                        function_ref<double(double, const RowForm &)> evaluate) {
  if (!form.is(Kind::Table) || !isa<FloatAttr>(form.entries.front()))
    return {};
  auto getEntry = [&](int64_t number) {
    auto index = static_cast<uint8_t>(number + 128);
    return cast<FloatAttr>(form.entries[index]).getValueAsDouble();
  };
  double largest = 0;
  for (int64_t number = 0; number < 256; ++number)
    largest = std::max(largest, std::abs(getEntry(number)));
  if (!std::isfinite(largest))
    return {};
  for (bool isUnsigned : {false, true}) {
    RowForm result;
    result.source = form.source;
    result.source.isUnsigned = isUnsigned;
    fit(getEntry, result);
    auto isEntry = [&](int64_t number) {
      return std::abs(getEntry(number) - evaluate(double(number), result)) <= largest * 0x1p-21;
    };
    int64_t least = result.source.getLeast(), most = result.source.getMost();
    if (result && llvm::all_of(llvm::seq_inclusive(least, most), isEntry))
      return result;
  }
  return {};
}

RowForm npu::toAffine(const RowForm &form) {
  if (form.is(Kind::Affine))
    return form;
  auto fit = [](function_ref<double(int64_t)> getEntry, RowForm &result) {
    int64_t least = result.source.getLeast(), most = result.source.getMost();
    result.alpha = (getEntry(most) - getEntry(least)) / double(most - least);
    result.gamma = getEntry(least) - result.alpha * double(least);
    result.kind = result.alpha == 0 ? Kind::Unknown : Kind::Affine;
  };
  return fitTable(form, fit, [](double number, const RowForm &result) {
    return result.alpha * number + result.gamma;
  });
}

RowForm npu::toSquare(const RowForm &form) {
  if (form.is(Kind::Square))
    return form;
  auto fit = [](function_ref<double(int64_t)> getEntry, RowForm &result) {
    constexpr int64_t step = 127;
    int64_t middle = result.source.getLeast() + step;
    double below = getEntry(middle - step), above = getEntry(middle + step);
    double factor = (above - 2 * getEntry(middle) + below) / (2.0 * step * step);
    if (factor <= 0)
      return;
    double center = double(middle) - (above - below) / (4 * step * factor);
    result.kind = Kind::Square;
    result.alpha = std::sqrt(factor);
    result.gamma = -result.alpha * center;
  };
  return fitTable(form, fit, [](double number, const RowForm &result) {
    double root = result.alpha * number + result.gamma;
    return root * root;
  });
}

//===----------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------===//

static bool isClose(double a, double b, double magnitude) {
  return std::abs(a - b) <= 0x1p-20 * std::abs(magnitude);
}

/// Whether both are of the same bytes, in the same rows.
static bool shareRows(const RowForm &lhs, const RowForm &rhs) {
  return lhs.source == rhs.source &&
         (lhs.reduced.empty() || rhs.reduced.empty() || lhs.reduced == rhs.reduced);
}

/// `form`, with the rows of `other` if it has none.
static RowForm withRows(RowForm form, const RowForm &other) {
  if (form.reduced.empty()) {
    form.reduced = other.reduced;
    form.size = other.size;
  }
  return form;
}

static bool isScalar(const RowForm &form) {
  return form.is(Kind::Numbers) && form.scale.isScalar();
}

static RowForm makeNumbers(Numbers numbers) {
  RowForm result;
  result.kind = Kind::Numbers;
  result.scale = std::move(numbers);
  return result;
}

static RowForm multiply(const RowForm &form, const Numbers &factor) {
  RowForm result = form;
  switch (form.kind) {
  case Kind::Numbers:
    return makeNumbers(product(form.scale, factor));
  case Kind::InvSum:
  case Kind::Softmax:
    if (!factor.isScalar())
      return {};
    [[fallthrough]];
  case Kind::Root:
  case Kind::InvRoot:
    result.scale = product(form.scale, factor);
    return result;
  case Kind::Normal:
    result.scale = product(form.scale, factor);
    result.offset = product(form.offset, factor);
    return result;
  case Kind::Affine:
  case Kind::Moment:
    if (!factor.isScalar())
      return {};
    for (double RowForm::*part :
         {&RowForm::alpha, &RowForm::beta, &RowForm::gamma, &RowForm::a, &RowForm::b})
      result.*part *= factor.getScalar();
    return result;
  case Kind::Square:
    if (!factor.isScalar() || factor.getScalar() <= 0)
      return {};
    for (double RowForm::*part : {&RowForm::alpha, &RowForm::beta, &RowForm::gamma})
      result.*part *= std::sqrt(factor.getScalar());
    return result;
  default:
    return {};
  }
}

/// A moment's root or its reciprocal.
static RowForm makeRoot(const RowForm &moment, bool isInverse) {
  if (!moment.is(Kind::Moment) || moment.a <= 0)
    return {};
  RowForm result = moment;
  double factor = std::sqrt(moment.a);
  result.kind = isInverse ? Kind::InvRoot : Kind::Root;
  result.scale = isInverse ? 1 / factor : factor;
  result.b = moment.b / moment.a;
  result.a = 1;
  return result;
}

static RowForm invert(const RowForm &form) {
  RowForm result = form;
  auto invertNumber = [](double, double b) { return 1 / b; };
  if (form.is(Kind::Root))
    result.kind = Kind::InvRoot;
  else if (form.is(Kind::ExpSum))
    result.kind = Kind::InvSum;
  else if (!form.is(Kind::Numbers))
    return {};
  result.constant = {};
  result.scale = form.is(Kind::ExpSum) ? Numbers(1) : zip(Numbers(1), form.scale, invertNumber);
  return result;
}

/// A number and what normalizes it: the moment of the same distance.
static RowForm normalize(const RowForm &number, const RowForm &inverse) {
  if (!number.is(Kind::Affine) || !inverse.is(Kind::InvRoot) || !shareRows(number, inverse) ||
      number.alpha == 0)
    return {};
  bool isSame = inverse.center ? number.beta == 0 &&
                                     isClose(-number.gamma / number.alpha, *inverse.center, 256)
                               : isClose(number.alpha, -number.beta, number.alpha) &&
                                     isClose(number.gamma, 0, 256 * number.alpha);
  if (!isSame)
    return {};
  RowForm result = inverse;
  result.kind = Kind::Normal;
  result.scale = product(inverse.scale, number.alpha);
  result.offset = Numbers(0);
  return result;
}

static RowForm square(const RowForm &form) {
  RowForm result = toAffine(form);
  if (result)
    result.kind = Kind::Square;
  return result;
}

static bool isSameAffine(const RowForm &lhs, const RowForm &rhs) {
  return lhs.is(Kind::Affine) && rhs.is(Kind::Affine) && shareRows(lhs, rhs) &&
         lhs.alpha == rhs.alpha && lhs.beta == rhs.beta && lhs.gamma == rhs.gamma;
}

static RowForm multiplyForms(const RowForm &lhs, const RowForm &rhs) {
  if (rhs.is(Kind::Numbers))
    return multiply(lhs, rhs.scale);
  if (lhs.is(Kind::Numbers))
    return multiply(rhs, lhs.scale);
  if (isSameAffine(lhs, rhs))
    return square(lhs);
  for (auto [one, other] : {std::pair(&lhs, &rhs), std::pair(&rhs, &lhs)}) {
    if (RowForm normal = normalize(*one, *other))
      return normal;
    if (one->is(Kind::Exp) && other->is(Kind::InvSum) && shareRows(*one, *other) &&
        one->alpha == other->alpha) {
      RowForm result = *other;
      result.kind = Kind::Softmax;
      return result;
    }
  }
  return {};
}

/// lhs + sign * rhs, where `rhs` is numbers.
static RowForm addNumbers(RowForm form, const Numbers &numbers) {
  if (form.is(Kind::Numbers))
    return makeNumbers(sum(form.scale, numbers));
  if (form.is(Kind::Normal)) {
    form.offset = sum(form.offset, numbers);
    return form;
  }
  if (!numbers.isScalar() || !(form.is(Kind::Affine) || form.is(Kind::Moment)))
    return {};
  (form.is(Kind::Affine) ? form.gamma : form.b) += numbers.getScalar();
  return form;
}

/// mean((x - c)^2) - (M - c)^2 is the variance.
static RowForm subtractSquare(const RowForm &moment, const RowForm &mean) {
  if (!moment.is(Kind::Moment) || !mean.is(Kind::Square) || !shareRows(moment, mean) ||
      !moment.center || mean.alpha != 0 || mean.beta == 0 ||
      !isClose(moment.a, mean.beta * mean.beta, moment.a) ||
      !isClose(-mean.gamma / mean.beta, *moment.center, 256))
    return {};
  RowForm result = moment;
  result.center.reset();
  return result;
}

static RowForm subtractMax(const RowForm &number, const RowForm &max) {
  if (!number.is(Kind::Affine) || !max.is(Kind::Max) || !shareRows(number, max) ||
      number.beta != 0 || number.alpha != max.alpha || number.gamma != max.gamma)
    return {};
  RowForm result = max;
  result.kind = Kind::Below;
  return result;
}

static RowForm addForms(const RowForm &lhs, const RowForm &rhs, double sign) {
  if (rhs.is(Kind::Numbers))
    return addNumbers(lhs, product(rhs.scale, sign));
  if (lhs.is(Kind::Numbers))
    return addNumbers(multiply(rhs, sign), lhs.scale);
  if (sign < 0) {
    if (RowForm result = subtractSquare(lhs, rhs))
      return result;
    if (RowForm result = subtractMax(lhs, rhs))
      return result;
  }
  if (!lhs.is(Kind::Affine) || !rhs.is(Kind::Affine) || !shareRows(lhs, rhs))
    return {};
  RowForm result = withRows(lhs, rhs);
  result.alpha += sign * rhs.alpha;
  result.beta += sign * rhs.beta;
  result.gamma += sign * rhs.gamma;
  return result;
}

static RowForm raise(const RowForm &form, double exponent) {
  if (exponent == 2)
    return square(form);
  if (std::abs(exponent) == 0.5)
    return makeRoot(form, /*isInverse=*/exponent < 0);
  return exponent == -1 ? invert(form) : RowForm();
}

/// A choice, if it is known, or whether a number is infinite, which rows of bytes give none of:
/// upstream writes x^0.5 with that.
static RowForm chooseForm(Operation *op, ArrayRef<RowForm> operands) {
  if (isa<arith::SelectOp>(op)) {
    auto condition = dyn_cast_or_null<BoolAttr>(operands[0].constant);
    return condition ? operands[condition.getValue() ? 1 : 2] : RowForm();
  }
  auto compare = dyn_cast<arith::CmpFOp>(op);
  if (!compare || compare.getPredicate() != arith::CmpFPredicate::OEQ ||
      operands[0].is(Kind::Numbers) || !isScalar(operands[1]) ||
      !std::isinf(operands[1].scale.getScalar()))
    return {};
  RowForm result = makeNumbers(0);
  result.constant = BoolAttr::get(op->getContext(), false);
  return result;
}

/// Whether numbers that differ along loops of their own are too many together.
static bool haveTooManyNumbers(ArrayRef<RowForm> operands) {
  llvm::SmallDenseSet<unsigned> loops;
  int64_t count = 1;
  for (const RowForm &form : operands)
    for (const Numbers *numbers : {&form.scale, &form.offset})
      for (auto [loop, size] : llvm::zip_equal(numbers->loops, numbers->sizes))
        if (loops.insert(loop).second)
          count = size > maxRowNumbers / count ? maxRowNumbers + 1 : count * size;
  return count > maxRowNumbers;
}

RowForm npu::combineForms(Operation *op, ArrayRef<RowForm> operands) {
  if (op->getNumResults() != 1 || operands.empty() || haveTooManyNumbers(operands) ||
      !llvm::all_of(operands, [](const RowForm &form) { return bool(form); }))
    return {};
  if (RowForm folded = foldForms(op, operands))
    return folded;
  if (RowForm chosen = chooseForm(op, operands))
    return chosen;
  // Nothing but floats goes beyond single bytes.
  if (!op->getResult(0).getType().isF32())
    return {};
  SmallVector<RowForm, 2> forms(operands);
  for (RowForm &form : forms)
    if (form.is(Kind::Table) && !(form = toAffine(form)))
      return {};
  if (isa<arith::AddFOp>(op))
    return addForms(forms[0], forms[1], 1);
  if (isa<arith::SubFOp>(op))
    return addForms(forms[0], forms[1], -1);
  if (isa<arith::MulFOp>(op))
    return multiplyForms(forms[0], forms[1]);
  if (isa<arith::NegFOp>(op))
    return multiply(forms[0], -1);
  if (isa<math::AbsFOp>(op) && forms[0].is(Kind::Root) && forms[0].scale.isScalar() &&
      forms[0].scale.getScalar() > 0)
    return forms[0];
  if (isa<math::SqrtOp, math::RsqrtOp>(op))
    return makeRoot(forms[0], /*isInverse=*/isa<math::RsqrtOp>(op));
  if (isa<math::PowFOp>(op) && isScalar(forms[1]))
    return raise(forms[0], forms[1].scale.getScalar());
  if (isa<arith::DivFOp>(op))
    if (RowForm inverse = invert(forms[1]))
      return multiplyForms(forms[0], inverse);
  if (!isa<math::ExpOp>(op) || !forms[0].is(Kind::Below))
    return {};
  forms[0].kind = Kind::Exp;
  return forms[0];
}
