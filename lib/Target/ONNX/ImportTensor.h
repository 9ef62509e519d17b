//===- ImportTensor.h - TensorProto to attributes -------------------------===//

#ifndef NPU_LIB_TARGET_ONNX_IMPORTTENSOR_H
#define NPU_LIB_TARGET_ONNX_IMPORTTENSOR_H

#include "ExternalData.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include <onnx/onnx_pb.h>

namespace npu {

/// Element type for a TensorProto.DataType; null for one that there is none for.
mlir::Type getElementType(int32_t dataType, mlir::MLIRContext *context);

/// "FLOAT8E4M3FN" or the number, for messages.
std::string getDataTypeName(int32_t dataType);

/// Makes attributes of the tensors of one model. Those of more than `maxInlineBytes` refer to the
/// memory of the message, or to the mapped file, and keep it alive.
class TensorImporter {
public:
  TensorImporter(mlir::MLIRContext *context, llvm::StringRef directory,
                 std::shared_ptr<const onnx::ModelProto> owner)
      : context(context), externalData(directory), owner(std::move(owner)) {}

  /// `tensor` must be part of the owner's message unless `mustCopy`.
  llvm::Expected<mlir::ElementsAttr> import(const onnx::TensorProto &tensor, llvm::StringRef name,
                                            bool mustCopy = false);

private:
  llvm::Expected<llvm::ArrayRef<char>> getExternalBytes(const onnx::TensorProto &tensor,
                                                        int64_t expectedBytes,
                                                        ExternalData::File &file);
  mlir::ElementsAttr makeElements(mlir::RankedTensorType type, llvm::ArrayRef<char> bytes,
                                  llvm::StringRef name, std::shared_ptr<const void> keptAlive);

  mlir::MLIRContext *context;
  ExternalData externalData;
  std::shared_ptr<const onnx::ModelProto> owner;
};

} // namespace npu

#endif // NPU_LIB_TARGET_ONNX_IMPORTTENSOR_H
