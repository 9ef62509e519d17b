//===- LinalgExtOps.td - the part of iree_linalg_ext we read and print -----===//

#ifndef NPU_DIALECT_IREE_LINALGEXT_IR_LINALGEXTOPS_TD
#define NPU_DIALECT_IREE_LINALGEXT_IR_LINALGEXTOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def LinalgExt_Dialect : Dialect {
  let name = "iree_linalg_ext";
  let cppNamespace = "::npu::linalg_ext";
  let summary = "IREE's structured ops beyond linalg";
  let description = [{
    The ops of IREE's `iree_linalg_ext` dialect that dumps of networks contain, on tensors. Names,
    attributes, operand order and syntax are IREE's. Attributes of the dialect are carried verbatim.
  }];
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kForeignAttrName = "iree_linalg_ext.foreign";

    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

class LinalgExt_Op<string mnemonic, list<Trait> traits = []> :
    Op<LinalgExt_Dialect, mnemonic, traits>;

def LinalgExt_AttentionOp : LinalgExt_Op<"attention", [
    Pure, SingleBlock]> {
  let summary = "softmax(region(scale * query * key^T) + mask) * value";
  let description = [{
    The indexing maps say which dimensions of the iteration space each operand has, in the order
    query, key, value, scale, mask if there is one, output. The region maps an element of the scaled
    product before the mask is added. An `i1` mask keeps an element where it is true.

    * one indexing map per operand, all over the same dimensions, with as many results as the
      operand has dimensions;
    * query, key, value and output have float elements;
    * the region maps a float to a float.

    ```mlir
    %1 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #scale, #o]}
        ins(%q, %k, %v, %scale : tensor<4x64x32xf32>, tensor<4x64x32xf32>, tensor<4x64x32xf32>, f32)
        outs(%0 : tensor<4x64x32xf32>) {
    ^bb0(%score: f32):
      iree_linalg_ext.yield %score : f32
    } -> tensor<4x64x32xf32>
    ```
  }];

  let arguments = (ins
    AnyRankedTensor:$query,
    AnyRankedTensor:$key,
    AnyRankedTensor:$value,
    AnyFloat:$scale,
    Optional<AnyRankedTensor>:$mask,
    AnyRankedTensor:$output,
    AffineMapArrayAttr:$indexing_maps,
    OptionalAttr<DictionaryAttr>:$decomposition_config);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict
    `ins` `(` $query `,` $key `,` $value `,` $scale (`,` $mask^)? `:` type($query) `,` type($key)
    `,` type($value) `,` type($scale) (`,` type($mask)^)? `)`
    `outs` `(` $output `:` type($output) `)` $region `->` type($result)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def LinalgExt_OnlineAttentionOp : LinalgExt_Op<"online_attention", [Pure, SingleBlock]> {
  let summary = "one step of attention, over part of the keys and values";
  let description = [{
    The outputs are what the steps before have made: weights times value, the maximum of each row of
    scores, and the sum of each row of weights. The results are the same with this step; after the
    last one, output over sum is the attention. The scores are scaled by the logarithm of e to the
    base 2, which the maximum and the argument of the region have in them, and the weights are powers
    of 2, unless `decomposition_config` has `use_exp2 = false`.

    * one indexing map per operand, in the order query, key, value, scale, mask if there is one,
      output, max, sum, all over the same dimensions, with as many results as the operand has
      dimensions;
    * query, key, value and the outputs have float elements;
    * the region maps a float to a float.

    ```mlir
    %1:3 = iree_linalg_ext.online_attention {indexing_maps = [#q, #k, #v, #scale, #o, #row, #row]}
        ins(%q, %k, %v, %scale : tensor<64x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, f32)
        outs(%o, %max, %sum : tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>) {
    ^bb0(%score: f32):
      iree_linalg_ext.yield %score : f32
    } -> tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>
    ```
  }];

  let arguments = (ins
    AnyRankedTensor:$query,
    AnyRankedTensor:$key,
    AnyRankedTensor:$value,
    AnyFloat:$scale,
    Optional<AnyRankedTensor>:$mask,
    AnyRankedTensor:$output,
    AnyRankedTensor:$max,
    AnyRankedTensor:$sum,
    AffineMapArrayAttr:$indexing_maps,
    OptionalAttr<DictionaryAttr>:$decomposition_config);
  let results = (outs
    AnyRankedTensor:$result,
    AnyRankedTensor:$result_max,
    AnyRankedTensor:$result_sum);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict
    `ins` `(` $query `,` $key `,` $value `,` $scale (`,` $mask^)? `:` type($query) `,` type($key)
    `,` type($value) `,` type($scale) (`,` type($mask)^)? `)`
    `outs` `(` $output `,` $max `,` $sum `:` type($output) `,` type($max) `,` type($sum) `)`
    $region `->` type($result) `,` type($result_max) `,` type($result_sum)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def LinalgExt_ScanOp : LinalgExt_Op<"scan", [Pure, SingleBlock]> {
  let summary = "what is combined so far, along one dimension";
  let description = [{
    The region combines what is there so far, its first argument, with the next element. An inclusive
    scan starts with the first element. An exclusive one starts with the accumulator, and does not
    take the last element. `last` is the last step of each row. An inclusive scan does not read the
    accumulator, and none reads the output.

    * input and output have the same shape, the accumulator lacks the dimension;
    * all have elements of one type;
    * the region maps two elements to one.

    ```mlir
    %sums, %last = iree_linalg_ext.scan dimension(1) inclusive(true)
        ins(%x : tensor<4x8xf32>) outs(%0, %1 : tensor<4x8xf32>, tensor<4xf32>) {
    ^bb0(%sum: f32, %element: f32):
      %2 = arith.addf %sum, %element : f32
      iree_linalg_ext.yield %2 : f32
    } -> tensor<4x8xf32>, tensor<4xf32>
    ```
  }];

  let arguments = (ins
    AnyRankedTensor:$input,
    AnyRankedTensor:$output,
    AnyRankedTensor:$accumulator,
    I64Attr:$dimension,
    BoolAttr:$inclusive);
  let results = (outs AnyRankedTensor:$result, AnyRankedTensor:$last);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict `dimension` `(` $dimension `)` `inclusive` `(` $inclusive `)`
    `ins` `(` $input `:` type($input) `)`
    `outs` `(` $output `,` $accumulator `:` type($output) `,` type($accumulator) `)`
    $region `->` type($result) `,` type($last)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def LinalgExt_ArgCompareOp : LinalgExt_Op<"arg_compare", [
    Pure, SingleBlock, AttrSizedOperandSegments]> {
  let summary = "the element that wins in each row, and where it is";
  let description = [{
    Goes along one dimension, from the values and positions of the outputs on. An element for which
    the region is true, given it and the winner so far, is the new winner. Its position is its index,
    plus `index_base` if there is one, or its element of `indices`.

    * `indices` has the shape of the values and the elements of the output's positions;
    * there are not both `indices` and `index_base`;
    * the outputs lack the dimension, and positions are integers or `index`;
    * the region maps two elements to an `i1`.

    ```mlir
    %value, %position = iree_linalg_ext.arg_compare dimension(1)
        ins(%x : tensor<4x8xf32>) outs(%0, %1 : tensor<4xf32>, tensor<4xi32>)
        index_base(%base : index) {
    ^bb0(%element: f32, %winner: f32):
      %2 = arith.cmpf ogt, %element, %winner : f32
      iree_linalg_ext.yield %2 : i1
    } -> tensor<4xf32>, tensor<4xi32>
    ```
  }];

  let arguments = (ins
    AnyRankedTensor:$values,
    Optional<AnyRankedTensor>:$indices,
    AnyRankedTensor:$output_value,
    AnyRankedTensor:$output_index,
    Optional<Index>:$index_base,
    I64Attr:$dimension);
  let results = (outs AnyRankedTensor:$result_value, AnyRankedTensor:$result_index);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict `dimension` `(` $dimension `)`
    `ins` `(` $values (`,` $indices^)? `:` type($values) (`,` type($indices)^)? `)`
    `outs` `(` $output_value `,` $output_index `:` type($output_value) `,` type($output_index) `)`
    (`index_base` `(` $index_base^ `:` type($index_base) `)`)?
    $region `->` type($result_value) `,` type($result_index)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def LinalgExt_GatherOp : LinalgExt_Op<"gather", [Pure, SingleBlock]> {
  let summary = "slices of a tensor, chosen by indices";
  let description = [{
    The last dimension of the indices holds the coordinates of a slice; `dimension_map` says which
    dimension of the source each of them is for. The other dimensions of the indices are the first
    ones of the output, those of the slice follow. One coordinate needs no dimension. Where the mask
    is 0, the output keeps what it had. What an index out of range reads is undefined.

    * `dimension_map` is a permutation of the first dimensions of the source, one per coordinate;
    * indices are integers or `index`, a mask is `i1` or `i8` and lacks the coordinates;
    * source and output have elements of one type;
    * a region, which IREE printed until 2025, yields its first argument.

    ```mlir
    %0 = iree_linalg_ext.gather dimension_map = [0]
        ins(%rows, %ids : tensor<100x16xf32>, tensor<8xi32>) outs(%e : tensor<8x16xf32>)
        -> tensor<8x16xf32>
    ```
  }];

  let arguments = (ins
    AnyRankedTensor:$source,
    AnyRankedTensor:$indices,
    Optional<AnyRankedTensor>:$mask,
    AnyRankedTensor:$output,
    DenseI64ArrayAttr:$dimension_map);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region AnyRegion:$region);
  let assemblyFormat = [{
    attr-dict `dimension_map` `=` $dimension_map
    `ins` `(` $source `,` $indices (`,` $mask^)? `:` type($source) `,` type($indices)
    (`,` type($mask)^)? `)`
    `outs` `(` $output `:` type($output) `)` ($region^)? `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// How many dimensions of the output are of the indices.
    int64_t getBatchRank() {
      return getOutput().getType().getRank() - getSource().getType().getRank() +
             static_cast<int64_t>(getDimensionMap().size());
    }
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def LinalgExt_ScatterOp : LinalgExt_Op<"scatter", [Pure, SingleBlock]> {
  let summary = "updates of slices of a tensor, chosen by indices";
  let description = [{
    The reverse of `gather`: the updates are slices, which the region combines with what is at their
    coordinates. Its first argument is the update, the second what is there. Where the mask is 0,
    nothing changes. With `unique_indices` no element is updated twice; otherwise updates combine in
    any order. What an index out of range does is undefined.

    * `dimension_map` is a permutation of the first dimensions of the output, one per coordinate;
    * indices are integers or `index`, a mask is `i1` or `i8` and lacks the coordinates;
    * updates and output have elements of one type, and the region maps two of them to one.

    ```mlir
    %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false)
        ins(%updates, %ids : tensor<8x16xf32>, tensor<8x1xi32>) outs(%o : tensor<100x16xf32>) {
    ^bb0(%update: f32, %original: f32):
      %1 = arith.addf %update, %original : f32
      iree_linalg_ext.yield %1 : f32
    } -> tensor<100x16xf32>
    ```
  }];

  let arguments = (ins
    AnyRankedTensor:$updates,
    AnyRankedTensor:$indices,
    Optional<AnyRankedTensor>:$mask,
    AnyRankedTensor:$original,
    DenseI64ArrayAttr:$dimension_map,
    BoolAttr:$unique_indices);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict `dimension_map` `=` $dimension_map `unique_indices` `(` $unique_indices `)`
    `ins` `(` $updates `,` $indices (`,` $mask^)? `:` type($updates) `,` type($indices)
    (`,` type($mask)^)? `)`
    `outs` `(` $original `:` type($original) `)` $region `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// How many dimensions of the updates are of the indices.
    int64_t getBatchRank() {
      return getUpdates().getType().getRank() - getOriginal().getType().getRank() +
             static_cast<int64_t>(getDimensionMap().size());
    }
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def LinalgExt_SortOp : LinalgExt_Op<"sort", [Pure, SingleBlock]> {
  let summary = "rows in the order of a comparator";
  let description = [{
    Sorts all tensors alike along one dimension. The region is true of a pair of elements that are in
    order: two arguments for each tensor, of the first and the second element. The order of elements
    that it does not tell apart is undefined.

    * there is a tensor, and all have one shape;
    * the region maps two elements of each tensor to an `i1`.

    ```mlir
    %0:2 = iree_linalg_ext.sort dimension(1) outs(%x, %i : tensor<4x8xf32>, tensor<4x8xi32>) {
    ^bb0(%a: f32, %b: f32, %i0: i32, %i1: i32):
      %1 = arith.cmpf ogt, %a, %b : f32
      iree_linalg_ext.yield %1 : i1
    } -> tensor<4x8xf32>, tensor<4x8xi32>
    ```
  }];

  let arguments = (ins Variadic<AnyRankedTensor>:$outputs, I64Attr:$dimension);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict `dimension` `(` $dimension `)` `outs` `(` $outputs `:` type($outputs) `)`
    $region `->` type($results)
  }];
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getType(unsigned index) {
      return ::llvm::cast<::mlir::RankedTensorType>(getOutputs()[index].getType());
    }
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def LinalgExt_TopkOp : LinalgExt_Op<"topk", [Pure, SingleBlock]> {
  let summary = "the first elements of each row in the order of a comparator, and where they are";
  let description = [{
    Each element, with its position or its element of `indices`, goes into the outputs if it is better
    than one there; the worst one leaves. The region is true of an element that is better than another
    one. Of equal elements the one with the smaller index is better.

    * indices have the shape of the values and the elements of the outputs for indices, in IREE `i32`;
    * outputs have the shape of the values but for the dimension;
    * the region maps two elements to an `i1`.

    ```mlir
    %0:2 = iree_linalg_ext.topk dimension(1)
        ins(%x : tensor<4x8xf32>) outs(%v, %i : tensor<4x3xf32>, tensor<4x3xi32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.cmpf ogt, %a, %b : f32
      iree_linalg_ext.yield %1 : i1
    } -> tensor<4x3xf32>, tensor<4x3xi32>
    ```
  }];

  let arguments = (ins
    AnyRankedTensor:$values,
    Optional<AnyRankedTensor>:$indices,
    AnyRankedTensor:$output_values,
    AnyRankedTensor:$output_indices,
    I64Attr:$dimension);
  let results = (outs AnyRankedTensor:$result_values, AnyRankedTensor:$result_indices);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict `dimension` `(` $dimension `)`
    `ins` `(` $values (`,` $indices^)? `:` type($values) (`,` type($indices)^)? `)`
    `outs` `(` $output_values `,` $output_indices `:` type($output_values) `,` type($output_indices) `)`
    $region `->` type($result_values) `,` type($result_indices)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def LinalgExt_TopkV2Op : LinalgExt_Op<"topk_v2", [
    Pure, SingleBlock, AttrSizedOperandSegments]> {
  let summary = "topk that may be without outputs for indices";
  let description = [{
    As `topk`, which passes make of it. The outputs for indices may be absent, and indices are of any
    integer type. Without `is_sorted` the elements may be in any order; here they are sorted all the
    same.

    * there are values and maybe indices, and outputs for values and maybe for indices;
    * indices have the shape of the values and the elements of the outputs for indices;
    * outputs have the shape of the values but for the dimension;
    * the region maps two elements to an `i1`.

    ```mlir
    %0:2 = iree_linalg_ext.topk_v2 dimension(1) is_sorted
        ins(%x : tensor<4x8xf32>) outs(%v, %i : tensor<4x3xf32>, tensor<4x3xi32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.cmpf ogt, %a, %b : f32
      iree_linalg_ext.yield %1 : i1
    } -> tensor<4x3xf32>, tensor<4x3xi32>
    ```
  }];

  let arguments = (ins
    Variadic<AnyRankedTensor>:$inputs,
    Variadic<AnyRankedTensor>:$outputs,
    I64Attr:$dimension,
    UnitAttr:$is_sorted);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict `dimension` `(` $dimension `)` (`is_sorted` $is_sorted^)?
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
    $region `->` type($results)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def LinalgExt_YieldOp : LinalgExt_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "terminator of the region of an iree_linalg_ext op";
  let description = [{
    ```mlir
    iree_linalg_ext.yield %0 : f32
    ```
  }];

  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtReadOps.td"

#endif // NPU_DIALECT_IREE_LINALGEXT_IR_LINALGEXTOPS_TD
