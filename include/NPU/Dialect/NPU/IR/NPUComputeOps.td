//===- NPUComputeOps.td - contractions and element-wise ----*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_IR_NPUCOMPUTEOPS_TD
#define NPU_DIALECT_NPU_IR_NPUCOMPUTEOPS_TD

include "NPU/Dialect/NPU/IR/NPUAttributes.td"
include "NPU/Dialect/NPU/IR/NPUInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def NPU_TensorOrMemRef : AnyTypeOf<[AnyRankedTensor, AnyMemRef], "tensor or memref",
                                   "::mlir::ShapedType">;
def NPU_TileSize : ConfinedAttr<I64Attr, [IntPositive]>;
def NPU_PartSizes : ConfinedAttr<DenseI64ArrayAttr, [DenseArrayMinCt<1>, DenseArrayStrictlyPositive<DenseI64ArrayAttr>]>;

/// A destination-passing op on tensors or memrefs. The operand `output` is the destination; on tensors the
/// op has one result of its type, on memrefs none.
class NPU_ComputeOp<string mnemonic, list<Trait> traits = []>
    : NPU_Op<mnemonic, traits # [
        DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasVerifier = 1;

  code destinationStyleDeclaration = [{
    // DestinationStyleOpInterface.
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputMutable(); }
  }];
}

//===----------------------------------------------------------------------===//
// Contractions on the matrix engine
//===----------------------------------------------------------------------===//

class NPU_ContractionOp<string mnemonic> : NPU_ComputeOp<mnemonic, [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<NPUComputeOpInterface, [
      "getDimLetters", "readsDestination", "getTileLayout", "mayOverwriteOperand"]>]> {
  code contractionDeclaration = destinationStyleDeclaration # [{
    /// Whether the second operand is a packed buffer of panels.
    bool hasPackedPanels() { return getPacked(); }
    /// The letters of a bias: the columns of the array, and groups.
    ::std::string getBiasLayout();
  }];
}

