//===- HALAttrs.cpp - attributes of IREE's hal dialect --------------------===//

#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;
using namespace npu::hal;

#include "NPU/Dialect/IREE/HAL/IR/HALOpsEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "NPU/Dialect/IREE/HAL/IR/HALOpsAttributes.cpp.inc"

void HALDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "NPU/Dialect/IREE/HAL/IR/HALOpsAttributes.cpp.inc"
      >();
}

Attribute HALDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  StringRef name = parser.getFullSymbolSpec().take_until([](char c) { return c == '<'; });
  static constexpr StringLiteral kDefined[] = {
      PipelineBindingAttr::getMnemonic(),   PipelineLayoutAttr::getMnemonic(),
      ExecutableTargetAttr::getMnemonic(),  ExecutableObjectAttr::getMnemonic(),
      ExecutableObjectsAttr::getMnemonic(), DeviceTargetAttr::getMnemonic(),
      DeviceAliasAttr::getMnemonic(),       DeviceSelectAttr::getMnemonic(),
      DeviceAffinityAttr::getMnemonic(),    DeviceOptimalAttr::getMnemonic()};
  if (!llvm::is_contained(kDefined, name))
    return parseForeignAttribute(parser, getNamespace(), type);
  StringRef mnemonic;
  Attribute attr;
  (void)generatedAttributeParser(parser, &mnemonic, type, attr);
  return attr;
}

void HALDialect::printAttribute(Attribute attr, DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attr, printer);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

LogicalResult PipelineLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                         ArrayRef<PipelineBindingAttr>, int64_t constants,
                                         std::optional<PipelineLayoutFlags>) {
  if (constants >= 0)
    return success();
  return emitError() << "expected the number of constants not to be negative, found " << constants;
}

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

Attribute ExecutableTargetAttr::parse(AsmParser &parser, Type) {
  StringAttr backend, format;
  DictionaryAttr configuration;
  if (parser.parseLess() || parser.parseAttribute(backend) || parser.parseComma() ||
      parser.parseAttribute(format))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(configuration))
    return {};
  if (parser.parseGreater())
    return {};
  // An empty configuration is none.
  if (configuration && configuration.empty())
    configuration = {};
  return get(parser.getContext(), backend, format, configuration);
}

void ExecutableTargetAttr::print(AsmPrinter &p) const {
  p << "<" << getBackend() << ", " << getFormat();
  if (getConfiguration())
    p << ", " << getConfiguration();
  p << ">";
}

Attribute ExecutableObjectAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  DictionaryAttr fields;
  if (parser.parseLess() || parser.parseAttribute(fields) || parser.parseGreater())
    return {};
  auto path = fields.getAs<StringAttr>("path");
  Attribute data = fields.get("data");
  if (!path || (data && !isa<TypedAttr>(data)) || fields.size() != (data ? 2u : 1u)) {
    parser.emitError(loc, "expected {path = \"...\"} or {path = \"...\", data = ...}, found ")
        << fields;
    return {};
  }
  return get(parser.getContext(), path, dyn_cast_if_present<TypedAttr>(data));
}

void ExecutableObjectAttr::print(AsmPrinter &p) const {
  p << "<{path = " << getPath();
  if (getData())
    p << ", data = " << getData();
  p << "}>";
}

Attribute ExecutableObjectsAttr::parse(AsmParser &parser, Type) {
  SmallVector<Attribute> targets, objects;
  auto parseOne = [&]() -> ParseResult {
    ExecutableTargetAttr target;
    ArrayAttr targetObjects;
    SMLoc loc;
    if (parser.parseAttribute(target) || parser.parseEqual() || parser.getCurrentLocation(&loc) ||
        parser.parseAttribute(targetObjects))
      return failure();
    if (!llvm::all_of(targetObjects, llvm::IsaPred<ExecutableObjectAttr>))
      return parser.emitError(loc, "expected a list of #hal.executable.object, found ")
             << targetObjects;
    targets.push_back(target);
    objects.push_back(targetObjects);
    return success();
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseOne) ||
      parser.parseGreater())
    return {};
  Builder &builder = parser.getBuilder();
  return get(parser.getContext(), builder.getArrayAttr(targets), builder.getArrayAttr(objects));
}

void ExecutableObjectsAttr::print(AsmPrinter &p) const {
  p << "<{";
  llvm::interleaveComma(llvm::zip(getTargets(), getTargetObjects()), p, [&](auto entry) {
    p << std::get<0>(entry) << " = " << std::get<1>(entry);
  });
  p << "}>";
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

Type DeviceTargetAttr::getType() const { return DeviceType::get(getContext()); }
Type DeviceAliasAttr::getType() const { return DeviceType::get(getContext()); }
Type DeviceSelectAttr::getType() const { return DeviceType::get(getContext()); }

Attribute DeviceTargetAttr::parse(AsmParser &parser, Type) {
  StringAttr deviceID;
  DictionaryAttr configuration;
  SmallVector<ExecutableTargetAttr> targets;
  if (parser.parseLess() || parser.parseAttribute(deviceID))
    return {};
  bool isMore = succeeded(parser.parseOptionalComma());
  if (isMore && parser.parseOptionalAttribute(configuration).has_value())
    isMore = succeeded(parser.parseOptionalComma());
  if (isMore && parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parser.parseAttribute(targets.emplace_back());
      }))
    return {};
  if (parser.parseGreater())
    return {};
  if (configuration && configuration.empty())
    configuration = {};
  return get(parser.getContext(), deviceID, configuration, targets);
}

void DeviceTargetAttr::print(AsmPrinter &p) const {
  p << "<" << getDeviceID();
  if (getConfiguration())
    p << ", " << getConfiguration();
  if (!getExecutableTargets().empty()) {
    p << ", [";
    llvm::interleaveComma(getExecutableTargets(), p,
                          [&](ExecutableTargetAttr target) { p << target; });
    p << "]";
  }
  p << ">";
}

LogicalResult DeviceAffinityAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                         SymbolRefAttr, ArrayRef<int64_t> queues) {
  for (int64_t queue : queues)
    if (queue < 0 || queue > 63)
      return emitError() << "expected a queue from 0 to 63, found " << queue;
  return success();
}
