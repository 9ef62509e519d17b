//===- TensorFields.h - elements of an ONNX TensorProto -------------------===//

#ifndef NPU_TARGET_ONNX_TENSORFIELDS_H
#define NPU_TARGET_ONNX_TENSORFIELDS_H

#include <onnx/onnx_pb.h>
#include <vector>

namespace npu {

/// The elements that are in the repeated field of the tensor's type instead of raw_data, as
/// raw_data would have them: little endian, Booleans as a byte of 0 or 1. Narrow types share
/// int32_data, where halves are their bits; unsigned ones of 32 bits share uint64_data.
std::vector<char> readTensorField(const onnx::TensorProto &tensor);

} // namespace npu

#endif // NPU_TARGET_ONNX_TENSORFIELDS_H
