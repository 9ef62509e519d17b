//===- ExpandShapes.cpp - tensors of a kernel with more dimensions --------===//

#include "ExpandShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu;

std::optional<SmallVector<int64_t>> npu::getCommonShape(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  SmallVector<int64_t> shape;
  int64_t left = 1, right = 1; // of a dimension of each, what is not covered yet
  while (left > 1 || right > 1 || !a.empty() || !b.empty()) {
    for (auto [rest, dims] : {std::pair(&left, &a), std::pair(&right, &b)})
      while (*rest == 1 && !dims->empty()) {
        *rest = dims->back();
        *dims = dims->drop_back();
      }
    int64_t size = std::min(left, right);
    if (left % size != 0 || right % size != 0)
      return std::nullopt;
    if (size == 1 && left != right)
      return std::nullopt;
    if (size > 1)
      shape.insert(shape.begin(), size);
    left /= size;
    right /= size;
  }
  return shape;
}

namespace {
using Factors = SmallVector<int64_t, 3>;

/// Finds out what becomes of the dimensions of values and ops, then writes it down.
class Expander {
public:
  explicit Expander(KernelOp kernel) : kernel(kernel) {}

  LogicalResult expand(Value value, ArrayRef<int64_t> shape);

private:
  LogicalResult setValue(Value value, unsigned dim, ArrayRef<int64_t> factors);
  LogicalResult setOp(NPUComputeOpInterface op, unsigned dim, ArrayRef<int64_t> factors);
  LogicalResult visitValue(Value value);
  LogicalResult visitOp(NPUComputeOpInterface op);
  LogicalResult rewriteValue(Value value);
  void rewriteOp(NPUComputeOpInterface op);

  KernelOp kernel;
  llvm::MapVector<Value, std::map<unsigned, Factors>> values;
  llvm::MapVector<Operation *, std::map<unsigned, Factors>> ops;
  SmallVector<Value> pendingValues;
  SmallVector<Operation *> pendingOps;
};
} // namespace

LogicalResult Expander::setValue(Value value, unsigned dim, ArrayRef<int64_t> factors) {
  auto [known, isNew] = values[value].try_emplace(dim, factors);
  if (isNew)
    pendingValues.push_back(value);
  return success(ArrayRef(known->second) == factors);
}

static constexpr StringLiteral kMapsName = "indexing_maps";

/// Whether all that the op says of its dimensions is in its maps.
static bool hasFreeDims(NPUComputeOpInterface op) {
  std::optional<RegisteredOperationName> info = op->getRegisteredInfo();
  return op.getEngine() == Engine::Vpu && info && !op->hasAttr("tile") &&
         op.getDataOperands().size() > 1 && op.getTileScratch().bytes == 0 &&
         llvm::any_of(info->getAttributeNames(),
                      [](StringAttr name) { return name.getValue() == kMapsName; }) &&
         llvm::all_of(op.getIteratorTypes(),
                      [](auto iterator) { return iterator == utils::IteratorType::parallel; });
}

/// Whether dimension `dim` of a product can be several: the array adds up along three at most, and
/// rows or columns become batches with as many of each.
static bool mayExpand(MatmulOp matmul, unsigned dim, size_t count) {
  NPUComputeOpInterface op = matmul;
  if (op.getIteratorTypes()[dim] == utils::IteratorType::reduction)
    return count <= 3 && op.getDimLetters()[dim] == 'k' &&
           llvm::count(op.getIteratorTypes(), utils::IteratorType::reduction) == 1;
  return !matmul.getBias() &&
         llvm::all_of(op.getTileSizes(), [](int64_t size) { return size <= 1; });
}

/// The letters of batches that a product does not have.
static std::string getFreeBatches(MatmulOp matmul) {
  std::string letters = matmul.getDimLetters(), free;
  llvm::copy_if(kBatchLetters, std::back_inserter(free),
                [&](char batch) { return !StringRef(letters).contains(batch); });
  return free;
}

