//===- DispatchInfo.cpp - the dispatches of a module and what they compute ===//

#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace npu;
using npu::flow::DispatchSite;

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

/// Returns the code of the first entry point that is in the module.
static Region *findBody(flow::DispatchOp dispatch, SymbolTableCollection &symbols) {
  for (auto entryPoint : dispatch.getEntryPoints().getAsRange<SymbolRefAttr>()) {
    auto exportOp = symbols.lookupNearestSymbolFrom<flow::ExecutableExportOp>(dispatch, entryPoint);
    FunctionOpInterface function = exportOp ? exportOp.getFunction() : FunctionOpInterface();
    if (function && !function.isExternal())
      return &function.getFunctionBody();
  }
  return nullptr;
}

func::FuncOp flow::findFunction(DispatchOp dispatch, SymbolTableCollection &symbols) {
  Region *body = findBody(dispatch, symbols);
  return body ? dyn_cast<func::FuncOp>(body->getParentOp()) : func::FuncOp();
}

SmallVector<DispatchSite> flow::collectDispatches(ModuleOp module) {
  SmallVector<DispatchSite> sites;
  SymbolTableCollection symbols;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto dispatch = dyn_cast<flow::DispatchOp>(op))
      sites.push_back({op, findBody(dispatch, symbols)});
    else if (auto workgroups = dyn_cast<flow::DispatchWorkgroupsOp>(op))
      sites.push_back({op, &workgroups.getWorkgroupBody()});
    else if (auto region = dyn_cast<flow::DispatchRegionOp>(op))
      sites.push_back({op, &region.getBody()});
  });
  if (!sites.empty())
    return sites;
  module.walk<WalkOrder::PreOrder>([&](func::FuncOp func) {
    if (!func.isExternal())
      sites.push_back({func, &func.getBody()});
  });
  return sites;
}

/// Whether `op` computes tensors as only dispatches do. Fills, slices and single elements are the
/// host's as well.
static bool isWork(Operation *op) {
  if (isa_and_nonnull<linalg::LinalgDialect, linalg_ext::LinalgExtDialect, tosa::TosaDialect>(
          op->getDialect()))
    return !isa<linalg::FillOp>(op);
  if (isa<tensor::ConcatOp, tensor::GatherOp, tensor::GenerateOp, tensor::PadOp, tensor::ScatterOp>(
          op))
    return true;
  return OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

static bool isDispatch(Operation *op) {
  return isa<flow::DispatchOp, flow::DispatchRegionOp, flow::DispatchWorkgroupsOp>(op);
}

Operation *flow::findUndispatched(ModuleOp module) {
  bool hasHost = !module.getOps<util::FuncOp>().empty();
  Operation *found = nullptr;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    hasHost |= isDispatch(op);
    if (isDispatch(op) || isa<flow::ExecutableOp, hal::ExecutableOp>(op))
      return WalkResult::skip();
    bool isCode =
        op->getParentOfType<FunctionOpInterface>() || op->getParentOfType<util::InitializerOp>();
    if (!found && isCode && isWork(op))
      found = op;
    // What is in it is part of it.
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return hasHost ? found : nullptr;
}

//===----------------------------------------------------------------------===//
// The root
//===----------------------------------------------------------------------===//

bool flow::isPooling(linalg::LinalgOp op) {
  // The window operand of a pooling gives a shape, no values.
  return linalg::isaConvolutionOpInterface(op) && op.getNumDpsInputs() == 2 &&
         !op.payloadUsesValueFromOperand(op.getDpsInputOperand(1));
}

bool flow::isConvolution(linalg::LinalgOp op) {
  return linalg::isaConvolutionOpInterface(op) && !isPooling(op);
}

/// Ops that make no value or pass one on: they never say what a dispatch does.
static bool isDataMovement(Operation *op) {
  return isa<tensor_ext::DispatchTensorLoadOp, tensor::EmptyOp, tensor::ExtractSliceOp,
             tensor::InsertSliceOp, tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
             op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

Operation *flow::findRootOp(Region &body) {
  Operation *heavy = nullptr;
  Operation *pooling = nullptr;
  Operation *lastLinalg = nullptr;
  Operation *lastTensor = nullptr;
  body.walk([&](Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      // What only starts the others says nothing of them.
      if (!isa<linalg::FillOp>(op))
        lastLinalg = op;
      if (linalg::isaContractionOpInterface(linalgOp) || isConvolution(linalgOp))
        heavy = op;
      else if (isPooling(linalgOp))
        pooling = op;
    } else if (isa_and_nonnull<linalg_ext::LinalgExtDialect>(op->getDialect()) &&
               op->getNumResults() != 0) {
      lastLinalg = op;
    }
    if (!isDataMovement(op) && llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>))
      lastTensor = op;
  });
  if (heavy || pooling)
    return heavy ? heavy : pooling;
  return lastLinalg ? lastLinalg : lastTensor;
}

