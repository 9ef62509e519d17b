//===- NPUISA.h - the exit dialect ----------------------------------------===//

#ifndef NPU_DIALECT_NPUISA_IR_NPUISA_H
#define NPU_DIALECT_NPUISA_IR_NPUISA_H

#include "NPU/Target/ISA/Program.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/Hashing.h"

namespace npu::isa {
// Of groups of fields that are parameters of attributes.
#define NPU_ISA_GROUP(Name) llvm::hash_code hash_value(const Name &group);
#include "NPU/Target/ISA/OpList.inc"

namespace detail {
/// Checks the fields of an instruction operation; see checkInstruction.
llvm::LogicalResult verifyInstructionOp(mlir::Operation *op);
/// Fields in braces, see the dialect's description.
mlir::ParseResult parseInstructionOp(mlir::OpAsmParser &parser, mlir::OperationState &result);
void printInstructionOp(mlir::Operation *op, mlir::OpAsmPrinter &printer);
} // namespace detail
} // namespace npu::isa

#include "NPU/Dialect/NPUISA/IR/NPUISAOpsDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "NPU/Dialect/NPUISA/IR/NPUISAOpsAttributes.h.inc"

#define GET_OP_CLASSES
#include "NPU/Dialect/NPUISA/IR/NPUISAOps.h.inc"

namespace npu::isa {

/// The attribute of a region.
RegionAttr createRegion(mlir::MLIRContext *context, RegionKind kind, const llvm::Twine &name,
                        int64_t bytes, llvm::ArrayRef<char> data = {});

/// Creates the operation of an instruction.
mlir::Operation *createInstruction(mlir::OpBuilder &builder, mlir::Location loc,
                                   const Instruction &instruction);

/// The instruction an operation stands for, source 0; fails, after a diagnostic, when an attribute
/// does not fit.
llvm::FailureOr<Instruction> toInstruction(mlir::Operation *op);

/// The program an operation stands for. Locations become the source table: every distinct location
/// is one entry, printed as `file:line:column` or by its name. Fails, after a diagnostic, when the
/// program is not valid.
///
/// Instructions of a linked program say in their location which part they are of (PartLocation.h).
/// Entries of different parts are distinct; `partOfSource`, if given, says which part each is of.
llvm::FailureOr<Program> toProgram(ProgramOp op, std::vector<unsigned> *partOfSource = nullptr);

/// The same with constants that the context of the operation keeps, which must outlive the program
/// and its copies.
llvm::FailureOr<Program> toBorrowingProgram(ProgramOp op,
                                            std::vector<unsigned> *partOfSource = nullptr);

/// Creates the operations of a program.
ProgramOp fromProgram(mlir::OpBuilder &builder, const Program &program);

} // namespace npu::isa

#endif // NPU_DIALECT_NPUISA_IR_NPUISA_H
