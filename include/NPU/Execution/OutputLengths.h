//===- OutputLengths.h - outputs of which only a part counts --------------===//

#ifndef NPU_EXECUTION_OUTPUTLENGTHS_H
#define NPU_EXECUTION_OUTPUTLENGTHS_H

#include "NPU/Execution/ModelRunner.h"
#include "NPU/InitAll/TensorNames.h"

namespace npu::runtime {

/// The lengths of the results of `function`, as getResultLengths has them, that outputs of `types`
/// can have: anybody may have written the attribute. A count is one i64 and has no length itself.
std::vector<ResultLength> getLengths(mlir::ModuleOp module, llvm::StringRef function,
                                     llvm::ArrayRef<HostTensorType> types);

/// The part of `value`, which belongs to output `number`, that counts: the first elements along the
/// dimension that `lengths` names, as many as the one of `outputs` says that is its count.
HostTensor takeCounted(const HostTensor &value, unsigned number,
                       llvm::ArrayRef<ResultLength> lengths, llvm::ArrayRef<HostTensor> outputs);

/// Leaves the parts of outputs that count, and takes counts out of the report. An output whose
/// count does not pass a comparison does not pass it either.
void keepCounted(RunReport &report, llvm::ArrayRef<ResultLength> lengths);

} // namespace npu::runtime

#endif // NPU_EXECUTION_OUTPUTLENGTHS_H
