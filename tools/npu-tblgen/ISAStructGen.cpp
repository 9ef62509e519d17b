//===- ISAStructGen.cpp - enums, instruction structs, visitor -------------===//
//
// Emits the C++ types of the instruction set. Each group and instruction gets a static `visit` that
// calls a visitor once per member with its place in the encoding; encoder, decoder, printer,
// parser, range check and the conversions of the exit dialect are each one such visitor, written
// once.
//
//===----------------------------------------------------------------------===//

#include "ISAModel.h"

#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace npu::tblgen;

static void emitEnumeration(const Enumeration &enumeration, raw_ostream &os) {
  os << "\n/// " << enumeration.summary << "\nenum class " << enumeration.name << " : uint8_t {\n";
  for (const EnumCase &c : enumeration.cases)
    os << "  " << c.identifier << " = " << c.value << ",\n";
  os << "};\ntemplate <>\nstruct EnumTraits<" << enumeration.name << "> {\n"
     << "  static constexpr llvm::StringLiteral title = \"" << enumeration.name << "\";\n"
     << "  static constexpr EnumCase<" << enumeration.name << "> cases[] = {\n";
  for (const EnumCase &c : enumeration.cases)
    os << "      {" << enumeration.name << "::" << c.identifier << ", \"" << c.name << "\", "
       << c.cost << ", Domain::" << c.domain << ", " << (c.isComparison ? "true" : "false")
       << "},\n";
  os << "  };\n};\n";
}

/// A function from the values of `enumeration` to a property of theirs.
static void emitProperty(const Enumeration &enumeration, StringRef title, StringRef result,
                         StringRef function, function_ref<std::string(const EnumCase &)> get,
                         raw_ostream &os) {
  os << "\n/// " << title << "\nconstexpr " << result << " " << function << "(" << enumeration.name
     << " value) {\n  switch (value) {\n";
  for (const EnumCase &c : enumeration.cases)
    os << "  case " << enumeration.name << "::" << c.identifier << ":\n    return " << get(c)
       << ";\n";
  os << "  }\n  llvm_unreachable(\"no value of the enumeration\");\n}\n";
}

static void emitProperties(const Enumeration &enumeration, raw_ostream &os) {
  const EnumCase &first = enumeration.cases.front();
  if (first.bytes != 0) {
    emitProperty(
        enumeration, "Bytes of an element.", "int64_t", "getByteSize",
        [](const EnumCase &c) { return std::to_string(c.bytes); }, os);
    emitProperty(
        enumeration, "Whether elements are floats.", "bool", "isFloat",
        [](const EnumCase &c) { return c.isFloat ? "true" : "false"; }, os);
  }
  if (!first.accumulator.empty()) {
    auto getType = [](const std::string &identifier) { return "ElementType::" + identifier; };
    emitProperty(
        enumeration, "Elements of the left operand.", "ElementType", "getLeftType",
        [&](const EnumCase &c) { return getType(c.left); }, os);
    emitProperty(
        enumeration, "Elements of the right operand.", "ElementType", "getRightType",
        [&](const EnumCase &c) { return getType(c.right); }, os);
    emitProperty(
        enumeration, "Elements of the sums.", "ElementType", "getAccumulatorType",
        [&](const EnumCase &c) { return getType(c.accumulator); }, os);
  }
}

static std::string cppType(const Field &field) {
  switch (field.kind) {
  case FieldKind::UInt:
  case FieldKind::SInt:
    return "int64_t";
  case FieldKind::Float:
    return "float";
  case FieldKind::Flag:
    return "bool";
  case FieldKind::Affine:
    return "Affine";
  case FieldKind::Counters:
    return "CounterSet";
  case FieldKind::Enum:
    return field.enumeration;
  }
  llvm_unreachable("unknown field kind");
}

static StringRef visitorMethod(FieldKind kind) {
  switch (kind) {
  case FieldKind::UInt:
    return "unsignedField";
  case FieldKind::SInt:
    return "signedField";
  case FieldKind::Float:
    return "floatField";
  case FieldKind::Flag:
    return "flagField";
  case FieldKind::Affine:
    return "affineField";
  case FieldKind::Counters:
    return "countersField";
  case FieldKind::Enum:
    return "enumField";
  }
  llvm_unreachable("unknown field kind");
}

static void emitFields(const Group &group, raw_ostream &os) {
  os << "  /// Where the fields are, and what they hold.\n  struct Fields {\n";
  for (const Field &field : group.fields)
    os << "    static constexpr FieldInfo " << field.name << "{\"" << field.name << "\", "
       << field.lsb / 64 << ", " << field.lsb % 64 << ", " << field.width << ", " << field.scale
       << ", "
       << (field.kind == FieldKind::SInt || field.kind == FieldKind::Affine ? "true" : "false")
       << "};\n";
  os << "  };\n";
}

