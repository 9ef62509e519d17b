//===- NPUDialect.cpp - dialect and attributes ----------------------------===//

#include "NPU/Dialect/NPU/IR/ISATypes.h"

#include "NPU/Support/ElementBits.h"
#include "NPU/Support/NamedSizes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;

#include "NPU/Dialect/NPU/IR/NPUOpsDialect.cpp.inc"
#include "NPU/Dialect/NPU/IR/NPUOpsEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "NPU/Dialect/NPU/IR/NPUOpsAttributes.cpp.inc"

void NPUDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "NPU/Dialect/NPU/IR/NPUOpsAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "NPU/Dialect/NPU/IR/NPUOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Attributes on ops of other dialects
//===----------------------------------------------------------------------===//

/// An i64 of at least `least`.
static LogicalResult verifyNumber(Operation *op, NamedAttribute attribute, int64_t least) {
  auto number = dyn_cast<IntegerAttr>(attribute.getValue());
  if (number && number.getType().isSignlessInteger(64) && number.getInt() >= least)
    return success();
  return op->emitOpError("expected '")
         << attribute.getName().getValue() << "' to be "
         << (least > 0 ? "a positive i64" : "an i64 that is not negative") << " but found "
         << attribute.getValue();
}

static LogicalResult verifyPlace(Operation *op, NamedAttribute attribute, bool isThere,
                                 StringRef place) {
  if (isThere)
    return success();
  return op->emitOpError("expected '")
         << attribute.getName().getValue() << "' on " << place << " only";
}

LogicalResult NPUDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kBuffersAttrName || name == kOffsetAttrName) {
    auto alloc = dyn_cast<memref::AllocOp>(op);
    std::optional<MemorySpace> space = alloc ? getMemorySpace(alloc.getType()) : std::nullopt;
    bool isRing = name == kBuffersAttrName;
    if (failed(verifyPlace(op, attribute, space && !(isRing && *space == MemorySpace::Dram),
                           isRing ? "a memref.alloc in #npu.space<sram> or #npu.space<acc>"
                                  : "a memref.alloc in an #npu.space")))
      return failure();
    return verifyNumber(op, attribute, isRing ? 1 : 0);
  }
  if (name == kClustersAttrName) {
    if (failed(verifyPlace(op, attribute, llvm::isa<scf::ForOp>(op), "scf.for")))
      return failure();
    return verifyNumber(op, attribute, 1);
  }
  if (name == kPlacementAttrName) {
    if (failed(verifyPlace(op, attribute, llvm::isa<FunctionOpInterface>(op), "functions")))
      return failure();
    if (llvm::isa<PlacementAttr>(attribute.getValue()))
      return success();
    return op->emitOpError("expected '")
           << name << "' to be #npu.placement<npu> or "
           << "#npu.placement<host> but found " << attribute.getValue();
  }
  if (name == kDispatchNumberAttrName)
    return verifyNumber(op, attribute, 0);
  return op->emitOpError("has attribute '")
         << name << "', which the npu dialect does not have; remove it";
}

LogicalResult NPUDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned index,
                                                   NamedAttribute attribute) {
  StringRef name = attribute.getName();
  bool isOutput = name == KernelOp::kOutputAttrName, isInOut = name == KernelOp::kInOutAttrName;
  auto kernel = dyn_cast<KernelOp>(op);
  if (!kernel || (!isOutput && !isInOut && name != KernelOp::kConstantAttrName))
    return op->emitOpError("argument ")
           << index << " has attribute '" << name << "', which the npu dialect does not have "
           << (kernel ? "for arguments" : "outside of kernels") << "; remove it";
  Type type = kernel.getArgumentTypes()[index];
  auto memref = dyn_cast<MemRefType>(type);
  if (isOutput || isInOut) {
    if (!memref || !llvm::isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError("expected '")
             << name << "' of argument " << index << " to be a unit attribute of a memref, but the "
             << "argument is " << type << " and the attribute " << attribute.getValue();
    if (isInOut && !kernel.isOutput(index))
      return op->emitOpError("expected '") << KernelOp::kOutputAttrName << "' of argument " << index
                                           << ", which has '" << name << "'";
    return success();
  }
  auto constant = dyn_cast<DenseElementsAttr>(attribute.getValue());
  if (!constant || !memref || constant.getType().getShape() != memref.getShape() ||
      constant.getElementType() != memref.getElementType())
    return op->emitOpError("expected '")
           << name << "' of argument " << index
           << " to be a dense constant of a memref's shape and element type, but the argument is "
           << type;
  if (kernel.isOutput(index))
    return op->emitOpError("expected argument ")
           << index << " to be an output or a constant but found both";
  return success();
}

LogicalResult NPUDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned index,
                                                      NamedAttribute attribute) {
  return op->emitOpError("result ")
         << index << " has attribute '" << attribute.getName().getValue()
         << "', which the npu dialect does not have for results; remove it";
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  StringRef letters;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  (void)parser.parseOptionalKeyword(&letters);
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), letters);
}

