//===- LinalgExtReadOps.td - ops that are read and printed, not compiled ---===//

#ifndef NPU_DIALECT_IREE_LINALGEXT_IR_LINALGEXTREADOPS_TD
#define NPU_DIALECT_IREE_LINALGEXT_IR_LINALGEXTREADOPS_TD

// LinalgExtOps.td includes this at its end.

/// An op whose inputs and outputs are lists.
class LinalgExt_ListOp<string mnemonic, list<Trait> traits = []> :
    LinalgExt_Op<mnemonic, !listconcat(traits, [Pure, AttrSizedOperandSegments])> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
}

//===----------------------------------------------------------------------===//
// Regions over an iteration space
//===----------------------------------------------------------------------===//

class LinalgExt_StructuredOp<string mnemonic> : LinalgExt_ListOp<mnemonic, [SingleBlock]> {
  let regions = (region SizedRegion<1>:$region);
}

def LinalgExt_CustomOp : LinalgExt_StructuredOp<"custom_op"> {
  let summary = "ops on tiles of tensors, for all tiles";
  let description = [{
    ```mlir
    %1 = iree_linalg_ext.custom_op{indexing_maps = [#map, #map], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
        ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%tile: tensor<?xf32>, %out: tensor<?xf32>):
      iree_linalg_ext.yield %tile : tensor<?xf32>
    } -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, Variadic<AnyRankedTensor>:$outputs,
                       AffineMapArrayAttr:$indexing_maps, ArrayAttr:$iterator_types);
  let assemblyFormat = [{
    `{` `indexing_maps` `=` $indexing_maps `,` `iterator_types` `=` $iterator_types `}`
    attr-dict-with-keyword (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)` $region `->` type($results)
  }];
}

def LinalgExt_ExpReductionOp : LinalgExt_StructuredOp<"exp_reduction"> {
  let summary = "reduction of exponentials of its first input, without overflow";
  let description = [{
    ```mlir
    %1:2 = iree_linalg_ext.exp_reduction{indexing_maps = [#map, #row, #row], iterator_types = [#iree_linalg_ext.iterator_type<reduction>], exp_reduced_operands = [1]}
        ins(%0 : tensor<8xf32>) outs(%max, %sum : tensor<f32>, tensor<f32>) {
    ^bb0(%x: f32, %m: f32, %s: f32):
      %2 = arith.addf %x, %s : f32
      iree_linalg_ext.yield %m, %2 : f32, f32
    } -> tensor<f32>, tensor<f32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, Variadic<AnyRankedTensor>:$outputs,
                       AffineMapArrayAttr:$indexing_maps, ArrayAttr:$iterator_types,
                       DenseI64ArrayAttr:$exp_reduced_operands);
  let assemblyFormat = [{
    `{` `indexing_maps` `=` $indexing_maps `,` `iterator_types` `=` $iterator_types `,`
    `exp_reduced_operands` `=` $exp_reduced_operands `}`
    attr-dict-with-keyword (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)` $region `->` type($results)
  }];
}

def LinalgExt_IndexOp : LinalgExt_Op<"index", [Pure]> {
  let summary = "position in a dimension of the iteration space";
  let description = [{
    ```mlir
    %i = iree_linalg_ext.index 0 : index
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$dim attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Elements that move
//===----------------------------------------------------------------------===//

class LinalgExt_MapOp<string mnemonic> : LinalgExt_Op<mnemonic, [Pure, SingleBlock]> {
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict $input `into` $output $region `:` type($input) `into` type($output) `->` type($result)
  }];
}

def LinalgExt_MapLoadOp : LinalgExt_MapOp<"map_load"> {
  let summary = "elements from where a region says";
  let description = [{
    The region maps a position in the output to one in the input, and a value for positions outside.

    ```mlir
    %1 = iree_linalg_ext.map_load %0 into %e {
    ^bb0(%i: index):
      iree_linalg_ext.yield %i, %zero : index, f32
    } : tensor<8xf32> into tensor<8xf32> -> tensor<8xf32>
    ```
  }];
}

def LinalgExt_MapGatherOp : LinalgExt_MapOp<"map_gather"> {
  let summary = "map_load, under the name that it had";
  let description = [{
    ```mlir
    %1 = iree_linalg_ext.map_gather %0 into %e {
    ^bb0(%i: index):
      iree_linalg_ext.yield %i, %zero : index, f32
    } : tensor<8xf32> into tensor<8xf32> -> tensor<8xf32>
    ```
  }];
}

def LinalgExt_MapStoreOp : LinalgExt_MapOp<"map_store"> {
  let summary = "elements to where a region says";
  let description = [{
    The region maps a position in the input to one in the output, and whether to store there.

    ```mlir
    %1 = iree_linalg_ext.map_store %0 into %e {
    ^bb0(%i: index):
      iree_linalg_ext.yield %i, %true : index, i1
    } : tensor<8xf32> into tensor<8xf32> -> tensor<8xf32>
    ```
  }];
}

def LinalgExt_MapScatterOp : LinalgExt_MapOp<"map_scatter"> {
  let summary = "map_store, under the name that it had";
  let description = [{
    ```mlir
    %1 = iree_linalg_ext.map_scatter %0 into %e {
    ^bb0(%i: index):
      iree_linalg_ext.yield %i, %true : index, i1
    } : tensor<8xf32> into tensor<8xf32> -> tensor<8xf32>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

def LinalgExt_FftOp : LinalgExt_ListOp<"fft"> {
  let summary = "one stage of a Fourier transform of rows";
  let description = [{
    ```mlir
    %1:2 = iree_linalg_ext.fft ins(%stage, %re, %im : index, tensor<4xf32>, tensor<4xf32>)
        outs(%real, %imag : tensor<8xf32>, tensor<8xf32>) : tensor<8xf32>, tensor<8xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, Variadic<AnyRankedTensor>:$outputs);
  let assemblyFormat = [{
    attr-dict (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)` (`:` type($results)^)?
  }];
}

class LinalgExt_WinogradOp<string mnemonic, string dimensions> : LinalgExt_Op<mnemonic, [Pure]> {
  let arguments = !con((ins AnyRankedTensor:$input, AnyRankedTensor:$output,
                            I64Attr:$output_tile_size, I64Attr:$kernel_size),
                       !dag(ins, [DenseI64ArrayAttr], [dimensions]),
                       (ins OptionalAttr<DenseI64ArrayAttr>:$input_tile_dimensions));
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    attr-dict `output_tile_size` `(` $output_tile_size `)` `kernel_size` `(` $kernel_size `)`
    `}] # dimensions # [{` `(` $}] # dimensions # [{ `)`
    (`input_tile_dimensions` `(` $input_tile_dimensions^ `)`)?
    `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` type($output) `)`
    `->` type($result)
  }];
}

