//===- LowerToLoops.cpp - sorts, top-k and scatters as loops --------------===//
//
// What these ops do with an element depends on what they did with those before it, and where it
// goes depends on the data, so no linalg op says it. The loops are on tensors and may stand in any
// dispatch.
//
//===----------------------------------------------------------------------===//

#include "NPU/Dialect/IREE/LinalgExt/IR/ElementOrder.h"
#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"

#include "RegionUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

namespace npu::linalg_ext {
#define GEN_PASS_DEF_LOWERTOLOOPS
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h.inc"
} // namespace npu::linalg_ext

using namespace mlir;
using namespace npu::linalg_ext;

namespace {
/// Scalars and loops at one place.
class LoopBuilder {
public:
  LoopBuilder(OpBuilder &builder, Location loc) : b(builder), loc(loc) {}

  using Body = function_ref<SmallVector<Value>(LoopBuilder &, ValueRange, ValueRange)>;

  /// A loop from 0 to `bound`, whose body takes the counter and what the iterations carry.
  SmallVector<Value> createLoop(Value bound, ValueRange carried, Body body) {
    auto loop = scf::ForOp::create(b, loc, get(0), bound, get(1), carried,
                                   [&](OpBuilder &nested, Location loc, Value iv, ValueRange args) {
                                     LoopBuilder inner(nested, loc);
                                     scf::YieldOp::create(nested, loc, body(inner, iv, args));
                                   });
    return loop.getResults();
  }

  /// Loops over all dimensions of `shape` but one, if any is left out. That counter is null.
  SmallVector<Value> createNest(Value shape, std::optional<int64_t> except, ValueRange carried,
                                Body body, SmallVector<Value> counters = {}) {
    int64_t dim = counters.size();
    if (dim == cast<RankedTensorType>(shape.getType()).getRank())
      return body(*this, counters, carried);
    counters.emplace_back();
    if (dim == except)
      return createNest(shape, except, carried, body, counters);
    return createLoop(getSize(shape, dim), carried,
                      [&](LoopBuilder &inner, ValueRange iv, ValueRange args) {
                        counters.back() = iv.front();
                        return inner.createNest(shape, except, args, body, counters);
                      });
  }

  Value get(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value getSize(Value tensor, int64_t dim) {
    return b.createOrFold<tensor::DimOp>(loc, tensor, dim);
  }
  template <typename Op>
  Value make(Value lhs, Value rhs) {
    return Op::create(b, loc, lhs, rhs);
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
  }
  Value isLess(Value lhs, Value rhs) { return compare(arith::CmpIPredicate::slt, lhs, rhs); }
  Value isSame(Value lhs, Value rhs) { return compare(arith::CmpIPredicate::eq, lhs, rhs); }
  Value invert(Value condition) {
    Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    return make<arith::XOrIOp>(condition, yes);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, loc, condition, yes, no);
  }
  Value castTo(Value index, Type type) {
    return index.getType() == type ? index : arith::IndexCastOp::create(b, loc, type, index);
  }
  Value read(Value tensor, ValueRange indices) {
    return tensor::ExtractOp::create(b, loc, tensor, indices);
  }
  Value write(Value element, Value tensor, ValueRange indices) {
    return tensor::InsertOp::create(b, loc, element, tensor, indices);
  }
  Value inlineBody(Region &region, ValueRange arguments) {
    return inlineRegion(b, region, arguments);
  }

  OpBuilder &b;
  Location loc;
};
} // namespace

/// `indices` with another one along a dimension.
static SmallVector<Value> at(ValueRange indices, int64_t dim, Value index) {
  SmallVector<Value> result(indices);
  result[dim] = index;
  return result;
}

//===----------------------------------------------------------------------===//
// Sorts
//===----------------------------------------------------------------------===//

namespace {
/// A merge sort of every row: runs of 1, 2, 4... elements are merged in pairs.
class SortBuilder {
public:
  explicit SortBuilder(SortOp op)
      : op(op), dim(op.getDimension()), numTensors(op.getOutputs().size()),
        order(ElementOrder::match(op.getRegion())) {}

  SmallVector<Value> build(LoopBuilder &loops) {
    return loops.createNest(op.getOutputs().front(), dim, op.getOutputs(),
                            [&](LoopBuilder &inner, ValueRange row, ValueRange tensors) {
                              Value length = inner.getSize(op.getOutputs().front(), dim);
                              return inner.createLoop(
                                  createNumPasses(inner, length), tensors,
                                  [&](LoopBuilder &pass, ValueRange number, ValueRange current) {
                                    Value run =
                                        pass.make<arith::ShLIOp>(pass.get(1), number.front());
                                    SmallVector<Value> merged =
                                        merge(pass, row, current, length, run);
                                    return copyBack(pass, row, merged, current, length);
                                  });
                            });
  }

private:
  /// The least number of doublings after which one run is the whole row.
  Value createNumPasses(LoopBuilder &loops, Value length) {
    Type type = loops.b.getI64Type();
    if (int64_t size = op.getType(0).getDimSize(dim); !ShapedType::isDynamic(size))
      return loops.get(llvm::Log2_64_Ceil(std::max<int64_t>(size, 1)));
    Value last = loops.make<arith::MaxSIOp>(length, loops.get(1));
    last = loops.castTo(loops.make<arith::SubIOp>(last, loops.get(1)), type);
    Value zeros = math::CountLeadingZerosOp::create(loops.b, loops.loc, last);
    return loops.make<arith::SubIOp>(loops.get(64), loops.castTo(zeros, loops.b.getIndexType()));
  }

