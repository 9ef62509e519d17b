//===- Operands.cpp - memrefs, types and errors of the conversion ---------===//

#include "Operands.h"

#include "NPU/Dialect/NPU/IR/ISATypes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace npu;
using isa::Affine;

FailureOr<isa::ElementType> npu::convertElementType(Operation *op, Type type) {
  if (std::optional<isa::ElementType> known = getISAType(type))
    return *known;
  return op->emitOpError("expected elements of type i1, i8, i16, i32, f16, bf16 or f32 but found ")
         << type;
}

/// Elements from the start of the source to the start of the subview.
static FailureOr<Affine> convertSubviewOffset(Operation *op, memref::SubViewOp view,
                                              ArrayRef<int64_t> sourceStrides,
                                              const LoopScope &scope) {
  Affine offset;
  for (auto [index, stride] : llvm::zip_equal(view.getMixedOffsets(), sourceStrides)) {
    if (std::optional<int64_t> constant = getConstantIntValue(index)) {
      offset.base += *constant * stride;
      continue;
    }
    FailureOr<Affine> value = convertOffset(op, cast<Value>(index), scope);
    if (failed(value))
      return failure();
    offset = offset + *value * stride;
  }
  return offset;
}

FailureOr<ChipView> npu::convertChipView(Operation *op, Value memref, const LoopScope &scope) {
  auto type = cast<MemRefType>(memref.getType());
  FailureOr<isa::ElementType> elementType = convertElementType(op, type.getElementType());
  if (failed(elementType))
    return failure();
  int64_t elementBytes = isa::getByteSize(*elementType);

  ChipView view;
  view.type = *elementType;
  view.shape.assign(type.getShape().begin(), type.getShape().end());
  int64_t ignoredOffset;
  if (!type.hasStaticShape() || failed(type.getStridesAndOffset(view.strides, ignoredOffset)) ||
      llvm::any_of(view.strides, ShapedType::isDynamic))
    return op->emitOpError("expected on-chip buffers with static shapes and strides but found ")
           << type;
  for (int64_t &stride : view.strides)
    stride *= elementBytes;

  Affine offset;
  Value root = memref;
  while (!root.getDefiningOp<RingOp>()) {
    Operation *definition = root.getDefiningOp();
    if (auto subview = dyn_cast_or_null<memref::SubViewOp>(definition)) {
      SmallVector<int64_t> strides;
      if (failed(subview.getSourceType().getStridesAndOffset(strides, ignoredOffset)) ||
          llvm::any_of(strides, ShapedType::isDynamic))
        return op->emitOpError("expected views with static strides but found ")
               << subview.getSourceType();
      FailureOr<Affine> step = convertSubviewOffset(op, subview, strides, scope);
      if (failed(step))
        return failure();
      offset = offset + *step;
      root = subview.getSource();
      continue;
    }
    // These change the shape, not the place.
    if (dyn_cast_or_null<memref::CollapseShapeOp>(definition) ||
        dyn_cast_or_null<memref::ExpandShapeOp>(definition) ||
        dyn_cast_or_null<memref::CastOp>(definition)) {
      root = definition->getOperand(0);
      continue;
    }
    return op->emitOpError("expected on-chip operands to be views of an npu.ring");
  }
  auto ring = root.getDefiningOp<RingOp>();
  view.address.space =
      getMemorySpace(type) == MemorySpace::Acc ? isa::MemorySpace::Acc : isa::MemorySpace::Sram;
  view.address.base = offset * elementBytes + static_cast<int64_t>(*ring.getOffset());
  view.address.depth = ring.getDepth();
  if (ring.getDepth() > 1) {
    FailureOr<Affine> position = convertOffset(ring, ring.getPosition(), scope);
    if (failed(position))
      return failure();
    view.address.position = *position;
    view.address.slot_bytes = ring.getSlotBytes();
  }
  return view;
}

FailureOr<isa::Extent> npu::convertExtent(Operation *op, ValueRange extents, unsigned dim,
                                          int64_t full, const LoopScope &scope) {
  if (extents.empty())
    return isa::fixedExtent(full);
  FailureOr<isa::Extent> extent = scope.evaluateExtent(extents[dim], full);
  if (failed(extent))
    return op->emitOpError("expected extent ")
           << dim << " to be min(affine function of the loop counters, constant)";
  return extent;
}

bool npu::isFixedExtent(const isa::Extent &extent, int64_t elements) {
  return extent.full == elements && extent.limit == Affine(elements);
}

FailureOr<Affine> npu::convertOffset(Operation *op, Value value, const LoopScope &scope) {
  FailureOr<Affine> affine = scope.evaluateAffine(value);
  if (failed(affine)) {
    InFlightDiagnostic diagnostic =
        op->emitOpError("expected index values to be affine functions of the loop counters");
    diagnostic.attachNote(value.getLoc()) << "this value is not";
    return diagnostic;
  }
  return affine;
}

FailureOr<Accumulation> npu::convertAccumulation(Operation *op, ValueRange init, bool accumulate,
                                                 const LoopScope &scope) {
  Accumulation result;
  result.mode = accumulate ? isa::AccumulateMode::Always : isa::AccumulateMode::Never;
  for (Value value : init) {
    FailureOr<Affine> affine = scope.evaluateAffine(value);
    // Zero exactly where all its counters are zero, or nowhere.
    bool monotonic = succeeded(affine) && affine->base >= 0 &&
                     llvm::all_of(affine->coefficients, [](int64_t c) { return c >= 0; });
    if (!monotonic)
      return op->emitOpError("expected the values of 'init' to be sums of loop counters");
    if (affine->base > 0) {
      result.mode = isa::AccumulateMode::Always;
      result.counters = 0;
      return result;
    }
    for (auto [depth, coefficient] : llvm::enumerate(affine->coefficients))
      if (coefficient != 0)
        result.counters |= isa::CounterSet(1) << depth;
  }
  if (!init.empty())
    result.mode = result.counters ? isa::AccumulateMode::Unless : isa::AccumulateMode::Never;
  return result;
}

int64_t npu::getComputingBits(TypedAttr value) {
  if (auto real = dyn_cast<FloatAttr>(value)) {
    APFloat single = real.getValue();
    bool losesInfo;
    single.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &losesInfo);
    return single.bitcastToAPInt().getZExtValue();
  }
  auto integer = cast<IntegerAttr>(value);
  // Conditions are 0 or 1 in memory.
  int64_t number = integer.getType().isInteger(1) ? integer.getValue().getZExtValue()
                                                  : integer.getValue().getSExtValue();
  return static_cast<uint32_t>(number);
}

int64_t npu::getStoredBits(TypedAttr value) {
  if (auto real = dyn_cast<FloatAttr>(value))
    return real.getValue().bitcastToAPInt().getZExtValue();
  return cast<IntegerAttr>(value).getValue().getZExtValue();
}
