//===- DropIdleLoads.cpp - loads of the first iteration leave the others --===//

#include "BufferUsage.h"
#include "IterationBoxes.h"
#include "StreamParts.h"
#include "TransferBox.h"

#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npu {
#define GEN_PASS_DEF_NPUDROPIDLELOADS
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

/// On the loads that bring something in the first iteration alone, and their copies.
static constexpr StringRef kAtFirstAttrName = "npu.at_first";

namespace {
struct DropIdleLoads : npu::impl::NPUDropIdleLoadsBase<DropIdleLoads> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(verifyPlannedOps(kernel)))
      return signalPassFailure();
    for (auto stream : kernel.getBody().getOps<StreamOp>())
      if (stream.getEngine() == Engine::Dmai)
        drop(stream);
  }

private:
  static void drop(StreamOp stream) {
    SmallVector<Operation *> loads;
    stream.walk([&](DmaLoadOp load) {
      if (getIterations(load) > 1 && loadsAtFirst(load))
        loads.push_back(load);
    });
    SmallVector<Operation **> tracked;
    for (Operation *&load : loads) {
      load->setDiscardableAttr(kAtFirstAttrName, UnitAttr::get(stream.getContext()));
      tracked.push_back(&load);
    }
    for (Operation *&load : loads)
      peelFirst(load, tracked);
    // Other loads for several clusters that bring nothing are what those wait for.
    SmallVector<DmaLoadOp> idle;
    stream.walk([&](DmaLoadOp load) {
      bool isAtFirst = load->removeDiscardableAttr(kAtFirstAttrName) != nullptr;
      if ((isAtFirst || !load.getClusters()) && isIdle(load.getExtents(), stream.getCluster()))
        idle.push_back(load);
    });
    for (DmaLoadOp load : idle)
      load.erase();
    if (!loads.empty() || !idle.empty())
      tidy(stream);
  }
};
} // namespace
