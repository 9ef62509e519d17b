//===- ScheduleChoice.h - what is chosen of a kernel ----------------------===//
//
// A schedule is of a kernel's stages, and the search may rewrite a kernel before it forms them. So
// what is chosen is both: how the kernel is rewritten, and the schedule of what comes of it. Who
// keeps both can make the same choice again, without a search.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_SCHEDULECHOICE_H
#define NPU_DIALECT_NPU_TRANSFORMS_SCHEDULECHOICE_H

#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/IR/OwningOpRef.h"

#include <functional>

namespace npu {

/// What is done to a kernel in tensor form before its stages are scheduled.
struct Rewriting {
  enum class Kind {
    None,
    FoldBiases,      ///< biases are what the sums of contractions start from
    SplitReductions, ///< each reduction is in a group without the ops that need its operand as well
    SplitCascades    ///< reductions of reductions are made block by block
  };

  Kind kind = Kind::None;
  int64_t block = 0; ///< of SplitCascades: elements of a block
};

/// Called for a kernel while it still is what it was before the choice.
using OnScheduleChoice =
    std::function<void(KernelOp kernel, Rewriting rewriting, ScheduleAttr schedule)>;

/// A memo whose passes tell of each kernel that they choose a schedule for, one after the other.
std::shared_ptr<TileMemo> createTileMemo(OnScheduleChoice onChoice);

/// The kernel rewritten so, with this schedule. Fails where the rewriting is none of this kernel,
/// or the schedule none of what comes of it; the errors are emitted at the kernel.
mlir::FailureOr<mlir::OwningOpRef<KernelOp>> applySchedule(KernelOp kernel, Rewriting rewriting,
                                                           ScheduleAttr schedule);

} // namespace npu

#endif // NPU_DIALECT_NPU_TRANSFORMS_SCHEDULECHOICE_H
