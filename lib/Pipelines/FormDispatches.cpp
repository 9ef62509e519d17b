//===- FormDispatches.cpp - the phases that a model lacks -----------------===//

#include "NPU/Pipelines/FormDispatches.h"

#include "DispatchScalars.h"
#include "NPU/Conversion/FuncToKernel/FuncToKernel.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DropEncodings.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/NPUISA/IR/NPUISA.h"
#include "NPU/Dialect/ONNX/IR/ONNXOps.h"
#include "NPU/Pipelines/Pipelines.h"
#include "NPU/Support/PassManagers.h"
#include "NPU/Support/PresentOps.h"
#include "NPU/Target/Desc/TargetDesc.h"
#include "Steps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// The phase
//===----------------------------------------------------------------------===//

namespace {
/// How far the front half has come. What follows is missing.
enum class Phase {
  Functions,  ///< `func.func` on tensors
  Host,       ///< `util.func`, what computes on tensors stands in it
  Regions,    ///< `flow.dispatch.region`
  Workgroups, ///< `flow.dispatch.workgroups`
  Done        ///< what computes is in executables, if anything is
};
} // namespace

static Phase getPhase(ModuleOp module) {
  bool hasHost = !module.getOps<util::FuncOp>().empty();
  if (!hasHost && module.getOps<flow::ExecutableOp>().empty())
    return Phase::Functions;
  PresentOps present(module);
  if (present.holdsAny<flow::DispatchRegionOp>())
    return Phase::Regions;
  if (present.holdsAny<flow::DispatchWorkgroupsOp>())
    return Phase::Workgroups;
  if (present.holdsAny<flow::ExecutableOp, flow::DispatchOp>())
    return Phase::Done;
  // Slices and reshapes, too, become the host's only then.
  bool hasWork = present.holdsAnyOf<linalg::LinalgDialect>() ||
                 present.holdsAny<tensor::CollapseShapeOp, tensor::EmptyOp, tensor::ExpandShapeOp,
                                  tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ReshapeOp,
                                  tensor::SplatOp>() ||
                 flow::findUndispatched(module);
  return hasWork ? Phase::Host : Phase::Done;
}

static void addPhasesAfter(OpPassManager &pm, Phase phase, bool keepIntegers = false) {
  FrontHalfOptions frontHalf;
  frontHalf.keepIntegers = keepIntegers;
  DispatchCreationOptions dispatchCreation;
  dispatchCreation.keepIntegers = keepIntegers;
  switch (phase) {
  case Phase::Functions:
    populateFrontHalfPipeline(pm, frontHalf);
    break;
  case Phase::Host:
    populateGlobalOptimizationPipeline(pm, GlobalOptimizationOptions());
    populateDispatchCreationPipeline(pm, dispatchCreation);
    populateFlowPipeline(pm, FlowOptions());
    break;
  case Phase::Regions:
    addFormationOfRegions(pm, dispatchCreation.mode);
    populateFlowPipeline(pm, FlowOptions());
    break;
  case Phase::Workgroups:
    populateFlowPipeline(pm, FlowOptions());
    break;
  case Phase::Done:
    break;
  }
}

static void addImport(OpPassManager &pm) {
  linalg_ext::addDecomposition(pm);
  pm.addPass(flow::createImportDispatches());
}

void npu::registerFrontHalfDialects(DialectRegistry &registry) {
  OpPassManager pm(ModuleOp::getOperationName());
  addPhasesAfter(pm, Phase::Functions);
  addImport(pm);
  pm.getDependentDialects(registry);
}

static LogicalResult runAfter(ModuleOp module, Phase phase, bool keepIntegers = false) {
  PassManager pm(module->getContext(), ModuleOp::getOperationName());
  addPhasesAfter(pm, phase, keepIntegers);
  addImport(pm);
  applyPassManagerOptions(pm);
  if (failed(runAndVerify(pm, module)))
    return failure();
  passScalarsAsTensors(module);
  return success();
}

/// Whether the target's vector unit has integers only.
static bool lacksFloats(const DispatchCompiler &compiler) {
  llvm::Expected<TargetDesc> target = parseTarget(compiler.getTarget());
  if (target)
    return target->vpuFloat == 0;
  llvm::consumeError(target.takeError()); // whoever compiles reports it
  return false;
}

