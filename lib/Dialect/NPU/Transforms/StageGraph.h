//===- StageGraph.h - a kernel in tensor form, understood -----------------===//
//
// The ops of a kernel form stages: a contraction alone, or element-wise ops that work on the same
// tile. Dimensions of ops that values connect are one dimension of the kernel, so that stages can
// share a loop over it. What is computed where and when is not known here: see ScheduleTree.h.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_STAGEGRAPH_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_STAGEGRAPH_H

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/NPU/Transforms/Rejection.h"
#include "NPU/Dialect/NPU/Transforms/TileSearch.h"

#include "llvm/ADT/SetVector.h"

namespace npu {

/// An op and the kernel's dimension of each dimension of its iteration domain.
struct StageOp {
  mutable NPUComputeOpInterface op;
  llvm::SmallVector<unsigned> dims;
  std::optional<unsigned> scratch = {}; ///< the value that is the op's scratch memory

  /// Those along which it reduces.
  llvm::SmallVector<unsigned> getReductionDims() const;
};

/// A value that the kernel computes, or scratch memory of ops of a stage.
struct StageValue {
  mlir::Value value; ///< null: scratch memory
  unsigned stage;
  /// Its tile. Axes are plain dimensions of the kernel.
  tile::Buffer buffer;
  /// The value whose buffer it may take over, element by element; itself if none.
  unsigned inPlaceOf;
  unsigned bufferRoot; ///< the value whose buffer that is in the end
  /// Whether another stage uses it or the kernel returns it.
  bool escapes = false;
};

/// What a stage reads from outside: it is loaded, or a value of another stage that is on chip.
struct StageOperand {
  std::string name;   ///< in schedules, e.g. `lhs` or `arg2`
  mlir::Value tensor; ///< loaded tensor, or the value
  tile::Buffer buffer;
  mlir::TypedAttr fill = {};     ///< read outside the tensor
  std::optional<unsigned> value; ///< of another stage
  bool isAligned = true;         ///< its coordinates are plain dimensions of the kernel
  bool isInitial = false;        ///< the old contents of the stage's accumulator
};

/// How a stage of the vector unit leaves its values for a contraction that reads them in panels: so
/// many indices of a dimension side by side, in the order of dimensions that it reads.
struct StagePanels {
  unsigned dim = 0;
  int64_t columns = 0;
  /// Of the value's dimensions, `dim` first.
  llvm::SmallVector<unsigned> order;
  unsigned value = 0;  ///< the one that leaves the stage
  unsigned reader = 0; ///< the stage of the contraction, which alone reads it
  unsigned operand = 0;
  /// Dimensions that tiles of the reader span whole then, so that each is one with the dimension
  /// before it in the vector unit's instructions.
  llvm::SmallVector<unsigned> wholeDims;
};

struct Stage {
  std::string name;
  /// Stages of one group are searched together: a contraction and its tail.
  unsigned group = 0;
  std::vector<StageOp> ops;
  std::vector<StageOperand> operands;
  unsigned root = 0; ///< the op whose dimensions include those of all others
  bool isArray = false;
  /// Dimensions that a tile spans whole: an op reduces along them, and another one of the stage
  /// reads what comes of it.
  llvm::SmallVector<unsigned> wholeDims;
  /// What it may do if its reader takes its values on chip: then all of its buffers that have the
  /// dimension are in panels.
  std::optional<StagePanels> panels;

