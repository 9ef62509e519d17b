//===- TabulateFunctions.cpp - functions of bytes as tables ---------------===//
//
// What a body computes in floats of one i8 has 256 values. They are found by folding the body's ops
// for each of them, so they are those of upstream's folders: where one does not fold, nothing
// changes.
//
//===----------------------------------------------------------------------===//

#include "ByteFunctions.h"
#include "FoldBody.h"

#include "NPU/Preparation/Passes.h"

#include "mlir/IR/Remarks.h"

namespace npu {
#define GEN_PASS_DEF_NPUTABULATEFUNCTIONS
#include "NPU/Preparation/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

/// The numbers of an i8.
static constexpr int64_t kNumBytes = 256;

namespace {
/// An op that has no value for a number.
struct Unfolded {
  Operation *op = nullptr;
  int64_t number = 0;
};
} // namespace

/// The function's values from that of the least number on; or `unfolded`.
static FailureOr<SmallVector<int8_t>> evaluate(linalg::GenericOp op, const ByteFunction &function,
                                               Unfolded &unfolded) {
  SmallVector<int8_t> table;
  Builder builder(op.getContext());
  for (int64_t number = llvm::minIntN(8); number <= llvm::maxIntN(8); ++number) {
    DenseMap<Value, Attribute> values;
    values[function.inputs.front()] = builder.getI8IntegerAttr(number);
    auto getValue = [&](Value value) {
      Attribute known = values.lookup(value);
      return known ? known : findBodyConstant(op, value);
    };
    for (Operation *body : function.ops) {
      Attribute result = foldBodyOp(body, getValue);
      if (!isa_and_nonnull<IntegerAttr, FloatAttr>(result)) {
        unfolded = {body, number};
        return failure();
      }
      values[body->getResult(0)] = result;
    }
    auto value = cast<IntegerAttr>(values.lookup(function.ops.back()->getResult(0)));
    table.push_back(value.getValue().getSExtValue());
  }
  return table;
}

/// Reads `table` by `function`'s input instead of computing its result.
static void replaceByTable(linalg::GenericOp op, const ByteFunction &function,
                           ArrayRef<int8_t> table, DenseSet<Operation *> &erased) {
  Operation *tail = function.ops.back();
  Location loc = tail->getLoc();
  OpBuilder builder(op);
  auto type = RankedTensorType::get({kNumBytes}, builder.getI8Type());
  Value constant = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, table));
  builder.setInsertionPoint(tail);
  Value least = arith::ConstantIndexOp::create(builder, loc, -llvm::minIntN(8));
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), function.inputs.front());
  Value index = arith::AddIOp::create(builder, loc, number, least);
  Value value = tensor::ExtractOp::create(builder, loc, constant, index);
  replaceByteFunction(function, value, erased);
}

static void emitMissed(Unfolded unfolded) {
  Operation *op = unfolded.op;
  if (!op->getContext()->getRemarkEngine())
    return;
  remark::missed(op->getLoc(), remark::RemarkOpts::name("NotTabulated").category("npu-tables"))
      << remark::reason("{0} does not fold for the input {1}", op->getName().getStringRef().str(),
                        unfolded.number);
}

/// Replaces the function that gives `tail`, if there is one that folds.
static void tabulate(linalg::GenericOp op, Operation *tail, DenseSet<Operation *> &erased) {
  Unfolded unfolded;
  // All that is computed of an argument is one function, also where it is rounded in between.
  for (bool fromArguments : {true, false}) {
    std::optional<ByteFunction> function = findByteFunction(op, tail, fromArguments, 1);
    if (!function)
      continue;
    FailureOr<SmallVector<int8_t>> table = evaluate(op, *function, unfolded);
    if (failed(table))
      continue;
    replaceByTable(op, *function, *table, erased);
    return;
  }
  if (unfolded.op)
    emitMissed(unfolded);
}

namespace {
struct TabulateFunctions : npu::impl::NPUTabulateFunctionsBase<TabulateFunctions> {
  void runOnOperation() override { rewriteByteFunctions(getOperation(), tabulate); }
};
} // namespace
