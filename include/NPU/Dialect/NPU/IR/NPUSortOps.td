//===- NPUSortOps.td - sorts on the vector unit ------------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_IR_NPUSORTOPS_TD
#define NPU_DIALECT_NPU_IR_NPUSORTOPS_TD

include "NPU/Dialect/NPU/IR/NPUComputeOps.td"

/// What brings rows into order. The dimension that the output's map lacks goes along a row of the input, the one that
/// the input's map lacks along the places of the output.
class NPU_SortingOp<string mnemonic> : NPU_ComputeOp<mnemonic, [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<NPUComputeOpInterface, [
      "getDataOperands", "getTileScratch", "getScratchOperand", "mayOverwriteOperand"]>]> {
  let arguments = (ins
    NPU_SortOrderAttr:$kind,
    NPU_TensorOrMemRef:$input,
    NPU_TensorOrMemRef:$output,
    Optional<AnyMemRef>:$scratch,
    Variadic<Index>:$extents,
    AffineMapArrayAttr:$indexing_maps,
    OptionalAttr<DenseI64ArrayAttr>:$tile,
    OptionalAttr<StrAttr>:$stage);
  let assemblyFormat = [{
    `` $kind $input `->` $output (`scratch` `(` $scratch^ `:` type($scratch) `)`)? (`extents` `(` $extents^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($input) `->` custom<Destination>(type($output), type($results))
  }];
  let builders = [
    OpBuilder<(ins "::npu::SortOrder":$kind, "::mlir::Value":$input, "::mlir::Value":$output,
                   "::llvm::ArrayRef<::mlir::AffineMap>":$maps), [{
      build($_builder, $_state, ::npu::getDestinationResultTypes(output), kind, input, output, ::mlir::Value(),
            ::mlir::ValueRange(), $_builder.getAffineMapArrayAttr(maps), ::mlir::DenseI64ArrayAttr(),
            ::mlir::StringAttr());
    }]>
  ];
  let extraClassDeclaration = destinationStyleDeclaration # [{
    /// The iteration dimension along a row of the input, and that along the places of the output.
    unsigned getRowDim();
    unsigned getPlaceDim();
  }];
  let extraClassDefinition = [{
    unsigned $cppClass::getRowDim() { return ::npu::detail::findLackedDim(getIndexingMapsArray().back()); }
    unsigned $cppClass::getPlaceDim() { return ::npu::detail::findLackedDim(getIndexingMapsArray().front()); }
    ::llvm::SmallVector<::mlir::OpOperand *> $cppClass::getDataOperands() {
      return {&getInputMutable(), &getOutputMutable()};
    }
    ::mlir::OpOperand *$cppClass::getScratchOperand() {
      return getScratch() ? &*getScratchMutable().begin() : nullptr;
    }
    ::llvm::SmallVector<::mlir::utils::IteratorType> $cppClass::getIteratorTypes() {
      return ::npu::detail::getReductionIteratorTypes(getIndexingMapsArray().back());
    }
    ::llvm::SmallVector<::mlir::AffineMap> $cppClass::getIndexingMapsArray() {
      return ::llvm::to_vector(getIndexingMaps().getAsValueRange<::mlir::AffineMapAttr>());
    }
    ::npu::Engine $cppClass::getEngine() { return ::npu::Engine::Vpu; }
    bool $cppClass::mayOverwriteOperand() { return false; }
    ::llvm::SmallVector<int64_t> $cppClass::getTileSizes() {
      return ::npu::detail::getElementwiseTileSizes(*this, getTileAttr());
    }
    void $cppClass::setTileSizes(::llvm::ArrayRef<int64_t> sizes) {
      setTileAttr(::mlir::DenseI64ArrayAttr::get(getContext(), sizes));
    }
    ::llvm::SmallVector<::npu::tile::Dim> $cppClass::getTileDims(const ::npu::TargetDesc &target) {
      return ::npu::detail::getSortTileDims(*this, getRowDim(), getPlaceDim(), target);
    }
    ::npu::TileWork $cppClass::getTileWork() { return ::npu::detail::getSortWork(*this); }
    ::npu::TileScratch $cppClass::getTileScratch() { return ::npu::detail::getSortScratch(*this); }
    ::llvm::LogicalResult $cppClass::verifyOnTile() { return ::npu::detail::verifySortOnTile(*this); }
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
      ::npu::detail::getComputeEffects(*this, effects);
    }
  }];
}

def NPU_SortOp : NPU_SortingOp<"sort"> {
  let summary = "the first elements of rows in order";
  let description = [{
    Each row of the output has what is at its places when the row of the input is in order: the smallest elements first if
    `ascending`, the largest first if `descending`, and NaNs last in both. -0 counts as less than +0 here, other than for
    `npu.arg_sort`. NaNs become the canonical one. The row goes along the iteration dimension that the output's map does not
    have, the places along the one that the input's map does not have; there are no more of them than elements. A tile
    spans both whole. `tile` and `extents` are those of `npu.unary`.

    On memrefs the op needs `scratch`, bytes in SRAM that hold nothing before and after: for each row, two copies of it,
    its length rounded up to a power of two.

    Constraints:
    * sort_c1: the input has elements of i8, i16, i32 or floats, and the output of the same type;
    * sort_c2: there are two maps over the same dimensions, projected permutations;
    * sort_c3: each map lacks one dimension, which the other one has;
    * sort_c4: there are no more places than elements in a row;
    * sort_c5: `scratch` requires memrefs and is needed there: i8, a dimension for each of the others, in their order,
      and one of the bytes of a row, which lie side by side;
    * sort_c6: operands agree on the extent of each dimension;
    * sort_c7: `extents` require memrefs, one per dimension;
    * sort_c8: `tile` has one size that is not negative per dimension.

    Example, the five largest elements of each row:

    ```mlir
    %0 = npu.sort descending %x -> %y {indexing_maps = [
          affine_map<(row, i, place) -> (row, i)>, affine_map<(row, i, place) -> (row, place)>]}
        : tensor<16x128xf32> -> tensor<16x5xf32>
    ```
  }];
}

def NPU_ArgSortOp : NPU_SortingOp<"arg_sort"> {
  let summary = "where the first elements of rows in order are";
  let description = [{
    As `npu.sort`, but the output has the positions along the row at which the elements are. Of equal elements the first one comes
    first; zeros are equal, whatever their sign, and so are NaNs. What does not fit the output's type wraps.

    `scratch` is larger here: elements of at most 16 bits take the space of two rows of i32 where they go together with their
    positions, and all others that of four.

    Constraints:
    * arg_sort_c1: the input has elements of i8, i16, i32 or floats, and the output of i8, i16 or i32;
    * arg_sort_c2: all others are those of `npu.sort`.

    Example, where the five largest elements of each row are:

    ```mlir
    %0 = npu.arg_sort descending %x -> %y {indexing_maps = [
          affine_map<(row, i, place) -> (row, i)>, affine_map<(row, i, place) -> (row, place)>]}
        : tensor<16x128xf32> -> tensor<16x5xi32>
    ```
  }];
}

#endif // NPU_DIALECT_NPU_IR_NPUSORTOPS_TD