LogicalResult Expander::setOp(NPUComputeOpInterface op, unsigned dim, ArrayRef<int64_t> factors) {
  auto matmul = dyn_cast<MatmulOp>(op.getOperation());
  if (matmul ? !mayExpand(matmul, dim, factors.size()) : !hasFreeDims(op))
    return failure();
  auto [known, isNew] = ops[op].try_emplace(dim, factors);
  if (isNew)
    pendingOps.push_back(op);
  if (matmul) {
    size_t batches = 0;
    for (const auto &[expanded, sizes] : ops[op])
      if (op.getIteratorTypes()[expanded] == utils::IteratorType::parallel)
        batches += sizes.size() - 1;
    if (batches > getFreeBatches(matmul).size())
      return failure();
  }
  return success(ArrayRef(known->second) == factors);
}

LogicalResult Expander::visitValue(Value value) {
  // The coordinates of an operand, or of a result, of an op.
  auto visit = [&](NPUComputeOpInterface op, AffineMap map) -> LogicalResult {
    auto dims = values[value];
    for (const auto &[dim, factors] : dims) {
      auto plain = dyn_cast<AffineDimExpr>(map.getResult(dim));
      if (!plain || failed(setOp(op, plain.getPosition(), factors)))
        return failure();
    }
    return success();
  };
  Operation *definition = value.getDefiningOp();
  if (auto op = dyn_cast_or_null<NPUComputeOpInterface>(definition)) {
    if (failed(visit(op, op.getIndexingMapsArray().back())))
      return failure();
  } else if (definition && !llvm::isa<arith::ConstantOp, tensor::EmptyOp>(definition)) {
    return failure();
  }
  for (Operation *user : value.getUsers()) {
    if (llvm::isa<ReturnOp>(user))
      continue;
    auto op = dyn_cast<NPUComputeOpInterface>(user);
    if (!op)
      return failure();
    for (auto [operand, map] : llvm::zip_equal(op.getDataOperands(), op.getIndexingMapsArray()))
      if (operand->get() == value && failed(visit(op, map)))
        return failure();
  }
  return success();
}

LogicalResult Expander::visitOp(NPUComputeOpInterface op) {
  auto dims = ops[op];
  for (const auto &[dim, factors] : dims) {
    for (auto [operand, map] : llvm::zip_equal(op.getDataOperands(), op.getIndexingMapsArray()))
      for (auto [index, expr] : llvm::enumerate(map.getResults())) {
        if (!expr.isFunctionOfDim(dim))
          continue;
        if (!llvm::isa<AffineDimExpr>(expr) || failed(setValue(operand->get(), index, factors)))
          return failure();
        if (operand == &op.getDestinationOperand() &&
            failed(setValue(op->getResult(0), index, factors)))
          return failure();
      }
  }
  return success();
}

LogicalResult Expander::rewriteValue(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    auto known = values[value].find(dim);
    if (known == values[value].end())
      shape.push_back(size);
    else
      llvm::append_range(shape, known->second);
  }
  RankedTensorType expanded = type.clone(shape);
  if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!elements)
      return failure();
    constant.setValueAttr(elements.reshape(expanded));
  }
  value.setType(expanded);
  return success();
}

