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
/// outside. Segments that are there stay as they are, unless a dispatch in one may not join it:
/// that one is formed anew. Returns the segments, those that were there first.
mlir::SmallVector<SegmentOp> formSegments(mlir::ModuleOp module,
                                          llvm::function_ref<bool(flow::DispatchOp)> mayJoin);

/// Takes dispatches out of the segments that they are in.
void dissolveSegments(mlir::ModuleOp module);

} // namespace npu

#endif // NPU_PARTITION_SEGMENTS_H
