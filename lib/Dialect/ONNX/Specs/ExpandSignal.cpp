//===- ExpandSignal.cpp - windows and transforms of signals ---------------===//
//
// A Fourier transform of a constant length is a product with the matrix of its waves, which is what
// an array of multipliers has use for.
//
//===----------------------------------------------------------------------===//

#include "DataType.h"
#include "OpSpecFunctions.h"

#include <cmath>

using namespace mlir;
using namespace npu::onnx_ir;

static constexpr double pi = 3.14159265358979323846;

/// The one number of constant input `index`.
static FailureOr<double> getNumber(Node &node, unsigned index) {
  if (std::optional<SmallVector<int64_t>> ints = node.getConstantInts(index);
      ints && ints->size() == 1)
    return double(ints->front());
  if (std::optional<SmallVector<double>> floats = node.getConstantFloats(index);
      floats && floats->size() == 1)
    return floats->front();
  return node.reject() << "expected input " << index << " to be one number, found "
                       << node.getInputType(index);
}

/// A sum of cosines, of `weights`.
static LogicalResult expandWindow(Expansion &b, ArrayRef<double> weights) {
  Node &node = b.getNode();
  FailureOr<double> size = getNumber(node, 0);
  FailureOr<Type> type = node.hasAttribute("output_datatype") ? getDataType(node, "output_datatype")
                                                              : Type(b.getF32Type());
  if (failed(size) || failed(type))
    return failure();
  if (!(*size >= 0 && *size <= double(FoldBudget::total)))
    return node.reject() << "expected a size, found " << *size;
  if (failed(node.spendOrReject(int64_t(*size))))
    return failure();
  double period = node.getInt("periodic", 1) ? *size : *size - 1;
  std::vector<double> values;
  for (int64_t i = 0; i < int64_t(*size); ++i) {
    double value = 0, sign = 1;
    for (auto [harmonic, weight] : llvm::enumerate(weights)) {
      double angle = period > 0 ? 2 * pi * double(harmonic) * double(i) / period : 0;
      value += sign * weight * std::cos(angle);
      sign = -sign;
    }
    values.push_back(value);
  }
  b.setResult(0, b.numbers(*type, {int64_t(*size)}, values));
  return success();
}

LogicalResult npu::onnx_ir::expandHannWindow(Expansion &b) { return expandWindow(b, {0.5, 0.5}); }
LogicalResult npu::onnx_ir::expandHammingWindow(Expansion &b) {
  return expandWindow(b, {25.0 / 46, 21.0 / 46});
}
LogicalResult npu::onnx_ir::expandBlackmanWindow(Expansion &b) {
  return expandWindow(b, {0.42, 0.5, 0.08});
}

