//===- NPUISAConversion.cpp - operations to instructions and back ---------===//
//
// Two visitors over the generated fields, like the codec's.
//
//===----------------------------------------------------------------------===//

#include "NPU/Dialect/NPUISA/IR/NPUISA.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;
using namespace mlir;
using namespace npu::isa;

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
    SmallVector<Attribute> dictionaries;
    for (const G &entry : entries) {
      AttributeWriter writer(builder);
      G::visit(writer, entry);
      dictionaries.push_back(writer.attributes.getDictionary(builder.getContext()));
    }
    if (!entries.empty())
      attributes.append(name, builder.getArrayAttr(dictionaries));
  }
  void unsignedField(const FieldInfo &info, int64_t value) { signedField(info, value); }
  void signedField(const FieldInfo &info, int64_t value) {
    if (value != 0)
      append(info, builder.getI64IntegerAttr(value));
  }
  void affineField(const FieldInfo &info, const Affine &value) {
    SmallVector<int64_t> numbers = {value.base};
    llvm::append_range(numbers, value.coefficients);
    while (!numbers.empty() && numbers.back() == 0)
      numbers.pop_back();
    if (!numbers.empty())
      append(info, builder.getDenseI64ArrayAttr(numbers));
  }
  void floatField(const FieldInfo &info, float value) {
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
      append(info, builder.getStringAttr(toString(value)));
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

/// Reads fields from a dictionary; absent ones stay 0. Keeps the first mistake.
class AttributeReader {
public:
  explicit AttributeReader(DictionaryAttr attributes) : attributes(attributes) {}

  template <typename G>
  void part(StringLiteral name, unsigned, G &group) {
    size_t length = path.size();
    path += name.str() + "_";
    G::visit(*this, group);
    path.resize(length);
  }
  template <typename G>
  void repeated(StringLiteral name, unsigned, unsigned, SmallVector<G, 0> &entries) {
    auto array = attributes.getAs<ArrayAttr>(name);
    ++used;
    if (!array) {
      --used;
      return;
    }
    for (Attribute entry : array) {
      auto dictionary = dyn_cast<DictionaryAttr>(entry);
      if (!dictionary)
        return fail("attribute '" + name + "' must be an array of dictionaries");
      AttributeReader reader(dictionary);
      entries.emplace_back();
      G::visit(reader, entries.back());
      if (reader.message.empty() && reader.used != dictionary.size())
        reader.fail("an entry of '" + name + "' has an unknown field");
      if (!reader.message.empty())
        return fail(reader.message);
    }
  }
  void unsignedField(const FieldInfo &info, int64_t &value) { signedField(info, value); }
  void signedField(const FieldInfo &info, int64_t &value) {
    if (auto attribute = get<IntegerAttr>(info, "an integer"))
      value = attribute.getInt();
  }
  void affineField(const FieldInfo &info, Affine &value) {
    auto attribute = get<DenseI64ArrayAttr>(info, "an i64 array");
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
    if (auto attribute = get<FloatAttr>(info, "an f32 number"))
      value = attribute.getValue().convertToFloat();
  }
  void flagField(const FieldInfo &info, bool &value) {
    if (auto attribute = get<BoolAttr>(info, "a boolean"))
      value = attribute.getValue();
  }
  void countersField(const FieldInfo &info, CounterSet &value) {
    int64_t number = 0;
    signedField(info, number);
    if (number < 0 || number > info.getMax())
      return fail("attribute '" + path + info.name + "' must be a set of counters");
    value = number;
  }
  template <typename E>
  void enumField(const FieldInfo &info, E &value) {
    auto attribute = get<StringAttr>(info, "a string");
    if (!attribute)
      return;
    std::optional<E> parsed = fromString<E>(attribute.getValue());
    if (!parsed)
      return fail("attribute '" + path + info.name + "' must name a value of " +
                  EnumTraits<E>::title + ", found '" + attribute.getValue() + "'");
    value = *parsed;
  }
  void reserved(unsigned, unsigned, unsigned) {}

  std::string message;
  size_t used = 0;

private:
  template <typename A>
  A get(const FieldInfo &info, StringRef expected) {
    Attribute attribute = attributes.get(path + info.name.str());
    if (!attribute)
      return {};
    ++used;
    if (auto typed = dyn_cast<A>(attribute))
      return typed;
    fail("attribute '" + path + info.name + "' must be " + expected);
    return {};
  }
  void fail(const Twine &what) {
    if (message.empty())
      message = what.str();
  }

  DictionaryAttr attributes;
  std::string path;
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
  AttributeReader reader(op->getAttrDictionary());
  Op::Instruction::visit(reader, held);
  if (!reader.message.empty())
    return op.emitOpError(reader.message);
  // A misspelt attribute would silently drop what it says, a wait for example.
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (!attribute.getName().getValue().contains('.'))
      return op.emitOpError("has no field '") << attribute.getName().getValue() << "'";
  Instruction instruction = std::move(held);
  if (Error error = checkInstruction(instruction))
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
// Programs
//===----------------------------------------------------------------------===//

/// `file:line:column`, a name, or empty when nothing is known.
static std::string describeLocation(LocationAttr loc) {
  return llvm::TypeSwitch<LocationAttr, std::string>(loc)
      .Case<FileLineColLoc>([](FileLineColLoc file) {
        return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
                Twine(file.getColumn()))
            .str();
      })
      .Case<NameLoc>([](NameLoc name) { return name.getName().str(); })
      .Case<CallSiteLoc>([](CallSiteLoc call) { return describeLocation(call.getCallee()); })
      .Case<FusedLoc>([](FusedLoc fused) {
        for (Location part : fused.getLocations())
          if (std::string text = describeLocation(part); !text.empty())
            return text;
        return std::string();
      })
      .Default([](LocationAttr) { return std::string(); });
}

static FailureOr<npu::isa::Region> toRegion(ProgramOp op, Attribute attribute) {
  auto dictionary = dyn_cast<DictionaryAttr>(attribute);
  auto kind = dictionary ? dictionary.getAs<StringAttr>("kind") : nullptr;
  auto name = dictionary ? dictionary.getAs<StringAttr>("name") : nullptr;
  auto bytes = dictionary ? dictionary.getAs<IntegerAttr>("bytes") : nullptr;
  if (!kind || !name || !bytes)
    return op.emitOpError("region must be a dictionary with 'kind', 'name' and 'bytes', found ")
           << attribute;
  std::optional<npu::isa::RegionKind> parsedKind =
      fromString<npu::isa::RegionKind>(kind.getValue());
  if (!parsedKind)
    return op.emitOpError("region kind must be constants, scratch, input, output or inout, "
                          "found ")
           << kind;
  npu::isa::Region region{*parsedKind, name.str(), bytes.getInt(), {}};
  if (auto data = dictionary.getAs<DenseI8ArrayAttr>("data"))
    region.data.assign(data.asArrayRef().begin(), data.asArrayRef().end());
  return region;
}

FailureOr<Program> npu::isa::toProgram(ProgramOp op) {
  Program program;
  program.name = op.getSymName().str();
  program.target = op.getTarget().str();
  for (Attribute attribute : op.getRegions()) {
    FailureOr<npu::isa::Region> region = toRegion(op, attribute);
    if (failed(region))
      return failure();
    program.regions.push_back(std::move(*region));
  }
  llvm::DenseMap<Attribute, int64_t> knownLocations;
  llvm::StringMap<int64_t> knownTexts;
  auto getSource = [&](LocationAttr loc) -> int64_t {
    auto [entry, isNew] = knownLocations.insert({loc, 0});
    if (!isNew)
      return entry->second;
    std::string text = describeLocation(loc);
    if (text.empty() || program.sources.size() == size_t(maxSources))
      return 0;
    // Distinct locations may read the same, for example in a fused one.
    auto [known, isNewText] = knownTexts.insert({text, program.sources.size() + 1});
    if (isNewText)
      program.sources.push_back(std::move(text));
    return entry->second = known->second;
  };
  for (Operation &child : op.getBody().front()) {
    auto stream = dyn_cast<StreamOp>(child);
    if (!stream)
      return child.emitOpError("is not a stream; a program holds npu_isa.stream operations only");
    std::optional<EngineKind> engine = fromString<EngineKind>(stream.getEngine());
    if (!engine)
      return stream.emitOpError("engine must be dmai, dmao, mxu, vpu or ctl, found '")
             << stream.getEngine() << "'";
    program.streams.push_back({static_cast<int64_t>(stream.getCluster()), *engine, {}});
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
  if (Error error = checkProgram(program))
    return op.emitOpError("is not valid: ") << toString(std::move(error));
  return program;
}

ProgramOp npu::isa::fromProgram(OpBuilder &builder, const Program &program) {
  MLIRContext *context = builder.getContext();
  SmallVector<Attribute> regions;
  for (const npu::isa::Region &region : program.regions) {
    NamedAttrList attributes;
    attributes.append("kind", builder.getStringAttr(toString(region.kind)));
    attributes.append("name", builder.getStringAttr(region.name));
    attributes.append("bytes", builder.getI64IntegerAttr(region.bytes));
    if (!region.data.empty())
      attributes.append("data", builder.getDenseI8ArrayAttr(
                                    SmallVector<int8_t>(region.data.begin(), region.data.end())));
    regions.push_back(attributes.getDictionary(context));
  }
  OpBuilder::InsertionGuard guard(builder);
  // Text may leave the name out; a symbol may not.
  StringRef name = program.name.empty() ? StringRef("kernel") : StringRef(program.name);
  auto programOp = ProgramOp::create(builder, builder.getUnknownLoc(), name, program.target,
                                     builder.getArrayAttr(regions));
  builder.createBlock(&programOp.getBody());
  for (const Stream &stream : program.streams) {
    builder.setInsertionPointToEnd(&programOp.getBody().front());
    auto streamOp =
        StreamOp::create(builder, builder.getUnknownLoc(), toString(stream.engine), stream.cluster);
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
