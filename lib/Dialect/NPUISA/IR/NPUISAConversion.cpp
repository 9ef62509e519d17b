//===- NPUISAConversion.cpp - operations to instructions and back ---------===//
//
// Two visitors over the generated fields, like the codec's.
//
//===----------------------------------------------------------------------===//

#include "FieldSyntax.h"
#include "NPU/Support/PartLocation.h"
#include "NPU/Support/SourceNames.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;
using namespace npu::isa;

namespace {
/// The attribute that holds a value of an enumeration or a group of fields.
template <typename T>
struct AttributeOf;
#define NPU_ATTRIBUTE_OF(Name)                                                                     \
  template <>                                                                                      \
  struct AttributeOf<Name> {                                                                       \
    using Type = Name##Attr;                                                                       \
  };
#define NPU_ISA_ENUM(Name) NPU_ATTRIBUTE_OF(Name)
#define NPU_ISA_GROUP(Name) NPU_ATTRIBUTE_OF(Name)
#include "NPU/Target/ISA/OpList.inc"
#undef NPU_ATTRIBUTE_OF
} // namespace

//===----------------------------------------------------------------------===//
// Instructions to attributes
//===----------------------------------------------------------------------===//

namespace {
/// Collects the attributes of the fields that are not 0.
class AttributeWriter {
public:
  explicit AttributeWriter(Builder &builder) : builder(builder) {}

  template <typename G>
  void part(StringLiteral name, unsigned, const G &group) {
    size_t length = path.size();
    path += name.str() + "_";
    G::visit(*this, group);
    path.resize(length);
  }
  template <typename G>
  void repeated(StringLiteral name, unsigned, unsigned, const SmallVector<G, 0> &entries) {
    auto groups = llvm::map_to_vector(entries, [&](const G &entry) -> Attribute {
      return AttributeOf<G>::Type::get(builder.getContext(), entry);
    });
    if (!entries.empty())
      attributes.append(name, builder.getArrayAttr(groups));
  }
  void unsignedField(const FieldInfo &info, int64_t value) { signedField(info, value); }
  void signedField(const FieldInfo &info, int64_t value) {
    if (value != 0)
      append(info, builder.getI64IntegerAttr(value));
  }
  void affineField(const FieldInfo &info, const Affine &value) {
    SmallVector<int64_t> numbers = npu::isa::detail::getNumbers(value);
    if (!numbers.empty())
      append(info, builder.getDenseI64ArrayAttr(numbers));
  }
  void floatField(const FieldInfo &info, float value) {
    if (bitsOf(value) != 0)
      append(info, builder.getF32FloatAttr(value));
  }
  void flagField(const FieldInfo &info, bool value) {
    if (value)
      append(info, builder.getBoolAttr(true));
  }
  void countersField(const FieldInfo &info, CounterSet value) { signedField(info, value); }
  template <typename E>
  void enumField(const FieldInfo &info, E value) {
    if (value != EnumTraits<E>::cases[0].value)
      append(info, AttributeOf<E>::Type::get(builder.getContext(), value));
  }
  void reserved(unsigned, unsigned, unsigned) {}

  NamedAttrList attributes;

private:
  void append(const FieldInfo &info, Attribute value) {
    attributes.append(path + info.name.str(), value);
  }

  Builder &builder;
  std::string path;
};

//===----------------------------------------------------------------------===//
// Attributes to instructions
//===----------------------------------------------------------------------===//

/// Reads fields from the attributes of an op; absent ones stay 0. Keeps the first mistake.
class AttributeReader {
public:
  explicit AttributeReader(Operation *op) : op(op) {}

