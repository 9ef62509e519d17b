//===- PrepareModel.h - what is changed in a model before it is used ------===//

#ifndef NPU_LIB_TARGET_ONNX_PREPAREMODEL_H
#define NPU_LIB_TARGET_ONNX_PREPAREMODEL_H

#include "NPU/Target/ONNX/ImportONNX.h"

#include <onnx/onnx_pb.h>

namespace npu {

/// Does to `model` what `options` say about seeds and outputs.
void prepareModel(onnx::ModelProto &model, const ONNXImportOptions &options);

} // namespace npu

#endif // NPU_LIB_TARGET_ONNX_PREPAREMODEL_H
