// What is generated from a small instruction set: types, members in encoding order, the visitor.

// RUN: npu-tblgen -gen-isa-structs -I %source_root/include %s | FileCheck %s
// RUN: npu-tblgen -gen-isa-ops -I %source_root/include %s | FileCheck %s --check-prefix=OPS
// RUN: npu-tblgen -gen-isa-doc -I %source_root/include %s | FileCheck %s --check-prefix=DOC

include "NPU/Target/ISA/ISABase.td"

// CHECK: enum class Mode : uint8_t {
// CHECK-NEXT: Slow = 0,
// CHECK-NEXT: VeryFast = 3,
// CHECK: {Mode::VeryFast, "very_fast", 2, Domain::Numbers, false},
def Mode : Enumeration<"speeds"> { let cases = [Case<"slow", 0>, Case<"very_fast", 3, "", 2>]; }

def Element : Enumeration<"types"> { let cases = [Case<"whole", 0>, Case<"real", 1>]; }
def Whole : OperandType<"whole", [Element.cases[0]]>;
def Any : OperandType<"", Element.cases> { let isComputing = true; }
def Result : OperandType<"", Element.cases> { let isResult = true; let needsFloatLanes = false; }

class RealCase<string mnemonic, int number> : Case<mnemonic, number, "a function"> { let domain = Floats; }
// CHECK: {Function::Root, "root", 1, Domain::Floats, false},
def Function : Functions<"functions"> { let cases = [RealCase<"root", 0>]; }

// CHECK: struct Half {
// CHECK: static constexpr unsigned words = 1;
// CHECK: Affine place; ///< where
// CHECK: visitor.affineField(FieldInfo{"place", 0, 0, 32, 1}, self.place);
// CHECK: visitor.unsignedField(FieldInfo{"size", 0, 32, 16, 64}, self.size);
// CHECK: visitor.enumField(FieldInfo{"mode", 0, 48, 2, 1}, self.mode);
// CHECK: visitor.reserved(0, 50, 14);
def Half : Group<1, "half of it"> {
  let fields = [Field<"place", 0, 32, Affine, "where">, Field<"size", 32, 16, UInt, "how much", 64>,
                Field<"mode", 48, 2, EnumOf<Mode>, "how fast">];
  let reserved = [Reserved<50, 14>];
}

def Typed : Group<1, "an operand"> {
  let fields = [Field<"type", 0, 1, EnumOf<Element>, "its type">, Field<"rest", 1, 63, UInt, "">];
}
def Op : Group<1, "a function"> {
  let fields = [Field<"kind", 0, 1, EnumOf<Function>, "which">, Field<"rest", 1, 63, UInt, "">];
}

def E : Engine<"e", 0, "an engine">;
def F : Engine<"f", 1, "another engine">;

// CHECK: struct Compute {
// CHECK: static void visitTypes(Visitor &visitor, const Compute &self) {
// CHECK-NEXT: visitor.function(self.op.kind);
// CHECK-NEXT: visitor.operand(OperandType{"out", 3, false, true, false}, self.out.type);
// CHECK-NEXT: visitor.operand(OperandType{"in", 3, true, false, true}, self.in.type);
// CHECK-NEXT: visitor.operand(OperandType{"index", 1, false, false, true}, self.index.type);
def Compute : Instruction<"compute", 8, [E, F], "compute things"> {
  let semantics = "Computes.";
  let operands = [Part<"op", Op, 1, "a function">, TypedPart<"out", Typed, 2, "to", Result>,
                  TypedPart<"in", Typed, 3, "from", Any>, TypedPart<"index", Typed, 4, "where", Whole>];
}

// CHECK: struct Move {
// CHECK: mnemonic = "move";
// CHECK: opcode = 9;
// CHECK: words = 2;
// CHECK: visitor.part("half", 1, self.half);
// CHECK: visitor.repeated("more", 2, 4, self.more);
// CHECK: virtual Result visit(const Move &instruction) = 0;
// OPS: def NPUISA_MoveOp : NPUISA_Instruction<"move", "Move">
// OPS: OptionalAttr<DenseI64ArrayAttr>:$half_place,
// OPS: OptionalAttr<StrAttr>:$half_mode,
// OPS: OptionalAttr<ArrayAttr>:$more,
// DOC: | 0x08 | [`compute`](#compute) | all |
// DOC: | 0x09 | [`move`](#move) | e | 2 + 1 per entry of `more` | move things |
// DOC: | `index` | 4 | [Typed](#typed) | where, whole |
// DOC: | `size` | 0 | 32 | 16 | unsigned × 64 | how much |
// DOC: | 0 | `root` | a function (floats) |
def Move : Instruction<"move", 9, [E], "move things"> {
  let semantics = "Moves.";
  let operands = [Part<"half", Half, 1, "a half">];
  let repeated = [Repeated<"more", Half, 4, "more halves">];
}
