//===- NPUReductionOps.td - reductions on the vector unit --*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_IR_NPUREDUCTIONOPS_TD
#define NPU_DIALECT_NPU_IR_NPUREDUCTIONOPS_TD

include "NPU/Dialect/NPU/IR/NPUComputeOps.td"

/// A reduction. Maps, tile sizes and extents are over all dimensions, those that are reduced included.
class NPU_ReductionOp<string mnemonic, list<string> methods = []> : NPU_ComputeOp<mnemonic, [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<NPUComputeOpInterface, methods # ["readsDestination", "mayOverwriteOperand"]>]> {
  dag commonArguments = (ins
    NPU_ReduceKindAttr:$kind,
    NPU_TensorOrMemRef:$input,
    NPU_TensorOrMemRef:$output,
    Variadic<Index>:$extents,
    Variadic<Index>:$init,
    AffineMapArrayAttr:$indexing_maps,
    UnitAttr:$accumulate,
    OptionalAttr<DenseI64ArrayAttr>:$tile,
    OptionalAttr<StrAttr>:$stage);
  let assemblyFormat = [{
    `` $kind $input `->` $output (`extents` `(` $extents^ `)`)? (`init` `(` $init^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($input) `->` custom<Destination>(type($output), type($results))
  }];
  let extraClassDeclaration = destinationStyleDeclaration;
  let extraClassDefinition = [{
    ::llvm::SmallVector<::mlir::utils::IteratorType> $cppClass::getIteratorTypes() {
      return ::npu::detail::getReductionIteratorTypes(getIndexingMapsArray().back());
    }
    ::llvm::SmallVector<::mlir::AffineMap> $cppClass::getIndexingMapsArray() {
      return ::llvm::to_vector(getIndexingMaps().getAsValueRange<::mlir::AffineMapAttr>());
    }
    ::npu::Engine $cppClass::getEngine() { return ::npu::Engine::Vpu; }
    bool $cppClass::readsDestination() { return getAccumulate() || !getInit().empty(); }
    bool $cppClass::mayOverwriteOperand() { return false; }
    ::llvm::SmallVector<int64_t> $cppClass::getTileSizes() {
      return ::npu::detail::getElementwiseTileSizes(*this, getTileAttr());
    }
    void $cppClass::setTileSizes(::llvm::ArrayRef<int64_t> sizes) {
      setTileAttr(::mlir::DenseI64ArrayAttr::get(getContext(), sizes));
    }
    ::npu::TileWork $cppClass::getTileWork() {
      return ::npu::detail::getReductionTileWork(getKind(), getInput().getType().getElementType());
    }
    ::llvm::LogicalResult $cppClass::verifyOnTile() {
      return ::npu::detail::verifyReductionOnTile(*this);
    }
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
      ::npu::detail::getComputeEffects(*this, effects);
    }
  }];
}

def NPU_ReduceOp : NPU_ReductionOp<"reduce"> {
  let summary = "reduction along dimensions";
  let description = [{
    output = input op input op …, along the dimensions that the destination's map does not have: sum, max, min,
    prod, and the bitwise and, or, xor. Elements are combined in index order, in i32 or f32, and the result
    is rounded or wrapped to the output's type once. Float `max` and `min` are IEEE maximum and minimum: NaN
    propagates. `indexing_maps` are those of the input, a permutation of all dimensions, and of the output.

    On tensors the destination is only a shape, unless `accumulate` is present: then its contents come
    first. On memrefs the output is overwritten if all values of `init` are zero (typically the counters
    of loops over the dimensions that are reduced) and accumulated into otherwise; without `init`, `accumulate`
    decides. `tile` and `extents` are those of `npu.unary`.

    Constraints:
    * reduce_c1: input and output have elements of integers, of floats, or of i1; `and`, `or` and `xor` take
      integers, and only they take i1;
    * reduce_c2: there are two maps over the same dimensions, a permutation for the input and a projected
      permutation for the output;
    * reduce_c3: operands agree on the extent of each dimension;
    * reduce_c4: `extents` and `init` require memrefs; there is one extent per dimension;
    * reduce_c5: `tile` has one size that is not negative per dimension.

    Example, the largest element of each row:

    ```mlir
    %0 = npu.reduce max %x -> %y {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]}
        : tensor<16x128xf32> -> tensor<16xf32>
    ```
  }];
  let arguments = commonArguments;
  let builders = [
    OpBuilder<(ins "::npu::ReduceKind":$kind, "::mlir::Value":$input, "::mlir::Value":$output,
                   "::llvm::ArrayRef<::mlir::AffineMap>":$maps)>
  ];
}

