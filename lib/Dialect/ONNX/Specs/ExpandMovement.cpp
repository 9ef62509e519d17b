//===- ExpandMovement.cpp - images taken apart and put together -----------===//

#include "OpSpecFunctions.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// The integers of constant input `index`.
static FailureOr<SmallVector<int64_t>> getSizes(Node &node, unsigned index) {
  if (std::optional<SmallVector<int64_t>> sizes = node.getConstantInts(index))
    return *sizes;
  return node.reject() << "expected integers as input " << index << ", found "
                       << node.getInputType(index);
}

/// Values go where a MaxPool found them. Positions count all elements of the image that its window
/// and strides give; an output that is larger has more behind it.
LogicalResult npu::onnx_ir::expandMaxUnpool(Expansion &b) {
  Node &node = b.getNode();
  ArrayRef<int64_t> shape = node.getShape(0);
  std::optional<SmallVector<int64_t>> kernel = node.getInts("kernel_shape");
  size_t spatial = shape.size() < 3 ? 0 : shape.size() - 2;
  if (spatial == 0 || !kernel || kernel->size() != spatial)
    return node.reject() << "expected a kernel_shape of " << spatial
                         << " dimensions, of images with at least one, found "
                         << node.getInputType(0);
  SmallVector<int64_t> strides = node.getInts("strides").value_or(SmallVector<int64_t>(spatial, 1));
  SmallVector<int64_t> pads = node.getInts("pads").value_or(SmallVector<int64_t>(2 * spatial, 0));
  auto isPositive = [](int64_t size) { return size > 0; };
  if (strides.size() != spatial || pads.size() != 2 * spatial || node.getShape(1) != shape ||
      !llvm::all_of(strides, isPositive) || !llvm::all_of(*kernel, isPositive))
    return node.reject() << "expected a positive stride and two pads for each of " << spatial
                         << " dimensions, and as many positions as values";
  SmallVector<int64_t> pooled(shape.take_front(2));
  for (size_t dim = 0; dim < spatial; ++dim) {
    // A size that overflows is no size.
    int64_t size = 0;
    bool overflows = llvm::MulOverflow(shape[2 + dim] - 1, strides[dim], size) ||
                     llvm::AddOverflow(size, (*kernel)[dim], size) ||
                     llvm::SubOverflow(size, pads[dim], size) ||
                     llvm::SubOverflow(size, pads[spatial + dim], size);
    pooled.push_back(overflows ? -1 : size);
  }
  SmallVector<int64_t> result(pooled);
  if (b.input(2)) {
    std::optional<SmallVector<int64_t>> given = node.getConstantInts(2);
    if (!given || given->size() != shape.size())
      return node.reject() << "expected an output shape of " << shape.size() << " numbers";
    result = *given;
  }
  int64_t count = 1, all = node.getInputType(0).getNumElements();
  SmallVector<int64_t> rest(2 * shape.size(), 0);
  for (auto [dim, size] : llvm::enumerate(pooled)) {
    if (size < 1 || llvm::MulOverflow(count, size, count) || result[dim] < size)
      return node.reject() << "expected an output of at least [" << pooled << "], found [" << result
                           << "]";
    rest[shape.size() + dim] = result[dim] - size;
  }
  Value zero = b.constant(node.getElementType(0), {}, 0);
  Value flat = b.op("ScatterElements",
                    {b.constant(node.getElementType(0), {count}, 0), b.reshape(b.input(1), {all}),
                     b.reshape(b.input(0), {all})},
                    {b.integer("axis", 0)});
  Value image = b.reshape(flat, pooled);
  b.setResult(0, result == pooled ? image : b.op("Pad", {image, b.ints(rest), zero}));
  return success();
}

