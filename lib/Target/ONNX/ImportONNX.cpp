//===- ImportONNX.cpp - .onnx files to the onnx dialect -------------------===//
//
// Format: onnx.proto, parsed by libprotobuf. Says what the file says; what it means is inferred and
// checked by passes.
//
//===----------------------------------------------------------------------===//

#include "NPU/Target/ONNX/ImportONNX.h"

#include "ImportTensor.h"
#include "PrepareModel.h"

#include "NPU/Dialect/ONNX/IR/ONNXOps.h"
#include "NPU/Dialect/ONNX/Specs/Constants.h"
#include "NPU/Dialect/ONNX/Specs/OpSpec.h"
#include "NPU/Support/FileKind.h"
#include "NPU/Support/InputFile.h"
#include "NPU/Support/OutputFiles.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <google/protobuf/io/zero_copy_stream.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/unknown_field_set.h>
#include <map>
#include <sys/mman.h>

using namespace mlir;
using namespace npu;
using namespace npu::onnx_ir;

namespace {
/// Builds the function of one graph.
class GraphImporter {
public:
  GraphImporter(std::shared_ptr<const onnx::ModelProto> model, StringRef path,
                const ONNXImportOptions &options, MLIRContext *context)
      : model(model), path(path), options(options), dimensions(options.dimensions),
        builder(context),
        tensors(context, path == "<stdin>" ? StringRef() : getDirectory(path), model) {}

  OwningOpRef<ModuleOp> import();

private:
  static StringRef getDirectory(StringRef path) {
    StringRef parent = llvm::sys::path::parent_path(path);
    return parent.empty() ? "." : parent;
  }

  /// Position of node `index` (from 1) in the file; 0 for the whole file.
  Location getFileLocation(unsigned index = 0) {
    return FileLineColLoc::get(builder.getContext(), path, index, 0);
  }
  InFlightDiagnostic error() { return emitError(getFileLocation()); }

  LogicalResult importInputs(func::FuncOp function);
  LogicalResult importInitializers(const onnx::GraphProto &graph);
  FailureOr<Value> importPacked(const onnx::TensorProto &tensor, Location location,
                                bool isZeroPoint);
  LogicalResult importNode(const onnx::NodeProto &proto, unsigned index);
  LogicalResult importCall(const onnx::FunctionProto &callee, const onnx::NodeProto &proto,
                           unsigned index, NameLoc location);
  LogicalResult importSubgraph(const onnx::GraphProto &graph, unsigned index, Region &region);
  FailureOr<SmallVector<Value>> importOperands(const onnx::NodeProto &proto, NameLoc location);
  const onnx::AttributeProto *resolve(const onnx::AttributeProto &attribute) const;
  Value lookup(StringRef name) const;
  Value getNone();
  LogicalResult importOutputs(func::FuncOp function);
  FailureOr<Type> importType(const onnx::ValueInfoProto &value);
  FailureOr<Attribute> importAttribute(const onnx::AttributeProto &attribute, Location location);
  SmallVector<StringRef> getUnknownDimensions(const onnx::ValueInfoProto &value);
  FailureOr<Value> importBoundInput(const onnx::ValueInfoProto &input, StringRef boundPath);
  /// A name as diagnostics can print it.
  StringAttr getName(StringRef name);
  LogicalResult define(StringRef name, Value value);

  std::shared_ptr<const onnx::ModelProto> model;
  StringRef path;
  const ONNXImportOptions &options;
  /// Sizes of named dimensions, from the options and from bound inputs.
  llvm::StringMap<int64_t> dimensions;
  OpBuilder builder;
  TensorImporter tensors;
  /// Values by name, of the graph and of the subgraphs around a node, which see those before them.
  std::vector<llvm::StringMap<Value>> scopes{1};
  llvm::StringSet<> usedDimensions;
  /// Integers of 4 bits, which the dialect has no type for.
  llvm::SmallPtrSet<void *, 4> packed;
  Block *entry = nullptr; ///< of the function that is built
  Value none;
  /// A function of the file that is being read in the place of a node.
  struct Call {
    const onnx::FunctionProto *callee;
    const onnx::NodeProto *node;
    const Call *caller;
    size_t firstScope; ///< functions see no values of their callers
  };
  const Call *call = nullptr;
  llvm::StringMap<const onnx::FunctionProto *> functions; ///< by domain and name
  llvm::DenseMap<const onnx::FunctionProto *, std::vector<onnx::AttributeProto>> defaults;
  /// Nodes of the file that are read, once for each call of theirs.
  uint64_t numNodes = 0;
};
} // namespace

