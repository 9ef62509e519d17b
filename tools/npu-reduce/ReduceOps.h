//===- ReduceOps.h - does without ops while a test holds --------*- C++ -*-===//

#ifndef NPU_TOOLS_NPU_REDUCE_REDUCEOPS_H
#define NPU_TOOLS_NPU_REDUCE_REDUCEOPS_H

namespace npu {

/// Registers `reduce-ops`: erases functions and ops of any dialect, and has an operand of the same
/// type, an empty tensor or a zero take the place of what an op computes, as long as the module is
/// valid and a script finds it interesting. Upstream's `reduction-tree` erases ops whose results
/// are used, and does not survive that.
void registerReduceOpsPass();

} // namespace npu

#endif // NPU_TOOLS_NPU_REDUCE_REDUCEOPS_H
