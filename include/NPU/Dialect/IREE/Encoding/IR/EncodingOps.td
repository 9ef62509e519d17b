//===- EncodingOps.td - the part of iree_encoding we read and print --------===//

#ifndef NPU_DIALECT_IREE_ENCODING_IR_ENCODINGOPS_TD
#define NPU_DIALECT_IREE_ENCODING_IR_ENCODINGOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Encoding_Dialect : Dialect {
  let name = "iree_encoding";
  let cppNamespace = "::npu::encoding";
  let summary = "layouts that IREE chooses for tensors when it tiles data";
  let description = [{
    The ops of IREE's `iree_encoding` dialect, with IREE's names, operand order and syntax. The
    encodings are attributes that stand in tensor types. They are carried as text, but for the
    attributes and types in it. The NPU has layouts of its own: `npu-drop-encodings`.
  }];
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kForeignAttrName = "iree_encoding.foreign";

    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

class Encoding_Op<string mnemonic, list<Trait> traits = []> :
    Op<Encoding_Dialect, mnemonic, !listconcat(traits, [Pure])>;

def Encoding_SetEncodingOp : Encoding_Op<"set_encoding"> {
  let summary = "gives a tensor a layout";
  let description = [{
    The elements and the shape stay. `encoding_dims` are the sizes of the iteration space that the
    encoding leaves open.

    * the source has no encoding, the result has one;
    * source and result have the same element type and compatible shapes.

    ```mlir
    %1 = iree_encoding.set_encoding %0 encoding_dims{%m}
        : tensor<?x64xf32> -> tensor<?x64xf32, #encoding>
    ```
  }];

  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$encoding_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    attr-dict $source (`encoding_dims` `{` $encoding_dims^ `}`)? `:` type($source) `->`
    type($result)
  }];
  let hasVerifier = 1;
}

def Encoding_UnsetEncodingOp : Encoding_Op<"unset_encoding", [AttrSizedOperandSegments]> {
  let summary = "gives a tensor its plain layout back";
  let description = [{
    The elements and the shape stay. `encoding_dims` are as in `set_encoding`. IREE prints the sizes
    of the result since 2025.

    * the source has an encoding, the result has none;
    * source and result have the same element type and compatible shapes;
    * one size per dynamic dimension of the result, or none.

    ```mlir
    %1 = iree_encoding.unset_encoding %0 encoding_dims{%m}
        : tensor<?x64xf32, #encoding> -> tensor<?x64xf32>{%m}
    ```
  }];

  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$result_dims,
                       Variadic<Index>:$encoding_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    attr-dict $source (`encoding_dims` `{` $encoding_dims^ `}`)? `:` type($source) `->`
    type($result) (`{` $result_dims^ `}`)?
  }];
  let hasVerifier = 1;
}

def Encoding_DimOp : Encoding_Op<"dim"> {
  let summary = "one of the sizes that an encoded tensor was given";
  let description = [{
    The size with this index among the `encoding_dims` of the op that encoded the tensor.

    ```mlir
    %m = iree_encoding.dim %0[0] : tensor<?x64xf32, #encoding>
    ```
  }];

  let arguments = (ins AnyRankedTensor:$source, ConfinedAttr<IndexAttr, [IntNonNegative]>:$index);
  let results = (outs Index:$result);
  let assemblyFormat = "$source `[` $index `]` attr-dict `:` type($source)";
}

#endif // NPU_DIALECT_IREE_ENCODING_IR_ENCODINGOPS_TD
