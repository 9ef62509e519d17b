//===- Resize.cpp - where elements of resized tensors come from -----------===//

#include "NPU/Dialect/ONNX/Specs/Resize.h"

#include "OpSpecFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace npu::onnx_ir;

/// Of a dimension that changes: its indices and weights are constants in memory.
static constexpr int64_t maxExtent = int64_t(1) << 20;

namespace {
/// What decides on the coordinates of one dimension.
struct Dimension {
  int64_t input, output;
  /// Nothing if the sizes are given: it is output / input then, which need not be rounded.
  std::optional<float> scale;
  /// What the result is of, in sizes of the input.
  double roiStart = 0, roiEnd = 1;

  bool isUnchanged() const {
    return output == input && scale.value_or(1) == 1 && roiStart == 0 && roiEnd == 1;
  }
};

/// What holds for all dimensions.
struct Method {
  StringRef mode, coordinates, rounding;
  double cubicA;
  bool excludesOutside;
  /// Whether elements of a smaller result are means of all that they stand for.
  bool isAntialiased;
};
} // namespace

/// Where element `index` of the result is in the input.
static double getCoordinate(const Method &method, const Dimension &dim, double index) {
  // Scales are f32 and chosen to be divided by in f32: 1 / 0.3333333 is 3 there.
  auto unscale = [&](double value) {
    return dim.scale ? double(float(value) / *dim.scale) : value * dim.input / dim.output;
  };
  double last = dim.input - 1;
  if (method.coordinates == "align_corners")
    return dim.output == 1 ? 0 : index * last / (dim.output - 1);
  if (method.coordinates == "asymmetric")
    return unscale(index);
  if (method.coordinates == "tf_half_pixel_for_nn")
    return unscale(index + 0.5);
  if (method.coordinates == "tf_crop_and_resize") {
    double start = dim.roiStart * last, end = dim.roiEnd * last;
    return dim.output == 1 ? (start + end) / 2 : start + index * (end - start) / (dim.output - 1);
  }
  if (method.coordinates == "pytorch_half_pixel" && dim.output == 1)
    return 0;
  double halfPixel = unscale(index + 0.5) - 0.5;
  if (method.coordinates == "half_pixel_symmetric" && dim.scale) {
    // Centers the result if its size was rounded.
    double adjustment = dim.output / (double(*dim.scale) * dim.input);
    return dim.input * (1 - adjustment) / 2 + halfPixel;
  }
  return halfPixel;
}

static int64_t roundCoordinate(const Method &method, double x) {
  if (method.rounding == "round_prefer_floor")
    return std::ceil(x - 0.5);
  if (method.rounding == "round_prefer_ceil")
    return std::floor(x + 0.5);
  return method.rounding == "floor" ? std::floor(x) : std::ceil(x);
}