def NPU_MatmulOp : NPU_ContractionOp<"matmul"> {
  let summary = "matrix multiplication";
  let description = [{
    A contraction C = A · B, or C += A · B, or C = `bias` + A · B, over at most one each of b, g, h (batches), m, n, i, j and k. A layout
    names the dimensions of an operand in its order: any order, any subset that still says which is which
    (a vector has no `m` or no `n`, a transposed B is `#npu.layout<nk>`, a batch is `#npu.layout<bmk>`). Iteration order is
    (b, g, h, m, n, i, j, k), present letters only. It adds up along k, and along i and j if they are there: weights in blocks, each with a
    scale, have several dimensions where a product has one. The array goes over all of them as one, so a tile has those behind the first whole.

    On tensors the destination is only a shape, unless `accumulate` is present: then its contents are added. `bias` has one element per n, of C's
    element type, which sums start from.

    On memrefs (tile form) buffers are static full tiles in canonical order. `extents` gives the valid part
    of each iteration dimension; the rest of C is left as it is. C is overwritten if all values of `init`
    are zero (typically the counters of the reduction loops) and accumulated into otherwise; without `init`,
    `accumulate` decides. `packed` says that B is panels as the matrix engine ingests them: for layout
    "kn" a buffer `[n floordiv cols][k][n mod cols]`, the last panel padded; for layout "k" one panel. i and j come before k.

    Element types: i8·i8 and i16·i8 to i32, f16·f16, bf16·bf16 and f32·f32 to f32. Integers are signed and
    wrap.

    `tile_m`, `tile_n`, `tile_k` are the chosen tile sizes in elements; absent: the whole dimension. A tile
    never spans batches. `begin`, in tile form, asks `npu-split-first-tiles` to do the very first tile in parts along k,
    added up one after the other; it says how many elements they have, the last number for all that follow.
    `end` asks `npu-split-last-tiles` to do the very last tile in two parts along the dimension of that letter.

    Constraints:
    * matmul_c1: a layout has letters of b, g, h, m, n, i, j, k, one per dimension of its operand;
    * matmul_c2: m is in A and C only, n in B and C only, i, j and k in A and B only, each of b, g, h in C and in A or B;
    * matmul_c3: element types are one of the combinations above;
    * matmul_c4: operands agree on the extent of each dimension;
    * matmul_c5: `packed` requires memrefs, layout_b "kn" or "k", perhaps with i or j before, and ceil(n / cols) panels;
    * matmul_c6: `extents` and `init` require memrefs; there is one extent per iteration dimension;
    * matmul_c7: a bias has dimension n and C's element type, and is not with `accumulate`;
    * matmul_c8: `begin` requires `packed`, and no i or j;
    * matmul_c9: `end` requires `packed`, and is a letter of C that is not one of B.

    Examples:

    ```mlir
    %0 = npu.matmul %A, %B -> %C {tile_m = 64, tile_n = 64}
        : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
    npu.matmul %a, %b -> %acc extents(%m, %n, %k) init(%kk) {packed}
        : memref<64x128xf16, #npu.space<sram>>, memref<2x128x32xf16, #npu.space<sram>>
       -> memref<64x64xf32, #npu.space<acc>>
    ```
  }];
  let arguments = (ins
    NPU_TensorOrMemRef:$lhs,
    NPU_TensorOrMemRef:$rhs,
    Optional<NPU_TensorOrMemRef>:$bias,
    NPU_TensorOrMemRef:$output,
    Variadic<Index>:$extents,
    Variadic<Index>:$init,
    DefaultValuedStrAttr<NPU_Layout, "mk">:$layout_a,
    DefaultValuedStrAttr<NPU_Layout, "kn">:$layout_b,
    DefaultValuedStrAttr<NPU_Layout, "mn">:$layout_c,
    UnitAttr:$packed,
    UnitAttr:$accumulate,
    OptionalAttr<NPU_TileSize>:$tile_m,
    OptionalAttr<NPU_TileSize>:$tile_n,
    OptionalAttr<NPU_TileSize>:$tile_k,
    OptionalAttr<NPU_PartSizes>:$begin,
    OptionalAttr<StrAttr>:$end,
    OptionalAttr<StrAttr>:$stage);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs, "::mlir::Value":$output,
                   CArg<"::llvm::StringRef", "\"mk\"">:$layoutA,
                   CArg<"::llvm::StringRef", "\"kn\"">:$layoutB,
                   CArg<"::llvm::StringRef", "\"mn\"">:$layoutC)>
  ];
  let assemblyFormat = [{
    $lhs `,` $rhs (`bias` `(` $bias^ `:` type($bias) `)`)? `->` $output (`extents` `(` $extents^ `)`)? (`init` `(` $init^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($lhs) `,` type($rhs) `->` custom<Destination>(type($output), type($results))
  }];
  let extraClassDeclaration = contractionDeclaration;
}

