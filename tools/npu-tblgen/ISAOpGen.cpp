//===- ISAOpGen.cpp - operations of the exit dialect ----------------------===//
//
// Emits one operation per instruction, attributes only. An attribute is named by the path of its
// member (`a_pitch.row_bytes` as `a_pitch_row_bytes`) and is absent when it has its default value.
// Enumerations, and the groups that instructions repeat, become attributes of the dialect.
//
//===----------------------------------------------------------------------===//

#include "ISAModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace npu::tblgen;

/// `MemorySpace` as `memory_space`.
static std::string toSnake(StringRef name) {
  std::string result;
  for (char c : name) {
    if (isUpper(c) && !result.empty())
      result += '_';
    result += toLower(c);
  }
  return result;
}

static std::string attributeType(const Field &field) {
  switch (field.kind) {
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
    return "NPUISA_" + field.enumeration + "Attr";
  }
  llvm_unreachable("unknown field kind");
}

static void collectAttributes(const Group &group, const std::string &prefix,
                              std::vector<std::string> &attributes) {
  for (const Part &part : group.parts)
    collectAttributes(*part.group, prefix + part.name + "_", attributes);
  for (const Field &field : group.fields)
    attributes.push_back("OptionalAttr<" + attributeType(field) + ">:$" + prefix + field.name);
}

/// The groups that instructions repeat, each once.
static SetVector<const Group *> getRepeatedGroups(const ISA &isa) {
  SetVector<const Group *> groups;
  for (const Instruction &instruction : isa.instructions)
    for (const Repeated &repeated : instruction.repeated)
      groups.insert(repeated.group);
  return groups;
}

static void emitAttributes(const ISA &isa, raw_ostream &os) {
  for (const Enumeration &enumeration : isa.enumerations) {
    os << "\ndef NPUISA_" << enumeration.name << "Attr : NPUISA_Enum<\"" << enumeration.name
       << "\", \"" << toSnake(enumeration.name) << "\"> {\n  let summary = \""
       << enumeration.summary << "\";\n  let description = [{\n    One of:\n\n";
    for (const EnumCase &c : enumeration.cases)
      os << "    * `" << c.name << (c.summary.empty() ? "`" : "`: ") << c.summary << ";\n";
    os << "\n    Example: `#npu_isa." << toSnake(enumeration.name) << "<"
       << enumeration.cases.front().name << ">`.\n  }];\n}\n";
  }
  for (const Group *group : getRepeatedGroups(isa))
    os << "\ndef NPUISA_" << group->name << "Attr : NPUISA_Group<\"" << group->name << "\", \""
       << toSnake(group->name) << "\"> {\n  let summary = \"" << group->summary
       << "\";\n  let description = [{\n"
       << group->description << "\n  }];\n}\ndef NPUISA_" << group->name
       << "ArrayAttr : TypedArrayAttrBase<NPUISA_" << group->name << "Attr, \"array of #npu_isa."
       << toSnake(group->name) << "\">;\n";
}

static void emitOps(const RecordKeeper &records, raw_ostream &os) {
  ISA isa = readISA(records);
  emitSourceFileHeader("Attributes and operations of the npu_isa dialect", os, records);
  os << "include \"NPU/Dialect/NPUISA/IR/NPUISABase.td\"\n";
  emitAttributes(isa, os);
  for (const Instruction &instruction : isa.instructions) {
    std::vector<std::string> attributes;
    for (const Part &part : instruction.operands)
      collectAttributes(*part.group, part.name + "_", attributes);
    for (const Repeated &repeated : instruction.repeated)
      attributes.push_back("OptionalAttr<NPUISA_" + repeated.group->name + "ArrayAttr>:$" +
                           repeated.name);
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
  emitSourceFileHeader("Pairs of a C++ type and an operation, NPU_ISA_OP(Name), or an attribute: "
                       "NPU_ISA_ENUM(Name), NPU_ISA_GROUP(Name)",
                       os, records);
  auto emit = [&](StringRef macro, const auto &names) {
    os << "#ifndef " << macro << "\n#define " << macro << "(Name)\n#endif\n";
    for (const std::string &name : names)
      os << macro << "(" << name << ")\n";
    os << "#undef " << macro << "\n";
  };
  emit("NPU_ISA_OP", map_range(isa.instructions,
                               [](const Instruction &i) -> const std::string & { return i.name; }));
  emit("NPU_ISA_ENUM", map_range(isa.enumerations, [](const Enumeration &e) -> const std::string & {
         return e.name;
       }));
  emit("NPU_ISA_GROUP", map_range(getRepeatedGroups(isa),
                                  [](const Group *g) -> const std::string & { return g->name; }));
}

static TableGen::Emitter::Opt
    opListRegistration("gen-isa-op-list", emitOpList,
                       "Generate X-macro lists of names of instructions, enumerations, groups");
