//===- NPUGatherOps.td - rows chosen by indices ------------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_IR_NPUGATHEROPS_TD
#define NPU_DIALECT_NPU_IR_NPUGATHEROPS_TD

include "NPU/Dialect/NPU/IR/NPUComputeOps.td"

def NPU_GatherOp : NPU_ComputeOp<"gather", [
    DeclareOpInterfaceMethods<NPUComputeOpInterface,
                              ["getTileExtents", "staysInDram", "mayOverwriteOperand"]>]> {
  let summary = "rows of a tensor that indices choose";
  let description = [{
    output[d] = source[map0(d)], where `indices[map1(d)]` is added to the coordinate number `dimension`: an embedding, a
    selection of rows or columns, or of one element per index. The source stays in DRAM, from which the engine
    `dmai` fetches what is chosen; in tile form the op is `npu.dma_gather`. An index outside of that dimension is an
    error when the program runs.

    `indexing_maps` are those of the source, with a 0 for `dimension`, of the indices and of the output, over the
    output's dimensions. `tile` is one size per dimension, 0 for the whole.

    Constraints:
    * gather_c1: all operands are tensors; source and output have the same element type, the indices i32;
    * gather_c2: there are three maps over the dimensions of the output: projected permutations, that of the source
      with a 0 for `dimension`, others with one at most for dimensions of one element, and a permutation for the output;
    * gather_c3: operands agree on the extent of each dimension;
    * gather_c4: `tile` has one size that is not negative per dimension.

    Example, an embedding:

    ```mlir
    %0 = npu.gather %table[%indices] -> %out {dimension = 0, indexing_maps = [
          affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>]}
        : tensor<1000x64xf32>, tensor<16xi32> -> tensor<16x64xf32>
    ```
  }];
  let arguments = (ins
    NPU_TensorOrMemRef:$source,
    NPU_TensorOrMemRef:$indices,
    NPU_TensorOrMemRef:$output,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$dimension,
    AffineMapArrayAttr:$indexing_maps,
    OptionalAttr<DenseI64ArrayAttr>:$tile,
    OptionalAttr<StrAttr>:$stage);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$indices, "::mlir::Value":$output,
                   "int64_t":$dimension, "::llvm::ArrayRef<::mlir::AffineMap>":$maps)>
  ];
  let assemblyFormat = [{
    $source `[` $indices `]` `->` $output `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($source) `,` type($indices) `->` custom<Destination>(type($output), type($results))
  }];
  let extraClassDeclaration = destinationStyleDeclaration;
}

#endif // NPU_DIALECT_NPU_IR_NPUGATHEROPS_TD
