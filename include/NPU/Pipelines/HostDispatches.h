//===- HostDispatches.h - how dispatches run on the host ------------------===//

#ifndef NPU_PIPELINES_HOSTDISPATCHES_H
#define NPU_PIPELINES_HOSTDISPATCHES_H

#include "NPU/HostReference/HostReference.h"

namespace npu::runtime {

/// Options with which the host runs what the front half leaves in a dispatch: ops of
/// iree_linalg_ext, and sums of f16, which are defined as widened wherever they are computed.
HostReferenceOptions getHostDispatchOptions();

} // namespace npu::runtime

#endif // NPU_PIPELINES_HOSTDISPATCHES_H
