// What is generated from a small instruction set: types, members in encoding order, the visitor.

// RUN: npu-tblgen -gen-isa-structs -I %source_root/include %s | FileCheck %s
// RUN: npu-tblgen -gen-isa-limits -I %source_root/include %s | FileCheck %s --check-prefix=LIMITS
// RUN: npu-tblgen -gen-isa-ops -I %source_root/include %s | FileCheck %s --check-prefix=OPS
// RUN: npu-tblgen -gen-isa-op-list -I %source_root/include %s | FileCheck %s --check-prefix=LIST
// RUN: npu-tblgen -gen-isa-doc -I %source_root/include %s | FileCheck %s --check-prefix=DOC

include "NPU/Target/ISA/ISABase.td"

// LIMITS: /// how far
// LIMITS-NEXT: inline constexpr int64_t reach = 7;
def Reach : Limit<"reach", 7, "how far">;

// OPS: def NPUISA_ModeAttr : NPUISA_Enum<"Mode", "mode"> {
// OPS: let summary = "speeds";
// OPS: * `slow`;
// OPS: * `very_fast`;
// CHECK: enum class Mode : uint8_t {
// CHECK-NEXT: Slow = 0,
// CHECK-NEXT: VeryFast = 3,
// CHECK: {Mode::VeryFast, "very_fast", 2, Domain::Numbers, false},
def Mode : Enumeration<"speeds"> { let cases = [Case<"slow", 0>, Case<"very_fast", 3, "", 2>]; }

// CHECK: constexpr int64_t getByteSize(Kinds value) {
// CHECK: case Kinds::Whole:
// CHECK-NEXT: return 1;
// CHECK-NEXT: case Kinds::Real:
// CHECK-NEXT: return 8;
// CHECK: constexpr bool isFloat(Kinds value) {
// CHECK: case Kinds::Real:
// CHECK-NEXT: return true;
def TypeWhole : Element<"whole", 0, 1, false, "a count">;
def TypeReal : Element<"real", 1, 8, true, "a number">;
def Kinds : Enumeration<"types"> { let cases = [TypeWhole, TypeReal]; }
def Whole : OperandType<"whole", [TypeWhole]>;
def Any : OperandType<"", Kinds.cases> { let isComputing = true; }
def Result : OperandType<"", Kinds.cases> { let isResult = true; let needsFloatLanes = false; }

// CHECK: constexpr ElementType getLeftType(Pairs value) {
// CHECK-NEXT: switch (value) {
// CHECK-NEXT: case Pairs::Mixed:
// CHECK-NEXT: return ElementType::Whole;
// CHECK: constexpr ElementType getRightType(Pairs value) {
// CHECK: return ElementType::Real;
// CHECK: constexpr ElementType getAccumulatorType(Pairs value) {
// CHECK: return ElementType::Real;
def Pairs : Enumeration<"products"> { let cases = [Product<"mixed", 0, TypeWhole, TypeReal, TypeReal>]; }

class RealCase<string mnemonic, int number> : Case<mnemonic, number, "a function"> { let domain = Floats; }
// CHECK: {Function::Root, "root", 1, Domain::Floats, false},
def Function : Functions<"functions"> { let cases = [RealCase<"root", 0>]; }

// OPS: def NPUISA_HalfAttr : NPUISA_Group<"Half", "half"> {
// OPS: def NPUISA_HalfArrayAttr : TypedArrayAttrBase<NPUISA_HalfAttr, "array of #npu_isa.half">;
// CHECK: struct Half {
// CHECK: static constexpr unsigned words = 1;
// CHECK: static constexpr unsigned numParts = 0;
// CHECK: struct Fields {
// CHECK-NEXT: static constexpr FieldInfo place{"place", 0, 0, 32, 1, true};
// CHECK-NEXT: static constexpr FieldInfo size{"size", 0, 32, 16, 64, false};
// CHECK-NEXT: static constexpr FieldInfo mode{"mode", 0, 48, 2, 1, false};
// CHECK: Affine place; ///< where
// CHECK: visitor.affineField(Fields::place, self.place);
// CHECK: visitor.unsignedField(Fields::size, self.size);
// CHECK: visitor.enumField(Fields::mode, self.mode);
// CHECK: visitor.reserved(0, 50, 14);
def Half : Group<1, "half of it"> {
  let fields = [Field<"place", 0, 32, Affine, "where">, Field<"size", 32, 16, UInt, "how much", 64>,
                Field<"mode", 48, 2, EnumOf<Mode>, "how fast">];
  let reserved = [Reserved<50, 14>];
}

