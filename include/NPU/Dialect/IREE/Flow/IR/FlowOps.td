//===- FlowOps.td - the part of IREE's flow dialect we read and print ------===//

#ifndef NPU_DIALECT_IREE_FLOW_IR_FLOWOPS_TD
#define NPU_DIALECT_IREE_FLOW_IR_FLOWOPS_TD

include "NPU/Dialect/IREE/Flow/IR/FlowBase.td"
include "NPU/Dialect/IREE/Flow/IR/FlowCollectiveOps.td"
include "NPU/Dialect/IREE/Flow/IR/FlowFuncOps.td"
include "NPU/Dialect/IREE/Flow/IR/FlowTensorOps.td"
include "NPU/Dialect/IREE/TensorExt/IR/TensorExtBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

def Flow_ExecutableOp : Flow_Op<"executable", [
    IsolatedFromAbove, SingleBlockImplicitTerminator<"::npu::flow::ExecutableEndOp">,
    NoRegionArguments, Symbol, SymbolTable]> {
  let summary = "code of one or more dispatches";
  let description = [{
    A container for exported entry points and the module that defines them.

    * at most one `builtin.module`, which may be absent if the code is external.

    ```mlir
    flow.executable private @ex {
      flow.executable.export public @entry
      builtin.module {
        func.func @entry() { return }
      }
    }
    ```
  }];

  let arguments = (ins OptionalAttr<StrAttr>:$sym_visibility, SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) $sym_name attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The module with the code; null if the code is external.
    ::mlir::ModuleOp getInnerModule();
    static ::llvm::StringRef getDefaultDialect() { return ""; }
  }];
}

