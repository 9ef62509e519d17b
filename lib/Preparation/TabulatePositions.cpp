//===- TabulatePositions.cpp - what bodies compute of loop counters -------===//
//
// A value that only counters decide is a constant of as many elements as they have positions. It is
// found by folding the body's ops, where one of them is nothing that a kernel can compute, as are
// the coordinates by which torch-mlir's resizing reads elements.
//
//===----------------------------------------------------------------------===//

#include "FoldBody.h"

#include "NPU/Dialect/NPU/Transforms/TargetLegality.h"
#include "NPU/Preparation/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

#include <map>

namespace npu {
#define GEN_PASS_DEF_NPUTABULATEPOSITIONS
#include "NPU/Preparation/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

/// The most elements of a constant: they are part of the program.
static constexpr int64_t kMaxPositions = 1 << 16;

namespace {
/// What an op of a body computes of counters.
struct CounterValue {
  llvm::SmallBitVector loops; ///< that it depends on
  bool isForHost = false;     ///< it or what it depends on is nothing that a kernel computes
};
using CounterValues = llvm::MapVector<Operation *, CounterValue>;
} // namespace

/// The constant of which `value` of the body is the element that counters say; null if it is none.
static DenseElementsAttr getCountedConstant(linalg::GenericOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  DenseElementsAttr constant;
  if (!argument || argument.getOwner() != op.getBody() ||
      argument.getArgNumber() >= unsigned(op.getNumDpsInputs()) ||
      !matchPattern(op.getDpsInputs()[argument.getArgNumber()], m_Constant(&constant)) ||
      constant.isSplat() || constant.getNumElements() > kMaxPositions ||
      !op.getIndexingMapsArray()[argument.getArgNumber()].isProjectedPermutation())
    return {};
  return constant;
}

/// The map of the input that the body has as `value`.
static AffineMap getInputMap(linalg::GenericOp op, Value value) {
  return op.getIndexingMapsArray()[cast<BlockArgument>(value).getArgNumber()];
}

/// Whether kernels lack the type, or bits are counted, for which they have no op.
static bool isForHost(Operation *op) {
  return !isElementType(op->getResult(0).getType()) ||
         isa<math::CountLeadingZerosOp, math::CountTrailingZerosOp, math::CtPopOp>(op);
}

/// The ops of the body that depend on counters alone, in order.
static CounterValues findCounterValues(linalg::GenericOp op) {
  CounterValues values;
  for (Operation &body : op.getBody()->without_terminator()) {
    CounterValue value;
    value.loops.resize(op.getNumLoops());
    if (auto index = dyn_cast<linalg::IndexOp>(body)) {
      value.loops.set(index.getDim());
      values.insert({&body, value});
      continue;
    }
    bool isKnown =
        body.getNumResults() == 1 && body.getNumRegions() == 0 && isMemoryEffectFree(&body);
    for (Value operand : body.getOperands()) {
      auto producer = values.find(operand.getDefiningOp());
      if (producer != values.end()) {
        value.loops |= producer->second.loops;
        value.isForHost |= producer->second.isForHost;
      } else if (getCountedConstant(op, operand)) {
        for (AffineExpr expr : getInputMap(op, operand).getResults())
          value.loops.set(cast<AffineDimExpr>(expr).getPosition());
        value.isForHost |= !isElementType(operand.getType());
      } else {
        isKnown &= static_cast<bool>(findBodyConstant(op, operand));
      }
    }
    if (!isKnown || value.loops.none())
      continue;
    value.isForHost |= isForHost(&body);
    values.insert({&body, value});
  }
  return values;
}

/// Whether a coordinate that an element is extracted by is nothing that a kernel computes: it takes
/// counters, and integers of 32 bits.
static bool isForHostAsCoordinate(Operation *op, const CounterValues &values) {
  if (!op->getResult(0).getType().isIndex() || isa<linalg::IndexOp>(op) ||
      llvm::none_of(op->getUsers(), llvm::IsaPred<tensor::ExtractOp>))
    return false;
  auto cast = dyn_cast<arith::IndexCastOp>(op);
  if (!cast || !cast.getIn().getType().isInteger(32))
    return true;
  auto number = values.find(cast.getIn().getDefiningOp());
  return number != values.end() && number->second.isForHost;
}

/// The values that other ops of the body need, and that a kernel can have but not compute.
static SmallVector<Operation *> findRoots(const CounterValues &values) {
  SmallVector<Operation *> roots;
  for (const auto &[op, value] : values)
    if (isForHostAsCoordinate(op, values) ||
        (value.isForHost && isElementType(op->getResult(0).getType()) &&
         llvm::any_of(op->getUsers(), [&](Operation *user) { return !values.contains(user); })))
      roots.push_back(op);
  return roots;
}

namespace {
/// Values of ops at positions. Most operands are the same at many of them.
class Evaluator {
public:
  Evaluator(linalg::GenericOp op, const CounterValues &values) : op(op), values(values) {}

