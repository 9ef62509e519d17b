//===- ISAModel.cpp - the instruction set as read from TableGen -----------===//

#include "ISAModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Error.h"

#include <algorithm>
#include <tuple>

using namespace llvm;
using namespace npu::tblgen;

static constexpr unsigned wordBits = 64;

/// TableGen's record vectors are sorted by name; the manual and the generated files follow the
/// file.
static std::vector<const Record *> inFileOrder(const RecordKeeper &records, StringRef className) {
  std::vector<const Record *> result(records.getAllDerivedDefinitions(className));
  llvm::sort(result, [](const Record *a, const Record *b) { return a->getID() < b->getID(); });
  return result;
}

std::string npu::tblgen::toUpperCamel(StringRef name) {
  std::string result;
  bool upper = true;
  for (char c : name) {
    if (c == '_' || c == '.') {
      upper = true;
      continue;
    }
    result += upper ? toUpper(c) : c;
    upper = false;
  }
  return result;
}

std::string npu::tblgen::dedent(StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  size_t indent = StringRef::npos;
  for (StringRef line : lines)
    if (!line.trim().empty())
      indent = std::min(indent, line.find_first_not_of(' '));
  std::string result;
  for (StringRef line : lines)
    result += (line.trim().empty() ? StringRef() : line.drop_front(indent).rtrim()).str() + "\n";
  return StringRef(result).trim('\n').str();
}

namespace {
class Reader {
public:
  explicit Reader(const RecordKeeper &records) : records(records) {}
  ISA read();

private:
  void readEnumeration(const Record *record);
  void checkCounters() const;
  const Group *readGroup(const Record *record);
  void readOperandType(const Record *owner, const Record *record, Part &part);
  std::vector<Part> readParts(const Record *owner, StringRef list);
  Field readField(const Record *record);
  void checkLayout(const Record *record, const Group &group);
  Instruction readInstruction(const Record *record);

  const RecordKeeper &records;
  ISA isa;
  DenseMap<const Record *, const Group *> groups;
  SmallVector<const Record *> openGroups;
};
} // namespace

void Reader::readEnumeration(const Record *record) {
  Enumeration result{record->getName().str(),
                     record->getValueAsString("summary").str(),
                     record->isSubClassOf("Functions"),
                     {}};
  StringMap<bool> names;
  DenseMap<int64_t, StringRef> values;
  for (const Record *entry : record->getValueAsListOfDefs("cases")) {
    EnumCase c{entry->getValueAsString("name").str(),
               entry->getValueAsString("identifier").str(),
               entry->getValueAsString("summary").str(),
               entry->getValueAsInt("value"),
               entry->getValueAsInt("cost"),
               entry->getValueAsDef("domain")->getName().str(),
               entry->getValueAsBit("isComparison")};
    if (StringRef domain = entry->getValueAsDef("domain")->getValueAsString("summary");
        !domain.empty())
      c.summary += (" (" + domain + ")").str();
    if (entry->isSubClassOf("Element")) {
      c.bytes = entry->getValueAsInt("bytes");
      c.isFloat = entry->getValueAsBit("isFloat");
    }
    if (entry->isSubClassOf("Product")) {
      auto getType = [&](StringRef operand) {
        return entry->getValueAsDef(operand)->getValueAsString("identifier").str();
      };
      c.left = getType("left");
      c.right = getType("right");
      c.accumulator = getType("accumulator");
    }
    if (!names.insert({c.name, true}).second)
      PrintFatalError(record->getLoc(),
                      "case '" + c.name + "' of '" + result.name + "' is named twice");
    auto [other, isNew] = values.insert({c.value, entry->getValueAsString("name")});
    if (!isNew)
      PrintFatalError(record->getLoc(), "cases '" + other->second + "' and '" + c.name + "' of '" +
                                            result.name + "' have the same value " +
                                            Twine(c.value));
    result.cases.push_back(std::move(c));
  }
  if (result.cases.empty())
    PrintFatalError(record->getLoc(), "enumeration '" + result.name + "' has no cases");
  isa.enumerations.push_back(std::move(result));
}

