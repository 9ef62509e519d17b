// Every mistake in a definition is an error at its record.

// RUN: not npu-tblgen < /dev/null 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: npu-tblgen: error: expected what to generate, as --gen-isa-doc, found nothing; --help lists what there is
// RUN: split-file --leading-lines %s %t
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/overlap.td 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/gap.td 2>&1 | FileCheck %s --check-prefix=GAP
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/tail.td 2>&1 | FileCheck %s --check-prefix=TAIL
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/past.td 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/straddle.td 2>&1 | FileCheck %s --check-prefix=STRADDLE
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/opcode.td 2>&1 | FileCheck %s --check-prefix=OPCODE
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/wide-opcode.td 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/mnemonic.td 2>&1 | FileCheck %s --check-prefix=MNEMONIC
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/member.td 2>&1 | FileCheck %s --check-prefix=MEMBER
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/operand.td 2>&1 | FileCheck %s --check-prefix=OPERAND
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/semantics.td 2>&1 | FileCheck %s --check-prefix=SEMANTICS
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/case.td 2>&1 | FileCheck %s --check-prefix=CASE
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/scale.td 2>&1 | FileCheck %s --check-prefix=SCALE
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/no-type.td 2>&1 | FileCheck %s --check-prefix=NO-TYPE
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/other-type.td 2>&1 | FileCheck %s --check-prefix=OTHER-TYPE
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/empty-type.td 2>&1 | FileCheck %s --check-prefix=EMPTY-TYPE
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/result.td 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not npu-tblgen -gen-isa-structs -I %source_root/include %t/counters.td 2>&1 | FileCheck %s --check-prefix=COUNTERS
// RUN: not npu-tblgen -gen-isa-limits -I %source_root/include %t/limit.td 2>&1 | FileCheck %s --check-prefix=LIMIT

//--- counters.td
include "NPU/Target/ISA/ISABase.td"
def : Limit<"maxLoopDepth", 5, "">;
// COUNTERS: counters.td:[[@LINE+1]]:5: error: counters 'a' of 'G' need a bit for each of the limit 'maxLoopDepth', but have 6
def G : Group<1, "g"> {
  let fields = [Field<"a", 0, 6, Counters, "">, Field<"b", 6, 58, UInt, "">];
}
//--- limit.td
include "NPU/Target/ISA/ISABase.td"
def First : Limit<"same", 1, "">;
// LIMIT: limit.td:[[@LINE+1]]:5: error: limit 'same' is defined twice
def Second : Limit<"same", 2, "">;
//--- overlap.td
include "NPU/Target/ISA/ISABase.td"
// OVERLAP: overlap.td:[[@LINE+1]]:5: error: field 'b' of 'G' overlaps field 'a' at bit 8
def G : Group<1, "g"> {
  let fields = [Field<"a", 0, 16, UInt, "">, Field<"b", 8, 8, UInt, "">];
  let reserved = [Reserved<16, 48>];
}
//--- gap.td
include "NPU/Target/ISA/ISABase.td"
// GAP: gap.td:[[@LINE+1]]:5: error: bits 8 to 15 of 'G' are neither a field nor reserved
def G : Group<1, "g"> {
  let fields = [Field<"a", 0, 8, UInt, "">, Field<"b", 16, 48, UInt, "">];
}
//--- tail.td
include "NPU/Target/ISA/ISABase.td"
// TAIL: tail.td:[[@LINE+1]]:5: error: bits 32 to 127 of 'G' are neither a field nor reserved
def G : Group<2, "g"> {
  let fields = [Field<"a", 0, 32, UInt, "">];
}
//--- past.td
include "NPU/Target/ISA/ISABase.td"
// PAST: past.td:[[@LINE+1]]:5: error: field 'b' of 'G' ends at bit 128, past the group's 64 bits
def G : Group<1, "g"> {
  let fields = [Field<"a", 0, 64, UInt, "">, Field<"b", 64, 64, UInt, "">];
}
//--- straddle.td
include "NPU/Target/ISA/ISABase.td"
// STRADDLE: straddle.td:[[@LINE+1]]:5: error: field 'a' of 'G' must lie inside one 64-bit word, but has 32 bits from bit 48
def G : Group<2, "g"> {
  let fields = [Field<"a", 48, 32, UInt, "">];
  let reserved = [Reserved<0, 48>, Reserved<80, 48>];
}
//--- opcode.td
include "NPU/Target/ISA/ISABase.td"
def E : Engine<"e", 0, "">;
// OPCODE: opcode.td:[[@LINE+4]]:5: error: opcode 7 of 'second' is taken
// OPCODE: opcode.td:[[@LINE+1]]:5: note: by 'First'
def First : Instruction<"first", 7, [E], ""> { let semantics = "x"; }

