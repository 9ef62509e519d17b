//===- StraightenHost.cpp - host functions without control flow -----------===//

#include "StraightenHost.h"

#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/HostReference/LocatedError.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/CFGToSCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace npu;
using namespace npu::taskgraph;
using runtime::makeOpError;

static bool isStraight(Region &body) {
  if (!body.hasOneBlock())
    return false;
  return llvm::none_of(body.front(), llvm::IsaPred<CallOpInterface, RegionBranchOpInterface>);
}

static int64_t countOps(Region &region) {
  int64_t count = 0;
  region.walk([&](Operation *) { ++count; });
  return count;
}

/// Whether `body` may have `added` more ops.
static bool hasRoom(Region &body, const APInt &added) {
  int64_t room = kStraightLineLimit - countOps(body);
  return room >= 0 && added.ule(room);
}

/// Fails if `added` more ops, which `op` becomes, are too many for `body`.
static llvm::Error requireRoom(Operation *op, Region &body, const APInt &added) {
  if (hasRoom(body, added))
    return llvm::Error::success();
  return makeOpError(op, "makes more than " + Twine(kStraightLineLimit) +
                             " ops of a function that a task graph has as straight-line code; run "
                             "the model with npu-run");
}

namespace {
/// Upstream's, which reports what it has no terminator for; that is reported here.
struct BlockLifting : ControlFlowToSCFTransformation {
  FailureOr<Operation *> createUnreachableTerminator(Location, OpBuilder &, Region &) override {
    return failure();
  }
};
} // namespace

/// Turns blocks into scf.
static llvm::Error liftBlocks(Region &body) {
  if (body.empty() || body.hasOneBlock())
    return llvm::Error::success();
  BlockLifting transformation;
  DominanceInfo dominance(body.getParentOp());
  if (failed(transformCFGToSCF(body, transformation, dominance)))
    return makeOpError(body.getParentOp(), "has branches without end or of unknown kinds, which "
                                           "cannot be loops and conditions in a task graph; run "
                                           "the model with npu-run");
  return llvm::Error::success();
}

static llvm::Error inlineCalls(Region &body) {
  InlinerInterface interface(body.getContext());
  InlinerConfig config;
  SymbolTableCollection symbols;
  // All that was ever inlined: recursion ends nowhere else.
  int64_t numInlined = 0;
  while (true) {
    CallOpInterface call;
    body.walk([&](CallOpInterface candidate) {
      call = candidate;
      return WalkResult::interrupt();
    });
    if (!call)
      return llvm::Error::success();
    auto callee = dyn_cast_or_null<CallableOpInterface>(call.resolveCallableInTable(&symbols));
    Region *code = callee ? callee.getCallableRegion() : nullptr;
    if (!code)
      return makeOpError(call, "calls a function without a body");
    if (llvm::Error error = liftBlocks(*code))
      return error;
    numInlined += countOps(*code);
    if (llvm::Error error = requireRoom(call, body, APInt(64, numInlined)))
      return error;
    if (failed(inlineCall(interface, config.getCloneCallback(), call, callee, code)))
      return makeOpError(call, "cannot be inlined, as a task graph needs; run the model with "
                               "npu-run");
    call->erase();
  }
}

/// Folds what constants decide. Loops that count are found among those that do not.
static LogicalResult foldConstants(Operation *host) {
  RewritePatternSet patterns(host->getContext());
  scf::populateUpliftWhileToForPatterns(patterns);
  PassManager pm(host->getContext(), host->getName().getStringRef());
  pm.addPass(createCanonicalizerPass());
  return success(succeeded(pm.run(host)) &&
                 succeeded(applyPatternsGreedily(host, std::move(patterns))) &&
                 succeeded(pm.run(host)));
}

/// Unrolls the outermost loops, on whose counters the bounds of inner ones may depend. Those that
/// would be too long stay.
static llvm::Error unrollLoops(Region &body) {
  while (true) {
    // Without it nothing is known to be constant, and all is reported where it stands.
    if (failed(foldConstants(body.getParentOp())))
      return llvm::Error::success();
    bool changed = false;
    for (auto loop : llvm::make_early_inc_range(body.getOps<scf::ForOp>())) {
      std::optional<APInt> count = loop.getStaticTripCount();
      if (!count || count->isZero())
        continue;
      // Saturated, as the product of a hostile count need not fit.
      APInt ops = count->zextOrTrunc(64).umul_sat(APInt(64, countOps(loop.getRegion())));
      if (!hasRoom(body, ops))
        continue;
      changed |= succeeded(loopUnrollFull(loop));
    }
    if (!changed)
      return llvm::Error::success();
  }
}

static llvm::Error straighten(Region &body) {
  if (isStraight(body))
    return llvm::Error::success();
  body.getContext()->loadDialect<arith::ArithDialect, scf::SCFDialect, ub::UBDialect>();
  if (llvm::Error error = liftBlocks(body))
    return error;
  if (llvm::Error error = inlineCalls(body))
    return error;
  return unrollLoops(body);
}

llvm::Error npu::taskgraph::straightenHost(ModuleOp module, FunctionOpInterface function) {
  for (auto initializer : module.getOps<util::InitializerOp>())
    if (llvm::Error error = straighten(initializer.getBody()))
      return error;
  return straighten(function.getFunctionBody());
}