Location flow::getSourceLocation(const DispatchSite &site) {
  SmallVector<Location> locations;
  if (!llvm::isa<FunctionOpInterface>(site.op))
    locations.push_back(site.op->getLoc());
  if (site.body)
    site.body->walk([&](Operation *op) {
      if (!isDataMovement(op) && !isa<linalg::FillOp>(op) &&
          !op->hasTrait<OpTrait::ConstantLike>() &&
          llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>))
        locations.push_back(op->getLoc());
    });
  return FusedLoc::get(site.op->getContext(), locations);
}

//===----------------------------------------------------------------------===//
// The description
//===----------------------------------------------------------------------===//

static std::string printSize(int64_t size) {
  return ShapedType::isDynamic(size) ? "?" : std::to_string(size);
}

static std::string printShape(ArrayRef<int64_t> shape) {
  return shape.empty() ? "scalar" : llvm::join(llvm::map_range(shape, printSize), "x");
}

/// The size of several loops as one.
static int64_t getProduct(ArrayRef<unsigned> dims, ArrayRef<int64_t> ranges) {
  int64_t product = 1;
  for (unsigned dim : dims) {
    if (ShapedType::isDynamic(ranges[dim]))
      return ShapedType::kDynamic;
    product *= ranges[dim];
  }
  return product;
}

static int64_t multiply(int64_t lhs, int64_t rhs) {
  bool isDynamic = ShapedType::isDynamic(lhs) || ShapedType::isDynamic(rhs);
  return isDynamic ? ShapedType::kDynamic : lhs * rhs;
}

static void describeContraction(linalg::LinalgOp op, raw_ostream &os) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(op);
  if (failed(dims)) {
    os << " shape=" << printShape(ranges);
    return;
  }
  if (int64_t batch = getProduct(dims->batch, ranges); batch != 1)
    os << " B=" << printSize(batch);
  os << " M=" << printSize(getProduct(dims->m, ranges))
     << " N=" << printSize(getProduct(dims->n, ranges))
     << " K=" << printSize(getProduct(dims->k, ranges));
}

/// Returns the extent of the input dimension that `loop` walks along.
static int64_t getInputExtent(linalg::LinalgOp op, unsigned loop) {
  OpOperand *input = op.getDpsInputOperand(0);
  AffineMap map = op.getMatchingIndexingMap(input);
  for (auto [expr, extent] : llvm::zip(map.getResults(), op.getShape(input)))
    if (expr.isFunctionOfDim(loop))
      return extent;
  return 1;
}

/// Describes a convolution or pooling. Unit dimensions that are not in the maps count as 1.
static void describeWindow(linalg::LinalgOp op, bool isPooling, raw_ostream &os) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  FailureOr<linalg::ConvolutionDimensions> dims = linalg::inferConvolutionDims(op);
  if (failed(dims)) {
    os << " shape=" << printShape(ranges);
    return;
  }
  size_t rank = dims->outputImage.size();
  auto imageName = [&](size_t dim) {
    static constexpr StringLiteral names[] = {"D", "H", "W"};
    return rank <= 3 ? names[3 - rank + dim].str() : "X" + std::to_string(dim);
  };
  // A pooling treats images and channels alike: its maps do not say which is which.
  int64_t groups = getProduct(dims->depth, ranges);
  os << (isPooling ? " NC=" : " N=") << printSize(getProduct(dims->batch, ranges));
  for (auto [dim, loop] : llvm::enumerate(dims->outputImage))
    os << " " << imageName(dim) << "=" << printSize(getInputExtent(op, loop));
  if (!isPooling)
    os << " C=" << printSize(multiply(groups, getProduct(dims->inputChannel, ranges)))
       << " F=" << printSize(multiply(groups, getProduct(dims->outputChannel, ranges)));
  for (auto [dim, loop] : llvm::enumerate(dims->outputImage))
    os << " O" << imageName(dim) << "=" << printSize(ranges[loop]);
  SmallVector<int64_t> kernel =
      llvm::map_to_vector(dims->filterLoop, [&](unsigned loop) { return ranges[loop]; });
  os << " kernel=" << printShape(kernel) << " stride=" << printShape(dims->strides)
     << " dilation=" << printShape(dims->dilations);
  if (!isPooling)
    os << " groups=" << printSize(groups);
}

