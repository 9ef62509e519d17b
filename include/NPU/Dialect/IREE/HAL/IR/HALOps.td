//===- HALOps.td - the part of IREE's hal dialect we read and print --------===//

#ifndef NPU_DIALECT_IREE_HAL_IR_HALOPS_TD
#define NPU_DIALECT_IREE_HAL_IR_HALOPS_TD

include "NPU/Dialect/IREE/HAL/IR/HALBase.td"
include "NPU/Dialect/IREE/HAL/IR/HALExecutableOps.td"
include "NPU/Dialect/IREE/HAL/IR/HALExternOps.td"
include "NPU/Dialect/IREE/HAL/IR/HALInterfaceOps.td"

//===----------------------------------------------------------------------===//
// Tensors and buffers
//===----------------------------------------------------------------------===//

def HAL_TensorImportOp : HAL_Op<"tensor.import", [
    Pure, AttrSizedOperandSegments, Util_ResultDims]> {
  let summary = "tensor in a buffer that the caller gives";
  let description = [{
    `target_encoding` is the type as the caller sees it; the result's type may differ from it in
    shape or element type, not in the number of bytes. `wait` delays the import until a fence is
    signalled, `offset` is in bytes, `consume` passes ownership.

    * one size per dynamic dimension of the result.

    ```mlir
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<4x?xf32>{%d}
    ```
  }];

  let arguments = (ins
    HAL_AnyBuffer:$source,
    TypeAttr:$target_encoding,
    UnitAttr:$consume,
    Variadic<Index>:$target_dims,
    Optional<HAL_Fence>:$wait_fence,
    Optional<Index>:$byte_offset,
    OptionalAttr<StrAttr>:$name,
    OptionalAttr<AnyAttr>:$affinity);
  let results = (outs AnyTensor:$target);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`wait` `(` $wait_fence^ `)` `=` `` `>`)? (`consume` $consume^)?
    $source (`offset` `(` $byte_offset^ `)`)? ($name^)? `:` type($source) `->`
    custom<TypeAlias>($target_encoding, type($target)) (`{` $target_dims^ `}`)? attr-dict
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    ::mlir::OperandRange getResultDims() { return getTargetDims(); }
  }];
}

def HAL_TensorExportOp : HAL_Op<"tensor.export", [Pure]> {
  let summary = "buffer that the caller receives";
  let description = [{
    `source_encoding` is the type as the caller sees it, as in `hal.tensor.import`.

    * one size per dynamic dimension of the source.

    ```mlir
    %1 = hal.tensor.export %0 "output0" : tensor<4x4xf32> -> !hal.buffer_view
    ```
  }];

  let arguments = (ins
    AnyTensor:$source,
    TypeAttr:$source_encoding,
    Variadic<Index>:$source_dims,
    OptionalAttr<StrAttr>:$name,
    OptionalAttr<AnyAttr>:$affinity);
  let results = (outs HAL_AnyBuffer:$target);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $source ($name^)? `:`
    custom<TypeAlias>($source_encoding, type($source)) (`{` $source_dims^ `}`)? `->` type($target)
    attr-dict
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def HAL_TensorAliasOp : HAL_Op<"tensor.alias", [
    Pure, AttrSizedOperandSegments, AllTypesMatch<["source", "result"]>, Util_ResultDims]> {
  let summary = "tensor that should live in a given buffer";
  let description = [{
    The identity; the content shall be in `storage` in the end, by being computed there or by a copy.

    * one size per dynamic dimension of the source.

    ```mlir
    %1 = hal.tensor.alias wait(%fence) => %0 : tensor<4xf32> to %storage : !hal.buffer
    ```
  }];

  let arguments = (ins
    AnyTensor:$source,
    Variadic<Index>:$source_dims,
    HAL_AnyBuffer:$storage,
    Optional<HAL_Fence>:$wait_fence,
    OptionalAttr<AnyAttr>:$affinity);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`wait` `(` $wait_fence^ `)` `=` `` `>`)?
    $source `:` type($source) (`{` $source_dims^ `}`)? `to` $storage `:` type($storage) attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::OperandRange getResultDims() { return getSourceDims(); }
  }];
}

def HAL_TensorTransientsOp : HAL_Op<"tensor.transients", [
    Pure, AllTypesMatch<["source", "result"]>, Util_ResultDims]> {
  let summary = "tensor whose computation may use a given buffer for its temporaries";
  let description = [{
    The identity.

    * one size per dynamic dimension of the source.

    ```mlir
    %1 = hal.tensor.transients %0 : tensor<4xf32> from %storage : !hal.buffer
    ```
  }];

  let arguments = (ins
    AnyTensor:$source,
    Variadic<Index>:$source_dims,
    HAL_AnyBuffer:$storage,
    OptionalAttr<AnyAttr>:$affinity);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $source `:` type($source) (`{` $source_dims^ `}`)? `from` $storage
    `:` type($storage) attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::OperandRange getResultDims() { return getSourceDims(); }
  }];
}

