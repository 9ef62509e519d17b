//===- TargetLegality.cpp - whether a target runs an op -------------------===//

#include "NPU/Dialect/NPU/Transforms/TargetLegality.h"

#include "NPU/Dialect/NPU/IR/ISATypes.h"
#include "NPU/Target/ISA/Timing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace npu;

bool npu::isElementType(Type type) { return getISAType(type).has_value(); }

/// The operand types with a rate: `i8, i16 x i8`.
static std::string getArrayTypes(const TargetDesc &target) {
  SmallVector<std::string> types;
  for (const auto &known : isa::EnumTraits<isa::MacType>::cases) {
    if (isa::getMacRate(target, known.value) == 0)
      continue;
    StringRef left = isa::toString(isa::getLeftType(known.value));
    StringRef right = isa::toString(isa::getRightType(known.value));
    types.push_back((left == right ? Twine(left) : left + " x " + right).str());
  }
  return llvm::join(types, ", ");
}

/// What an instruction holds of a stride or a dilation.
static constexpr int64_t maxWindowStep = isa::Window::Fields::stride_h.getMax();
static_assert(maxWindowStep == isa::Window::Fields::stride_w.getMax() &&
              maxWindowStep == isa::Window::Fields::dilation_h.getMax() &&
              maxWindowStep == isa::Window::Fields::dilation_w.getMax());

static std::optional<Rejection> getArrayLimit(NPUComputeOpInterface op, const TargetDesc &target) {
  auto conv = dyn_cast<ConvOp>(op.getOperation());
  if (conv) {
    SmallVector<int64_t> steps = conv.getStrideValues();
    llvm::append_range(steps, conv.getDilationValues());
    if (int64_t largest = *llvm::max_element(steps); largest > maxWindowStep)
      return Rejection(RejectionKind::WindowStep, Twine(largest));
  }
  Type left = getElementTypeOrSelf(op->getOperand(0)),
       right = getElementTypeOrSelf(op->getOperand(1));
  std::string types =
      left == right ? debugString(left) : debugString(left) + " x " + debugString(right);
  std::optional<isa::MacType> type = getMacType(left, right);
  if (type && isa::getMacRate(target, *type) > 0)
    return std::nullopt;
  return Rejection(RejectionKind::ArrayRate, types + " " + op->getName().stripDialect(),
                   getArrayTypes(target) + " on target '" + target.name + "'");
}

/// A float type among the operands and results that the vector unit computes with.
static Type findFloat(NPUComputeOpInterface op) {
  if (llvm::isa<CopyOp>(op.getOperation()) || op.getEngine() == Engine::Dmai) // move bits
    return {};
  for (OpOperand *operand : op.getDataOperands()) {
    // The factors of a requantization are part of the instruction, not of the float operations.
    auto requantize = dyn_cast<RequantizeOp>(op.getOperation());
    if (requantize && operand->get() == requantize.getScales())
      continue;
    if (Type type = getElementTypeOrSelf(operand->get()); ::mlir::isa<FloatType>(type))
      return type;
  }
  return {};
}

static std::string describeVectorOp(NPUComputeOpInterface op) {
  if (auto unary = dyn_cast<UnaryOp>(op.getOperation()))
    return stringifyUnaryKind(unary.getKind()).str();
  if (auto binary = dyn_cast<BinaryOp>(op.getOperation()))
    return stringifyBinaryKind(binary.getKind()).str();
  if (auto reduce = dyn_cast<ReduceOp>(op.getOperation()))
    return "reduce " + stringifyReduceKind(reduce.getKind()).str();
  if (auto pool = dyn_cast<PoolOp>(op.getOperation()))
    return "pool " + stringifyReduceKind(pool.getKind()).str();
  if (auto arg = dyn_cast<ArgReduceOp>(op.getOperation()))
    return stringifyArgReduceKind(arg.getKind()).str();
  if (auto cast = dyn_cast<CastOp>(op.getOperation()))
    return stringifyCastKind(cast.getKind()).str();
  return op->getName().stripDialect().str();
}

std::optional<Rejection> npu::getTargetLimit(Operation *op, const TargetDesc &target) {
  auto compute = dyn_cast<NPUComputeOpInterface>(op);
  if (!compute)
    return std::nullopt;
  if (compute.getEngine() == Engine::Mxu)
    return getArrayLimit(compute, target);
  if (target.vpuFloat != 0)
    return std::nullopt;
  if (Type type = findFloat(compute))
    return Rejection(RejectionKind::VectorFloat,
                     debugString(type) + " " + describeVectorOp(compute),
                     "integer ops on target '" + target.name + "'");
  return std::nullopt;
}