  /// One pass over a row, from `tensors` into rows of their own.
  SmallVector<Value> merge(LoopBuilder &loops, ValueRange row, ValueRange tensors, Value length,
                           Value run) {
    SmallVector<Value> carried;
    OpFoldResult size = tensor::getMixedSize(loops.b, loops.loc, op.getOutputs().front(), dim);
    for (Value tensor : tensors)
      carried.push_back(
          tensor::EmptyOp::create(loops.b, loops.loc, size, getElementTypeOrSelf(tensor)));
    carried.append(2, loops.get(0));
    Value pair = loops.make<arith::AddIOp>(run, run);
    SmallVector<Value> results =
        loops.createLoop(length, carried, [&](LoopBuilder &inner, ValueRange iv, ValueRange args) {
          return takeNext(inner, row, tensors, length, run, pair, iv.front(), args);
        });
    results.truncate(numTensors);
    return results;
  }

  /// The next element of a pair of runs. `args` ends in where both runs are.
  SmallVector<Value> takeNext(LoopBuilder &loops, ValueRange row, ValueRange tensors, Value length,
                              Value run, Value pair, Value position, ValueRange args) {
    Value offset = loops.make<arith::RemSIOp>(position, pair);
    Value start = loops.make<arith::SubIOp>(position, offset);
    Value middle = loops.make<arith::AddIOp>(start, run);
    Value end = loops.make<arith::MinSIOp>(loops.make<arith::AddIOp>(start, pair), length);
    Value isStart = loops.isSame(offset, loops.get(0));
    Value left = loops.select(isStart, start, args[numTensors]);
    Value right = loops.select(isStart, middle, args[numTensors + 1]);
    middle = loops.make<arith::MinSIOp>(middle, length);
    Value hasLeft = loops.isLess(left, middle), hasRight = loops.isLess(right, end);

    // Of a run that has ended the last element of the row is read, and not taken.
    Value last = loops.make<arith::SubIOp>(length, loops.get(1));
    SmallVector<Value> lefts, rights, ordered, reversed;
    for (Value tensor : tensors) {
      lefts.push_back(loops.read(tensor, at(row, dim, loops.make<arith::MinSIOp>(left, last))));
      rights.push_back(loops.read(tensor, at(row, dim, loops.make<arith::MinSIOp>(right, last))));
      ordered.append({lefts.back(), rights.back()});
      reversed.append({rights.back(), lefts.back()});
    }
    // Equal elements stay in order, whether the comparator holds for them or not.
    Value isBefore;
    if (order)
      isBefore =
          order->createIsBefore(loops.b, loops.loc, rights[order->tensor], lefts[order->tensor]);
    else
      isBefore = loops.make<arith::AndIOp>(loops.inlineBody(op.getRegion(), reversed),
                                           loops.invert(loops.inlineBody(op.getRegion(), ordered)));
    Value takesRight = loops.make<arith::AndIOp>(
        hasRight, loops.make<arith::OrIOp>(loops.invert(hasLeft), isBefore));

    SmallVector<Value> next;
    for (auto [element, other, target] : llvm::zip(lefts, rights, args))
      next.push_back(loops.write(loops.select(takesRight, other, element), target, position));
    Value one = loops.get(1), none = loops.get(0);
    next.push_back(loops.make<arith::AddIOp>(left, loops.select(takesRight, none, one)));
    next.push_back(loops.make<arith::AddIOp>(right, loops.select(takesRight, one, none)));
    return next;
  }

  SmallVector<Value> copyBack(LoopBuilder &loops, ValueRange row, ValueRange merged,
                              ValueRange tensors, Value length) {
    return loops.createLoop(
        length, tensors, [&](LoopBuilder &inner, ValueRange iv, ValueRange args) {
          SmallVector<Value> next;
          for (auto [source, target] : llvm::zip_equal(merged, args))
            next.push_back(inner.write(inner.read(source, iv), target, at(row, dim, iv.front())));
          return next;
        });
  }

  SortOp op;
  int64_t dim;
  size_t numTensors;
  std::optional<ElementOrder> order;
};
} // namespace

//===----------------------------------------------------------------------===//
// Top-k
//===----------------------------------------------------------------------===//