StringAttr GraphImporter::getName(StringRef name) {
  std::string printable;
  llvm::raw_string_ostream os(printable);
  printEscapedString(name, os);
  return builder.getStringAttr(printable);
}

/// As there is one key for both parts, neither of which holds a zero byte.
static std::string getFunctionKey(StringRef domain, StringRef name) {
  return (domain == defaultDomain ? "" : domain.str()) + '\0' + name.str();
}

/// Default values of a function's attributes, which libonnx's schema of Debian does not know yet.
static std::vector<onnx::AttributeProto> getDefaults(const onnx::FunctionProto &function) {
  constexpr int attributeProtoField = 11;
  std::vector<onnx::AttributeProto> defaults;
  const google::protobuf::UnknownFieldSet &fields =
      function.GetReflection()->GetUnknownFields(function);
  for (int index = 0; index < fields.field_count(); ++index) {
    const google::protobuf::UnknownField &field = fields.field(index);
    if (field.number() == attributeProtoField &&
        field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED &&
        !defaults.emplace_back().ParseFromString(field.length_delimited()))
      defaults.pop_back();
  }
  return defaults;
}

Value GraphImporter::lookup(StringRef name) const {
  for (size_t scope = scopes.size(); scope-- > (call ? call->firstScope : 0);)
    if (Value value = scopes[scope].lookup(name))
      return value;
  return {};
}

Value GraphImporter::getNone() {
  if (!none) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    none = NoneOp::create(builder, getFileLocation(), builder.getNoneType());
  }
  return none;
}

LogicalResult GraphImporter::define(StringRef name, Value value) {
  if (scopes.back().try_emplace(name, value).second)
    return success();
  return emitError(value.getLoc())
         << "expected every value to be defined once, found " << getName(name) << " again";
}

/// Exporters write a negative size for one that they do not know, as ONNX Runtime reads it.
static bool hasSize(const onnx::TensorShapeProto::Dimension &dimension) {
  return dimension.has_dim_value() && dimension.dim_value() >= 0;
}

/// An optional tensor is a tensor: who runs a model gives all of its inputs.
static const onnx::TypeProto &getTensorType(const onnx::ValueInfoProto &value) {
  return value.type().has_optional_type() ? value.type().optional_type().elem_type() : value.type();
}

FailureOr<Type> GraphImporter::importType(const onnx::ValueInfoProto &value) {
  Type unknown = UnknownType::get(builder.getContext());
  if (!getTensorType(value).has_tensor_type())
    return unknown;
  const onnx::TypeProto::Tensor &tensor = getTensorType(value).tensor_type();
  Type elementType = getElementType(tensor.elem_type(), builder.getContext());
  if (!elementType)
    return unknown;
  if (!tensor.has_shape())
    return Type(UnrankedTensorType::get(elementType));
  SmallVector<int64_t> shape, known;
  for (const onnx::TensorShapeProto::Dimension &dimension : tensor.shape().dim()) {
    auto named = dimensions.find(dimension.dim_param());
    if (hasSize(dimension))
      shape.push_back(dimension.dim_value());
    else if (named != dimensions.end()) {
      usedDimensions.insert(named->first());
      shape.push_back(named->second);
    } else
      shape.push_back(ShapedType::kDynamic);
    known.push_back(ShapedType::isDynamic(shape.back()) ? 1 : shape.back());
  }
  if (!isAddressable(known)) {
    error() << "expected " << getName(value.name())
            << " to have at most 2^37 elements in 32 dimensions of positive sizes, found [" << shape
            << "]";
    return failure();
  }
  return Type(RankedTensorType::get(shape, elementType));
}

/// Names of the dimensions that have no size, empty for those without a name either.
SmallVector<StringRef> GraphImporter::getUnknownDimensions(const onnx::ValueInfoProto &value) {
  SmallVector<StringRef> names;
  for (const onnx::TensorShapeProto::Dimension &dimension :
       getTensorType(value).tensor_type().shape().dim())
    if (!hasSize(dimension) && !dimensions.contains(dimension.dim_param()))
      names.push_back(dimension.dim_param());
  return names;
}

