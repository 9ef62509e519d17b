//===- HALOps.td - the part of IREE's hal dialect we read and print --------===//

#ifndef NPU_DIALECT_IREE_HAL_IR_HALOPS_TD
#define NPU_DIALECT_IREE_HAL_IR_HALOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def HAL_Dialect : Dialect {
  let name = "hal";
  let cppNamespace = "::npu::hal";
  let summary = "IREE's buffers and devices, as far as host programs name them";
  let description = [{
    The types and ops of IREE's `hal` dialect by which a host program takes its inputs, gives its
    outputs and says when. Names, attributes, operand order and syntax are IREE's. Attributes of the dialect
    (`#hal.device.target` and others) are carried verbatim.
  }];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class HAL_Type<string name, string typeMnemonic, string what> : TypeDef<HAL_Dialect, name> {
  let mnemonic = typeMnemonic;
  let summary = what;
  let description = "A handle; nothing in this project looks inside it.";
}

def HAL_Allocator : HAL_Type<"Allocator", "allocator", "source of buffers">;
def HAL_Buffer : HAL_Type<"Buffer", "buffer", "bytes in device or host memory">;
def HAL_BufferView : HAL_Type<"BufferView", "buffer_view", "buffer with a shape and element type">;
def HAL_Channel : HAL_Type<"Channel", "channel", "channel for collective operations">;
def HAL_CommandBuffer : HAL_Type<"CommandBuffer", "command_buffer", "recorded commands">;
def HAL_Device : HAL_Type<"Device", "device", "device that runs commands">;
def HAL_Event : HAL_Type<"Event", "event", "ordering point inside a command buffer">;
def HAL_Executable : HAL_Type<"Executable", "executable", "loaded device code">;
def HAL_Fence : HAL_Type<"Fence", "fence", "set of points in time to wait for or signal">;
def HAL_File : HAL_Type<"File", "file", "file a device reads or writes">;
def HAL_Semaphore : HAL_Type<"Semaphore", "semaphore", "timeline semaphore">;

def HAL_AnyBuffer : AnyTypeOf<[HAL_Buffer, HAL_BufferView]>;

//===----------------------------------------------------------------------===//
// Tensors and buffers
//===----------------------------------------------------------------------===//

class HAL_Op<string mnemonic, list<Trait> traits = []> : Op<HAL_Dialect, mnemonic, traits>;

def HAL_TensorImportOp : HAL_Op<"tensor.import", [Pure, AttrSizedOperandSegments]> {
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
}

def HAL_TensorAliasOp : HAL_Op<"tensor.alias", [
    Pure, AttrSizedOperandSegments, AllTypesMatch<["source", "result"]>]> {
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
}

def HAL_TensorTransientsOp : HAL_Op<"tensor.transients", [
    Pure, AllTypesMatch<["source", "result"]>]> {
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

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

def HAL_FenceCreateOp : HAL_Op<"fence.create", [MemoryEffects<[MemAlloc]>]> {
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

#endif // NPU_DIALECT_IREE_HAL_IR_HALOPS_TD
