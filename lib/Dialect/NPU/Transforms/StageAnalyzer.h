//===- StageAnalyzer.h - how a kernel in tensor form is understood --------===//
//
// StageGraph.cpp has the ops, dimensions, operands and values, StageGroups.cpp which ops form a
// stage.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_STAGEANALYZER_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_STAGEANALYZER_H

#include "StageGraph.h"

namespace npu {
/// Dimensions of ops; those that are found to be the same become one.
class DimUnion {
public:
  /// New dimensions for `op`; returns the first.
  unsigned add(mlir::Operation *op, unsigned count);
  unsigned find(unsigned dim) const;
  /// Makes two dimensions one, unless an op has both.
  bool unite(unsigned a, unsigned b);

private:
  llvm::SmallVector<unsigned> parents;
  llvm::SmallVector<llvm::SmallPtrSet<mlir::Operation *, 4>> members;
};

/// Builds a StageGraph step by step; every step reports its own errors.
class StageAnalyzer {
public:
  /// With `splitsReductions`, whoever needs the result of a reduction of the vector unit and what
  /// it is a reduction of is in another group; otherwise their tiles span whole dimensions.
  StageAnalyzer(KernelOp kernel, bool splitsReductions) : splitsReductions(splitsReductions) {
    graph.kernel = kernel;
  }

  mlir::FailureOr<StageGraph> run();

private:
  // Ops and dimensions.
  mlir::LogicalResult collectOps();
  void uniteDims();
  void uniteOperand(NPUComputeOpInterface op, mlir::OpOperand &operand, mlir::AffineMap map);
  void uniteReducedDims();
  void numberDims();
  llvm::ArrayRef<unsigned> getDims(mlir::Operation *op) { return dimsOf[op]; }
  /// Those that the tiles of a group have whose largest op is `op`.
  llvm::SmallVector<unsigned> getTileDims(NPUComputeOpInterface op);
  llvm::SmallVector<unsigned> getReductionDims(NPUComputeOpInterface op);
  /// Whether the op reduces dimensions that tiles do not span whole.
  bool hasWindows(NPUComputeOpInterface op);

  // Stages.
  mlir::LogicalResult formStages();
  bool tryOneGroup();
  void formGroups();
  mlir::LogicalResult takeNamedStages();
  mlir::LogicalResult sortStages();
  bool hasDims(llvm::ArrayRef<unsigned> dims, llvm::ArrayRef<unsigned> needed) const;
  bool isAlignedWith(NPUComputeOpInterface op, llvm::ArrayRef<NPUComputeOpInterface> members);
  mlir::LogicalResult chooseRoot(Stage &stage);
  Stage &addStage(llvm::ArrayRef<NPUComputeOpInterface> ops, llvm::StringRef name, unsigned group);
  void addGroup(llvm::ArrayRef<NPUComputeOpInterface> members, llvm::StringRef suffix,
                unsigned group);
  bool mayShareTiles(llvm::ArrayRef<NPUComputeOpInterface> members);
  bool splitAtReduction(llvm::ArrayRef<NPUComputeOpInterface> members,
                        llvm::SmallVectorImpl<NPUComputeOpInterface> &reduction,
                        llvm::SmallVectorImpl<NPUComputeOpInterface> &tail);

  // Operands and values.
  mlir::LogicalResult describeDims();
  mlir::LogicalResult buildStage(unsigned number);
  mlir::LogicalResult buildArrayStage(unsigned number);
  void buildVectorStage(unsigned number);
  void buildOperand(unsigned number, const StageOp &op, mlir::OpOperand &operand,
                    mlir::AffineMap map, const TileLayout &layout, llvm::ArrayRef<unsigned> order,
                    tile::BufferRole role);
  unsigned addValue(unsigned number, const StageOp &op, llvm::ArrayRef<unsigned> order,
                    tile::BufferRole role);
  std::optional<unsigned> addScratch(unsigned number, const StageOp &op);
  const StageValue *findAccumulator(unsigned number);
  mlir::LogicalResult buildResults();
  void findPrivateBuffers();
  void findReaders();

  llvm::SmallVector<tile::Axis> getAxes(mlir::Value tensor, mlir::AffineMap map,
                                        llvm::ArrayRef<unsigned> dims) const;
  void setOrder(tile::Buffer &buffer, llvm::ArrayRef<unsigned> order) const;
  std::string getTensorName(mlir::Value tensor);

  bool splitsReductions;
  StageGraph graph;
  llvm::SmallVector<NPUComputeOpInterface> ops;
  ReturnOp returnOp;
  DimUnion dimUnion;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> dimsOf;
  /// Operands from inside the kernel whose coordinates are not plain dimensions of its producer.
  llvm::DenseSet<mlir::OpOperand *> unaligned;
  llvm::DenseMap<mlir::Operation *, unsigned> stageOf;
  /// The first accumulator of each group.
  llvm::DenseMap<unsigned, unsigned> accumulators;
};

inline bool isArrayOp(NPUComputeOpInterface op) { return op.getEngine() == Engine::Mxu; }

/// The operands that the op reads, with their maps.
llvm::SmallVector<std::pair<mlir::OpOperand *, mlir::AffineMap>>
getReadOperands(NPUComputeOpInterface op);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_STAGEANALYZER_H