FailureOr<Value> GraphImporter::importBoundInput(const onnx::ValueInfoProto &input,
                                                 StringRef boundPath) {
  InputOptions inputOptions;
  inputOptions.needsTerminator = false;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInput(boundPath, inputOptions);
  if (!buffer) {
    error() << boundPath << ": " << toString(buffer.takeError());
    return failure();
  }
  protectInput(boundPath);
  onnx::TensorProto proto;
  if ((*buffer)->getBufferSize() > INT32_MAX ||
      !proto.ParseFromArray((*buffer)->getBufferStart(), (*buffer)->getBufferSize())) {
    error() << boundPath << ": expected an ONNX TensorProto";
    return failure();
  }
  llvm::Expected<ElementsAttr> tensor = tensors.import(proto, input.name(), /*mustCopy=*/true);
  if (!tensor) {
    error() << boundPath << ": " << toString(tensor.takeError());
    return failure();
  }
  FailureOr<Type> declared = importType(input);
  if (failed(declared))
    return failure();
  auto type = dyn_cast<TensorType>(*declared);
  if (type && (type.getElementType() != tensor->getElementType() ||
               failed(verifyCompatibleShape(type, tensor->getType())))) {
    error() << boundPath << ": expected a " << type << " as graph input " << getName(input.name())
            << ", found a " << tensor->getType();
    return failure();
  }
  // The file's names stand for the same sizes in other inputs.
  for (auto [dimension, size] :
       zip(getTensorType(input).tensor_type().shape().dim(), tensor->getShapedType().getShape()))
    if (!dimension.dim_param().empty())
      dimensions.try_emplace(dimension.dim_param(), size);
  return Value(ConstantOp::create(builder, getFileLocation(), *tensor));
}

// The numbers of UINT4 and INT4, which libonnx's schema of Debian does not know yet.
static constexpr int32_t uint4Type = 21, int4Type = 22;

static bool isPacked(const onnx::TensorProto &tensor) {
  return tensor.data_type() == uint4Type || tensor.data_type() == int4Type;
}

/// Two numbers of 4 bits in each byte, the first one in the low bits. They stay so in the constant,
/// and become bytes in every run; where there are few, as zero points are, a constant of bytes.
FailureOr<Value> GraphImporter::importPacked(const onnx::TensorProto &tensor, Location location,
                                             bool isZeroPoint) {
  constexpr int64_t maxUnpacked = 1024;
  SmallVector<int64_t> shape(tensor.dims().begin(), tensor.dims().end());
  if (!isAddressable(shape))
    return error() << "initializer " << getName(tensor.name())
                   << ": expected a tensor of at most 2^37 elements in 32 dimensions, found a "
                      "larger shape or a negative size";
  int64_t count = ShapedType::getNumElements(shape), numBytes = llvm::divideCeil(count, 2);
  onnx::TensorProto bytes = tensor;
  bytes.set_data_type(onnx::TensorProto::UINT8);
  bytes.clear_dims();
  bytes.add_dims(numBytes);
  llvm::Expected<ElementsAttr> value = tensors.import(bytes, tensor.name(), /*mustCopy=*/true);
  if (!value)
    return error() << "initializer " << getName(tensor.name()) << ": "
                   << toString(value.takeError());
  bool isSigned = tensor.data_type() == int4Type;
  MLIRContext *context = builder.getContext();
  auto byte = IntegerType::get(context, 8, IntegerType::Unsigned);
  auto signedByte = IntegerType::get(context, 8);
  auto constant = [&](Type type, ArrayRef<int64_t> dims, ArrayRef<int64_t> numbers) -> Value {
    auto elements = llvm::map_to_vector(
        numbers, [&](int64_t number) { return cast<Attribute>(IntegerAttr::get(type, number)); });
    auto tensorType = RankedTensorType::get(dims, type);
    return ConstantOp::create(builder, location,
                              cast<ElementsAttr>(DenseElementsAttr::get(tensorType, elements)));
  };
  if (count <= maxUnpacked || isZeroPoint)
    if (ElementsAttr bytes = unpackConstant(
            *value, RankedTensorType::get(shape, isSigned ? signedByte : byte), /*rows=*/1, 4)) {
      Value unpacked = ConstantOp::create(builder, location, bytes);
      packed.insert(unpacked.getAsOpaquePointer());
      return unpacked;
    }
  auto node = [&](StringRef name, ArrayRef<Value> inputs, StringRef attribute = "",
                  Attribute setting = {}) -> Value {
    DictionaryAttr attributes =
        setting ? builder.getDictionaryAttr(builder.getNamedAttr(attribute, setting))
                : DictionaryAttr();
    auto op = NodeOp::create(builder, location, UnknownType::get(context),
                             builder.getStringAttr(name), StringAttr(), inputs, attributes);
    op.setOpset(newestOpset);
    return op.getResult(0);
  };
  Type i64 = builder.getI64Type();
  auto reshape = [&](Value from, ArrayRef<int64_t> dims) {
    return node("Reshape", {from, constant(i64, int64_t(dims.size()), dims)});
  };
  Value pairs = reshape(ConstantOp::create(builder, location, *value), {numBytes, 1});
  Value shifted = node("BitShift", {pairs, constant(byte, 2, {0, 4})}, "direction",
                       builder.getStringAttr("RIGHT"));
  shifted.getDefiningOp()->setAttr(keptAttrName, builder.getUnitAttr());
  Value numbers = reshape(node("BitwiseAnd", {shifted, constant(byte, {}, 15)}), 2 * numBytes);
  if (count % 2 != 0)
    numbers = node("Slice", {numbers, constant(i64, 1, 0), constant(i64, 1, count)});
  if (isSigned) {
    // The bit of 8 counts -8.
    constexpr int64_t onnxInt8 = 3;
    numbers = node("Cast", numbers, "to", builder.getI64IntegerAttr(onnxInt8));
    numbers = node("BitwiseXor", {numbers, constant(signedByte, {}, 8)});
    numbers = node("Sub", {numbers, constant(signedByte, {}, 8)});
  }
  Value unpacked = reshape(numbers, shape);
  packed.insert(unpacked.getAsOpaquePointer());
  return unpacked;
}

