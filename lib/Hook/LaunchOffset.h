//===- LaunchOffset.h - byte offsets that a launch may pass ---------------===//

#ifndef NPU_LIB_HOOK_LAUNCHOFFSET_H
#define NPU_LIB_HOOK_LAUNCHOFFSET_H

#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Hook/ImportInterface.h"

#include "llvm/ADT/DenseMap.h"

#include <limits>

namespace npu::hook {

/// What is known of an integer in the code of an executable.
struct KnownInteger {
  LaunchOffset value;
  uint64_t min = 0, max = std::numeric_limits<uint64_t>::max(); ///< both inclusive
  uint64_t divisor = 1;                                         ///< 0 if the integer is 0
};
using KnownIntegers = llvm::DenseMap<mlir::Value, KnownInteger>;

/// One of the places from which a function is launched: IREE says for each what it passes there.
struct LaunchSite {
  util::AssumeIntOp assumptions; ///< null: any place
  unsigned row = 0;
};

/// The integers in `block` that are sums of multiples of a launch's constants, and what is known of
/// them at `site`. All that IREE computes offsets with is understood: extensions and casts, two
/// constants that are the halves of 64 bits, sums, products with constants, assumptions, and
/// alignments that change nothing. Constants are taken to be unsigned even where the code extends
/// their sign: no part of an offset is negative.
KnownIntegers readIntegers(mlir::Block &block, LaunchSite site = {});

} // namespace npu::hook

#endif // NPU_LIB_HOOK_LAUNCHOFFSET_H