def NPU_ConvOp : NPU_ContractionOp<"conv"> {
  let summary = "convolution";
  let description = [{
    A convolution O = I * F, or O += I * F, in one to three dimensions, possibly grouped or depthwise. Letters
    of the layouts: n batch; d, h and w space in input and output; z, y and x the kernel's planes, rows and columns
    in the filter; c input channel; f output channel; g group (then c and f count within the group). A
    depthwise convolution has g and neither c nor f; a one-dimensional one has no w and x, only a three-dimensional one has d and z; one without
    batch has no n, one of one channel or filter may be without c or f. Iteration order is (n, g, d, h, w, f, c, z, y, x), present letters only.

    The input is read at h * stride[i] + y * dilation[i] - pad_low[i], likewise for w and x, d and z; the entries are in the order d, h, w. Coordinates
    outside the input read as `pad_value` (zero when absent); `pad_low` and `pad_high` say how far they may
    lie outside. The per-dimension arrays hold one value per spatial dimension and default to 1 (stride,
    dilation) and 0 (padding).

    `accumulate`, `bias`, of one element per f, or g and f, or g where it is depthwise, `extents`, `init` and the element types are those of
    `npu.matmul`. In tile form buffers are
    in canonical order without batch, group, d and z: input "hwc", output "hwf", and with `packed` the filter
    "yxcf" is panels `[f floordiv cols][y][x][c][f mod cols]`. Depthwise keeps g and an unpacked filter
    "yxg". Padding is then in the buffer, not in the op.

    `tile_h`, `tile_w`, `tile_f`, `tile_c`, and `tile_g` for depthwise, are the chosen tile sizes in
    elements, `tile_y` and `tile_x` those of a kernel too large for a tile; absent: the whole dimension. A tile never spans batches, the groups of a grouped
    convolution, or d and z: the instruction convolves in two dimensions. `begin` and `end` are those of `npu.matmul`, `begin` along c.

    Constraints:
    * conv_c1: a layout has letters of the above, one per dimension of its operand;
    * conv_c2: n, h, w are in input and output; y, x in the filter; c in input and filter; f in filter and
      output; g in all; h and y are present, w and x both or neither, d and z both with those or neither;
    * conv_c3: per-dimension arrays have one value per spatial dimension, strides and dilations positive,
      padding not negative, `pad_value` of the input's element type;
    * conv_c4: element types as for npu.matmul;
    * conv_c5: operands agree on the extent of each dimension and every window lies in the padded input;
    * conv_c6: `packed` requires memrefs, a filter layout ordered as "yxcf", no g, and ceil(f / cols)
      panels;
    * conv_c7: `extents` and `init` require memrefs; there is one extent per iteration dimension;
    * conv_c8: a bias has dimensions g and f, as far as the output has, and its element type, and is not with `accumulate`;
    * conv_c9: `begin` requires `packed` and c;
    * conv_c10: `end` requires `packed`, and is a letter of the output that is not one of the filter.

    Example:

    ```mlir
    %0 = npu.conv %i, %f -> %o {stride = array<i64: 2, 2>, tile_f = 32}
        : tensor<1x113x113x32xf32>, tensor<3x3x32x64xf32> -> tensor<1x56x56x64xf32>
    ```
  }];
  let arguments = (ins
    NPU_TensorOrMemRef:$input,
    NPU_TensorOrMemRef:$filter,
    Optional<NPU_TensorOrMemRef>:$bias,
    NPU_TensorOrMemRef:$output,
    Variadic<Index>:$extents,
    Variadic<Index>:$init,
    DefaultValuedStrAttr<NPU_Layout, "nhwc">:$layout_input,
    DefaultValuedStrAttr<NPU_Layout, "yxcf">:$layout_filter,
    DefaultValuedStrAttr<NPU_Layout, "nhwf">:$layout_output,
    OptionalAttr<DenseI64ArrayAttr>:$stride,
    OptionalAttr<DenseI64ArrayAttr>:$dilation,
    OptionalAttr<DenseI64ArrayAttr>:$pad_low,
    OptionalAttr<DenseI64ArrayAttr>:$pad_high,
    OptionalAttr<TypedAttrInterface>:$pad_value,
    UnitAttr:$packed,
    UnitAttr:$accumulate,
    OptionalAttr<NPU_TileSize>:$tile_h,
    OptionalAttr<NPU_TileSize>:$tile_w,
    OptionalAttr<NPU_TileSize>:$tile_f,
    OptionalAttr<NPU_TileSize>:$tile_c,
    OptionalAttr<NPU_TileSize>:$tile_g,
    OptionalAttr<NPU_TileSize>:$tile_y,
    OptionalAttr<NPU_TileSize>:$tile_x,
    OptionalAttr<NPU_PartSizes>:$begin,
    OptionalAttr<StrAttr>:$end,
    OptionalAttr<StrAttr>:$stage);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$filter, "::mlir::Value":$output,
                   "::llvm::StringRef":$layoutInput, "::llvm::StringRef":$layoutFilter,
                   "::llvm::StringRef":$layoutOutput, CArg<"::llvm::ArrayRef<int64_t>", "{}">:$strides,
                   CArg<"::llvm::ArrayRef<int64_t>", "{}">:$dilations)>
  ];
  let assemblyFormat = [{
    $input `,` $filter (`bias` `(` $bias^ `:` type($bias) `)`)? `->` $output (`extents` `(` $extents^ `)`)? (`init` `(` $init^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($input) `,` type($filter) `->` custom<Destination>(type($output), type($results))
  }];
  let extraClassDeclaration = contractionDeclaration # [{
    /// Number of spatial dimensions, 1 to 3.
    unsigned getNumSpatialDims();
    /// The letters of the spatial dimensions, and those of the kernel beside them.
    ::llvm::StringRef getSpaceLetters();
    ::llvm::StringRef getKernelLetters();
    /// The per-dimension arrays with their defaults filled in, one value per spatial dimension.
    ::llvm::SmallVector<int64_t> getStrideValues();
    ::llvm::SmallVector<int64_t> getDilationValues();
    ::llvm::SmallVector<int64_t> getPadLowValues();
    ::llvm::SmallVector<int64_t> getPadHighValues();
    /// Whether any padding amount is not zero.
    bool hasPadding();
    /// Whether each group has one input and one output channel.
    bool isDepthwise();
  }];
}

