//===- InferSampling.cpp - types of operators that sample images ----------===//

#include "OpSpecFunctions.h"

using namespace mlir;
using namespace npu::onnx_ir;

LogicalResult npu::onnx_ir::inferGridSample(Node &node) {
  ArrayRef<int64_t> image = node.getShape(0), grid = node.getShape(1);
  int64_t spatial = int64_t(image.size()) - 2;
  constexpr int64_t mostDims = 3; // each doubles what is read for an element
  if (spatial < 1 || spatial > mostDims || grid.size() != image.size() || grid.back() != spatial ||
      grid.front() != image.front() || node.getInputType(0).getNumElements() == 0)
    return node.reject() << "expected an image of 1 to " << mostDims
                         << " dimensions behind batch and channels, and as many coordinates for "
                            "each point of the result, found "
                         << node.getInputType(0) << " and " << node.getInputType(1);
  for (unsigned input : {0, 1})
    if (!isa<FloatType>(node.getElementType(input)))
      return node.reject() << "expected floats, found " << node.getElementType(input);
  StringRef mode = node.getString("mode", "linear");
  StringRef padding = node.getString("padding_mode", "zeros");
  bool isCubic = mode == "cubic" || mode == "bicubic";
  if (!isCubic && !llvm::is_contained({"linear", "bilinear", "nearest"}, mode))
    return node.reject() << "expected the mode linear, nearest or cubic, found " << mode;
  if (isCubic && spatial != 2)
    return node.reject() << "expected 2 dimensions for cubic interpolation, found " << spatial;
  if (!llvm::is_contained({"zeros", "border", "reflection"}, padding))
    return node.reject() << "expected padding by zeros, border or reflection, found " << padding;
  SmallVector<int64_t> shape{image[0], image[1]};
  llvm::append_range(shape, grid.drop_front().drop_back());
  return node.setOutput(0, shape, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferRoiAlign(Node &node) {
  ArrayRef<int64_t> image = node.getShape(0), rois = node.getShape(1);
  if (image.size() != 4 || rois.size() != 2 || rois[1] != 4 ||
      node.getShape(2) != rois.take_front() || !isa<FloatType>(node.getElementType(0)) ||
      node.getElementType(1) != node.getElementType(0) ||
      !node.getElementType(2).isSignlessInteger(64) || node.getInputType(0).getNumElements() == 0)
    return node.reject() << "expected an image of 4 dimensions, 4 coordinates and a batch for each "
                            "region, found "
                         << node.getInputType(0) << ", " << node.getInputType(1) << " and "
                         << node.getInputType(2);
  StringRef mode = node.getString("mode", "avg");
  if (mode != "avg" && mode != "max")
    return node.reject() << "expected the mode avg or max, found " << mode;
  // Each sample of a square is read by code of its own.
  constexpr int64_t mostSamples = 8;
  int64_t samples = node.getInt("sampling_ratio", 0);
  if (samples <= 0 || samples > mostSamples)
    return node.reject() << "expected a sampling_ratio from 1 to " << mostSamples
                         << ", as a number of samples that depends on data is not supported, found "
                         << samples;
  int64_t height = node.getInt("output_height", 1), width = node.getInt("output_width", 1);
  if (height < 1 || width < 1)
    return node.reject() << "expected a positive size, found " << height << " and " << width;
  return node.setOutput(0, {rois[0], image[1], height, width}, node.getElementType(0));
}
