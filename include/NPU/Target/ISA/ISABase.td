//===- ISABase.td - classes that describe an instruction set --------------===//
//
// An instruction is a sequence of 64-bit little-endian words: the fixed groups of fields it lists,
// then an optional repeated group, then one word per loop term. Everything here is structure; there
// is no C++ in these files. npu-tblgen generates the instruction structs, the codec's tables, the
// simulator's visitor, the operations of the exit dialect and the manual from it.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TARGET_ISA_ISABASE_TD
#define NPU_TARGET_ISA_ISABASE_TD

/// A fact that no width of a field says.
class Limit<string identifier, int number, string description> {
  string name = identifier;
  int value = number;
  string summary = description;
}

/// The operands for which a function is defined.
class Domain<string title> {
  string summary = title;
}
def Numbers : Domain<"">;
def Integers : Domain<"integers">;
def Floats : Domain<"floats">;

/// `very_fast` as `VeryFast`.
class UpperCamel<string name> {
  list<string> letters = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w",
    "x", "y", "z"
  ];
  string result = !foldl("_" # name, letters, text, letter, !subst("_" # letter, !toupper(letter), text));
}

/// One value of an enumeration. `cost` is the number of passes over the lanes that a vector
/// operation of this kind takes; it, the domain and whether the result is a truth value mean nothing
/// for other enumerations.
class Case<string mnemonic, int number, string description = "", int passes = 1> {
  string name = mnemonic;
  /// In generated code.
  string identifier = UpperCamel<mnemonic>.result;
  int value = number;
  string summary = description;
  int cost = passes;
  Domain domain = Numbers;
  bit isComparison = false;
}

/// An element type in memory.
class Element<string mnemonic, int number, int size, bit real, string description>
    : Case<mnemonic, number, description # ", " # size # " byte" # !if(!eq(size, 1), "", "s")> {
  int bytes = size;
  bit isFloat = real;
}

/// Operand types of the systolic array, by the element types of its operands and of their sums.
class Product<string mnemonic, int number, Element l, Element r, Element sum>
    : Case<mnemonic, number, l.name # " x " # r.name # " into " # sum.name> {
  Element left = l;
  Element right = r;
  Element accumulator = sum;
}

class Enumeration<string title> {
  string summary = title;
  list<Case> cases = [];
}

/// Functions of the vector unit. An instruction computes with the one that its operand names.
class Functions<string title> : Enumeration<title>;

/// What the bits of a field mean.
class Kind;
/// Unsigned, signed and IEEE binary32 numbers, and a single bit.
def UInt : Kind;
def SInt : Kind;
def Float : Kind;
def Flag : Kind;
/// A signed base in the field's bits plus `sum(coefficient * counter)` in term words.
def Affine : Kind;
/// A set of loop counters, one bit per nesting depth.
def Counters : Kind;
/// A value of an enumeration.
class EnumOf<Enumeration e> : Kind {
  Enumeration enumeration = e;
}

/// A field: `width` bits from bit `lsb` of the group. A field stays inside one word. The value is the
/// stored number times `scale`.
class Field<string identifier, int at, int bitCount, Kind k, string description, int unit = 1> {
  string name = identifier;
  int lsb = at;
  int width = bitCount;
  Kind kind = k;
  int scale = unit;
  string summary = description;
}

/// Bits that must be zero. Every bit of a group belongs to a field, a part or a reserved range.
class Reserved<int at, int bitCount> {
  int lsb = at;
  int width = bitCount;
}

/// What a part may refer to; every FieldGroup is a Group, which TableGen cannot name before its parts.
class FieldGroup;

/// A group inside another group or an instruction, from word `word` of the parent.
class Part<string identifier, FieldGroup g, int at, string description> {
  string name = identifier;
  FieldGroup group = g;
  int word = at;
  string summary = description;
}

/// The element types that an operand of an instruction may have. Computing operands of an
/// instruction are all integers or all floats, such as the instruction's function is defined for; a
/// result is one as well, unless the function is a comparison: then it is an integer. Floats need a
/// vector unit with float lanes, unless the type says otherwise.
class OperandType<string title, list<Case> members> {
  string summary = title;
  list<Case> allowed = members;
  bit isComputing = false;
  bit isResult = false;
  bit needsFloatLanes = true;
}

/// A part with an element type: its group has a field `type`.
class TypedPart<string identifier, FieldGroup g, int at, string description, OperandType t>
    : Part<identifier, g, at, description> {
  OperandType type = t;
}

/// A part that is the address of so many contiguous elements.
class TablePart<string identifier, FieldGroup g, int at, string description, Element e, int count>
    : Part<identifier, g, at, description # ", " # count # " contiguous " # e.name> {
  Element element = e;
  int entries = count;
}

/// Fields that belong together: the unit of layout, of syntax, and of the manual.
class Group<int wordCount, string title> : FieldGroup {
  int words = wordCount;
  string summary = title;
  string description = "";
  list<Field> fields = [];
  list<Reserved> reserved = [];
  list<Part> parts = [];
  /// Printed and parsed by a function of the assembler instead of as `name=value` pairs.
  bit hasCustomSyntax = false;
}

/// A group repeated `min(count)` to `max` times at the end of an instruction; the number of
/// repetitions stands in the head.
class Repeated<string identifier, Group g, int atMost, string description> {
  string name = identifier;
  Group group = g;
  int max = atMost;
  string summary = description;
}

class Engine<string mnemonic, int number, string description> : Case<mnemonic, number, description>;

/// An instruction. `engines` lists the engines whose streams may hold it.
class Instruction<string mnemonicText, int number, list<Engine> on, string title> {
  string mnemonic = mnemonicText;
  int opcode = number;
  list<Engine> engines = on;
  string summary = title;
  string semantics = "";
  string timing = "";
  /// Passes over the lanes; where there is a function, times its own.
  int passes = 1;
  /// Groups in encoding order. The head is implied.
  list<Part> operands = [];
  list<Repeated> repeated = [];
}

#endif // NPU_TARGET_ISA_ISABASE_TD