//===----------------------------------------------------------------------===//
// Element-wise ops on the vector engine
//===----------------------------------------------------------------------===//

/// An element-wise op. Its iteration domain are the destination's dimensions; `indexing_maps`, one per data
/// operand with the destination last, default to identities. Inputs are projected permutations, the
/// destination is a permutation. Ops compute in the operand's element type: integers wrap, f16 and bf16
/// compute in f32 and round once.
class NPU_ElementwiseOp<string mnemonic, list<Trait> traits = []> : NPU_ComputeOp<mnemonic, traits # [
    DeclareOpInterfaceMethods<NPUComputeOpInterface>]> {
  dag commonArguments = (ins
    NPU_TensorOrMemRef:$output,
    Variadic<Index>:$extents,
    OptionalAttr<AffineMapArrayAttr>:$indexing_maps,
    OptionalAttr<DenseI64ArrayAttr>:$tile,
    OptionalAttr<StrAttr>:$stage);
  let extraClassDeclaration = destinationStyleDeclaration;
  // The interface's methods are the same for all of them.
  let extraClassDefinition = [{
    ::llvm::SmallVector<::mlir::utils::IteratorType> $cppClass::getIteratorTypes() {
      return ::npu::detail::getElementwiseIteratorTypes(*this);
    }
    ::llvm::SmallVector<::mlir::AffineMap> $cppClass::getIndexingMapsArray() {
      return ::npu::detail::getElementwiseIndexingMaps(*this, getIndexingMapsAttr());
    }
    ::npu::Engine $cppClass::getEngine() { return ::npu::Engine::Vpu; }
    ::llvm::SmallVector<int64_t> $cppClass::getTileSizes() {
      return ::npu::detail::getElementwiseTileSizes(*this, getTileAttr());
    }
    void $cppClass::setTileSizes(::llvm::ArrayRef<int64_t> sizes) { setTileAttr(
        ::mlir::DenseI64ArrayAttr::get(getContext(), sizes)); }
    ::llvm::SmallVector<::npu::tile::Dim> $cppClass::getTileDims(const ::npu::TargetDesc &target) {
      return ::npu::detail::getElementwiseTileDims(*this, target);
    }
    ::npu::TileWork $cppClass::getTileWork() { return ::npu::detail::getElementwiseTileWork(*this); }
    ::mlir::Operation *$cppClass::createOnTile(
        ::mlir::OpBuilder &builder, const ::npu::TileOperands &operands) {
      auto tiled = ::llvm::cast<$cppClass>(
          ::npu::detail::cloneOnTile(*this, builder, operands.buffers));
      ::llvm::ArrayRef<unsigned> domain = operands.dims.back();
      tiled.getExtentsMutable().assign(::npu::detail::getTileExtents(operands, domain));
      tiled.setIndexingMapsAttr(::npu::detail::getTileMaps(builder, operands.dims, domain));
      // Identities are the default.
      if (::llvm::all_of(tiled.getIndexingMapsArray(),
                         [](::mlir::AffineMap map) { return map.isIdentity(); }))
        tiled.removeIndexingMapsAttr();
      tiled.removeTileAttr();
      tiled.removeStageAttr();
      tiled->removeAttr("pad_value"); // in the buffer
      return tiled;
    }
    ::llvm::LogicalResult $cppClass::verifyOnTile() {
      return ::npu::detail::verifyElementwiseOnTile(*this);
    }
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
      ::npu::detail::getComputeEffects(*this, effects);
    }
  }];
}