/// Every element goes along the best so far, best first, and changes places with those that it is
/// better than.
static SmallVector<Value> buildTopk(TopkOp op, LoopBuilder &loops) {
  int64_t dim = op.getDimension();
  // Nothing is kept of a tensor without contents: a place is free until it is taken.
  bool startsEmpty = op.getOutputValues().getDefiningOp<tensor::EmptyOp>() != nullptr;
  Type type = op.getOutputIndices().getType().getElementType();
  std::optional<ElementOrder> order = ElementOrder::match(op.getRegion());
  auto createIsBetter = [&](LoopBuilder &loops, Value value, Value other) {
    if (order && order->isStrict)
      return order->createIsBefore(loops.b, loops.loc, value, other);
    return loops.inlineBody(op.getRegion(), {value, other});
  };
  ValueRange inits = op->getOperands().take_back(2);
  return loops.createNest(
      op.getValues(), dim, inits, [&](LoopBuilder &row, ValueRange place, ValueRange tensors) {
        Value length = row.getSize(op.getValues(), dim),
              numPlaces = row.getSize(op.getOutputValues(), dim);
        return row.createLoop(
            length, tensors, [&](LoopBuilder &element, ValueRange iv, ValueRange best) {
              SmallVector<Value> from = at(place, dim, iv.front()), carried(best);
              carried.push_back(element.read(op.getValues(), from));
              carried.push_back(op.getIndices() ? element.read(op.getIndices(), from)
                                                : element.castTo(iv.front(), type));
              SmallVector<Value> results = element.createLoop(
                  numPlaces, carried, [&](LoopBuilder &inner, ValueRange counter, ValueRange args) {
                    SmallVector<Value> to = at(place, dim, counter.front());
                    Value value = args[2], index = args[3];
                    Value kept = inner.read(args[0], to), keptIndex = inner.read(args[1], to);
                    Value isBetter = createIsBetter(inner, value, kept);
                    Value isWorse = createIsBetter(inner, kept, value);
                    // Of equal ones the first one is better.
                    Value isTie = inner.make<arith::AndIOp>(inner.isSame(isBetter, isWorse),
                                                            inner.isLess(index, keptIndex));
                    Value moves = inner.make<arith::OrIOp>(isBetter, isTie);
                    if (startsEmpty) {
                      Value isFree =
                          inner.compare(arith::CmpIPredicate::sge, counter.front(), iv.front());
                      moves = inner.make<arith::OrIOp>(moves, isFree);
                    }
                    return SmallVector<Value>{
                        inner.write(inner.select(moves, value, kept), args[0], to),
                        inner.write(inner.select(moves, index, keptIndex), args[1], to),
                        inner.select(moves, kept, value), inner.select(moves, keptIndex, index)};
                  });
              results.truncate(2);
              return results;
            });
      });
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

/// One update after the other, so that equal indices combine, or the last one stays.
static SmallVector<Value> buildScatter(ScatterOp op, LoopBuilder &loops) {
  int64_t batchRank = op.getBatchRank();
  return loops.createNest(
      op.getUpdates(), std::nullopt, op.getOriginal(),
      [&](LoopBuilder &inner, ValueRange position, ValueRange tensors) {
        ValueRange batch = position.take_front(batchRank);
        SmallVector<Value> to(op.getDimensionMap().size());
        for (auto [coordinate, dim] : llvm::enumerate(op.getDimensionMap())) {
          SmallVector<Value> from(batch);
          if (op.getIndices().getType().getRank() > batchRank)
            from.push_back(inner.get(coordinate));
          to[dim] = inner.castTo(inner.read(op.getIndices(), from), inner.b.getIndexType());
        }
        llvm::append_range(to, position.drop_front(batchRank));
        Value original = inner.read(tensors.front(), to);
        Value next =
            inner.inlineBody(op.getRegion(), {inner.read(op.getUpdates(), position), original});
        if (op.getMask())
          next = inner.select(isSet(inner.b, inner.loc, inner.read(op.getMask(), batch)), next,
                              original);
        return SmallVector<Value>{inner.write(next, tensors.front(), to)};
      });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct LowerToLoops : npu::linalg_ext::impl::LowerToLoopsBase<LowerToLoops> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (isa<SortOp, TopkOp, ScatterOp>(op))
        ops.push_back(op);
      if (!isa<CustomOp, ExpReductionOp, FftOp, MapGatherOp, MapLoadOp, MapScatterOp, MapStoreOp,
               PackOp, UnPackOp, WinogradFilterTransformOp, WinogradInputTransformOp,
               WinogradOutputTransformOp>(op))
        return WalkResult::advance();
      op->emitOpError("expected an op that is compiled, this one is only read and printed; write "
                      "it in linalg");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      LoopBuilder loops(rewriter, op->getLoc());
      SmallVector<Value> results =
          TypeSwitch<Operation *, SmallVector<Value>>(op)
              .Case([&](SortOp sort) { return SortBuilder(sort).build(loops); })
              .Case([&](TopkOp topk) { return buildTopk(topk, loops); })
              .Case([&](ScatterOp scatter) { return buildScatter(scatter, loops); });
      rewriter.replaceOp(op, results);
    }
  }
};
} // namespace
