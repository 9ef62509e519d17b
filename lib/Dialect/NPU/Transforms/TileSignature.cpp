//===- TileSignature.cpp - a kernel's arguments in tile form --------------===//

#include "TileSignature.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace npu;

MemRefType npu::getDramType(Type tensor) {
  auto shaped = cast<ShapedType>(tensor);
  return MemRefType::get(shaped.getShape(), shaped.getElementType(), MemRefLayoutAttrInterface(),
                         MemorySpaceAttr::get(tensor.getContext(), MemorySpace::Dram));
}

TileSignature npu::createTileSignature(KernelOp kernel) {
  TileSignature signature;
  Builder builder(kernel.getContext());
  Block *old = &kernel.getBody().front();
  auto returnOp = cast<ReturnOp>(old->getTerminator());
  SmallVector<DictionaryAttr> argAttrs;
  kernel.getAllArgAttrs(argAttrs);
  argAttrs.resize(kernel.getNumArguments(), builder.getDictionaryAttr({}));
  Block *entry = signature.entry = new Block();
  kernel.getBody().push_back(entry);
  auto addArgument = [&](Value tensor) {
    return entry->addArgument(getDramType(tensor.getType()), tensor.getLoc());
  };
  // What a result is inserted into is changed in place, and comes last.
  auto insertion = returnOp.getOperand(0).getDefiningOp<tensor::InsertSliceOp>();
  if (insertion)
    argAttrs.pop_back();
  for (BlockArgument argument : old->getArguments())
    if (!insertion || insertion.getDest() != argument)
      signature.dramOf[argument] = addArgument(argument);
  for (auto slice : old->getOps<tensor::ExtractSliceOp>())
    signature.dramOf[slice] = signature.dramOf.lookup(slice.getSource());
  // The contents of constants become part of the program, those of equal ones once.
  DenseMap<Attribute, Value> constantArguments;
  for (auto constant : old->getOps<arith::ConstantOp>()) {
    Value &argument = constantArguments[constant.getValue()];
    if (!argument) {
      argument = addArgument(constant);
      argAttrs.push_back(builder.getDictionaryAttr(
          builder.getNamedAttr(KernelOp::kConstantAttrName, constant.getValue())));
    }
    signature.dramOf[constant] = argument;
  }
  for (Value result : returnOp.getOperands()) {
    signature.outputs.push_back(addArgument(result));
    NamedAttrList attributes;
    attributes.set(KernelOp::kOutputAttrName, builder.getUnitAttr());
    if (insertion)
      attributes.set(KernelOp::kInOutAttrName, builder.getUnitAttr());
    argAttrs.push_back(attributes.getDictionary(builder.getContext()));
  }
  kernel.setFunctionType(builder.getFunctionType(entry->getArgumentTypes(), {}));
  kernel.setAllArgAttrs(argAttrs);
  kernel.removeResAttrsAttr();
  return signature;
}

void npu::recordTiling(const ScheduleTree &tree) {
  const StageGraph &graph = tree.getGraph();
  KernelOp kernel = graph.kernel;
  SmallVector<StringAttr> dims;
  // Loops over parts of a tile say less than the one over the tiles, and a dimension without a loop
  // is in every tile.
  SmallVector<int64_t> tiles(graph.dims.size());
  auto add = [&](unsigned dim, int64_t tile) {
    tiles[dim] = std::max(tiles[dim], std::min(tile, graph.dims[dim].extent));
  };
  kernel.getScheduleAttr().walk(
      [&](ScheduleLoopAttr loop) { add(*graph.findDim(loop.getDim()), loop.getTile()); });
  // All parts that have their sums in SRAM together are a tile.
  for (auto [number, stage] : llvm::enumerate(graph.stages)) {
    const ScheduleNode &leaf = tree.getLeaf(number);
    if (!leaf.addsProducts)
      continue;
    const ScheduleNode &home = tree.getHome(graph.valuesOfStage[number].front());
    SmallVector<const ScheduleNode *> loops = leaf.getLoops();
    for (const ScheduleNode *loop : ArrayRef(loops).drop_front(home.level))
      if (!llvm::is_contained(stage.getReductionDims(), loop->dim))
        add(loop->dim, loop->tile * loop->trips);
  }
  for (auto [tile, dim] : llvm::zip_equal(tiles, graph.dims))
    if (tile == 0)
      tile = dim.isUnit ? 1 : dim.extent;
  for (const tile::Dim &dim : graph.dims)
    dims.push_back(StringAttr::get(kernel.getContext(), dim.name));
  kernel.setTilingAttr(TilingAttr::get(kernel.getContext(), dims, tiles));
}
