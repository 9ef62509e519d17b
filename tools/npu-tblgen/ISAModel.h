//===- ISAModel.h - the instruction set as read from TableGen -------------===//
//
// Reads the records of ISABase.td into plain structs and checks what the classes cannot: every bit
// of a group is used exactly once, fields stay inside a word, opcodes and names are unique. A
// violation is a fatal error at the record.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TOOLS_NPUTBLGEN_ISAMODEL_H
#define NPU_TOOLS_NPUTBLGEN_ISAMODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/TableGen/Record.h"

#include <optional>
#include <string>
#include <vector>

namespace npu::tblgen {

struct Limit {
  std::string name, summary;
  int64_t value;
};

struct EnumCase {
  std::string name, identifier, summary;
  int64_t value, cost;
  std::string domain; // name of the record
  bool isComparison;
  /// Of element types.
  int64_t bytes = 0;
  bool isFloat = false;
  /// Of products: identifiers of element types.
  std::string left = {}, right = {}, accumulator = {};
};

struct Enumeration {
  std::string name, summary;
  bool isFunctions;
  std::vector<EnumCase> cases;
};

enum class FieldKind { UInt, SInt, Float, Flag, Affine, Counters, Enum };

struct Field {
  std::string name, summary;
  unsigned lsb, width; // lsb counts bits from the start of the group
  FieldKind kind;
  std::string enumeration; // for FieldKind::Enum
  int64_t scale;
};

struct Reserved {
  unsigned lsb, width;
};

struct Group;

/// What the field `type` of a typed part may be.
struct OperandType {
  std::vector<int64_t> allowed; // values of the field's enumeration
  bool isComputing, isResult, needsFloatLanes;
};

/// What a table part is the address of.
struct Table {
  std::string element; // identifier of the element type
  int64_t entries;
};

struct Part {
  std::string name, summary;
  const Group *group;
  unsigned word;
  std::optional<OperandType> type;
  std::optional<Table> table;
};

struct Group {
  std::string name, summary, description;
  unsigned words;
  bool hasCustomSyntax;
  std::vector<Field> fields;
  std::vector<Reserved> reserved;
  std::vector<Part> parts;
};

struct Repeated {
  std::string name, summary;
  const Group *group;
  unsigned max;
};

struct Instruction {
  std::string name, mnemonic, summary, semantics, timing;
  unsigned opcode, words, engineMask;
  int64_t passes;
  std::vector<std::string> engines;
  std::vector<Part> operands;
  std::vector<Repeated> repeated; // at most one
  bool synchronizes() const { return !operands.empty() && operands.front().group->name == "Sync"; }
};

/// The whole instruction set, in file order.
struct ISA {
  std::vector<Limit> limits;
  std::vector<Enumeration> enumerations;
  std::vector<std::unique_ptr<Group>> groups; // a group stands after those it contains
  std::vector<Instruction> instructions;      // sorted by opcode
};

/// Reads and checks every record; exits with a located error when a check fails.
ISA readISA(const llvm::RecordKeeper &records);

/// `cmp_eq` and `i16` as `CmpEq` and `I16`.
std::string toUpperCamel(llvm::StringRef name);

/// The text without its common indentation and surrounding blank lines.
std::string dedent(llvm::StringRef text);

} // namespace npu::tblgen

#endif // NPU_TOOLS_NPUTBLGEN_ISAMODEL_H
