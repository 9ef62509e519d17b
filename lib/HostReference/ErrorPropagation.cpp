//===- ErrorPropagation.cpp - how far outputs of a whole model may be -----===//

#include "NPU/HostReference/ErrorPropagation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace npu::runtime;

bool npu::runtime::roundsCoarsely(Region &code) {
  auto isCoarse = [](Operation *op) {
    if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
      return true;
    bool computes = isa<linalg::SoftmaxOp>(op) ||
                    isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect());
    return computes && !op->hasTrait<OpTrait::ConstantLike>() &&
           llvm::any_of(op->getResultTypes(), [](Type type) {
             auto floatType = dyn_cast<FloatType>(getElementTypeOrSelf(type));
             return floatType && floatType.getWidth() < 32;
           });
  };
  return code
      .walk([&](Operation *op) {
        return isCoarse(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

HostTensor npu::runtime::getAllowed(const HostTensor &expected, const Tolerance &tolerance) {
  HostTensor allowed(ElementType::F64, expected.getShape());
  for (int64_t i = 0; i < expected.getNumElements(); ++i)
    if (double distance = getAllowed(expected, i, tolerance); distance != 0)
      allowed.setFloat(i, distance);
  return allowed;
}

void DispatchErrors::add(const HostTensor &expected, const HostTensor &actual, HostTensor allowed) {
  HostTensor difference(ElementType::F64, expected.getShape());
  if (actual.getShape() == expected.getShape())
    for (int64_t i = 0; i < expected.getNumElements(); ++i)
      if (double above = actual.getFloat(i) - expected.getFloat(i);
          std::abs(above) <= allowed.getFloat(i))
        difference.setFloat(i, above);
  distances.push_back(std::move(allowed));
  differences.push_back(std::move(difference));
}

HostTensor npu::runtime::moveResult(const HostTensor &result, const DispatchErrors &errors,
                                    unsigned number, unsigned pattern, uint64_t seed) {
  bool asFound = pattern + 1 == numMovePatterns;
  const HostTensor &distance = (asFound ? errors.differences : errors.distances)[number];
  if (distance.getShape() != result.getShape())
    return result;
  HostTensor isDown(ElementType::I1, result.getShape());
  if (asFound || pattern < 2)
    isDown.fill(!asFound && pattern == 1);
  else
    isDown.fillRandom(seed * numMovePatterns + pattern);
  HostTensor moved = result;
  for (int64_t i = 0; i < result.getNumElements(); ++i) {
    double amount = isDown.getInt(i) ? -distance.getFloat(i) : distance.getFloat(i);
    if (amount == 0 || !std::isfinite(amount))
      continue;
    if (isFloat(result.getElementType())) {
      moved.setFloat(i, result.getFloat(i) + amount);
      continue;
    }
    double wanted = result.getFloat(i) + amount;
    moved.setFloat(i, wanted);
    if (moved.getFloat(i) != wanted)
      moved.setInt(i, result.getInt(i));
  }
  return moved;
}

void npu::runtime::accumulateDistances(MutableArrayRef<HostTensor> distances,
                                       ArrayRef<HostTensor> base, ArrayRef<HostTensor> moved) {
  for (auto [distance, from, to] : llvm::zip_equal(distances, base, moved)) {
    if (from.getElementType() != to.getElementType() || from.getShape() != to.getShape())
      continue;
    for (int64_t i = 0; i < distance.getNumElements(); ++i) {
      double amount = std::abs(to.getFloat(i) - from.getFloat(i));
      if (std::isfinite(amount) && amount > distance.getFloat(i))
        distance.setFloat(i, amount);
    }
  }
}

Tolerance npu::runtime::getEndToEndTolerance(const HostTensor &expected,
                                             ArrayRef<HostTensor> inputs,
                                             std::optional<HostTensor> distance) {
  Tolerance tolerance;
  tolerance.allowDegenerate = inputsForceDegenerateOutput(inputs);
  double least = 0;
  if (isFloat(expected.getElementType())) {
    for (int64_t i = 0; i < expected.getNumElements(); ++i)
      if (double magnitude = std::abs(expected.getFloat(i)); std::isfinite(magnitude))
        least = std::max(least, 1e-3 * magnitude);
    tolerance.ulps = 1;
  }
  tolerance.bound = [least, distance = std::move(distance)](int64_t index) {
    return distance ? std::max(least, distance->getFloat(index)) : least;
  };
  return tolerance;
}
