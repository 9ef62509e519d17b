//===- FlowCollectiveOps.cpp - ops between devices ------------------------===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"

#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

using namespace mlir;
using namespace npu;
using namespace npu::flow;

void ChannelDefaultOp::getAsmResultNames(function_ref<void(Value, StringRef)> setNameFn) {
  setNameFn(getResult(), "default_channel");
}

void ChannelSplitOp::getAsmResultNames(function_ref<void(Value, StringRef)> setNameFn) {
  setNameFn(getResult(), "channel");
}

void ChannelRankOp::getAsmResultNames(function_ref<void(Value, StringRef)> setNameFn) {
  setNameFn(getResult(), "channel_rank");
}

void ChannelCountOp::getAsmResultNames(function_ref<void(Value, StringRef)> setNameFn) {
  setNameFn(getResult(), "channel_count");
}

template <typename OpTy>
static LogicalResult verifyCollective(OpTy op) {
  if (failed(verifyDynamicDims(op, "the target", op.getTarget().getType(), op.getTargetDims())))
    return failure();
  return verifyTiedOperands(op, op.getTiedOperandsAttr(), /*numOperands=*/1, /*numResults=*/1);
}

LogicalResult CollectiveAllGatherOp::verify() { return verifyCollective(*this); }
LogicalResult CollectiveAllReduceOp::verify() { return verifyCollective(*this); }
LogicalResult CollectiveAllToAllOp::verify() { return verifyCollective(*this); }
LogicalResult CollectiveReduceScatterOp::verify() { return verifyCollective(*this); }
LogicalResult CollectiveSendRecvOp::verify() { return verifyCollective(*this); }