/// Sums up the blocks that overlap: a transposed convolution whose filters each have a one at one
/// place.
LogicalResult npu::onnx_ir::expandCol2Im(Expansion &b) {
  Node &node = b.getNode();
  FailureOr<SmallVector<int64_t>> sizes = getSizes(node, 1), blockSizes = getSizes(node, 2);
  if (failed(sizes) || failed(blockSizes))
    return failure();
  SmallVector<int64_t> image = *sizes, block = *blockSizes;
  size_t spatial = image.size();
  if (failed(node.spendOrReject(block)))
    return failure();
  int64_t places = ShapedType::getNumElements(block);
  auto getList = [&](StringRef name, size_t count, int64_t value) {
    return node.getInts(name).value_or(SmallVector<int64_t>(count, value));
  };
  SmallVector<int64_t> strides = getList("strides", spatial, 1),
                       pads = getList("pads", 2 * spatial, 0);
  SmallVector<int64_t> dilations = getList("dilations", spatial, 1);
  if (node.getRank(0) != 3 || block.size() != spatial || strides.size() != spatial ||
      pads.size() != 2 * spatial || dilations.size() != spatial || places <= 0 ||
      node.getShape(0)[1] % places != 0)
    return node.reject() << "expected batches x (channels * elements of a block) x blocks, and "
                            "sizes of "
                         << spatial << " dimensions, found " << node.getInputType(0);
  int64_t channels = node.getShape(0)[1] / places;
  SmallVector<int64_t> blocks{node.getShape(0)[0], node.getShape(0)[1]},
      filter{node.getShape(0)[1], 1};
  SmallVector<int64_t> rest;
  int64_t count = 1;
  for (size_t dim = 0; dim < spatial; ++dim) {
    constexpr int64_t most = int64_t(1) << 31; // so that no sum overflows
    bool isSmall =
        llvm::all_of(ArrayRef{image[dim], pads[dim], pads[spatial + dim], dilations[dim]},
                     [&](int64_t size) { return size >= 0 && size < most; });
    int64_t extent = isSmall ? dilations[dim] * (block[dim] - 1) + 1 : 0;
    int64_t room = isSmall ? image[dim] + pads[dim] + pads[spatial + dim] - extent : -1;
    if (strides[dim] < 1 || room < 0)
      return node.reject() << "expected blocks that fit into the image, found [" << block
                           << "] and [" << image << "]";
    blocks.push_back(room / strides[dim] + 1);
    rest.push_back(room % strides[dim]);
    filter.push_back(block[dim]);
    count *= blocks.back();
  }
  if (count != node.getShape(0)[2])
    return node.reject() << "expected " << count << " blocks, found " << node.getShape(0)[2];
  if (failed(node.spendOrReject({channels, places, places})))
    return failure();
  std::vector<double> ones(channels * places * places, 0);
  for (int64_t row = 0; row < channels * places; ++row)
    ones[row * places + row % places] = 1;
  Value filters = b.numbers(node.getElementType(0), filter, ones);
  b.setResult(0, b.op("ConvTranspose", {b.reshape(b.input(0), blocks), filters},
                      {b.integers("strides", strides), b.integers("pads", pads),
                       b.integers("dilations", dilations), b.integers("kernel_shape", block),
                       b.integers("output_padding", rest), b.integer("group", channels)}));
  return success();
}

LogicalResult npu::onnx_ir::expandCenterCropPad(Expansion &b) {
  Node &node = b.getNode();
  int64_t rank = node.getRank(0);
  FailureOr<SmallVector<int64_t>> sizes = getSizes(node, 1);
  if (failed(sizes))
    return failure();
  SmallVector<int64_t> shape = *sizes;
  SmallVector<int64_t> axes =
      node.getInts("axes").value_or(llvm::to_vector(llvm::seq<int64_t>(0, rank)));
  FailureOr<SmallVector<int64_t>> normalized = node.normalizeAxes(axes, rank);
  if (failed(normalized))
    return failure();
  if (normalized->size() != shape.size())
    return node.reject() << "expected a size for each of " << normalized->size() << " axes, found "
                         << shape.size();
  Value value = b.input(0);
  SmallVector<int64_t> pads(2 * rank, 0);
  for (auto [axis, size] : llvm::zip(*normalized, shape)) {
    int64_t extent = node.getShape(0)[axis];
    if (size < 0 || !isAddressable(size))
      return node.reject() << "expected sizes of a tensor, found " << size;
    if (size < extent) {
      int64_t begin = (extent - size) / 2;
      value = b.slice(value, axis, begin, begin + size);
    } else {
      pads[axis] = (size - extent) / 2;
      pads[rank + axis] = size - extent - pads[axis];
    }
  }
  if (llvm::any_of(pads, [](int64_t pad) { return pad != 0; }))
    value = b.op("Pad", {value, b.ints(pads), b.constant(node.getElementType(0), {}, 0)});
  b.setResult(0, value);
  return success();
}