  template <typename G>
  void part(StringLiteral name, unsigned, G &group) {
    size_t length = path.size();
    path += name.str() + "_";
    G::visit(*this, group);
    path.resize(length);
  }
  template <typename G>
  void repeated(StringLiteral name, unsigned, unsigned, SmallVector<G, 0> &entries) {
    if (auto array = llvm::dyn_cast_if_present<ArrayAttr>(getAttribute(name)))
      for (auto entry : array.getAsRange<typename AttributeOf<G>::Type>())
        entries.push_back(entry.getValue());
  }
  void unsignedField(const FieldInfo &info, int64_t &value) { signedField(info, value); }
  void signedField(const FieldInfo &info, int64_t &value) {
    if (auto attribute = get<IntegerAttr>(info))
      value = attribute.getInt();
  }
  void affineField(const FieldInfo &info, Affine &value) {
    auto attribute = get<DenseI64ArrayAttr>(info);
    if (!attribute || attribute.empty())
      return;
    if (attribute.size() > 1 + maxLoopDepth)
      return fail("attribute '" + path + info.name + "' has more than " + Twine(1 + maxLoopDepth) +
                  " elements");
    value.base = attribute[0];
    for (auto [k, coefficient] : llvm::enumerate(attribute.asArrayRef().drop_front()))
      value.coefficients[k] = coefficient;
  }
  void floatField(const FieldInfo &info, float &value) {
    if (auto attribute = get<FloatAttr>(info))
      value = attribute.getValue().convertToFloat();
  }
  void flagField(const FieldInfo &info, bool &value) {
    if (auto attribute = get<BoolAttr>(info))
      value = attribute.getValue();
  }
  void countersField(const FieldInfo &info, CounterSet &value) {
    int64_t number = 0;
    signedField(info, number);
    if (number < 0 || number > std::numeric_limits<CounterSet>::max())
      return fail("attribute '" + path + info.name + "' must be a set of counters");
    value = number;
  }
  template <typename E>
  void enumField(const FieldInfo &info, E &value) {
    if (auto attribute = get<typename AttributeOf<E>::Type>(info))
      value = attribute.getValue();
  }
  void reserved(unsigned, unsigned, unsigned) {}

  std::string message;

private:
  /// The op has verified the types.
  template <typename A>
  A get(const FieldInfo &info) {
    return llvm::dyn_cast_if_present<A>(getAttribute(path + info.name.str()));
  }
  Attribute getAttribute(StringRef name) const {
    return op->getInherentAttr(name).value_or(Attribute());
  }
  void fail(const Twine &what) {
    if (message.empty())
      message = what.str();
  }

  Operation *op;
  std::string path;
};

/// Hashes all fields.
class FieldHasher {
public:
  template <typename G>
  void part(StringLiteral, unsigned, const G &group) {
    G::visit(*this, group);
  }
  void unsignedField(const FieldInfo &, int64_t value) { add(value); }
  void signedField(const FieldInfo &, int64_t value) { add(value); }
  void affineField(const FieldInfo &, const Affine &value) {
    add(value.base);
    add(llvm::hash_combine_range(value.coefficients));
  }
  void floatField(const FieldInfo &, float value) { add(bitsOf(value)); }
  void flagField(const FieldInfo &, bool value) { add(value); }
  void countersField(const FieldInfo &, CounterSet value) { add(value); }
  template <typename E>
  void enumField(const FieldInfo &, E value) {
    add(value);
  }
  void reserved(unsigned, unsigned, unsigned) {}

  llvm::hash_code hash = 0;

private:
  template <typename T>
  void add(const T &value) {
    hash = llvm::hash_combine(hash, value);
  }
};
} // namespace

template <typename Op>
static Operation *create(OpBuilder &builder, Location loc, const typename Op::Instruction &held) {
  AttributeWriter writer(builder);
  Op::Instruction::visit(writer, held);
  OperationState state(loc, Op::getOperationName());
  state.addAttributes(writer.attributes);
  return builder.create(state);
}

Operation *npu::isa::createInstruction(OpBuilder &builder, Location loc,
                                       const Instruction &instruction) {
#define NPU_ISA_OP(Name)                                                                           \
  if (auto *held = std::get_if<Name>(&instruction))                                                \
    return create<Name##Op>(builder, loc, *held);
#include "NPU/Target/ISA/OpList.inc"
  llvm_unreachable("every instruction has an operation");
}

