//===- Prefixes.cpp - nodes on results whose length data decide -----------===//
//
// Behind the selection of boxes, detectors look up what belongs to the selected ones. Such nodes
// may compute rows that do not count: they are cut off later, at the end of the graph.
//
//===----------------------------------------------------------------------===//

#include "Prefixes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

static PrefixOp getPrefix(Node &node, unsigned index) {
  return node.hasInput(index) ? node.getInput(index).getDefiningOp<PrefixOp>() : PrefixOp();
}

/// The type of input `index`, with all of its elements.
static RankedTensorType getWholeType(Node &node, unsigned index) {
  PrefixOp prefix = getPrefix(node, index);
  return dyn_cast<RankedTensorType>(prefix ? prefix.getSource().getType()
                                           : node.getInput(index).getType());
}

/// The axis of the result of a node that combines its inputs element by element.
static std::optional<int64_t> findElementwiseAxis(Node &node) {
  int64_t rank = 0;
  for (unsigned index = 0; index < node.getNumInputs(); ++index) {
    if (!node.hasInput(index) || !getWholeType(node, index))
      return std::nullopt;
    rank = std::max(rank, getWholeType(node, index).getRank());
  }
  std::optional<int64_t> axis;
  for (unsigned index = 0; index < node.getNumInputs(); ++index)
    if (PrefixOp prefix = getPrefix(node, index)) {
      int64_t own = rank - getWholeType(node, index).getRank() + prefix.getAxis();
      if (axis.value_or(own) != own)
        return std::nullopt;
      axis = own;
    }
  // What is not cut off there is the same for all.
  for (unsigned index = 0; index < node.getNumInputs(); ++index) {
    RankedTensorType type = getWholeType(node, index);
    int64_t own = *axis - (rank - type.getRank());
    if (!getPrefix(node, index) && own >= 0 && type.getDimSize(own) != 1)
      return std::nullopt;
  }
  return axis;
}

/// The axis along which data are gathered, from 0.
static int64_t getGatherAxis(Node &node, int64_t rank) {
  int64_t axis = node.getInt("axis", 0);
  return axis < 0 ? axis + rank : axis;
}

static std::optional<int64_t> findGatherAxis(Node &node) {
  PrefixOp data = getPrefix(node, 0), indices = getPrefix(node, 1);
  RankedTensorType type = getWholeType(node, 0), indexType = getWholeType(node, 1);
  if (!type || !indexType)
    return std::nullopt;
  int64_t along = getGatherAxis(node, type.getRank()), axis = data ? data.getAxis() : 0;
  if (indices && !data)
    return along + indices.getAxis();
  // Negative indices count from the end of what counts, which is known later.
  if (indices || axis == along)
    return std::nullopt;
  return axis < along ? axis : axis - 1 + indexType.getRank();
}

/// Axes that attribute `axes` or input `index` names, from 0; nothing if they are not known.
static std::optional<SmallVector<int64_t>> getAxes(Node &node, unsigned index, int64_t rank) {
  std::optional<SmallVector<int64_t>> axes = node.getInts("axes");
  if (!axes && node.hasInput(index))
    axes = node.getConstantInts(index);
  if (axes)
    for (int64_t &axis : *axes)
      axis += axis < 0 ? rank : 0;
  return axes;
}

