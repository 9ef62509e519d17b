//===- FusionGroup.cpp - the ops that will be one dispatch ----------------===//

#include "FusionGroup.h"

#include "FusionUtils.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npu::dispatch_creation;

FusionGroup::FusionGroup(Operation *root) : root(root) {
  LoopMap map;
  if (auto op = dyn_cast<linalg::LinalgOp>(root)) {
    map.assign(op.getNumLoops(), kNone);
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
      if (type != utils::IteratorType::parallel)
        break;
      map[loop] = loop;
    }
  }
  loopMaps.insert({root, std::move(map)});
}

/// Carries `fromMap` over a tensor that one op indexes by `from` and another, of `numLoops` loops,
/// by `to`. Nothing if an index is more than a loop.
static std::optional<FusionGroup::LoopMap>
transfer(const FusionGroup::LoopMap &fromMap, AffineMap from, AffineMap to, unsigned numLoops) {
  if (!from.isProjectedPermutation() || !to.isProjectedPermutation())
    return std::nullopt;
  FusionGroup::LoopMap map(numLoops, FusionGroup::kNone);
  for (unsigned dim = 0; dim < to.getNumResults(); ++dim)
    map[to.getDimPosition(dim)] = fromMap[from.getDimPosition(dim)];
  return map;
}

std::optional<FusionGroup::LoopMap> FusionGroup::getConsumerMap(linalg::LinalgOp consumer) const {
  std::optional<LoopMap> common;
  for (OpOperand &operand : consumer->getOpOperands()) {
    auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
    const auto *it = producer ? loopMaps.find(producer) : loopMaps.end();
    if (it == loopMaps.end())
      continue;
    std::optional<LoopMap> map =
        transfer(it->second, producer.getIndexingMapMatchingResult(cast<OpResult>(operand.get())),
                 consumer.getMatchingIndexingMap(&operand), consumer.getNumLoops());
    if (!map || (common && *common != *map))
      return std::nullopt;
    common = std::move(map);
  }
  // A root without parallel loops has nothing to walk along with.
  bool rootIsScalar =
      llvm::all_of(loopMaps.front().second, [](int64_t loop) { return loop == kNone; });
  if (common && !rootIsScalar && llvm::all_of(*common, [](int64_t loop) { return loop == kNone; }))
    return std::nullopt;
  return common;
}

std::optional<FusionGroup::LoopMap> FusionGroup::getProducerMap(OpOperand &operand) const {
  auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
  auto consumer = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  if (!producer || !consumer)
    return std::nullopt;
  return transfer(loopMaps.find(consumer)->second, consumer.getMatchingIndexingMap(&operand),
                  producer.getIndexingMapMatchingResult(cast<OpResult>(operand.get())),
                  producer.getNumLoops());
}

FusionGroup::LoopMap FusionGroup::getOpaqueMap(Operation *op) const {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return LoopMap(linalgOp ? linalgOp.getNumLoops() : 0, kNone);
}

bool FusionGroup::isFusableConsumer(linalg::LinalgOp consumer) const {
  return isAllParallel(consumer) && getConsumerMap(consumer).has_value();
}

bool FusionGroup::isFusableProducer(OpOperand &operand) const {
  std::optional<LoopMap> map = getProducerMap(operand);
  if (!map)
    return false;
  // Two reductions share their tiles only if their parallel loops are the same.
  return isAllParallel(operand.get().getDefiningOp<linalg::LinalgOp>()) ||
         *map == loopMaps.front().second;
}

void FusionGroup::addConsumer(Operation *consumer) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(consumer);
  std::optional<LoopMap> map = linalgOp ? getConsumerMap(linalgOp) : std::nullopt;
  loopMaps.insert({consumer, map ? *map : getOpaqueMap(consumer)});
}

void FusionGroup::addProducer(OpOperand &operand) {
  std::optional<LoopMap> map = getProducerMap(operand);
  Operation *producer = operand.get().getDefiningOp();
  loopMaps.insert({producer, map ? *map : getOpaqueMap(producer)});
}

bool FusionGroup::exceedsOperandLimit(Operation *op) const {
  llvm::SmallSetVector<Operation *, kMaxOperands> operands;
  unsigned numResults = 0;
  auto visit = [&](Operation *member) {
    for (Value operand : member->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && isa<TensorType>(operand.getType()) && producer != op && !contains(producer) &&
          !isa<tensor::EmptyOp, linalg::FillOp>(producer))
        operands.insert(producer);
    }
    for (Value result : member->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return user != op && !contains(user); }))
        ++numResults;
  };
  llvm::for_each(getMembers(), visit);
  visit(op);
  return operands.size() + numResults > kMaxOperands;
}
