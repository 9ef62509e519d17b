//===- SpilledSums.h - contractions whose sums are in SRAM ----------------===//
//
// An operand of a product is loaded once for each tile of sums along the other one's dimension, so
// large tiles move few bytes, and the accumulator is small. SRAM holds larger ones: the array makes
// the products of a part of what is added up, one accumulator after the other, and the vector unit
// adds them to the sums.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_SPILLEDSUMS_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_SPILLEDSUMS_H

#include "TileCost.h"

namespace npu::tile {

/// `getFootprint` of a schedule with `spilled`.
Footprint getSpilledFootprint(const Problem &problem, const Schedule &schedule);

/// `predictDramBytes` of a schedule with `spilled`.
double getSpilledDramBytes(const Problem &problem, const TargetDesc &target,
                           const Schedule &schedule, Charges *charges = nullptr);

/// `playCycles` of a schedule with `spilled`. Of many equal tiles of sums a few are played.
double playSpilled(const Problem &problem, const TargetDesc &target, const Schedule &schedule,
                   Charges *charges = nullptr);

/// Schedules with `spilled` that move fewer bytes than `best` and may be as fast, for a contraction
/// with one dimension of rows, one of columns and one of sums. None where `best` moves every tensor
/// about once.
std::vector<Schedule> findSpilled(const Problem &problem, const TargetDesc &target,
                                  const Schedule &best, Charges &charges);

} // namespace npu::tile

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_SPILLEDSUMS_H
