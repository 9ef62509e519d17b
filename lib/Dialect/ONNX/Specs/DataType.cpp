//===- DataType.cpp - attributes that name an element type ----------------===//

#include "DataType.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace npu::onnx_ir;

namespace {
struct DataType {
  StringLiteral name;
  int64_t number;
  unsigned width; ///< 0: not supported
  enum { Signless, Unsigned, Float, BFloat } kind;
};
} // namespace

/// Numbers and names in onnx.proto's TensorProto.DataType.
static constexpr DataType dataTypes[] = {
    {"FLOAT", 1, 32, DataType::Float},        {"UINT8", 2, 8, DataType::Unsigned},
    {"INT8", 3, 8, DataType::Signless},       {"UINT16", 4, 16, DataType::Unsigned},
    {"INT16", 5, 16, DataType::Signless},     {"INT32", 6, 32, DataType::Signless},
    {"INT64", 7, 64, DataType::Signless},     {"STRING", 8, 0, DataType::Signless},
    {"BOOL", 9, 1, DataType::Signless},       {"FLOAT16", 10, 16, DataType::Float},
    {"DOUBLE", 11, 64, DataType::Float},      {"UINT32", 12, 32, DataType::Unsigned},
    {"UINT64", 13, 64, DataType::Unsigned},   {"COMPLEX64", 14, 0, DataType::Float},
    {"COMPLEX128", 15, 0, DataType::Float},   {"BFLOAT16", 16, 16, DataType::BFloat},
    {"FLOAT8E4M3FN", 17, 0, DataType::Float}, {"FLOAT8E4M3FNUZ", 18, 0, DataType::Float},
    {"FLOAT8E5M2", 19, 0, DataType::Float},   {"FLOAT8E5M2FNUZ", 20, 0, DataType::Float},
    {"UINT4", 21, 0, DataType::Unsigned},     {"INT4", 22, 0, DataType::Signless},
    {"FLOAT4E2M1", 23, 0, DataType::Float},   {"FLOAT8E8M0", 24, 0, DataType::Float},
    {"UINT2", 25, 0, DataType::Unsigned},     {"INT2", 26, 0, DataType::Signless},
};

static Type getType(const DataType &dataType, MLIRContext *context) {
  switch (dataType.kind) {
  case DataType::Signless:
    return IntegerType::get(context, dataType.width);
  case DataType::Unsigned:
    return IntegerType::get(context, dataType.width, IntegerType::Unsigned);
  case DataType::BFloat:
    return BFloat16Type::get(context);
  case DataType::Float:
    if (dataType.width == 16)
      return Float16Type::get(context);
    return dataType.width == 32 ? Type(Float32Type::get(context)) : Float64Type::get(context);
  }
  llvm_unreachable("all kinds are above");
}

FailureOr<Type> npu::onnx_ir::getDataType(Node &node, StringRef attribute) {
  int64_t number = node.getInt(attribute, 0);
  StringRef name = node.getString(attribute, "");
  const auto *row = llvm::find_if(dataTypes, [&](const DataType &dataType) {
    return dataType.number == number || dataType.name == name;
  });
  if (row != std::end(dataTypes) && row->width != 0)
    return getType(*row, node.getOp().getContext());
  InFlightDiagnostic error = node.reject()
                             << "expected '" << attribute
                             << "' to be a type of integers, Booleans or floats of 16 to 64 bits, "
                                "found ";
  if (row != std::end(dataTypes))
    return error << row->name;
  return name.empty() ? error << "data type " << number : error << "'" << name << "'";
}
