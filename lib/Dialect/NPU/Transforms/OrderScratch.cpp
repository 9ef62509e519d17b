//===- OrderScratch.cpp - dimensions of scratch tensors in DRAM -----------===//
//
// What kernels hand on through DRAM has the dimensions in the order that the model gave it. Tiles
// have another one where the array needs it, so that a row of a tile is many short runs in DRAM,
// each of which is charged whole beats. Nobody but the kernels sees the memory: its dimensions get
// the order for which all transfers together are charged the least.
//
//===----------------------------------------------------------------------===//

#include "BufferUsage.h"
#include "HandedOnTensor.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Target/ISA/Timing.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>

namespace npu {
#define GEN_PASS_DEF_NPUORDERSCRATCH
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

namespace {
/// A load or a store of a tensor in DRAM.
struct ScratchTransfer {
  Operation *op;
  OpOperand *tensor;
  MemRefType tile;
  AffineMap map; ///< from the dimensions of the tile to those of the tensor
  /// By dimension of the tensor, how far it moves with each dimension of the tile.
  SmallVector<SmallVector<int64_t>> steps;
};
using Order = SmallVector<unsigned>;
} // namespace

/// The steps of a map; nothing if it is not linear.
static std::optional<SmallVector<SmallVector<int64_t>>> getSteps(AffineMap map) {
  SmallVector<SmallVector<int64_t>> steps;
  for (AffineExpr expr : map.getResults()) {
    SmallVector<int64_t> &factors = steps.emplace_back(); // of dimensions, divisions, a constant
    if (failed(getFlattenedAffineExpr(expr, map.getNumDims(), /*numSymbols=*/0, &factors)) ||
        factors.size() != map.getNumDims() + 1)
      return std::nullopt;
    factors.pop_back();
  }
  return steps;
}

/// All of a tensor; nothing if what they see is no memory of the tensor's shape, or not linearly.
static std::optional<std::vector<ScratchTransfer>> getTransfers(const HandedOnTensor &tensor) {
  std::vector<ScratchTransfer> transfers;
  auto add = [&](Operation *op, OpOperand &seen, MemRefType tile, AffineMap map) {
    Operation *memory = seen.get().getDefiningOp();
    std::optional<SmallVector<SmallVector<int64_t>>> steps = getSteps(map);
    if (!steps || (!llvm::isa<memref::ViewOp>(memory) && memory != tensor.memory.getDefiningOp()))
      return false;
    transfers.push_back({op, &seen, tile, map, std::move(*steps)});
    return true;
  };
  for (DmaStoreOp store : tensor.stores)
    if (!add(store, store.getDstMutable(), store.getSrc().getType(), store.getEffectiveMap()))
      return std::nullopt;
  for (DmaLoadOp load : tensor.loads)
    if (!add(load, load.getSrcMutable(), load.getDst().getType(), load.getEffectiveMap()))
      return std::nullopt;
  return transfers;
}

/// Bytes that all transfers are charged where the dimensions lie in `order`, the last one
/// contiguous.
static int64_t getChargedBytes(ArrayRef<ScratchTransfer> transfers, MemRefType tensor,
                               ArrayRef<unsigned> order, const TargetDesc &target) {
  int64_t elementBytes = getByteSize(tensor) / tensor.getNumElements(), stride = elementBytes;
  SmallVector<int64_t> strides(order.size());
  for (unsigned dim : llvm::reverse(order)) {
    strides[dim] = stride;
    stride *= tensor.getDimSize(dim);
  }
  int64_t bytes = 0;
  for (const ScratchTransfer &transfer : transfers) {
    SmallVector<isa::BoxDimValue, 5> box;
    for (auto [tileDim, size] : llvm::enumerate(transfer.tile.getShape())) {
      int64_t distance = 0, most = size;
      for (auto [dim, steps] : llvm::enumerate(transfer.steps)) {
        int64_t step = steps[tileDim];
        distance += step * strides[dim];
        if (step != 0)
          most = std::min<int64_t>(most, llvm::divideCeil(tensor.getDimSize(dim), std::abs(step)));
      }
      box.push_back({distance, 0, most, 0, 0, most, 0, 0});
    }
    // Tiles begin at different places of a beat; the first stands for all.
    bytes +=
        getIterations(transfer.op) * getClusterCount(transfer.op) *
        isa::getDmaCost(box, /*dramBase=*/0, elementBytes, target.dramBytesPerCycle).chargedBytes;
  }
  return bytes;
}

/// The orders of the tiles, and each with another dimension as the last one.
static llvm::SmallSetVector<Order, 8> getCandidates(ArrayRef<ScratchTransfer> transfers) {
  llvm::SmallSetVector<Order, 8> orders;
  for (const ScratchTransfer &transfer : transfers)
    if (std::optional<Order> order = getTileOrder(transfer.map))
      for (size_t last = order->size(); last-- > 0;) {
        Order other = *order;
        std::rotate(other.begin() + last, other.begin() + last + 1, other.end());
        orders.insert(other);
      }
  return orders;
}

/// The order that is charged the least; nothing for the one there is.
static std::optional<Order> chooseOrder(ArrayRef<ScratchTransfer> transfers, MemRefType tensor,
                                        const TargetDesc &target) {
  Order asBefore(tensor.getRank());
  std::iota(asBefore.begin(), asBefore.end(), 0);
  int64_t least = getChargedBytes(transfers, tensor, asBefore, target);
  std::optional<Order> best;
  for (const Order &order : getCandidates(transfers))
    if (int64_t bytes = getChargedBytes(transfers, tensor, order, target); bytes < least) {
      least = bytes;
      best = order;
    }
  return best;
}

/// Lets the transfers see memory whose dimensions lie in that order.
static void reorder(const HandedOnTensor &tensor, ArrayRef<ScratchTransfer> transfers,
                    ArrayRef<unsigned> order) {
  SmallVector<int64_t> shape =
      llvm::map_to_vector(order, [&](unsigned dim) { return tensor.tensor.getDimSize(dim); });
  auto type = MemRefType::get(shape, tensor.tensor.getElementType(), MemRefLayoutAttrInterface(),
                              tensor.tensor.getMemorySpace());
  auto alloc = tensor.memory.getDefiningOp<memref::AllocOp>();
  DenseMap<Value, Value> reordered;
  for (const ScratchTransfer &transfer : transfers) {
    Value seen = transfer.tensor->get();
    Value &other = reordered[seen];
    if (!other) {
      OpBuilder builder(seen.getDefiningOp());
      if (auto view = seen.getDefiningOp<memref::ViewOp>())
        other = memref::ViewOp::create(builder, view.getLoc(), type, view.getSource(),
                                       view.getByteShift(), /*sizes=*/ValueRange());
      else
        other = memref::AllocOp::create(builder, alloc.getLoc(), type);
    }
    viewThrough(*transfer.tensor, other, order);
  }
  for (auto [seen, other] : reordered)
    seen.getDefiningOp()->erase();
}

namespace {
struct OrderScratch : npu::impl::NPUOrderScratchBase<OrderScratch> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    FailureOr<TargetDesc> target = getTarget(kernel);
    if (failed(expectTileForm(kernel)) || failed(target))
      return signalPassFailure();
    unifyShapes(kernel);
    for (const HandedOnTensor &tensor : collectTensors(kernel)) {
      if (tensor.isSeenInShapes || !tensor.memory.getDefiningOp<memref::AllocOp>())
        continue;
      std::optional<std::vector<ScratchTransfer>> transfers = getTransfers(tensor);
      if (!transfers)
        continue;
      if (std::optional<Order> order = chooseOrder(*transfers, tensor.tensor, *target)) {
        remark::passed(tensor.memory.getLoc(), remark::RemarkOpts::name("Reordered")
                                                   .category("npu-order-scratch")
                                                   .function(kernel.getSymName()))
            << remark::metric("bytes", getByteSize(tensor.tensor));
        reorder(tensor, *transfers, *order);
      }
    }
  }
};
} // namespace