def NPU_UnaryOp : NPU_ElementwiseOp<"unary"> {
  let summary = "element-wise operation on one operand";
  let description = [{
    output = kind(input). `neg` and `abs` take integers or floats, `not` (bitwise) integers, the rest floats:
    exp, exp2, log, tanh, sigmoid, erf, sin, cos, sqrt, rsqrt, reciprocal, floor, ceil, roundeven. Integer `neg` and `abs`
    of the least value wrap.

    Maps, tile sizes and extents are those of every element-wise op: `indexing_maps` lists one affine map
    per data operand, the destination's last, from the destination's dimensions; absent means identities.
    `tile` is one size per iteration dimension, 0 for the whole dimension. `extents` is the valid part
    of a full tile and requires memrefs.

    Constraints:
    * unary_c1: input and output have the same element type, one that `kind` accepts;
    * elementwise_c1: there is one map per data operand, over the dimensions of the destination;
    * elementwise_c2: input maps are projected permutations, the destination's is a permutation;
    * elementwise_c3: operands agree on the extent of each dimension;
    * elementwise_c4: `extents` require memrefs, one per dimension of the destination;
    * elementwise_c5: `tile` has one size that is not negative per dimension of the destination.

    Example: `%0 = npu.unary exp %x -> %y : tensor<16xf32> -> tensor<16xf32>`.
  }];
  let arguments = !con((ins NPU_UnaryKindAttr:$kind, NPU_TensorOrMemRef:$input), commonArguments);
  let builders = [
    OpBuilder<(ins "::npu::UnaryKind":$kind, "::mlir::Value":$input, "::mlir::Value":$output,
                   CArg<"::llvm::ArrayRef<::mlir::AffineMap>", "{}">:$maps)>
  ];
  let assemblyFormat = [{
    `` $kind $input `->` $output (`extents` `(` $extents^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($input) `->` custom<Destination>(type($output), type($results))
  }];
}

def NPU_CopyOp : NPU_ElementwiseOp<"copy", [
    DeclareOpInterfaceMethods<NPUComputeOpInterface, ["getTileLayout", "mayReadOutside"]>]> {
  let summary = "move elements as they are";
  let description = [{
    output = input, bit by bit: minus zero and every NaN stay what they are. The maps permute and broadcast.
    Nothing is computed, so every target copies elements of every type. Maps, tile sizes and extents are
    those of `npu.unary`.

    With `pad_value` coordinates of the input may lie outside of it and read as that value: its map then adds
    constants to the dimensions, `d0 - 1` for one element of padding in front.

    Constraints:
    * copy_c1: input, output and `pad_value` have the same element type;
    * copy_c2: constants in the input's map require `pad_value`, which requires tensors;
    * elementwise_c1 to elementwise_c5.

    Examples, a transposition and a padding:

    ```mlir
    %0 = npu.copy %x -> %y {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]}
        : tensor<4x16xf32> -> tensor<16x4xf32>
    %1 = npu.copy %x -> %z {indexing_maps = [affine_map<(d0, d1) -> (d0, d1 - 2)>, affine_map<(d0, d1) -> (d0, d1)>],
                            pad_value = 0.0 : f32}
        : tensor<4x16xf32> -> tensor<4x20xf32>
    ```
  }];
  let arguments = !con((ins NPU_TensorOrMemRef:$input), commonArguments,
                       (ins OptionalAttr<TypedAttrInterface>:$pad_value));
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$output,
                   CArg<"::llvm::ArrayRef<::mlir::AffineMap>", "{}">:$maps,
                   CArg<"::mlir::TypedAttr", "{}">:$padValue)>
  ];
  let assemblyFormat = [{
    $input `->` $output (`extents` `(` $extents^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($input) `->` custom<Destination>(type($output), type($results))
  }];
}

