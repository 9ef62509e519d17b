//===- UtilOps.td - the part of IREE's util dialect we read and print ------===//

#ifndef NPU_DIALECT_IREE_UTIL_IR_UTILOPS_TD
#define NPU_DIALECT_IREE_UTIL_IR_UTILOPS_TD

include "NPU/Dialect/IREE/Util/IR/UtilTypes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Util_Op<string mnemonic, list<Trait> traits = []> : Op<Util_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def Util_IntAssumptionAttr : AttrDef<Util_Dialect, "IntAssumption"> {
  let mnemonic = "int.assumption";
  let summary = "what is known of an integer";
  let description = [{
    Unsigned bounds, both inclusive, and a divisor; each may be absent.

    ```mlir
    #util.int.assumption<umin = 16, umax = 128, udiv = 16>
    ```
  }];
  let parameters = (ins
    OptionalParameter<"std::optional<uint64_t>">:$umin,
    OptionalParameter<"std::optional<uint64_t>">:$umax,
    OptionalParameter<"std::optional<uint64_t>">:$udiv);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def Util_FuncOp : Util_Op<"func", [
    AffineScope, AutomaticAllocationScope, IsolatedFromAbove, FunctionOpInterface]> {
  let summary = "host function";
  let description = [{
    A function of the host program. A result may be tied to an argument: it then is an update of
    that argument's storage.

    * `tied_operands`, if present, has one entry per result: -1 or the index of an argument.

    ```mlir
    util.func public @main(%arg0: !hal.buffer_view) -> !hal.buffer_view {
      util.return %arg0 : !hal.buffer_view
    }
    util.func private @update(%arg0: tensor<4xf32>) -> %arg0
    ```
  }];

  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<ArrayAttr>:$tied_operands,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    OptionalAttr<AnyAttr>:$inlining_policy);
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

def Util_CallOp : Util_Op<"call", [
    CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call of a host function";
  let description = [{
    Calls a function by its symbol. A result may be tied to an operand.

    * the callee exists and is a function; operand and result types are the callee's.

    ```mlir
    %0 = util.call @f(%a, %b) : (tensor<4xf32>, index) -> %a
    ```
  }];

  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$operands,
    OptionalAttr<ArrayAttr>:$tied_operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $operands `)` attr-dict `:`
    custom<TiedFunctionType>(ref($operands), type($operands), type($results), $tied_operands)
  }];
  let extraClassDeclaration = [{
    operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getOperandsMutable(); }
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(
          ::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
  }];
}

def Util_ReturnOp : Util_Op<"return", [
    ParentOneOf<["::npu::util::FuncOp", "::npu::util::InitializerOp"]>, Pure, ReturnLike,
    Terminator]> {
  let summary = "return from a host function or an initializer";
  let description = [{
    * the operand types are the function's result types.

    ```mlir
    util.return %0, %1 : !hal.buffer_view, index
    ```
  }];

  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

def Util_InitializerOp : Util_Op<"initializer", [CallableOpInterface, IsolatedFromAbove]> {
  let summary = "code that runs once, before any host function";
  let description = [{
    Initializers and the initial values of globals take effect in the order in which they stand in
    the module. An initializer may store to immutable globals.

    ```mlir
    util.initializer {
      %0 = arith.constant 4 : i32
      util.global.store %0, @four : i32
      util.return
    }
    ```
  }];

  let regions = (region AnyRegion:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  // Nothing calls it, but passes on code find it as they find functions.
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return {}; }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return {}; }
    ::mlir::ArrayAttr getArgAttrsAttr() { return nullptr; }
    ::mlir::ArrayAttr getResAttrsAttr() { return nullptr; }
    void setArgAttrsAttr(::mlir::ArrayAttr) {}
    void setResAttrsAttr(::mlir::ArrayAttr) {}
    ::mlir::Attribute removeArgAttrsAttr() { return nullptr; }
    ::mlir::Attribute removeResAttrsAttr() { return nullptr; }
  }];
}