static void emitGroup(const Group &group, raw_ostream &os) {
  os << "\n/// " << group.summary << "\nstruct " << group.name << " {\n"
     << "  static constexpr unsigned words = " << group.words << ";\n"
     << "  static constexpr unsigned numParts = " << group.parts.size() << ";\n"
     << "  static constexpr bool hasCustomSyntax = " << (group.hasCustomSyntax ? "true" : "false")
     << ";\n";
  emitFields(group, os);
  for (const Part &part : group.parts)
    os << "  " << part.group->name << " " << part.name << "; ///< " << part.summary << "\n";
  for (const Field &field : group.fields) {
    os << "  " << cppType(field) << " " << field.name;
    if (field.kind == FieldKind::Enum)
      os << " = EnumTraits<" << field.enumeration << ">::cases[0].value";
    else if (field.kind != FieldKind::Affine)
      os << " = {}";
    os << "; ///< " << field.summary << "\n";
  }
  os << "\n  template <typename Visitor, typename Self>\n"
     << "  static void visit(Visitor &visitor, Self &self) {\n";
  for (const Part &part : group.parts)
    os << "    visitor.part(\"" << part.name << "\", " << part.word << ", self." << part.name
       << ");\n";
  for (const Field &field : group.fields)
    os << "    visitor." << visitorMethod(field.kind) << "(Fields::" << field.name << ", self."
       << field.name << ");\n";
  for (const Reserved &range : group.reserved)
    for (unsigned begin = range.lsb, end = range.lsb + range.width; begin < end;) {
      unsigned width = std::min(end - begin, 64 - begin % 64);
      os << "    visitor.reserved(" << begin / 64 << ", " << begin % 64 << ", " << width << ");\n";
      begin += width;
    }
  os << "    (void)self;\n  }\n";
  os << "  bool operator==(const " << group.name << " &other) const {\n    return true";
  for (const Part &part : group.parts)
    os << " && " << part.name << " == other." << part.name;
  for (const Field &field : group.fields)
    if (field.kind == FieldKind::Float)
      os << " && bitsOf(" << field.name << ") == bitsOf(other." << field.name << ")";
    else
      os << " && " << field.name << " == other." << field.name;
  os << ";\n  }\n};\n";
}

/// Calls a visitor with the instruction's function and the operands that have a type.
static void emitTypeVisit(const Instruction &instruction, const ISA &isa, raw_ostream &os) {
  os << "\n  template <typename Visitor>\n"
     << "  static void visitTypes(Visitor &visitor, const " << instruction.name << " &self) {\n";
  for (const Part &part : instruction.operands)
    for (const Field &field : part.group->fields)
      if (llvm::any_of(isa.enumerations, [&](const Enumeration &enumeration) {
            return enumeration.isFunctions && field.kind == FieldKind::Enum &&
                   enumeration.name == field.enumeration;
          }))
        os << "    visitor.function(self." << part.name << "." << field.name << ");\n";
  auto print = [](bool value) { return value ? "true" : "false"; };
  for (const Part &part : instruction.operands) {
    if (!part.type)
      continue;
    unsigned mask = 0;
    for (int64_t value : part.type->allowed)
      mask |= 1u << value;
    os << "    visitor.operand(OperandType{\"" << part.name << "\", " << mask << ", "
       << print(part.type->isComputing) << ", " << print(part.type->isResult) << ", "
       << print(part.type->needsFloatLanes) << "}, self." << part.name << ");\n";
  }
  os << "    (void)visitor;\n    (void)self;\n  }\n";
}

