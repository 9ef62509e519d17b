//===- Reader.h - the elements of a compute op's operands -------*- C++ -*-===//

#ifndef NPU_LIB_INTERPRETER_READER_H
#define NPU_LIB_INTERPRETER_READER_H

#include "ComputeOps.h"
#include "Scalar.h"

namespace npu::interpreter {

/// Reads and writes elements of an op's operands and keeps the first error.
class Reader {
public:
  Reader(NPUComputeOpInterface op, const Operands &operands);

  /// The element of data operand `operand` at a position of the iteration domain; nothing if that
  /// is outside of the operand.
  std::optional<Scalar> read(unsigned operand, llvm::ArrayRef<int64_t> position);
  /// The same where it must be inside.
  Scalar get(unsigned operand, llvm::ArrayRef<int64_t> position);
  std::optional<int64_t> find(unsigned operand, llvm::ArrayRef<int64_t> position) const {
    return accesses[operand].find(position);
  }
  std::optional<int64_t> findDestination(llvm::ArrayRef<int64_t> position);
  void write(llvm::ArrayRef<int64_t> position, Scalar value);
  void noteWritten(int64_t place) { written.push_back(place); }
  isa::ElementType getType(unsigned operand) const { return types[operand]; }
  void fail(const llvm::Twine &message);
  /// What was written, or the first error.
  llvm::Expected<std::vector<int64_t>> finish();

private:
  NPUComputeOpInterface op;
  const Operands &operands;
  llvm::SmallVector<mlir::AffineMap> maps;
  std::vector<Access> accesses;
  llvm::SmallVector<isa::ElementType> types;
  std::vector<int64_t> written;
  std::optional<std::string> error;
};

} // namespace npu::interpreter

#endif // NPU_LIB_INTERPRETER_READER_H
