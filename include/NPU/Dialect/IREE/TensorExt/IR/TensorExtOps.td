//===- TensorExtOps.td - the part of iree_tensor_ext we read and print -----===//

#ifndef NPU_DIALECT_IREE_TENSOREXT_IR_TENSOREXTOPS_TD
#define NPU_DIALECT_IREE_TENSOREXT_IR_TENSOREXTOPS_TD

include "NPU/Dialect/IREE/TensorExt/IR/TensorExtBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

class TensorExt_Op<string mnemonic, list<Trait> traits = []> :
    Op<TensorExt_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Operands and results of a dispatch
//===----------------------------------------------------------------------===//

def TensorExt_DispatchTensorLoadOp : TensorExt_Op<"dispatch.tensor.load", [
    AttrSizedOperandSegments, OffsetSizeAndStrideOpInterface]> {
  let summary = "loads a tensor or a slice of it from an operand of a dispatch";
  let description = [{
    Offsets, sizes and strides are in elements, each either a constant or an `index` operand. Unit
    dimensions of the slice may be dropped in the result.

    * the source is `readonly` or `readwrite`;
    * `source_dims` has one size per dynamic dimension of the source;
    * one offset, size and stride per dimension of the source; a static slice lies inside it;
    * the result has the slice's shape, or that shape without some of its unit dimensions.

    ```mlir
    %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 8], sizes = [4, 8],
        strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xf32>>
        -> tensor<4x8xf32>
    ```
  }];

  let arguments = (ins
    Arg<TensorExt_DispatchTensorType, "the tensor to load from", [MemRead]>:$source,
    Variadic<Index>:$source_dims,
    Variadic<Index>:$offsets,
    Variadic<Index>:$sizes,
    Variadic<Index>:$strides,
    DenseI64ArrayAttr:$static_offsets,
    DenseI64ArrayAttr:$static_sizes,
    DenseI64ArrayAttr:$static_strides);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `,` `offsets` `=` custom<DynamicIndexList>($offsets, $static_offsets)
    `,` `sizes` `=` custom<DynamicIndexList>($sizes, $static_sizes)
    `,` `strides` `=` custom<DynamicIndexList>($strides, $static_strides)
    attr-dict `:` qualified(type($source)) (`{` $source_dims^ `}`)? `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the op loads the whole source, dimension by dimension.
    bool isFullLoad();
    std::array<unsigned, 3> getArrayAttrMaxRanks();
    /// True of static shapes only: the sizes of a dynamic shape stand before the offsets.
    static unsigned getOffsetSizeAndStrideStartOperandIndex() { return 1; }
  }];
}

def TensorExt_DispatchTensorStoreOp : TensorExt_Op<"dispatch.tensor.store", [
    AttrSizedOperandSegments, OffsetSizeAndStrideOpInterface]> {
  let summary = "stores a tensor into a result of a dispatch or a slice of it";
  let description = [{
    The counterpart of `dispatch.tensor.load`.

    * the target is `writeonly` or `readwrite`;
    * `target_dims` has one size per dynamic dimension of the target;
    * one offset, size and stride per dimension of the target; a static slice lies inside it;
    * the value has the slice's shape, or that shape without some of its unit dimensions.

    ```mlir
    iree_tensor_ext.dispatch.tensor.store %0, %arg1, offsets = [0, 0], sizes = [4, 16],
        strides = [1, 1] : tensor<4x16xf32>
        -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x16xf32>>
    ```
  }];

  let arguments = (ins
    AnyRankedTensor:$value,
    Arg<TensorExt_DispatchTensorType, "the tensor to store to", [MemWrite]>:$target,
    Variadic<Index>:$target_dims,
    Variadic<Index>:$offsets,
    Variadic<Index>:$sizes,
    Variadic<Index>:$strides,
    DenseI64ArrayAttr:$static_offsets,
    DenseI64ArrayAttr:$static_sizes,
    DenseI64ArrayAttr:$static_strides);
  let assemblyFormat = [{
    $value `,` $target `,` `offsets` `=` custom<DynamicIndexList>($offsets, $static_offsets)
    `,` `sizes` `=` custom<DynamicIndexList>($sizes, $static_sizes)
    `,` `strides` `=` custom<DynamicIndexList>($strides, $static_strides)
    attr-dict `:` type($value) `->` qualified(type($target)) (`{` $target_dims^ `}`)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the op stores the whole target, dimension by dimension.
    bool isFullStore();
    std::array<unsigned, 3> getArrayAttrMaxRanks();
    /// True of static shapes only: the sizes of a dynamic shape stand before the offsets.
    static unsigned getOffsetSizeAndStrideStartOperandIndex() { return 2; }
  }];
}

//===----------------------------------------------------------------------===//
// Workload and workgroup count
//===----------------------------------------------------------------------===//

def TensorExt_DispatchWorkloadOrdinalOp : TensorExt_Op<"dispatch.workload.ordinal", [
    Pure, AllTypesMatch<["operand", "result"]>]> {
  let summary = "says which workload value an index in the body is";
  let description = [{
    The identity; `ordinal` is the position of the value in the workload of the dispatch.

    ```mlir
    %1 = iree_tensor_ext.dispatch.workload.ordinal %0, 2 : index
    ```
  }];

  let arguments = (ins Index:$operand, IndexAttr:$ordinal);
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict $operand `,` $ordinal `:` type($operand)";
}

class TensorExt_WorkgroupCountOp<string mnemonic> : TensorExt_Op<mnemonic, [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let arguments = (ins Variadic<Index>:$operands);
  let results = (outs Index:$x, Index:$y, Index:$z);
  let assemblyFormat = "attr-dict `(` $operands `)`";
}

def TensorExt_DispatchWorkgroupCountFromSliceOp :
    TensorExt_WorkgroupCountOp<"dispatch.workgroup_count_from_slice"> {
  let summary = "workgroup count that follows from the slice of the body that computes it";
  let description = [{
    A placeholder for the number of workgroups; the operands are workload values.

    ```mlir
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%w0)
    ```
  }];
}

def TensorExt_DispatchWorkgroupCountFromDagRootOp :
    TensorExt_WorkgroupCountOp<"dispatch.workgroup_count_from_dag_root"> {
  let summary = "workgroup count that follows from the iteration space of the root op";
  let description = [{
    An older form of `dispatch.workgroup_count_from_slice`: the operands are the sizes of the root
    op's loops. Dumps made since April 2026 do not contain it.

    ```mlir
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_dag_root(%w0, %w1)
    ```
  }];
}

def TensorExt_DispatchWorkgroupCountSplitReductionModifierOp :
    TensorExt_Op<"dispatch.workgroup_count_split_reduction_modifier", [Pure]> {
  let summary = "workgroup count multiplied by the parts of a split reduction";
  let description = [{
    ```mlir
    %a, %b, %c = iree_tensor_ext.dispatch.workgroup_count_split_reduction_modifier
        workgroups(%x, %y, %z) workload(%w0)
    ```
  }];

  let arguments = (ins Index:$x, Index:$y, Index:$z, Variadic<Index>:$workload);
  let results = (outs Index:$result_x, Index:$result_y, Index:$result_z);
  let assemblyFormat = [{
    attr-dict `workgroups` `(` $x `,` $y `,` $z `)` `workload` `(` $workload `)`
  }];
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

def TensorExt_BitCastOp : TensorExt_Op<"bitcast", [Pure, AttrSizedOperandSegments]> {
  let summary = "reinterprets the bytes of a tensor";
  let description = [{
    * one size per dynamic dimension of source and result; both have the same number of bits.

    ```mlir
    %1 = iree_tensor_ext.bitcast %0 : tensor<4xi32> -> tensor<16xi8>
    ```
  }];

  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$source_dims,
                       Variadic<Index>:$result_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `:` type($source) (`{` $source_dims^ `}`)? `->` type($result)
    (`{` $result_dims^ `}`)? attr-dict
  }];
  let hasVerifier = 1;
}

class TensorExt_ComputeBarrierOp<string mnemonic> : TensorExt_Op<mnemonic, [
    Pure, AllTypesMatch<["value", "result"]>]> {
  let arguments = (ins AnyRankedTensor:$value, Variadic<Index>:$value_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $value `:` type($value) (`{` $value_dims^ `}`)? `->` type($result) attr-dict
  }];
  let hasVerifier = 1;
}

def TensorExt_ComputeBarrierStartOp : TensorExt_ComputeBarrierOp<"compute_barrier.start"> {
  let summary = "where computation on an input begins";
  let description = [{
    The identity; no reshape or cast moves upwards across it.

    ```mlir
    %1 = iree_tensor_ext.compute_barrier.start %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def TensorExt_ComputeBarrierEndOp : TensorExt_ComputeBarrierOp<"compute_barrier.end"> {
  let summary = "where computation on an output ends";
  let description = [{
    The identity; no reshape or cast moves downwards across it.

    ```mlir
    %1 = iree_tensor_ext.compute_barrier.end %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

#endif // NPU_DIALECT_IREE_TENSOREXT_IR_TENSOREXTOPS_TD
