//===- VectorKernels.h - the vector unit's arithmetic ---------------------===//

#ifndef NPU_SIMULATOR_VECTORKERNELS_H
#define NPU_SIMULATOR_VECTORKERNELS_H

#include "NPU/Target/ISA/Instructions.h"

namespace npu::sim {

/// `out[i] = f(a[i])`; the kind is defined.
void runUnary(isa::UnaryKind kind, const int32_t *a, int64_t count, int32_t *out);
void runUnary(isa::UnaryKind kind, const float *a, int64_t count, float *out);

/// `out[i] = f(a[i], b[i])` for a kind that is defined and no comparison.
void runBinary(isa::BinaryKind kind, const int32_t *a, const int32_t *b, int64_t count,
               int32_t *out);
void runBinary(isa::BinaryKind kind, const float *a, const float *b, int64_t count, float *out);

/// `out[i] = compare(a[i], b[i]) ? 1 : 0`.
void runComparison(isa::BinaryKind kind, const int32_t *a, const int32_t *b, int64_t count,
                   int32_t *out);
void runComparison(isa::BinaryKind kind, const float *a, const float *b, int64_t count,
                   int32_t *out);

} // namespace npu::sim

#endif // NPU_SIMULATOR_VECTORKERNELS_H