/// Triangles whose corners are equally far from each other in mel, as ONNX's reference has them.
LogicalResult npu::onnx_ir::expandMelWeightMatrix(Expansion &b) {
  Node &node = b.getNode();
  SmallVector<double> numbers;
  for (unsigned input = 0; input < 5; ++input) {
    FailureOr<double> number = getNumber(node, input);
    if (failed(number))
      return failure();
    numbers.push_back(*number);
  }
  FailureOr<Type> type = node.hasAttribute("output_datatype") ? getDataType(node, "output_datatype")
                                                              : Type(b.getF32Type());
  if (failed(type))
    return failure();
  double bands = numbers[0], length = numbers[1], rate = numbers[2];
  double rows = std::floor(length / 2) + 1;
  if (!(bands >= 1 && length >= 1 && rate > 0 && numbers[3] >= 0 && numbers[4] <= rate / 2 &&
        std::isfinite(rate) && numbers[3] <= numbers[4] &&
        bands * rows <= double(FoldBudget::total)))
    return node.reject()
           << "expected bands, a length and a rate that are positive, and edges up to "
              "half of the rate, found "
           << bands << ", " << length << ", " << rate << ", " << numbers[3] << " and "
           << numbers[4];
  if (failed(node.spendOrReject(bands * rows)))
    return failure();
  auto toMel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  double low = toMel(numbers[3]), step = (toMel(numbers[4]) - low) / (bands + 2);
  SmallVector<int64_t> corners;
  for (int64_t i = 0; i < int64_t(bands) + 2; ++i) {
    double hertz = 700 * (std::pow(10, (double(i) * step + low) / 2595) - 1);
    corners.push_back(int64_t(std::floor((length + 1) * hertz / rate)));
  }
  std::vector<double> values(int64_t(rows) * int64_t(bands), 0);
  // Rows behind the last are no part of the spectrum.
  auto set = [&](int64_t row, int64_t band, double value) {
    if (row < int64_t(rows))
      values[row * int64_t(bands) + band] = value;
  };
  for (int64_t band = 0; band < int64_t(bands); ++band) {
    int64_t first = corners[band], center = corners[band + 1], last = corners[band + 2];
    if (center == first)
      set(center, band, 1);
    for (int64_t row = first; center != first && row <= center; ++row)
      set(row, band, double(row - first) / double(center - first));
    for (int64_t row = center; row < last; ++row)
      set(row, band, double(last - row) / double(last - center));
  }
  b.setResult(0, b.numbers(*type, {int64_t(rows), int64_t(bands)}, values));
  return success();
}

/// Rows x (rows' parts) to columns x 2: element (n, p; k, q) of the transform of `length` numbers
/// with `parts` parts each, 1 or 2, to the first `columns`.
static FailureOr<Value> createWaves(Expansion &b, Type type, int64_t length, int64_t parts,
                                    int64_t columns, bool isInverse) {
  SmallVector<int64_t> shape{length * parts, columns * 2};
  if (failed(b.getNode().spendOrReject(shape)))
    return failure();
  std::vector<double> values;
  double scale = isInverse ? 1.0 / double(length) : 1;
  for (int64_t n = 0; n < length; ++n)
    for (int64_t part = 0; part < parts; ++part)
      for (int64_t k = 0; k < columns; ++k) {
        // Exact for long signals, too.
        double angle = 2 * pi * double(n * k % length) / double(length) * (isInverse ? 1 : -1);
        double cosine = scale * std::cos(angle), sine = scale * std::sin(angle);
        values.push_back(part == 0 ? cosine : -sine);
        values.push_back(part == 0 ? sine : cosine);
      }
  return b.numbers(type, shape, values);
}

