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

FailureOr<Window> npu::onnx_ir::getWindow(Node &node, ArrayRef<int64_t> input,
                                          ArrayRef<int64_t> kernel) {
  unsigned rank = kernel.size();
  if (input.size() != rank)
    return node.reject() << "expected a window of " << input.size()
                         << " dimensions, as the input has, found one of " << rank;
  FailureOr<SmallVector<int64_t>> strides = getPerDimension(node, "strides", rank, 1, 1);
  FailureOr<SmallVector<int64_t>> dilations = getPerDimension(node, "dilations", rank, 1, 1);
  FailureOr<SmallVector<int64_t>> pads = getPerDimension(node, "pads", 2 * rank, 0, 0);
  if (failed(strides) || failed(dilations) || failed(pads))
    return failure();
  StringRef autoPad = node.getString("auto_pad", "NOTSET");
  bool isSame = autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER";
  if (!isSame && autoPad != "NOTSET" && autoPad != "VALID" && !autoPad.empty())
    return node.reject()
           << "expected auto_pad to be NOTSET, SAME_UPPER, SAME_LOWER or VALID, found '" << autoPad
           << "'";
  bool isCeil = node.getInt("ceil_mode", 0) != 0;
  Window window{SmallVector<int64_t>(kernel), *strides, *dilations, {}, {}, {}, {}};
  for (unsigned d = 0; d < rank; ++d) {
    if (kernel[d] < 1 || kernel[d] > INT32_MAX || input[d] > INT32_MAX)
      return node.reject() << "expected sizes from 1 to " << INT32_MAX << ", found a kernel of "
                           << kernel[d] << " over " << input[d] << " elements";
    int64_t extent = (kernel[d] - 1) * window.dilations[d] + 1;
    int64_t stride = window.strides[d];
    int64_t begin = 0, end = 0, output = 0, overhang = 0;
    if (isSame) {
      output = llvm::divideCeil(input[d], stride);
      int64_t total = std::max<int64_t>(0, (output - 1) * stride + extent - input[d]);
      begin = (autoPad == "SAME_LOWER" ? total + 1 : total) / 2;
      end = total - begin;
    } else {
      if (autoPad != "VALID") {
        begin = (*pads)[d];
        end = (*pads)[d + rank];
      }
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
  return window;
}
