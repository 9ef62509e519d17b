//===- FlowTensorOps.td - flow.tensor ops: host-side work on whole tensors -===//

#ifndef NPU_DIALECT_IREE_FLOW_IR_FLOWTENSOROPS_TD
#define NPU_DIALECT_IREE_FLOW_IR_FLOWTENSOROPS_TD

include "NPU/Dialect/IREE/Flow/IR/FlowBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

def Flow_TensorConstantOp : Flow_PureOp<"tensor.constant", [ConstantLike]> {
  let summary = "constant tensor";
  let description = [{
    * the value's type is the result's type.

    ```mlir
    %0 = flow.tensor.constant #flow.parameter.named<"model"::"w"> : tensor<4x4xf32>
    ```
  }];

  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs AnyTensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Flow_TensorDynamicConstantOp : Flow_Op<"tensor.dynamic_constant"> {
  let summary = "constant tensor whose shape the compiler must not know";
  let description = [{
    ```mlir
    %0 = flow.tensor.dynamic_constant dense<1.0> : tensor<4xf32> -> tensor<?xf32>
    ```
  }];

  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$value attr-dict `->` type($result)";
}

//===----------------------------------------------------------------------===//
// The same elements in another shape or type
//===----------------------------------------------------------------------===//

/// An op from one tensor with its sizes to another.
class Flow_TensorCastOp<string mnemonic> : Flow_PureOp<mnemonic, [
    AttrSizedOperandSegments, Util_ResultDims]> {
  let arguments = (ins AnyTensor:$source, Variadic<Index>:$source_dims,
                       Variadic<Index>:$result_dims);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $source `:` type($source) (`{` $source_dims^ `}`)? `->` type($result)
    (`{` $result_dims^ `}`)? attr-dict-with-keyword
  }];
  let hasVerifier = 1;
}

def Flow_TensorReshapeOp : Flow_TensorCastOp<"tensor.reshape"> {
  let summary = "gives a tensor another shape";
  let description = [{
    The elements and their row-major order stay.

    * one size per dynamic dimension of source and result;
    * source and result have the same element type and, if static, the same number of elements.

    ```mlir
    %1 = flow.tensor.reshape %0 : tensor<1x4x4xf32> -> tensor<16xf32>
    ```
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Flow_TensorBitCastOp : Flow_TensorCastOp<"tensor.bitcast"> {
  let summary = "reinterprets the bytes of a tensor";
  let description = [{
    * one size per dynamic dimension of source and result;
    * source and result have, if static, the same number of bits.

    ```mlir
    %1 = flow.tensor.bitcast %0 : tensor<4xi32> -> tensor<16xi8>
    ```
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Flow_TensorEncodeOp : Flow_PureOp<"tensor.encode", [
    AttrSizedOperandSegments, Util_ResultDims]> {
  let summary = "gives a tensor another layout";
  let description = [{
    `encoding_dims` are the sizes of the iteration space that the encoding leaves open.

    * one size per dynamic dimension of source and result.

    ```mlir
    %1 = flow.tensor.encode %0 encoding_dims{%m} : tensor<?xf32>{%m} -> tensor<?xf32, #encoding>{%m}
    ```
  }];

  let arguments = (ins AnyTensor:$source, Variadic<Index>:$source_dims,
                       Variadic<Index>:$result_dims, Variadic<Index>:$encoding_dims);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $source (`encoding_dims` `{` $encoding_dims^ `}`)? `:` type($source) (`{` $source_dims^ `}`)?
    `->` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword
  }];
  let hasVerifier = 1;
}

def Flow_TensorTieShapeOp : Flow_PureOp<"tensor.tie_shape", [
    AllTypesMatch<["operand", "result"]>, Util_ResultDims]> {
  let summary = "says the sizes of a tensor";
  let description = [{
    The identity.

    * one size per dynamic dimension.

    ```mlir
    %1 = flow.tensor.tie_shape %0 : tensor<?xf32>{%d}
    ```
  }];

  let arguments = (ins AnyTensor:$operand, Variadic<Index>:$dynamic_dims);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $operand `:` type($result) (`{` $dynamic_dims^ `}`)? attr-dict-with-keyword
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    ::mlir::OperandRange getResultDims() { return getDynamicDims(); }
  }];
}

def Flow_TensorCloneOp : Flow_PureOp<"tensor.clone", [
    AllTypesMatch<["operand", "result"]>, Util_ResultDims]> {
  let summary = "copies a tensor";
  let description = [{
    * one size per dynamic dimension.

    ```mlir
    %1 = flow.tensor.clone %0 : tensor<4xf32>
    ```
  }];

  let arguments = (ins AnyTensor:$operand, Variadic<Index>:$argument_dims);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $operand `:` type($result) (`{` $argument_dims^ `}`)? attr-dict-with-keyword
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::OperandRange getResultDims() { return getArgumentDims(); }
  }];
}

