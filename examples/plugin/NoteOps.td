//===- NoteOps.td - a dialect that is not in the tree ------*- tablegen -*-===//

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def NoteDialect : Dialect {
  let name = "note";
  let cppNamespace = "::note";
  let summary = "Says something about kernels";
}

def AboutOp : Op<NoteDialect, "about", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "says something about a kernel";
  let arguments = (ins FlatSymbolRefAttr:$kernel, StrAttr:$text);
  let assemblyFormat = "$kernel $text attr-dict";
}
