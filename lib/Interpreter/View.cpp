//===- View.cpp - elements in an interpreted memory -----------------------===//

#include "NPU/Interpreter/View.h"

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/IR/AffineExpr.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu;
using namespace npu::interpreter;

View View::get(std::shared_ptr<Memory> memory, ShapedType type, int64_t offset) {
  View view{std::move(memory), offset, llvm::to_vector(type.getShape()), {}, type.getElementType()};
  view.strides.assign(view.shape.size(), 0);
  int64_t bytes = getElementBytes(type);
  for (int64_t dim = view.shape.size() - 1; dim >= 0; --dim) {
    view.strides[dim] = bytes;
    bytes *= view.shape[dim];
  }
  return view;
}

SmallVector<int64_t> View::getCoordinates(int64_t position) const {
  SmallVector<int64_t> coordinates(shape.size(), 0);
  int64_t rest = position - offset;
  for (auto [coordinate, size, stride] : llvm::zip_equal(coordinates, shape, strides)) {
    if (size <= 1 || stride == 0)
      continue;
    coordinate = rest / stride;
    rest -= coordinate * stride;
  }
  return coordinates;
}

std::vector<uint8_t> View::getBytes() const {
  std::vector<uint8_t> result;
  int64_t bytes = getElementBytes(elementType);
  forEachPosition(shape, [&](ArrayRef<int64_t> position) {
    int64_t begin = offset;
    for (auto [coordinate, stride] : llvm::zip_equal(position, strides))
      begin += coordinate * stride;
    result.insert(result.end(), memory->bytes.begin() + begin,
                  memory->bytes.begin() + begin + bytes);
  });
  return result;
}

int64_t npu::interpreter::evaluate(AffineExpr expr, ArrayRef<int64_t> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t left = evaluate(binary.getLHS(), dims), right = evaluate(binary.getRHS(), dims);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(left, right);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(left, right);
  case AffineExprKind::Mod:
    return llvm::mod(left, right);
  default:
    llvm_unreachable("no other expressions in maps");
  }
}

/// Adds `factor` times `expr` to a sum; false if it is none.
static bool addTo(AffineExpr expr, int64_t factor, SmallVector<int64_t> &sum) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    sum[1 + dim.getPosition()] += factor;
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    sum[0] += factor * constant.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Add)
    return addTo(binary.getLHS(), factor, sum) && addTo(binary.getRHS(), factor, sum);
  if (binary && binary.getKind() == AffineExprKind::Mul)
    if (auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return addTo(binary.getLHS(), factor * constant.getValue(), sum);
  return false;
}

Access::Access(const View &view, AffineMap map) : view(view), map(map) {
  for (AffineExpr expr : map.getResults()) {
    SmallVector<int64_t> sum(1 + map.getNumDims(), 0);
    if (!addTo(expr, 1, sum)) {
      sums.clear();
      return;
    }
    sums.push_back(std::move(sum));
  }
}

std::optional<int64_t> Access::find(ArrayRef<int64_t> position, ArrayRef<int64_t> origin) const {
  int64_t result = view.offset;
  for (unsigned dim = 0; dim < view.shape.size(); ++dim) {
    int64_t coordinate = origin.empty() ? 0 : origin[dim];
    if (sums.empty()) {
      coordinate += evaluate(map.getResult(dim), position);
    } else {
      const SmallVector<int64_t> &sum = sums[dim];
      coordinate += sum[0];
      for (unsigned d = 0; d < position.size(); ++d)
        coordinate += sum[1 + d] * position[d];
    }
    if (coordinate < 0 || coordinate >= view.shape[dim])
      return std::nullopt;
    result += coordinate * view.strides[dim];
  }
  return result;
}
