//===- NPUInterfaces.td - interfaces of the npu dialect ----*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_IR_NPUINTERFACES_TD
#define NPU_DIALECT_NPU_IR_NPUINTERFACES_TD

include "mlir/IR/OpBase.td"

def NPUComputeOpInterface : OpInterface<"NPUComputeOpInterface"> {
  let cppNamespace = "::npu";
  let description = [{
    An op that computes one destination from data operands over one iteration domain. Data operands are the
    shaped operands in operand order; the destination is the last of them. Each has an affine map from the
    iteration domain to its coordinates.
  }];

  let methods = [
    InterfaceMethod<
      "Kind (parallel or reduction) of each iteration dimension.",
      "::llvm::SmallVector<::mlir::utils::IteratorType>", "getIteratorTypes">,
    InterfaceMethod<[{
        One map per data operand, the destination's last, from the iteration domain to the operand's
        coordinates. A coordinate may lie outside the operand (convolution padding).
      }],
      "::llvm::SmallVector<::mlir::AffineMap>", "getIndexingMapsArray">,
    InterfaceMethod<[{
        Extent of each iteration dimension in elements, from the operands' shapes; ShapedType::kDynamic
        where no operand says it. In tile form these are the extents of a full tile.
      }],
      "::llvm::SmallVector<int64_t>", "getStaticLoopRanges", (ins), "",
      [{ return ::npu::detail::getStaticLoopRanges($_op); }]>,
    InterfaceMethod<
      "The engine that executes the op.",
      "::npu::Engine", "getEngine">,
    InterfaceMethod<[{
        One letter per iteration dimension as used in the layout strings, e.g. "mnk"; empty for
        element-wise ops, whose dimensions have no names.
      }],
      "::std::string", "getDimLetters", (ins), "", [{ return {}; }]>,
    InterfaceMethod<[{
        Chosen tile size of each iteration dimension in elements; 0 where the dimension is taken whole.
        Dimensions that tiles never span (batches, groups of a grouped convolution) have tile size 1.
      }],
      "::llvm::SmallVector<int64_t>", "getTileSizes">,
    InterfaceMethod<[{
        Records tile sizes as attributes, one per iteration dimension; 0 takes the dimension whole. Entries
        of dimensions without a choice are ignored.
      }],
      "void", "setTileSizes", (ins "::llvm::ArrayRef<int64_t>":$sizes)>,
    InterfaceMethod<[{
        Valid part of a full tile in elements, one value per iteration dimension, or empty: everything is
        valid. A negative extent counts as zero.
      }],
      "::mlir::OperandRange", "getTileExtents", (ins), "", [{ return $_op.getExtents(); }]>,
    InterfaceMethod<
      "Whether the op may read the destination before it writes it.",
      "bool", "readsDestination", (ins), "", [{ return false; }]>,
    InterfaceMethod<
      "The operands that have an indexing map, in its order; the destination is the last.",
      "::llvm::SmallVector<::mlir::OpOperand *>", "getDataOperands", (ins), "",
      [{ return ::npu::detail::getDataOperands($_op); }]>,
    InterfaceMethod<
      "Name of the stage that the op belongs to; nothing where the kernel's stages are found.",
      "::std::optional<::llvm::StringRef>", "getStage">,
    InterfaceMethod<
      "Names the stage that the op belongs to.",
      "void", "setStage", (ins "::std::optional<::llvm::StringRef>":$name)>,
    InterfaceMethod<
      "What each iteration dimension is to a tile on `target`; sizes chosen by hand are in it.",
      "::llvm::SmallVector<::npu::tile::Dim>", "getTileDims", (ins "const ::npu::TargetDesc &":$target)>,
    InterfaceMethod<
      "How data operand `index` lies in the buffer of a tile on `target`.",
      "::npu::TileLayout", "getTileLayout",
      (ins "unsigned":$index, "const ::npu::TargetDesc &":$target), "", [{ return {}; }]>,
    InterfaceMethod<[{
        Whether coordinates of data operand `index` may lie outside of it, where the layout's fill is read.
      }],
      "bool", "mayReadOutside", (ins "unsigned":$index), "", [{ return false; }]>,
    InterfaceMethod<[{
        Whether data operand `index` is never loaded: the op reads it where it lies in DRAM.
      }],
      "bool", "staysInDram", (ins "unsigned":$index), "", [{ return false; }]>,
    InterfaceMethod<[{
        Whether every tile has data operand `index` whole: its coordinates are 0, and the op chooses among its
        elements by itself.
      }],
      "bool", "readsWhole", (ins "unsigned":$index), "", [{ return false; }]>,
    InterfaceMethod<
      "What an engine does for a tile; the extents of the tile's dimensions say how much.",
      "::npu::TileWork", "getTileWork">,
    InterfaceMethod<
      "The memory in SRAM that the op needs for a tile beside its operands.",
      "::npu::TileScratch", "getTileScratch", (ins), "", [{ return {}; }]>,
    InterfaceMethod<
      "The operand that is this memory in tile form, which is no data operand; null where there is none.",
      "::mlir::OpOperand *", "getScratchOperand", (ins), "", [{ return nullptr; }]>,
    InterfaceMethod<
      "Whether the destination may be the buffer of an operand of its type.",
      "bool", "mayOverwriteOperand", (ins), "", [{ return true; }]>,
    InterfaceMethod<
      "Creates the op on the buffers of a tile.",
      "::mlir::Operation *", "createOnTile",
      (ins "::mlir::OpBuilder &":$builder, "const ::npu::TileOperands &":$operands)>,
    InterfaceMethod<
      "Reports what an op in tile form may not have, beside what holds for all of them.",
      "::llvm::LogicalResult", "verifyOnTile">
  ];

  let extraSharedClassDeclaration = [{
    /// The operand written by the op.
    ::mlir::OpOperand &getDestinationOperand() { return *$_op.getDataOperands().back(); }

    /// Whether the op works on memrefs (tile form) rather than on tensors.
    bool hasBufferForm() {
      return ::llvm::isa<::mlir::MemRefType>(getDestinationOperand().get().getType());
    }
  }];
}

#endif // NPU_DIALECT_NPU_IR_NPUINTERFACES_TD
