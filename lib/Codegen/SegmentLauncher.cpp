//===- SegmentLauncher.cpp - a segment as a kernel that launches others ---===//

#include "SegmentLauncher.h"

#include "NPU/Codegen/Steps.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npu;

SmallVector<Value> npu::getSegmentInputs(SegmentOp segment) {
  llvm::SetVector<Value> inputs;
  for (Operation &op : segment.getBody().front())
    for (Value operand : op.getOperands())
      if (operand.getParentRegion() != &segment.getBody())
        inputs.insert(operand);
  return inputs.takeVector();
}

/// Memory for a tensor: bytes, as kernels may see it in different shapes and element types.
static MemRefType getMemoryType(Type type) {
  MLIRContext *context = type.getContext();
  return MemRefType::get(getByteSize(cast<ShapedType>(type)), IntegerType::get(context, 8),
                         MemRefLayoutAttrInterface(),
                         MemorySpaceAttr::get(context, MemorySpace::Dram));
}

LogicalResult npu::checkSegment(SegmentOp segment) {
  Block &body = segment.getBody().front();
  for (Operation &op : body.without_terminator())
    if (!llvm::isa<flow::DispatchOp, flow::TensorReshapeOp>(op))
      return op.emitOpError("is in a segment, expected flow.dispatch and flow.tensor.reshape only");
  llvm::SmallDenseSet<Value> yielded;
  for (Value value : body.getTerminator()->getOperands())
    if (!value.getDefiningOp<flow::DispatchOp>() || value.getParentBlock() != &body ||
        !yielded.insert(value).second)
      return body.getTerminator()->emitOpError("expected results of the segment's dispatches, each "
                                               "once; reshape them after the segment");
  return success();
}

/// What the program gives back.
static SmallVector<Value> getOutputs(SegmentOp segment, SegmentOutputs outputs) {
  if (outputs == SegmentOutputs::Results)
    return llvm::to_vector(segment.getBody().front().getTerminator()->getOperands());
  SmallVector<Value> results;
  for (auto dispatch : segment.getBody().getOps<flow::DispatchOp>())
    llvm::append_range(results, dispatch.getResults());
  return results;
}

void npu::populateLaunchedForm(OpPassManager &pm) {
  populateTileFormPipeline(pm);
  pm.addNestedPass<KernelOp>(createNPUDistributeClusters());
}

KernelOp npu::createLauncher(SegmentOp segment, SegmentOutputs outputs,
                             const SegmentSchedule &schedule) {
  MLIRContext *context = segment.getContext();
  OpBuilder builder(context);
  Location loc = segment.getLoc();
  SmallVector<Value> inputs = getSegmentInputs(segment);
  SmallVector<Value> results = getOutputs(segment, outputs);
  SmallVector<Type> types;
  for (Value value : llvm::concat<Value>(inputs, results))
    types.push_back(getMemoryType(value.getType()));

  KernelOp first = schedule.windows.front().kernel;
  auto kernel = KernelOp::create(builder, loc, "segment", builder.getFunctionType(types, {}),
                                 first.getTargetAttr());
  if (schedule.prefetch > 0)
    kernel.setPrefetch(schedule.prefetch);
  Block *entry = builder.createBlock(&kernel.getBody());
  DenseMap<Value, Value> memoryOf;
  for (auto [index, type] : llvm::enumerate(types)) {
    Value argument = entry->addArgument(type, loc);
    bool isInput = index < inputs.size();
    memoryOf[isInput ? inputs[index] : results[index - inputs.size()]] = argument;
    if (!isInput)
      kernel.setArgAttr(index, KernelOp::kOutputAttrName, builder.getUnitAttr());
  }
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  for (const KernelWindow &window : schedule.windows) {
    KernelOp callee = window.kernel;
    Location launchLoc = callee.getLoc();
    SmallVector<Value> operands;
    for (Value input : window.inputs)
      operands.push_back(memoryOf.lookup(input));
    for (Value output : window.outputs) {
      Value &memory = memoryOf[output];
      if (!memory)
        memory = memref::AllocOp::create(builder, launchLoc, getMemoryType(output.getType()));
      operands.push_back(memory);
    }
    unsigned next = 0;
    for (auto [index, type] : llvm::enumerate(callee.getArgumentTypes()))
      if (!callee.getConstant(index)) {
        operands[next] = memref::ViewOp::create(builder, launchLoc, cast<MemRefType>(type),
                                                operands[next], zero, /*sizes=*/ValueRange());
        ++next;
      }
    LaunchOp::create(builder, launchLoc, callee.getSymName(), operands, window.dispatches.size());
  }
  ReturnOp::create(builder, loc);
  return kernel;
}

std::string npu::getLauncherKey(KernelOp launcher) {
  std::string text; // without locations
  llvm::raw_string_ostream os(text);
  launcher->print(os, OpPrintingFlags().useLocalScope());
  return text;
}
