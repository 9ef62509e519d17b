//===- RandomProgram.h - random valid instructions and programs -----------===//

#ifndef NPU_UNITTESTS_TARGET_RANDOMPROGRAM_H
#define NPU_UNITTESTS_TARGET_RANDOMPROGRAM_H

#include "NPU/Target/ISA/Program.h"

#include <random>

namespace npu::isa {

/// A random instruction that passes checkInstruction, every kind equally likely. Fields take their
/// extreme values often. Regions and sources are 0 or 1.
Instruction makeRandomInstruction(std::mt19937_64 &random);

/// A program that holds `count` random instructions in streams of the right engines, inside
/// maxLoopDepth loops.
Program makeRandomProgram(std::mt19937_64 &random, unsigned count);

} // namespace npu::isa

#endif // NPU_UNITTESTS_TARGET_RANDOMPROGRAM_H
