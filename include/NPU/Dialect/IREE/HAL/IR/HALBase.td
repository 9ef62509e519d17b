//===- HALBase.td - IREE's hal dialect and its types -----------------------===//

#ifndef NPU_DIALECT_IREE_HAL_IR_HALBASE_TD
#define NPU_DIALECT_IREE_HAL_IR_HALBASE_TD

include "NPU/Dialect/IREE/Util/IR/ResultDims.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def HAL_Dialect : Dialect {
  let name = "hal";
  let cppNamespace = "::npu::hal";
  let summary = "IREE's buffers, devices and executables";
  let description = [{
    The types and ops of IREE's `hal` dialect by which a host program takes its inputs, gives its
    outputs and says when, and by which an executable says what it needs and offers. Names,
    attributes, operand order and syntax are IREE's. Attributes that hold other attributes, or that
    an op depends on, are defined here; all others (`#hal.device.topology` and others) are carried
    verbatim.
  }];
  let dependentDialects = ["::npu::tensor_ext::TensorExtDialect"];
  // parseAttribute tries the generated parser first and keeps the text of all others.
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr, ::mlir::DialectAsmPrinter &printer) const override;
    void registerAttributes();
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

class HAL_Op<string mnemonic, list<Trait> traits = []> : Op<HAL_Dialect, mnemonic, traits>;
class HAL_PureOp<string mnemonic, list<Trait> traits = []> :
    HAL_Op<mnemonic, !listconcat(traits, [Pure])>;

#endif // NPU_DIALECT_IREE_HAL_IR_HALBASE_TD
