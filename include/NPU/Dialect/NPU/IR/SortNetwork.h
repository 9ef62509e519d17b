//===- SortNetwork.h - how the vector unit sorts rows ---------------------===//
//
// A sort is a bitonic network: which elements are compared depends on the length of the row only,
// so each of its steps is a few element-wise instructions on halves of the row. Few positions are
// found one after the other. The cost model adds up the steps, the lowering writes them down.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_NPU_IR_SORTNETWORK_H
#define NPU_DIALECT_NPU_IR_SORTNETWORK_H

#include "NPU/Dialect/NPU/IR/Tile.h"
#include "NPU/Target/ISA/Instructions.h"

#include <vector>

namespace npu {

/// Elements of every row: `blocks` times `length` of them, see SortStep.
struct SortOperand {
  enum class Place { Input, Output, Scratch };

  Place place = Place::Scratch;
  isa::ElementType type = isa::ElementType::I32;
  int64_t base = 0;   ///< bytes from the start of the row's scratch memory
  int64_t offset = 0; ///< elements from there
  /// Elements from block to block, and from element to element of a block.
  int64_t blockStride = 0, stride = 1;
};

/// An instruction on all rows.
struct SortStep {
  enum class Kind { Fill, Iota, Unary, Binary, BinaryImm, Select, ArgMin };

  Kind kind = Kind::Unary;
  isa::UnaryKind unary = isa::UnaryKind::Copy;
  isa::BinaryKind binary = isa::BinaryKind::Min;
  uint32_t immediate = 0;
  int64_t blocks = 1, length = 1;
  llvm::SmallVector<SortOperand, 4> operands; ///< the destination last
};

/// What is sorted.
struct SortForm {
  int64_t length = 1; ///< of a row
  int64_t count = 1;  ///< places that are wanted
  isa::ElementType type = isa::ElementType::I32;
  bool isDescending = false;
  bool findsPositions = false;
};

/// Bytes of scratch memory for each row.
int64_t getScratchBytes(const SortForm &form);

using SortSteps = std::vector<SortStep>;

struct SortNetwork {
  explicit SortNetwork(const SortForm &form);

  /// Of a tile whose extents are those of the op, rows and places included.
  TileWork getWork() const;
  /// The steps that take the fewest cycles for so many rows.
  const SortSteps &getSteps(const TargetDesc &target, int64_t rows) const;

  SortForm form;
  /// Ways to sort: which is the fastest depends on the rows of a tile.
  llvm::SmallVector<SortSteps, 2> ways;
};

class SortOp;
class ArgSortOp;

SortForm getSortForm(SortOp op);
SortForm getSortForm(ArgSortOp op);

} // namespace npu

#endif // NPU_DIALECT_NPU_IR_SORTNETWORK_H
