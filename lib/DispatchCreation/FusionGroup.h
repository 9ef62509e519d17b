//===- FusionGroup.h - the ops that will be one dispatch ------------------===//

#ifndef NPU_LIB_DISPATCHCREATION_FUSIONGROUP_H
#define NPU_LIB_DISPATCHCREATION_FUSIONGROUP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

#include <string>

namespace npu::dispatch_creation {

/// Ops around a root that can be tiled together with it. For each member it knows which loops walk
/// along which outer parallel loop of the root: what does not walk along with the root in all
/// loops that have a counterpart cannot be computed tile by tile.
class FusionGroup {
public:
  /// For each loop of an op, the root's outer parallel loop it walks along, or kNone.
  using LoopMap = llvm::SmallVector<int64_t>;
  static constexpr int64_t kNone = -1;

  explicit FusionGroup(mlir::Operation *root);

  mlir::Operation *getRoot() const { return root; }
  bool contains(mlir::Operation *op) const { return loopMaps.contains(op); }
  /// In the order in which they joined; the root is the first.
  auto getMembers() const { return llvm::make_first_range(loopMaps); }

  /// Whether `consumer`, an elementwise op on results of members, can be tiled with the group; if
  /// not, `reason` says why.
  bool isFusableConsumer(mlir::linalg::LinalgOp consumer, std::string &reason) const;
  /// Whether the op that makes `operand` of a member can be tiled with the group.
  bool isFusableProducer(mlir::OpOperand &operand, std::string &reason) const;

  void addConsumer(mlir::Operation *consumer);
  void addProducer(mlir::OpOperand &operand);
  /// Takes the members of `other`, which has a root of its own.
  void addGroup(const FusionGroup &other);

  /// Whether the dispatch with `ops` in it has more operands and results than can be bound.
  bool exceedsOperandLimit(llvm::ArrayRef<mlir::Operation *> ops, std::string &reason) const;

private:
  /// The loop map of `consumer`; nothing if its operands disagree or nothing walks along.
  std::optional<LoopMap> getConsumerMap(mlir::linalg::LinalgOp consumer, std::string &reason) const;
  std::optional<LoopMap> getProducerMap(mlir::OpOperand &operand) const;
  /// The map of an op that is not a linalg op and ends the group.
  LoopMap getOpaqueMap(mlir::Operation *op) const;

  mlir::Operation *root;
  llvm::MapVector<mlir::Operation *, LoopMap> loopMaps;
};

} // namespace npu::dispatch_creation

#endif // NPU_LIB_DISPATCHCREATION_FUSIONGROUP_H
