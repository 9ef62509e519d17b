//===- FoldArithmetic.cpp - arithmetic on constants -----------------------===//
//
// Models compute shapes, axes and limits from shapes. That has to be done while importing. Masks
// follow from shapes as well, and need not be computed on every run. Larger tensors are left to the
// compiler.
//
//===----------------------------------------------------------------------===//

#include "OpSpecFunctions.h"

#include "NPU/Dialect/ONNX/Specs/Constants.h"
#include "NPU/Dialect/ONNX/Specs/Reduction.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace npu::onnx_ir;

static bool isUnsigned(Type type) { return type.isUnsignedInteger() || type.isInteger(1); }

static ElementsAttr makeConstant(RankedTensorType type, ArrayRef<int64_t> values) {
  unsigned width = type.getElementTypeBitWidth();
  return DenseElementsAttr::get(type, llvm::map_to_vector(values, [&](int64_t value) {
                                  return APInt(width, value, /*isSigned=*/true,
                                               /*implicitTrunc=*/true);
                                }));
}

static const llvm::fltSemantics &getSemantics(RankedTensorType type) {
  return cast<FloatType>(type.getElementType()).getFloatSemantics();
}

static ElementsAttr makeConstant(RankedTensorType type, ArrayRef<double> values) {
  return DenseElementsAttr::get(type, llvm::map_to_vector(values, [&](double value) {
                                  APFloat element(value);
                                  bool losesInfo;
                                  element.convert(getSemantics(type), APFloat::rmNearestTiesToEven,
                                                  &losesInfo);
                                  return element;
                                }));
}

/// Whether there is a result of few elements, and only constants of few elements as inputs. Counts
/// what is going to be read and written.
static bool isFoldable(Node &node) {
  int64_t count = 0;
  auto isSmall = [&](RankedTensorType type) {
    count += type.getNumElements();
    return type.getNumElements() <= maxFoldedElements;
  };
  for (unsigned index = 0; index < node.getNumInputs(); ++index)
    if (!node.hasInput(index) || !node.getConstant(index) || !isSmall(node.getInputType(index)))
      return false;
  return node.hasOutput(0) && isSmall(node.getOutputType(0)) && node.spend(count);
}

