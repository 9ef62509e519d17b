//===- NPUISABase.td - the exit dialect -------------------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPUISA_IR_NPUISABASE_TD
#define NPU_DIALECT_NPUISA_IR_NPUISABASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def NPUISA_Dialect : Dialect {
  let name = "npu_isa";
  let cppNamespace = "::npu::isa";
  let summary = "NPU programs, one operation per instruction";
  let description = [{
    The exit dialect: the last level before assembly text and binaries. One operation is one
    instruction; operations have attributes only, no operands, no results and no regions but those of
    the program and its streams. The instruction operations are generated from the same definition as
    the codec, the simulator's visitor and docs/isa.md, which says what each one means.

    An attribute is named after the path of the field it holds; an absent attribute is 0. An affine
    field is an array whose first element is the base, followed by the coefficients of the loop
    counters from the outermost on, without trailing zeros.
  }];
}

/// An instruction. `instruction` is the C++ struct in namespace npu::isa.
class NPUISA_Instruction<string mnemonic, string instruction>
    : Op<NPUISA_Dialect, mnemonic, [HasParent<"StreamOp">]> {
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = "using Instruction = ::npu::isa::" # instruction # ";";
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() { return ::npu::isa::detail::verifyInstructionOp(*this); }
  }];
}

#endif // NPU_DIALECT_NPUISA_IR_NPUISABASE_TD