  const StageOp &getRoot() const { return ops[root]; }
  /// The dimensions along which its ops reduce.
  llvm::SmallVector<unsigned> getReductionDims() const;
  /// Whether it is a contraction or a reduction over several tiles: the tail of its group comes
  /// after the loops over these.
  bool leadsGroup() const;
};

/// A result of the kernel.
struct StageResult {
  unsigned value;
  /// Where its elements lie in DRAM.
  llvm::SmallVector<tile::Axis> axes;
};

struct StageGraph {
  mutable KernelOp kernel;
  TargetDesc target;
  /// Names, extents, and which of them tiles never span; the rest depends on the stage.
  std::vector<tile::Dim> dims;
  std::vector<Stage> stages; ///< in an order in which they can be computed
  std::vector<StageValue> values;
  std::vector<StageResult> results;
  unsigned numGroups = 1;
  std::vector<llvm::SmallVector<unsigned, 2>> stagesOfGroup;
  std::vector<llvm::SmallVector<unsigned, 1>> valuesOfStage;
  /// Stages and their operands that are a value, in ascending order, by the value.
  std::vector<llvm::SmallVector<std::pair<unsigned, unsigned>, 1>> readersOfValue;
  /// The dimension that clusters share in every group, and how many of them; none: only a kernel
  /// that is searched as a whole may be split. Tiles never span it, so that each cluster reads what
  /// it has computed itself.
  std::optional<tile::ClusterSplit> sharedDim;
  /// Whether groups hand on values through DRAM only, so that each may be split over clusters by
  /// itself.
  bool isExchanged = false;
  /// What the constants of rescalings take of SRAM; the target's memory is without it.
  int64_t constantBytes = 0;
  /// Values that are to stay on chip from group to group, and the memory that is set apart for
  /// them.
  llvm::SmallDenseSet<unsigned> kept;
  int64_t keptBytes = 0;

  llvm::DenseMap<mlir::Value, unsigned> valueNumbers;
  /// The operand of the stage that an op's operand from outside is.
  llvm::DenseMap<mlir::OpOperand *, unsigned> operandNumbers;

  /// Reports what does not fit the form, at the op.
  static mlir::FailureOr<StageGraph> analyze(KernelOp kernel);
  /// The same with every reduction of the vector unit in a group without the ops that need its
  /// result and what it is a reduction of, so that no tile has to span whole rows.
  static mlir::FailureOr<StageGraph> analyzeSplit(KernelOp kernel);

  std::optional<unsigned> findStage(llvm::StringRef name) const;
  /// By `name`, or by `stage.name` of a dimension that the stage's root has.
  std::optional<unsigned> findDim(llvm::StringRef name) const;
  /// Whether the operand, a value of another stage, has one coordinate that is dimension `dim` of
  /// the kernel, and the value has the same, so that what reads an index of it needs no other.
  bool readsOwnIndex(const StageOperand &operand, unsigned dim) const;
  /// A dimension that clusters can share in every group, and how many of them.
  std::optional<tile::ClusterSplit> findSharedDim() const;
  /// Lets `value` take over the buffer that holds `other`.
  void takeOver(unsigned value, unsigned other) {
    values[value].inPlaceOf = other;
    values[value].bufferRoot = values[other].bufferRoot;
  }
  /// The value whose buffer holds `value`.
  unsigned getBufferRoot(unsigned value) const { return values[value].bufferRoot; }
  /// The same among the values of its stage.
  unsigned getStageRoot(unsigned value) const;
  /// What the stage's values may be in panels for, if they may.
  std::optional<StagePanels> findPanels(unsigned stage) const;
  /// Whether a stage in panels can take the value of another one as it lies on chip, which is not
  /// in panels, if it makes one panel at a time.
  bool mayReadByPanels(const StageOperand &operand, const StagePanels &panels) const;
  /// Sets the dimensions that have to be whole so that instructions have enough; false if none
  /// help.
  bool fitsVectorDims(unsigned stage, StagePanels &panels) const;
  bool fitsVectorDims(unsigned stage, const StagePanels &panels,
                      const llvm::SmallSetVector<unsigned, 4> &whole) const;
  /// The axes of scratch memory that holds value `index`.
  llvm::SmallVector<tile::Axis> getScratchAxes(unsigned index) const;
  /// Writes the stages' names on the ops, so that they stay.
  void nameStages() const;
};

/// `buffer` in the order of the panels, and in panels if it has their dimension.
tile::Buffer getPanelBuffer(tile::Buffer buffer, const StagePanels &panels);

/// Reports an operand that `op` reads although nothing has written it.
mlir::LogicalResult checkContents(NPUComputeOpInterface op);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_STAGEGRAPH_H
