//===- AnyPredicateTest.cpp - every comparison, choice and limit is exact -===//
//
// Every predicate on every pair of values that could tell one from another: NaN, zeros of both
// signs, infinities, the ends of the integers. Bit for bit, except for what a NaN is made of,
// against the definitions below, since the host may choose between zeros.
//
//===----------------------------------------------------------------------===//

#include "RandomText.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

const double nan = std::nan(""), inf = HUGE_VAL;

std::string getText(double value, ElementType type) {
  if (type == ElementType::I1)
    return value != 0 ? "true" : "false";
  std::string suffix = (" : " + getElementTypeName(type)).str();
  if (!isFloat(type))
    return std::to_string(int64_t(value)) + suffix;
  if (std::isnan(value))
    return (type == ElementType::F16    ? "0x7E00"
            : type == ElementType::BF16 ? "0x7FC0"
                                        : "0x7FC00000") +
           suffix;
  return llvm::formatv("{0:E}", value).str() + suffix;
}

/// The bits of an integer as a number without sign.
uint64_t getBits(double value, ElementType type) {
  unsigned bits = type == ElementType::I1 ? 1 : 8 * getElementByteSize(type);
  return uint64_t(int64_t(value)) & ((uint64_t(1) << bits) - 1);
}

/// An i1 is 1 or 0 in memory and -1 or 0 as a signed number.
double getSigned(double value, ElementType type) {
  return type == ElementType::I1 ? -value : value;
}

bool holds(StringRef predicate, double a, double b, ElementType type) {
  if (predicate == "true" || predicate == "false")
    return predicate == "true";
  StringRef order = predicate;
  if (isFloat(type)) {
    bool isUnordered = std::isnan(a) || std::isnan(b);
    if (predicate == "ord" || predicate == "uno")
      return isUnordered == (predicate == "uno");
    if (isUnordered)
      return predicate.front() == 'u';
    order = predicate.drop_front();
  } else if (predicate.front() == 'u') {
    a = getBits(a, type), b = getBits(b, type);
    order = predicate.drop_front();
  } else {
    a = getSigned(a, type), b = getSigned(b, type);
    order.consume_front("s");
  }
  bool isOr = order == "le" || order == "ge" || order == "eq";
  if (a == b)
    return isOr;
  return order == "ne" || order.starts_with(a < b ? "l" : "g");
}

using Result = std::function<double(double, double)>;

/// A function of two tensors, and of a choice's two others, by the results that its body gives.
struct Body {
  ElementType type;
  std::string text;
  std::vector<std::pair<std::string, ElementType>> yielded;
  std::vector<Result> expected;

  void add(const std::string &op, ElementType result, Result value) {
    std::string name = "%" + std::to_string(expected.size());
    text += "    " + name + " = " + op + "\n";
    yielded.push_back({name, result});
    expected.push_back(std::move(value));
  }
  std::string getLastName() const { return yielded.back().first; }
};

/// What the third and the fourth operand hold beside a pair.
double getThird(double a) { return a == 2 ? -0.0 : 2; }
double getFourth(double a) { return a == 2 ? 3 : 1; }

std::vector<double> getValues(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return {0, 1};
  case ElementType::I8:
    return {0, 1, -1, 127, -128, 5};
  case ElementType::I16:
    return {0, 1, -1, 32767, -32768, 5};
  case ElementType::I32:
    return {0, 1, -1, 2147483647, -2147483648.0, 5};
  default:
    return {0.0, -0.0, 1, -1.5, inf, -inf, nan, 2, 5};
  }
}

bool isSame(double expected, double actual) {
  if (std::isnan(expected) || std::isnan(actual))
    return std::isnan(expected) && std::isnan(actual);
  return expected == actual && std::signbit(expected) == std::signbit(actual);
}

