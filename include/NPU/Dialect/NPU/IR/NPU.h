//===- NPU.h - the npu dialect --------------------------------------------===//

#ifndef NPU_DIALECT_NPU_IR_NPU_H
#define NPU_DIALECT_NPU_IR_NPU_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "NPU/Dialect/NPU/IR/Tile.h"
#include "NPU/Target/Desc/TargetDesc.h"

#include "NPU/Dialect/NPU/IR/NPUOpsDialect.h.inc"
#include "NPU/Dialect/NPU/IR/NPUOpsEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "NPU/Dialect/NPU/IR/NPUOpsAttributes.h.inc"

namespace npu {
class NPUComputeOpInterface;
class SortOp;
class ArgSortOp;

/// Result types of a destination-passing op: the type of a tensor destination, nothing for a
/// memref.
mlir::TypeRange getDestinationResultTypes(const mlir::Value &output);

// The dialect's attributes on ops of other dialects; it verifies them and refuses others.

/// The ring depth of an on-chip buffer in tile form; absent: 1.
inline constexpr llvm::StringLiteral kBuffersAttrName = "npu.buffers";
/// The byte offset of an on-chip buffer in tile form, once it is planned.
inline constexpr llvm::StringLiteral kOffsetAttrName = "npu.offset";
/// On a loop in tile form: the number of clusters that share its iterations.
inline constexpr llvm::StringLiteral kClustersAttrName = "npu.clusters";
/// How many of them may be around each other.
inline constexpr size_t kMaxClusterDims = 2;
/// Where a function runs.
inline constexpr llvm::StringLiteral kPlacementAttrName = "npu.placement";
/// Number of a dispatch in the model, also when it is copied.
inline constexpr llvm::StringLiteral kDispatchNumberAttrName = "npu.dispatch_number";

/// Whether comparisons produce the result of `kind`, an i1.
bool isComparison(BinaryKind kind);

/// Bytes of an element in memory, of `type` or of the elements of `type`; an i1 takes one.
int64_t getElementBytes(mlir::Type type);

/// Bytes of a static tensor or buffer without padding.
int64_t getByteSize(mlir::ShapedType type);

/// The memory space of `type`; nothing if it has none of the dialect's.
std::optional<MemorySpace> getMemorySpace(mlir::MemRefType type);

/// Whether every result of `map` is a dimension, none of them twice, or 0. Unlike a projected
/// permutation it may have more results than dimensions.
bool hasPlainCoordinates(mlir::AffineMap map);

/// The indices of a dimension of `length`: a constant, or, where that would be too long, npu.iota.
mlir::Value createPositions(mlir::OpBuilder &builder, mlir::Location loc, int64_t length,
                            mlir::IntegerType type);

/// The letters of batches in npu.matmul's layouts.
inline constexpr llvm::StringLiteral kBatchLetters = "bgh";

/// What a table is for elements of a type.
struct TableForm {
  int64_t numEntries;
  mlir::Type entry, result;
};
/// The table for elements of type `input`; nothing if they cannot be looked up.
std::optional<TableForm> getTableForm(mlir::Type input);

namespace detail {
// What the compute ops share.
mlir::SmallVector<mlir::OpOperand *> getDataOperands(mlir::Operation *op);
mlir::SmallVector<int64_t> getStaticLoopRanges(NPUComputeOpInterface op);
mlir::SmallVector<mlir::utils::IteratorType> getElementwiseIteratorTypes(NPUComputeOpInterface op);
mlir::SmallVector<mlir::AffineMap> getElementwiseIndexingMaps(mlir::Operation *op,
                                                              mlir::ArrayAttr maps);
mlir::SmallVector<int64_t> getElementwiseTileSizes(NPUComputeOpInterface op,
                                                   mlir::DenseI64ArrayAttr sizes);
mlir::SmallVector<tile::Dim> getElementwiseTileDims(NPUComputeOpInterface op,
                                                    const TargetDesc &target);
TileWork getElementwiseTileWork(mlir::Operation *op);
mlir::Operation *cloneOnTile(mlir::Operation *op, mlir::OpBuilder &builder,
                             mlir::ValueRange buffers);
/// Extents of the iteration dimensions `domain`.
mlir::SmallVector<mlir::Value> getTileExtents(const TileOperands &operands,
                                              mlir::ArrayRef<unsigned> domain);
/// Maps from `domain` to the dimensions of each operand's buffer, to 0 where it is read whole.
mlir::ArrayAttr getTileMaps(mlir::OpBuilder &builder,
                            mlir::ArrayRef<mlir::SmallVector<unsigned>> operands,
                            mlir::ArrayRef<unsigned> domain);
mlir::LogicalResult verifyElementwiseOnTile(NPUComputeOpInterface op);
void getComputeEffects(
    NPUComputeOpInterface op,
    mlir::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects);
mlir::LogicalResult verifyComputeOp(NPUComputeOpInterface op);
mlir::SmallVector<mlir::utils::IteratorType> getReductionIteratorTypes(mlir::AffineMap output);
TileWork getReductionTileWork(ReduceKind kind, mlir::Type type);
mlir::SmallVector<tile::Dim> getWholeRowTileDims(NPUComputeOpInterface op, unsigned dimension,
                                                 const TargetDesc &target);
mlir::LogicalResult verifyReductionOnTile(NPUComputeOpInterface op);
/// The first dimension that no result of `map` has.
unsigned findLackedDim(mlir::AffineMap map);
mlir::SmallVector<tile::Dim> getSortTileDims(NPUComputeOpInterface op, unsigned rowDim,
                                             unsigned placeDim, const TargetDesc &target);
TileWork getSortWork(SortOp op);
TileWork getSortWork(ArgSortOp op);
TileScratch getSortScratch(SortOp op);
TileScratch getSortScratch(ArgSortOp op);
mlir::LogicalResult verifySortOnTile(NPUComputeOpInterface op);
} // namespace detail
} // namespace npu

#include "NPU/Dialect/NPU/IR/NPUInterfaces.h.inc"

#define GET_OP_CLASSES
#include "NPU/Dialect/NPU/IR/NPUOps.h.inc"

#endif // NPU_DIALECT_NPU_IR_NPU_H
