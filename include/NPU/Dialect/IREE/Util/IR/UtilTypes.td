//===- UtilTypes.td - IREE's util dialect and its types --------------------===//

#ifndef NPU_DIALECT_IREE_UTIL_IR_UTILTYPES_TD
#define NPU_DIALECT_IREE_UTIL_IR_UTILTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Util_Dialect : Dialect {
  let name = "util";
  let cppNamespace = "::npu::util";
  let summary = "IREE's host functions, globals and compiler hints";
  let description = [{
    The ops of IREE's `util` dialect that occur in IR dumped between IREE's ABI and flow phases:
    host functions, globals, initializers and hints. Names, attributes, operand order and syntax
    are IREE's. Attributes of the dialect (`#util.inline.never` and others) but
    `#util.int.assumption` are carried verbatim.
  }];
  // parseAttribute tries the generated parser first and keeps the text of all others.
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr, ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Util_BufferType : TypeDef<Util_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "bytes in the memory of the host";
  let description = "A handle; nothing in this project looks inside it.";
}

def Util_PtrType : TypeDef<Util_Dialect, "Ptr"> {
  let mnemonic = "ptr";
  let summary = "address of a global";
  let description = [{
    ```mlir
    !util.ptr<tensor<4xf32>>
    ```
  }];
  let parameters = (ins "::mlir::Type":$targetType);
  let assemblyFormat = "`<` $targetType `>`";
}

#endif // NPU_DIALECT_IREE_UTIL_IR_UTILTYPES_TD
