//===- PlaySchedule.h - the engines on one schedule, step by step ---------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_PLAYSCHEDULE_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_PLAYSCHEDULE_H

#include "NPU/Dialect/NPU/Transforms/TileSearch.h"

namespace npu::tile {

class Charges;

/// Whether schedules of the problem can be played: those of a contraction, without ops that load.
bool canPlay(const Problem &problem);

/// Cycles of a complete schedule, found by letting the engines wait for each other step by step and
/// share the memory: within some percent of what the simulator counts, and a thousand times slower
/// than `TileCost::getCycles`. Of long loops a few iterations are played.
/// `charges` are those of the problem on the target, if some are known already.
double playCycles(const Problem &problem, const TargetDesc &target, const Schedule &schedule,
                  Charges *charges = nullptr);

} // namespace npu::tile

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_PLAYSCHEDULE_H
