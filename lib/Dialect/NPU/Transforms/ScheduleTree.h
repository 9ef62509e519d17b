//===- ScheduleTree.h - the schedule of a kernel, understood --------------===//
//
// The schedule attribute with its names resolved and its rules checked. Lowering only writes down
// what is here.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_SCHEDULETREE_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_SCHEDULETREE_H

#include "StageGraph.h"

#include <map>
#include <memory>

namespace npu {

/// A node of a schedule. The root is a loop of one iteration over nothing.
struct ScheduleNode {
  enum class Kind { Loop, Load, Keep, Value, Leaf };

  Kind kind = Kind::Loop;
  ScheduleNode *parent = nullptr;
  unsigned position = 0; ///< among the parent's children
  unsigned level = 0;    ///< number of loops around it

  // A loop.
  unsigned dim = 0;
  int64_t tile = 1, trips = 1, clusters = 1;
  bool isExtended = false; ///< by an iteration for skewed leaves
  std::vector<std::unique_ptr<ScheduleNode>> children;

  // The others.
  unsigned stage = 0, operand = 0;
  MemorySpace space = MemorySpace::Sram;
  int64_t depth = 1, skew = 0;
  bool isHome = false; ///< the stage's values live at this leaf
  /// A contraction's products have their place at this leaf, and are added to its values elsewhere.
  bool addsProducts = false;
  /// Of a leaf: the sizes of the parts of its first tile, and along which dimension they are.
  llvm::ArrayRef<int64_t> begin;
  mlir::StringAttr beginDim;
  mlir::StringAttr endDim; ///< along which its last tile is in two parts

  /// The loops around the node, outermost first, without the root.
  llvm::SmallVector<const ScheduleNode *> getLoops() const;
  /// The loops around the node that clusters share, outermost first.
  llvm::SmallVector<const ScheduleNode *> getSplits() const;
};

/// The innermost loop around both, or the root.
const ScheduleNode *getCommonLoop(const ScheduleNode &a, const ScheduleNode &b);
/// The child of `loop` that `node` is or is in.
const ScheduleNode *getChildOf(const ScheduleNode *loop, const ScheduleNode *node);
/// Whether `node` is in the body that `outer` is in, or further inside of it.
bool isInBodyOf(const ScheduleNode &node, const ScheduleNode &outer);
/// Whether `a` happens before `b` in an iteration of the loops around both.
bool isBefore(const ScheduleNode &a, const ScheduleNode &b);

/// A ring of buffers of a schedule.
struct ScheduleBuffer {
  const tile::Buffer *buffer;
  const ScheduleNode *home;
  MemorySpace space;
  int64_t depth;
  llvm::SmallVector<int64_t> shape; ///< of a slot, with the panels' columns
  std::string name;
};

class ScheduleTree {
public:
  /// Resolves the kernel's schedule. Reports what it does not say or what cannot be, at the kernel.
  static mlir::FailureOr<ScheduleTree> create(const StageGraph &graph, ScheduleAttr attr);

  const ScheduleNode &getRoot() const { return *root; }
  const ScheduleNode &getLeaf(unsigned stage) const { return *leaves[stage]; }
  /// The value whose buffer holds `value`.
  unsigned getBufferRoot(unsigned value) const { return bufferRoots[value]; }
  /// The node at which the value's buffer is allocated.
  const ScheduleNode &getHome(unsigned value) const { return *bufferHomes[value]; }
  /// The load of an operand; null: it is a value of another stage that is on chip.
  const ScheduleNode *findLoad(unsigned stage, unsigned operand) const;
  /// The place of an operand whose load is further inside, where it takes a part at a time; null:
  /// it lives where it is loaded.
  const ScheduleNode *findKeep(const ScheduleNode &load) const;
  /// Whether a load takes from a value that is on chip as a whole, rather than from DRAM.
  bool isFromChip(const ScheduleNode &load) const;
  /// Whether other stages read the value from DRAM.
  bool isScratch(unsigned value) const { return scratch.contains(value); }

  /// Whether the stage leaves its values in panels, as the one that reads them on chip takes them.
  bool isInPanels(unsigned stage) const { return panelStages.contains(stage); }
  /// Whether it makes one panel at a time, so that it can read what is not in panels.
  bool isByPanels(unsigned stage) const;
  /// The buffer of an operand that is loaded, or of a value, as it lies in this schedule.
  const tile::Buffer &getBuffer(unsigned stage, unsigned operand) const;
  const tile::Buffer &getBuffer(unsigned value) const;

