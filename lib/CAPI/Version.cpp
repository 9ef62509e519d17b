//===- Version.cpp - which toolchain and which ABI this is ----------------===//

#include "npu-c/npu.h"

#include "NPU/Support/Version.h"

const char *npuGetVersion(void) { return npu::getVersion().data(); }
