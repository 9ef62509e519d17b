//===- Sequences.cpp - lists of tensors that are known while importing ----===//

#include "Sequences.h"

#include "NPU/Dialect/ONNX/Specs/Expansion.h"

using namespace mlir;
using namespace npu::onnx_ir;

using Elements = SmallVector<Value>;

static constexpr StringLiteral listName = "SequenceConstruct";

/// The tensors of the sequence that is input 0.
static FailureOr<Elements> getElements(Node &node) {
  auto list = node.getOp().getInputs().front().getDefiningOp<NodeOp>();
  if (!list || list.getOpType() != listName || list.getDomain())
    return node.reject() << "expected input 0 to be a sequence that nodes before make";
  return Elements(list.getInputs());
}

static FailureOr<int64_t> getPosition(Node &node, unsigned input, int64_t count,
                                      int64_t defaultValue) {
  if (!node.hasInput(input))
    return defaultValue;
  std::optional<SmallVector<int64_t>> value = node.getConstantInts(input);
  if (!value || value->size() != 1)
    return node.reject()
           << "expected input " << input
           << " to be a constant, as the place in a sequence is chosen while importing";
  int64_t position = value->front() < 0 ? value->front() + count : value->front();
  if (position < 0 || position > count)
    return node.reject() << "expected a place in a sequence of " << count << ", found "
                         << value->front();
  return position;
}

static SequenceOutcome replace(Node &node, Value value) {
  node.getOp().getResult(0).replaceAllUsesWith(value);
  node.getOp().erase();
  return SequenceOutcome::Replaced;
}

static SequenceOutcome replaceByList(Node &node, FailureOr<Elements> elements) {
  if (failed(elements))
    return SequenceOutcome::Refused;
  return replace(node, Expansion(node).op(listName, *elements));
}

/// Parts along an axis: of one element, without that dimension unless keepdims says otherwise, of
/// a size, or of the sizes of a list.
static FailureOr<Elements> split(Node &node) {
  auto type = dyn_cast<RankedTensorType>(node.getInput(0).getType());
  if (!type || !type.hasStaticShape())
    return node.reject() << "expected a tensor, found " << node.getInput(0).getType();
  FailureOr<int64_t> axis = node.normalizeAxis(node.getInt("axis", 0), type.getRank());
  if (failed(axis))
    return failure();
  int64_t extent = type.getDimSize(*axis), size = 1;
  SmallVector<int64_t> sizes;
  if (node.hasInput(1)) {
    std::optional<SmallVector<int64_t>> given = node.getConstantInts(1);
    if (!given)
      return node.reject() << "expected constant sizes of parts";
    if (node.getRank(1) == 0)
      size = given->front();
    else
      sizes = *given;
    if (given->empty())
      return node.reject() << "expected constant sizes of parts";
  }
  constexpr int64_t mostParts = 1 << 12;
  if (size < 1 || extent / size > mostParts)
    return node.reject() << "expected parts of a positive size, at most " << mostParts
                         << " of them, found " << size << " of " << extent;
  if (sizes.empty())
    for (int64_t begin = 0; begin < extent; begin += size)
      sizes.push_back(std::min(size, extent - begin));
  Expansion b(node);
  Elements parts;
  int64_t begin = 0;
  for (int64_t part : sizes) {
    if (part < 0 || part > extent - begin)
      return node.reject() << "expected parts that add up to " << extent << ", found more";
    parts.push_back(b.slice(node.getInput(0), *axis, begin, begin + part));
    if (!node.hasInput(1) && node.getInt("keepdims", 1) == 0)
      parts.back() = b.op("Squeeze", {parts.back(), b.ints({*axis})});
    begin += part;
  }
  if (begin != extent)
    return node.reject() << "expected parts that add up to " << extent << ", found " << begin;
  return parts;
}

static FailureOr<Value> join(Node &node, const Elements &elements) {
  if (elements.empty())
    return node.reject() << "expected a sequence of at least one tensor, found none";
  Expansion b(node);
  int64_t axis = node.getInt("axis", 0);
  if (node.getInt("new_axis", 0) == 0)
    return b.concat(elements, axis);
  Elements wider;
  for (Value element : elements)
    wider.push_back(b.op("Unsqueeze", {element, b.ints({axis})}));
  return b.concat(wider, axis);
}

SequenceOutcome npu::onnx_ir::replaceSequenceNode(Node &node) {
  NodeOp op = node.getOp();
  StringRef name = node.getOpType();
  if (op.getDomain() || op.getNumResults() != 1)
    return SequenceOutcome::None;
  if (name == listName)
    return SequenceOutcome::Listed;
  if (name == "SequenceEmpty")
    return replaceByList(node, Elements());
  if (name == "OptionalHasElement")
    return replace(node, Expansion(node).constant(IntegerType::get(op.getContext(), 1), {},
                                                  node.getNumInputs() > 0));
  if (name == "Optional" && op.getInputs().empty()) {
    OpBuilder builder(op);
    return replace(node, NoneOp::create(builder, op.getLoc(), builder.getNoneType()));
  }
  if (op.getInputs().empty())
    return SequenceOutcome::None;
  if (name == "SplitToSequence")
    return replaceByList(node, split(node));
  auto producer = op.getInputs().front().getDefiningOp<NodeOp>();
  bool isOfList = producer && producer.getOpType() == listName;
  // An optional value that is there is that value.
  if (name == "Optional" || name == "OptionalGetElement" || (name == "Identity" && isOfList))
    return replace(node, op.getInputs().front());
  if (!llvm::is_contained(
          {"SequenceInsert", "SequenceErase", "SequenceAt", "SequenceLength", "ConcatFromSequence"},
          name))
    return SequenceOutcome::None;
  FailureOr<Elements> elements = getElements(node);
  if (failed(elements))
    return SequenceOutcome::Refused;
  int64_t count = elements->size();
  if (name == "SequenceLength")
    return replace(node,
                   Expansion(node).constant(IntegerType::get(op.getContext(), 64), {}, count));
  if (name == "ConcatFromSequence") {
    FailureOr<Value> joined = join(node, *elements);
    return failed(joined) ? SequenceOutcome::Refused : replace(node, *joined);
  }
  bool isInsert = name == "SequenceInsert";
  if (isInsert && !node.hasInput(1)) {
    node.reject() << "expected a tensor to insert, found none";
    return SequenceOutcome::Refused;
  }
  FailureOr<int64_t> position =
      getPosition(node, isInsert ? 2 : 1, count, isInsert ? count : count - 1);
  if (failed(position))
    return SequenceOutcome::Refused;
  if (isInsert) {
    elements->insert(elements->begin() + *position, node.getInput(1));
    return replaceByList(node, *elements);
  }
  if (*position < 0 || *position >= count) {
    node.reject() << "expected a place in a sequence of " << count << ", found " << *position;
    return SequenceOutcome::Refused;
  }
  if (name == "SequenceAt")
    return replace(node, (*elements)[*position]);
  elements->erase(elements->begin() + *position);
  return replaceByList(node, *elements);
}
