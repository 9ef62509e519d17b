//===- ONNXOps.td - ONNX graphs as they are in files -----------------------===//

#ifndef NPU_DIALECT_ONNX_IR_ONNXOPS_TD
#define NPU_DIALECT_ONNX_IR_ONNXOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def ONNX_Dialect : Dialect {
  let name = "onnx";
  let cppNamespace = "::npu::onnx_ir";
  let summary = "ONNX graphs";
  let description = [{
    A graph becomes a `func.func`, a node becomes an `onnx.node`: one op for all operators, so that
    everything that a file says can be read, looked at, and reported on. What operators mean is in
    the table of specifications (`NPU/Dialect/ONNX/Specs/OpSpecs.def`), which infers the types of
    results; what is supported is converted to linalg from there.

    Elements of unsigned types are `ui8` and so on, those of signed types `i8` and so on.

    The module has these attributes:

    * `onnx.opset`: a dictionary from operator domains (`ai.onnx` is the default one) to versions;
    * `onnx.ir_version`, `onnx.producer`: what the file says of itself.

    Arguments and results of the function have `onnx.name`, results have `onnx.type` when the file
    declares a type for them, arguments have `onnx.dimensions`, the names of their dynamic
    dimensions (empty without one), when there are such.
  }];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

class ONNX_Type<string name, string typeMnemonic> : TypeDef<ONNX_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def ONNX_UnknownType : ONNX_Type<"Unknown", "unknown"> {
  let summary = "type of a value that is not inferred yet, or that is not a tensor";
}

def ONNX_StringType : ONNX_Type<"String", "string"> {
  let summary = "element type of tensors of strings";
}

class ONNX_Op<string mnemonic, list<Trait> traits = []> : Op<ONNX_Dialect, mnemonic, traits>;

def ONNX_NodeOp : ONNX_Op<"node", [Pure]> {
  let summary = "a node of an ONNX graph";
  let description = [{
    The operator `op_type` of `domain` (absent: the default domain) applied to the inputs. An
    optional input that is left out is the result of `onnx.none`; an optional output that is left
    out has type `none`. Attributes of ONNX become attributes by their kind: i64, f32, string,
    `array<i64>`, `array<f32>`, arrays of strings, elements for tensors, and unit for subgraphs,
    which are the regions of the op, in the order of their attributes' names. A subgraph may use all
    values of the graphs around it.

    A node of a function that the file defines, and one that stands for a part of another, may be of
    another version of the operator set than the module says; it has that as `opset`.

    ```mlir
    %y = onnx.node "Conv"(%x, %w, %b) {strides = array<i64: 2, 2>}
        : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> !onnx.unknown
    %z = onnx.node "If"(%c) {else_branch, then_branch} : (tensor<i1>) -> !onnx.unknown {
      onnx.yield %x : tensor<1x3x8x8xf32>
    }, {
      onnx.yield %y : !onnx.unknown
    }
    ```
  }];
  let arguments = (ins
    StrAttr:$op_type,
    OptionalAttr<StrAttr>:$domain,
    OptionalAttr<I64Attr>:$opset,
    Variadic<AnyType>:$inputs,
    OptionalAttr<DictionaryAttr>:$node_attributes);
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region VariadicRegion<SizedRegion<1>>:$graphs);
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$outputs, "::mlir::StringAttr":$opType,
                   "::mlir::StringAttr":$domain, "::mlir::ValueRange":$inputs,
                   "::mlir::DictionaryAttr":$attributes)>];
  let assemblyFormat = [{
    $op_type (`of` $domain^)? (`version` $opset^)? `(` $inputs `)` ($node_attributes^)?
    attr-dict-with-keyword `:` functional-type($inputs, $outputs) ($graphs^)?
  }];
  let extraClassDeclaration = [{
    /// The subgraph that attribute `name` is; null if it is none.
    ::mlir::Region *findGraph(::llvm::StringRef name);
  }];
  let hasVerifier = 1;
}

def ONNX_YieldOp : ONNX_Op<"yield", [Pure, Terminator, ParentOneOf<["NodeOp"]>]> {
  let summary = "ends a subgraph with its outputs";
  let description = [{
    ```mlir
    onnx.yield %y, %z : tensor<4xf32>, !onnx.unknown
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def ONNX_ConstantOp : ONNX_Op<"constant", [
    Pure, ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "an initializer, or the value of a Constant node";
  let description = [{
    ```mlir
    %0 = onnx.constant dense<[1, -1]> : tensor<2xi64>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def ONNX_PrefixOp : ONNX_Op<"prefix", [Pure]> {
  let summary = "as many elements along a dimension as data say";
  let description = [{
    The first elements of `source` along `axis`; `count` says how many, at most all of them. What is
    behind them has no meaning. Only outputs of a graph may be such: nodes need static shapes. The
    conversion to linalg returns all of `source`, and `count` behind the other results of the
    function; the attribute `onnx.length` of the result has the axis and the number of the result
    that is the count.

    ```mlir
    %r = onnx.prefix %rows, %n along 0 : (tensor<6x3xi64>, tensor<i64>) -> tensor<?x3xi64>
    ```
  }];
  let arguments = (ins AnyType:$source, AnyType:$count, I64Attr:$axis);
  let results = (outs AnyType:$result);
  let assemblyFormat =
      "$source `,` $count `along` $axis attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Gives the result its type, when that of the source is known.
    void inferType();
  }];
}

def ONNX_NoneOp : ONNX_Op<"none", [Pure]> {
  let summary = "an optional input that is left out";
  let description = [{
    ```mlir
    %none = onnx.none : none
    ```
  }];
  let results = (outs NoneType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

#endif // NPU_DIALECT_ONNX_IR_ONNXOPS_TD