LogicalResult GraphImporter::importInitializers(const onnx::GraphProto &graph) {
  if (graph.sparse_initializer_size() != 0)
    return error() << "expected dense initializers, found sparse ones; make them dense";
  llvm::StringSet<> zeroPoints;
  for (const onnx::NodeProto &node : graph.node())
    if (node.op_type() == "DequantizeLinear" && node.input_size() > 2)
      zeroPoints.insert(node.input(2));
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    Location location = NameLoc::get(getName(tensor.name()), getFileLocation());
    if (isPacked(tensor)) {
      FailureOr<Value> unpacked =
          importPacked(tensor, location, zeroPoints.contains(tensor.name()));
      if (failed(unpacked) || failed(define(tensor.name(), *unpacked)))
        return failure();
      continue;
    }
    llvm::Expected<ElementsAttr> value = tensors.import(tensor, tensor.name());
    if (!value)
      return error() << "initializer " << getName(tensor.name()) << ": "
                     << toString(value.takeError());
    if (failed(define(tensor.name(), ConstantOp::create(builder, location, *value))))
      return failure();
  }
  return success();
}

LogicalResult GraphImporter::importInputs(func::FuncOp function) {
  // In old files every initializer is an input as well, whose value callers may override.
  llvm::StringSet<> isInitializer;
  for (const onnx::TensorProto &tensor : model->graph().initializer())
    isInitializer.insert(tensor.name());
  SmallVector<bool> isUsed(options.boundInputs.size(), false);
  unsigned number = 0;
  SmallVector<const onnx::ValueInfoProto *> arguments;
  for (const onnx::ValueInfoProto &input : model->graph().input()) {
    if (isInitializer.contains(input.name()))
      continue;
    const ONNXImportOptions::BoundInput *bound = nullptr;
    for (auto [candidate, used] : zip(options.boundInputs, isUsed))
      if (candidate.input == input.name() || candidate.input == std::to_string(number)) {
        bound = &candidate;
        used = true;
      }
    ++number;
    if (!bound) {
      arguments.push_back(&input);
      continue;
    }
    FailureOr<Value> value = importBoundInput(input, bound->path);
    if (failed(value) || failed(define(input.name(), *value)))
      return failure();
  }
  Block &body = function.getBody().front();
  for (const onnx::ValueInfoProto *argument : arguments) {
    const onnx::ValueInfoProto &input = *argument;
    FailureOr<Type> type = importType(input);
    if (failed(type))
      return failure();
    // Some exporters write the largest number that they know for a size that is open.
    constexpr int64_t usualSize = int64_t(1) << 24;
    if (auto shaped = dyn_cast<RankedTensorType>(*type))
      for (int64_t size : shaped.getShape())
        if (size > usualSize)
          emitWarning(getFileLocation())
              << "expected the sizes of graph input " << getName(input.name()) << " to be at most "
              << usualSize << ", found " << size
              << ", for which all is compiled; if it stands for an open size, declare that with a "
                 "name (dim_param) instead";
    Location location = NameLoc::get(getName(input.name()), getFileLocation());
    unsigned index = body.getNumArguments();
    if (failed(function.insertArgument(index, *type, {}, location)))
      return failure();
    function.setArgAttr(index, nameAttrName, builder.getStringAttr(input.name()));
    if (SmallVector<StringRef> names = getUnknownDimensions(input); !names.empty())
      function.setArgAttr(index, dimensionsAttrName, builder.getStrArrayAttr(names));
    if (failed(define(input.name(), body.getArgument(index))))
      return failure();
  }
  for (const auto &dimension : options.dimensions)
    if (!usedDimensions.contains(dimension.first()))
      return error() << "--onnx-dim: expected the name of a dimension of a graph input, found '"
                     << dimension.first() << "'";
  for (auto [bound, used] : zip(options.boundInputs, isUsed))
    if (!used)
      return error() << "--onnx-bind-input: expected the name or number of one of the " << number
                     << " graph inputs, found '" << bound.input << "'";
  return success();
}

