//===- HandedOnTensor.h - tensors in DRAM between kernels -----------------===//
//
// Which tensors that are stored and loaded again could stay in SRAM, where each cluster has a share
// of them.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_HANDEDONTENSOR_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_HANDEDONTENSOR_H

#include "ClusterShare.h"

namespace npu {

/// What clusters read of other clusters' shares: indices next to their own along the dimensions
/// that they share, as the rows and columns around a share that windows reach. They are loaded into
/// the buffer beside the share.
struct Halo {
  llvm::SmallVector<int64_t> before, after; ///< indices in front of a share and behind it
  mlir::TypedAttr fill;                     ///< what lies outside of the tensor; null: zero
};

/// A tensor in DRAM that kernels hand on.
struct HandedOnTensor {
  mlir::Value memory;
  mlir::MemRefType tensor; ///< as all of them see it
  llvm::SmallVector<DmaStoreOp> stores;
  /// All loads, those that come after all stores, and of those the ones of a cluster's own share.
  llvm::SmallVector<DmaLoadOp> loads, laterLoads, ownLoads;
  bool isOutput = false, isSeenInShapes = false;

  Share share;
  std::optional<Halo> halo;
  llvm::SmallVector<DmaLoadOp> haloLoads; ///< those of `ownLoads` that read it
  /// The tensor's dimensions in the order that they have on chip, the last ones as the stored tile.
  llvm::SmallVector<unsigned> order;

  int64_t savedBytes = 0; ///< to and from DRAM

  /// Elements of a share along a dimension that are elements of the tensor.
  int64_t getWindow(unsigned dim) const {
    return share.steps[dim] == 0
               ? std::min(share.counts[dim], tensor.getDimSize(dim) - share.first[dim])
               : share.counts[dim];
  }
  /// Indices behind the end of the tensor in the last cluster's share.
  int64_t getExcess(unsigned dim) const {
    return std::max<int64_t>(0, share.getFirst(dim, share.getClusters() - 1) + share.counts[dim] -
                                    tensor.getDimSize(dim));
  }
  /// Of the buffer that holds a share.
  mlir::MemRefType getBufferType() const;
  /// That clusters store or load of the halo, all together.
  int64_t getHaloBytes() const;
  bool staysInDram() const { return isOutput || ownLoads.size() != loads.size(); }
};

/// Lets the load or store that has `tensor` as an operand see it through `view`, which has the
/// dimensions `dims` of it, in that order.
void viewThrough(mlir::OpOperand &tensor, mlir::Value view, llvm::ArrayRef<unsigned> dims);

/// The dimensions of a tensor in the order of a tile, by the map from the tile's to the tensor's:
/// those that the tile lacks come first. Nothing if a dimension of the tile is not one of the
/// tensor.
std::optional<llvm::SmallVector<unsigned>> getTileOrder(mlir::AffineMap map);

/// Lets transfers see the memory of a tensor in one shape where they see it in shapes that differ
/// in dimensions of one index.
void unifyShapes(KernelOp kernel);

/// The tensors that are stored and loaded, by what holds them, in the order of their first use.
std::vector<HandedOnTensor> collectTensors(KernelOp kernel);

/// Completes what is known of the tensor. Returns why it cannot stay, or nothing.
llvm::StringRef analyze(HandedOnTensor &tensor);

/// Lets the last kernel of those that read the share read DRAM instead, where the tensor then is as
/// well. False if it is the only one.
bool leaveEarlier(HandedOnTensor &tensor);

/// The buffer that a load fills, at once or, if it lies outside of all loops, part by part.
mlir::memref::AllocOp getLoadedBuffer(DmaLoadOp load);

/// Where in the tensor the first element of that buffer belongs, if it always belongs there.
std::optional<llvm::SmallVector<mlir::OpFoldResult>> getLoadedOrigin(DmaLoadOp load);

/// Whether the ops that read what is loaded can read it in the share.
bool canBeReadInPlace(DmaLoadOp load, const HandedOnTensor &tensor);

/// Gives shares buffers of one size where one can take the place of the other but for that.
void unifyBuffers(std::vector<HandedOnTensor> &tensors);

/// Whether the share of `later` can take the place of that of `earlier`: its tiles are those that
/// the last loads of `earlier` take, and made when these have been read.
bool canTakePlace(const HandedOnTensor &later, const HandedOnTensor &earlier);

/// By dimension on chip: how far an index of the tile goes in the tensor. Nothing if the tile's
/// dimensions have another order, or the last one is missing or does not go index by index.
std::optional<llvm::SmallVector<int64_t>> getStrides(mlir::AffineMap map,
                                                     llvm::ArrayRef<unsigned> order);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_HANDEDONTENSOR_H