LogicalResult npu::onnx_ir::expandDFT(Expansion &b) {
  Node &node = b.getNode();
  int64_t rank = node.getRank(0);
  bool isInverse = node.getInt("inverse", 0) != 0, isOneSided = node.getInt("onesided", 0) != 0;
  int64_t asked = node.getInt("axis", 1);
  if (node.getOpset() >= 20) {
    asked = -2;
    if (b.input(2)) {
      FailureOr<double> given = getNumber(node, 2);
      if (failed(given))
        return failure();
      asked = int64_t(*given);
    }
  }
  FailureOr<int64_t> axis = node.normalizeAxis(asked, rank);
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(node.getShape(0));
  int64_t parts = shape.back();
  if (rank < 2 || *axis == rank - 1 || (parts != 1 && parts != 2) ||
      !isa<FloatType>(node.getElementType(0)))
    return node.reject()
           << "expected real or complex floats, whose last dimension is 1 or 2, along "
              "another axis, found "
           << node.getInputType(0) << " along " << *axis;
  if (isInverse && isOneSided)
    return node.reject() << "expected an inverse transform of both sides, found one of one side";
  int64_t length = shape[*axis];
  if (b.input(1)) {
    FailureOr<double> given = getNumber(node, 1);
    if (failed(given))
      return failure();
    length = int64_t(*given);
  }
  if (length < 1 || !isAddressable(length))
    return node.reject() << "expected a positive length, found " << length;
  // The axis goes to the place before the parts.
  SmallVector<int64_t> there = llvm::to_vector(llvm::seq<int64_t>(0, rank)), back = there;
  std::rotate(there.begin() + *axis, there.begin() + *axis + 1, there.end() - 1);
  for (auto [to, from] : llvm::enumerate(there))
    back[from] = to;
  Value x = b.transpose(b.input(0), there);
  if (length < shape[*axis]) {
    x = b.slice(x, rank - 2, 0, length);
  } else if (length > shape[*axis]) {
    SmallVector<int64_t> pads(2 * rank, 0);
    pads[2 * rank - 2] = length - shape[*axis];
    x = b.op("Pad", {x, b.ints(pads), b.constant(node.getElementType(0), {}, 0)});
  }
  int64_t columns = isOneSided ? length / 2 + 1 : length;
  FailureOr<Value> waves =
      createWaves(b, node.getElementType(0), length, parts, columns, isInverse);
  if (failed(waves))
    return failure();
  SmallVector<int64_t> rows;
  for (int64_t dim : ArrayRef(there).drop_back(2))
    rows.push_back(shape[dim]);
  SmallVector<int64_t> flat(rows), result(rows);
  flat.push_back(length * parts);
  result.append({columns, 2});
  Value y = b.reshape(b.op("MatMul", {b.reshape(x, flat), *waves}), result);
  b.setResult(0, b.transpose(y, back));
  return success();
}

/// The transforms of overlapping parts, each times a window.
LogicalResult npu::onnx_ir::expandSTFT(Expansion &b) {
  Node &node = b.getNode();
  FailureOr<double> step = getNumber(node, 1);
  if (failed(step))
    return failure();
  int64_t rank = node.getRank(0);
  if ((rank != 2 && rank != 3) || !isa<FloatType>(node.getElementType(0)))
    return node.reject() << "expected floats in 2 or 3 dimensions, found " << node.getInputType(0);
  int64_t batch = node.getShape(0)[0], samples = node.getShape(0)[1];
  int64_t parts = rank == 3 ? node.getShape(0)[2] : 1, length = samples;
  if (b.input(2))
    length = node.getInputType(2).getNumElements();
  if (b.input(3)) {
    FailureOr<double> given = getNumber(node, 3);
    if (failed(given))
      return failure();
    if (b.input(2) && int64_t(*given) != length)
      return node.reject() << "expected a window of " << *given << " elements, found " << length;
    length = int64_t(*given);
  }
  if (!(*step >= 1) || !(*step <= double(int64_t(1) << 40)) || length < 1 || length > samples ||
      (parts != 1 && parts != 2))
    return node.reject() << "expected a positive step and frames of at most " << samples
                         << " samples, found " << *step << " and " << length;
  int64_t frames = (samples - length) / int64_t(*step) + 1;
  if (failed(node.spendOrReject({frames, length})))
    return failure();
  std::vector<int64_t> indices;
  for (int64_t frame = 0; frame < frames; ++frame)
    for (int64_t i = 0; i < length; ++i)
      indices.push_back(frame * int64_t(*step) + i);
  Value x = b.op("Gather",
                 {b.reshape(b.input(0), {batch, samples, parts}),
                  b.reshape(b.ints(indices), {frames, length})},
                 {b.integer("axis", 1)});
  if (b.input(2))
    x = b.op("Mul", {x, b.reshape(b.input(2), {length, 1})});
  int64_t columns = node.getInt("onesided", 1) ? length / 2 + 1 : length;
  FailureOr<Value> waves =
      createWaves(b, node.getElementType(0), length, parts, columns, /*isInverse=*/false);
  if (failed(waves))
    return failure();
  Value y = b.op("MatMul", {b.reshape(x, {batch * frames, length * parts}), *waves});
  b.setResult(0, b.reshape(y, {batch, frames, columns, 2}));
  return success();
}