void LayoutAttr::print(AsmPrinter &printer) const { printer << '<' << getLetters() << '>'; }

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef letters) {
  for (auto [index, letter] : llvm::enumerate(letters))
    if (letter < 'a' || letter > 'z' || letters.take_front(index).contains(letter))
      return emitError() << "expected distinct letters from a to z in a layout but found '"
                         << letters << "'";
  return success();
}

Attribute TilingAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> dims;
  SmallVector<int64_t> sizes;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseNamedSizes(parser, dims, sizes) || parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), dims, sizes);
}

void TilingAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printNamedSizes(printer, getDims(), getSizes());
  printer << '>';
}

LogicalResult TilingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<StringAttr> dims, ArrayRef<int64_t> sizes) {
  return verifyNamedSizes(emitError, dims, sizes);
}

LogicalResult PlannedBytesAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t sram,
                                       int64_t acc) {
  if (sram < 0 || acc < 0)
    return emitError() << "expected bytes that are not negative but found sram = " << sram
                       << ", acc = " << acc;
  return success();
}

LogicalResult ResidentAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> arguments, ArrayRef<int64_t> results,
                                   int64_t bytes, ArrayRef<int64_t> dims, int64_t hidden) {
  for (ArrayRef<int64_t> numbers : {arguments, results, dims})
    if (!llvm::is_sorted(numbers, std::less_equal<>()) || (!numbers.empty() && numbers.front() < 0))
      return emitError() << "expected numbers in ascending order, none negative, but found ["
                         << numbers << ']';
  if (bytes < 0)
    return emitError() << "expected bytes that are not negative but found " << bytes;
  if (dims.size() > kMaxClusterDims)
    return emitError() << "expected at most " << kMaxClusterDims
                       << " dimensions that clusters share but found [" << dims << ']';
  if (hidden < 0 || hidden > 100)
    return emitError() << "expected from 0 to 100 percent hidden but found " << hidden;
  return success();
}

LogicalResult ClusterAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t dim,
                                  int64_t count) {
  if (dim < 0)
    return emitError() << "expected a dimension that is not negative but found " << dim;
  if (count < 1)
    return emitError() << "expected at least one cluster but found " << count;
  return success();
}

TypeRange npu::getDestinationResultTypes(const Value &output) {
  if (llvm::isa<RankedTensorType>(output.getType()))
    return TypeRange(ValueRange(output));
  return {};
}

bool npu::isComparison(BinaryKind kind) { return isa::getCase(getISAKind(kind)).isComparison; }

int64_t npu::getElementBytes(Type type) {
  // The verifier of kernels has seen that there are some.
  std::optional<int64_t> bytes = findElementBytes(type);
  assert(bytes && "kernels are on integers and floats");
  return bytes.value_or(1);
}

int64_t npu::getByteSize(ShapedType type) { return type.getNumElements() * getElementBytes(type); }

std::optional<MemorySpace> npu::getMemorySpace(MemRefType type) {
  if (auto space = dyn_cast_or_null<MemorySpaceAttr>(type.getMemorySpace()))
    return space.getValue();
  return std::nullopt;
}
