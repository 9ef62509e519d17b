//===- InferElementwise.cpp - types of element-wise operators -------------===//

#include "DataType.h"
#include "OpSpecFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace npu::onnx_ir;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {
/// Kinds of elements that operators work on.
enum class Elements { Any, Numbers, Floats, Integers, UnsignedIntegers, Booleans };
} // namespace

static bool isKind(Type type, Elements kind) {
  bool isBoolean = type.isInteger(1);
  switch (kind) {
  case Elements::Any:
    return true;
  case Elements::Numbers:
    return !isBoolean;
  case Elements::Floats:
    return isa<FloatType>(type);
  case Elements::Integers:
    return isa<IntegerType>(type) && !isBoolean;
  case Elements::UnsignedIntegers:
    return type.isUnsignedInteger();
  case Elements::Booleans:
    return isBoolean;
  }
  llvm_unreachable("all kinds are above");
}

static StringRef getName(Elements kind) {
  switch (kind) {
  case Elements::Any:
    return "anything";
  case Elements::Numbers:
    return "numbers";
  case Elements::Floats:
    return "floats";
  case Elements::Integers:
    return "integers";
  case Elements::UnsignedIntegers:
    return "unsigned integers";
  case Elements::Booleans:
    return "Booleans";
  }
  llvm_unreachable("all kinds are above");
}

static LogicalResult expectElements(Node &node, unsigned input, Elements kind) {
  if (isKind(node.getElementType(input), kind))
    return success();
  return node.reject() << "expected elements of input " << input << " that are " << getName(kind)
                       << ", found " << node.getElementType(input);
}

static LogicalResult expectSameElements(Node &node, unsigned first, unsigned second) {
  if (node.getElementType(first) == node.getElementType(second))
    return success();
  return node.reject() << "expected inputs of one element type, found "
                       << node.getElementType(first) << " and " << node.getElementType(second);
}

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

LogicalResult npu::onnx_ir::inferSameType(Node &node) {
  return node.setOutput(0, node.getShape(0), node.getElementType(0));
}

static LogicalResult inferSame(Node &node, Elements kind) {
  if (failed(expectElements(node, 0, kind)))
    return failure();
  return inferSameType(node);
}

LogicalResult npu::onnx_ir::inferNumbers(Node &node) { return inferSame(node, Elements::Numbers); }
LogicalResult npu::onnx_ir::inferFloats(Node &node) { return inferSame(node, Elements::Floats); }
LogicalResult npu::onnx_ir::inferIntegers(Node &node) {
  return inferSame(node, Elements::Integers);
}
LogicalResult npu::onnx_ir::inferBooleans(Node &node) {
  return inferSame(node, Elements::Booleans);
}

LogicalResult npu::onnx_ir::inferFloatTest(Node &node) {
  if (failed(expectElements(node, 0, Elements::Floats)))
    return failure();
  return node.setOutput(0, node.getShape(0), IntegerType::get(node.getOp().getContext(), 1));
}

LogicalResult npu::onnx_ir::inferGelu(Node &node) {
  StringRef approximate = node.getString("approximate", "none");
  if (approximate != "none" && approximate != "tanh")
    return node.reject() << "expected approximate to be none or tanh, found '" << approximate
                         << "'";
  return inferFloats(node);
}

LogicalResult npu::onnx_ir::inferClip(Node &node) {
  if (failed(expectElements(node, 0, node.getOpset() < 12 ? Elements::Floats : Elements::Numbers)))
    return failure();
  for (unsigned limit : {1, 2}) {
    if (!node.hasInput(limit))
      continue;
    if (failed(expectSameElements(node, 0, limit)))
      return failure();
    if (node.getInputType(limit).getNumElements() != 1)
      return node.reject() << "expected a limit of one element, found " << node.getInputType(limit);
  }
  return inferSameType(node);
}

