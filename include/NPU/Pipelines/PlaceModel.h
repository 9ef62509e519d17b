//===- PlaceModel.h - from an input model to placed dispatches ------------===//

#ifndef NPU_PIPELINES_PLACEMODEL_H
#define NPU_PIPELINES_PLACEMODEL_H

#include "NPU/Partition/Partition.h"

namespace npu::runtime {

/// Emits an error at the first op on floats of 8 bits and less: neither the NPU nor the host
/// computes them.
mlir::LogicalResult verifyElementTypes(mlir::ModuleOp module);

/// Brings `module` to functions on tensors, one per dispatch, and says where they run. A model goes
/// through the phases of the front half that it lacks first. One in onnx, linalg or tosa stays as
/// it is if the target runs each of its functions as one kernel or `formsDispatches` is false.
/// Errors are emitted.
mlir::FailureOr<Partition> placeModel(mlir::ModuleOp module, const PartitionOptions &options,
                                      DispatchCompiler &compiler, bool formsDispatches = true);

} // namespace npu::runtime

#endif // NPU_PIPELINES_PLACEMODEL_H