LogicalResult npu::finishFrontHalf(ModuleOp module, const DispatchCompiler &compiler,
                                   bool fromInput) {
  Phase phase = getPhase(module);
  return runAfter(module, phase == Phase::Functions && !fromInput ? Phase::Done : phase,
                  lacksFloats(compiler));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

// Only a host function can have these.
static bool hasScalars(func::FuncOp function) {
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  return llvm::any_of(function.getArgumentTypes(), isScalar) ||
         llvm::any_of(function.getResultTypes(), isScalar);
}

static bool hasCalls(Operation *op) {
  return op->walk([](CallOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
}

bool npu::needsHostProgram(ModuleOp module) {
  return PresentOps(module)
      .holdsAnyOf<flow::FlowDialect, ml_program::MLProgramDialect, util::UtilDialect>();
}

/// Whether the function has far more contractions than one kernel of one group of stages, which has
/// one at most. It then need not be legalized as a whole to find that out. Equal ones may become
/// one and unused ones none, so a few say nothing.
static bool hasManyContractions(func::FuncOp function) {
  constexpr unsigned many = 64;
  unsigned count = 0;
  WalkResult result = function.walk([&](Operation *op) {
    bool isConvolution = llvm::isa<linalg::ConvolutionOpInterface>(op) &&
                         op->getName().stripDialect().starts_with("conv_");
    count += isConvolution ||
             llvm::isa<linalg::ContractionOpInterface, tosa::Conv2DOp, tosa::MatMulOp>(op);
    return count > many ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Whether the function's resources, which its kernel would have in itself, are more than the
/// target's memory on chip. They are the weights of a model then, maybe in a file that is larger
/// than the host's memory: nobody has to read them to find that out.
static bool hasWeights(func::FuncOp function, const DispatchCompiler &compiler) {
  llvm::Expected<TargetDesc> target = parseTarget(compiler.getTarget());
  if (!target) {
    llvm::consumeError(target.takeError()); // whoever compiles reports it
    return false;
  }
  int64_t left = target->sramBytes * target->clusters;
  WalkResult result = function.walk([&](arith::ConstantOp constant) {
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue()))
      if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
        left -= blob->getData().size();
    return left < 0 ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

FailureOr<bool> npu::needsFrontHalf(ModuleOp module, DispatchCompiler &compiler) {
  if (getPhase(module) != Phase::Functions)
    return false;
  if (needsHostProgram(module))
    return true;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate())
      continue;
    if (hasScalars(function) || hasCalls(function) || hasManyContractions(function) ||
        hasWeights(function, compiler))
      return true;
    FailureOr<std::vector<RejectedOp>> reasons = compiler.getReasons(function);
    if (failed(reasons))
      return failure();
    // What could be one kernel of several groups of stages is a model, too.
    if (!reasons->empty() || *compiler.getNumGroups(function) > 1)
      return true;
  }
  return false;
}

/// Refuses what has nothing to form dispatches of yet, or none left.
static LogicalResult checkIsModel(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (isa_and_nonnull<onnx_ir::ONNXDialect>(op->getDialect()))
      op->emitOpError("expected a model in linalg, tosa or of dispatches, found ONNX; run "
                      "npu-onnx-pipeline before");
    else if (llvm::isa<KernelOp, npu::isa::ProgramOp>(op))
      op->emitOpError("expected a model, found what is compiled; look at the input of "
                      "npu-codegen-pipeline or convert-func-to-kernel");
    else
      return WalkResult::advance();
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Whether each function of `module` became at most one dispatch of `formed`, and some did.
static bool isOneDispatchEach(ModuleOp module, ModuleOp formed) {
  if (needsHostProgram(module) || hasCalls(module) ||
      PresentOps(module).holdsAnyOf<tosa::TosaDialect>())
    return false;
  llvm::SmallDenseSet<Operation *> hosts;
  for (const flow::DispatchSite &site : flow::collectDispatches(formed))
    if (!hosts.insert(site.op->getParentWithTrait<OpTrait::IsIsolatedFromAbove>()).second)
      return false;
  return !hosts.empty();
}

/// How many functions of dispatches the NPU runs.
static FailureOr<unsigned> countAccepted(ModuleOp module, DispatchCompiler &compiler) {
  llvm::SmallSetVector<func::FuncOp, 8> functions;
  for (const flow::DispatchSite &site : flow::collectDispatches(module))
    if (auto function =
            site.body ? dyn_cast<func::FuncOp>(site.body->getParentOp()) : func::FuncOp();
        function && hasTensors(function))
      functions.insert(function);
  if (failed(compiler.legalize(functions.getArrayRef())))
    return failure();
  return llvm::count_if(
      functions, [&](func::FuncOp function) { return compiler.getReasons(function)->empty(); });
}

/// Whether functions that are one dispatch each may stay: forming it changes no answer.
static FailureOr<bool> mayStay(ModuleOp module, ModuleOp formed, DispatchCompiler &compiler) {
  if (llvm::any_of(module.getOps<func::FuncOp>(), hasScalars))
    return false;
  FailureOr<unsigned> before = countAccepted(module, compiler);
  FailureOr<unsigned> after = countAccepted(formed, compiler);
  if (failed(before) || failed(after))
    return failure();
  return *before >= *after;
}

FailureOr<OwningOpRef<ModuleOp>> npu::formDispatches(ModuleOp module, DispatchCompiler &compiler,
                                                     bool asTheyStand) {
  if (failed(checkIsModel(module)))
    return failure();
  OwningOpRef<ModuleOp> plain = module.clone();
  if (failed(flow::dropEncodings(*plain)))
    return failure();
  module = *plain;
  OwningOpRef<ModuleOp> copy = module.clone();
  if (asTheyStand &&
      PresentOps(module).holdsAny<flow::DispatchRegionOp, flow::DispatchWorkgroupsOp>())
    return copy;
  Phase phase = getPhase(module);
  if (phase == Phase::Functions) {
    FailureOr<bool> isModel = needsFrontHalf(module, compiler);
    if (failed(isModel))
      return failure();
    if (!*isModel)
      return copy;
  }
  if (failed(runAfter(*copy, phase, lacksFloats(compiler))))
    return failure();
  if (phase != Phase::Functions || !isOneDispatchEach(module, *copy))
    return copy;
  FailureOr<bool> stays = asTheyStand ? true : mayStay(module, *copy, compiler);
  if (failed(stays))
    return failure();
  if (*stays)
    copy = module.clone();
  return copy;
}