/// Before opset 7 and in old files, a mode of training and a ratio are attributes; from opset 12
/// on, they are inputs.
LogicalResult npu::onnx_ir::inferDropout(Node &node) {
  if (failed(expectElements(node, 0, Elements::Floats)))
    return failure();
  bool isTraining = node.getOpset() < 7 && node.getInt("is_test", 0) == 0;
  if (node.hasInput(2)) {
    std::optional<SmallVector<int64_t>> mode = node.getConstantInts(2);
    if (!mode || mode->size() != 1)
      return node.reject() << "expected a training_mode that is one Boolean, found "
                           << node.getInputType(2);
    isTraining = mode->front() != 0;
  }
  if (isTraining) {
    std::optional<SmallVector<double>> ratio = node.getConstantFloats(1);
    bool dropsNothing = ratio ? ratio->size() == 1 && ratio->front() == 0
                              : !node.hasInput(1) && node.getFloat("ratio", 0.5) == 0;
    if (!dropsNothing)
      return node.reject() << "expected inference or a constant ratio of 0, found training, whose "
                              "results are random; export the model for inference";
  }
  if (failed(inferSameType(node)))
    return failure();
  Type maskType = node.getOpset() < 10 ? node.getElementType(0)
                                       : IntegerType::get(node.getOp().getContext(), 1);
  return node.setOutput(1, node.getShape(0), maskType);
}

//===----------------------------------------------------------------------===//
// Several inputs
//===----------------------------------------------------------------------===//

/// Whether shapes broadcast by themselves: of two inputs from opset 7 on, of any number from 8 on.
static bool broadcastsAlways(Node &node) {
  bool isVariadic = llvm::is_contained({"Max", "Mean", "Min", "Sum"}, node.getOpType());
  return node.getOpset() >= (isVariadic ? 8 : 7);
}

/// Shape of all inputs combined. Before opset 7, `broadcast` lets the second one broadcast to the
/// first one, aligned at `axis` if that is set.
static FailureOr<SmallVector<int64_t>> inferBroadcast(Node &node) {
  if (node.getOpset() >= 7 && (node.hasAttribute("axis") || node.hasAttribute("broadcast")))
    return node.reject() << "expected axis and broadcast before opset 7 only, as shapes broadcast "
                            "by themselves since";
  bool broadcastsToFirst = node.getInt("broadcast", 0) != 0;
  SmallVector<int64_t> result(node.getShape(0));
  for (unsigned index = 1; index < node.getNumInputs(); ++index) {
    SmallVector<int64_t> shape(node.getShape(index));
    if (node.hasAttribute("axis")) {
      FailureOr<int64_t> axis = node.normalizeAxis(node.getInt("axis", 0), node.getRank(0), true);
      if (failed(axis))
        return failure();
      if (*axis + node.getRank(index) > node.getRank(0))
        return node.reject() << "expected input " << index << " to have at most "
                             << node.getRank(0) - *axis << " dimensions behind axis " << *axis
                             << ", found " << node.getRank(index);
      shape.append(node.getRank(0) - *axis - node.getRank(index), 1);
    }
    if (!broadcastsAlways(node) && !broadcastsToFirst && node.getShape(index) != node.getShape(0))
      return node.reject() << "expected inputs of one shape, as this opset does not broadcast by "
                              "itself, found "
                           << node.getInputType(0) << " and " << node.getInputType(index)
                           << "; convert the model to opset 8";
    std::optional<SmallVector<int64_t>> combined = broadcastShapes(result, shape);
    if (broadcastsToFirst && combined != SmallVector<int64_t>(node.getShape(0)))
      return node.reject() << "expected input 1 to broadcast to " << node.getInputType(0)
                           << ", found " << node.getInputType(1);
    if (!combined)
      return node.reject() << "expected shapes that broadcast, found " << node.getInputType(0)
                           << " and " << node.getInputType(index);
    result = std::move(*combined);
  }
  return result;
}