FailureOr<Attribute> GraphImporter::importAttribute(const onnx::AttributeProto &attribute,
                                                    Location location) {
  using onnx::AttributeProto;
  AttributeProto::AttributeType type = attribute.type();
  // Files of the first versions leave the type out.
  if (type == AttributeProto::UNDEFINED)
    type = attribute.has_f()          ? AttributeProto::FLOAT
           : attribute.has_i()        ? AttributeProto::INT
           : attribute.has_s()        ? AttributeProto::STRING
           : attribute.has_t()        ? AttributeProto::TENSOR
           : attribute.has_g()        ? AttributeProto::GRAPH
           : attribute.floats_size()  ? AttributeProto::FLOATS
           : attribute.strings_size() ? AttributeProto::STRINGS
                                      : AttributeProto::INTS;
  switch (type) {
  case AttributeProto::FLOAT:
    return Attribute(builder.getF32FloatAttr(attribute.f()));
  case AttributeProto::INT:
    return Attribute(builder.getI64IntegerAttr(attribute.i()));
  case AttributeProto::STRING:
    return Attribute(builder.getStringAttr(attribute.s()));
  case AttributeProto::FLOATS:
    return Attribute(builder.getDenseF32ArrayAttr(
        ArrayRef<float>(attribute.floats().data(), attribute.floats_size())));
  case AttributeProto::INTS: {
    SmallVector<int64_t> values(attribute.ints().begin(), attribute.ints().end());
    return Attribute(builder.getDenseI64ArrayAttr(values));
  }
  case AttributeProto::STRINGS: {
    SmallVector<StringRef> values(attribute.strings().begin(), attribute.strings().end());
    return Attribute(builder.getStrArrayAttr(values));
  }
  case AttributeProto::TENSOR: {
    llvm::Expected<ElementsAttr> value = tensors.import(attribute.t(), attribute.name());
    if (!value) {
      emitError(location) << "attribute " << getName(attribute.name()) << ": "
                          << toString(value.takeError());
      return failure();
    }
    return Attribute(*value);
  }
  case AttributeProto::GRAPH:
    return Attribute(builder.getUnitAttr());
  default: // things that no supported operator has
    return Attribute(
        builder.getStringAttr(StringRef(AttributeProto::AttributeType_Name(type)).lower()));
  }
}

/// The attribute, or the one of the call that it stands for; null if the call has none.
const onnx::AttributeProto *GraphImporter::resolve(const onnx::AttributeProto &attribute) const {
  const onnx::AttributeProto *found = &attribute;
  for (const Call *frame = call; found && !found->ref_attr_name().empty() && frame;
       frame = frame->caller) {
    const std::string &name = found->ref_attr_name();
    found = nullptr;
    for (const onnx::AttributeProto &given : frame->node->attribute())
      if (given.name() == name)
        found = &given;
    if (found)
      continue;
    for (const onnx::AttributeProto &given : defaults.find(frame->callee)->second)
      if (given.name() == name)
        return &given;
  }
  return found && found->ref_attr_name().empty() ? found : nullptr;
}