Field Reader::readField(const Record *record) {
  Field field{record->getValueAsString("name").str(),
              record->getValueAsString("summary").str(),
              static_cast<unsigned>(record->getValueAsInt("lsb")),
              static_cast<unsigned>(record->getValueAsInt("width")),
              FieldKind::UInt,
              "",
              record->getValueAsInt("scale")};
  const Record *kind = record->getValueAsDef("kind");
  if (kind->isSubClassOf("EnumOf")) {
    field.kind = FieldKind::Enum;
    field.enumeration = kind->getValueAsDef("enumeration")->getName().str();
    return field;
  }
  static const StringMap<FieldKind> kinds = {
      {"UInt", FieldKind::UInt}, {"SInt", FieldKind::SInt},     {"Float", FieldKind::Float},
      {"Flag", FieldKind::Flag}, {"Affine", FieldKind::Affine}, {"Counters", FieldKind::Counters}};
  auto it = kinds.find(kind->getName());
  if (it == kinds.end())
    PrintFatalError(record->getLoc(),
                    "field '" + field.name + "' has unknown kind '" + kind->getName() + "'");
  field.kind = it->second;
  return field;
}

std::vector<Part> Reader::readParts(const Record *owner, StringRef list) {
  std::vector<Part> parts;
  for (const Record *record : owner->getValueAsListOfDefs(list))
    parts.push_back(
        {record->getValueAsString("name").str(), record->getValueAsString("summary").str(),
         readGroup(record->getValueAsDef("group")),
         static_cast<unsigned>(record->getValueAsInt("word")), std::nullopt, std::nullopt});
  return parts;
}

/// Reads the type of an operand; its group must have a field for it with all of its values.
void Reader::readOperandType(const Record *owner, const Record *record, Part &part) {
  const Record *type = record->getValueAsDef("type");
  auto field = llvm::find_if(part.group->fields, [](const Field &candidate) {
    return candidate.name == "type" && candidate.kind == FieldKind::Enum;
  });
  if (field == part.group->fields.end())
    PrintFatalError(owner->getLoc(), "operand '" + part.name + "' of '" + owner->getName() +
                                         "' has a type, but group '" + part.group->name +
                                         "' has no enumerated field 'type'");
  const Record *enumeration = records.getDef(field->enumeration);
  std::vector<const Record *> cases = enumeration->getValueAsListOfDefs("cases");
  OperandType result{{},
                     type->getValueAsBit("isComputing"),
                     type->getValueAsBit("isResult"),
                     type->getValueAsBit("needsFloatLanes")};
  for (const Record *allowed : type->getValueAsListOfDefs("allowed")) {
    if (!llvm::is_contained(cases, allowed))
      PrintFatalError(owner->getLoc(), "operand '" + part.name + "' of '" + owner->getName() +
                                           "' allows '" + allowed->getValueAsString("name") +
                                           "', which is no case of '" + field->enumeration + "'");
    result.allowed.push_back(allowed->getValueAsInt("value"));
  }
  if (result.allowed.empty())
    PrintFatalError(owner->getLoc(),
                    "operand '" + part.name + "' of '" + owner->getName() + "' allows no type");
  if (StringRef title = type->getValueAsString("summary"); !title.empty())
    part.summary += (", " + title).str();
  part.type = std::move(result);
}