/// All inputs have elements of one type and of `kind`; results have that type or `resultType`.
static LogicalResult inferVariadic(Node &node, Elements kind, Type resultType = {}) {
  if (failed(expectElements(node, 0, kind)))
    return failure();
  for (unsigned index = 1; index < node.getNumInputs(); ++index) {
    if (!node.hasInput(index))
      return node.reject() << "expected input " << index << ", found none";
    if (failed(expectSameElements(node, 0, index)))
      return failure();
  }
  FailureOr<SmallVector<int64_t>> shape = inferBroadcast(node);
  if (failed(shape))
    return failure();
  return node.setOutput(0, *shape, resultType ? resultType : node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferArithmetic(Node &node) {
  return inferVariadic(node, Elements::Numbers);
}
LogicalResult npu::onnx_ir::inferMean(Node &node) { return inferVariadic(node, Elements::Floats); }
LogicalResult npu::onnx_ir::inferLogic(Node &node) {
  return inferVariadic(node, Elements::Booleans);
}
LogicalResult npu::onnx_ir::inferBitwise(Node &node) {
  return inferVariadic(node, Elements::Integers);
}

static LogicalResult inferTest(Node &node, Elements kind) {
  return inferVariadic(node, kind, IntegerType::get(node.getOp().getContext(), 1));
}

LogicalResult npu::onnx_ir::inferEqual(Node &node) { return inferTest(node, Elements::Any); }
LogicalResult npu::onnx_ir::inferOrder(Node &node) { return inferTest(node, Elements::Numbers); }

LogicalResult npu::onnx_ir::inferBitShift(Node &node) {
  StringRef direction = node.getString("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    return node.reject() << "expected direction to be LEFT or RIGHT, found '" << direction << "'";
  return inferVariadic(node, Elements::UnsignedIntegers);
}

LogicalResult npu::onnx_ir::inferMod(Node &node) {
  if (isa<FloatType>(node.getElementType(0)) && node.getInt("fmod", 0) == 0)
    return node.reject() << "expected fmod to be 1 for floats, found 0";
  return inferVariadic(node, Elements::Numbers);
}

LogicalResult npu::onnx_ir::inferPow(Node &node) {
  if (node.getOpset() < 12)
    return inferVariadic(node, Elements::Floats);
  if (failed(expectElements(node, 0, Elements::Numbers)) ||
      failed(expectElements(node, 1, Elements::Numbers)))
    return failure();
  FailureOr<SmallVector<int64_t>> shape = inferBroadcast(node);
  if (failed(shape))
    return failure();
  return node.setOutput(0, *shape, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferPRelu(Node &node) {
  if (failed(expectElements(node, 0, Elements::Numbers)) || failed(expectSameElements(node, 0, 1)))
    return failure();
  ArrayRef<int64_t> input = node.getShape(0);
  SmallVector<int64_t> slope(node.getShape(1));
  // A slope per channel.
  if (node.getOpset() < 7 && slope.size() == 1 && input.size() > 1)
    slope.append(input.size() - 2, 1);
  std::optional<SmallVector<int64_t>> shape = broadcastShapes(input, slope);
  if (!shape || ArrayRef<int64_t>(*shape) != input)
    return node.reject() << "expected slopes that broadcast to " << node.getInputType(0)
                         << ", found " << node.getInputType(1);
  return inferSameType(node);
}

LogicalResult npu::onnx_ir::inferWhere(Node &node) {
  if (failed(expectElements(node, 0, Elements::Booleans)) || failed(expectSameElements(node, 1, 2)))
    return failure();
  FailureOr<SmallVector<int64_t>> shape = inferBroadcast(node);
  if (failed(shape))
    return failure();
  return node.setOutput(0, *shape, node.getElementType(1));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

LogicalResult npu::onnx_ir::inferCast(Node &node) {
  FailureOr<Type> type = getDataType(node, "to");
  if (failed(type))
    return failure();
  return node.setOutput(0, node.getShape(0), *type);
}

LogicalResult npu::onnx_ir::inferCastLike(Node &node) {
  return node.setOutput(0, node.getShape(0), node.getElementType(1));
}

LogicalResult npu::onnx_ir::inferBitCast(Node &node) {
  FailureOr<Type> type = getDataType(node, "to");
  if (failed(type))
    return failure();
  Type from = node.getElementType(0);
  if (from.getIntOrFloatBitWidth() != type->getIntOrFloatBitWidth())
    return node.reject() << "expected a type as wide as " << from << ", found " << *type;
  return node.setOutput(0, node.getShape(0), *type);
}
