//===- ExpandLinearAttention.cpp - layers whose memory has a fixed size ---===//
//
// Models of long texts have, in the place of attention, a state that each token changes and a
// convolution over the last few tokens.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// A depthwise convolution along one dimension that sees the present and the past only. Its state
/// is the end of what it has seen.
LogicalResult npu::onnx_ir::expandCausalConvWithState(Expansion &b) {
  Node &node = b.getNode();
  StringRef activation = node.getString("activation", "none");
  if (!llvm::is_contained({"none", "silu", "swish"}, activation))
    return node.reject() << "expected activation to be none, silu or swish, found '" << activation
                         << "'";
  if (failed(checkRank(node, 0, {3})) || failed(checkRank(node, 1, {3})))
    return failure();
  ArrayRef<int64_t> shape = node.getShape(0), weights = node.getShape(1);
  int64_t channels = shape[1], past = weights[2] - 1;
  if (weights[0] != channels || weights[1] != 1 || past < 0)
    return node.reject() << "expected a filter for each of " << channels << " channels, found "
                         << node.getInputType(1);
  SmallVector<int64_t> stateShape{shape[0], channels, past};
  if (b.input(3) && node.getShape(3) != ArrayRef<int64_t>(stateShape))
    return node.reject() << "expected a past_state of [" << stateShape << "], found "
                         << node.getInputType(3);
  Type type = node.getElementType(0);
  Value seen = b.input(0);
  if (past > 0) {
    Value before = b.input(3) ? b.input(3) : b.constant(type, stateShape, 0);
    seen = b.concat({before, seen}, 2);
  }
  Value y = b.op("Conv", {seen, b.input(1), b.input(2)}, {b.integer("group", channels)});
  if (activation != "none")
    y = b.op("Swish", {y});
  b.setResult(0, y);
  if (node.hasOutput(1))
    b.setResult(1, b.slice(seen, 2, shape[2], shape[2] + past));
  return success();
}

namespace {
/// Linear attention: one state of keySize x valueSize for each batch and head of keys.
struct LinearHeads {
  int64_t batch, steps, heads, keyHeads, keySize, valueSize;
};
} // namespace

static FailureOr<LinearHeads> getLinearHeads(Node &node) {
  for (unsigned input : {0, 1, 2})
    if (failed(checkRank(node, input, {3})))
      return failure();
  LinearHeads heads{};
  heads.batch = node.getShape(0)[0], heads.steps = node.getShape(0)[1];
  heads.heads = node.getInt("q_num_heads", 0), heads.keyHeads = node.getInt("kv_num_heads", 0);
  if (failed(checkWidth(node, 0, heads.heads)) || failed(checkWidth(node, 1, heads.keyHeads)) ||
      failed(checkWidth(node, 2, heads.keyHeads)))
    return failure();
  heads.keySize = node.getShape(0)[2] / heads.heads;
  heads.valueSize = node.getShape(2)[2] / heads.keyHeads;
  bool fits = heads.heads % heads.keyHeads == 0 && isa<FloatType>(node.getElementType(0)) &&
              node.getShape(1)[2] == heads.keyHeads * heads.keySize && heads.keySize > 0;
  for (unsigned input : {1, 2})
    fits &= node.getShape(input).take_front(2) == node.getShape(0).take_front(2);
  if (!fits)
    return node.reject()
           << "expected floats, keys and values of as many tokens as queries, and heads of "
              "queries that share those of keys, found "
           << node.getInputType(0) << ", " << node.getInputType(1) << " and "
           << node.getInputType(2);
  return heads;
}

/// Input `index`, batch x steps x (parts * size), as steps x batch x parts x size in f32, where
/// size is `sizes[0]` or another of them.
static FailureOr<Value> getSteps(Expansion &b, const LinearHeads &heads, unsigned index,
                                 int64_t parts, ArrayRef<int64_t> sizes) {
  Node &node = b.getNode();
  ArrayRef<int64_t> shape = node.getShape(index);
  bool fits = shape.size() == 3 && shape[0] == heads.batch && shape[1] == heads.steps &&
              llvm::is_contained(sizes, shape[2] / parts) && shape[2] % parts == 0;
  if (!fits)
    return node.reject() << "expected input " << index << " to have " << parts << " times "
                         << sizes.front() << " elements for each token, found "
                         << node.getInputType(index);
  Value split = b.reshape(b.input(index), {heads.batch, heads.steps, parts, shape[2] / parts});
  return b.cast(b.transpose(split, {1, 0, 2, 3}), b.getF32Type());
}