def NPU_PoolOp : NPU_ReductionOp<"pool", ["getStaticLoopRanges", "getTileLayout", "mayReadOutside"]> {
  let summary = "reduction of windows";
  let description = [{
    Each element of the output is a reduction, as `npu.reduce` defines it, of a window of the input. Strides,
    dilations and padding are in the map of the input, whose coordinates are sums of scaled dimensions and a
    constant: `d0 * 2 + d2 - 1` slides windows with stride 2 over dimension 0, one element of padding in front.
    The dimensions that the output's map does not have are those of the window, and `window` has their
    extents. Coordinates outside of the input read as `pad_value`, or as what changes no result when it is absent.

    `accumulate`, `init`, `tile` and `extents` are those of `npu.reduce`. On memrefs everything that is read lies
    in the buffer.

    Constraints:
    * pool_c1: element types are those of `npu.reduce`; `pad_value` has the input's;
    * pool_c2: there are two maps over the same dimensions; coordinates of the input are sums of dimensions with
      positive factors and a constant, each dimension is in exactly one; the output's map is a projected permutation; on memrefs
      there are no constants;
    * pool_c3: `window` has a positive extent for each dimension that the output's map does not have;
    * pool_c4: `extents` and `init` require memrefs; there is one extent per dimension;
    * pool_c5: `tile` has one size that is not negative per dimension.

    Example, a maximum pooling of 3 x 3 windows with stride 2 and padding:

    ```mlir
    %0 = npu.pool max %x -> %y {indexing_maps = [
          affine_map<(h, w, c, y, x) -> (h * 2 + y - 1, w * 2 + x - 1, c)>,
          affine_map<(h, w, c, y, x) -> (h, w, c)>], window = array<i64: 3, 3>}
        : tensor<112x112x64xf32> -> tensor<56x56x64xf32>
    ```
  }];
  let arguments = !con(commonArguments, (ins DenseI64ArrayAttr:$window,
                                             OptionalAttr<TypedAttrInterface>:$pad_value));
  let builders = [
    OpBuilder<(ins "::npu::ReduceKind":$kind, "::mlir::Value":$input, "::mlir::Value":$output,
                   "::llvm::ArrayRef<::mlir::AffineMap>":$maps, "::llvm::ArrayRef<int64_t>":$window,
                   CArg<"::mlir::TypedAttr", "{}">:$padValue)>
  ];
}

/// What goes along a whole dimension of a tile.
class NPU_WholeRowOp<string mnemonic, Attr kindAttr> : NPU_ComputeOp<mnemonic, [
    DeclareOpInterfaceMethods<NPUComputeOpInterface, ["mayOverwriteOperand"]>]> {
  let arguments = (ins
    kindAttr:$kind,
    NPU_TensorOrMemRef:$input,
    NPU_TensorOrMemRef:$output,
    Variadic<Index>:$extents,
    AffineMapArrayAttr:$indexing_maps,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$dimension,
    OptionalAttr<DenseI64ArrayAttr>:$tile,
    OptionalAttr<StrAttr>:$stage);
  let assemblyFormat = [{
    `` $kind $input `->` $output (`extents` `(` $extents^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($input) `->` custom<Destination>(type($output), type($results))
  }];
  let extraClassDeclaration = destinationStyleDeclaration;
  let extraClassDefinition = [{
    /// Elements depend on each other along the dimension, as those of a reduction do.
    ::llvm::SmallVector<::mlir::utils::IteratorType> $cppClass::getIteratorTypes() {
      ::llvm::SmallVector<::mlir::utils::IteratorType> types(
          getIndexingMapsArray().front().getNumDims(), ::mlir::utils::IteratorType::parallel);
      types[getDimension()] = ::mlir::utils::IteratorType::reduction;
      return types;
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
      return ::npu::detail::getWholeRowTileDims(*this, getDimension(), target);
    }
    ::llvm::LogicalResult $cppClass::verifyOnTile() {
      return ::npu::detail::verifyReductionOnTile(*this);
    }
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
      ::npu::detail::getComputeEffects(*this, effects);
    }
  }];
}

