//===- Compare.cpp - comparison of a result with its reference ------------===//

#include "NPU/Tensor/Compare.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;
using namespace npu::runtime;

Tolerance Tolerance::fromUlps(double ulps) {
  Tolerance tolerance;
  tolerance.ulps = ulps;
  return tolerance;
}

Tolerance Tolerance::fromBound(HostTensor bound, double ulps) {
  Tolerance tolerance = fromUlps(ulps);
  tolerance.bound = [bound = std::move(bound)](int64_t index) {
    return index < bound.getNumElements() ? bound.getFloat(index) : 0;
  };
  return tolerance;
}

double npu::runtime::getUlp(double value, ElementType type) {
  int fractionBits, minExponent;
  switch (type) {
  case ElementType::F16:
    fractionBits = 10, minExponent = -14;
    break;
  case ElementType::BF16:
    fractionBits = 7, minExponent = -126;
    break;
  case ElementType::F32:
    fractionBits = 23, minExponent = -126;
    break;
  case ElementType::F64:
    fractionBits = 52, minExponent = -1022;
    break;
  default:
    return 0;
  }
  if (!std::isfinite(value))
    return 0;
  int exponent = value == 0 ? minExponent : std::max(std::ilogb(value), minExponent);
  return std::ldexp(1.0, exponent - fractionBits);
}

/// A number that two elements share if they count as one value.
static uint64_t getValueKey(const HostTensor &tensor, int64_t index) {
  if (!isFloat(tensor.getElementType()))
    return static_cast<uint64_t>(tensor.getInt(index));
  double value = tensor.getFloat(index);
  return llvm::bit_cast<uint64_t>(std::isnan(value) ? std::nan("") : value == 0 ? 0.0 : value);
}

int64_t npu::runtime::countDistinctValues(const HostTensor &tensor) {
  std::vector<uint64_t> values(tensor.getNumElements());
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    values[i] = getValueKey(tensor, i);
  llvm::sort(values);
  return std::unique(values.begin(), values.end()) - values.begin();
}

bool npu::runtime::inputsForceDegenerateOutput(ArrayRef<HostTensor> inputs) {
  auto hasNonFinite = [](const HostTensor &tensor) {
    if (!isFloat(tensor.getElementType()))
      return false;
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      if (!std::isfinite(tensor.getFloat(i)))
        return true;
    return false;
  };
  auto isConstant = [](const HostTensor &tensor) {
    for (int64_t i = 1; i < tensor.getNumElements(); ++i)
      if (getValueKey(tensor, i) != getValueKey(tensor, 0))
        return false;
    return true;
  };
  return any_of(inputs, hasNonFinite) || (!inputs.empty() && all_of(inputs, isConstant));
}

namespace {
/// Error of one element and what is allowed for it.
struct ElementError {
  double error = 0, allowed = 0;
};
} // namespace

/// How far element `index` may be from a float.
static double getAllowed(double value, ElementType type, int64_t index,
                         const Tolerance &tolerance) {
  if (!std::isfinite(value))
    return 0;
  double allowed = tolerance.bound ? tolerance.bound(index) : 0;
  allowed += tolerance.absolute + tolerance.relative * std::abs(value);
  if (tolerance.ulps != 0)
    allowed += tolerance.ulps * getUlp(value, type);
  return allowed;
}

double npu::runtime::getAllowed(const HostTensor &expected, int64_t index,
                                const Tolerance &tolerance) {
  if (isFloat(expected.getElementType()))
    return ::getAllowed(expected.getFloat(index), expected.getElementType(), index, tolerance);
  return tolerance.bound ? tolerance.bound(index) : 0;
}

/// The least magnitude that rounds to infinity.
static double getOverflow(ElementType type) {
  int exponent = type == ElementType::F16 ? 16 : type == ElementType::F64 ? 1024 : 128;
  double largest = std::ldexp(1.0, exponent - 1);
  return 2 * largest - getUlp(largest, type) / 2;
}

static ElementError measure(const HostTensor &expected, const HostTensor &actual, int64_t index,
                            const Tolerance &tolerance) {
  ElementError result;
  result.allowed = getAllowed(expected, index, tolerance);
  if (!isFloat(expected.getElementType())) {
    // The difference of two i64 needs 65 bits; as a magnitude it fits 64.
    int64_t e = expected.getInt(index), a = actual.getInt(index);
    uint64_t difference = e > a ? uint64_t(e) - uint64_t(a) : uint64_t(a) - uint64_t(e);
    result.error = static_cast<double>(difference);
    return result;
  }
  double e = expected.getFloat(index), a = actual.getFloat(index);
  if ((std::isnan(e) && std::isnan(a)) || e == a)
    return result;
  result.error = std::abs(e - a);
  if (std::isfinite(e) && std::isfinite(a))
    return result;
  result.error = HUGE_VAL;
  // Of two values that differ by little, one may round to infinity.
  ElementType type = expected.getElementType();
  double finite = std::isfinite(e) ? e : a;
  if (std::isfinite(finite) && !std::isnan(e) && !std::isnan(a) &&
      std::signbit(e) == std::signbit(a)) {
    double allowed = ::getAllowed(finite, type, index, tolerance),
           distance = getOverflow(type) - std::abs(finite);
    if (distance <= allowed && std::isfinite(allowed))
      result = {distance, allowed};
  }
  return result;
}

