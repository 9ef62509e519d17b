//===- OnnxTensorFormat.cpp - ONNX TensorProto ----------------------------===//
//
// Format: onnx.proto. The data of a tensor is in raw_data, or in the repeated field of its type.
//
//===----------------------------------------------------------------------===//

#include "NPU/Target/ONNX/TensorFields.h"
#include "NPU/Tensor/TensorReader.h"

#include <onnx/onnx_pb.h>

using namespace llvm;
using namespace npu::runtime;
using onnx::TensorProto;

static std::optional<ElementType> getElementType(int32_t type) {
  switch (type) {
  case TensorProto::BOOL:
    return ElementType::I1;
  case TensorProto::INT8:
  case TensorProto::UINT8:
    return ElementType::I8;
  case TensorProto::INT16:
  case TensorProto::UINT16:
    return ElementType::I16;
  case TensorProto::INT32:
  case TensorProto::UINT32:
    return ElementType::I32;
  case TensorProto::INT64:
  case TensorProto::UINT64:
    return ElementType::I64;
  case TensorProto::FLOAT16:
    return ElementType::F16;
  case TensorProto::BFLOAT16:
    return ElementType::BF16;
  case TensorProto::FLOAT:
    return ElementType::F32;
  case TensorProto::DOUBLE:
    return ElementType::F64;
  default:
    return std::nullopt;
  }
}

Expected<HostTensor> npu::runtime::decodeOnnxTensor(StringRef contents) {
  TensorProto proto;
  if (contents.size() > INT32_MAX || !proto.ParseFromArray(contents.data(), contents.size()))
    return createStringError("not an ONNX TensorProto");
  std::optional<ElementType> type = getElementType(proto.data_type());
  if (!type)
    return createStringError("expected an ONNX TensorProto of numbers or Booleans but found data "
                             "type " +
                             (TensorProto::DataType_IsValid(proto.data_type())
                                  ? TensorProto::DataType_Name(proto.data_type())
                                  : std::to_string(proto.data_type())));
  if (proto.data_location() != TensorProto::DEFAULT || proto.external_data_size() != 0 ||
      proto.has_segment())
    return createStringError("the data of the ONNX TensorProto is in another file or in segments, "
                             "which is not supported");
  constexpr int maxRank = 32; // as for NumPy files
  SmallVector<int64_t> shape(proto.dims().begin(), proto.dims().end());
  std::optional<int64_t> count = countElements(shape, *type);
  if (!count || shape.size() > maxRank)
    return createStringError("expected at most " + Twine(maxRank) +
                             " non-negative dimensions and 2^63 - 1 bytes in the ONNX TensorProto");
  unsigned size = getElementByteSize(*type);
  if (proto.has_raw_data()) {
    const std::string &data = proto.raw_data();
    if (data.size() != uint64_t(*count) * size)
      return createStringError("expected " + Twine(*count * size) +
                               " bytes of data in the ONNX TensorProto but found " +
                               Twine(data.size()));
    return HostTensor::create(*type, shape, std::vector<uint8_t>(data.begin(), data.end()));
  }
  std::vector<char> bytes = readTensorField(proto);
  if (int64_t(bytes.size()) != *count * size)
    return createStringError("expected " + Twine(*count) +
                             " elements in the ONNX TensorProto but found " +
                             Twine(bytes.size() / size));
  return HostTensor::create(*type, shape, std::vector<uint8_t>(bytes.begin(), bytes.end()));
}