def NPU_ScanOp : NPU_WholeRowOp<"scan", NPU_ReduceKindAttr> {
  let summary = "running reduction along a dimension";
  let description = [{
    output[…, i, …] = input[…, 0, …] op … op input[…, i, …] along the iteration dimension number `dimension`: cumulative sums,
    products, minima, maxima. Elements are combined in index order, in i32 or f32; what is written is rounded or
    wrapped to the output's type, what goes on is not. A tile spans the dimension whole. `indexing_maps` are those of input and output,
    permutations of all dimensions. `tile` and `extents` are those of `npu.unary`.

    Constraints:
    * scan_c1: element types are those of `npu.reduce`;
    * scan_c2: there are two maps, permutations of the same dimensions;
    * scan_c3: `dimension` is one of them;
    * scan_c4: operands agree on the extent of each dimension;
    * scan_c5: `extents` require memrefs, one per dimension;
    * scan_c6: `tile` has one size that is not negative per dimension.

    Example, cumulative sums of rows:

    ```mlir
    %0 = npu.scan sum %x -> %y {dimension = 1, indexing_maps = [
          affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>]}
        : tensor<16x128xf32> -> tensor<16x128xf32>
    ```
  }];
  let builders = [
    OpBuilder<(ins "::npu::ReduceKind":$kind, "::mlir::Value":$input, "::mlir::Value":$output,
                   "::llvm::ArrayRef<::mlir::AffineMap>":$maps, "int64_t":$dimension)>
  ];
}

def NPU_ArgReduceOp : NPU_WholeRowOp<"arg_reduce", NPU_ArgReduceKindAttr> {
  let summary = "position of an extreme along a dimension";
  let description = [{
    output[…] = the first index along the iteration dimension number `dimension` at which the input is largest (`argmax`)
    or smallest (`argmin`). A NaN is beyond every number, so the first one is found; zeros are equal, whatever their sign.
    What does not fit the output's type wraps. A tile spans the dimension whole. `indexing_maps` are those of the
    input, a permutation of all dimensions, and of the output, which lacks `dimension`. `tile` and `extents` are
    those of `npu.unary`.

    Where rows do not fit, `npu-expand-arg-reductions` makes it two reductions.

    Constraints:
    * arg_reduce_c1: the input has elements of integers or floats, not of i1, and the output of i8, i16 or i32;
    * arg_reduce_c2: there are two maps over the same dimensions, a permutation for the input and a projected
      permutation for the output;
    * arg_reduce_c3: `dimension` is the only one that the output's map does not have;
    * arg_reduce_c4: operands agree on the extent of each dimension;
    * arg_reduce_c5: `extents` require memrefs, one per dimension;
    * arg_reduce_c6: `tile` has one size that is not negative per dimension.

    Example, where the largest element of each row is:

    ```mlir
    %0 = npu.arg_reduce argmax %x -> %y {dimension = 1, indexing_maps = [
          affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]}
        : tensor<16x128xf32> -> tensor<16xi32>
    ```
  }];
  let builders = [
    OpBuilder<(ins "::npu::ArgReduceKind":$kind, "::mlir::Value":$input, "::mlir::Value":$output,
                   "::llvm::ArrayRef<::mlir::AffineMap>":$maps, "int64_t":$dimension)>
  ];
}

#endif // NPU_DIALECT_NPU_IR_NPUREDUCTIONOPS_TD