def NPU_BinaryOp : NPU_ElementwiseOp<"binary", [AttrSizedOperandSegments]> {
  let summary = "element-wise operation on two operands";
  let description = [{
    output = kind(lhs, rhs), where `imm` can stand for rhs, or with `imm_first` for the left operand. Float
    `min` and `max` are IEEE minimum and maximum: NaN propagates. Integer `min`, `max`, `div` and the
    comparisons are signed; `div` truncates toward zero and dividing by zero is undefined. Shift amounts are
    below the bit width; `shr` keeps the sign, `shru` takes i32 only and does not. On i1 there are `and`, `or`,
    `xor`, `cmpeq` and `cmpne`. Float comparisons are ordered (false for
    NaN), except `cmpne`, which is unordered. Maps, tile sizes and extents are those of `npu.unary`.

    Constraints:
    * binary_c1: exactly one of `rhs` and `imm` is present; `imm_first` needs `imm`;
    * binary_c2: operands and `imm` have the same element type, one that `kind` accepts;
    * binary_c3: the output has that element type, or i1 for comparisons;
    * elementwise_c1 to elementwise_c5.

    Examples:

    ```mlir
    %0 = npu.binary add %x, %bias -> %y {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
        affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]}
        : tensor<4x16xf32>, tensor<16xf32> -> tensor<4x16xf32>
    %1 = npu.binary max %x -> %y {imm = 0 : i8} : tensor<16xi8> -> tensor<16xi8>
    ```
  }];
  let arguments = !con((ins NPU_BinaryKindAttr:$kind, NPU_TensorOrMemRef:$lhs,
                            Optional<NPU_TensorOrMemRef>:$rhs), commonArguments,
                       (ins OptionalAttr<TypedAttrInterface>:$imm, UnitAttr:$imm_first));
  let builders = [
    OpBuilder<(ins "::npu::BinaryKind":$kind, "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                   "::mlir::Value":$output, CArg<"::llvm::ArrayRef<::mlir::AffineMap>", "{}">:$maps)>,
    OpBuilder<(ins "::npu::BinaryKind":$kind, "::mlir::Value":$lhs, "::mlir::TypedAttr":$imm,
                   "::mlir::Value":$output, CArg<"::llvm::ArrayRef<::mlir::AffineMap>", "{}">:$maps)>
  ];
  let extraClassDeclaration = destinationStyleDeclaration # [{
    /// Not if the op writes its constant to the destination before it reads its operand: the vector
    /// unit takes constants on the right, and some kinds cannot be computed with their operands
    /// exchanged.
    bool mayOverwriteOperand();
  }];
  let assemblyFormat = [{
    `` $kind $lhs (`,` $rhs^)? `->` $output (`extents` `(` $extents^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($lhs) (`,` type($rhs)^)? `->` custom<Destination>(type($output), type($results))
  }];
}

def NPU_SelectOp : NPU_ElementwiseOp<"select"> {
  let summary = "element-wise choice between two operands";
  let description = [{
    output = condition ? on_true : on_false. Maps, tile sizes and extents are those of `npu.unary`.

    Constraints:
    * select_c1: the condition is i1; the other operands and the output have the same element type;
    * elementwise_c1 to elementwise_c5.

    Example:

    ```mlir
    %0 = npu.select %p, %a, %b -> %y
        : tensor<16xi1>, tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
    ```
  }];
  let arguments = !con((ins NPU_TensorOrMemRef:$condition, NPU_TensorOrMemRef:$on_true,
                            NPU_TensorOrMemRef:$on_false), commonArguments);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$condition, "::mlir::Value":$onTrue, "::mlir::Value":$onFalse,
                   "::mlir::Value":$output, CArg<"::llvm::ArrayRef<::mlir::AffineMap>", "{}">:$maps)>
  ];
  let assemblyFormat = [{
    $condition `,` $on_true `,` $on_false `->` $output (`extents` `(` $extents^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($condition) `,` type($on_true) `,` type($on_false)
    `->` custom<Destination>(type($output), type($results))
  }];
}

