//===- RandomPipeline.h - small random programs that keep step ------------===//

#ifndef NPU_UNITTESTS_VERIFY_RANDOMPIPELINE_H
#define NPU_UNITTESTS_VERIFY_RANDOMPIPELINE_H

#include "NPU/Target/ISA/Program.h"

#include <random>

namespace npu::test {

/// Load, compute, store with rings of random depth, in loops of random shape with ragged edges, on
/// one or two clusters. Correct before it is mutated; at most a few hundred instances.
isa::Program makeRandomPipeline(std::mt19937_64 &random);

/// Streams with random waits, signals and addresses; most of them are wrong.
isa::Program makeRandomChaos(std::mt19937_64 &random);

/// Two clusters that store random boxes, joined dimensions and windows included, into one region,
/// sometimes past its end.
isa::Program makeRandomStores(std::mt19937_64 &random);

} // namespace npu::test

#endif // NPU_UNITTESTS_VERIFY_RANDOMPIPELINE_H
