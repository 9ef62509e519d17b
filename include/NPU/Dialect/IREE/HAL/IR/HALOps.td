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
    The types and ops of IREE's `hal` dialect by which a host program takes its inputs and gives its
    outputs. Names, attributes, operand order and syntax are IREE's. Attributes of the dialect
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

#endif // NPU_DIALECT_IREE_HAL_IR_HALOPS_TD