def Util_GlobalOp : Util_Op<"global", [Symbol]> {
  let summary = "global variable";
  let description = [{
    A value that lives as long as the module's instance. Without `mutable` it is set by its initial
    value or by an initializer and never again. The initial value may be data (`dense<...>`) or a
    named parameter, whose data is given at load time.

    ```mlir
    util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<64x64xf32>
    util.global private mutable @state : tensor<4xf32>
    ```
  }];

  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    TypeAttr:$type,
    UnitAttr:$is_mutable,
    OptionalAttr<TypedAttrInterface>:$initial_value,
    OptionalAttr<AnyAttr>:$inlining_policy);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) (`mutable` $is_mutable^)? $sym_name attr-dict
    custom<TypeOrAttr>($type, $initial_value)
  }];
  let hasVerifier = 1;
}

def Util_GlobalLoadOp : Util_Op<"global.load", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "value of a global";
  let description = [{
    * the global exists and has the result's type; `immutable` may be said of immutable globals only.

    ```mlir
    %w = util.global.load immutable @w : tensor<64x64xf32>
    ```
  }];

  let arguments = (ins UnitAttr:$is_immutable, FlatSymbolRefAttr:$global);
  let results = (outs AnyType:$result);
  let assemblyFormat = "(`immutable` $is_immutable^)? $global attr-dict `:` type($result)";
}

def Util_GlobalStoreOp : Util_Op<"global.store", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "sets a global";
  let description = [{
    * the global exists and has the value's type; it is mutable, or the op is in an initializer.

    ```mlir
    util.global.store %0, @state : tensor<4xf32>
    ```
  }];

  let arguments = (ins AnyType:$value, FlatSymbolRefAttr:$global);
  let assemblyFormat = "$value `,` $global attr-dict `:` type($value)";
}

def Util_GlobalAddressOp : Util_Op<"global.address", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "address of a global";
  let description = [{
    * the global exists and has the type that the pointer points to.

    ```mlir
    %ptr_w = util.global.address @w : !util.ptr<tensor<64x64xf32>>
    ```
  }];

  let arguments = (ins UnitAttr:$is_immutable, FlatSymbolRefAttr:$global);
  let results = (outs Util_PtrType:$result);
  let assemblyFormat = [{
    (`immutable` $is_immutable^)? $global attr-dict `:` qualified(type($result))
  }];
}

def Util_GlobalLoadIndirectOp : Util_Op<"global.load.indirect", [
    MemoryEffects<[MemRead]>,
    TypesMatchWith<"the result has the type that the pointer points to", "global", "result",
                   "::llvm::cast<PtrType>($_self).getTargetType()">]> {
  let summary = "value of the global at an address";
  let description = [{
    * the result has the type that the pointer points to.

    ```mlir
    %0 = util.global.load.indirect %ptr_w : !util.ptr<tensor<64x64xf32>> -> tensor<64x64xf32>
    ```
  }];

  let arguments = (ins UnitAttr:$is_immutable, Util_PtrType:$global);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    (`immutable` $is_immutable^)? $global attr-dict `:` qualified(type($global)) `->` type($result)
  }];
}

