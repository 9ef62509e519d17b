/*===- blocked-matmul.h - what the simulator's speed is compared with -----===*/

#ifndef NPU_BENCHMARKS_BLOCKEDMATMUL_H
#define NPU_BENCHMARKS_BLOCKEDMATMUL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* c = a * b, row-major n by n; n is a multiple of 128. */
void blocked_matmul_f32(int64_t n, const float *a, const float *b, float *c);
void blocked_matmul_i8(int64_t n, const int8_t *a, const int8_t *b, int32_t *c);

/* The same by Eigen, where it was found (NPU_HAS_EIGEN); rounded otherwise. */
void eigen_matmul_f32(int64_t n, const float *a, const float *b, float *c);

#ifdef __cplusplus
}
#endif

#endif /* NPU_BENCHMARKS_BLOCKEDMATMUL_H */
