//===- Version.cpp - which toolchain and which ABI this is ----------------===//

#include "npu-c/npu.h"

#include "NPU/Support/Version.h"

uint32_t npuGetAbiVersion(void) { return NPU_ABI_VERSION; }

const char *npuGetVersion(void) { return npu::getVersion().data(); }
