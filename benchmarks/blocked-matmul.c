/*===- blocked-matmul.c - what the simulator's speed is compared with -----===//
 *
 * A matrix product as one writes it for a CPU without a library: four rows and 64 columns of sums
 * at a time, in blocks along k that stay in the first-level cache. The compiler vectorises it for
 * the machine it runs on (-O3 -march=native -ffp-contract=off). Sums are in the order of k, and
 * steps of floats are fused, so the results are the simulator's, bit by bit.
 *
 *===----------------------------------------------------------------------===*/

#include "blocked-matmul.h"

#include <string.h>

enum { rows = 4, columns = 64, depth = 128 };

/* Extents are multiples of `depth`. */
#define DEFINE_MATMUL(NAME, OPERAND, SUM, STEP)                                                    \
  void NAME(int64_t n, const OPERAND *restrict a, const OPERAND *restrict b, SUM *restrict c) {    \
    memset(c, 0, n * n * sizeof(SUM));                                                             \
    for (int64_t k0 = 0; k0 < n; k0 += depth)                                                      \
      for (int64_t j0 = 0; j0 < n; j0 += columns)                                                  \
        for (int64_t i0 = 0; i0 < n; i0 += rows) {                                                 \
          SUM sums[rows][columns];                                                                 \
          for (int64_t i = 0; i < rows; ++i)                                                       \
            memcpy(sums[i], &c[(i0 + i) * n + j0], sizeof(sums[i]));                               \
          for (int64_t k = k0; k < k0 + depth; ++k)                                                \
            for (int64_t i = 0; i < rows; ++i)                                                     \
              for (int64_t j = 0; j < columns; ++j)                                                \
                sums[i][j] = STEP((SUM)a[(i0 + i) * n + k], (SUM)b[k * n + j0 + j], sums[i][j]);   \
          for (int64_t i = 0; i < rows; ++i)                                                       \
            memcpy(&c[(i0 + i) * n + j0], sums[i], sizeof(sums[i]));                               \
        }                                                                                          \
  }

#define ADD_PRODUCT(a, b, sum) ((a) * (b) + (sum))

DEFINE_MATMUL(blocked_matmul_f32, float, float, __builtin_fmaf)
DEFINE_MATMUL(blocked_matmul_i8, int8_t, int32_t, ADD_PRODUCT)