/// Weight of an element at `distance` from the coordinate.
static double getWeight(const Method &method, double distance) {
  double x = std::abs(distance), a = method.cubicA;
  if (method.mode == "linear")
    return std::max(0.0, 1 - x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// How far the elements of a result of `dim` are apart, in elements of its input, where they are
/// means of what is between them; 1 otherwise.
static double getReach(const Method &method, const Dimension &dim) {
  if (!method.isAntialiased || dim.output == 0)
    return 1;
  double distance = dim.scale ? 1 / double(*dim.scale) : double(dim.input) / dim.output;
  return std::max(distance, 1.0);
}

/// How many elements of the input make one of the result.
static double countTaps(const Method &method, double reach) {
  return method.mode == "nearest" ? 1 : 2 * std::ceil((method.mode == "linear" ? 1 : 2) * reach);
}

/// Appends the elements around `x`, and their weights.
static void addTaps(const Method &method, int64_t input, double reach, double x,
                    ResizedDimension &result) {
  auto clampIndex = [&](int64_t index) { return std::clamp<int64_t>(index, 0, input - 1); };
  if (method.mode == "nearest") {
    result.indices.push_back(clampIndex(roundCoordinate(method, x)));
    result.weights.push_back(1);
    return;
  }
  int64_t first = int64_t(std::floor(x)) + 1 - result.taps / 2;
  SmallVector<double> weights;
  for (unsigned tap = 0; tap < result.taps; ++tap) {
    int64_t index = first + tap;
    bool isExcluded = method.excludesOutside && index != clampIndex(index);
    result.indices.push_back(clampIndex(index));
    weights.push_back(isExcluded ? 0 : getWeight(method, (index - x) / reach));
  }
  bool normalizes = method.excludesOutside || reach > 1;
  double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double weight : weights)
    result.weights.push_back(normalizes && sum != 0 ? weight / sum : weight);
}

static ResizedDimension resizeDimension(const Method &method, const Dimension &dim) {
  ResizedDimension result;
  result.extent = result.end = dim.output;
  // tf_half_pixel_for_nn would move them by half an element, which nobody means.
  if (dim.isUnchanged())
    return result;
  result.end = 0;
  double reach = getReach(method, dim);
  result.taps = countTaps(method, reach);
  for (int64_t i = 0; i < dim.output; ++i) {
    // In f32 as well, so that 0.9 + 0.1 is where 1 is.
    double x = float(getCoordinate(method, dim, i));
    // Coordinates rise or fall all the way, so those that are outside are at the ends.
    if (method.coordinates == "tf_crop_and_resize" && !(x >= 0 && x <= dim.input - 1))
      continue;
    if (result.indices.empty())
      result.begin = i;
    result.end = i + 1;
    // Far outside, where all coordinates read the same element.
    double margin = result.taps / 2 + 2;
    x = std::clamp<double>(x, -margin, dim.input + margin);
    addTaps(method, dim.input, reach, x, result);
  }
  return result;
}

/// The method, from the attributes; Upsample and the first Resize have no more than the mode.
static FailureOr<Method> getMethod(Node &node) {
  bool isOld = node.getOpType() == "Upsample" || node.getOpset() < 11;
  auto getOneOf = [&](StringRef name, ArrayRef<StringRef> known) -> FailureOr<StringRef> {
    StringRef found = node.getString(name, known.front());
    if (llvm::is_contained(known, found))
      return found;
    return node.reject() << "expected " << name << " to be one of " << llvm::join(known, ", ")
                         << ", found '" << found << "'";
  };
  FailureOr<StringRef> mode = getOneOf("mode", {"nearest", "linear", "cubic", "bilinear"});
  FailureOr<StringRef> coordinates =
      getOneOf("coordinate_transformation_mode",
               {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
                "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"});
  FailureOr<StringRef> rounding =
      getOneOf("nearest_mode", {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
  if (failed(mode) || failed(coordinates) || failed(rounding))
    return failure();
  Method method{*mode,
                *coordinates,
                *rounding,
                node.getFloat("cubic_coeff_a", -0.75),
                node.getInt("exclude_outside", 0) != 0,
                node.getInt("antialias", 0) != 0};
  if (method.mode == "bilinear") // as Upsample called it first
    method.mode = "linear";
  if (isOld) {
    method.coordinates = "asymmetric";
    method.rounding = "floor";
  }
  if (!std::isfinite(method.cubicA))
    return node.reject() << "expected a finite cubic_coeff_a";
  if (method.mode != "nearest" && !isa<FloatType>(node.getElementType(0)))
    return node.reject() << "expected floats to interpolate, found " << node.getElementType(0);
  return method;
}

/// The floats of an input or attribute, if they are there: `count` of them.
static FailureOr<std::optional<SmallVector<double>>>
getFloats(Node &node, StringRef name, std::optional<unsigned> index, size_t count) {
  std::optional<SmallVector<double>> values = node.getFloats(name);
  if (!values && index && node.hasInput(*index)) {
    // The same as none, where an older opset wants the input to be there.
    if (node.getInputType(*index).getNumElements() == 0)
      return std::optional<SmallVector<double>>();
    values = node.getConstantFloats(*index);
    if (!values)
      return node.reject() << "expected " << name << " to be a constant of f32 or f64, found "
                           << node.getInputType(*index);
  }
  if (values && values->size() != count)
    return node.reject() << "expected " << count << " " << name << ", found " << values->size();
  return values;
}

/// Sizes of the output for requested ones, which are limits if the ratio is kept: then all
/// dimensions get the scale of the one that it fits, and the sizes are rounded.
static LogicalResult applySizes(Node &node, ArrayRef<int64_t> axes, ArrayRef<int64_t> sizes,
                                MutableArrayRef<Dimension> dims) {
  StringRef policy = node.getString("keep_aspect_ratio_policy", "stretch");
  if (!llvm::is_contained({"stretch", "not_larger", "not_smaller"}, policy))
    return node.reject() << "expected keep_aspect_ratio_policy to be stretch, not_larger or "
                            "not_smaller, found '"
                         << policy << "'";
  if (sizes.size() != axes.size())
    return node.reject() << "expected " << axes.size() << " sizes, found " << sizes.size();
  for (auto [axis, size] : llvm::zip(axes, sizes)) {
    if (size < 0 || (size > maxExtent && size != dims[axis].input))
      return node.reject() << "expected sizes from 0 to " << maxExtent << ", found " << size;
    dims[axis].output = size;
  }
  if (policy == "stretch" || axes.empty())
    return success();
  SmallVector<double> scales = llvm::map_to_vector(
      axes, [&](int64_t axis) { return double(dims[axis].output) / dims[axis].input; });
  double scale = policy == "not_larger" ? *llvm::min_element(scales) : *llvm::max_element(scales);
  for (int64_t axis : axes) {
    double size = std::floor(scale * dims[axis].input + 0.5);
    if (!(size >= 0 && size <= maxExtent))
      return node.reject() << "expected sizes from 0 to " << maxExtent << ", found " << size;
    dims[axis].output = size;
    dims[axis].scale = float(scale);
  }
  return success();
}

static LogicalResult applyScales(Node &node, const Method &method, ArrayRef<int64_t> axes,
                                 ArrayRef<double> scales, MutableArrayRef<Dimension> dims) {
  // Before opset 18, ONNX's text and its own implementation differ in what is aligned: the last
  // element, or where it would be without rounding the size.
  bool isAmbiguous = method.coordinates == "align_corners" && node.getOpset() < 18;
  for (auto [axis, scale] : llvm::zip(axes, scales)) {
    Dimension &dim = dims[axis];
    dim.scale = float(scale);
    if (dim.isUnchanged())
      continue;
    float size = std::floor(float(dim.input * (dim.roiEnd - dim.roiStart)) * *dim.scale);
    if (!(scale > 0 && size >= 0 && size <= maxExtent))
      return node.reject() << "expected positive scales that leave 0 to " << maxExtent
                           << " elements, found " << scale << " for " << dim.input;
    dim.output = size;
    if (isAmbiguous && dim.output > 1 &&
        std::abs(double(dim.input) * scale - double(dim.output)) > 1e-3)
      return node.reject() << "expected scales that give whole sizes to align corners, as opset "
                           << node.getOpset() << " does not say what happens else, found " << scale
                           << " for " << dim.input << "; give sizes instead";
  }
  return success();
}

/// The part of the input that is resized.
static LogicalResult applyRegion(Node &node, ArrayRef<int64_t> axes,
                                 MutableArrayRef<Dimension> dims) {
  auto region = getFloats(node, "roi", 1, 2 * axes.size());
  if (failed(region))
    return failure();
  if (!*region || !llvm::all_of(**region, [](double x) { return std::abs(x) <= 1e6; }))
    return node.reject() << "expected roi to be within 1e6 sizes of the input";
  for (auto [i, axis] : llvm::enumerate(axes)) {
    dims[axis].roiStart = (**region)[i];
    dims[axis].roiEnd = (**region)[i + axes.size()];
  }
  return success();
}

FailureOr<SmallVector<ResizedDimension>> npu::onnx_ir::getResize(Node &node) {
  FailureOr<Method> method = getMethod(node);
  if (failed(method))
    return failure();
  int64_t rank = node.getRank(0);
  SmallVector<Dimension> dims;
  for (int64_t extent : node.getShape(0)) {
    if (extent > INT32_MAX)
      return node.reject() << "expected at most " << INT32_MAX
                           << " elements in each dimension to resize, found "
                           << node.getInputType(0);
    dims.push_back({extent, extent, std::nullopt});
  }
  SmallVector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  if (std::optional<SmallVector<int64_t>> given = node.getInts("axes")) {
    FailureOr<SmallVector<int64_t>> normalized = node.normalizeAxes(*given, rank);
    if (failed(normalized))
      return failure();
    axes = *normalized;
  }
  if (method->coordinates == "tf_crop_and_resize" && failed(applyRegion(node, axes, dims)))
    return failure();
  bool hasRegion = node.getOpType() == "Resize" && node.getOpset() >= 11;
  auto scales = getFloats(node, "scales", hasRegion ? 2 : 1, axes.size());
  if (failed(scales))
    return failure();
  if (node.hasAttribute("height_scale") && rank == 4)
    *scales = {1, 1, node.getFloat("height_scale", 1), node.getFloat("width_scale", 1)};
  std::optional<SmallVector<int64_t>> sizes;
  if (node.hasInput(3) && node.getInputType(3).getNumElements() > 0)
    sizes = node.getConstantInts(3);
  if (bool(*scales) == bool(sizes))
    return node.reject() << "expected either scales or sizes as constants, found "
                         << (sizes ? "both" : "none");
  if (failed(sizes ? applySizes(node, axes, *sizes, dims)
                   : applyScales(node, *method, axes, **scales, dims)))
    return failure();
  if (!isAddressable(llvm::map_to_vector(dims, [](const Dimension &dim) { return dim.output; })))
    return node.reject() << "expected a smaller result";
  SmallVector<ResizedDimension> result;
  if (llvm::any_of(dims, [](const Dimension &dim) { return dim.output == 0; })) {
    for (const Dimension &dim : dims)
      result.emplace_back().extent = dim.output;
    return result;
  }
  if (node.getInputType(0).getNumElements() == 0)
    return node.reject() << "expected elements to compute the result from, found "
                         << node.getInputType(0);
  for (const Dimension &dim : dims) {
    double taps = dim.isUnchanged() ? 0 : countTaps(*method, getReach(*method, dim));
    if (taps * dim.output > FoldBudget::total)
      return node.reject() << "expected at most " << FoldBudget::total
                           << " elements that are read for one dimension, found "
                           << static_cast<int64_t>(taps) << " for each of " << dim.output;
    Method used = *method;
    // As the first Resize is tested: elements are skipped, never the last of them.
    if (node.getOpType() == "Resize" && node.getOpset() < 11 && dim.output < dim.input)
      used.rounding = "ceil";
    result.push_back(resizeDimension(used, dim));
  }
  return result;
}

LogicalResult npu::onnx_ir::inferResize(Node &node) {
  FailureOr<SmallVector<ResizedDimension>> dims = getResize(node);
  if (failed(dims))
    return failure();
  SmallVector<int64_t> shape =
      llvm::map_to_vector(*dims, [](const ResizedDimension &dim) { return dim.extent; });
  for (const ResizedDimension &dim : *dims)
    if (failed(node.spendOrReject(dim.indices.size())))
      return failure();
  return node.setOutput(0, shape, node.getElementType(0));
}
