//===- NPUTiles.cpp - what the compute ops say about their tiles ----------===//

#include "NPU/Dialect/NPU/IR/ISATypes.h"
#include "NPU/Target/ISA/Timing.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

static tile::MxuRole getRole(char letter, bool isDepthwise) {
  if (StringRef("mhw").contains(letter))
    return tile::MxuRole::M;
  if (letter == 'n' || letter == 'f' || (letter == 'g' && isDepthwise))
    return tile::MxuRole::N;
  if (StringRef("kcyxij").contains(letter))
    return tile::MxuRole::K;
  return tile::MxuRole::None;
}

/// The dimensions of a contraction, of which no tile spans the letters of `units`.
static SmallVector<tile::Dim> getContractionDims(NPUComputeOpInterface op, StringRef units,
                                                 bool isDepthwise, const TargetDesc &target) {
  SmallVector<tile::Dim> dims;
  for (auto [letter, extent, iterator, size] :
       llvm::zip_equal(op.getDimLetters(), op.getStaticLoopRanges(), op.getIteratorTypes(),
                       op.getTileSizes())) {
    tile::Dim &dim = dims.emplace_back();
    dim.name = letter;
    dim.extent = extent;
    dim.isReduction = iterator == utils::IteratorType::reduction;
    dim.isUnit = units.contains(letter);
    dim.isReluctant = letter == 'y' || letter == 'x';
    if (dim.isUnit)
      continue;
    dim.role = getRole(letter, isDepthwise);
    dim.fixedTile = size;
    if (dim.role == tile::MxuRole::N)
      dim.granule = target.macCols;
    else if (StringRef("mkc").contains(letter))
      dim.granule = target.macRows;
  }
  return dims;
}

static TileWork getContractionWork(NPUComputeOpInterface op, bool isDepthwise) {
  SmallVector<OpOperand *> operands = op.getDataOperands();
  isa::MacType type = *getMacType(getElementTypeOrSelf(operands[0]->get()),
                                  getElementTypeOrSelf(operands[1]->get()));
  auto getCycles = isDepthwise ? isa::getDepthwiseCycles : isa::getMatmulCycles;
  TileWork work;
  work.array = {(isDepthwise ? "depthwise " : "matmul ") + isa::toString(type).str(),
                [=](const TargetDesc &target, int64_t m, int64_t n, int64_t k) {
                  return getCycles(target, type, m, n, k);
                },
                [=](const TargetDesc &target) { return isa::getMacRate(target, type); }};
  return work;
}

/// Iteration dimensions of the letters of `canonical` that the op has, in that order.
static SmallVector<unsigned> getOrder(StringRef letters, StringRef canonical) {
  SmallVector<unsigned> order;
  for (char letter : canonical)
    if (size_t position = letters.find(letter); position != StringRef::npos)
      order.push_back(position);
  return order;
}

static TypedAttr getZero(Value tensor) {
  return Builder(tensor.getContext()).getZeroAttr(getElementTypeOrSelf(tensor));
}

/// The letters of a buffer's dimensions.
static std::string getLetters(StringRef letters, ArrayRef<unsigned> dims) {
  std::string result;
  for (unsigned dim : dims)
    result += letters[dim];
  return result;
}

SmallVector<int64_t> npu::divide(int64_t extent, ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> parts;
  for (int64_t rest = extent; rest > 0; rest -= parts.back()) {
    int64_t size = sizes.empty() ? extent : sizes[std::min(parts.size(), sizes.size() - 1)];
    parts.push_back(std::min(size, rest));
  }
  return parts;
}

/// Sets what matmul and conv have in common in tile form.
template <typename OpTy>
static Operation *finishContraction(OpTy op, const TileOperands &operands, bool isPacked) {
  SmallVector<Value> extents;
  for (Value extent : operands.extents)
    if (extent)
      extents.push_back(extent);
  op.getExtentsMutable().assign(extents);
  if (!operands.accumulates)
    op.getInitMutable().assign(operands.init);
  if (operands.buffers.size() > 3)
    op.getBiasMutable().assign(operands.buffers[2]);
  op.setAccumulate(operands.accumulates);
  if (!operands.begin.empty())
    op.setBegin(operands.begin);
  if (!operands.end.empty())
    op.setEnd(operands.end);
  op.setPacked(isPacked);
  return op;
}

/// The matrix engine reads SRAM, writes ACC, and takes its second operand in panels unless the
/// convolution is depthwise.
static LogicalResult verifyContractionOnTile(NPUComputeOpInterface op, bool isPacked,
                                             bool isDepthwise) {
  for (OpOperand *operand : op.getDataOperands()) {
    MemorySpace space =
        operand == &op.getDestinationOperand() ? MemorySpace::Acc : MemorySpace::Sram;
    auto type = cast<MemRefType>(operand->get().getType());
    if (getMemorySpace(type) != space)
      return op->emitOpError("expected operand ")
             << operand->getOperandNumber() << " in #npu.space<" << stringifyMemorySpace(space)
             << "> but found " << type;
  }
  // The op's verifier refuses depthwise convolutions with a packed one.
  if (!isPacked && !isDepthwise)
    return op->emitOpError("expected a packed second operand");
  return success();
}