/// Every bit belongs to exactly one field, part or reserved range, and no field straddles two
/// words.
void Reader::checkLayout(const Record *record, const Group &group) {
  struct Range {
    unsigned begin, end;
    std::string what;
  };
  std::vector<Range> ranges;
  for (const Field &field : group.fields) {
    if (field.width == 0 || field.lsb / wordBits != (field.lsb + field.width - 1) / wordBits)
      PrintFatalError(record->getLoc(), "field '" + field.name + "' of '" + group.name +
                                            "' must lie inside one 64-bit word, but has " +
                                            Twine(field.width) + " bits from bit " +
                                            Twine(field.lsb));
    if (field.scale < 1)
      PrintFatalError(record->getLoc(), "field '" + field.name + "' of '" + group.name +
                                            "' needs a scale of at least 1");
    ranges.push_back({field.lsb, field.lsb + field.width, "field '" + field.name + "'"});
  }
  for (const Reserved &range : group.reserved)
    ranges.push_back({range.lsb, range.lsb + range.width, "a reserved range"});
  for (const Part &part : group.parts)
    ranges.push_back({part.word * wordBits, (part.word + part.group->words) * wordBits,
                      "part '" + part.name + "'"});
  llvm::sort(ranges, [](const Range &a, const Range &b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });

  unsigned next = 0;
  std::string previous = "the start";
  for (const Range &range : ranges) {
    if (range.begin < next)
      PrintFatalError(record->getLoc(), range.what + " of '" + group.name + "' overlaps " +
                                            previous + " at bit " + Twine(range.begin));
    if (range.begin > next)
      PrintFatalError(record->getLoc(), "bits " + Twine(next) + " to " + Twine(range.begin - 1) +
                                            " of '" + group.name +
                                            "' are neither a field nor reserved");
    next = range.end;
    previous = range.what;
  }
  unsigned total = group.words * wordBits;
  if (next < total)
    PrintFatalError(record->getLoc(), "bits " + Twine(next) + " to " + Twine(total - 1) + " of '" +
                                          group.name + "' are neither a field nor reserved");
  if (next > total)
    PrintFatalError(record->getLoc(), previous + " of '" + group.name + "' ends at bit " +
                                          Twine(next) + ", past the group's " + Twine(total) +
                                          " bits");
}

const Group *Reader::readGroup(const Record *record) {
  if (auto it = groups.find(record); it != groups.end())
    return it->second;
  if (llvm::is_contained(openGroups, record))
    PrintFatalError(record->getLoc(), "group '" + record->getName() + "' contains itself");
  openGroups.push_back(record);

  auto group = std::make_unique<Group>();
  group->name = record->getName().str();
  group->summary = record->getValueAsString("summary").str();
  group->description = dedent(record->getValueAsString("description"));
  group->words = record->getValueAsInt("words");
  group->hasCustomSyntax = record->getValueAsBit("hasCustomSyntax");
  group->parts = readParts(record, "parts");
  for (const Record *field : record->getValueAsListOfDefs("fields"))
    group->fields.push_back(readField(field));
  for (const Record *range : record->getValueAsListOfDefs("reserved"))
    group->reserved.push_back({static_cast<unsigned>(range->getValueAsInt("lsb")),
                               static_cast<unsigned>(range->getValueAsInt("width"))});
  StringMap<bool> names;
  for (const Field &field : group->fields)
    if (!names.insert({field.name, true}).second)
      PrintFatalError(record->getLoc(),
                      "'" + group->name + "' has two members named '" + field.name + "'");
  for (const Part &part : group->parts)
    if (!names.insert({part.name, true}).second)
      PrintFatalError(record->getLoc(),
                      "'" + group->name + "' has two members named '" + part.name + "'");
  checkLayout(record, *group);

  openGroups.pop_back();
  isa.groups.push_back(std::move(group));
  return groups[record] = isa.groups.back().get();
}

