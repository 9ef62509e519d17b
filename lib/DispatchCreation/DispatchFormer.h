//===- DispatchFormer.h - which ops of a block become one dispatch --------===//

#ifndef NPU_LIB_DISPATCHCREATION_DISPATCHFORMER_H
#define NPU_LIB_DISPATCHCREATION_DISPATCHFORMER_H

#include "FusionGroup.h"
#include "FusionLog.h"
#include "NPU/DispatchCreation/FusionMode.h"

#include <memory>

namespace npu::dispatch_creation {

/// Forms the groups of one block. Does not change the IR.
class DispatchFormer {
public:
  /// With `keepIntegers`, dispatches of contractions of integers give no floats.
  DispatchFormer(mlir::Block &block, FusionMode mode, bool keepIntegers)
      : block(block), mode(mode), keepIntegers(keepIntegers) {}

  /// Lets the ops of the block for which `isRoot` holds take their producers, then their consumers.
  void formGroups(llvm::function_ref<bool(mlir::Operation *)> isRoot);

  /// Whether `op` is computed again in every dispatch that reads it. For an NPU, widening casts of
  /// what a kernel multiplies are not, nor those of types that it has no elements of.
  bool isCloned(mlir::Operation *op) const;

  /// Merges groups of contractions that read the same operand and do not wait for each other.
  void mergeSiblings();

  /// Merges the groups between two contractions, the second of which sums over rows that they
  /// reduce: attention.
  void mergeAttentions();

  /// The groups, those of later roots first.
  auto getGroups() const {
    return llvm::make_pointee_range(
        llvm::make_filter_range(groups, [](const auto &group) { return group != nullptr; }));
  }

  /// Tells why ops are or are not together.
  void emitRemarks();

private:
  FusionGroup &getGroup(mlir::Operation *op) { return *groups[groupOf.lookup(op)]; }
  bool isGrouped(mlir::Operation *op) const { return groupOf.contains(op); }

  void fuseProducers(mlir::Operation *root, bool fuseTruncating);
  bool isFusableProducer(FusionGroup &group, mlir::OpOperand &operand, bool fuseTruncating,
                         std::string &reason);

  void fuseConsumers(mlir::Operation *root);
  bool isFusableConsumer(FusionGroup &group, mlir::Operation *producer, mlir::Operation *consumer,
                         std::string &reason);
  bool followsSingleUses(FusionGroup &group) const;

  bool areSiblings(const FusionGroup &first, const FusionGroup &second) const;
  bool canMerge(const FusionGroup &first, const FusionGroup &second, std::string &reason) const;

  std::optional<llvm::SmallVector<unsigned>>
  findAttention(unsigned first, llvm::SmallVectorImpl<mlir::Operation *> &cloned) const;
  bool sumsOverReduced(const FusionGroup &last, llvm::ArrayRef<unsigned> between) const;
  void merge(unsigned into, unsigned other);

  /// Whether something outside of the group and `ops` runs after one of `first` and before one of
  /// them, and so would have to run in the middle if `ops` joined.
  bool closesCycle(const FusionGroup &group, mlir::ArrayRef<mlir::Operation *> ops,
                   mlir::ArrayRef<mlir::Operation *> first) const;

  static constexpr llvm::StringLiteral kCycle =
      "what is outside of the dispatch would have to run in its middle";

  mlir::Block &block;
  FusionMode mode;
  bool keepIntegers;
  llvm::SmallVector<std::unique_ptr<FusionGroup>> groups;
  llvm::DenseMap<mlir::Operation *, unsigned> groupOf;
  FusionLog log;
};

} // namespace npu::dispatch_creation

#endif // NPU_LIB_DISPATCHCREATION_DISPATCHFORMER_H
