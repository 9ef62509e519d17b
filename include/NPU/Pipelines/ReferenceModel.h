//===- ReferenceModel.h - what a model computes, as it was given ----------===//

#ifndef NPU_PIPELINES_REFERENCEMODEL_H
#define NPU_PIPELINES_REFERENCEMODEL_H

#include "NPU/HostProgram/HostModel.h"

namespace npu::runtime {

/// The end-to-end reference for the outputs of `module`: its function `name`, or the only public
/// one if that is empty, before any phase of the front half has rewritten it. ONNX's nodes are
/// decomposed, and globals imported; docs/host-reference.md lists what the reference and the
/// compiler share. Null if the model is dispatches already, or has ops of flow around them: then
/// they are what was given, and each dispatch is its own reference. `module` is not changed. No
/// constant may have more bytes than `memoryLimit`.
llvm::Expected<std::unique_ptr<HostModel>> createReferenceModel(mlir::ModuleOp module,
                                                                llvm::StringRef name,
                                                                const ParameterCallback &parameter,
                                                                int64_t memoryLimit);

} // namespace npu::runtime

#endif // NPU_PIPELINES_REFERENCEMODEL_H