void check(Harness &harness, const Body &body, StringRef what) {
  std::vector<double> values = getValues(body.type);
  int64_t count = values.size() * values.size();
  Tensors inputs(4, HostTensor(body.type, {count}));
  for (int64_t i = 0; i < count; ++i) {
    double a = values[i / values.size()], b = values[i % values.size()];
    inputs[0].setFloat(i, a);
    inputs[1].setFloat(i, b);
    inputs[2].setFloat(i, body.type == ElementType::I1 ? 1 : getThird(a));
    inputs[3].setFloat(i, body.type == ElementType::I1 ? 0 : getFourth(a));
  }
  std::string name = getElementTypeName(body.type).str();
  std::string maps, results, outs, arguments, yielded, yieldedTypes, setUp;
  Tensors outputs;
  for (auto [index, result] : llvm::enumerate(body.yielded)) {
    std::string comma = index == 0 ? "" : ", ", number = std::to_string(index);
    std::string element = getElementTypeName(result.second).str();
    std::string tensor = getTensorType({count}, result.second);
    setUp += "  %e" + number + " = tensor.empty() : " + tensor + "\n";
    maps += ", #id";
    results += comma + tensor;
    outs += comma + "%e" + number;
    arguments += ", %o" + number + ": " + element;
    yielded += comma + result.first;
    yieldedTypes += comma + element;
    outputs.push_back(HostTensor(result.second, {count}));
  }
  std::string text =
      llvm::formatv(R"(#id = affine_map<(i) -> (i)>
func.func @f(%x: {0}, %y: {0}, %c: {0}, %d: {0}) -> ({1}) {{
{2}  %r:{3} = linalg.generic {{indexing_maps = [#id, #id, #id, #id{4}], iterator_types = ["parallel"]}
      ins(%x, %y, %c, %d : {0}, {0}, {0}, {0}) outs({5} : {1}) {{
  ^bb0(%a: {6}, %b: {6}, %t: {6}, %f: {6}{7}):
{8}    linalg.yield {9} : {10}
  } -> ({1})
)",
                    getTensorType({count}, body.type), results, setUp, body.yielded.size(), maps,
                    outs, name, arguments, body.text, yielded, yieldedTypes);
  text += "  return ";
  for (size_t i = 0; i < body.yielded.size(); ++i)
    text += (i ? ", %r#" : "%r#") + std::to_string(i);
  text += " : " + results + "\n}\n";
  llvm::Expected<KernelRun> run = harness.run(text, "npu-v1", inputs, outputs);
  ASSERT_TRUE(bool(run)) << what.str() << ": " << llvm::toString(run.takeError()) << text;
  for (auto [index, expected] : llvm::enumerate(body.expected))
    for (int64_t i = 0; i < count; ++i) {
      double a = inputs[0].getFloat(i), b = inputs[1].getFloat(i);
      double wanted = expected(a, b), found = run->outputs[index].getFloat(i);
      EXPECT_TRUE(isSame(wanted, found))
          << what.str() << " of " << a << " and " << b << ": expected " << wanted << ", found "
          << found << " as result " << index << " of\n"
          << text;
    }
}

class AnyPredicate : public ::testing::TestWithParam<ElementType> {
protected:
  std::string getOp(StringRef op, StringRef a, StringRef b) const {
    return llvm::formatv("arith.{0} {1}, {2} : {3}", op, a, b, getElementTypeName(GetParam()));
  }
  std::string getSelect(StringRef condition, StringRef a, StringRef b) const {
    return llvm::formatv("arith.select {0}, {1}, {2} : {3}", condition, a, b,
                         getElementTypeName(GetParam()));
  }
  std::vector<double> getConstants() const {
    if (GetParam() == ElementType::I1)
      return {0, 1};
    if (isFloat(GetParam()))
      return {0.0, -0.0, 1, nan};
    return {0, -1, 5};
  }
  Harness harness;
};

TEST_P(AnyPredicate, ChoosesExactly) {
  ElementType type = GetParam();
  std::vector<StringRef> predicates = {"eq",  "ne",  "slt", "sle", "sgt",
                                       "sge", "ult", "ule", "ugt", "uge"};
  if (isFloat(type))
    predicates = {"oeq", "ogt", "oge", "olt", "ole", "one", "ord", "true",
                  "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "false"};
  for (StringRef predicate : predicates) {
    std::string compare = ((isFloat(type) ? "cmpf " : "cmpi ") + predicate + ",").str();
    // Alone, and as a value that is chosen by as well: the negation shows.
    Body plain{type, "", {}, {}};
    plain.add(getOp(compare, "%a", "%b"), ElementType::I1,
              [=](double a, double b) { return holds(predicate, a, b, type); });
    plain.add(getSelect("%0", "%t", "%f"), type, [=](double a, double b) {
      if (type == ElementType::I1)
        return double(holds(predicate, a, b, type));
      return holds(predicate, a, b, type) ? getThird(a) : getFourth(a);
    });
    plain.add(getOp(compare, "%a", "%a"), ElementType::I1,
              [=](double a, double) { return holds(predicate, a, a, type); });
    check(harness, plain, predicate);

    for (double constant : getConstants()) {
      Body limits{type, "    %k = arith.constant " + getText(constant, type) + "\n", {}, {}};
      auto addChoices = [&](StringRef left, StringRef right, bool isFirst) {
        // Not a result, so that only choices read it.
        std::string condition = isFirst ? "%q" : "%p";
        limits.text += "    " + condition + " = " + getOp(compare, left, right) + "\n";
        for (bool isTurned : {false, true})
          limits.add(getSelect(condition, isTurned ? "%k" : "%a", isTurned ? "%a" : "%k"), type,
                     [=](double a, double) {
                       bool isTrue = isFirst ? holds(predicate, constant, a, type)
                                             : holds(predicate, a, constant, type);
                       return isTrue != isTurned ? a : constant;
                     });
      };
      addChoices("%a", "%k", false);
      addChoices("%k", "%a", true);
      check(harness, limits, predicate);
    }
  }
}

/// Of a NaN and a number the number; of two zeros either.
double getNumberLimit(double a, double b, bool isMax) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return (a > b) == isMax ? a : b;
}

double getLimit(double a, double b, bool isMax) {
  if (std::isnan(a) || std::isnan(b))
    return nan;
  if (a == 0 && b == 0)
    return std::signbit(a) == isMax ? b : a;
  return (a > b) == isMax ? a : b;
}

double getUnsignedLimit(double a, double b, bool isMax, ElementType type) {
  return (getBits(a, type) > getBits(b, type)) == isMax ? a : b;
}

TEST_P(AnyPredicate, LimitsExactly) {
  ElementType type = GetParam();
  for (bool isMax : {false, true}) {
    std::string prefix = isMax ? "max" : "min";
    // Without a constant, and with each.
    std::vector<std::optional<double>> bounds(1);
    llvm::append_range(bounds, getConstants());
    for (std::optional<double> bound : bounds) {
      Body body{
          type, bound ? "    %k = arith.constant " + getText(*bound, type) + "\n" : "", {}, {}};
      for (bool isFirst : {false, true}) {
        StringRef other = bound ? "%k" : "%b", left = isFirst ? other : "%a",
                  right = isFirst ? "%a" : other;
        if (isFloat(type)) {
          body.add(getOp(prefix + "imumf", left, right), type,
                   [=](double a, double b) { return getLimit(a, bound.value_or(b), isMax); });
          // Which zero is not defined: it is made one.
          std::string name = "%n" + std::to_string(isFirst);
          body.text += "    " + name + " = " + getOp(prefix + "numf", left, right) + "\n";
          std::string isZero = "%z" + std::to_string(isFirst),
                      zero = "%c" + std::to_string(isFirst);
          body.text += "    " + zero + " = arith.constant " + getText(0, type) + "\n";
          body.text += "    " + isZero + " = " + getOp("cmpf oeq,", name, zero) + "\n";
          body.add(getSelect(isZero, zero, name), type, [=](double a, double b) {
            double limit = getNumberLimit(a, bound.value_or(b), isMax);
            return limit == 0 ? 0.0 : limit;
          });
          continue;
        }
        body.add(getOp(prefix + "si", left, right), type, [=](double a, double b) {
          bool isLeft = getSigned(a, type) > getSigned(bound.value_or(b), type);
          return isLeft == isMax ? a : bound.value_or(b);
        });
        body.add(getOp(prefix + "ui", left, right), type, [=](double a, double b) {
          return getUnsignedLimit(a, bound.value_or(b), isMax, type);
        });
      }
      check(harness, body, prefix);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, AnyPredicate,
                         ::testing::Values(ElementType::I1, ElementType::I8, ElementType::I16,
                                           ElementType::I32, ElementType::F16, ElementType::BF16,
                                           ElementType::F32),
                         [](const auto &info) { return getElementTypeName(info.param).str(); });

} // namespace
