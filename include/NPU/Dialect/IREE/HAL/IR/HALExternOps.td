//===- HALExternOps.td - dispatches of code that is compiled elsewhere -----===//

#ifndef NPU_DIALECT_IREE_HAL_IR_HALEXTERNOPS_TD
#define NPU_DIALECT_IREE_HAL_IR_HALEXTERNOPS_TD

include "NPU/Dialect/IREE/HAL/IR/HALAttrs.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def HAL_DispatchExternOp : HAL_Op<"dispatch.extern", [
    Pure, IsolatedFromAbove, AttrSizedOperandSegments, Util_ResultDims]> {
  let summary = "runs code that is compiled elsewhere";
  let description = [{
    As `flow.dispatch`, of an entry point for which there are only files to link: one list of files
    per target, with the number of the entry point in them. The first target whose condition holds
    runs; a target without a condition always can. The count region computes the number of
    workgroups from the device and the workload, `layout` is what the entry point is given.
    `--npu-flow-outline-dispatch-externs` makes an executable of it.

    * one size per dynamic dimension of the arguments and of the results;
    * a name of the entry point and a format of each target, which are not empty;
    * the count region, if present, is one block that takes a `!hal.device` and one `index` per
      workload operand, and returns three `index` values;
    * as many ordinals, lists of files and conditions as targets; a condition, if present, is one
      block that takes a `!hal.device` and returns an `i1`.

    ```mlir
    %1 = hal.dispatch.extern "entry"[%w](%0) : (tensor<?xf32>{%w}) -> tensor<?xf32>{%w}
      count(%device: !hal.device, %n: index) -> (index, index, index) {
        hal.return %n, %n, %n : index, index, index
      }
      layout(#hal.pipeline.layout<bindings = [
        #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>)
      objects({
        #hal.executable.target<"npu", "npu-binary"> if(%device: !hal.device) -> i1 {
          %ok, %value = hal.device.query<%device : !hal.device> key("npu" :: "v1") : i1, i1
          hal.return %value : i1
        } ordinal(0) = [#hal.executable.object<{path = "kernel.bin"}>]
      })
    ```
  }];

  let arguments = (ins
    Variadic<Index>:$workload,
    Variadic<AnyType>:$arguments,
    Variadic<Index>:$argument_dims,
    Variadic<Index>:$result_dims,
    OptionalAttr<ArrayAttr>:$tied_operands,
    StrAttr:$export_name,
    HAL_PipelineLayoutAttr:$layout,
    TypedArrayAttrBase<HAL_ExecutableTargetAttr, "targets">:$targets,
    TypedArrayAttrBase<IndexAttr, "numbers">:$target_ordinals,
    TypedArrayAttrBase<HAL_ExecutableObjectArrayAttr, "lists of files">:$target_objects,
    OptionalAttr<ArrayAttr>:$workgroup_size,
    OptionalAttr<IndexAttr>:$subgroup_size,
    OptionalAttr<IndexAttr>:$workgroup_local_memory);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region AnyRegion:$workgroup_count, VariadicRegion<AnyRegion>:$target_regions);
  let assemblyFormat = [{
    $export_name (`[` $workload^ `]`)? `` `(` $arguments `)` `:`
    custom<ShapedFunctionType>(ref($arguments), type($arguments), $argument_dims, type($results),
                               $result_dims, $tied_operands)
    `` custom<ExportCount>($workgroup_count) `layout` `(` custom<FullLayout>($layout) `)`
    custom<ExternObjects>($targets, $target_ordinals, $target_objects, $target_regions)
    attr-dict-with-keyword
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif // NPU_DIALECT_IREE_HAL_IR_HALEXTERNOPS_TD
