//===- ExpandDeformConv.cpp - convolutions whose windows are data ---------===//

#include "OpSpecFunctions.h"

#include "NPU/Dialect/ONNX/Specs/Window.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

namespace {
/// Sizes of a deformable convolution of two spatial dimensions.
struct DeformConv {
  ArrayRef<int64_t> image, filter; ///< shapes
  int64_t groups, offsetGroups;
  SmallVector<int64_t> strides, dilations, pads;
  SmallVector<int64_t> output{0, 0};

  int64_t getPlaces() const { return filter[2] * filter[3]; }
  int64_t getPoints() const { return output[0] * output[1]; }
};
} // namespace

static FailureOr<DeformConv> getDeformConv(Node &node) {
  DeformConv conv;
  conv.image = node.getShape(0), conv.filter = node.getShape(1);
  conv.groups = node.getInt("group", 1), conv.offsetGroups = node.getInt("offset_group", 1);
  if (conv.image.size() != 4 || conv.filter.size() != 4 || !isa<FloatType>(node.getElementType(0)))
    return node.reject() << "expected images of floats with two spatial dimensions and filters of "
                            "four, found "
                         << node.getInputType(0) << " and " << node.getInputType(1);
  auto strides = getPerDimension(node, "strides", 2, 1, 1);
  auto dilations = getPerDimension(node, "dilations", 2, 1, 1);
  auto pads = getPerDimension(node, "pads", 4, 0, 0);
  auto kernel = getPerDimension(node, "kernel_shape", 2, 0, 1);
  if (failed(strides) || failed(dilations) || failed(pads) || failed(kernel))
    return failure();
  conv.strides = *strides, conv.dilations = *dilations, conv.pads = *pads;
  bool isEmpty = llvm::is_contained(conv.image, 0) || llvm::is_contained(conv.filter, 0);
  bool isOtherKernel =
      node.hasAttribute("kernel_shape") && ArrayRef<int64_t>(*kernel) != conv.filter.drop_front(2);
  if (isEmpty || isOtherKernel)
    return node.reject() << "expected images and filters with elements, and the kernel_shape of "
                            "the filters, found "
                         << node.getInputType(0) << " and " << node.getInputType(1);
  int64_t channels = conv.image[1];
  if (conv.groups < 1 || conv.offsetGroups < 1 || channels % conv.groups ||
      channels % conv.offsetGroups || conv.filter[0] % conv.groups ||
      conv.filter[1] != channels / conv.groups)
    return node.reject() << "expected groups that divide " << channels << " channels and "
                         << conv.filter[0] << " filters, of " << conv.filter[1]
                         << " channels each, found " << conv.groups << " and an offset_group of "
                         << conv.offsetGroups;
  for (int64_t dim : {0, 1}) {
    int64_t room = conv.image[2 + dim] + conv.pads[dim] + conv.pads[2 + dim] -
                   conv.dilations[dim] * (conv.filter[2 + dim] - 1) - 1;
    if (room < 0)
      return node.reject() << "expected filters that fit into the padded image, found "
                           << node.getInputType(1);
    conv.output[dim] = room / conv.strides[dim] + 1;
  }
  SmallVector<int64_t> offsets{conv.image[0], 2 * conv.offsetGroups * conv.getPlaces(),
                               conv.output[0], conv.output[1]};
  SmallVector<int64_t> mask(offsets);
  mask[1] /= 2;
  if (node.getShape(2) != ArrayRef<int64_t>(offsets) ||
      (node.hasInput(4) && node.getShape(4) != ArrayRef<int64_t>(mask)))
    return node.reject() << "expected offsets of [" << offsets << "], and a mask of [" << mask
                         << "] if there is one";
  return conv;
}

/// Reads the image at each place of each window, between its elements where the offsets say so,
/// and multiplies what was read by the filters.
LogicalResult npu::onnx_ir::expandDeformConv(Expansion &b) {
  Node &node = b.getNode();
  FailureOr<DeformConv> found = getDeformConv(node);
  if (failed(found))
    return failure();
  const DeformConv &conv = *found;
  int64_t batch = conv.image[0], channels = conv.image[1], parts = batch * conv.offsetGroups;
  int64_t places = conv.getPlaces(), points = conv.getPoints();
  if (failed(node.spendOrReject({2, places, points})))
    return failure();
  // The positions that windows read without offsets, as numbers of rows and columns.
  Type f32 = b.getF32Type();
  std::vector<double> starts;
  for (int64_t place = 0; place < places; ++place)
    for (int64_t dim : {0, 1})
      for (int64_t point = 0; point < points; ++point) {
        int64_t inFilter = dim == 0 ? place / conv.filter[3] : place % conv.filter[3];
        int64_t inOutput = dim == 0 ? point / conv.output[1] : point % conv.output[1];
        starts.push_back(inOutput * conv.strides[dim] - conv.pads[dim] +
                         inFilter * conv.dilations[dim]);
      }
  Value offsets = b.cast(b.reshape(b.input(2), {parts, places, 2, points}), f32);
  Value positions = b.op("Add", {offsets, b.numbers(f32, {1, places, 2, points}, starts)});
  // GridSample counts the middle of pixels from -1 to 1, columns first. Powers of two keep whole
  // positions exact; what is behind the image reads as zero anyway.
  SmallVector<int64_t> pads(8, 0), padded;
  for (int64_t dim : {2, 3}) {
    padded.push_back(llvm::PowerOf2Ceil(conv.image[dim]));
    pads[4 + dim] = padded.back() - conv.image[dim];
  }
  Value sizes = b.numbers(f32, {1, 1, 2, 1}, {1.0 * padded[0], 1.0 * padded[1]});
  Value twice =
      b.op("Add", {b.op("Mul", {positions, b.constant(f32, {}, 2)}), b.constant(f32, {}, 1)});
  Value grid = b.op("Sub", {b.op("Div", {twice, sizes}), b.constant(f32, {}, 1)});
  grid = b.reshape(b.transpose(b.takeEvery(grid, 2, -1), {0, 1, 3, 2}), {parts, places, points, 2});
  Value image =
      b.reshape(b.input(0), {parts, channels / conv.offsetGroups, conv.image[2], conv.image[3]});
  if (padded != ArrayRef<int64_t>(conv.image.drop_front(2)))
    image = b.op("Pad", {image, b.ints(pads), b.constant(node.getElementType(0), {}, 0)});
  Value samples = b.op("GridSample", {image, grid},
                       {b.string("mode", "linear"), b.string("padding_mode", "zeros"),
                        b.integer("align_corners", 0)});
  if (b.input(4))
    samples = b.op("Mul", {samples, b.reshape(b.input(4), {parts, 1, places, points})});
  int64_t depth = conv.filter[1] * places, filters = conv.filter[0] / conv.groups;
  samples = b.reshape(samples, {batch, conv.groups, depth, points});
  Value weights = b.reshape(b.input(1), {1, conv.groups, filters, depth});
  if (conv.groups == 1 && batch == 1) {
    // One product without batches.
    weights = b.reshape(weights, {filters, depth});
    samples = b.reshape(samples, {depth, points});
  }
  Value y = b.reshape(b.op("MatMul", {weights, samples}),
                      {batch, conv.filter[0], conv.output[0], conv.output[1]});
  if (b.input(3))
    y = b.op("Add", {y, b.reshape(b.input(3), {conv.filter[0], 1, 1})});
  b.setResult(0, y);
  return success();
}
