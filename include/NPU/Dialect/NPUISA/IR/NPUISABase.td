//===- NPUISABase.td - the exit dialect -------------------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPUISA_IR_NPUISABASE_TD
#define NPU_DIALECT_NPUISA_IR_NPUISABASE_TD

include "mlir/IR/AttrTypeBase.td"
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

    In text, fields stand in braces in the order of the instruction's definition: numbers without types, values of
    enumerations by name, a flag that is set by its name alone, an affine field that depends on no counter as a
    number, and others as the list of base and coefficients:

    ```mlir
    npu_isa.vpu.unary {sync_wait0 = 2, sync_value0 = [1, 4, 1], op_kind = exp, a_at_depth = 1, a_type = f32}
    ```
  }];
  let useDefaultAttributePrinterParser = 1;
}

class NPUISA_Attr<string name, string attrMnemonic> : AttrDef<NPUISA_Dialect, name> {
  let mnemonic = attrMnemonic;
}

/// A value of an enumeration in namespace npu::isa, by its name in assembly.
class NPUISA_EnumParameter<string enumeration> : AttrParameter<"::npu::isa::" # enumeration, ""> {
  let parser = "::npu::isa::detail::parseEnum<::npu::isa::" # enumeration # ">($_parser)";
  let printer = "$_printer << ::npu::isa::toString($_self)";
}

/// An enumeration of the instruction set.
class NPUISA_Enum<string enumeration, string attrMnemonic> : NPUISA_Attr<enumeration, attrMnemonic> {
  let parameters = (ins NPUISA_EnumParameter<enumeration>:$value);
  let assemblyFormat = "`<` $value `>`";
}

/// A group of fields that an instruction repeats.
class NPUISA_GroupParameter<string group> : AttrParameter<"::npu::isa::" # group, ""> {
  let parser = "::npu::isa::detail::parseGroup<::npu::isa::" # group # ">($_parser)";
  let printer = "::npu::isa::detail::printGroup($_printer, $_self)";
}
class NPUISA_Group<string group, string attrMnemonic> : NPUISA_Attr<group, attrMnemonic> {
  let parameters = (ins NPUISA_GroupParameter<group>:$value);
  let assemblyFormat = "`<` $value `>`";
}

def NPUISA_RegionAttr : NPUISA_Attr<"Region", "region"> {
  let summary = "a range of DRAM that a program addresses";
  let description = [{
    Its kind (constants, scratch, input, output, inout), its name, its size, and the contents of constants, i8 elements.

    Examples: `#npu_isa.region<input "arg0", 64 bytes>`,
    `#npu_isa.region<constants "arg1", 2 bytes, dense<[1, -1]> : tensor<2xi8>>`.
  }];
  let parameters = (ins NPUISA_EnumParameter<"RegionKind">:$kind, "::mlir::StringAttr":$name, "int64_t":$bytes,
                        OptionalParameter<"::mlir::DenseElementsAttr">:$data);
  let assemblyFormat = "`<` $kind $name `,` $bytes `bytes` (`,` $data^)? `>`";
  let genVerifyDecl = 1;
}

def NPUISA_PlanAttr : NPUISA_Attr<"Plan", "plan"> {
  let summary = "what the compiler planned, for whoever describes a program";
  let description = [{
    Elements of a tile along each dimension of the computation, the expected cycles of the program (0: unknown), and
    the bytes that a cluster uses of each on-chip memory.

    Example: `#npu_isa.plan<tile(m = 32, n = 64), cycles = 6460, sram = 49152, acc = 16384>`.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$dims, ArrayRefParameter<"int64_t">:$sizes,
                        "int64_t":$cycles, "int64_t":$sram, "int64_t":$acc);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

/// An instruction. `instruction` is the C++ struct in namespace npu::isa.
class NPUISA_Instruction<string mnemonic, string instruction>
    : Op<NPUISA_Dialect, mnemonic, [HasParent<"StreamOp">]> {
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = "using Instruction = ::npu::isa::" # instruction # ";";
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() { return ::npu::isa::detail::verifyInstructionOp(*this); }
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser, ::mlir::OperationState &result) {
      return ::npu::isa::detail::parseInstructionOp(parser, result);
    }
    void $cppClass::print(::mlir::OpAsmPrinter &printer) {
      ::npu::isa::detail::printInstructionOp(*this, printer);
    }
  }];
}

#endif // NPU_DIALECT_NPUISA_IR_NPUISABASE_TD