template <typename T>
static std::optional<SmallVector<T>> readConstant(Node &node, unsigned index) {
  if constexpr (std::is_same_v<T, double>)
    return node.getConstantFloats(index);
  else
    return node.getConstantInts(index);
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// Calls `visit` for every element of a tensor of shape `shape`, with the positions of the elements
/// of tensors of shapes `inputs` that broadcast to it.
static void forEachElement(ArrayRef<int64_t> shape, ArrayRef<ArrayRef<int64_t>> inputs,
                           llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  int64_t count = ShapedType::getNumElements(shape);
  SmallVector<int64_t> positions(inputs.size());
  for (int64_t element = 0; element < count; ++element) {
    for (auto [position, extents] : llvm::zip(positions, inputs)) {
      position = 0;
      int64_t rest = element, stride = 1;
      for (int64_t dim = 0, rank = extents.size(); dim < rank; ++dim) {
        int64_t extent = shape[shape.size() - 1 - dim], inner = extents[rank - 1 - dim];
        position += inner == 1 ? 0 : rest % extent * stride;
        stride *= inner;
        rest /= extent;
      }
    }
    visit(positions);
  }
}

/// One operation on two elements; nothing if the result is not defined.
template <typename T>
using Combine = std::optional<T> (*)(T lhs, T rhs, bool isUnsigned);

template <typename T>
static T wrapAdd(T lhs, T rhs) {
  if constexpr (std::is_same_v<T, double>)
    return lhs + rhs;
  else
    return int64_t(uint64_t(lhs) + uint64_t(rhs));
}

template <typename T>
static T wrapMultiply(T lhs, T rhs) {
  if constexpr (std::is_same_v<T, double>)
    return lhs * rhs;
  else
    return int64_t(uint64_t(lhs) * uint64_t(rhs));
}

template <typename T>
static bool isLess(T lhs, T rhs, bool isUnsigned) {
  if constexpr (!std::is_same_v<T, double>)
    if (isUnsigned)
      return uint64_t(lhs) < uint64_t(rhs);
  return lhs < rhs;
}

template <typename T>
static std::optional<T> divideElements(T lhs, T rhs, bool isUnsigned) {
  if constexpr (std::is_same_v<T, double>)
    return lhs / rhs;
  else if (rhs == 0)
    return std::nullopt;
  else if (isUnsigned)
    return int64_t(uint64_t(lhs) / uint64_t(rhs));
  else
    return rhs == -1 ? wrapMultiply(lhs, rhs) : lhs / rhs;
}

/// The remainder with the sign of the divisor; for floats, of the dividend.
template <typename T>
static std::optional<T> remainder(T lhs, T rhs, bool isUnsigned) {
  if constexpr (std::is_same_v<T, double>) {
    return std::fmod(lhs, rhs);
  } else if (rhs == 0) {
    return std::nullopt;
  } else if (isUnsigned) {
    return int64_t(uint64_t(lhs) % uint64_t(rhs));
  } else {
    int64_t rest = rhs == -1 ? 0 : lhs % rhs;
    return rest != 0 && (rest < 0) != (rhs < 0) ? rest + rhs : rest;
  }
}

/// NaN if one of them is.
template <typename T, bool isMaximum>
static std::optional<T> selectExtremum(T lhs, T rhs, bool isUnsigned) {
  if (lhs != lhs || rhs != rhs)
    return lhs != lhs ? lhs : rhs;
  return isLess(lhs, rhs, isUnsigned) == isMaximum ? rhs : lhs;
}

/// What the operator does with elements of type T; null if it is not folded.
template <typename T>
static Combine<T> getCombine(StringRef op) {
  return llvm::StringSwitch<Combine<T>>(op)
      .Case("Add", [](T l, T r, bool) { return std::optional<T>(wrapAdd(l, r)); })
      .Case("Sub",
            [](T l, T r, bool) { return std::optional<T>(wrapAdd(l, wrapMultiply<T>(r, -1))); })
      .Case("Mul", [](T l, T r, bool) { return std::optional<T>(wrapMultiply(l, r)); })
      .Case("Div", divideElements<T>)
      .Case("Mod", remainder<T>)
      .Cases({"Max", "ReduceMax"}, selectExtremum<T, true>)
      .Cases({"Min", "ReduceMin"}, selectExtremum<T, false>)
      .Case("Equal", [](T l, T r, bool) { return std::optional<T>(l == r); })
      .Case("Greater", [](T l, T r, bool u) { return std::optional<T>(isLess(r, l, u)); })
      .Case("Less", [](T l, T r, bool u) { return std::optional<T>(isLess(l, r, u)); })
      .Case("GreaterOrEqual",
            [](T l, T r, bool u) { return std::optional<T>(l == r || isLess(r, l, u)); })
      .Case("LessOrEqual",
            [](T l, T r, bool u) { return std::optional<T>(l == r || isLess(l, r, u)); })
      .Case("And", [](T l, T r, bool) { return std::optional<T>(l != 0 && r != 0); })
      .Case("Or", [](T l, T r, bool) { return std::optional<T>(l != 0 || r != 0); })
      .Case("Xor", [](T l, T r, bool) { return std::optional<T>((l != 0) != (r != 0)); })
      .Case("ReduceSum", [](T l, T r, bool) { return std::optional<T>(wrapAdd(l, r)); })
      .Case("ReduceProd", [](T l, T r, bool) { return std::optional<T>(wrapMultiply(l, r)); })
      .Default(nullptr);
}

/// What an operator with one operand does with an element; null if it is not folded.
template <typename T>
static T (*getChange(StringRef op))(T) {
  // Integers are whole already.
  auto isWhole = [](T value) { return value; };
  constexpr bool isFloat = std::is_same_v<T, double>;
  return llvm::StringSwitch<T (*)(T)>(op)
      .Case("Neg", [](T value) { return wrapMultiply<T>(value, -1); })
      .Case("Not", [](T value) { return T(value == 0); })
      .Case("Relu", [](T value) { return value < 0 ? T(0) : value; })
      .Case("Abs", [](T value) { return value < 0 ? wrapMultiply<T>(value, -1) : value; })
      .Case("Ceil", isFloat ? [](T value) { return T(std::ceil(value)); } : isWhole)
      .Case("Floor", isFloat ? [](T value) { return T(std::floor(value)); } : isWhole)
      .Case("Round", isFloat ? [](T value) { return T(std::nearbyint(value)); } : isWhole)
      .Default(nullptr);
}

/// `values` as elements of `type`, which is of integers for comparisons of floats.
template <typename T>
static SmallVector<ElementsAttr> makeResult(RankedTensorType type, ArrayRef<T> values) {
  if constexpr (std::is_same_v<T, double>)
    if (isa<IntegerType>(type.getElementType()))
      return {makeConstant(type, ArrayRef<int64_t>(llvm::map_to_vector(
                                     values, [](double value) { return int64_t(value); })))};
  return {makeConstant(type, values)};
}

/// Wraps an integer around as its type does.
template <typename T>
static T wrap(T value, Type type) {
  if constexpr (std::is_same_v<T, double>) {
    return value;
  } else {
    APInt bits(type.getIntOrFloatBitWidth(), value, /*isSigned=*/true, /*implicitTrunc=*/true);
    return isUnsigned(type) ? int64_t(bits.getZExtValue()) : bits.getSExtValue();
  }
}

template <typename T>
static SmallVector<ElementsAttr> foldElements(Node &node) {
  Type type = node.getElementType(0);
  SmallVector<SmallVector<T>> inputs;
  SmallVector<ArrayRef<int64_t>> shapes;
  for (unsigned index = 0; index < node.getNumInputs(); ++index) {
    std::optional<SmallVector<T>> values = readConstant<T>(node, index);
    if (!values)
      return {};
    inputs.push_back(std::move(*values));
    shapes.push_back(node.getShape(index));
  }
  Combine<T> combine = getCombine<T>(node.getOpType());
  T (*change)(T) = getChange<T>(node.getOpType());
  RankedTensorType resultType = node.getOutputType(0);
  SmallVector<T> results;
  bool isDefined = true;
  forEachElement(resultType.getShape(), shapes, [&](ArrayRef<int64_t> positions) {
    T result = inputs[0][positions[0]];
    if (change)
      result = wrap(change(result), type);
    for (unsigned index = 1; isDefined && index < inputs.size(); ++index) {
      std::optional<T> next = combine(result, inputs[index][positions[index]], isUnsigned(type));
      isDefined = next.has_value();
      result = wrap(next.value_or(0), type);
    }
    results.push_back(result);
  });
  return isDefined ? makeResult<T>(resultType, results) : SmallVector<ElementsAttr>();
}

SmallVector<ElementsAttr> npu::onnx_ir::foldArithmetic(Node &node) {
  // C's remainder of integers and old broadcasting are rare in computations of shapes.
  if (!isFoldable(node) || node.hasAttribute("axis"))
    return {};
  if (isa<FloatType>(node.getElementType(0)))
    return foldElements<double>(node);
  return node.getInt("fmod", 0) != 0 ? SmallVector<ElementsAttr>() : foldElements<int64_t>(node);
}

template <typename T>
static SmallVector<ElementsAttr> foldSelection(Node &node) {
  std::optional<SmallVector<int64_t>> conditions = node.getConstantInts(0);
  std::optional<SmallVector<T>> lhs = readConstant<T>(node, 1), rhs = readConstant<T>(node, 2);
  if (!conditions || !lhs || !rhs)
    return {};
  SmallVector<T> results;
  forEachElement(node.getOutputType(0).getShape(),
                 {node.getShape(0), node.getShape(1), node.getShape(2)}, [&](ArrayRef<int64_t> at) {
                   results.push_back((*conditions)[at[0]] ? (*lhs)[at[1]] : (*rhs)[at[2]]);
                 });
  return {makeConstant(node.getOutputType(0), results)};
}

SmallVector<ElementsAttr> npu::onnx_ir::foldWhere(Node &node) {
  if (!isFoldable(node))
    return {};
  return isa<FloatType>(node.getElementType(1)) ? foldSelection<double>(node)
                                                : foldSelection<int64_t>(node);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static SmallVector<ElementsAttr> castFloats(RankedTensorType type, ArrayRef<double> values) {
  Type elementType = type.getElementType();
  if (isa<FloatType>(elementType))
    return {makeConstant(type, values)};
  SmallVector<int64_t> results;
  for (double value : values) {
    if (elementType.isInteger(1)) {
      results.push_back(value != 0);
      continue;
    }
    llvm::APSInt result(type.getElementTypeBitWidth(), elementType.isUnsignedInteger());
    bool isExact;
    // Outside of the type's range, it is not defined.
    if (APFloat(value).convertToInteger(result, APFloat::rmTowardZero, &isExact) ==
        APFloat::opInvalidOp)
      return {};
    results.push_back(result.getExtValue());
  }
  return {makeConstant(type, results)};
}

static SmallVector<ElementsAttr> castInts(RankedTensorType type, ArrayRef<int64_t> values,
                                          Type source) {
  Type elementType = type.getElementType();
  if (isa<FloatType>(elementType)) {
    auto toFloat = [&](int64_t value) {
      bool isSigned = !isUnsigned(source);
      APFloat element(getSemantics(type));
      element.convertFromAPInt(APInt(64, value, isSigned), isSigned, APFloat::rmNearestTiesToEven);
      return element;
    };
    return {DenseElementsAttr::get(type, llvm::map_to_vector(values, toFloat))};
  }
  if (!elementType.isInteger(1))
    return {makeConstant(type, values)};
  auto isTrue = [](int64_t value) { return int64_t(value != 0); };
  return {makeConstant(type, ArrayRef<int64_t>(llvm::map_to_vector(values, isTrue)))};
}

SmallVector<ElementsAttr> npu::onnx_ir::foldCast(Node &node) {
  // The other input of CastLike has no elements that matter.
  if (!node.getConstant(0) || !node.hasOutput(0))
    return {};
  RankedTensorType type = node.getOutputType(0);
  if (type.getNumElements() > maxFoldedElements || !node.spend(2 * type.getNumElements()))
    return {};
  if (std::optional<SmallVector<double>> floats = node.getConstantFloats(0))
    return castFloats(type, *floats);
  if (std::optional<SmallVector<int64_t>> ints = node.getConstantInts(0))
    return castInts(type, *ints, node.getElementType(0));
  return {};
}

//===----------------------------------------------------------------------===//
// Elements that follow from their places
//===----------------------------------------------------------------------===//

SmallVector<ElementsAttr> npu::onnx_ir::foldRange(Node &node) {
  RankedTensorType type = node.getOutputType(0);
  if (!isFoldable(node))
    return {};
  auto compute = [&](auto start, auto delta) -> SmallVector<ElementsAttr> {
    using T = decltype(start);
    SmallVector<T> values;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      values.push_back(wrapAdd(start, wrapMultiply(T(i), delta)));
    return {makeConstant(type, values)};
  };
  if (isa<FloatType>(type.getElementType()))
    return compute(node.getConstantFloats(0)->front(), node.getConstantFloats(2)->front());
  return compute(node.getConstantInts(0)->front(), node.getConstantInts(2)->front());
}

/// The elements of input 0 on one side of a diagonal, and zeros on the other.
template <typename T>
static SmallVector<ElementsAttr> foldTriangle(Node &node, int64_t diagonal, bool isUpper) {
  std::optional<SmallVector<T>> values = readConstant<T>(node, 0);
  if (!values)
    return {};
  ArrayRef<int64_t> shape = node.getShape(0).take_back(2);
  for (auto [index, value] : llvm::enumerate(*values)) {
    int64_t row = int64_t(index) / shape[1] % shape[0], column = int64_t(index) % shape[1];
    int64_t distance = column - row;
    if (isUpper ? distance < diagonal : distance > diagonal)
      value = 0;
  }
  return {makeConstant(node.getOutputType(0), ArrayRef<T>(*values))};
}

SmallVector<ElementsAttr> npu::onnx_ir::foldTrilu(Node &node) {
  if (!isFoldable(node))
    return {};
  int64_t diagonal = node.hasInput(1) ? node.getConstantInts(1)->front() : 0;
  bool isUpper = node.getInt("upper", 1) != 0;
  return isa<FloatType>(node.getElementType(0)) ? foldTriangle<double>(node, diagonal, isUpper)
                                                : foldTriangle<int64_t>(node, diagonal, isUpper);
}

SmallVector<ElementsAttr> npu::onnx_ir::foldEyeLike(Node &node) {
  RankedTensorType type = node.getOutputType(0);
  // The input's elements do not matter.
  if (type.getNumElements() > maxFoldedElements || !node.spend(type.getNumElements()))
    return {};
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  int64_t diagonal = std::clamp(node.getInt("k", 0), -rows, columns);
  SmallVector<int64_t> values(rows * columns, 0);
  for (int64_t row = 0; row < rows; ++row)
    if (int64_t column = row + diagonal; column >= 0 && column < columns)
      values[row * columns + column] = 1;
  return isa<FloatType>(type.getElementType())
             ? castInts(type, values, type.getElementType())
             : SmallVector<ElementsAttr>{makeConstant(type, ArrayRef<int64_t>(values))};
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

template <typename T>
static SmallVector<ElementsAttr> foldReduced(Node &node, ArrayRef<int64_t> axes) {
  std::optional<SmallVector<T>> values = readConstant<T>(node, 0);
  if (!values)
    return {};
  SmallVector<int64_t> kept(node.getShape(0));
  for (int64_t axis : axes)
    kept[axis] = 1;
  Type type = node.getElementType(0);
  Combine<T> combine = getCombine<T>(node.getOpType());
  SmallVector<std::optional<T>> results(ShapedType::getNumElements(kept));
  unsigned next = 0;
  forEachElement(node.getShape(0), ArrayRef<int64_t>(kept), [&](ArrayRef<int64_t> positions) {
    std::optional<T> &result = results[positions[0]];
    T value = (*values)[next++];
    result = result ? wrap(*combine(*result, value, isUnsigned(type)), type) : value;
  });
  // Reductions of nothing are left to the compiler.
  if (llvm::is_contained(results, std::nullopt))
    return {};
  return {makeConstant(
      node.getOutputType(0),
      ArrayRef<T>(llvm::map_to_vector(results, [](std::optional<T> result) { return *result; })))};
}

SmallVector<ElementsAttr> npu::onnx_ir::foldReduction(Node &node) {
  if (!isFoldable(node))
    return {};
  SmallVector<int64_t> axes = *getReducedAxes(node);
  return isa<FloatType>(node.getElementType(0)) ? foldReduced<double>(node, axes)
                                                : foldReduced<int64_t>(node, axes);
}