def NPU_ClampOp : NPU_ElementwiseOp<"clamp"> {
  let summary = "limit elements to a range";
  let description = [{
    output = min(max(input, lo), hi), as `npu.binary` defines min and max. Maps, tile sizes and extents are
    those of `npu.unary`.

    Constraints:
    * clamp_c1: input, output, `lo` and `hi` have the same element type;
    * elementwise_c1 to elementwise_c5.

    Example: `npu.clamp %x -> %y {hi = 6.0 : f32, lo = 0.0 : f32} : tensor<16xf32> -> tensor<16xf32>`.
  }];
  let arguments = !con((ins NPU_TensorOrMemRef:$input), commonArguments,
                       (ins TypedAttrInterface:$lo, TypedAttrInterface:$hi));
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$output, "::mlir::TypedAttr":$lo,
                   "::mlir::TypedAttr":$hi, CArg<"::llvm::ArrayRef<::mlir::AffineMap>", "{}">:$maps)>
  ];
  let assemblyFormat = [{
    $input `->` $output (`extents` `(` $extents^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($input) `->` custom<Destination>(type($output), type($results))
  }];
}

def NPU_CastOp : NPU_ElementwiseOp<"cast"> {
  let summary = "convert elements to another type";
  let description = [{
    extsi and extui widen, trunci drops high bits; sitofp, uitofp and truncf round to nearest, ties to even;
    extf is exact; fptosi truncates toward zero, saturates, and turns NaN into zero. Maps, tile sizes and
    extents are those of `npu.unary`.

    Constraints:
    * cast_c1: element types are what `kind` converts from and to;
    * elementwise_c1 to elementwise_c5.

    Example: `%0 = npu.cast truncf %x -> %y : tensor<16xf32> -> tensor<16xf16>`.
  }];
  let arguments = !con((ins NPU_CastKindAttr:$kind, NPU_TensorOrMemRef:$input), commonArguments);
  let builders = [
    OpBuilder<(ins "::npu::CastKind":$kind, "::mlir::Value":$input, "::mlir::Value":$output,
                   CArg<"::llvm::ArrayRef<::mlir::AffineMap>", "{}">:$maps)>
  ];
  let assemblyFormat = [{
    `` $kind $input `->` $output (`extents` `(` $extents^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($input) `->` custom<Destination>(type($output), type($results))
  }];
}

def NPU_TableOp : NPU_ElementwiseOp<"table", [
    DeclareOpInterfaceMethods<NPUComputeOpInterface, ["readsWhole"]>]> {
  let summary = "function of an integer that a table gives";
  let description = [{
    TOSA's TABLE. For i8, output = table[input + 128]: any function of 256 values. For i16, the table has every 128th
    value of a function and one more, between which the op interpolates: with x = input + 32768, i = x >> 7 and
    r = x & 127, output = table[i] * 128 + (table[i + 1] - table[i]) * r in i32.

    Every tile reads the table whole, so it is loaded once. Its map is to 0; the other maps, tile sizes and extents are
    those of `npu.unary`, and identities are the default.

    Constraints:
    * table_c1: the input is i8 or i16;
    * table_c2: for i8, the table has 256 elements of i8 and the output is i8; for i16, 513 elements of i16, and i32;
    * elementwise_c1 to elementwise_c5.

    Example, a sigmoid of quantized numbers:

    ```mlir
    %0 = npu.table %x[%sigmoid] -> %y : tensor<16xi8>, tensor<256xi8> -> tensor<16xi8>
    ```
  }];
  let arguments = !con((ins NPU_TensorOrMemRef:$input, NPU_TensorOrMemRef:$table), commonArguments);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$table, "::mlir::Value":$output,
                   CArg<"::llvm::ArrayRef<::mlir::AffineMap>", "{}">:$maps)>
  ];
  let assemblyFormat = [{
    $input `[` $table `]` `->` $output (`extents` `(` $extents^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($input) `,` type($table) `->` custom<Destination>(type($output), type($results))
  }];
}

