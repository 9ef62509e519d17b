//===- LinkKernels.cpp - kernels that others launch, in one kernel --------===//

#include "BufferUsage.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Support/PartLocation.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npu;

namespace npu {
#define GEN_PASS_DEF_NPULINKKERNELS
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

namespace {
/// Puts what launches do in their place.
class Linker {
public:
  explicit Linker(KernelOp kernel) : kernel(kernel) {}

  LogicalResult link(LaunchOp launch, KernelOp callee);
  /// Notes what is known of all that was linked.
  void finish() const;

private:
  Value getConstant(DenseElementsAttr contents, Type type, Location loc);

  mutable KernelOp kernel;
  /// Arguments that hold constants, those of equal ones once.
  DenseMap<std::pair<Attribute, Type>, Value> constants;
  unsigned numParts = 0; ///< of what was linked
  int64_t cycles = 0;    ///< predicted
};
} // namespace

Value Linker::getConstant(DenseElementsAttr contents, Type type, Location loc) {
  Value &argument = constants[{contents, type}];
  if (argument)
    return argument;
  unsigned position = 0;
  while (position < kernel.getNumArguments() && !kernel.isOutput(position))
    ++position;
  Builder builder(kernel.getContext());
  auto attributes =
      builder.getDictionaryAttr(builder.getNamedAttr(KernelOp::kConstantAttrName, contents));
  [[maybe_unused]] LogicalResult isInserted =
      kernel.insertArgument(position, type, attributes, loc);
  assert(succeeded(isInserted) && "a kernel takes any argument");
  return argument = kernel.getArgument(position);
}

LogicalResult Linker::link(LaunchOp launch, KernelOp callee) {
  if (failed(expectTileForm(callee)))
    return failure();
  IRMapping mapping;
  auto operands = launch.getOperands();
  unsigned next = 0;
  for (BlockArgument argument : callee.getArguments()) {
    DenseElementsAttr contents = callee.getConstant(argument.getArgNumber());
    mapping.map(argument, contents ? getConstant(contents, argument.getType(), argument.getLoc())
                                   : operands[next++]);
  }
  OpBuilder builder(launch);
  for (Operation &op : callee.getBody().front().without_terminator())
    builder.clone(op, mapping)->walk([&](Operation *inner) {
      inner->setLoc(getPartLocation(inner->getLoc(), numParts + getPart(inner->getLoc())));
    });
  numParts += launch.getParts();
  launch.erase();
  if (ScheduleAttr schedule = callee.getScheduleAttr())
    cycles += schedule.getCycles();
  return success();
}

/// A kernel waits for whole kernels before it, which is more than each of its accesses needs.
void Linker::finish() const {
  kernel.setScheduleAttr(ScheduleAttr::get(kernel.getContext(), ArrayRef<Attribute>(), cycles));
}

namespace {
struct LinkKernels : npu::impl::NPULinkKernelsBase<LinkKernels> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    llvm::SetVector<KernelOp> linked;
    WalkResult result = getOperation()->walk([&](KernelOp kernel) {
      SmallVector<LaunchOp> launches(kernel.getBody().getOps<LaunchOp>());
      Linker linker(kernel);
      for (LaunchOp launch : launches) {
        auto callee = symbols.lookupNearestSymbolFrom<KernelOp>(launch, launch.getCalleeAttr());
        if (failed(linker.link(launch, callee)))
          return WalkResult::interrupt();
        linked.insert(callee);
      }
      if (!launches.empty())
        linker.finish();
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    SymbolUserMap users(symbols, getOperation());
    for (KernelOp callee : linked)
      if (callee.isPrivate() && users.useEmpty(callee))
        callee.erase();
  }
};
} // namespace