LogicalResult npu::checkTargetLimits(Operation *root, const TargetDesc &target) {
  // The ops that legalization made of one op of the model share its location: one error is enough.
  llvm::DenseSet<Attribute> reported;
  root->walk([&](NPUComputeOpInterface op) {
    std::optional<Rejection> limit = getTargetLimit(op, target);
    if (limit && reported.insert(LocationAttr(op.getLoc())).second)
      emitRejection(op, *limit);
  });
  return success(reported.empty());
}

/// Whether every element of a static slice is one of a tensor of `shape`. The verifier's products
/// may overflow, and it does not look at where slices backwards end.
static bool isInside(OffsetSizeAndStrideOpInterface slice, ArrayRef<int64_t> shape) {
  for (auto [extent, offset, size, stride] : llvm::zip_equal(
           shape, slice.getStaticOffsets(), slice.getStaticSizes(), slice.getStaticStrides())) {
    if (ShapedType::isDynamic(extent))
      continue;
    if (offset < 0 || size < 0 || offset > extent - (size > 0))
      return false;
    int64_t room = stride < 0 ? offset : extent - 1 - offset;
    if (size > 1 && (stride < -extent || stride > extent || size - 1 > room / std::abs(stride)))
      return false;
  }
  return true;
}

bool npu::isMovableSlice(Operation *op, bool isOfComputed) {
  auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
  auto isStatic = [](ArrayRef<int64_t> values) { return !ShapedType::isDynamicShape(values); };
  if (!slice || !isStatic(slice.getStaticOffsets()) || !isStatic(slice.getStaticSizes()) ||
      !isStatic(slice.getStaticStrides()))
    return false;
  // A load also goes backwards.
  ArrayRef<int64_t> strides = slice.getStaticStrides();
  if (auto extraction = dyn_cast<tensor::ExtractSliceOp>(op))
    return !llvm::is_contained(strides, 0) && llvm::isa<BlockArgument>(extraction.getSource()) &&
           isInside(slice, extraction.getSourceType().getShape());
  auto insertion = dyn_cast<tensor::InsertSliceOp>(op);
  if (!insertion || !insertion->hasOneUse() ||
      llvm::any_of(strides, [](int64_t stride) { return stride < 1; }) ||
      !isInside(slice, insertion.getDestType().getShape()))
    return false;
  auto dest = dyn_cast<BlockArgument>(insertion.getDest());
  Operation *user = *insertion->user_begin();
  return dest && dest.hasOneUse() && dest == dest.getOwner()->getArguments().back() &&
         user->hasTrait<OpTrait::IsTerminator>() && user->getNumOperands() == 1 &&
         (!isOfComputed || !llvm::isa<BlockArgument>(insertion.getSource()));
}

/// What instructions can address on any chip: the coordinates of a box, the bytes of a region.
static LogicalResult checkSize(KernelOp kernel, Type type, StringRef what, unsigned number) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return success();
  constexpr int64_t maxExtent = isa::BoxDim::Fields::high.getMax();
  int64_t bytes = getElementBytes(tensor);
  for (int64_t extent : tensor.getShape()) {
    if (extent > maxExtent || (extent > 0 && bytes > isa::maxRegionBytes / extent))
      return emitRejection(kernel, {RejectionKind::NotAddressable,
                                    debugString(type) + ", " + what + " " + Twine(number)});
    bytes *= extent;
  }
  return success();
}

/// What an instruction can name. Equal constants share one, and what a
/// result is inserted into is the result's.
static LogicalResult checkCount(KernelOp kernel) {
  llvm::DenseSet<Attribute> constants;
  kernel.walk([&](arith::ConstantOp constant) {
    if (::mlir::isa<TensorType>(constant.getType()))
      constants.insert(constant.getValue());
  });
  bool isInserted = false;
  kernel.walk([&](tensor::InsertSliceOp op) { isInserted = true; });
  size_t count = kernel.getNumArguments() + kernel.getNumResults() + constants.size() - isInserted;
  if (count > size_t(isa::maxRegions))
    return emitRejection(kernel, {RejectionKind::TensorCount, Twine(count)});
  return success();
}

LogicalResult npu::checkAddressable(KernelOp kernel) {
  for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (failed(checkSize(kernel, type, "argument", number)))
      return failure();
  for (auto [number, type] : llvm::enumerate(kernel.getResultTypes()))
    if (failed(checkSize(kernel, type, "result", number)))
      return failure();
  return checkCount(kernel);
}
