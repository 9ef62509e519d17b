//===- TensorExtBase.td - dialect and types of iree_tensor_ext -------------===//

#ifndef NPU_DIALECT_IREE_TENSOREXT_IR_TENSOREXTBASE_TD
#define NPU_DIALECT_IREE_TENSOREXT_IR_TENSOREXTBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def TensorExt_Dialect : Dialect {
  let name = "iree_tensor_ext";
  let cppNamespace = "::npu::tensor_ext";
  let summary = "IREE's view of the tensors that a dispatch reads and writes";
  let description = [{
    The ops and the type by which the body of a dispatch reaches its operands and results. Names,
    attributes, operand order and syntax are IREE's.
  }];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
  }];
}

def TensorExt_TensorAccess : I32EnumAttr<"TensorAccess", "what a dispatch does with a tensor", [
    I32EnumAttrCase<"ReadOnly", 0, "readonly">,
    I32EnumAttrCase<"ReadWrite", 1, "readwrite">,
    I32EnumAttrCase<"WriteOnly", 2, "writeonly">]> {
  let cppNamespace = "::npu::tensor_ext";
  let genSpecializedAttr = 0;
}

def TensorExt_DispatchTensorType : TypeDef<TensorExt_Dialect, "DispatchTensor"> {
  let mnemonic = "dispatch.tensor";
  let summary = "tensor operand or result of a dispatch";
  let description = [{
    A placeholder for a tensor (or, at rank 0, a scalar) in the caller's memory, which the body of a
    dispatch loads from or stores to.

    ```mlir
    !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x?xf32>>
    ```
  }];
  let parameters = (ins EnumParameter<TensorExt_TensorAccess>:$access, "::mlir::Type":$boundType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The tensor the placeholder stands for; rank 0 if it is a scalar.
    ::mlir::RankedTensorType getTensorType() const;
    ::llvm::ArrayRef<int64_t> getShape() const { return getTensorType().getShape(); }
    bool isReadable() const { return getAccess() != TensorAccess::WriteOnly; }
    bool isWritable() const { return getAccess() != TensorAccess::ReadOnly; }
  }];
}

#endif // NPU_DIALECT_IREE_TENSOREXT_IR_TENSOREXTBASE_TD