def HAL_TensorBarrierOp : HAL_Op<"tensor.barrier", [AllTypesMatch<["sources", "results"]>]> {
  let summary = "signals a fence when tensors are available";
  let description = [{
    The identity on each tensor.

    ```mlir
    %2:2 = hal.tensor.barrier join(%0, %1 : tensor<4xf32>, tensor<2xi8>) => %fence : !hal.fence
    ```
  }];

  let arguments = (ins Variadic<AnyTensor>:$sources, HAL_Fence:$signal_fence);
  let results = (outs Variadic<AnyTensor>:$results);
  let assemblyFormat = [{
    `join` `` `(` $sources `:` type($sources) `)` `=` `` `>` $signal_fence `:`
    qualified(type($signal_fence)) attr-dict-with-keyword
  }];
}

//===----------------------------------------------------------------------===//
// Buffer views
//===----------------------------------------------------------------------===//

def HAL_BufferViewDimOp : HAL_Op<"buffer_view.dim", [Pure]> {
  let summary = "size of one dimension of a buffer view";
  let description = [{
    ```mlir
    %0 = hal.buffer_view.dim<%view : !hal.buffer_view>[1] : index
    ```
  }];

  let arguments = (ins HAL_BufferView:$buffer_view, IndexAttr:$index);
  let results = (outs Index:$result);
  let assemblyFormat = [{
    `<` $buffer_view `:` qualified(type($buffer_view)) `>` `` `[` $index `]` `:` type($result)
    attr-dict-with-keyword
  }];
}

class HAL_BufferViewQueryOp<string mnemonic, Type type> : HAL_PureOp<mnemonic> {
  let arguments = (ins HAL_BufferView:$buffer_view);
  let results = (outs type:$result);
  let assemblyFormat = [{
    `<` $buffer_view `:` qualified(type($buffer_view)) `>` `:` type($result) attr-dict-with-keyword
  }];
}

def HAL_BufferViewRankOp : HAL_BufferViewQueryOp<"buffer_view.rank", Index> {
  let summary = "number of dimensions of a buffer view";
  let description = [{
    ```mlir
    %0 = hal.buffer_view.rank<%view : !hal.buffer_view> : index
    ```
  }];
}

def HAL_BufferViewElementTypeOp : HAL_BufferViewQueryOp<"buffer_view.element_type", I32> {
  let summary = "element type of a buffer view, as a number";
  let description = [{
    ```mlir
    %0 = hal.buffer_view.element_type<%view : !hal.buffer_view> : i32
    ```
  }];
}

def HAL_BufferViewEncodingTypeOp : HAL_BufferViewQueryOp<"buffer_view.encoding_type", I32> {
  let summary = "encoding of a buffer view, as a number";
  let description = [{
    ```mlir
    %0 = hal.buffer_view.encoding_type<%view : !hal.buffer_view> : i32
    ```
  }];
}

def HAL_BufferViewBufferOp : HAL_BufferViewQueryOp<"buffer_view.buffer", HAL_Buffer> {
  let summary = "buffer of a buffer view";
  let description = [{
    ```mlir
    %0 = hal.buffer_view.buffer<%view : !hal.buffer_view> : !hal.buffer
    ```
  }];
}

def HAL_BufferViewAssertOp : HAL_Op<"buffer_view.assert"> {
  let summary = "stops the program if a buffer view is not as expected";
  let description = [{
    ```mlir
    hal.buffer_view.assert<%view : !hal.buffer_view> message("input0") shape([%m, %n])
        type(%element_type) encoding(%encoding)
    ```
  }];

  let arguments = (ins
    HAL_BufferView:$buffer_view,
    StrAttr:$message,
    I32:$element_type,
    I32:$encoding_type,
    Variadic<Index>:$shape);
  let assemblyFormat = [{
    `<` $buffer_view `:` qualified(type($buffer_view)) `>` `message` `(` $message `)`
    `shape` `(` `[` $shape `]` `)` `type` `(` $element_type `)` `encoding` `(` $encoding_type `)`
    attr-dict-with-keyword
  }];
}

def HAL_ElementTypeOp : HAL_PureOp<"element_type"> {
  let summary = "number that stands for an element type";
  let description = [{
    ```mlir
    %0 = hal.element_type<f32> : i32
    ```
  }];

  let arguments = (ins TypeAttr:$type);
  let results = (outs I32:$result);
  let assemblyFormat = "`<` $type `>` attr-dict `:` type($result)";
}