Instruction Reader::readInstruction(const Record *record) {
  Instruction result;
  result.name = record->getName().str();
  result.mnemonic = record->getValueAsString("mnemonic").str();
  result.opcode = record->getValueAsInt("opcode");
  result.passes = record->getValueAsInt("passes");
  result.summary = record->getValueAsString("summary").str();
  result.semantics = dedent(record->getValueAsString("semantics"));
  result.timing = dedent(record->getValueAsString("timing"));
  if (result.opcode > 255)
    PrintFatalError(record->getLoc(), "opcode of '" + result.mnemonic +
                                          "' must fit 8 bits, but is " + Twine(result.opcode));
  if (result.semantics.empty())
    PrintFatalError(record->getLoc(), "instruction '" + result.mnemonic + "' has no semantics");
  result.engineMask = 0;
  for (const Record *engine : record->getValueAsListOfDefs("engines")) {
    result.engines.push_back(engine->getValueAsString("name").str());
    result.engineMask |= 1u << engine->getValueAsInt("value");
  }
  result.operands = readParts(record, "operands");
  for (auto [part, operand] : llvm::zip(result.operands, record->getValueAsListOfDefs("operands")))
    if (operand->isSubClassOf("TypedPart"))
      readOperandType(record, operand, part);
    else if (operand->isSubClassOf("TablePart"))
      part.table = {operand->getValueAsDef("element")->getValueAsString("identifier").str(),
                    operand->getValueAsInt("entries")};
  if (llvm::any_of(result.operands,
                   [](const Part &part) { return part.type && part.type->isResult; }) &&
      llvm::none_of(result.operands,
                    [](const Part &part) { return part.type && part.type->isComputing; }))
    PrintFatalError(record->getLoc(),
                    "instruction '" + result.mnemonic + "' has a result, but no computing operand");
  result.words = 1; // the head
  for (const Part &part : result.operands) {
    if (part.word != result.words)
      PrintFatalError(record->getLoc(), "operand '" + part.name + "' of '" + result.mnemonic +
                                            "' must start at word " + Twine(result.words) +
                                            ", but is placed at word " + Twine(part.word));
    result.words += part.group->words;
  }
  for (const Record *repeated : record->getValueAsListOfDefs("repeated"))
    result.repeated.push_back({repeated->getValueAsString("name").str(),
                               repeated->getValueAsString("summary").str(),
                               readGroup(repeated->getValueAsDef("group")),
                               static_cast<unsigned>(repeated->getValueAsInt("max"))});
  if (result.repeated.size() > 1)
    PrintFatalError(record->getLoc(),
                    "instruction '" + result.mnemonic + "' has more than one repeated group");
  return result;
}

/// A set of counters has a bit for each that there can be.
void Reader::checkCounters() const {
  auto depth =
      llvm::find_if(isa.limits, [](const Limit &limit) { return limit.name == "maxLoopDepth"; });
  for (const auto &group : isa.groups)
    for (const Field &field : group->fields)
      if (field.kind == FieldKind::Counters &&
          (depth == isa.limits.end() || depth->value != field.width))
        PrintFatalError(records.getDef(group->name)->getLoc(),
                        "counters '" + field.name + "' of '" + group->name +
                            "' need a bit for each of the limit 'maxLoopDepth', but have " +
                            Twine(field.width));
}

ISA Reader::read() {
  StringMap<bool> limits;
  for (const Record *record : inFileOrder(records, "Limit")) {
    isa.limits.push_back({record->getValueAsString("name").str(),
                          record->getValueAsString("summary").str(),
                          record->getValueAsInt("value")});
    if (!limits.insert({isa.limits.back().name, true}).second)
      PrintFatalError(record->getLoc(), "limit '" + isa.limits.back().name + "' is defined twice");
  }
  for (const Record *record : inFileOrder(records, "Enumeration"))
    readEnumeration(record);
  for (const Record *record : inFileOrder(records, "Group"))
    readGroup(record);
  checkCounters();
  DenseMap<unsigned, const Record *> opcodes;
  StringMap<const Record *> mnemonics;
  for (const Record *record : inFileOrder(records, "Instruction")) {
    Instruction instruction = readInstruction(record);
    auto [sameOpcode, newOpcode] = opcodes.insert({instruction.opcode, record});
    if (!newOpcode) {
      PrintError(record->getLoc(), "opcode " + Twine(instruction.opcode) + " of '" +
                                       instruction.mnemonic + "' is taken");
      PrintFatalNote(sameOpcode->second->getLoc(), "by '" + sameOpcode->second->getName() + "'");
    }
    auto [sameName, newName] = mnemonics.insert({instruction.mnemonic, record});
    if (!newName) {
      PrintError(record->getLoc(), "mnemonic '" + instruction.mnemonic + "' is taken");
      PrintFatalNote(sameName->second->getLoc(), "by '" + sameName->second->getName() + "'");
    }
    isa.instructions.push_back(std::move(instruction));
  }
  llvm::sort(isa.instructions,
             [](const Instruction &a, const Instruction &b) { return a.opcode < b.opcode; });
  return std::move(isa);
}

ISA npu::tblgen::readISA(const RecordKeeper &records) { return Reader(records).read(); }
