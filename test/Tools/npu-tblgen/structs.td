// What is generated from a small instruction set: types, members in encoding order, the visitor.

// RUN: npu-tblgen -gen-isa-structs -I %source_root/include %s | FileCheck %s
// RUN: npu-tblgen -gen-isa-ops -I %source_root/include %s | FileCheck %s --check-prefix=OPS
// RUN: npu-tblgen -gen-isa-doc -I %source_root/include %s | FileCheck %s --check-prefix=DOC

include "NPU/Target/ISA/ISABase.td"

// CHECK: enum class Mode : uint8_t {
// CHECK-NEXT: Slow = 0,
// CHECK-NEXT: VeryFast = 3,
// CHECK: {Mode::VeryFast, "very_fast", 2},
def Mode : Enumeration<"speeds"> { let cases = [Case<"slow", 0>, Case<"very_fast", 3, "", 2>]; }

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

def E : Engine<"e", 0, "an engine">;

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
// DOC: | 0x09 | [`move`](#move) | e | 2 + 1 per entry of `more` | move things |
// DOC: | `size` | 0 | 32 | 16 | unsigned × 64 | how much |
def Move : Instruction<"move", 9, [E], "move things"> {
  let semantics = "Moves.";
  let operands = [Part<"half", Half, 1, "a half">];
  let repeated = [Repeated<"more", Half, 4, "more halves">];
}