void Expander::rewriteOp(NPUComputeOpInterface op) {
  const std::map<unsigned, Factors> &dims = ops[op];
  MLIRContext *context = op->getContext();
  if (auto matmul = dyn_cast<MatmulOp>(op.getOperation())) {
    // ik, or ijk, for k; for another one, batches in front of what is left of it.
    std::string free = getFreeBatches(matmul), all = matmul.getDimLetters();
    std::map<char, std::string> letters;
    for (const auto &[dim, factors] : dims) {
      std::string &outer = letters[all[dim]];
      if (all[dim] == 'k') {
        outer = StringRef("ij").take_front(factors.size() - 1);
        continue;
      }
      outer = free.substr(0, factors.size() - 1);
      free.erase(0, outer.size());
    }
    auto getLayout = [&](StringRef layout) {
      std::string expanded;
      for (char letter : layout) {
        if (auto known = letters.find(letter); known != letters.end())
          expanded += known->second;
        expanded += letter;
      }
      return LayoutAttr::get(context, expanded);
    };
    matmul.setLayoutAAttr(getLayout(matmul.getLayoutA()));
    matmul.setLayoutBAttr(getLayout(matmul.getLayoutB()));
    matmul.setLayoutCAttr(getLayout(matmul.getLayoutC()));
    return;
  }
  // The first of the new dimensions of each.
  SmallVector<unsigned> firsts;
  SmallVector<AffineExpr> moved;
  unsigned count = 0;
  for (unsigned dim = 0; dim < op.getIteratorTypes().size(); ++dim) {
    firsts.push_back(count);
    moved.push_back(getAffineDimExpr(count, context));
    auto known = dims.find(dim);
    count += known == dims.end() ? 1 : known->second.size();
  }
  SmallVector<AffineMap> maps;
  for (AffineMap map : op.getIndexingMapsArray()) {
    SmallVector<AffineExpr> coordinates;
    for (AffineExpr expr : map.getResults()) {
      auto plain = dyn_cast<AffineDimExpr>(expr);
      auto known = plain ? dims.find(plain.getPosition()) : dims.end();
      if (known == dims.end()) {
        coordinates.push_back(expr.replaceDims(moved));
        continue;
      }
      for (unsigned part = 0; part < known->second.size(); ++part)
        coordinates.push_back(getAffineDimExpr(firsts[known->first] + part, context));
    }
    maps.push_back(AffineMap::get(count, 0, coordinates, context));
  }
  op->setAttr(kMapsName, Builder(context).getAffineMapArrayAttr(maps));
}

LogicalResult Expander::expand(Value value, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> old = cast<RankedTensorType>(value.getType()).getShape();
  for (auto [dim, size] : llvm::enumerate(old)) {
    Factors factors;
    int64_t product = 1;
    size_t others = old.size() - dim - 1;
    // Dimensions of one element go with the one before them, if the others do not need them.
    while (!shape.empty() &&
           (product < size || (shape.front() == 1 && (factors.empty() || shape.size() > others)))) {
      factors.push_back(shape.front());
      product *= shape.front();
      shape = shape.drop_front();
    }
    // One that is part of another dimension, or one of one element.
    if (product != size || factors.empty())
      return failure();
    if (factors.size() > 1 && failed(setValue(value, dim, factors)))
      return failure();
  }
  while (!pendingValues.empty() || !pendingOps.empty()) {
    if (!pendingValues.empty()) {
      if (failed(visitValue(pendingValues.pop_back_val())))
        return failure();
      continue;
    }
    if (failed(visitOp(cast<NPUComputeOpInterface>(pendingOps.pop_back_val()))))
      return failure();
  }
  for (auto &[op, dims] : ops)
    rewriteOp(cast<NPUComputeOpInterface>(op));
  for (auto &[known, dims] : values)
    if (failed(rewriteValue(known)))
      return failure();
  Block &body = kernel.getBody().front();
  kernel.setFunctionType(FunctionType::get(kernel.getContext(), body.getArgumentTypes(),
                                           body.getTerminator()->getOperandTypes()));
  return success();
}

LogicalResult npu::expandArgument(KernelOp kernel, unsigned argument, ArrayRef<int64_t> shape) {
  return Expander(kernel).expand(kernel.getBody().getArgument(argument), shape);
}

LogicalResult npu::expandResult(KernelOp kernel, unsigned result, ArrayRef<int64_t> shape) {
  return Expander(kernel).expand(kernel.getBody().front().getTerminator()->getOperand(result),
                                 shape);
}
