//===- ProgramOps.h - the operations of a program by number ---------------===//

#ifndef NPU_LIB_DIALECT_NPUISA_TRANSFORMS_PROGRAMOPS_H
#define NPU_LIB_DIALECT_NPUISA_TRANSFORMS_PROGRAMOPS_H

#include "NPU/Dialect/NPUISA/IR/NPUISA.h"

namespace npu::isa {

/// The operation of an instruction, by the numbers of its stream in the program and of itself in
/// the stream.
inline mlir::Operation *getInstruction(ProgramOp op, unsigned stream, unsigned instruction) {
  mlir::Operation &streamOp = *std::next(op.getBody().front().begin(), stream);
  return &*std::next(streamOp.getRegion(0).front().begin(), instruction);
}

} // namespace npu::isa

#endif // NPU_LIB_DIALECT_NPUISA_TRANSFORMS_PROGRAMOPS_H
