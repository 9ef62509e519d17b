//===- Conflicts.h - which operands of different streams may meet ---------===//

#ifndef NPU_LIB_TARGET_VERIFY_CONFLICTS_H
#define NPU_LIB_TARGET_VERIFY_CONFLICTS_H

#include "Model.h"

namespace npu::verify {

/// The pairs of accesses that some order of events could turn into a race. Accesses are numbered
/// over all sites in program order.
struct Conflicts {
  std::vector<unsigned> firstAccess;                    ///< number of a site's first access
  std::vector<llvm::SmallVector<unsigned, 4>> partners; ///< per access
  int64_t pairs = 0;

  /// Compares the footprints of whole loops, so that what never meets costs nothing later.
  static Conflicts find(const Model &model);
};

} // namespace npu::verify

#endif // NPU_LIB_TARGET_VERIFY_CONFLICTS_H
