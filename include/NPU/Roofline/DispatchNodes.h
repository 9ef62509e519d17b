//===- DispatchNodes.h - the dispatches of a program, for its limit -------===//

#ifndef NPU_ROOFLINE_DISPATCHNODES_H
#define NPU_ROOFLINE_DISPATCHNODES_H

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Roofline/Limit.h"

namespace npu::runtime {

/// The dispatches, which are in the order of the program, as nodes. `getAlone` gives the bounds of
/// one. What another of them computes is no load, and what only others of them read is not stored.
std::vector<LimitNode>
collectLimitNodes(llvm::ArrayRef<flow::DispatchOp> dispatches,
                  llvm::function_ref<const Roofline &(flow::DispatchOp)> getAlone);

/// The limit of a network of which each dispatch runs as often as `numRuns` says, as one program.
Limit computeNetworkLimit(llvm::ArrayRef<flow::DispatchOp> dispatches,
                          llvm::ArrayRef<int64_t> numRuns,
                          llvm::function_ref<const Roofline &(flow::DispatchOp)> getAlone,
                          const TargetDesc &target);

/// A function that is a program of its own.
LimitNode makeLimitNode(const Roofline &alone);

} // namespace npu::runtime

#endif // NPU_ROOFLINE_DISPATCHNODES_H
