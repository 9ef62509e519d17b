//===- Segments.h - rows of dispatches that one program runs --------------===//

#ifndef NPU_PARTITION_SEGMENTS_H
#define NPU_PARTITION_SEGMENTS_H

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace npu {

/// Puts dispatches of each block of the module's host functions, with the reshapes between them,
/// into segments: as many as follow each other without something in between that needs them and
/// is no such dispatch. `mayJoin` says which dispatches the NPU runs so. A dispatch alone stays
/// outside. Returns the segments, in order.
mlir::SmallVector<SegmentOp> formSegments(mlir::ModuleOp module,
                                          llvm::function_ref<bool(flow::DispatchOp)> mayJoin);

} // namespace npu

#endif // NPU_PARTITION_SEGMENTS_H
