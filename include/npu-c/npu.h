//===- npu.h - the toolchain in C -----------------------------------------===//

#ifndef NPU_C_NPU_H
#define NPU_C_NPU_H

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the toolchain, as `0.1.0`.
const char *npuGetVersion(void);

#ifdef __cplusplus
}
#endif

#endif // NPU_C_NPU_H