/// Prints one name if all types are the same, else all of them.
static void describeTypes(ArrayRef<Type> types, raw_ostream &os) {
  if (types.empty())
    return;
  os << " dtype: ";
  if (llvm::all_equal(types))
    os << types.front();
  else
    llvm::interleave(types, os, "x");
}

static void describeLinalg(linalg::LinalgOp op, raw_ostream &os) {
  bool isPooling = flow::isPooling(op);
  bool isContraction = linalg::isaContractionOpInterface(op);
  bool isConvolution = flow::isConvolution(op);
  if (isContraction)
    describeContraction(op, os);
  else if (isConvolution || isPooling)
    describeWindow(op, isPooling, os);
  else
    os << " shape=" << printShape(op.getStaticLoopRanges());

  // The window of a pooling has no values, zero points are no operands of a convolution.
  SmallVector<Type> types;
  unsigned numInputs = isPooling ? 1 : isConvolution ? 2 : op.getNumDpsInputs();
  for (unsigned input = 0; input < numInputs; ++input)
    types.push_back(getElementTypeOrSelf(op.getDpsInputOperand(input)->get().getType()));
  for (Value init : op.getDpsInits())
    types.push_back(getElementTypeOrSelf(init.getType()));
  describeTypes(types, os);
}

/// Returns the type of the data that `op` moves, null if it moves none or all of a tensor.
static RankedTensorType getMovedType(Operation *op) {
  if (auto load = dyn_cast<tensor_ext::DispatchTensorLoadOp>(op))
    return load.isFullLoad() ? RankedTensorType() : load.getType();
  if (auto store = dyn_cast<tensor_ext::DispatchTensorStoreOp>(op))
    return cast<RankedTensorType>(store.getValue().getType());
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return slice.getType();
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return slice.getSourceType();
  // What an imported function returns.
  if (op->hasTrait<OpTrait::IsTerminator>() && op->getNumOperands())
    return dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  return {};
}

/// Describes a dispatch that only moves data by the first piece it moves.
static void describeCopy(Region &body, raw_ostream &os) {
  os << "op: copy";
  RankedTensorType type;
  body.walk([&](Operation *op) {
    type = getMovedType(op);
    return type ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!type)
    return;
  os << " shape=" << printShape(type.getShape());
  describeTypes(type.getElementType(), os);
}

std::string flow::describeDispatch(const DispatchSite &site) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!site.body) {
    os << "op: external";
    if (auto dispatch = dyn_cast<flow::DispatchOp>(site.op))
      os << " " << dispatch.getEntryPoints()[0];
    return text;
  }
  Operation *root = findRootOp(*site.body);
  if (!root) {
    describeCopy(*site.body, os);
    return text;
  }
  os << "op: " << root->getName();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(root)) {
    describeLinalg(linalgOp, os);
    return text;
  }
  for (Type result : root->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(result);
    if (!tensor)
      continue;
    os << " shape=" << printShape(tensor.getShape());
    describeTypes(tensor.getElementType(), os);
    break;
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Classes and extents
//===----------------------------------------------------------------------===//

static StringRef getClass(linalg::LinalgOp op) {
  if (linalg::isaContractionOpInterface(op))
    return "contraction";
  if (flow::isConvolution(op))
    return "convolution";
  if (flow::isPooling(op))
    return "pooling";
  return op.getNumReductionLoops() ? "reduction" : "elementwise";
}

std::string flow::describeExtents(const DispatchSite &site) {
  Operation *root = site.body ? findRootOp(*site.body) : nullptr;
  auto op = dyn_cast_if_present<linalg::LinalgOp>(root);
  if (!op)
    return root ? root->getName().getStringRef().str() : site.body ? "copy" : "external";
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> parallel, reduction;
  op.getParallelDims(parallel);
  op.getReductionDims(reduction);
  return (getClass(op) + " parallel=" + printSize(getProduct(parallel, ranges)) +
          " reduction=" + printSize(getProduct(reduction, ranges)) + " loops=" + printShape(ranges))
      .str();
}
