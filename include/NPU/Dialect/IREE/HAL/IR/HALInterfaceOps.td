//===- HALInterfaceOps.td - what the code of an executable is given --------===//

#ifndef NPU_DIALECT_IREE_HAL_IR_HALINTERFACEOPS_TD
#define NPU_DIALECT_IREE_HAL_IR_HALINTERFACEOPS_TD

include "NPU/Dialect/IREE/HAL/IR/HALAttrs.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class HAL_WorkgroupInfoOp<string mnemonic> : HAL_PureOp<mnemonic, [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let arguments = (ins IndexAttr:$dimension, OptionalAttr<IndexAttr>:$upper_bound);
  let results = (outs Index:$result);
  let assemblyFormat = [{
    `[` $dimension `]` (`upper_bound` $upper_bound^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def HAL_InterfaceWorkgroupIDOp : HAL_WorkgroupInfoOp<"interface.workgroup.id"> {
  let summary = "index of the current workgroup in x, y or z";
  let description = [{
    * the dimension is 0, 1 or 2.

    ```mlir
    %workgroup_id_x = hal.interface.workgroup.id[0] upper_bound 65535 : index
    ```
  }];
}

def HAL_InterfaceWorkgroupCountOp : HAL_WorkgroupInfoOp<"interface.workgroup.count"> {
  let summary = "number of workgroups in x, y or z";
  let description = [{
    * the dimension is 0, 1 or 2.

    ```mlir
    %workgroup_count_x = hal.interface.workgroup.count[0] : index
    ```
  }];
}

def HAL_InterfaceWorkgroupSizeOp : HAL_WorkgroupInfoOp<"interface.workgroup.size"> {
  let summary = "number of invocations of a workgroup in x, y or z";
  let description = [{
    * the dimension is 0, 1 or 2.

    ```mlir
    %workgroup_size_x = hal.interface.workgroup.size[0] : index
    ```
  }];
}

def HAL_InterfaceConstantLoadOp : HAL_PureOp<"interface.constant.load"> {
  let summary = "constant that a launch passes";
  let description = [{
    `alignment` is a divisor of the value; `values` lists all that it can be.

    * the ordinal is less than the layout's number of constants.

    ```mlir
    %0 = hal.interface.constant.load layout(#layout) ordinal(0) alignment(16) : i32
    ```
  }];

  let arguments = (ins
    HAL_PipelineLayoutAttr:$layout,
    IndexAttr:$ordinal,
    OptionalAttr<IndexAttr>:$alignment,
    OptionalAttr<ArrayAttr>:$values);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    `layout` `(` $layout `)` `ordinal` `(` $ordinal `)` (`alignment` `(` $alignment^ `)`)?
    (`values` `(` $values^ `)`)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def HAL_InterfaceBindingSubspanOp : HAL_PureOp<"interface.binding.subspan", [
    AttrSizedOperandSegments]> {
  let summary = "part of a buffer that a launch passes";
  let description = [{
    Offset and alignment are in bytes.

    * the binding is less than the layout's number of bindings;
    * one size per dynamic dimension of the result.

    ```mlir
    %0 = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0)
        flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x16xf32>>{%d}
    ```
  }];

  let arguments = (ins
    HAL_PipelineLayoutAttr:$layout,
    IndexAttr:$binding,
    Optional<Index>:$byte_offset,
    Variadic<Index>:$dynamic_dims,
    OptionalAttr<IndexAttr>:$alignment,
    OptionalAttr<HAL_DescriptorFlags>:$descriptor_flags);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    `layout` `(` $layout `)` `binding` `(` $binding `)` (`alignment` `(` $alignment^ `)`)?
    (`offset` `(` $byte_offset^ `)`)? (`flags` `(` $descriptor_flags^ `)`)? attr-dict
    `:` type($result) (`{` $dynamic_dims^ `}`)?
  }];
  let hasVerifier = 1;
}

#endif // NPU_DIALECT_IREE_HAL_IR_HALINTERFACEOPS_TD