  /// The value of `root` at `position`, a number per loop; null if some op does not fold, which
  /// `unfolded` then is.
  Attribute evaluate(Operation *root, ArrayRef<int64_t> position);

  Operation *unfolded = nullptr;

private:
  Attribute evaluate(Operation *body, ArrayRef<int64_t> position,
                     DenseMap<Operation *, Attribute> &here);

  linalg::GenericOp op;
  const CounterValues &values;
  /// By op and operands.
  std::map<std::pair<Operation *, std::vector<const void *>>, Attribute> known;
};
} // namespace

Attribute Evaluator::evaluate(Operation *root, ArrayRef<int64_t> position) {
  DenseMap<Operation *, Attribute> here;
  for (const auto &[body, value] : values) {
    if (value.loops.none())
      continue;
    Attribute result = evaluate(body, position, here);
    here[body] = result;
    if (body == root)
      return result;
  }
  llvm_unreachable("a root is one of the values");
}

Attribute Evaluator::evaluate(Operation *body, ArrayRef<int64_t> position,
                              DenseMap<Operation *, Attribute> &here) {
  if (auto index = dyn_cast<linalg::IndexOp>(body))
    return IntegerAttr::get(index.getType(), position[index.getDim()]);
  auto getValue = [&](Value value) -> Attribute {
    auto computed = here.find(value.getDefiningOp());
    if (computed != here.end())
      return computed->second;
    DenseElementsAttr constant = getCountedConstant(op, value);
    if (!constant)
      return findBodyConstant(op, value);
    SmallVector<uint64_t> index;
    for (AffineExpr expr : getInputMap(op, value).getResults())
      index.push_back(position[cast<AffineDimExpr>(expr).getPosition()]);
    return constant.getValues<Attribute>()[index];
  };
  std::vector<const void *> operands;
  for (Value operand : body->getOperands())
    operands.push_back(getValue(operand).getAsOpaquePointer());
  auto [result, isNew] = known.try_emplace({body, operands});
  if (isNew && !llvm::is_contained(operands, nullptr))
    result->second = foldBodyOp(body, getValue);
  if (isNew && !isa_and_nonnull<IntegerAttr, FloatAttr>(result->second)) {
    result->second = {};
    unfolded = unfolded ? unfolded : body;
  }
  return result->second;
}

static void emitMissed(Operation *op, const Twine &reason) {
  if (!op->getContext()->getRemarkEngine())
    return;
  remark::missed(op->getLoc(), remark::RemarkOpts::name("NotTabulated").category("npu-tables"))
      << remark::reason("{0}", reason.str());
}

/// The constant that `root` is, over its loops; null after a remark.
static DenseElementsAttr tabulate(linalg::GenericOp op, const CounterValues &values,
                                  Operation *root) {
  const llvm::SmallBitVector &loops = values.find(root)->second.loops;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), shape;
  int64_t numPositions = 1;
  for (unsigned loop : loops.set_bits()) {
    if (ShapedType::isDynamic(ranges[loop]) || ranges[loop] > kMaxPositions) {
      emitMissed(root, "loop " + Twine(loop) + " has no, or too many, known positions");
      return {};
    }
    shape.push_back(ranges[loop]);
    numPositions *= ranges[loop];
    if (numPositions > kMaxPositions) {
      emitMissed(root, "expected at most " + Twine(kMaxPositions) + " positions but found " +
                           Twine(numPositions));
      return {};
    }
  }
  Evaluator evaluator(op, values);
  SmallVector<Attribute> elements;
  SmallVector<int64_t> position(ranges.size(), 0);
  for (int64_t number = 0; number < numPositions; ++number) {
    int64_t rest = number;
    for (int loop = loops.find_last(); loop >= 0; loop = loops.find_prev(loop)) {
      position[loop] = rest % ranges[loop];
      rest /= ranges[loop];
    }
    elements.push_back(evaluator.evaluate(root, position));
    if (!elements.back()) {
      Operation *unfolded = evaluator.unfolded ? evaluator.unfolded : root;
      emitMissed(unfolded, unfolded->getName().getStringRef() + " does not fold for all positions");
      return {};
    }
  }
  Type type = root->getResult(0).getType();
  if (type.isIndex()) {
    // Coordinates are integers of 32 bits to a kernel.
    type = IntegerType::get(op.getContext(), 32);
    for (Attribute &element : elements) {
      const APInt &coordinate = cast<IntegerAttr>(element).getValue();
      if (!coordinate.isSignedIntN(32)) {
        emitMissed(root, "a coordinate has more than 32 bits");
        return {};
      }
      element = IntegerAttr::get(type, coordinate.trunc(32));
    }
  }
  return DenseElementsAttr::get(RankedTensorType::get(shape, type), elements);
}

