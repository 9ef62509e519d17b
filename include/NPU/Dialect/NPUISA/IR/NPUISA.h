//===- NPUISA.h - the exit dialect ----------------------------------------===//

#ifndef NPU_DIALECT_NPUISA_IR_NPUISA_H
#define NPU_DIALECT_NPUISA_IR_NPUISA_H

#include "NPU/Target/ISA/Program.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"

namespace npu::isa::detail {
/// Checks the fields of an instruction operation; see checkInstruction.
llvm::LogicalResult verifyInstructionOp(mlir::Operation *op);
} // namespace npu::isa::detail

#include "NPU/Dialect/NPUISA/IR/NPUISAOpsDialect.h.inc"

#define GET_OP_CLASSES
#include "NPU/Dialect/NPUISA/IR/NPUISAOps.h.inc"

namespace npu::isa {

/// Creates the operation of an instruction.
mlir::Operation *createInstruction(mlir::OpBuilder &builder, mlir::Location loc,
                                   const Instruction &instruction);

/// The instruction an operation stands for, source 0; fails, after a diagnostic, when an attribute
/// does not fit.
llvm::FailureOr<Instruction> toInstruction(mlir::Operation *op);

/// The program an operation stands for. Locations become the source table: every distinct location
/// is one entry, printed as `file:line:column` or by its name. Fails, after a diagnostic, when the
/// program is not valid.
llvm::FailureOr<Program> toProgram(ProgramOp op);

/// Creates the operations of a program.
ProgramOp fromProgram(mlir::OpBuilder &builder, const Program &program);

} // namespace npu::isa

#endif // NPU_DIALECT_NPUISA_IR_NPUISA_H