static void emitInstruction(const Instruction &instruction, const ISA &isa, raw_ostream &os) {
  os << "\n/// `" << instruction.mnemonic << "`: " << instruction.summary << "\nstruct "
     << instruction.name << " {\n"
     << "  static constexpr llvm::StringLiteral mnemonic = \"" << instruction.mnemonic << "\";\n"
     << "  static constexpr uint8_t opcode = " << instruction.opcode << ";\n"
     << "  static constexpr unsigned engines = " << instruction.engineMask
     << "; ///< one bit per EngineKind\n"
     << "  static constexpr unsigned words = " << instruction.words
     << "; ///< head included, repeated group and terms not\n"
     << "  static constexpr int64_t passes = " << instruction.passes
     << "; ///< over the lanes; times those of its function\n"
     << "  static constexpr bool synchronizes = " << (instruction.synchronizes() ? "true" : "false")
     << ";\n";
  for (const Repeated &repeated : instruction.repeated)
    os << "  static constexpr unsigned max" << toUpperCamel(repeated.name) << " = " << repeated.max
       << ";\n";
  for (const Part &part : instruction.operands)
    if (part.table)
      os << "  static constexpr ElementType " << part.name
         << "Type = ElementType::" << part.table->element << ";\n"
         << "  static constexpr int64_t " << part.name << "Entries = " << part.table->entries
         << ";\n";
  for (const Part &part : instruction.operands)
    os << "  " << part.group->name << " " << part.name << "; ///< " << part.summary << "\n";
  for (const Repeated &repeated : instruction.repeated)
    os << "  llvm::SmallVector<" << repeated.group->name << ", 0> " << repeated.name << "; ///< "
       << repeated.summary << "\n";
  os << "  int64_t source = 0; ///< entry of the source table, 0 when unknown\n"
     << "\n  template <typename Visitor, typename Self>\n"
     << "  static void visit(Visitor &visitor, Self &self) {\n";
  for (const Part &part : instruction.operands)
    os << "    visitor.part(\"" << part.name << "\", " << part.word << ", self." << part.name
       << ");\n";
  for (const Repeated &repeated : instruction.repeated)
    os << "    visitor.repeated(\"" << repeated.name << "\", " << instruction.words << ", max"
       << toUpperCamel(repeated.name) << ", self." << repeated.name << ");\n";
  os << "    (void)visitor;\n    (void)self;\n  }\n";
  emitTypeVisit(instruction, isa, os);
  os << "  bool operator==(const " << instruction.name << " &other) const {\n"
     << "    return source == other.source";
  for (const Part &part : instruction.operands)
    os << " && " << part.name << " == other." << part.name;
  for (const Repeated &repeated : instruction.repeated)
    os << " && " << repeated.name << " == other." << repeated.name;
  os << ";\n  }\n};\n";
}

static void emitStructs(const RecordKeeper &records, raw_ostream &os) {
  ISA isa = readISA(records);
  emitSourceFileHeader("Instruction set: enumerations, groups, instructions", os, records);
  os << "namespace npu::isa {\n";
  for (const Enumeration &enumeration : isa.enumerations) {
    emitEnumeration(enumeration, os);
    emitProperties(enumeration, os);
  }
  for (const auto &group : isa.groups) {
    if (group->name != "Term") {
      emitGroup(*group, os);
      continue;
    }
    // Written by the codec from the affine fields.
    os << "\n/// " << group->summary << "\nstruct " << group->name << " {\n";
    emitFields(*group, os);
    os << "};\n";
  }
  for (const Instruction &instruction : isa.instructions)
    emitInstruction(instruction, isa, os);
  size_t maxTyped = 0;
  for (const Instruction &instruction : isa.instructions)
    maxTyped =
        std::max<size_t>(maxTyped, llvm::count_if(instruction.operands, [](const Part &part) {
                           return part.type.has_value();
                         }));
  os << "\n/// Operands that an instruction of the vector unit has at most.\n"
     << "inline constexpr unsigned maxVectorOperands = " << maxTyped << ";\n";

  os << "\n/// Any instruction.\nusing Instruction = std::variant<";
  llvm::interleaveComma(isa.instructions, os, [&](const Instruction &i) { os << i.name; });
  os << ">;\n\n/// One method per instruction: an instruction without a meaning does not compile.\n"
     << "template <typename Result>\nclass InstructionVisitor {\npublic:\n"
     << "  virtual ~InstructionVisitor() = default;\n";
  for (const Instruction &instruction : isa.instructions)
    os << "  virtual Result visit(const " << instruction.name << " &instruction) = 0;\n";
  os << "};\n\n} // namespace npu::isa\n";
}

static void emitLimits(const RecordKeeper &records, raw_ostream &os) {
  ISA isa = readISA(records);
  emitSourceFileHeader("Instruction set: limits", os, records);
  os << "namespace npu::isa {\n";
  for (const Limit &limit : isa.limits)
    os << "\n/// " << limit.summary << "\ninline constexpr int64_t " << limit.name << " = "
       << limit.value << ";\n";
  os << "\n} // namespace npu::isa\n";
}

static TableGen::Emitter::Opt limitsRegistration("gen-isa-limits", emitLimits,
                                                 "Generate the limits that no field's width says");

static TableGen::Emitter::Opt registration("gen-isa-structs", emitStructs,
                                           "Generate the instruction set's C++ types");
