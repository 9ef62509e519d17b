//===- LowerLoss.cpp - losses of classifications --------------------------===//

#include "Arithmetic.h"
#include "Indexing.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// `value`, but 0 for the label whose losses do not count.
static Value selectCounted(Lowering &b, Value label, Value value) {
  Node &node = b.getNode();
  int64_t ignored = node.getInt("ignore_index", 0);
  unsigned width = label.getType().getIntOrFloatBitWidth();
  if (!node.hasAttribute("ignore_index") || !llvm::isIntN(width, ignored))
    return value;
  Value isIgnored = compare(b, arith::CmpIPredicate::eq, label, b.scalar(label.getType(), ignored));
  return arith::SelectOp::create(b, isIgnored, b.scalar(value.getType(), 0.0), value);
}

/// Sets the first result to the losses by logarithms of probabilities: -w[t] * x[n, t, ...] for
/// label t at [n, ...], their sum, or their sum divided by that of the weights.
static void setLoss(Lowering &b, Value logs) {
  Value labels = b.getInput(1), weights = b.getInput(2);
  ArrayRef<int64_t> shape = b.getShape(labels);
  Type type = b.getElementType(logs);
  int64_t classes = b.getShape(logs)[1];
  Value factors = b.elementwise(shape, type, labels, [&](Lowering &b, ValueRange x) {
    Value weight = b.scalar(type, 1.0);
    if (weights)
      weight = castFloat(b, extract(b, weights, createIndex(b, x[0], classes)), type);
    return selectCounted(b, x[0], weight);
  });
  Value losses =
      b.elementwise(shape, type, {labels, factors}, [&](Lowering &b, ValueRange x) -> Value {
        SmallVector<Value> indices = getLoopIndices(b, shape.size());
        indices.insert(indices.begin() + 1, createIndex(b, x[0], classes));
        Value loss = multiply(b, arith::NegFOp::create(b, extract(b, logs, indices)), x[1]);
        // The logarithm may be infinite.
        return selectCounted(b, x[0], loss);
      });
  StringRef reduction = b.getNode().getString("reduction", "mean");
  auto total = [&](Value tensor) {
    return b.reduce(tensor, llvm::to_vector(llvm::seq<int64_t>(shape.size())), b.scalar(type, 0.0),
                    add);
  };
  Value result = reduction == "none" ? losses : total(losses);
  if (reduction == "mean")
    result = combine(b, result, total(factors),
                     [](Lowering &b, Value loss, Value weight) { return divide(b, loss, weight); });
  b.setResult(castFloats(b, result, b.getResultType().getElementType()));
}

/// The scores in the type that they are computed in.
static Value widenScores(Lowering &b) {
  Type type = b.getElementType(b.getInput(0));
  return castFloats(b, b.getInput(0),
                    type.getIntOrFloatBitWidth() < 32 ? Type(b.getF32Type()) : type);
}

void npu::onnx_ir::lowerNegativeLogLikelihoodLoss(Lowering &b) { setLoss(b, widenScores(b)); }

void npu::onnx_ir::lowerSoftmaxCrossEntropyLoss(Lowering &b) {
  Value logs = logSoftmax(b, widenScores(b), 1);
  setLoss(b, logs);
  if (b.hasResult(1))
    b.setResult(1, castFloats(b, logs, b.getResultType(1).getElementType()));
}