/// Erases constant inputs that the body does not read any more, if the other maps tell how long
/// loops are.
static void eraseUnreadConstants(linalg::GenericOp op) {
  for (int64_t input = op.getNumDpsInputs() - 1; input >= 0; --input) {
    if (!op.getBody()->getArgument(input).use_empty() ||
        !matchPattern(op.getDpsInputs()[input], m_Constant()))
      continue;
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps.erase(maps.begin() + input);
    if (!inversePermutation(concatAffineMaps(maps, op.getContext())))
      continue;
    op.getInputsMutable().erase(input);
    op.getBody()->eraseArgument(input);
    op.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
  }
}

/// Makes `constants`, over the loops that their ops depend on, inputs of `op` instead of these ops.
static void addInputs(linalg::GenericOp op, const CounterValues &values,
                      ArrayRef<std::pair<Operation *, DenseElementsAttr>> constants) {
  OpBuilder builder(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned numInputs = op.getNumDpsInputs();
  for (auto [root, constant] : constants) {
    Value tensor = arith::ConstantOp::create(builder, root->getLoc(), constant);
    SmallVector<unsigned> loops;
    for (unsigned loop : values.find(root)->second.loops.set_bits())
      loops.push_back(loop);
    maps.insert(maps.begin() + numInputs,
                builder.getMultiDimIdentityMap(op.getNumLoops()).getSubMap(loops));
    Type type = root->getResult(0).getType();
    Value number =
        op.getBody()->insertArgument(numInputs, constant.getElementType(), root->getLoc());
    if (type.isIndex()) {
      OpBuilder body(root);
      number = arith::IndexCastOp::create(body, root->getLoc(), type, number);
    }
    root->getResult(0).replaceAllUsesWith(number);
    op.getInputsMutable().append(tensor);
    ++numInputs;
  }
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  for (const auto &[body, value] : llvm::reverse(values))
    if (body->use_empty())
      body->erase();
  eraseUnreadConstants(op);
}

/// Replaces an op that computes all of its result of constants by what it gives, if that has no
/// more elements than these, and no wider ones, as weights of bytes stay bytes; or is nothing that
/// a kernel has.
static bool foldWhole(linalg::GenericOp op, const CounterValues &values) {
  Operation *root = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  auto known = values.find(root);
  int64_t numElements = 0;
  bool isWider = false;
  Type type = op->getNumResults() == 1 ? getElementTypeOrSelf(op.getResult(0)) : Type();
  if (!type || !type.isIntOrFloat())
    return false;
  for (Value input : op.getDpsInputs())
    if (DenseElementsAttr constant; matchPattern(input, m_Constant(&constant))) {
      numElements = std::max(numElements, constant.getNumElements());
      Type from = constant.getElementType();
      isWider |= from.isIntOrFloat() && from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth();
    }
  if (op.getNumReductionLoops() != 0 || known == values.end() ||
      (isWider && !known->second.isForHost) || !known->second.loops.all() ||
      !op.getIndexingMapsArray().back().isIdentity() ||
      cast<ShapedType>(op.getResult(0).getType()).getNumElements() > numElements)
    return false;
  DenseElementsAttr constant = tabulate(op, values, root);
  if (!constant)
    return false;
  OpBuilder builder(op);
  op.getResult(0).replaceAllUsesWith(
      arith::ConstantOp::create(builder, op.getLoc(), constant).getResult());
  op->erase();
  return true;
}

/// Replaces an op that only copies a constant input.
static void foldCopy(linalg::GenericOp op) {
  auto argument = dyn_cast<BlockArgument>(op.getBody()->getTerminator()->getOperand(0));
  if (op->getNumResults() != 1 || op.getNumReductionLoops() != 0 || !argument ||
      !getCountedConstant(op, argument) ||
      getInputMap(op, argument) != op.getIndexingMapsArray().back())
    return;
  op.getResult(0).replaceAllUsesWith(op.getDpsInputs()[argument.getArgNumber()]);
  op->erase();
}

namespace {
struct TabulatePositions : npu::impl::NPUTabulatePositionsBase<TabulatePositions> {
  void runOnOperation() override {
    getOperation()->walk([](linalg::GenericOp op) {
      // The position of an extreme, the second result of a reduction, is known by its counter.
      bool isOfExtreme = op.getNumReductionLoops() > 0 && op.getNumResults() > 1;
      if (!op.hasPureTensorSemantics() || isOfExtreme)
        return;
      CounterValues values = findCounterValues(op);
      if (foldWhole(op, values))
        return;
      SmallVector<std::pair<Operation *, DenseElementsAttr>> constants;
      for (Operation *root : findRoots(values))
        if (DenseElementsAttr constant = tabulate(op, values, root))
          constants.push_back({root, constant});
      if (constants.empty())
        return;
      addInputs(op, values, constants);
      foldCopy(op);
    });
  }
};
} // namespace
