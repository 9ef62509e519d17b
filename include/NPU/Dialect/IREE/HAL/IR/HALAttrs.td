//===- HALAttrs.td - attributes of IREE's hal dialect ----------------------===//

#ifndef NPU_DIALECT_IREE_HAL_IR_HALATTRS_TD
#define NPU_DIALECT_IREE_HAL_IR_HALATTRS_TD

include "NPU/Dialect/IREE/HAL/IR/HALBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"

class HAL_Attr<string name, string attrMnemonic, list<Trait> traits = []> :
    AttrDef<HAL_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===----------------------------------------------------------------------===//
// What an entry point is given
//===----------------------------------------------------------------------===//

def HAL_DescriptorType : I32EnumAttr<"DescriptorType", "what a binding is", [
    I32EnumAttrCase<"UniformBuffer", 6, "uniform_buffer">,
    I32EnumAttrCase<"StorageBuffer", 7, "storage_buffer">]> {
  let cppNamespace = "::npu::hal";
  let genSpecializedAttr = 0;
}

def HAL_DescriptorFlags : I32BitEnumAttr<"DescriptorFlags", "what is known of a binding", [
    I32BitEnumAttrCase<"None", 0>,
    I32BitEnumAttrCase<"ReadOnly", 1>,
    I32BitEnumAttrCase<"Indirect", 2>]> {
  let cppNamespace = "::npu::hal";
}

def HAL_PipelineLayoutFlags : I32BitEnumAttr<"PipelineLayoutFlags", "how bindings are passed", [
    I32BitEnumAttrCase<"None", 0>,
    I32BitEnumAttrCase<"Indirect", 1>]> {
  let cppNamespace = "::npu::hal";
  let genSpecializedAttr = 0;
}

def HAL_PipelineBindingAttr : HAL_Attr<"PipelineBinding", "pipeline.binding"> {
  let summary = "one buffer that an entry point is given";
  let description = [{
    `ReadOnly`: the entry point does not write it. `Indirect`: its address is known at launch only.

    ```mlir
    #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">
    ```
  }];
  let parameters = (ins
    EnumParameter<HAL_DescriptorType>:$type,
    OptionalParameter<"DescriptorFlags", "DescriptorFlags::None">:$flags);
  let assemblyFormat = "`<` $type (`,` $flags^)? `>`";
}

def HAL_PipelineLayoutAttr : HAL_Attr<"PipelineLayout", "pipeline.layout"> {
  let summary = "what an entry point is given";
  let description = [{
    A number of 32-bit constants, then buffers.

    ```mlir
    #hal.pipeline.layout<constants = 2, bindings = [#hal.pipeline.binding<storage_buffer>]>
    ```
  }];
  let parameters = (ins
    OptionalArrayRefParameter<"PipelineBindingAttr">:$bindings,
    OptionalParameter<"int64_t", "0">:$constants,
    OptionalParameter<"std::optional<PipelineLayoutFlags>">:$flags);
  let assemblyFormat = [{
    `<` (`constants` `=` $constants^ `,` ` `)?
    `bindings` `=` `[` (`]`) : (qualified($bindings)^ `]`)? (`,` `flags` `=` $flags^)? `>`
  }];
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

def HAL_ExecutableTargetAttr : HAL_Attr<"ExecutableTarget", "executable.target"> {
  let summary = "how an executable is compiled";
  let description = [{
    The compiler back end, the format it produces, and its options.

    ```mlir
    #hal.executable.target<"npu", "npu-binary", {cores = 4 : i64}>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$backend,
    "::mlir::StringAttr":$format,
    OptionalParameter<"::mlir::DictionaryAttr">:$configuration);
  let hasCustomAssemblyFormat = 1;
}

def HAL_ExecutableObjectAttr : HAL_Attr<"ExecutableObject", "executable.object"> {
  let summary = "file that is linked into an executable";
  let description = [{
    The content of the file may be given in place.

    ```mlir
    #hal.executable.object<{path = "kernel.bin", data = dense<0> : vector<64xi8>}>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$path, OptionalParameter<"::mlir::TypedAttr">:$data);
  let hasCustomAssemblyFormat = 1;
}

def HAL_ExecutableObjectArrayAttr : TypedArrayAttrBase<HAL_ExecutableObjectAttr,
    "array of #hal.executable.object">;

def HAL_ExecutableObjectsAttr : HAL_Attr<"ExecutableObjects", "executable.objects"> {
  let summary = "files that are linked into an executable, for each target";
  let description = [{
    ```mlir
    #hal.executable.objects<{#npu_target = [#hal.executable.object<{path = "kernel.bin"}>]}>
    ```
  }];
  let parameters = (ins
    "::mlir::ArrayAttr":$targets, "::mlir::ArrayAttr":$targetObjects);
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// An attribute that stands for a device: its type is `!hal.device`.
class HAL_DeviceAttr<string name, string attrMnemonic> : HAL_Attr<name, attrMnemonic, [
    DeclareAttrInterfaceMethods<TypedAttrInterface, ["getType"]>]>;

def HAL_DeviceTargetAttr : HAL_DeviceAttr<"DeviceTarget", "device.target"> {
  let summary = "device and the executable targets it runs";
  let description = [{
    ```mlir
    #hal.device.target<"local", {ordinal = 0 : index}, [#npu_target]> : !hal.device
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$deviceID,
    OptionalParameter<"::mlir::DictionaryAttr">:$configuration,
    OptionalArrayRefParameter<"ExecutableTargetAttr">:$executableTargets);
  let hasCustomAssemblyFormat = 1;
}

def HAL_DeviceAliasAttr : HAL_DeviceAttr<"DeviceAlias", "device.alias"> {
  let summary = "device by the name and number of its kind";
  let description = [{
    ```mlir
    #hal.device.alias<"hip"[0], {mode = "fast"}> : !hal.device
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$deviceID,
    OptionalParameter<"std::optional<int64_t>">:$ordinal,
    OptionalParameter<"::mlir::DictionaryAttr">:$configuration);
  let assemblyFormat = "`<` $deviceID `` (`[` $ordinal^ `]`)? (`,` $configuration^)? `>`";
}

def HAL_DeviceSelectAttr : HAL_DeviceAttr<"DeviceSelect", "device.select"> {
  let summary = "the first device of a list that exists";
  let description = [{
    ```mlir
    #hal.device.select<[#npu, #cpu]> : !hal.device
    ```
  }];
  let parameters = (ins "::mlir::ArrayAttr":$devices);
  let assemblyFormat = "`<` $devices `>`";
}

def HAL_DeviceAffinityAttr : HAL_Attr<"DeviceAffinity", "device.affinity"> {
  let summary = "where something runs or is";
  let description = [{
    A device and, if not all, the numbers of its queues, from 0 to 63.

    ```mlir
    #hal.device.affinity<@device, [0, 1]>
    ```
  }];
  let parameters = (ins
    "::mlir::SymbolRefAttr":$device,
    OptionalArrayRefParameter<"int64_t">:$queues);
  let assemblyFormat = "`<` $device (`,` `[` $queues^ `]`)? `>`";
  let genVerifyDecl = 1;
}

def HAL_DeviceOptimalAttr : HAL_Attr<"DeviceOptimal", "device.optimal"> {
  let summary = "the best of several places";
  let description = [{
    ```mlir
    #hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>
    ```
  }];
  let parameters = (ins "::mlir::ArrayAttr":$affinities);
  let assemblyFormat = "`<` $affinities `>`";
}

#endif // NPU_DIALECT_IREE_HAL_IR_HALATTRS_TD