FailureOr<SmallVector<Value>> GraphImporter::importOperands(const onnx::NodeProto &proto,
                                                            NameLoc location) {
  SmallVector<Value> inputs;
  for (const std::string &input : proto.input()) {
    Value value = input.empty() ? getNone() : lookup(input);
    if (!value) {
      emitError(location) << "node " << location.getName() << ": expected its input "
                          << getName(input)
                          << " to be defined by an earlier node, an initializer or a graph "
                             "input; the graph has a cycle, is not sorted or lacks it";
      return failure();
    }
    // Others give integers of 4 bits, too, if they take them.
    if (packed.contains(value.getAsOpaquePointer()) && proto.op_type() != "DequantizeLinear") {
      emitError(location) << "node " << location.getName() << ": expected integers of 4 bits as "
                          << "inputs of DequantizeLinear only, found " << getName(input);
      return failure();
    }
    inputs.push_back(value);
  }
  return inputs;
}

/// The nodes of a function in the place of one that calls it.
LogicalResult GraphImporter::importCall(const onnx::FunctionProto &callee,
                                        const onnx::NodeProto &proto, unsigned index,
                                        NameLoc location) {
  constexpr unsigned maxDepth = 256; // the stack has room for more
  unsigned depth = 0;
  for (const Call *frame = call; frame; frame = frame->caller)
    if (frame->callee == &callee || ++depth == maxDepth)
      return emitError(location) << "expected functions that do not call themselves, and at most "
                                 << maxDepth << " in each other, found " << getName(callee.name());
  if (proto.input_size() > callee.input_size() || proto.output_size() > callee.output_size())
    return emitError(location) << "expected at most " << callee.input_size() << " inputs and "
                               << callee.output_size() << " outputs of function "
                               << getName(callee.name()) << ", found " << proto.input_size()
                               << " and " << proto.output_size();
  FailureOr<SmallVector<Value>> inputs = importOperands(proto, location);
  if (failed(inputs))
    return failure();
  inputs->resize(callee.input_size(), getNone());
  Call frame{&callee, &proto, call, scopes.size()};
  scopes.emplace_back();
  const Call *caller = std::exchange(call, &frame);
  for (auto [name, value] : zip(callee.input(), *inputs))
    if (failed(define(name, value)))
      return failure();
  for (const onnx::NodeProto &node : callee.node())
    if (failed(importNode(node, index)))
      return failure();
  SmallVector<Value> results;
  for (const std::string &output : callee.output()) {
    results.push_back(lookup(output));
    if (!results.back())
      return emitError(location) << "expected output " << getName(output) << " of function "
                                 << getName(callee.name()) << " to be defined, found no such value";
  }
  call = caller;
  scopes.pop_back();
  for (auto [name, value] : zip(proto.output(), results))
    if (!name.empty() && failed(define(name, value)))
      return failure();
  return success();
}

LogicalResult GraphImporter::importSubgraph(const onnx::GraphProto &graph, unsigned index,
                                            Region &region) {
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&region);
  scopes.emplace_back();
  for (const onnx::ValueInfoProto &input : graph.input()) {
    FailureOr<Type> type = importType(input);
    Location location = NameLoc::get(getName(input.name()), getFileLocation(index));
    if (failed(type) || failed(define(input.name(), body->addArgument(*type, location))))
      return failure();
  }
  if (failed(importInitializers(graph)))
    return failure();
  for (const onnx::NodeProto &node : graph.node())
    if (failed(importNode(node, index)))
      return failure();
  SmallVector<Value> results;
  for (const onnx::ValueInfoProto &output : graph.output()) {
    results.push_back(lookup(output.name()));
    if (!results.back())
      return emitError(getFileLocation(index))
             << "expected output " << getName(output.name()) << " of the subgraph "
             << getName(graph.name()) << " to be defined, found no such value";
  }
  YieldOp::create(builder, getFileLocation(index), results);
  scopes.pop_back();
  return success();
}

