//===- HALExecutableOps.td - executables of IREE's hal dialect -------------===//

#ifndef NPU_DIALECT_IREE_HAL_IR_HALEXECUTABLEOPS_TD
#define NPU_DIALECT_IREE_HAL_IR_HALEXECUTABLEOPS_TD

include "NPU/Dialect/IREE/HAL/IR/HALAttrs.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Containers
//===----------------------------------------------------------------------===//

class HAL_ContainerOp<string mnemonic, string endOp, list<Trait> traits = []> :
    HAL_Op<mnemonic, !listconcat(traits, [
      IsolatedFromAbove, SingleBlockImplicitTerminator<"::npu::hal::" # endOp>, NoRegionArguments,
      Symbol, SymbolTable])> {
  let regions = (region SizedRegion<1>:$body);
}

class HAL_EndOp<string mnemonic, string parent> : HAL_Op<mnemonic, [
    HasParent<"::npu::hal::" # parent>, Terminator]> {
  let summary = "implicit terminator";
  let description = [{
    Ends the body of its parent; it is not printed.
  }];
  let assemblyFormat = "attr-dict";
}

def HAL_ExecutableOp : HAL_ContainerOp<"executable", "ExecutableEndOp"> {
  let summary = "code of dispatches, for one or more targets";
  let description = [{
    Holds one `hal.executable.variant` per target or, when they have been compiled, one
    `hal.executable.binary` per target.

    ```mlir
    hal.executable private @ex {
      hal.executable.variant public @npu target(<"npu", "npu-binary">) {
      }
    }
    ```
  }];

  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility, UnitAttr:$lazy, SymbolNameAttr:$sym_name);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) (`lazy` $lazy^)? $sym_name attr-dict-with-keyword
    $body
  }];
}
def HAL_ExecutableEndOp : HAL_EndOp<"executable_end", "ExecutableOp">;

def HAL_ExecutableSourceOp : HAL_ContainerOp<"executable.source", "ExecutableSourceEndOp"> {
  let summary = "code of dispatches, for no target yet";
  let description = [{
    * at most one `builtin.module`, which may be absent if the code is external.

    ```mlir
    hal.executable.source private @ex attributes {objects = #hal.executable.objects<{}>} {
    }
    ```
  }];

  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    OptionalAttr<HAL_ExecutableObjectsAttr>:$objects);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) $sym_name attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The module with the code; null if the code is external.
    ::mlir::ModuleOp getInnerModule();
  }];
}
def HAL_ExecutableSourceEndOp : HAL_EndOp<"executable.source_end", "ExecutableSourceOp">;

def HAL_ExecutableVariantOp : HAL_ContainerOp<"executable.variant", "ExecutableVariantEndOp", [
    HasParent<"::npu::hal::ExecutableOp">]> {
  let summary = "code of dispatches, for one target";
  let description = [{
    The entry points, the module that defines them unless the code is external, the constants it is
    loaded with, and a condition for its use. `objects` are files to link.

    * at most one `builtin.module` and one `hal.executable.condition`.

    ```mlir
    hal.executable.variant public @npu target(<"npu", "npu-binary">)
        objects([#hal.executable.object<{path = "kernel.bin"}>]) {
    }
    ```
  }];

  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    HAL_ExecutableTargetAttr:$target,
    OptionalAttr<HAL_ExecutableObjectArrayAttr>:$objects,
    OptionalAttr<DictionaryAttr>:$sources);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) $sym_name `target` `(` $target `)`
    (`objects` `(` $objects^ `)`)? (`sources` `(` $sources^ `)`)? attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The module with the code; null if the code is external.
    ::mlir::ModuleOp getInnerModule();
  }];
}
def HAL_ExecutableVariantEndOp : HAL_EndOp<"executable.variant_end", "ExecutableVariantOp">;

def HAL_ExecutableBinaryOp : HAL_Op<"executable.binary", [
    HasParent<"::npu::hal::ExecutableOp">, Symbol]> {
  let summary = "compiled code of dispatches";
  let description = [{
    ```mlir
    hal.executable.binary public @npu attributes {
      data = dense<0> : vector<64xi8>, format = "npu-binary", mime_type = "application/octet-stream"}
    ```
  }];

  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    StrAttr:$format,
    TypedAttrInterface:$data,
    OptionalAttr<StrAttr>:$mime_type);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) $sym_name attr-dict-with-keyword
  }];
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