SmallVector<tile::Dim> MatmulOp::getTileDims(const TargetDesc &target) {
  SmallVector<tile::Dim> dims =
      getContractionDims(*this, kBatchLetters, /*isDepthwise=*/false, target);
  // Without rows or columns it is one of a vector.
  bool isInner = false;
  for (tile::Dim &dim : dims) {
    if (dim.role != tile::MxuRole::K)
      continue;
    dim.mustBeInTile = true;
    // The array goes over one dimension: those inside of the outermost are whole.
    if (isInner)
      dim.fixedTile = dim.extent;
    isInner = true;
  }
  return dims;
}

TileWork MatmulOp::getTileWork() { return getContractionWork(*this, /*isDepthwise=*/false); }

bool MatmulOp::mayOverwriteOperand() { return false; }

TileLayout MatmulOp::getTileLayout(unsigned index, const TargetDesc &target) {
  std::string letters = getDimLetters();
  if (index == 0)
    return {"left operand", "lhs", getOrder(letters, "mijk")};
  if (index == 1)
    return {"right operand",
            "rhs",
            getOrder(letters, "nijk"),
            target.macCols,
            getLayoutB().contains('n'),
            getZero(getRhs())};
  if (index == 2 && getBias())
    return {"bias", "bias", getOrder(letters, "n")};
  return {"accumulator", "output", getOrder(letters, "mn")};
}

Operation *MatmulOp::createOnTile(OpBuilder &builder, const TileOperands &operands) {
  std::string letters = getDimLetters(), b = getLetters(letters, operands.dims[1]);
  // Panels come first in the buffer but are the last letter of the layout.
  if (StringRef(b).contains('n'))
    std::rotate(b.begin(), b.begin() + 1, b.end());
  auto tiled = MatmulOp::create(builder, getLoc(), operands.buffers[0], operands.buffers[1],
                                operands.buffers.back(), getLetters(letters, operands.dims[0]), b,
                                getLetters(letters, operands.dims.back()));
  return finishContraction(tiled, operands, /*isPacked=*/true);
}

LogicalResult MatmulOp::verifyOnTile() {
  return verifyContractionOnTile(*this, getPacked(), /*isDepthwise=*/false);
}

SmallVector<tile::Dim> ConvOp::getTileDims(const TargetDesc &target) {
  SmallVector<tile::Dim> dims =
      getContractionDims(*this, isDepthwise() ? "ndz" : "ngdz", isDepthwise(), target);
  for (tile::Dim &dim : dims)
    dim.mustBeInTile = !dim.isUnit;
  return dims;
}

TileWork ConvOp::getTileWork() { return getContractionWork(*this, isDepthwise()); }

bool ConvOp::mayOverwriteOperand() { return false; }

TileLayout ConvOp::getTileLayout(unsigned index, const TargetDesc &target) {
  std::string letters = getDimLetters();
  if (index == 0) {
    TileLayout layout = {"left operand", "input", getOrder(letters, "hwcg")};
    if (hasPadding())
      layout.fill = getPadValue() ? *getPadValue() : getZero(getInput());
    return layout;
  }
  if (index == 2 && getBias())
    return {"bias", "bias", getOrder(letters, "fg")};
  if (index >= 2)
    return {"accumulator", "output", getOrder(letters, "hwfg")};
  TileLayout layout = {"filter", "filter", getOrder(letters, "fyxcg")};
  if (!isDepthwise()) {
    layout.panelColumns = target.macCols;
    layout.hasPanelAxis = getLayoutFilter().contains('f');
    layout.fill = getZero(getFilter());
  }
  return layout;
}

Operation *ConvOp::createOnTile(OpBuilder &builder, const TileOperands &operands) {
  std::string letters = getDimLetters(), filter = getLetters(letters, operands.dims[1]);
  if (StringRef(filter).contains('f'))
    std::rotate(filter.begin(), filter.begin() + 1, filter.end());
  // Without the dimension that is a loop.
  SmallVector<int64_t> strides = getStrideValues(), dilations = getDilationValues();
  size_t numSpatial = std::min<size_t>(getNumSpatialDims(), 2);
  auto tiled = ConvOp::create(
      builder, getLoc(), operands.buffers[0], operands.buffers[1], operands.buffers.back(),
      getLetters(letters, operands.dims[0]), filter, getLetters(letters, operands.dims.back()),
      ArrayRef(strides).take_back(numSpatial), ArrayRef(dilations).take_back(numSpatial));
  return finishContraction(tiled, operands, /*isPacked=*/!isDepthwise());
}

LogicalResult ConvOp::verifyOnTile() {
  if (hasPadding())
    return emitOpError("expected padding to be in the buffer, filled by the load");
  return verifyContractionOnTile(*this, getPacked(), isDepthwise());
}

//===----------------------------------------------------------------------===//
// Element-wise ops
//===----------------------------------------------------------------------===//

