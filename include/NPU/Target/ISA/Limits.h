//===- Limits.h - what no field's width says ------------------------------===//

#ifndef NPU_TARGET_ISA_LIMITS_H
#define NPU_TARGET_ISA_LIMITS_H

#include <cstdint>

#include "NPU/Target/ISA/Limits.h.inc"

#endif // NPU_TARGET_ISA_LIMITS_H
