//===- OutputLengths.h - outputs of which only a part counts --------------===//

#ifndef NPU_LIB_RUNNER_OUTPUTLENGTHS_H
#define NPU_LIB_RUNNER_OUTPUTLENGTHS_H

#include "NPU/InitAll/TensorNames.h"
#include "NPU/Runner/ModelRunner.h"

namespace npu::runtime {

/// The part of output `number` that counts: the first elements along the dimension that `lengths`
/// names, as many as the output says that is their count.
HostTensor takeCounted(const RunReport &report, unsigned number,
                       llvm::ArrayRef<ResultLength> lengths);

/// Leaves the parts of outputs that count, and takes counts out of the report. An output whose
/// count does not pass a comparison does not pass it either.
void keepCounted(RunReport &report, llvm::ArrayRef<ResultLength> lengths);

} // namespace npu::runtime

#endif // NPU_LIB_RUNNER_OUTPUTLENGTHS_H