def HAL_EncodingTypeOp : HAL_PureOp<"encoding_type"> {
  let summary = "number that stands for an encoding";
  let description = [{
    Without an attribute, rows follow each other without gaps.

    ```mlir
    %0 = hal.encoding_type<dense_row_major> : i32
    ```
  }];

  let arguments = (ins OptionalAttr<AnyAttr>:$encoding);
  let results = (outs I32:$result);
  let assemblyFormat = [{
    `<` ($encoding^ `>`) : (`` `dense_row_major` `>`)? attr-dict `:` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

def HAL_FenceCreateOp : HAL_Op<"fence.create", [
    MemoryEffects<[MemAlloc]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "fence that is not signalled yet";
  let description = [{
    ```mlir
    %0 = hal.fence.create device(%device : !hal.device) flags("None") : !hal.fence
    ```
  }];

  let arguments = (ins HAL_Device:$device, I32Attr:$flags);
  let results = (outs HAL_Fence:$result);
  let assemblyFormat = [{
    `device` `(` $device `:` qualified(type($device)) `)` `flags` `(` custom<FenceFlags>($flags) `)`
    `:` qualified(type($result)) attr-dict-with-keyword
  }];
}

def HAL_FenceJoinOp : HAL_Op<"fence.join", [Pure]> {
  let summary = "fence that is signalled when all of several are";
  let description = [{
    ```mlir
    %2 = hal.fence.join at([%0, %1]) flags("None") -> !hal.fence
    ```
  }];

  let arguments = (ins Variadic<HAL_Fence>:$fences, I32Attr:$flags);
  let results = (outs HAL_Fence:$result);
  let assemblyFormat = [{
    `at` `(` `[` $fences `]` `)` `flags` `(` custom<FenceFlags>($flags) `)` `->`
    qualified(type($result)) attr-dict-with-keyword
  }];
}

def HAL_FenceAwaitOp : HAL_Op<"fence.await"> {
  let summary = "waits for fences, at most some milliseconds";
  let description = [{
    The result is a status: 0 if the fences were signalled in time.

    ```mlir
    %1 = hal.fence.await until([%0]) timeout_millis(%timeout) flags("None") : i32
    ```
  }];

  let arguments = (ins I32:$timeout_millis, Variadic<HAL_Fence>:$fences, I32Attr:$flags);
  let results = (outs I32:$status);
  let assemblyFormat = [{
    `until` `(` `[` $fences `]` `)` `timeout_millis` `(` $timeout_millis `)`
    `flags` `(` custom<FenceFlags>($flags) `)` `:` type($status) attr-dict-with-keyword
  }];
}

def HAL_FenceSignalOp : HAL_Op<"fence.signal"> {
  let summary = "signals a fence";
  let description = [{
    ```mlir
    hal.fence.signal<%0 : !hal.fence>
    ```
  }];

  let arguments = (ins HAL_Fence:$fence);
  let assemblyFormat = "`<` $fence `:` qualified(type($fence)) `>` attr-dict-with-keyword";
}

def HAL_FenceQueryOp : HAL_Op<"fence.query"> {
  let summary = "status of a fence";
  let description = [{
    ```mlir
    %1 = hal.fence.query<%0 : !hal.fence> : i32
    ```
  }];

  let arguments = (ins HAL_Fence:$fence);
  let results = (outs I32:$status);
  let assemblyFormat = [{
    `<` $fence `:` qualified(type($fence)) `>` `:` type($status) attr-dict-with-keyword
  }];
}

def HAL_FenceFailOp : HAL_Op<"fence.fail"> {
  let summary = "signals that what a fence stands for has failed";
  let description = [{
    ```mlir
    hal.fence.fail<%0 : !hal.fence> status(%status)
    ```
  }];

  let arguments = (ins HAL_Fence:$fence, I32:$status);
  let assemblyFormat = [{
    `<` $fence `:` qualified(type($fence)) `>` `status` `(` $status `)` attr-dict-with-keyword
  }];
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

def HAL_DevicesGetOp : HAL_PureOp<"devices.get", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "device by its number";
  let description = [{
    The devices of the machine that runs the program are numbered from 0.

    ```mlir
    %device_0 = hal.devices.get %c0 : !hal.device
    ```
  }];

  let arguments = (ins Index:$index);
  let results = (outs HAL_Device:$device);
  let assemblyFormat = "$index attr-dict `:` qualified(type($device))";
}

def HAL_DeviceResolveOp : HAL_Op<"device.resolve", [Pure]> {
  let summary = "device and queue that an affinity names";
  let description = [{
    ```mlir
    %device = hal.device.resolve on(#hal.device.affinity<@dev>) : !hal.device
    ```
  }];

  let arguments = (ins OptionalAttr<AnyAttr>:$affinity);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "(`on` `(` $affinity^ `)`)? attr-dict `:` type($results)";
}

def HAL_DeviceQueryOp : HAL_PureOp<"device.query", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "property of a device";
  let description = [{
    `ok` says whether the device knows the property; if not, the value is the default.

    * a default has the type of the value.

    ```mlir
    %ok, %value = hal.device.query<%device : !hal.device> key("npu" :: "cores") : i1, i32 = 1 : i32
    ```
  }];

  let arguments = (ins
    HAL_Device:$device, StrAttr:$category, StrAttr:$key,
    OptionalAttr<TypedAttrInterface>:$default_value);
  let results = (outs I1:$ok, AnyType:$value);
  let assemblyFormat = [{
    `<` $device `:` qualified(type($device)) `>` `key` `(` $category `:` `` `:` $key `)`
    `:` type($ok) `,` type($value) (`=` $default_value^)? attr-dict-with-keyword
  }];
  let hasVerifier = 1;
}

#endif // NPU_DIALECT_IREE_HAL_IR_HALOPS_TD
