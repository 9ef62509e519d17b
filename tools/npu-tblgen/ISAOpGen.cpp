//===- ISAOpGen.cpp - operations of the exit dialect ----------------------===//
//
// Emits one operation per instruction, attributes only. An attribute is named by the path of its
// member (`a_pitch.row_bytes` as `a_pitch_row_bytes`) and is absent when it has its default value.
//
//===----------------------------------------------------------------------===//

#include "ISAModel.h"

#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace npu::tblgen;

static StringRef attributeType(FieldKind kind) {
  switch (kind) {
  case FieldKind::UInt:
  case FieldKind::SInt:
  case FieldKind::Counters:
    return "I64Attr";
  case FieldKind::Float:
    return "F32Attr";
  case FieldKind::Flag:
    return "BoolAttr";
  case FieldKind::Affine:
    return "DenseI64ArrayAttr";
  case FieldKind::Enum:
    return "StrAttr";
  }
  llvm_unreachable("unknown field kind");
}

static void collectAttributes(const Group &group, const std::string &prefix,
                              std::vector<std::string> &attributes) {
  for (const Part &part : group.parts)
    collectAttributes(*part.group, prefix + part.name + "_", attributes);
  for (const Field &field : group.fields)
    attributes.push_back("OptionalAttr<" + attributeType(field.kind).str() + ">:$" + prefix +
                         field.name);
}

static void emitOps(const RecordKeeper &records, raw_ostream &os) {
  ISA isa = readISA(records);
  emitSourceFileHeader("Operations of the npu_isa dialect", os, records);
  os << "include \"NPU/Dialect/NPUISA/IR/NPUISABase.td\"\n";
  for (const Instruction &instruction : isa.instructions) {
    std::vector<std::string> attributes;
    for (const Part &part : instruction.operands)
      collectAttributes(*part.group, part.name + "_", attributes);
    for (const Repeated &repeated : instruction.repeated)
      attributes.push_back("OptionalAttr<ArrayAttr>:$" + repeated.name);
    attributes.push_back("OptionalAttr<I64Attr>:$source");
    os << "\ndef NPUISA_" << instruction.name << "Op : NPUISA_Instruction<\""
       << instruction.mnemonic << "\", \"" << instruction.name << "\"> {\n  let summary = \""
       << instruction.summary << "\";\n  let description = [{\n    " << instruction.semantics
       << "\n  }];\n  let arguments = (ins\n    ";
    llvm::interleave(attributes, os, ",\n    ");
    os << "\n  );\n}\n";
  }
}

static TableGen::Emitter::Opt registration("gen-isa-ops", emitOps,
                                           "Generate the ODS operations of the exit dialect");

static void emitOpList(const RecordKeeper &records, raw_ostream &os) {
  ISA isa = readISA(records);
  emitSourceFileHeader("Operation and instruction pairs: NPU_ISA_OP(Name)", os, records);
  for (const Instruction &instruction : isa.instructions)
    os << "NPU_ISA_OP(" << instruction.name << ")\n";
  os << "#undef NPU_ISA_OP\n";
}

static TableGen::Emitter::Opt
    opListRegistration("gen-isa-op-list", emitOpList,
                       "Generate an X-macro list of the instructions' names");