def Flow_TensorTransferOp : Flow_PureOp<"tensor.transfer", [
    AllTypesMatch<["operand", "result"]>, Util_ResultDims]> {
  let summary = "moves a tensor to a device";
  let description = [{
    * one size per dynamic dimension.

    ```mlir
    %1 = flow.tensor.transfer %0 : tensor<4xf32> to #hal.device.affinity<@dev>
    ```
  }];

  let arguments = (ins AnyTensor:$operand, Variadic<Index>:$argument_dims, AnyAttr:$target);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $operand `:` type($result) (`{` $argument_dims^ `}`)? `to` $target attr-dict-with-keyword
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::OperandRange getResultDims() { return getArgumentDims(); }
  }];
}

def Flow_TensorBarrierOp : Flow_PureOp<"tensor.barrier", [
    AllTypesMatch<["operand", "result"]>, Util_ResultDims]> {
  let summary = "says on which device a tensor is";
  let description = [{
    * one size per dynamic dimension.

    ```mlir
    %1 = flow.tensor.barrier %0 : tensor<4xf32> on #hal.device.affinity<@dev>
    ```
  }];

  let arguments = (ins AnyTensor:$operand, Variadic<Index>:$argument_dims, AnyAttr:$target);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $operand `:` type($result) (`{` $argument_dims^ `}`)? `on` $target attr-dict-with-keyword
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::OperandRange getResultDims() { return getArgumentDims(); }
  }];
}

//===----------------------------------------------------------------------===//
// New tensors
//===----------------------------------------------------------------------===//

def Flow_TensorAllocaOp : Flow_Op<"tensor.alloca", [Util_ResultDims]> {
  let summary = "tensor of unspecified content, of its own identity";
  let description = [{
    * one size per dynamic dimension.

    ```mlir
    %0 = flow.tensor.alloca : tensor<?xf32>{%d}
    ```
  }];

  let arguments = (ins Variadic<Index>:$result_dims);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "`:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword";
  let hasVerifier = 1;
}

def Flow_TensorEmptyOp : Flow_PureOp<"tensor.empty", [Util_ResultDims]> {
  let summary = "tensor of unspecified content";
  let description = [{
    * one size per dynamic dimension.

    ```mlir
    %0 = flow.tensor.empty : tensor<4x?xf32>{%d}
    ```
  }];

  let arguments = (ins Variadic<Index>:$result_dims);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "`:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword";
  let hasVerifier = 1;
}

