//===- CheckShapes.cpp - checks of extents that data decides --------------===//

#include "NPU/HostLowering/Passes.h"

#include "CheckMaps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"

namespace npu::host {
#define GEN_PASS_DEF_CHECKSHAPES
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

/// Most elements that a buffer may have, so that no size in bytes overflows.
static constexpr int64_t maxElements = int64_t(1) << 56;

std::string npu::host::describe(Operation *op, StringRef message) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    os << place.getFilename().getValue() << ":" << place.getLine() << ":" << place.getColumn()
       << ": ";
  // What bufferization made of an op keeps its location only.
  os << message;
  return text;
}

static bool isDynamic(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  return memref && (!memref.hasRank() || !memref.hasStaticShape());
}

/// The product of `extents`, which are checked to be at least 0 and to stay below the limit.
static Value createProduct(OpBuilder &builder, Operation *op, ValueRange extents, int64_t factor) {
  Location loc = op->getLoc();
  Value product = arith::ConstantIndexOp::create(builder, loc, factor);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value limit = arith::ConstantIndexOp::create(builder, loc, maxElements);
  for (Value extent : extents) {
    Value isPositive = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, extent, zero);
    Value most = arith::DivSIOp::create(builder, loc, limit,
                                        arith::MaxSIOp::create(builder, loc, product, one));
    Value isSmall = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, extent, most);
    cf::AssertOp::create(
        builder, loc, arith::AndIOp::create(builder, loc, isPositive, isSmall),
        npu::host::describe(op, "expected extents of at least 0 whose product is less than 2^56 "
                                "elements, but data gives others; give inputs that the model can "
                                "take"));
    product = arith::MulIOp::create(builder, loc, product, extent);
  }
  return product;
}

static int64_t getStaticElements(ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t extent : shape)
    if (!ShapedType::isDynamic(extent))
      elements = llvm::SaturatingMultiply<uint64_t>(elements, extent);
  return elements;
}

static void checkSameElements(OpBuilder &builder, Operation *op, Value source, Value product) {
  Location loc = op->getLoc();
  Value elements = arith::ConstantIndexOp::create(builder, loc, 1);
  for (int64_t dim = 0, e = cast<MemRefType>(source.getType()).getRank(); dim < e; ++dim)
    elements = arith::MulIOp::create(builder, loc, elements,
                                     memref::DimOp::create(builder, loc, source, dim));
  cf::AssertOp::create(
      builder, loc,
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, elements, product),
      npu::host::describe(op, "expected a shape with as many elements as the tensor that is "
                              "reshaped, but data gives another; give inputs that the model can "
                              "take"));
}

/// Extents that are data: upstream checks static ones only.
static LogicalResult checkExpansion(OpBuilder &builder, memref::ExpandShapeOp op) {
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  for (const ReassociationIndices &group : op.getReassociationIndices())
    if (llvm::count_if(group, [&](int64_t dim) { return ShapedType::isDynamic(shape[dim]); }) > 1)
      return op.emitError("expected at most one extent that is data where a dimension is expanded, "
                          "found ")
             << RankedTensorType::get(shape, op.getResultType().getElementType())
             << "; make the others constants";
  Value product =
      createProduct(builder, op, op.getOutputShape(), getStaticElements(op.getStaticOutputShape()));
  checkSameElements(builder, op, op.getSrc(), product);
  return success();
}

/// A shape that is data. Upstream takes from it the extents that the type does not say.
static void checkReshape(OpBuilder &builder, memref::ReshapeOp op) {
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(op.getResult().getType());
  SmallVector<Value> extents;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    Value position = arith::ConstantIndexOp::create(builder, loc, dim);
    Value extent = memref::LoadOp::create(builder, loc, op.getShape(), position);
    if (!extent.getType().isIndex())
      extent = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), extent);
    extents.push_back(extent);
  }
  checkSameElements(builder, op, op.getSource(),
                    createProduct(builder, op, extents, getStaticElements(type.getShape())));
}

/// Checks that all operands have the same extent in a loop's dimension. Upstream's check leaves out
/// loops that do not run, whose results nothing would write.
static void checkLoops(OpBuilder &builder, linalg::LinalgOp op) {
  SmallVector<Value> extents(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop || !isa<MemRefType>(operand.get().getType()))
        continue;
      Value extent = builder.createOrFold<memref::DimOp>(op.getLoc(), operand.get(), int64_t(dim));
      Value &known = extents[loop.getPosition()];
      if (!known) {
        known = extent;
        continue;
      }
      Value isSame =
          arith::CmpIOp::create(builder, op.getLoc(), arith::CmpIPredicate::eq, known, extent);
      cf::AssertOp::create(builder, op.getLoc(), isSame,
                           npu::host::describe(op, "expected operands with the same extents, but "
                                                   "data gives others; give inputs that the model "
                                                   "can take"));
    }
  }
}

/// Checks by the op's own interface, which upstream has for debugging.
static void checkOp(OpBuilder &builder, RuntimeVerifiableOpInterface op) {
  auto describe = [](Operation *op, StringRef message) {
    return npu::host::describe(op, ("expected shapes that fit, but data gives others: " + message +
                                    "; give inputs that the model can take")
                                       .str());
  };
  op.generateRuntimeVerification(builder, op.getLoc(), describe);
}

namespace {
struct CheckShapes : npu::host::impl::CheckShapesBase<CheckShapes> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      OpBuilder builder(op);
      auto structured = dyn_cast<linalg::LinalgOp>(op);
      bool hasData = llvm::any_of(op->getOperandTypes(), isDynamic) ||
                     llvm::any_of(op->getResultTypes(), isDynamic);
      if (structured && hasData)
        checkLoops(builder, structured);
      if (structured && failed(npu::host::checkMaps(builder, structured)))
        return signalPassFailure();
      if (!hasData)
        continue;
      if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
        createProduct(builder, op, alloc.getDynamicSizes(),
                      getStaticElements(alloc.getType().getShape()));
      } else if (auto reshape = dyn_cast<memref::ReshapeOp>(op)) {
        checkReshape(builder, reshape);
      } else if (auto expand = dyn_cast<memref::ExpandShapeOp>(op)) {
        if (failed(checkExpansion(builder, expand)))
          return signalPassFailure();
      } else if (isa<linalg::LinalgOp, memref::CastOp, memref::SubViewOp>(op)) {
        if (auto verifiable = dyn_cast<RuntimeVerifiableOpInterface>(op))
          checkOp(builder, verifiable);
      }
    }
  }
};
} // namespace