def Flow_ExecutableEndOp : Flow_Op<"executable_end", [
    HasParent<"::npu::flow::ExecutableOp">, Terminator]> {
  let summary = "implicit terminator of an executable";
  let description = [{
    Ends the body of a `flow.executable`; it is not printed.

    ```mlir
    flow.executable_end
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Flow_ExecutableExportOp : Flow_Op<"executable.export", [
    HasParent<"::npu::flow::ExecutableOp">, IsolatedFromAbove, Symbol]> {
  let summary = "entry point of an executable";
  let description = [{
    Exports a function of the executable's module, under its own name or another. The region
    computes the number of workgroups in x, y and z from the workload.

    * the function, if the module is present, exists in it;
    * the region, if present, is one block of `index` arguments that returns three `index` values.

    ```mlir
    flow.executable.export public @entry as("name") workgroups(%w: index) -> (index, index, index) {
      flow.return %w, %w, %w : index, index, index
    }
    ```
  }];

  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    FlatSymbolRefAttr:$function_ref);
  let regions = (region AnyRegion:$workgroup_count);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) custom<SymbolAlias>($sym_name, $function_ref)
    `` custom<ExportCountRegion>($workgroup_count) attr-dict-with-keyword
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The exported function; null if the executable has no module or the function does not exist.
    ::mlir::FunctionOpInterface getFunction();
  }];
}

//===----------------------------------------------------------------------===//
// Dispatches
//===----------------------------------------------------------------------===//

def Flow_DispatchOp : Flow_Op<"dispatch", [
    Pure, AttrSizedOperandSegments, Util_ResultDims,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs an entry point of an executable";
  let description = [{
    Runs one of the entry points (all do the same) on tensors and scalars. Each untied result is a
    new tensor; a tied result is an update of the argument it is tied to. An entry point that does
    not exist is not an error: the executable may be in another file.

    * at least one entry point;
    * one size per dynamic dimension of the arguments and of the results;
    * the workload has as many operands as the entry point's count region has arguments.

    ```mlir
    %1 = flow.dispatch @ex::@entry[%w](%0, %d) : (tensor<4x?xf32>{%d}, index) -> tensor<?x4xf32>{%d}
    ```
  }];

  let arguments = (ins
    Variadic<Index>:$workload,
    SymbolRefArrayAttr:$entry_points,
    Variadic<AnyType>:$arguments,
    Variadic<Index>:$argument_dims,
    Variadic<Index>:$result_dims,
    OptionalAttr<ArrayAttr>:$tied_operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    custom<DispatchEntryPoints>($entry_points) (`[` $workload^ `]`)? `` `(` $arguments `)`
    attr-dict `:`
    custom<ShapedFunctionType>(ref($arguments), type($arguments), $argument_dims, type($results),
                               $result_dims, $tied_operands)
  }];
  let hasVerifier = 1;
}

def Flow_DispatchWorkgroupsOp : Flow_Op<"dispatch.workgroups", [
    Pure, IsolatedFromAbove, AttrSizedOperandSegments, Util_ResultDims]> {
  let summary = "dispatch whose code stands in place";
  let description = [{
    As `flow.dispatch`, with the code as a region that sees nothing but its arguments: one for each
    argument of the op (a `readonly` or, if a result is tied to it, `readwrite` tensor; or a
    scalar), then a `writeonly` tensor for each untied result.

    * one size per dynamic dimension of the arguments and of the results;
    * one block argument per argument and untied result, of a matching type;
    * the count region, if present, is one block with one `index` argument per workload operand and
      returns three `index` values.

    ```mlir
    %1 = flow.dispatch.workgroups(%0) : (tensor<4xf32>) -> tensor<4xf32> =
        (%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>,
         %b: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
      flow.return
    } count() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    ```
  }];

  let arguments = (ins
    Variadic<Index>:$workload,
    Variadic<AnyType>:$arguments,
    Variadic<Index>:$argument_dims,
    Variadic<Index>:$result_dims,
    OptionalAttr<ArrayAttr>:$tied_operands);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region AnyRegion:$workgroup_body, AnyRegion:$workgroup_count);
  let assemblyFormat = [{
    (`[` $workload^ `]`)? `` `(` $arguments `)` `:`
    custom<ShapedFunctionType>(ref($arguments), type($arguments), $argument_dims, type($results),
                               $result_dims, $tied_operands)
    attr-dict-with-keyword `=` `\n` ` ` ` ` ` `
    custom<DispatchBody>($workgroup_body) `` custom<DispatchCountRegion>($workgroup_count)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

def Flow_DispatchRegionOp : Flow_Op<"dispatch.region", [
    AttrSizedOperandSegments, RecursiveMemoryEffects, Util_ResultDims]> {
  let summary = "ops that become one dispatch";
  let description = [{
    A group of ops that a later pass isolates as `flow.dispatch.workgroups`. The body may use any
    value from outside.

    * one size per dynamic dimension of the results;
    * the body has no arguments; every `flow.return` in it returns the op's results;
    * the count region is as in `flow.dispatch.workgroups`, and may use any value from outside.

    ```mlir
    %1 = flow.dispatch.region -> (tensor<4xf32>) {
      flow.return %0 : tensor<4xf32>
    }
    ```
  }];

  let arguments = (ins Variadic<Index>:$result_dims, Variadic<Index>:$workload);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region AnyRegion:$body, AnyRegion:$workgroup_count);
  let assemblyFormat = [{
    (`[` $workload^ `]`)? `->` custom<RegionResults>(type($results), $result_dims)
    attr-dict-with-keyword $body `` custom<RegionCountRegion>($workgroup_count)
  }];
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

class Flow_WorkgroupInfoOp<string mnemonic> : Flow_PureOp<mnemonic> {
  let arguments = (ins IndexAttr:$dimension);
  let results = (outs Index:$result);
  let assemblyFormat = "`[` $dimension `]` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Flow_DispatchWorkgroupIDOp : Flow_WorkgroupInfoOp<"dispatch.workgroup.id"> {
  let summary = "index of the current workgroup in x, y or z";
  let description = [{
    * the dimension is 0, 1 or 2.

    ```mlir
    %x = flow.dispatch.workgroup.id[0] : index
    ```
  }];
}

def Flow_DispatchWorkgroupCountOp : Flow_WorkgroupInfoOp<"dispatch.workgroup.count"> {
  let summary = "number of workgroups in x, y or z";
  let description = [{
    * the dimension is 0, 1 or 2.

    ```mlir
    %x = flow.dispatch.workgroup.count[0] : index
    ```
  }];
}

def Flow_DispatchWorkgroupSizeOp : Flow_WorkgroupInfoOp<"dispatch.workgroup.size"> {
  let summary = "number of invocations of a workgroup in x, y or z";
  let description = [{
    * the dimension is 0, 1 or 2.

    ```mlir
    %x = flow.dispatch.workgroup.size[0] : index
    ```
  }];
}

def Flow_DispatchTieShapeOp : Flow_PureOp<"dispatch.tie_shape", [
    AllTypesMatch<["operand", "result"]>]> {
  let summary = "says the sizes of an operand of a dispatch";
  let description = [{
    * one size per dynamic dimension of the operand.

    ```mlir
    %1 = flow.dispatch.tie_shape %0
        : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%d}
    ```
  }];

  let arguments = (ins TensorExt_DispatchTensorType:$operand, Variadic<Index>:$dynamic_dims);
  let results = (outs TensorExt_DispatchTensorType:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` qualified(type($result)) (`{` $dynamic_dims^ `}`)?
  }];
  let hasVerifier = 1;
}

def Flow_ReturnOp : Flow_PureOp<"return", [ReturnLike, Terminator]> {
  let summary = "terminator of a region of a flow op";
  let description = [{
    ```mlir
    flow.return %x, %y, %z : index, index, index
    ```
  }];

  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // NPU_DIALECT_IREE_FLOW_IR_FLOWOPS_TD