def Util_GlobalStoreIndirectOp : Util_Op<"global.store.indirect", [
    MemoryEffects<[MemWrite]>,
    TypesMatchWith<"the value has the type that the pointer points to", "global", "value",
                   "::llvm::cast<PtrType>($_self).getTargetType()">]> {
  let summary = "sets the global at an address";
  let description = [{
    * the value has the type that the pointer points to.

    ```mlir
    util.global.store.indirect %0, %ptr_w : tensor<64x64xf32> -> !util.ptr<tensor<64x64xf32>>
    ```
  }];

  let arguments = (ins AnyType:$value, Util_PtrType:$global);
  let assemblyFormat = [{
    $value `,` $global attr-dict `:` type($value) `->` qualified(type($global))
  }];
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

def Util_OptimizationBarrierOp : Util_Op<"optimization_barrier"> {
  let summary = "identity that no optimization looks through";
  let description = [{
    * the result types are the operand types.

    ```mlir
    %1 = util.optimization_barrier %0 : tensor<4xf32>
    ```
  }];

  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($operands^ `:` custom<SameTypes>(type($operands), type($results)))?";
  let hasVerifier = 1;
}

def Util_UnfoldableConstantOp : Util_Op<"unfoldable_constant"> {
  let summary = "constant that no optimization looks through";
  let description = [{
    * the value's type is the result's type.

    ```mlir
    %0 = util.unfoldable_constant dense<1.0> : tensor<4xf32>
    ```
  }];

  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs AnyType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Util_AssumeIntOp : Util_Op<"assume.int", [Pure]> {
  let summary = "says what is known of integers";
  let description = [{
    The identity. An operand may have several assumptions, in brackets, one for each place from which
    the value comes.

    * the result types are the operand types;
    * one list of assumptions for each operand, all of the same length or of length one.

    ```mlir
    %1 = util.assume.int %0<umin = 16, umax = 128, udiv = 16> : index
    %2 = util.assume.int %0[<umin = 0>, <udiv = 4>] : index
    ```
  }];

  let arguments = (ins Variadic<AnySignlessIntegerOrIndex>:$operands, ArrayAttr:$assumptions);
  let results = (outs Variadic<AnySignlessIntegerOrIndex>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Util_AlignOp : Util_Op<"align", [Pure, AllTypesMatch<["value", "alignment", "result"]>]> {
  let summary = "rounds up to a multiple";
  let description = [{
    The alignment is a power of two.

    ```mlir
    %1 = util.align %0, %alignment : index
    ```
  }];

  let arguments = (ins AnySignlessIntegerOrIndex:$value, AnySignlessIntegerOrIndex:$alignment);
  let results = (outs AnySignlessIntegerOrIndex:$result);
  let assemblyFormat = "$value `,` $alignment attr-dict `:` type($result)";
}

def Util_NullOp : Util_Op<"null", [Pure]> {
  let summary = "absent value";
  let description = [{
    ```mlir
    %0 = util.null : !hal.fence
    ```
  }];

  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Util_CastOp : Util_Op<"cast", [Pure]> {
  let summary = "value under another type";
  let description = [{
    ```mlir
    %1 = util.cast %0 : !hal.buffer_view to !hal.buffer
    ```
  }];

  let arguments = (ins AnyType:$operand);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
}

def Util_BufferConstantOp : Util_Op<"buffer.constant", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "constant bytes in the memory of the host";
  let description = [{
    The alignment is in bytes.

    ```mlir
    %buffer_cst = util.buffer.constant {alignment = 64 : index} : !util.buffer = "text"
    ```
  }];

  let arguments = (ins
    OptionalAttr<StrAttr>:$name,
    AnyAttr:$value,
    OptionalAttr<IndexAttr>:$alignment,
    OptionalAttr<StrAttr>:$mime_type);
  let results = (outs Util_BufferType:$result);
  let assemblyFormat = "($name^)? attr-dict `:` qualified(type($result)) `=` $value";
}

def Util_UnreachableOp : Util_Op<"unreachable", [Terminator]> {
  let summary = "end of a block that is never reached";
  let description = [{
    ```mlir
    util.unreachable "no such device"
    ```
  }];

  let arguments = (ins StrAttr:$message);
  let assemblyFormat = "$message attr-dict";
}

def Util_CarriedOp : Util_Op<"carried"> {
  let summary = "function or initializer that is not read, only carried";
  let description = [{
    A part of a host program with ops of dialects that are not defined here. It is made of text and of the attributes
    that stand for something outside of it, in turn: symbols, aliases, resources. It prints as what it was read from;
    npu-opt makes it of that before parsing. Nothing but the symbols in it is known.

    * text and attributes take turns, text comes first and last.

    ```mlir
    "util.carried"() {pieces = ["util.initializer {\0A ... stream.cmd.dispatch ", @ex::@variant::@entry, " ... }"]} : () -> ()
    ```
  }];

  let arguments = (ins ArrayAttr:$pieces);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Prints the text instead of the name of this op.
    static ::mlir::OperationName::PrintAssemblyFn getPrintAssemblyFn();
  }];
}

#endif // NPU_DIALECT_IREE_UTIL_IR_UTILOPS_TD