def NPU_RequantizeOp : NPU_ElementwiseOp<"requantize", [AttrSizedOperandSegments]> {
  let summary = "scale accumulators down to a quantized type by an f32 factor";
  let description = [{
    output = clamp(roundeven(f32(input) * scale) + zero_point, lo, hi), every step in f32: sitofp (to nearest
    even), mulf, roundeven, addf of the zero point, clamp, fptosi. The scale is the attribute `scale` or the
    f32 operand `scales`, which broadcasts by its map (per channel). Maps, tile sizes and extents are those
    of `npu.unary`.

    Constraints:
    * requantize_c1: i32 input, i8 or i16 output;
    * requantize_c2: exactly one of `scale` and `scales` is present; `scales` has element type f32;
    * requantize_c3: lo <= hi, both in the output's range;
    * elementwise_c1 to elementwise_c5.

    Example:

    ```mlir
    %0 = npu.requantize %x -> %y {hi = 127, lo = -128, scale = 7.812500e-03 : f32}
        : tensor<16xi32> -> tensor<16xi8>
    ```
  }];
  let arguments = !con((ins NPU_TensorOrMemRef:$input, Optional<NPU_TensorOrMemRef>:$scales),
                       commonArguments,
                       (ins OptionalAttr<F32Attr>:$scale, DefaultValuedAttr<I64Attr, "0">:$zero_point,
                            I64Attr:$lo, I64Attr:$hi));
  let assemblyFormat = [{
    $input (`scales` `(` $scales^ `)`)? `->` $output (`extents` `(` $extents^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($input) (`,` type($scales)^)? `->` custom<Destination>(type($output), type($results))
  }];
}

def NPU_RescaleOp : NPU_ElementwiseOp<"rescale", [AttrSizedOperandSegments]> {
  let summary = "scale integers by a multiplier and a shift";
  let description = [{
    TOSA's RESCALE: output = saturate(apply_scale(input - input_zp) + output_zp), apply_scale(v) =
    (v * multiplier + (1 << (shift - 1))) >> shift in 64 bits; with `lo` and `hi`, these limits come before the
    type's. With `double_round` and shift > 31 the rounding
    term is increased by 1 << 30 for v >= 0 and decreased by it otherwise. Multiplier (i32) and shift (i8)
    are attributes or operands, which broadcast by their maps (per channel). Maps, tile sizes and extents
    are those of `npu.unary`.

    Constraints:
    * rescale_c1: input and output are i8, i16 or i32;
    * rescale_c2: either `multiplier` and `shift` or `multipliers` (i32) and `shifts` (i8) are present;
    * rescale_c3: the multiplier is in [0, 2^31), the shift in [2, 62];
    * rescale_c4: `lo` and `hi` are both present or both absent; lo <= hi, both in the output's range;
    * elementwise_c1 to elementwise_c5.

    Example:

    ```mlir
    %0 = npu.rescale %x -> %y {double_round, multiplier = 1073741824, output_zp = -3, shift = 37}
        : tensor<16xi32> -> tensor<16xi8>
    ```
  }];
  let arguments = !con((ins NPU_TensorOrMemRef:$input, Optional<NPU_TensorOrMemRef>:$multipliers,
                            Optional<NPU_TensorOrMemRef>:$shifts), commonArguments,
                       (ins OptionalAttr<I64Attr>:$multiplier, OptionalAttr<I64Attr>:$shift,
                            DefaultValuedAttr<I64Attr, "0">:$input_zp,
                            DefaultValuedAttr<I64Attr, "0">:$output_zp, OptionalAttr<I64Attr>:$lo,
                            OptionalAttr<I64Attr>:$hi, UnitAttr:$double_round));
  let assemblyFormat = [{
    $input (`scales` `(` $multipliers^ `,` $shifts `)`)? `->` $output (`extents` `(` $extents^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($input) (`,` type($multipliers)^ `,` type($shifts))?
    `->` custom<Destination>(type($output), type($results))
  }];
}

#endif // NPU_DIALECT_NPU_IR_NPUCOMPUTEOPS_TD
