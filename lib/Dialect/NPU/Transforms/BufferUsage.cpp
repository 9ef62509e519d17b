//===- BufferUsage.cpp - on-chip buffers and who touches them -------------===//

#include "BufferUsage.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;

std::optional<Engine> npu::getExecutingEngine(Operation *op) {
  if (auto compute = dyn_cast<NPUComputeOpInterface>(op))
    return compute.getEngine();
  if (isa<FillOp>(op))
    return Engine::Vpu;
  if (isa<DmaLoadOp>(op))
    return Engine::DmaIn;
  if (isa<DmaStoreOp>(op))
    return Engine::DmaOut;
  return std::nullopt;
}

Value npu::getRootBuffer(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

SmallVector<BufferAccess> npu::getBufferAccesses(Operation *op) {
  SmallVector<BufferAccess> accesses;
  auto add = [&](Value memref, bool writes) {
    accesses.push_back({getRootBuffer(memref), writes});
  };
  if (auto load = dyn_cast<DmaLoadOp>(op)) {
    add(load.getSrc(), false);
    add(load.getDst(), true);
  } else if (auto store = dyn_cast<DmaStoreOp>(op)) {
    add(store.getSrc(), false);
    add(store.getDst(), true);
  } else if (auto fill = dyn_cast<FillOp>(op)) {
    add(fill.getDst(), true);
  } else if (auto compute = dyn_cast<NPUComputeOpInterface>(op)) {
    for (OpOperand *operand : compute.getDataOperands())
      add(operand->get(), operand == &compute.getDestinationOperand());
  }
  return accesses;
}

int64_t npu::getBufferBytes(MemRefType type) {
  return type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

int64_t npu::getSlotBytes(MemRefType type) {
  return llvm::alignTo(std::max<int64_t>(getBufferBytes(type), 1), bufferAlignment);
}

std::optional<int64_t> npu::getTripCount(scf::ForOp loop) {
  if (getConstantIntValue(loop.getLowerBound()) != 0 || getConstantIntValue(loop.getStep()) != 1)
    return std::nullopt;
  std::optional<int64_t> bound = getConstantIntValue(loop.getUpperBound());
  return bound ? std::optional(std::max<int64_t>(*bound, 0)) : std::nullopt;
}

FailureOr<TargetDesc> npu::getTarget(KernelOp kernel) {
  TargetAttr attr = kernel.getTargetAttr();
  if (!attr)
    return kernel.emitOpError(
        "expected a 'target' attribute, as in target = #npu.target<\"npu-v1\">");
  llvm::Expected<TargetDesc> target = parseTarget(attr.getName());
  if (!target)
    return kernel.emitOpError() << llvm::toString(target.takeError());
  return *target;
}

int64_t npu::getCapacity(const TargetDesc &target, MemorySpace space) {
  return space == MemorySpace::Acc ? target.accBytes : target.sramBytes;
}

std::vector<AllocationRequest> npu::getRequests(ArrayRef<PlannedBuffer> buffers) {
  std::vector<AllocationRequest> requests;
  for (const PlannedBuffer &buffer : buffers)
    requests.push_back({0, 1, buffer.getBytes()});
  return requests;
}

LogicalResult npu::emitDoesNotFit(KernelOp kernel, const TargetDesc &target, MemorySpace space,
                                  int64_t required, ArrayRef<PlannedBuffer> buffers) {
  InFlightDiagnostic diagnostic = kernel.emitOpError()
                                  << "requires " << required << " bytes of " << stringifyEnum(space)
                                  << " but target '" << target.name << "' has "
                                  << getCapacity(target, space) << ", choose smaller tiles";
  for (const PlannedBuffer &buffer : buffers)
    diagnostic.attachNote(buffer.loc) << "live at the peak: " << buffer.slotBytes << " bytes x "
                                      << buffer.depth << " for " << buffer.type;
  return diagnostic;
}
