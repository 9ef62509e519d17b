//===- FlowFuncOps.td - extern functions and parameters of IREE's flow -----===//

#ifndef NPU_DIALECT_IREE_FLOW_IR_FLOWFUNCOPS_TD
#define NPU_DIALECT_IREE_FLOW_IR_FLOWFUNCOPS_TD

include "NPU/Dialect/IREE/Flow/IR/FlowBase.td"
include "NPU/Dialect/IREE/Util/IR/UtilTypes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

//===----------------------------------------------------------------------===//
// Functions on tensors that are defined elsewhere
//===----------------------------------------------------------------------===//

def Flow_FuncOp : Flow_Op<"func", [IsolatedFromAbove, FunctionOpInterface]> {
  let summary = "function on tensors that is defined elsewhere";
  let description = [{
    A result may be tied to an argument: it then is an update of that argument's storage.

    * `tied_operands`, if present, has one entry per result: -1 or the index of an argument.

    ```mlir
    flow.func private @extern(%arg0: tensor<?xf32>, %arg1: index) -> %arg0
    ```
  }];

  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<ArrayAttr>:$tied_operands,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    bool isDeclaration() { return isExternal(); }
  }];
}

def Flow_CallOp : Flow_Op<"call", [
    AttrSizedOperandSegments, CallOpInterface, Util_ResultDims,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call of a function on tensors that is defined elsewhere";
  let description = [{
    * the callee is a function; operand and result types are the callee's;
    * one size per dynamic dimension of the arguments and of the results.

    ```mlir
    %1 = flow.call @extern(%0, %d) : (tensor<?xf32>{%d}, index) -> %0{%d}
    ```
  }];

  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$arguments,
    Variadic<Index>:$argument_dims,
    Variadic<Index>:$result_dims,
    OptionalAttr<ArrayAttr>:$tied_operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $arguments `)` attr-dict `:`
    custom<ShapedFunctionType>(ref($arguments), type($arguments), $argument_dims, type($results),
                               $result_dims, $tied_operands)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    operand_range getArgOperands() { return getArguments(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getArgumentsMutable(); }
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(
          ::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
  }];
}

//===----------------------------------------------------------------------===//
// Parameters by computed names
//===----------------------------------------------------------------------===//

def Flow_ParameterLoadOp : Flow_Op<"parameter.load", [
    AttrSizedOperandSegments, Util_ResultDims, MemoryEffects<[MemRead]>]> {
  let summary = "tensor out of a parameter file";
  let description = [{
    Scope and key are text that the program computes; the offset is in bytes.

    * one size per dynamic dimension of the result.

    ```mlir
    %0 = flow.parameter.load %scope::%key[%offset] : tensor<?x8xf32>{%d}
    ```
  }];

  let arguments = (ins
    Optional<Util_BufferType>:$source_scope,
    Util_BufferType:$source_key,
    I64:$source_offset,
    Variadic<Index>:$result_dims);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    custom<ParameterReference>($source_scope, $source_key, $source_offset) `:` type($result)
    (`{` $result_dims^ `}`)? attr-dict-with-keyword
  }];
  let hasVerifier = 1;
}

def Flow_ParameterWriteOp : Flow_Op<"parameter.write", [
    AttrSizedOperandSegments, AllTypesMatch<["source", "result"]>]> {
  let summary = "writes a tensor to a parameter file";
  let description = [{
    The result is the source, available when it has been written.

    * one size per dynamic dimension of the source.

    ```mlir
    %1 = flow.parameter.write %0 -> %scope::%key[%offset] : tensor<?x8xf32>{%d}
    ```
  }];

  let arguments = (ins
    AnyTensor:$source,
    Variadic<Index>:$source_dims,
    Optional<Util_BufferType>:$target_scope,
    Util_BufferType:$target_key,
    I64:$target_offset);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $source `->` custom<ParameterReference>($target_scope, $target_key, $target_offset)
    `:` type($source) (`{` $source_dims^ `}`)? attr-dict-with-keyword
  }];
  let hasVerifier = 1;
}

#endif // NPU_DIALECT_IREE_FLOW_IR_FLOWFUNCOPS_TD
