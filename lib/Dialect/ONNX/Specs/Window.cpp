//===- Window.cpp - sliding windows of convolutions and pools -------------===//

#include "NPU/Dialect/ONNX/Specs/Window.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

FailureOr<SmallVector<int64_t>> npu::onnx_ir::getPerDimension(Node &node, StringRef name,
                                                              unsigned count, int64_t defaultValue,
                                                              int64_t minimum) {
  std::optional<SmallVector<int64_t>> values = node.getInts(name);
  if (!values)
    return SmallVector<int64_t>(count, defaultValue);
  if (values->size() != count)
    return node.reject() << "expected " << count << " " << name << ", found " << values->size();
  for (int64_t value : *values)
    if (value < minimum || value > INT32_MAX)
      return node.reject() << "expected " << name << " from " << minimum << " to " << INT32_MAX
                           << ", found " << value;
  return *values;
}

/// What a window is before its paddings and its output are known; pads go to `pads`.
static FailureOr<Window> readWindow(Node &node, ArrayRef<int64_t> input, ArrayRef<int64_t> kernel,
                                    SmallVector<int64_t> &pads) {
  unsigned rank = kernel.size();
  if (input.size() != rank)
    return node.reject() << "expected a window of " << input.size()
                         << " dimensions, as the input has, found one of " << rank;
  FailureOr<SmallVector<int64_t>> strides = getPerDimension(node, "strides", rank, 1, 1);
  FailureOr<SmallVector<int64_t>> dilations = getPerDimension(node, "dilations", rank, 1, 1);
  FailureOr<SmallVector<int64_t>> padding = getPerDimension(node, "pads", 2 * rank, 0, 0);
  if (failed(strides) || failed(dilations) || failed(padding))
    return failure();
  StringRef autoPad = node.getString("auto_pad", "NOTSET");
  if (!llvm::is_contained({"SAME_UPPER", "SAME_LOWER", "NOTSET", "VALID", ""}, autoPad))
    return node.reject()
           << "expected auto_pad to be NOTSET, SAME_UPPER, SAME_LOWER or VALID, found '" << autoPad
           << "'";
  for (auto [extent, elements] : llvm::zip(kernel, input))
    if (extent < 1 || extent > INT32_MAX || elements > INT32_MAX)
      return node.reject() << "expected sizes from 1 to " << INT32_MAX << ", found a kernel of "
                           << extent << " over " << elements << " elements";
  pads = autoPad == "VALID" ? SmallVector<int64_t>(2 * rank, 0) : *padding;
  return Window{SmallVector<int64_t>(kernel), *strides, *dilations, {}, {}, {}, {}};
}

/// Whether the paddings follow from the size of the output.
static bool isSamePadding(const Node &node) {
  return node.getString("auto_pad", "NOTSET").starts_with("SAME");
}

/// Padding makes a tensor of its own, which has to have a size.
static LogicalResult checkPadded(const Node &node, const Window &window) {
  SmallVector<int64_t> padded(node.getShape(0));
  for (auto [extent, begin, end, overhang] :
       llvm::zip(MutableArrayRef(padded).take_back(window.getRank()), window.padsBegin,
                 window.padsEnd, window.overhang))
    extent += begin + end + overhang;
  if (!isAddressable(padded))
    return node.reject() << "expected less padding, found an input that becomes [" << padded << "]";
  return success();
}

FailureOr<Window> npu::onnx_ir::getWindow(Node &node, ArrayRef<int64_t> input,
                                          ArrayRef<int64_t> kernel) {
  SmallVector<int64_t> pads;
  FailureOr<Window> read = readWindow(node, input, kernel, pads);
  if (failed(read))
    return failure();
  Window &window = *read;
  unsigned rank = window.getRank();
  StringRef autoPad = node.getString("auto_pad", "NOTSET");
  bool isSame = isSamePadding(node), isCeil = node.getInt("ceil_mode", 0) != 0;
  for (unsigned d = 0; d < rank; ++d) {
    int64_t extent = (kernel[d] - 1) * window.dilations[d] + 1;
    int64_t stride = window.strides[d];
    int64_t begin = 0, end = 0, output = 0, overhang = 0;
    if (isSame) {
      output = llvm::divideCeil(input[d], stride);
      int64_t total = std::max<int64_t>(0, (output - 1) * stride + extent - input[d]);
      begin = (autoPad == "SAME_LOWER" ? total + 1 : total) / 2;
      end = total - begin;
    } else {
      begin = pads[d];
      end = pads[d + rank];
      int64_t room = input[d] + begin + end - extent;
      if (room < 0)
        return node.reject() << "expected a window of at most " << input[d] + begin + end
                             << " elements in dimension " << d << ", found " << extent;
      output = (isCeil ? int64_t(llvm::divideCeil(room, stride)) : room / stride) + 1;
      // A window that would start behind the input and its padding in front is left out.
      if (isCeil && (output - 1) * stride >= input[d] + begin)
        --output;
      overhang = std::max<int64_t>(0, (output - 1) * stride - room);
    }
    window.padsBegin.push_back(begin);
    window.padsEnd.push_back(end);
    window.overhang.push_back(overhang);
    window.output.push_back(output);
  }
  if (failed(checkPadded(node, window)))
    return failure();
  return window;
}

FailureOr<Window> npu::onnx_ir::getTransposedWindow(Node &node, ArrayRef<int64_t> input,
                                                    ArrayRef<int64_t> kernel) {
  SmallVector<int64_t> pads;
  FailureOr<Window> read = readWindow(node, input, kernel, pads);
  if (failed(read))
    return failure();
  Window &window = *read;
  unsigned rank = window.getRank();
  FailureOr<SmallVector<int64_t>> more = getPerDimension(node, "output_padding", rank, 0, 0);
  FailureOr<SmallVector<int64_t>> outputs = getPerDimension(node, "output_shape", rank, 0, 1);
  if (failed(more) || failed(outputs))
    return failure();
  SmallVector<int64_t> spreadShape(node.getShape(0).drop_back(rank));
  for (unsigned d = 0; d < rank; ++d) {
    int64_t extent = (kernel[d] - 1) * window.dilations[d] + 1, stride = window.strides[d];
    // All that the windows reach.
    int64_t full = input[d] == 0 ? 0 : stride * (input[d] - 1) + (*more)[d] + extent;
    int64_t begin = pads[d], output = full - begin - pads[d + rank];
    if (node.hasAttribute("output_shape") || isSamePadding(node)) {
      output = node.hasAttribute("output_shape") ? (*outputs)[d] : stride * input[d];
      int64_t total = std::max<int64_t>(0, full - output);
      bool isUpper = node.getString("auto_pad", "NOTSET") == "SAME_UPPER";
      begin = isUpper ? total / 2 : total - total / 2;
    }
    if (output < 0)
      return node.reject() << "expected less than " << full << " elements of padding in dimension "
                           << d << ", found " << full - output;
    window.padsBegin.push_back(begin);
    window.padsEnd.push_back(full - output - begin);
    window.overhang.push_back(0);
    window.output.push_back(output);
    spreadShape.push_back(output + extent - 1);
  }
  if (!isAddressable(spreadShape))
    return node.reject() << "expected a smaller output, found [" << window.output
                         << "] by a window of [" << kernel << "]";
  return window;
}