def Second : Instruction<"second", 7, [E], ""> { let semantics = "x"; }
//--- wide-opcode.td
include "NPU/Target/ISA/ISABase.td"
def E : Engine<"e", 0, "">;
// WIDE: wide-opcode.td:[[@LINE+1]]:5: error: opcode of 'first' must fit 8 bits, but is 256
def First : Instruction<"first", 256, [E], ""> { let semantics = "x"; }
//--- mnemonic.td
include "NPU/Target/ISA/ISABase.td"
def E : Engine<"e", 0, "">;
def First : Instruction<"same", 7, [E], ""> { let semantics = "x"; }
// MNEMONIC: mnemonic.td:[[@LINE+1]]:5: error: mnemonic 'same' is taken
def Second : Instruction<"same", 8, [E], ""> { let semantics = "x"; }
//--- member.td
include "NPU/Target/ISA/ISABase.td"
// MEMBER: member.td:[[@LINE+1]]:5: error: 'G' has two members named 'a'
def G : Group<1, "g"> {
  let fields = [Field<"a", 0, 32, UInt, "">, Field<"a", 32, 32, UInt, "">];
}
//--- operand.td
include "NPU/Target/ISA/ISABase.td"
def E : Engine<"e", 0, "">;
def G : Group<1, "g"> { let fields = [Field<"a", 0, 64, UInt, "">]; }
// OPERAND: operand.td:[[@LINE+1]]:5: error: operand 'g' of 'first' must start at word 1, but is placed at word 2
def First : Instruction<"first", 7, [E], ""> {
  let semantics = "x";
  let operands = [Part<"g", G, 2, "">];
}
//--- semantics.td
include "NPU/Target/ISA/ISABase.td"
def E : Engine<"e", 0, "">;
// SEMANTICS: semantics.td:[[@LINE+1]]:5: error: instruction 'first' has no semantics
def First : Instruction<"first", 7, [E], "">;
//--- case.td
include "NPU/Target/ISA/ISABase.td"
// CASE: case.td:[[@LINE+1]]:5: error: cases 'x' and 'y' of 'E' have the same value 1
def E : Enumeration<"e"> { let cases = [Case<"x", 1>, Case<"y", 1>]; }
//--- scale.td
include "NPU/Target/ISA/ISABase.td"
// SCALE: scale.td:[[@LINE+1]]:5: error: field 'a' of 'G' needs a scale of at least 1
def G : Group<1, "g"> { let fields = [Field<"a", 0, 64, UInt, "", 0>]; }
//--- no-type.td
include "NPU/Target/ISA/ISABase.td"
def E : Engine<"e", 0, "">;
def T : Enumeration<"t"> { let cases = [Case<"x", 0>]; }
def G : Group<1, "g"> { let fields = [Field<"a", 0, 64, UInt, "">]; }
// NO-TYPE: no-type.td:[[@LINE+1]]:5: error: operand 'g' of 'First' has a type, but group 'G' has no enumerated field 'type'
def First : Instruction<"first", 7, [E], ""> {
  let semantics = "x";
  let operands = [TypedPart<"g", G, 1, "", OperandType<"", T.cases>>];
}
//--- other-type.td
include "NPU/Target/ISA/ISABase.td"
def E : Engine<"e", 0, "">;
def T : Enumeration<"t"> { let cases = [Case<"x", 0>]; }
def G : Group<1, "g"> { let fields = [Field<"type", 0, 64, EnumOf<T>, "">]; }
// OTHER-TYPE: other-type.td:[[@LINE+1]]:5: error: operand 'g' of 'First' allows 'y', which is no case of 'T'
def First : Instruction<"first", 7, [E], ""> {
  let semantics = "x";
  let operands = [TypedPart<"g", G, 1, "", OperandType<"", [Case<"y", 1>]>>];
}
//--- empty-type.td
include "NPU/Target/ISA/ISABase.td"
def E : Engine<"e", 0, "">;
def T : Enumeration<"t"> { let cases = [Case<"x", 0>]; }
def G : Group<1, "g"> { let fields = [Field<"type", 0, 64, EnumOf<T>, "">]; }
// EMPTY-TYPE: empty-type.td:[[@LINE+1]]:5: error: operand 'g' of 'First' allows no type
def First : Instruction<"first", 7, [E], ""> {
  let semantics = "x";
  let operands = [TypedPart<"g", G, 1, "", OperandType<"", []>>];
}
//--- result.td
include "NPU/Target/ISA/ISABase.td"
def E : Engine<"e", 0, "">;
def T : Enumeration<"t"> { let cases = [Case<"x", 0>]; }
def G : Group<1, "g"> { let fields = [Field<"type", 0, 64, EnumOf<T>, "">]; }
def R : OperandType<"", T.cases> { let isResult = true; }
// RESULT: result.td:[[@LINE+1]]:5: error: instruction 'first' has a result, but no computing operand
def First : Instruction<"first", 7, [E], ""> {
  let semantics = "x";
  let operands = [TypedPart<"g", G, 1, "", R>];
}