LogicalResult GraphImporter::importNode(const onnx::NodeProto &proto, unsigned index) {
  StringRef name = proto.name();
  if (name.empty() && proto.output_size() != 0)
    name = proto.output(0);
  // What the node is stays known after it has become other ops.
  NameLoc location =
      NameLoc::get(getName(name), FusedLoc::get({getFileLocation(index)}, getName(proto.op_type()),
                                                builder.getContext()));
  // Calls of calls may be more than any memory holds.
  constexpr uint64_t maxNodes = uint64_t(1) << 20;
  if (++numNodes > maxNodes)
    return error() << "expected at most " << maxNodes
                   << " nodes, those of functions counted for each call, found more";
  if (const onnx::FunctionProto *callee =
          functions.lookup(getFunctionKey(proto.domain(), proto.op_type())))
    return importCall(*callee, proto, index, location);
  FailureOr<SmallVector<Value>> inputs = importOperands(proto, location);
  if (failed(inputs))
    return failure();
  NamedAttrList attributes;
  std::map<std::string, const onnx::GraphProto *> graphs; // in the order of their names
  for (const onnx::AttributeProto &attribute : proto.attribute()) {
    if (attribute.name().empty() || attributes.get(attribute.name()))
      return emitError(location) << "node " << getName(name)
                                 << ": expected attributes with different names, found "
                                 << getName(attribute.name());
    const onnx::AttributeProto *meant = resolve(attribute);
    if (!meant)
      continue;
    FailureOr<Attribute> value = importAttribute(*meant, location);
    if (failed(value))
      return failure();
    attributes.set(attribute.name(), *value);
    if (isa<UnitAttr>(*value))
      graphs[attribute.name()] = &meant->g();
  }
  SmallVector<Type> types;
  for (const std::string &output : proto.output())
    types.push_back(output.empty() ? Type(builder.getNoneType())
                                   : UnknownType::get(builder.getContext()));
  bool isDefault = proto.domain().empty() || proto.domain() == defaultDomain;
  OperationState state(location, NodeOp::getOperationName());
  NodeOp::build(builder, state, types, builder.getStringAttr(proto.op_type()),
                isDefault ? StringAttr() : builder.getStringAttr(proto.domain()), *inputs,
                attributes.empty() ? DictionaryAttr()
                                   : attributes.getDictionary(builder.getContext()));
  for (size_t count = graphs.size(); count > 0; --count)
    state.addRegion();
  auto node = cast<NodeOp>(builder.create(state));
  if (call)
    for (const onnx::OperatorSetIdProto &opset : call->callee->opset_import())
      if (opset.domain() == proto.domain() || (isDefault && opset.domain().empty()))
        node.setOpset(opset.version());
  for (auto [region, graph] : zip(node.getGraphs(), graphs))
    if (failed(importSubgraph(*graph.second, index, region)))
      return failure();
  for (auto [output, value] : llvm::zip(proto.output(), node.getOutputs()))
    if (!output.empty() && failed(define(output, value)))
      return failure();
  return success();
}

LogicalResult GraphImporter::importOutputs(func::FuncOp function) {
  if (model->graph().output_size() == 0)
    return error() << "expected a graph with outputs, found none";
  SmallVector<Value> results;
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  for (const onnx::ValueInfoProto &output : model->graph().output()) {
    Value value = lookup(output.name());
    if (!value)
      return error() << "expected graph output " << getName(output.name())
                     << " to be defined, found no such value";
    FailureOr<Type> declared = importType(output);
    if (failed(declared))
      return failure();
    NamedAttrList list;
    list.set(nameAttrName, builder.getStringAttr(output.name()));
    if (isa<RankedTensorType>(*declared))
      list.set(typeAttrName, TypeAttr::get(*declared));
    results.push_back(value);
    types.push_back(value.getType());
    attributes.push_back(list.getDictionary(builder.getContext()));
  }
  func::ReturnOp::create(builder, getFileLocation(), results);
  function.setType(builder.getFunctionType(function.getArgumentTypes(), types));
  function.setAllResultAttrs(attributes);
  return success();
}