template <typename Op>
static FailureOr<Instruction> read(Op op) {
  typename Op::Instruction held;
  AttributeReader reader(op);
  Op::Instruction::visit(reader, held);
  if (!reader.message.empty())
    return op.emitOpError(reader.message);
  // A misspelt attribute would silently drop what it says, a wait for example.
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (!attribute.getName().getValue().contains('.'))
      return op.emitOpError("has no field '") << attribute.getName().getValue() << "'";
  Instruction instruction = std::move(held);
  if (llvm::Error error = checkInstruction(instruction))
    return op.emitError(toString(std::move(error)));
  return instruction;
}

FailureOr<Instruction> npu::isa::toInstruction(Operation *op) {
#define NPU_ISA_OP(Name)                                                                           \
  if (auto typed = dyn_cast<Name##Op>(op))                                                         \
    return read(typed);
#include "NPU/Target/ISA/OpList.inc"
  return op->emitOpError("is not an instruction; a stream holds instructions only");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

#define NPU_ISA_GROUP(Name)                                                                        \
  llvm::hash_code npu::isa::hash_value(const Name &group) {                                        \
    FieldHasher hasher;                                                                            \
    Name::visit(hasher, group);                                                                    \
    return hasher.hash;                                                                            \
  }
#include "NPU/Target/ISA/OpList.inc"

template <typename Op>
static ParseResult parse(OpAsmParser &parser, OperationState &result) {
  typename Op::Instruction held;
  auto parseOther = [&](SMLoc loc, StringRef name) -> ParseResult {
    Attribute value;
    // A misspelt field would silently drop what it says, a wait for example.
    if (!name.contains('.'))
      return parser.emitError(loc, "'")
             << Op::getOperationName() << "' has no field '" << name << "'";
    if (parser.parseEqual() || parser.parseAttribute(value))
      return failure();
    result.addAttribute(name, value);
    return success();
  };
  if (npu::isa::detail::parseFields(parser, held, AsmParser::Delimiter::OptionalBraces, parseOther))
    return failure();
  AttributeWriter writer(parser.getBuilder());
  Op::Instruction::visit(writer, held);
  result.addAttributes(writer.attributes);
  return success();
}

ParseResult npu::isa::detail::parseInstructionOp(OpAsmParser &parser, OperationState &result) {
#define NPU_ISA_OP(Name)                                                                           \
  if (result.name.getStringRef() == Name##Op::getOperationName())                                  \
    return parse<Name##Op>(parser, result);
#include "NPU/Target/ISA/OpList.inc"
  llvm_unreachable("only instructions are printed so");
}

template <typename Op>
static void print(Op op, OpAsmPrinter &printer) {
  typename Op::Instruction held;
  AttributeReader reader(op);
  Op::Instruction::visit(reader, held);
  if (op->getAttrDictionary().empty())
    return;
  npu::isa::detail::FieldPrinter fields(printer);
  printer << " {";
  Op::Instruction::visit(fields, held);
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    printer << (fields.hasPrinted ? ", " : "");
    printer.printKeywordOrString(attribute.getName().getValue());
    printer << " = " << attribute.getValue();
    fields.hasPrinted = true;
  }
  printer << "}";
}

void npu::isa::detail::printInstructionOp(Operation *op, OpAsmPrinter &printer) {
#define NPU_ISA_OP(Name)                                                                           \
  if (auto typed = dyn_cast<Name##Op>(op))                                                         \
    return print(typed, printer);
#include "NPU/Target/ISA/OpList.inc"
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

RegionAttr npu::isa::createRegion(MLIRContext *context, RegionKind kind, const Twine &name,
                                  int64_t bytes, ArrayRef<char> data) {
  DenseElementsAttr contents;
  if (kind == RegionKind::Constants)
    contents = DenseElementsAttr::getFromRawBuffer(
        RankedTensorType::get({bytes}, IntegerType::get(context, 8)), data);
  return RegionAttr::get(context, kind, StringAttr::get(context, name), bytes, contents);
}

static npu::isa::Region toRegion(RegionAttr attribute, bool borrows) {
  npu::isa::Region region{attribute.getKind(), attribute.getName().str(), attribute.getBytes(), {}};
  if (DenseElementsAttr data = attribute.getData()) {
    ArrayRef<uint8_t> raw = llvm::arrayRefFromStringRef(toStringRef(data.getRawData()));
    if (data.isSplat())
      region.data = std::vector<uint8_t>(data.getNumElements(), raw.front());
    else
      region.data = borrows ? SharedBytes::borrow(raw) : SharedBytes(raw.vec());
  }
  return region;
}

static FailureOr<Program> convertProgram(ProgramOp op, std::vector<unsigned> *partOfSource,
                                         bool borrows) {
  Program program;
  program.name = op.getSymName().str();
  program.target = op.getTarget().str();
  for (auto region : op.getRegionsAttr().getAsRange<RegionAttr>())
    program.regions.push_back(toRegion(region, borrows));
  llvm::DenseMap<Attribute, int64_t> knownLocations;
  std::map<std::pair<unsigned, std::string>, int64_t> knownTexts;
  auto getSource = [&](LocationAttr loc) -> int64_t {
    auto [entry, isNew] = knownLocations.insert({loc, 0});
    if (!isNew)
      return entry->second;
    SmallVector<std::string> names = npu::getSourceNames(loc);
    std::string text = names.empty() ? std::string() : names.front();
    if (text.empty() || program.sources.size() == size_t(maxSources))
      return 0;
    // Distinct locations may read the same, for example in a fused one.
    unsigned part = npu::getPart(loc);
    auto [known, isNewText] =
        knownTexts.try_emplace({part, text}, int64_t(program.sources.size() + 1));
    if (isNewText) {
      program.sources.push_back(std::move(text));
      if (partOfSource)
        partOfSource->push_back(part);
    }
    return entry->second = known->second;
  };
  for (Operation &child : op.getBody().front()) {
    auto stream = dyn_cast<StreamOp>(child);
    if (!stream)
      return child.emitOpError("is not a stream; a program holds npu_isa.stream operations only");
    program.streams.push_back(
        {static_cast<int64_t>(stream.getCluster()), stream.getEngine().getValue(), {}});
    for (Operation &instructionOp : stream.getBody().front()) {
      FailureOr<Instruction> instruction = toInstruction(&instructionOp);
      if (failed(instruction))
        return failure();
      // Control instructions do nothing a message could lead back to.
      if (npu::isa::getSync(*instruction))
        std::visit([&](auto &held) { held.source = getSource(instructionOp.getLoc()); },
                   *instruction);
      program.streams.back().code.push_back(std::move(*instruction));
    }
  }
  if (llvm::Error error = checkProgram(program))
    return op.emitOpError("is not valid: ") << toString(std::move(error));
  return program;
}

FailureOr<Program> npu::isa::toProgram(ProgramOp op, std::vector<unsigned> *partOfSource) {
  return convertProgram(op, partOfSource, /*borrows=*/false);
}

FailureOr<Program> npu::isa::toBorrowingProgram(ProgramOp op, std::vector<unsigned> *partOfSource) {
  return convertProgram(op, partOfSource, /*borrows=*/true);
}

ProgramOp npu::isa::fromProgram(OpBuilder &builder, const Program &program) {
  SmallVector<Attribute> regions;
  for (const npu::isa::Region &region : program.regions)
    regions.push_back(createRegion(
        builder.getContext(), region.kind, region.name, region.bytes,
        ArrayRef(reinterpret_cast<const char *>(region.data.data()), region.data.size())));
  OpBuilder::InsertionGuard guard(builder);
  // Text may leave the name out; a symbol may not.
  StringRef name = program.name.empty() ? StringRef("kernel") : StringRef(program.name);
  auto programOp =
      ProgramOp::create(builder, builder.getUnknownLoc(), name, program.target, regions);
  builder.createBlock(&programOp.getBody());
  for (const Stream &stream : program.streams) {
    builder.setInsertionPointToEnd(&programOp.getBody().front());
    auto streamOp =
        StreamOp::create(builder, builder.getUnknownLoc(), stream.engine, stream.cluster);
    builder.createBlock(&streamOp.getBody());
    for (const Instruction &instruction : stream.code) {
      int64_t source = npu::isa::getSource(instruction);
      Location loc =
          source ? Location(NameLoc::get(builder.getStringAttr(program.sources[source - 1])))
                 : builder.getUnknownLoc();
      createInstruction(builder, loc, instruction);
    }
  }
  return programOp;
}
