//===- NPUPositionOps.td - what indices decide -------------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_IR_NPUPOSITIONOPS_TD
#define NPU_DIALECT_NPU_IR_NPUPOSITIONOPS_TD

include "NPU/Dialect/NPU/IR/NPUComputeOps.td"

def NPU_IotaOp : NPU_ComputeOp<"iota", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<NPUComputeOpInterface, ["mayOverwriteOperand"]>]> {
  let summary = "affine function of the indices";
  let description = [{
    output[d0, d1, …] = `start` + d0 · `steps`[0] + d1 · `steps`[1] + …, in i32, which wraps to the output's type: positions
    along a dimension, or how far an element is from the diagonal. Nothing is loaded. On memrefs `origin` is added, the
    value that the tile's first element has beyond `start`. `tile` and `extents` are those of `npu.unary`.

    Constraints:
    * iota_c1: the output has elements of i8, i16 or i32;
    * iota_c2: `steps` has one number per dimension of the output; these and `start` are i32;
    * iota_c3: `extents` and `origin` require memrefs; there is one extent per dimension;
    * iota_c4: `tile` has one size that is not negative per dimension.

    Example, by how much the column of each element is larger than its row:

    ```mlir
    %0 = npu.iota -> %y {steps = array<i64: -1, 1>} : tensor<128x128xi32>
    ```
  }];
  let arguments = (ins
    NPU_TensorOrMemRef:$output,
    Variadic<Index>:$extents,
    Optional<Index>:$origin,
    DenseI64ArrayAttr:$steps,
    DefaultValuedAttr<I64Attr, "0">:$start,
    OptionalAttr<DenseI64ArrayAttr>:$tile,
    OptionalAttr<StrAttr>:$stage);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$output, "::llvm::ArrayRef<int64_t>":$steps)>
  ];
  let assemblyFormat = [{
    `->` $output (`extents` `(` $extents^ `)`)? (`origin` `(` $origin^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` custom<Destination>(type($output), type($results))
  }];
  let extraClassDeclaration = destinationStyleDeclaration;
}

#endif // NPU_DIALECT_NPU_IR_NPUPOSITIONOPS_TD