  /// Indices that `node` has of a dimension: a tile where a loop around it moves, all that the
  /// loops inside it move over on the way to the leaves of `stages` otherwise.
  int64_t getSpan(const ScheduleNode &node, unsigned dim, llvm::ArrayRef<unsigned> stages) const;
  /// The same along an axis of a buffer, in its elements.
  int64_t getSpan(const ScheduleNode &node, const tile::Axis &axis,
                  llvm::ArrayRef<unsigned> stages) const;
  /// Shape of the buffer of a load or of a value at `node` for what `stages` do with it.
  llvm::SmallVector<int64_t> getShape(const tile::Buffer &buffer, const ScheduleNode &node,
                                      llvm::ArrayRef<unsigned> stages) const;
  /// What a load fills: a buffer, or a part of one that `findKeep` tells.
  ScheduleBuffer getLoadBuffer(const ScheduleNode &load) const;
  /// The buffer of what is kept while parts of it are loaded.
  ScheduleBuffer getKeptBuffer(const ScheduleNode &keep) const;
  /// The buffer of a contraction's products at a leaf that adds them to its values.
  ScheduleBuffer getProductBuffer(const ScheduleNode &leaf) const;
  /// The buffer that holds a value; of its root where it takes over another's.
  ScheduleBuffer getValueBuffer(unsigned value) const;
  /// Every buffer, in the order of the tree.
  std::vector<ScheduleBuffer> getBuffers() const;

  const StageGraph &getGraph() const { return *graph; }

private:
  explicit ScheduleTree(const StageGraph &graph) : graph(&graph) {}

  mlir::LogicalResult build(ScheduleNode &node, llvm::ArrayRef<mlir::Attribute> body);
  mlir::LogicalResult addLoop(ScheduleNode &node, ScheduleLoopAttr attr);
  mlir::LogicalResult addLoad(ScheduleNode &node, ScheduleLoadAttr attr);
  /// Adds the load or the place of an operand, which has at most one of each.
  mlir::FailureOr<ScheduleNode *> addOperand(ScheduleNode &node, ScheduleNode::Kind kind,
                                             mlir::StringAttr attr);
  mlir::LogicalResult addValue(ScheduleNode &node, ScheduleValueAttr attr);
  mlir::LogicalResult addLeaf(ScheduleNode &node, ScheduleStageAttr attr);
  mlir::LogicalResult verify();
  mlir::LogicalResult verifyLeaf(unsigned stage);
  mlir::LogicalResult verifyHome(unsigned stage);
  mlir::LogicalResult verifyProducts(const ScheduleNode &leaf);
  mlir::LogicalResult verifyOperand(unsigned stage, unsigned operand);
  mlir::LogicalResult verifyLoad(const ScheduleNode &load);
  mlir::LogicalResult verifyKeep(const ScheduleNode &keep);
  mlir::LogicalResult verifySkew(const ScheduleNode &leaf);
  mlir::LogicalResult verifyBegin(const ScheduleNode &leaf);
  mlir::LogicalResult verifyEnd(const ScheduleNode &leaf);
  mlir::LogicalResult verifyClusters();
  llvm::SmallVector<unsigned> getRuns() const;
  bool isStored(unsigned stage) const;
  llvm::DenseMap<const ScheduleNode *, unsigned> getLastUses() const;
  std::pair<unsigned, unsigned>
  getLife(const ScheduleBuffer &buffer,
          const llvm::DenseMap<const ScheduleNode *, unsigned> &lastUses) const;
  mlir::LogicalResult verifyFootprint();
  mlir::LogicalResult verifySpan(const ScheduleNode &node, const tile::Buffer &buffer,
                                 llvm::ArrayRef<unsigned> stages, llvm::StringRef name);
  mlir::LogicalResult verifyPanels(unsigned stage);
  void findPanels();
  void assignBuffers();
  /// The stages that work on the buffer of a value.
  llvm::ArrayRef<unsigned> getUsers(unsigned root) const { return bufferUsers[root].getArrayRef(); }
  /// The name, as in `stage.operand`, of what a load or a place is for.
  std::string getOperandName(const ScheduleNode &node) const;
  mlir::InFlightDiagnostic emitError() const;

  const StageGraph *graph;
  std::unique_ptr<ScheduleNode> root;
  llvm::SmallVector<ScheduleNode *> leaves, homes; ///< per stage; a home is a `value` or the leaf
  llvm::DenseMap<std::pair<unsigned, unsigned>, ScheduleNode *> loads, keeps;
  llvm::DenseSet<unsigned> scratch;
  /// The stages whose values are in panels, and what has another form because of them.
  llvm::DenseSet<unsigned> panelStages;
  std::map<std::pair<unsigned, unsigned>, tile::Buffer> panelOperands; ///< by stage and operand
  std::map<unsigned, tile::Buffer> panelValues;
  /// Per value: whose buffer holds it, where that lives, and, of a root, the stages on it.
  std::vector<unsigned> bufferRoots;
  std::vector<const ScheduleNode *> bufferHomes;
  std::vector<llvm::SmallSetVector<unsigned, 2>> bufferUsers;
};

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_SCHEDULETREE_H
