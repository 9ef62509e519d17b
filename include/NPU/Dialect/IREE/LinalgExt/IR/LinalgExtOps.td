//===- LinalgExtOps.td - the part of iree_linalg_ext we read and print -----===//

#ifndef NPU_DIALECT_IREE_LINALGEXT_IR_LINALGEXTOPS_TD
#define NPU_DIALECT_IREE_LINALGEXT_IR_LINALGEXTOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def LinalgExt_Dialect : Dialect {
  let name = "iree_linalg_ext";
  let cppNamespace = "::npu::linalg_ext";
  let summary = "IREE's structured ops beyond linalg";
  let description = [{
    The op of IREE's `iree_linalg_ext` dialect that dumps of networks contain. Names, attributes,
    operand order and syntax are IREE's. Attributes of the dialect are carried verbatim.
  }];
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
  }];
}

class LinalgExt_Op<string mnemonic, list<Trait> traits = []> :
    Op<LinalgExt_Dialect, mnemonic, traits>;

def LinalgExt_AttentionOp : LinalgExt_Op<"attention", [
    Pure, SingleBlock]> {
  let summary = "softmax(region(scale * query * key^T) + mask) * value";
  let description = [{
    The indexing maps say which dimensions of the iteration space each operand has, in the order
    query, key, value, scale, mask if there is one, output. The region maps an element of the scaled
    product before the mask is added. An `i1` mask keeps an element where it is true.

    * one indexing map per operand, all over the same dimensions, with as many results as the
      operand has dimensions;
    * query, key, value and output have float elements;
    * the region maps a float to a float.

    ```mlir
    %1 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #scale, #o]}
        ins(%q, %k, %v, %scale : tensor<4x64x32xf32>, tensor<4x64x32xf32>, tensor<4x64x32xf32>, f32)
        outs(%0 : tensor<4x64x32xf32>) {
    ^bb0(%score: f32):
      iree_linalg_ext.yield %score : f32
    } -> tensor<4x64x32xf32>
    ```
  }];

  let arguments = (ins
    AnyRankedTensor:$query,
    AnyRankedTensor:$key,
    AnyRankedTensor:$value,
    AnyFloat:$scale,
    Optional<AnyRankedTensor>:$mask,
    AnyRankedTensor:$output,
    AffineMapArrayAttr:$indexing_maps,
    OptionalAttr<DictionaryAttr>:$decomposition_config);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict
    `ins` `(` $query `,` $key `,` $value `,` $scale (`,` $mask^)? `:` type($query) `,` type($key)
    `,` type($value) `,` type($scale) (`,` type($mask)^)? `)`
    `outs` `(` $output `:` type($output) `)` $region `->` type($result)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def LinalgExt_YieldOp : LinalgExt_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "terminator of the region of an iree_linalg_ext op";
  let description = [{
    ```mlir
    iree_linalg_ext.yield %0 : f32
    ```
  }];

  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // NPU_DIALECT_IREE_LINALGEXT_IR_LINALGEXTOPS_TD