OwningOpRef<ModuleOp> GraphImporter::import() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(getFileLocation());
  NamedAttrList opsets;
  for (const onnx::OperatorSetIdProto &opset : model->opset_import()) {
    StringRef domain = opset.domain().empty() ? StringRef(defaultDomain) : opset.domain();
    IntegerAttr version = builder.getI64IntegerAttr(opset.version());
    Attribute other = opsets.set(domain, version);
    if (other && other != version) {
      error() << "expected one version of domain " << getName(domain) << ", found "
              << cast<IntegerAttr>(other).getInt() << " and " << opset.version();
      return {};
    }
  }
  auto version = dyn_cast_or_null<IntegerAttr>(opsets.get(defaultDomain));
  if (!version)
    opsets.set(defaultDomain, builder.getI64IntegerAttr(1));
  else if (version.getInt() > newestOpset)
    emitWarning(getFileLocation())
        << "expected opset " << newestOpset << " or older, found " << version.getInt()
        << "; operators that have changed since are read as before";
  for (const onnx::FunctionProto &function : model->functions()) {
    if (!functions.try_emplace(getFunctionKey(function.domain(), function.name()), &function)
             .second) {
      error() << "expected one function of each name, found " << getName(function.name())
              << " again";
      return {};
    }
    defaults[&function] = getDefaults(function);
  }
  (*module)->setAttr(opsetAttrName, opsets.getDictionary(builder.getContext()));
  (*module)->setAttr(irVersionAttrName, builder.getI64IntegerAttr(model->ir_version()));
  if (!model->producer_name().empty())
    (*module)->setAttr(producerAttrName, builder.getStringAttr(model->producer_name()));

  builder.setInsertionPointToStart(module->getBody());
  auto function =
      func::FuncOp::create(builder, getFileLocation(), "main", builder.getFunctionType({}, {}));
  entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  if (failed(importInputs(function)) || failed(importInitializers(model->graph())))
    return {};
  for (auto [index, node] : llvm::enumerate(model->graph().node()))
    if (failed(importNode(node, index + 1)))
      return {};
  if (failed(importOutputs(function)) || failed(verify(*module)))
    return {};
  return module;
}

namespace {
/// The bytes of a file, from first to last. Pages of a mapped file leave memory when they have been
/// read: the message holds the weights, once is enough.
class FileStream : public google::protobuf::io::ZeroCopyInputStream {
public:
  explicit FileStream(const llvm::MemoryBuffer &file)
      : file(file), isMapped(file.getBufferKind() == llvm::MemoryBuffer::MemoryBuffer_MMap) {}

  bool Next(const void **data, int *size) override {
    release();
    size_t left = file.getBufferSize() - position;
    *data = file.getBufferStart() + position;
    *size = std::min(left, chunkBytes);
    position += *size;
    return *size > 0;
  }
  void BackUp(int count) override { position -= count; }
  bool Skip(int count) override {
    size_t left = file.getBufferSize() - position;
    position += std::min<size_t>(left, count);
    return left >= size_t(count);
  }
  int64_t ByteCount() const override { return position; }

private:
  static constexpr size_t chunkBytes = size_t(1) << 20;

  void release() {
    uintptr_t start = reinterpret_cast<uintptr_t>(file.getBufferStart()) + released;
    size_t bytes = position - released;
    if (!isMapped || bytes < chunkBytes || start % llvm::sys::Process::getPageSizeEstimate() != 0)
      return;
    bytes -= bytes % chunkBytes;
    madvise(reinterpret_cast<void *>(start), bytes, MADV_DONTNEED);
    released += bytes;
  }

  const llvm::MemoryBuffer &file;
  bool isMapped;
  size_t position = 0, released = 0;
};
} // namespace

/// The message in `file`, or nothing if there is none.
static std::shared_ptr<onnx::ModelProto> parseModel(const llvm::MemoryBuffer &file) {
  // What the library would print about a damaged file has no place of its own.
  google::protobuf::LogSilencer silencer;
  auto model = std::make_shared<onnx::ModelProto>();
  FileStream stream(file);
  bool isParsed = file.getBufferSize() <= INT32_MAX && model->ParseFromZeroCopyStream(&stream);
  return isParsed && model->has_graph() ? model : nullptr;
}

OwningOpRef<ModuleOp> npu::importONNX(const llvm::MemoryBuffer &file,
                                      const ONNXImportOptions &options, MLIRContext *context) {
  context->loadDialect<ONNXDialect, func::FuncDialect>();
  std::shared_ptr<onnx::ModelProto> model = parseModel(file);
  if (!model) {
    FileKind kind = recognizeFile(file.getBuffer());
    bool isOther = kind != FileKind::ONNX && kind != FileKind::Text && kind != FileKind::Data;
    emitError(FileLineColLoc::get(context, file.getBufferIdentifier(), 0, 0))
        << (isOther ? describeMismatch("an ONNX model", kind)
                    : "expected an ONNX model of at most 2 GiB, found something else, or a part "
                      "of one; larger models have their weights in external data");
    return {};
  }
  prepareModel(*model, options);
  return GraphImporter(model, file.getBufferIdentifier(), options, context).import();
}