def Flow_TensorSplatOp : Flow_PureOp<"tensor.splat", [
    Util_ResultDims,
    TypesMatchWith<"the value has the result's element type", "result", "value",
                   "::llvm::cast<::mlir::ShapedType>($_self).getElementType()">]> {
  let summary = "tensor of one value";
  let description = [{
    * the value has the result's element type; one size per dynamic dimension.

    ```mlir
    %0 = flow.tensor.splat %zero : tensor<4x4xf32>
    ```
  }];

  let arguments = (ins AnyType:$value, Variadic<Index>:$result_dims);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$value `:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Elements and slices
//===----------------------------------------------------------------------===//

def Flow_TensorLoadOp : Flow_PureOp<"tensor.load", [
    AttrSizedOperandSegments,
    TypesMatchWith<"the result has the source's element type", "source", "result",
                   "::llvm::cast<::mlir::ShapedType>($_self).getElementType()">]> {
  let summary = "element of a tensor";
  let description = [{
    * one index per dimension; one size per dynamic dimension.

    ```mlir
    %1 = flow.tensor.load %0[%i, %j] : tensor<4x4xf32>
    ```
  }];

  let arguments = (ins AnyTensor:$source, Variadic<Index>:$source_dims, Variadic<Index>:$indices);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $source (`[` $indices^ `]`)? `:` type($source) (`{` $source_dims^ `}`)? attr-dict-with-keyword
  }];
  let hasVerifier = 1;
}

def Flow_TensorStoreOp : Flow_PureOp<"tensor.store", [
    AttrSizedOperandSegments, AllTypesMatch<["target", "result"]>, Util_ResultDims,
    TypesMatchWith<"the value has the target's element type", "target", "value",
                   "::llvm::cast<::mlir::ShapedType>($_self).getElementType()">]> {
  let summary = "tensor with one element replaced";
  let description = [{
    * one index per dimension; one size per dynamic dimension.

    ```mlir
    %1 = flow.tensor.store %value, %0[%i, %j] : tensor<4x4xf32>
    ```
  }];

  let arguments = (ins AnyType:$value, AnyTensor:$target, Variadic<Index>:$target_dims,
                       Variadic<Index>:$indices);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $value `,` $target (`[` $indices^ `]`)? `:` type($target) (`{` $target_dims^ `}`)?
    attr-dict-with-keyword
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::OperandRange getResultDims() { return getTargetDims(); }
  }];
}

def Flow_TensorSliceOp : Flow_PureOp<"tensor.slice", [
    AttrSizedOperandSegments, Util_ResultDims]> {
  let summary = "contiguous box of a tensor";
  let description = [{
    Offsets and lengths are in elements.

    * one offset and length per dimension of the source; one size per dynamic dimension;
    * the result has the source's element type.

    ```mlir
    %1 = flow.tensor.slice %0[%i, %j for %m, %n] : tensor<4x4xf32> -> tensor<2x2xf32>
    ```
  }];

  let arguments = (ins
    AnyTensor:$source,
    Variadic<Index>:$source_dims,
    Variadic<Index>:$start_indices,
    Variadic<Index>:$lengths,
    Variadic<Index>:$result_dims);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $source `[` $start_indices `for` $lengths `]` `:` type($source) (`{` $source_dims^ `}`)? `->`
    type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Flow_TensorUpdateOp : Flow_PureOp<"tensor.update", [
    AttrSizedOperandSegments, AllTypesMatch<["target", "result"]>, Util_ResultDims]> {
  let summary = "tensor with a contiguous box replaced";
  let description = [{
    The result is an update of the target's storage, unless `tied_operands` is `[-1 : index]`. It is
    then printed without its target.

    * one offset per dimension of the target; one size per dynamic dimension;
    * target and update have the same element type and rank.

    ```mlir
    %2 = flow.tensor.update %1, %0[%i, %j] : tensor<2x2xf32> -> %0 as tensor<4x4xf32>
    ```
  }];

  let arguments = (ins
    AnyTensor:$target,
    Variadic<Index>:$target_dims,
    Variadic<Index>:$start_indices,
    AnyTensor:$update,
    Variadic<Index>:$update_dims,
    OptionalAttr<ArrayAttr>:$tied_operands);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $update `,` $target `[` $start_indices `]` `:` type($update) (`{` $update_dims^ `}`)? `->`
    custom<ShapedTiedResult>(ref($target), type($result), $target_dims, $tied_operands)
    attr-dict-with-keyword
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    ::mlir::OperandRange getResultDims() { return getTargetDims(); }
  }];
}

def Flow_TensorTraceOp : Flow_Op<"tensor.trace", [AttrSizedOperandSegments]> {
  let summary = "prints tensors when the program runs";
  let description = [{
    ```mlir
    flow.tensor.trace "key" = [%0 : tensor<?xf32>{%d}, %1 : tensor<4xf32>]
    ```
  }];

  let arguments = (ins StrAttr:$key, Variadic<AnyTensor>:$values, Variadic<Index>:$value_dims);
  let assemblyFormat = [{
    $key `=` `[` custom<ShapedOperandList>($values, type($values), $value_dims) `]`
    attr-dict-with-keyword
  }];
  let hasVerifier = 1;
}

#endif // NPU_DIALECT_IREE_FLOW_IR_FLOWTENSOROPS_TD