/// The axis of the only input that has one, where it is in the result of a node that moves
/// elements.
static std::optional<int64_t> findMovedAxis(Node &node) {
  PrefixOp prefix = getPrefix(node, 0);
  RankedTensorType type = prefix ? getWholeType(node, 0) : RankedTensorType();
  if (!type)
    return std::nullopt;
  int64_t rank = type.getRank(), axis = prefix.getAxis();
  StringRef name = node.getOpType();
  if (name == "Transpose") {
    SmallVector<int64_t> permutation =
        node.getInts("perm").value_or(llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank))));
    auto *found = llvm::find(permutation, axis);
    return found == permutation.end() ? std::nullopt
                                      : std::optional<int64_t>(found - permutation.begin());
  }
  if (name == "Slice") {
    std::optional<SmallVector<int64_t>> axes = getAxes(node, 3, rank);
    return axes && !llvm::is_contained(*axes, axis) ? std::optional(axis) : std::nullopt;
  }
  if (name == "Squeeze") {
    std::optional<SmallVector<int64_t>> axes = getAxes(node, 1, rank);
    if (!axes || llvm::is_contained(*axes, axis))
      return std::nullopt;
    return axis - llvm::count_if(*axes, [&](int64_t other) { return other < axis; });
  }
  if (name == "Unsqueeze") {
    std::optional<SmallVector<int64_t>> axes = getAxes(node, 1, 0);
    if (!axes)
      return std::nullopt;
    int64_t newRank = rank + axes->size();
    for (int64_t &other : *axes)
      other += other < 0 ? newRank : 0;
    llvm::sort(*axes);
    for (int64_t other : *axes)
      axis += other <= axis;
    return axis;
  }
  // Reshape: rows stay rows.
  std::optional<SmallVector<int64_t>> shape = node.getInts("shape");
  if (!shape && node.hasInput(1))
    shape = node.getConstantInts(1);
  if (!shape || shape->empty() || axis != 0 || shape->front() != -1)
    return std::nullopt;
  ArrayRef<int64_t> rest = ArrayRef(*shape).drop_front();
  bool isSame =
      llvm::all_of(rest, [](int64_t size) { return size > 0; }) &&
      ShapedType::getNumElements(rest) == ShapedType::getNumElements(type.getShape().drop_front());
  return isSame ? std::optional<int64_t>(0) : std::nullopt;
}

static std::optional<int64_t> findAxis(Node &node) {
  StringRef name = node.getOpType();
  if (llvm::is_contained({"Abs",
                          "Add",
                          "And",
                          "Cast",
                          "CastLike",
                          "Ceil",
                          "Clip",
                          "Div",
                          "Equal",
                          "Exp",
                          "Floor",
                          "Greater",
                          "GreaterOrEqual",
                          "Identity",
                          "Less",
                          "LessOrEqual",
                          "Log",
                          "Max",
                          "Min",
                          "Mod",
                          "Mul",
                          "Neg",
                          "Not",
                          "Or",
                          "Pow",
                          "Relu",
                          "Round",
                          "Sigmoid",
                          "Sqrt",
                          "Sub",
                          "Tanh",
                          "Where",
                          "Xor"},
                         name))
    return findElementwiseAxis(node);
  if (name == "Gather")
    return findGatherAxis(node);
  if (name == "GatherND") {
    PrefixOp data = getPrefix(node, 0), indices = getPrefix(node, 1);
    RankedTensorType type = getWholeType(node, 1);
    bool fits = !data && indices && type && node.getInt("batch_dims", 0) == 0 &&
                static_cast<int64_t>(indices.getAxis()) + 1 < type.getRank();
    return fits ? std::optional<int64_t>(indices.getAxis()) : std::nullopt;
  }
  if (name == "Concat") {
    RankedTensorType type = getWholeType(node, 0);
    std::optional<int64_t> axis = findElementwiseAxis(node);
    bool areCut = true;
    for (unsigned index = 0; index < node.getNumInputs(); ++index)
      areCut &= bool(getPrefix(node, index));
    return areCut && axis && *axis != getGatherAxis(node, type.getRank()) ? axis : std::nullopt;
  }
  if (llvm::is_contained({"Reshape", "Slice", "Squeeze", "Transpose", "Unsqueeze"}, name))
    return findMovedAxis(node);
  return std::nullopt;
}

void npu::onnx_ir::movePrefixBehind(Node &node) {
  NodeOp op = node.getOp();
  if (op.getDomain() || op.getNumResults() != 1)
    return;
  Value count;
  for (unsigned index = 0; index < node.getNumInputs(); ++index) {
    PrefixOp prefix = getPrefix(node, index);
    if (!prefix)
      continue;
    if (count && count != prefix.getCount())
      return;
    count = prefix.getCount();
  }
  if (!count)
    return;
  std::optional<int64_t> axis = findAxis(node);
  if (!axis)
    return;
  for (OpOperand &operand : op.getInputsMutable())
    if (auto prefix = operand.get().getDefiningOp<PrefixOp>())
      operand.set(prefix.getSource());
  OpBuilder builder(op.getContext());
  builder.setInsertionPointAfter(op);
  Value result = op.getOutputs().front();
  auto prefix = PrefixOp::create(builder, op.getLoc(), UnknownType::get(op.getContext()), result,
                                 count, *axis);
  result.replaceAllUsesExcept(prefix, prefix);
}