/// The grid of points that a matrix moves, for each batch.
LogicalResult npu::onnx_ir::expandAffineGrid(Expansion &b) {
  Node &node = b.getNode();
  FailureOr<SmallVector<int64_t>> sizes = getSizes(node, 1);
  if (failed(sizes))
    return failure();
  SmallVector<int64_t> size = *sizes;
  int64_t spatial = int64_t(size.size()) - 2;
  Type type = node.getElementType(0);
  if ((spatial != 2 && spatial != 3) || !isa<FloatType>(type) ||
      node.getShape(0) != ArrayRef<int64_t>{size[0], spatial, spatial + 1})
    return node.reject() << "expected a matrix for each batch, found " << node.getInputType(0);
  bool isAligned = node.getInt("align_corners", 0) != 0;
  SmallVector<int64_t> gridShape(size.begin() + 2, size.end());
  gridShape.push_back(spatial + 1);
  if (failed(node.spendOrReject(gridShape)))
    return failure();
  int64_t points = ShapedType::getNumElements(gridShape) / (spatial + 1);
  // Coordinates of the last dimension come first, and a one last.
  std::vector<double> values;
  for (int64_t point = 0; point < points; ++point) {
    int64_t rest = point;
    for (int64_t dim = spatial; dim-- > 0;) {
      int64_t extent = size[2 + dim], index = rest % extent;
      rest /= extent;
      double coordinate = isAligned ? (extent > 1 ? 2.0 * index / (extent - 1) - 1 : 0)
                                    : (2.0 * index + 1) / extent - 1;
      values.push_back(coordinate);
    }
    values.push_back(1);
  }
  Value grid = b.numbers(type, {points, spatial + 1}, values);
  SmallVector<int64_t> shape{size[0]};
  shape.append(size.begin() + 2, size.end());
  shape.push_back(spatial);
  b.setResult(0, b.reshape(b.op("MatMul", {grid, b.transpose(b.input(0), {0, 2, 1})}), shape));
  return success();
}

/// Experimental in ONNX 1.0 and gone since; old detectors have it.
LogicalResult npu::onnx_ir::expandImageScaler(Expansion &b) {
  Node &node = b.getNode();
  Type type = node.getElementType(0);
  Value scaled = b.op("Mul", {b.input(0), b.constant(type, {}, node.getFloat("scale", 1))});
  if (std::optional<SmallVector<double>> bias = node.getFloats("bias")) {
    scaled = b.op("Add", {scaled, b.numbers(type, {int64_t(bias->size()), 1, 1}, *bias)});
  }
  b.setResult(0, scaled);
  return success();
}

/// The determinant of the rows from `row` on of the columns `columns`, along the first of them.
static Value getDeterminant(Expansion &b, Value matrix, int64_t rank, int64_t row,
                            ArrayRef<int64_t> columns) {
  Value sum;
  for (auto [number, column] : llvm::enumerate(columns)) {
    Value term = b.slice(b.slice(matrix, rank - 2, row, row + 1), rank - 1, column, column + 1);
    SmallVector<int64_t> others(columns);
    others.erase(others.begin() + number);
    if (!others.empty())
      term = b.op("Mul", {term, getDeterminant(b, matrix, rank, row + 1, others)});
    sum = !sum ? term : b.op(number % 2 ? "Sub" : "Add", {sum, term});
  }
  return sum;
}

LogicalResult npu::onnx_ir::expandDet(Expansion &b) {
  Node &node = b.getNode();
  ArrayRef<int64_t> shape = node.getShape(0);
  constexpr int64_t most = 4; // the number of terms grows with the factorial
  if (shape.size() < 2 || shape.back() != shape[shape.size() - 2] || shape.back() < 1 ||
      shape.back() > most)
    return node.reject() << "expected square matrices of at most " << most << " rows, found "
                         << node.getInputType(0);
  SmallVector<int64_t> columns = llvm::to_vector(llvm::seq<int64_t>(0, shape.back()));
  Value result = getDeterminant(b, b.input(0), shape.size(), 0, columns);
  b.setResult(0, b.reshape(result, shape.drop_back(2)));
  return success();
}