def LinalgExt_WinogradInputTransformOp :
    LinalgExt_WinogradOp<"winograd.input_transform", "image_dimensions"> {
  let summary = "images as Winograd's convolution takes them";
  let description = [{
    ```mlir
    %1 = iree_linalg_ext.winograd.input_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2])
        ins(%0 : tensor<1x10x10x4xf32>) outs(%e : tensor<8x8x1x2x2x4xf32>) -> tensor<8x8x1x2x2x4xf32>
    ```
  }];
}

def LinalgExt_WinogradFilterTransformOp :
    LinalgExt_WinogradOp<"winograd.filter_transform", "kernel_dimensions"> {
  let summary = "filters as Winograd's convolution takes them";
  let description = [{
    ```mlir
    %1 = iree_linalg_ext.winograd.filter_transform output_tile_size(6) kernel_size(3) kernel_dimensions([0, 1])
        ins(%0 : tensor<3x3x4x4xf32>) outs(%e : tensor<8x8x4x4xf32>) -> tensor<8x8x4x4xf32>
    ```
  }];
}

def LinalgExt_WinogradOutputTransformOp :
    LinalgExt_WinogradOp<"winograd.output_transform", "image_dimensions"> {
  let summary = "images of what Winograd's convolution gives";
  let description = [{
    ```mlir
    %1 = iree_linalg_ext.winograd.output_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2])
        ins(%0 : tensor<8x8x1x2x2x4xf32>) outs(%e : tensor<1x12x12x4xf32>) -> tensor<1x12x12x4xf32>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

class LinalgExt_PackingOp<string mnemonic> :
    LinalgExt_Op<mnemonic, [Pure, AttrSizedOperandSegments]> {
  let arguments = (ins
    AnyRankedTensor:$input,
    AnyRankedTensor:$output,
    OptionalAttr<DenseI64ArrayAttr>:$outer_dims_perm,
    DenseI64ArrayAttr:$inner_dims_pos,
    Variadic<Index>:$inner_tiles,
    DenseI64ArrayAttr:$static_inner_tiles,
    Optional<AnyType>:$padding_value);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    attr-dict $input (`padding_value` `(` $padding_value^ `:` type($padding_value) `)`)?
    (`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos
    `inner_tiles` `=` custom<DynamicIndexList>($inner_tiles, $static_inner_tiles)
    `into` $output `:` `(` type($input) type($output) `)` `->` type($result)
  }];
}

def LinalgExt_PackOp : LinalgExt_PackingOp<"pack"> {
  let summary = "a tensor as tiles; IREE has linalg.pack since 2025";
  let description = [{
    ```mlir
    %1 = iree_linalg_ext.pack %0 inner_dims_pos = [0] inner_tiles = [4] into %e
        : (tensor<8xf32> tensor<2x4xf32>) -> tensor<2x4xf32>
    ```
  }];
}

def LinalgExt_UnPackOp : LinalgExt_PackingOp<"unpack"> {
  let summary = "a tensor from tiles; IREE has linalg.unpack since 2025";
  let description = [{
    ```mlir
    %1 = iree_linalg_ext.unpack %0 inner_dims_pos = [0] inner_tiles = [4] into %e
        : (tensor<2x4xf32> tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
}

#endif // NPU_DIALECT_IREE_LINALGEXT_IR_LINALGEXTREADOPS_TD
