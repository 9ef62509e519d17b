//===- LowerStrips.cpp - strip after strip in one kernel ------------------===//

#include "Strips.h"
#include "TileSignature.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npu;

namespace {
/// Puts strips in tile form into the kernel.
class StripInliner {
public:
  explicit StripInliner(KernelOp kernel)
      : kernel(kernel), old(&kernel.getBody().front()), signature(createTileSignature(kernel)),
        builder(OpBuilder::atBlockEnd(signature.entry)) {}

  void add(KernelOp tiled, const Strip &strip);
  void finish();

private:
  Value getConstant(DenseElementsAttr contents, Type type);
  Value getIndex(int64_t value);
  template <typename OpTy>
  void move(OpTy transfer, Value memory);

  KernelOp kernel;
  Block *old;
  TileSignature signature;
  OpBuilder builder;
  DenseMap<Value, Strip::Part> parts;    ///< by memory of the strip
  llvm::SetVector<Operation *> replaced; ///< origins that moved
  DenseMap<int64_t, Value> indices;      ///< constants
};
} // namespace

/// Every constant of a strip is one of the kernel.
Value StripInliner::getConstant(DenseElementsAttr contents, Type type) {
  for (BlockArgument argument : signature.entry->getArguments())
    if (argument.getType() == type && kernel.getConstant(argument.getArgNumber()) == contents)
      return argument;
  llvm_unreachable("the kernel has the constants of its strips");
}

/// Strips share index constants.
Value StripInliner::getIndex(int64_t value) {
  Value &constant = indices[value];
  if (constant)
    return constant;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(signature.entry);
  return constant = arith::ConstantIndexOp::create(builder, kernel.getLoc(), value);
}

/// Moves a transfer of the strip to the strip's place in the tensor of the kernel, which is
/// `memory`'s part.
template <typename OpTy>
void StripInliner::move(OpTy transfer, Value memory) {
  auto part = parts.find(memory);
  if (part == parts.end() || part->second.begin == 0)
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(transfer);
  Value origin = transfer.getOrigin()[part->second.axis];
  AffineExpr moved = builder.getAffineDimExpr(0) + part->second.begin;
  OpFoldResult result = affine::makeComposedFoldedAffineApply(builder, transfer.getLoc(), moved,
                                                              {OpFoldResult(origin)});
  std::optional<int64_t> constant = getConstantIntValue(result);
  transfer.getOriginMutable()[part->second.axis].set(constant ? getIndex(*constant)
                                                              : cast<Value>(result));
  if (auto writer = origin.getDefiningOp<affine::AffineApplyOp>())
    replaced.insert(writer);
}

void StripInliner::add(KernelOp tiled, const Strip &strip) {
  IRMapping mapping;
  parts.clear();
  const Strip::Part *input = strip.arguments.begin(), *output = strip.results.begin();
  for (BlockArgument argument : tiled.getArguments()) {
    if (DenseElementsAttr contents = tiled.getConstant(argument.getArgNumber())) {
      mapping.map(argument, getConstant(contents, argument.getType()));
      continue;
    }
    bool isOutput = tiled.isOutput(argument.getArgNumber());
    const Strip::Part &part = isOutput ? *output++ : *input++;
    mapping.map(argument, isOutput ? signature.outputs[part.index]
                                   : signature.dramOf.lookup(old->getArgument(part.index)));
    parts[argument] = part;
  }
  for (Operation &op : tiled.getBody().front().without_terminator()) {
    if (auto index = dyn_cast<arith::ConstantIndexOp>(op)) {
      mapping.map(op.getResult(0), getIndex(index.value()));
      continue;
    }
    builder.clone(op, mapping);
  }
  tiled.walk([&](Operation *op) {
    if (auto load = dyn_cast<DmaLoadOp>(op))
      move(cast<DmaLoadOp>(mapping.lookup(op)), load.getSrc());
    else if (auto store = dyn_cast<DmaStoreOp>(op))
      move(cast<DmaStoreOp>(mapping.lookup(op)), store.getDst());
  });
  for (Operation *writer : replaced)
    if (writer->use_empty())
      writer->erase();
  replaced.clear();
}

void StripInliner::finish() {
  ReturnOp::create(builder, kernel.getLoc());
  old->erase();
}

LogicalResult npu::lowerStrips(KernelOp kernel, ScheduleStripsAttr attr,
                               function_ref<void(const ScheduleTree &)> lower) {
  std::vector<EqualStrips> tiled;
  LogicalResult result =
      forEachScheduledStrip(kernel, attr, [&](EqualStrips &strips, const ScheduleTree &tree) {
        lower(tree);
        tiled.push_back(std::move(strips));
      });
  if (failed(result))
    return failure();
  // What most strips do stands for the kernel.
  const EqualStrips *most = &tiled.front();
  StripInliner inliner(kernel);
  for (const EqualStrips &strips : tiled) {
    if (strips.size() > most->size())
      most = &strips;
    for (const Strip &strip : strips)
      inliner.add(*strips.front().kernel, strip);
  }
  inliner.finish();
  if (TilingAttr tiling = KernelOp(*most->front().kernel).getTilingAttr())
    kernel.setTilingAttr(tiling);
  return success();
}