def HAL_ExecutableExportOp : HAL_Op<"executable.export", [
    IsolatedFromAbove, Symbol,
    ParentOneOf<["::npu::hal::ExecutableSourceOp", "::npu::hal::ExecutableVariantOp"]>]> {
  let summary = "entry point of an executable";
  let description = [{
    `layout` is what the entry point is given. The count region computes the number of workgroups in
    x, y and z from the device and the workload; the condition region says whether the entry point
    may run, and the entry point that `fallback` names runs if not.

    * both regions, if present, are one block that takes a `!hal.device` and the workload, `index`
      values; the count returns three `index` values, the condition an `i1`;
    * a condition needs a fallback, which is an entry point of the same executable with the same
      layout and workload.

    ```mlir
    hal.executable.export public @entry ordinal(0)
        layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>)
        count(%device: !hal.device, %w: index) -> (index, index, index) {
      hal.return %w, %w, %w : index, index, index
    } attributes {workgroup_size = [64 : index, 1 : index, 1 : index]}
    ```
  }];

  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    OptionalAttr<IndexAttr>:$ordinal,
    HAL_PipelineLayoutAttr:$layout,
    OptionalAttr<FlatSymbolRefAttr>:$condition_fallback,
    OptionalAttr<ArrayAttr>:$workgroup_size,
    OptionalAttr<IndexAttr>:$subgroup_size,
    OptionalAttr<IndexAttr>:$workgroup_local_memory,
    OptionalAttr<DictionaryAttr>:$source_locs);
  let regions = (region AnyRegion:$condition, AnyRegion:$workgroup_count);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) $sym_name (`ordinal` `(` $ordinal^ `)`)?
    `layout` `(` custom<FullLayout>($layout) `)` `` custom<ExportCondition>($condition)
    (`fallback` `(` $condition_fallback^ `)`)? `` custom<ExportCount>($workgroup_count)
    attr-dict-with-keyword
  }];
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Code that runs when an executable is loaded
//===----------------------------------------------------------------------===//

def HAL_ExecutableConditionOp : HAL_Op<"executable.condition", [
    IsolatedFromAbove, HasParent<"::npu::hal::ExecutableVariantOp">]> {
  let summary = "whether a device can run a variant";
  let description = [{
    * the body is one block that takes a `!hal.device` and returns an `i1`.

    ```mlir
    hal.executable.condition(%device: !hal.device) -> i1 {
      %ok, %value = hal.device.query<%device : !hal.device> key("npu" :: "v1") : i1, i1
      hal.return %value : i1
    }
    ```
  }];

  let arguments = (ins
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def HAL_ExecutableConstantBlockOp : HAL_Op<"executable.constant.block", [
    IsolatedFromAbove,
    ParentOneOf<["::npu::hal::ExecutableSourceOp", "::npu::hal::ExecutableVariantOp"]>]> {
  let summary = "constants that are known when an executable is loaded";
  let description = [{
    * the body takes nothing or a `!hal.device` and returns one value per key.

    ```mlir
    hal.executable.constant.block(%device: !hal.device) -> (i32, i32) as ("a", "b") {
      %0 = arith.constant 1 : i32
      hal.return %0, %0 : i32, i32
    }
    ```
  }];

  let arguments = (ins
    TypeAttrOf<FunctionType>:$function_type,
    ArrayAttr:$keys,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def HAL_ExecutableConstantLoadOp : HAL_PureOp<"executable.constant.load"> {
  let summary = "constant that is known when the executable is loaded";
  let description = [{
    ```mlir
    %0 = hal.executable.constant.load "a" : i32
    ```
  }];

  let arguments = (ins StrAttr:$key);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$key attr-dict `:` type($result)";
}

def HAL_ReturnOp : HAL_PureOp<"return", [ReturnLike, Terminator]> {
  let summary = "terminator of a region of a hal op";
  let description = [{
    ```mlir
    hal.return %x, %y, %z : index, index, index
    ```
  }];

  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // NPU_DIALECT_IREE_HAL_IR_HALEXECUTABLEOPS_TD