Expected<CompareReport> npu::runtime::compare(const HostTensor &expected, const HostTensor &actual,
                                              const Tolerance &tolerance) {
  if (expected.getElementType() != actual.getElementType() ||
      expected.getShape() != actual.getShape())
    return createStringError("cannot compare: expected a " + expected.getTypeString() +
                             " but found a " + actual.getTypeString());
  CompareReport report;
  report.numElements = expected.getNumElements();
  bool isFloatType = isFloat(expected.getElementType());
  for (int64_t i = 0; i < report.numElements; ++i) {
    ElementError element = measure(expected, actual, i, tolerance);
    double magnitude = std::abs(expected.getFloat(i));
    if (std::isfinite(element.error)) {
      report.maxAbsError = std::max(report.maxAbsError, element.error);
      if (element.error != 0 && magnitude != 0)
        report.maxRelError = std::max(report.maxRelError, element.error / magnitude);
    }
    if (isFloatType) {
      double value = actual.getFloat(i);
      report.numNaN += std::isnan(value);
      report.numInf += std::isinf(value);
    }
    if (element.error == 0)
      continue;
    // A NaN bound allows nothing.
    bool matches = element.error <= element.allowed && std::isfinite(element.error);
    double ratio = element.allowed > 0 ? element.error / element.allowed : HUGE_VAL;
    report.maxErrorOverAllowed = std::max(report.maxErrorOverAllowed, ratio);
    if (matches)
      continue;
    if (report.numMismatches++ == 0) {
      report.firstMismatch = i;
      report.firstMismatchCoordinates = expected.getCoordinates(i);
      report.firstExpected = expected.getFloat(i);
      report.firstActual = actual.getFloat(i);
      report.firstAllowed = element.allowed;
    }
  }
  report.numDistinct = countDistinctValues(actual);
  report.degenerate = report.numNaN != 0 || report.numInf != 0 ||
                      (report.numElements > 1 && report.numDistinct == 1);
  report.passed = report.numMismatches == 0 && (!report.degenerate || tolerance.allowDegenerate);
  return report;
}

StringRef npu::runtime::toString(CheckVerdict verdict) {
  switch (verdict) {
  case CheckVerdict::Match:
    return "match";
  case CheckVerdict::Inconclusive:
    return "inconclusive";
  case CheckVerdict::Mismatch:
    return "mismatch";
  }
  llvm_unreachable("unknown verdict");
}

std::string CompareReport::getReason() const {
  std::string reason;
  raw_string_ostream os(reason);
  if (isInconclusive()) {
    bool isFinite = numNaN == 0 && numInf == 0;
    os << (maxErrorOverAllowed == 0 ? "equal to" : "within the tolerance of")
       << " the reference, but the output is " << (isFinite ? "constant" : "not finite") << " ("
       << numDistinct << " distinct value" << (numDistinct == 1 ? "" : "s")
       << "): the check proves nothing; give inputs that make it "
       << (isFinite ? "vary" : "finite");
  } else if (numMismatches != 0) {
    os << numMismatches << " mismatches, the first at [";
    interleaveComma(firstMismatchCoordinates, os);
    os << "]: expected " << format("%.9g", firstExpected) << " but found "
       << format("%.9g", firstActual) << " (error "
       << format("%.3g", std::abs(firstExpected - firstActual)) << ", allowed "
       << format("%.3g", firstAllowed) << ")";
  }
  return reason;
}

void CompareReport::print(raw_ostream &os) const {
  StringRef verdict = toString(getVerdict());
  os << (passed ? verdict.str() : verdict.upper()) << ": " << numElements << " elements, "
     << numDistinct << " distinct values, max abs error " << format("%.6g", maxAbsError)
     << ", max rel error " << format("%.6g", maxRelError);
  if (maxErrorOverAllowed > 0)
    os << ", max error / allowed " << format("%.3g", maxErrorOverAllowed);
  os << "\n";
  if (numNaN || numInf)
    os << "  " << numNaN << " NaN, " << numInf << " Inf\n";
  else if (degenerate && !isInconclusive())
    os << "  all elements have the same value\n";
  if (std::string reason = getReason(); !reason.empty())
    os << "  " << reason << "\n";
}
