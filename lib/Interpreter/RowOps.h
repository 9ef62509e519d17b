//===- RowOps.h - reductions, scans and sorts -------------------*- C++ -*-===//

#ifndef NPU_LIB_INTERPRETER_ROWOPS_H
#define NPU_LIB_INTERPRETER_ROWOPS_H

#include "Reader.h"

namespace npu::interpreter {

/// Computes an op that goes along rows.
void runRows(NPUComputeOpInterface op, const Operands &operands, Reader &reader);

} // namespace npu::interpreter

#endif // NPU_LIB_INTERPRETER_ROWOPS_H