/// For each token, the state is forgotten a little, corrected, and gets the product of its key and
/// value; its queries read it. The state is f32, whatever the inputs are.
LogicalResult npu::onnx_ir::expandLinearAttention(Expansion &b) {
  Node &node = b.getNode();
  StringRef rule = node.getString("update_rule", "gated_delta");
  bool forgets = rule == "gated" || rule == "gated_delta";
  bool corrects = rule == "delta" || rule == "gated_delta";
  if (!forgets && !corrects && rule != "linear")
    return node.reject()
           << "expected update_rule to be linear, gated, delta or gated_delta, found '" << rule
           << "'";
  if (bool(b.input(4)) != forgets || bool(b.input(5)) != corrects || (b.input(6) && !corrects))
    return node.reject() << "expected an input decay for rules that are gated, and beta for those "
                            "of a delta, as update_rule is '"
                         << rule << "'";
  FailureOr<LinearHeads> found = getLinearHeads(node);
  if (failed(found))
    return failure();
  LinearHeads heads = *found;
  int64_t batch = heads.batch, shared = heads.keyHeads, group = heads.heads / shared;
  SmallVector<int64_t> stateShape{batch, shared, heads.keySize, heads.valueSize};
  if (b.input(3) && node.getShape(3) != ArrayRef<int64_t>(stateShape))
    return node.reject() << "expected a past_state of [" << stateShape << "], found "
                         << node.getInputType(3);
  // Queries, keys, values, decay, beta and the gate of what is erased.
  std::array<FailureOr<Value>, 6> steps;
  steps[0] = getSteps(b, heads, 0, heads.heads, {heads.keySize});
  steps[1] = getSteps(b, heads, 1, shared, {heads.keySize});
  steps[2] = getSteps(b, heads, 2, shared, {heads.valueSize});
  steps[3] =
      forgets ? getSteps(b, heads, 4, shared, {heads.keySize, 1}) : FailureOr<Value>(Value());
  steps[4] = FailureOr<Value>(Value());
  if (corrects) {
    bool isOfAll = node.getRank(5) == 3 && node.getShape(5)[2] == 1;
    steps[4] = getSteps(b, heads, 5, isOfAll ? 1 : shared, {1});
  }
  steps[5] =
      b.input(6) ? getSteps(b, heads, 6, shared, {heads.keySize}) : FailureOr<Value>(Value());
  for (const FailureOr<Value> &step : steps)
    if (failed(step))
      return failure();

  Type f32 = b.getF32Type(), type = node.getElementType(0);
  double scale = node.getFloat("scale", 0);
  if (scale == 0)
    scale = 1 / std::sqrt(static_cast<double>(heads.keySize));
  Value initial = b.input(3) ? b.cast(b.input(3), f32) : b.constant(f32, stateShape, 0);
  SmallVector<Value> results =
      b.loop(heads.steps, {initial}, 1, [&](Value step, ValueRange states) -> SmallVector<Value> {
        auto get = [&](unsigned number, ArrayRef<int64_t> shape) {
          Value now = b.op("Gather", {*steps[number], step}, {b.integer("axis", 0)});
          return b.reshape(now, shape);
        };
        Value state = states[0];
        // Sizes of 0 are those of the input: decay and beta may be the same for several.
        if (forgets)
          state = b.op("Mul", {state, b.op("Exp", {get(3, {0, 0, -1, 1})})});
        Value value = get(2, {batch, shared, 1, heads.valueSize});
        if (corrects) {
          Value erased = get(1, {batch, shared, 1, heads.keySize});
          if (*steps[5])
            erased = b.op("Mul", {erased, get(5, {batch, shared, 1, heads.keySize})});
          value = b.op("Sub", {value, b.op("MatMul", {erased, state})});
          value = b.op("Mul", {value, get(4, {0, 0, 1, 1})});
        }
        Value key = get(1, {batch, shared, heads.keySize, 1});
        state = b.op("Add", {state, b.op("Mul", {key, value})});
        Value query = get(0, {batch, shared, group, heads.keySize});
        return {state, b.op("MatMul", {query, state})};
      });
  Value y = b.op("Mul", {b.transpose(results[1], {1, 0, 2, 3, 4}), b.constant(f32, {}, scale)});
  b.setResult(0, b.cast(b.reshape(y, {batch, heads.steps, heads.heads * heads.valueSize}), type));
  if (node.hasOutput(1))
    b.setResult(1, b.cast(results[0], b.input(3) ? node.getElementType(3) : type));
  return success();
}