SmallVector<tile::Dim> npu::detail::getElementwiseTileDims(NPUComputeOpInterface op,
                                                           const TargetDesc &target) {
  SmallVector<tile::Dim> dims;
  for (auto [index, extent, size] : llvm::enumerate(op.getStaticLoopRanges(), op.getTileSizes())) {
    tile::Dim &dim = dims.emplace_back();
    dim.name = ("d" + Twine(index)).str();
    dim.extent = extent;
    dim.fixedTile = size;
  }
  if (!dims.empty())
    dims.back().granule = target.dramBytesPerCycle;
  return dims;
}

/// The passes come from the ISA.
TileWork npu::detail::getElementwiseTileWork(Operation *op) {
  TileWork work;
  work.passes =
      llvm::TypeSwitch<Operation *, int64_t>(op)
          .Case([](UnaryOp unary) { return isa::getCost(getISAKind(unary.getKind())); })
          .Case([](BinaryOp binary) {
            // A constant on the left that has to be written first.
            return isa::getCost(getISAKind(binary.getKind())) + !binary.mayOverwriteOperand();
          })
          .Case([](RequantizeOp) { return isa::VpuRequant::passes; })
          .Case([](RescaleOp) { return isa::VpuRescale::passes; })
          .Case([](TableOp table) {
            return getElementTypeOrSelf(table.getInput()).isInteger(8) ? isa::VpuTable8::passes
                                                                       : isa::VpuTable16::passes;
          })
          .Default([](Operation *) { return 1; });
  return work;
}

Operation *npu::detail::cloneOnTile(Operation *op, OpBuilder &builder, ValueRange buffers) {
  return mlir::clone(builder, op, TypeRange(), buffers);
}

SmallVector<Value> npu::detail::getTileExtents(const TileOperands &operands,
                                               ArrayRef<unsigned> domain) {
  return llvm::map_to_vector(domain, [&](unsigned dim) { return operands.extents[dim]; });
}

ArrayAttr npu::detail::getTileMaps(OpBuilder &builder, ArrayRef<SmallVector<unsigned>> operands,
                                   ArrayRef<unsigned> domain) {
  SmallVector<AffineMap> maps;
  for (ArrayRef<unsigned> dims : operands) {
    SmallVector<AffineExpr> coordinates;
    for (unsigned dim : dims) {
      const unsigned *position = llvm::find(domain, dim);
      coordinates.push_back(position == domain.end()
                                ? builder.getAffineConstantExpr(0)
                                : builder.getAffineDimExpr(position - domain.begin()));
    }
    maps.push_back(AffineMap::get(domain.size(), 0, coordinates, builder.getContext()));
  }
  return builder.getAffineMapArrayAttr(maps);
}

/// The dimensions that an instruction walks: of two that lie side by side in all operands, the
/// inner one whole, it makes one.
static int64_t countWalkedDims(NPUComputeOpInterface op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  OperandRange extents = op.getTileExtents();
  SmallVector<SmallVector<int64_t>> strides; // by operand and dimension
  for (auto [operand, map] : llvm::zip_equal(op.getDataOperands(), op.getIndexingMapsArray())) {
    SmallVector<int64_t> ofBuffer, &ofDims = strides.emplace_back(ranges.size(), 0);
    int64_t offset;
    if (failed(cast<MemRefType>(operand->get().getType()).getStridesAndOffset(ofBuffer, offset)))
      return ranges.size();
    for (auto [coordinate, stride] : llvm::zip_equal(map.getResults(), ofBuffer))
      if (auto dim = dyn_cast<AffineDimExpr>(coordinate))
        ofDims[dim.getPosition()] = stride;
  }
  int64_t count = ranges.size();
  for (size_t inner = 1; inner < ranges.size(); ++inner) {
    APInt extent;
    bool isWhole = extents.empty() || (matchPattern(extents[inner], m_ConstantInt(&extent)) &&
                                       extent.getSExtValue() == ranges[inner]);
    count -= isWhole && llvm::all_of(strides, [&](ArrayRef<int64_t> ofDims) {
               return ranges[inner] == 1 || ofDims[inner - 1] == ofDims[inner] * ranges[inner];
             });
  }
  return count;
}

LogicalResult npu::detail::verifyElementwiseOnTile(NPUComputeOpInterface op) {
  for (auto [index, operand] : llvm::enumerate(op.getDataOperands())) {
    if (!op.readsWhole(index))
      continue;
    auto type = cast<MemRefType>(operand->get().getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (getMemorySpace(type) != MemorySpace::Sram ||
        failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
      return op->emitOpError("expected operand ")
             << operand->getOperandNumber()
             << ", which is read whole, side by side in #npu.space<sram> but found " << type;
  }
  size_t rank = op.getIteratorTypes().size();
  if (rank <= isa::maxVectorDims || countWalkedDims(op) <= isa::maxVectorDims)
    return success();
  return op->emitOpError("expected at most ")
         << isa::maxVectorDims << " dimensions but found " << rank;
}
