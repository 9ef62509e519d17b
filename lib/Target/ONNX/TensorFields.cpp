//===- TensorFields.cpp - elements of an ONNX TensorProto -----------------===//
//
// Format: onnx.proto.
//
//===----------------------------------------------------------------------===//

#include "NPU/Target/ONNX/TensorFields.h"

#include "llvm/ADT/STLExtras.h"
#include <cstring>

using onnx::TensorProto;

template <typename T, typename Field>
static std::vector<char> convertField(const Field &field) {
  std::vector<char> bytes(field.size() * sizeof(T));
  for (auto [index, value] : llvm::enumerate(field)) {
    T element = static_cast<T>(value);
    std::memcpy(bytes.data() + index * sizeof(T), &element, sizeof(T));
  }
  return bytes;
}

std::vector<char> npu::readTensorField(const TensorProto &tensor) {
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
    return convertField<float>(tensor.float_data());
  case TensorProto::DOUBLE:
    return convertField<double>(tensor.double_data());
  case TensorProto::INT64:
    return convertField<int64_t>(tensor.int64_data());
  case TensorProto::UINT32:
    return convertField<uint32_t>(tensor.uint64_data());
  case TensorProto::UINT64:
    return convertField<uint64_t>(tensor.uint64_data());
  case TensorProto::INT32:
    return convertField<int32_t>(tensor.int32_data());
  case TensorProto::INT16:
  case TensorProto::UINT16:
  case TensorProto::FLOAT16:
  case TensorProto::BFLOAT16:
    return convertField<uint16_t>(tensor.int32_data());
  case TensorProto::BOOL:
    return convertField<bool>(tensor.int32_data());
  default:
    return convertField<uint8_t>(tensor.int32_data());
  }
}