def Typed : Group<1, "an operand"> {
  let fields = [Field<"type", 0, 1, EnumOf<Kinds>, "its type">, Field<"rest", 1, 63, UInt, "">];
}
def Op : Group<1, "a function"> {
  let fields = [Field<"kind", 0, 1, EnumOf<Function>, "which">, Field<"rest", 1, 63, UInt, "">];
}

def E : Engine<"e", 0, "an engine">;
def F : Engine<"f", 1, "another engine">;

// CHECK: struct Compute {
// CHECK: static constexpr int64_t passes = 3;
// CHECK: static constexpr ElementType listType = ElementType::Real;
// CHECK-NEXT: static constexpr int64_t listEntries = 12;
// CHECK: static void visitTypes(Visitor &visitor, const Compute &self) {
// CHECK-NEXT: visitor.function(self.op.kind);
// CHECK-NEXT: visitor.operand(OperandType{"out", 3, false, true, false}, self.out);
// CHECK-NEXT: visitor.operand(OperandType{"in", 3, true, false, true}, self.in);
// CHECK-NEXT: visitor.operand(OperandType{"index", 1, false, false, true}, self.index);
def Compute : Instruction<"compute", 8, [E, F], "compute things"> {
  let semantics = "Computes.";
  let passes = 3;
  let operands = [Part<"op", Op, 1, "a function">, TypedPart<"out", Typed, 2, "to", Result>,
                  TypedPart<"in", Typed, 3, "from", Any>, TypedPart<"index", Typed, 4, "where", Whole>,
                  TablePart<"list", Half, 5, "what", TypeReal, 12>];
}

// CHECK: struct Move {
// CHECK: mnemonic = "move";
// CHECK: opcode = 9;
// CHECK: words = 2;
// CHECK: static constexpr unsigned maxMore = 4;
// CHECK: visitor.part("half", 1, self.half);
// CHECK: visitor.repeated("more", 2, maxMore, self.more);
// CHECK: inline constexpr unsigned maxVectorOperands = 3;
// CHECK: virtual Result visit(const Move &instruction) = 0;
// OPS: def NPUISA_MoveOp : NPUISA_Instruction<"move", "Move">
// OPS: OptionalAttr<DenseI64ArrayAttr>:$half_place,
// OPS: OptionalAttr<NPUISA_ModeAttr>:$half_mode,
// OPS: OptionalAttr<NPUISA_HalfArrayAttr>:$more
// LIST: NPU_ISA_OP(Move)
// LIST: NPU_ISA_ENUM(Mode)
// LIST: NPU_ISA_GROUP(Half)
// DOC: | 0x08 | [`compute`](#compute) | all |
// DOC: | 0x09 | [`move`](#move) | e | 2 + 1 per entry of `more` | move things |
// DOC: | `index` | 4 | [Typed](#typed) | where, whole |
// DOC: | `list` | 5 | [Half](#half) | what, 12 contiguous real |
// DOC: | `size` | 0 | 32 | 16 | unsigned × 64 | how much |
// DOC: | `reach` | 7 | how far |
// DOC: | 1 | `real` | a number, 8 bytes |
// DOC: | 0 | `mixed` | whole x real into real |
// DOC: | 0 | `root` | a function (floats) |
def Move : Instruction<"move", 9, [E], "move things"> {
  let semantics = "Moves.";
  let operands = [Part<"half", Half, 1, "a half">];
  let repeated = [Repeated<"more", Half, 4, "more halves">];
}
