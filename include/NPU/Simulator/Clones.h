//===- Clones.h - functions compiled for several CPUs -----------*- C++ -*-===//

#ifndef NPU_SIMULATOR_CLONES_H
#define NPU_SIMULATOR_CLONES_H

/// Before a static function: it is compiled for vectors of several widths, and the CPU at hand
/// decides which one runs. Results are the same, as nothing is contracted or reordered. g++ knows
/// no instruction set extensions here, only models of CPUs.
#if defined(__x86_64__) && defined(__clang__)
#define NPU_CLONES __attribute__((target_clones("avx512bw", "avx2", "default")))
#else
#define NPU_CLONES
#endif

/// What such a function calls: otherwise it would be compiled for any CPU.
#define NPU_INLINE __attribute__((always_inline)) static inline

#endif // NPU_SIMULATOR_CLONES_H
