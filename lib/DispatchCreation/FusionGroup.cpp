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

/// What `transfer` cannot carry a map over.
static constexpr StringLiteral kNoPermutation =
    "a tensor between them is indexed by more than single loops";

std::optional<FusionGroup::LoopMap> FusionGroup::getConsumerMap(linalg::LinalgOp consumer,
                                                                std::string &reason) const {
  std::optional<LoopMap> common;
  for (OpOperand &operand : consumer->getOpOperands()) {
    auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
    const auto *it = producer ? loopMaps.find(producer) : loopMaps.end();
    if (it == loopMaps.end())
      continue;
    std::optional<LoopMap> map =
        transfer(it->second, producer.getIndexingMapMatchingResult(cast<OpResult>(operand.get())),
                 consumer.getMatchingIndexingMap(&operand), consumer.getNumLoops());
    if (!map) {
      reason = kNoPermutation;
      return std::nullopt;
    }
    if (common && *common != *map) {
      reason = "the consumer's operands walk along different loops of the root";
      return std::nullopt;
    }
    common = std::move(map);
  }
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

bool FusionGroup::isFusableConsumer(linalg::LinalgOp consumer, std::string &reason) const {
  return getConsumerMap(consumer, reason).has_value();
}

bool FusionGroup::isFusableProducer(OpOperand &operand, std::string &reason) const {
  std::optional<LoopMap> map = getProducerMap(operand);
  if (!map) {
    reason = kNoPermutation;
    return false;
  }
  // Two reductions share their tiles only if their parallel loops are the same.
  if (isAllParallel(operand.get().getDefiningOp<linalg::LinalgOp>()) ||
      *map == loopMaps.front().second)
    return true;
  reason = "both reduce, and their parallel loops differ";
  return false;
}

void FusionGroup::addConsumer(Operation *consumer) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(consumer);
  std::string reason;
  std::optional<LoopMap> map = linalgOp ? getConsumerMap(linalgOp, reason) : std::nullopt;
  loopMaps.insert({consumer, map ? *map : getOpaqueMap(consumer)});
}

void FusionGroup::addProducer(OpOperand &operand) {
  std::optional<LoopMap> map = getProducerMap(operand);
  Operation *producer = operand.get().getDefiningOp();
  loopMaps.insert({producer, map ? *map : getOpaqueMap(producer)});
}

void FusionGroup::addGroup(const FusionGroup &other) {
  for (const auto &entry : other.loopMaps)
    loopMaps.insert(entry);
}

bool FusionGroup::exceedsOperandLimit(ArrayRef<Operation *> ops, std::string &reason) const {
  auto isInside = [&](Operation *op) { return contains(op) || llvm::is_contained(ops, op); };
  llvm::SmallSetVector<Operation *, kMaxOperands> operands;
  unsigned numResults = 0;
  auto visit = [&](Operation *member) {
    for (Value operand : member->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && isa<TensorType>(operand.getType()) && !isInside(producer) &&
          !isa<tensor::EmptyOp, linalg::FillOp>(producer))
        operands.insert(producer);
    }
    for (Value result : member->getResults())
      if (!llvm::all_of(result.getUsers(), isInside))
        ++numResults;
  };
  llvm::for_each(getMembers(), visit);
  llvm::for_each(ops, visit);
  size_t count = operands.size() + numResults;
  if (count <= kMaxOperands)
    return false;
  reason = "the dispatch would have " + std::to_string(count) +
           " operands and results, more than " + std::to_string(kMaxOperands);
  return true;
}
