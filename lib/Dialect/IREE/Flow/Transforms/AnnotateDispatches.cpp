//===- AnnotateDispatches.cpp - name dispatches by what they compute ------===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace npu::flow {
#define GEN_PASS_DEF_ANNOTATEDISPATCHES
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"
} // namespace npu::flow

using namespace mlir;
using namespace npu;
using namespace npu::flow;

/// What a loop of unknown size counts.
static constexpr int64_t kDynamicLoopCost = 1024;

static int64_t getCost(linalg::LinalgOp op) {
  int64_t cost = 1;
  for (int64_t size : op.getStaticLoopRanges())
    cost *= ShapedType::isDynamic(size) ? kDynamicLoopCost : size;
  return op.getNumReductionLoops() ? 2 * cost : cost;
}

static std::string describeElementwise(linalg::GenericOp op) {
  bool yieldsInput = op.getBody()->getOperations().size() == 1;
  bool transposes = llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return map.isPermutation() && !map.isIdentity();
  });
  if (transposes)
    return yieldsInput ? "transpose" : "elementwise_transpose";
  bool broadcasts = op.getNumDpsInputs() && llvm::none_of(op.getDpsInputOperands(), [&](auto *in) {
                      return op.getMatchingIndexingMap(in).isPermutation();
                    });
  return broadcasts ? "elementwise_broadcast" : "elementwise";
}

static std::string describeContraction(linalg::LinalgOp op) {
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(op);
  if (failed(dims) || dims->k.empty())
    return "contract";
  if (dims->m.empty() != dims->n.empty())
    return "matvec_like";
  return dims->m.empty() ? "contract" : "matmul_like";
}

static std::string describeKind(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic)
    return op->getName().stripDialect().str();
  if (op.getNumReductionLoops() == 0)
    return describeElementwise(generic);
  if (linalg::isaContractionOpInterface(op))
    return describeContraction(op);
  return linalg::isaConvolutionOpInterface(op) ? "conv" : "reduction";
}

/// `matmul_128x512x256_f32`
static std::string describe(linalg::LinalgOp op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << describeKind(op) << "_";
  llvm::interleave(
      op.getStaticLoopRanges(), os,
      [&](int64_t size) {
        if (ShapedType::isDynamic(size))
          os << "D";
        else
          os << size;
      },
      "x");
  SmallVector<Type> types = llvm::map_to_vector(
      op->getOperandTypes(), [](Type type) { return getElementTypeOrSelf(type); });
  if (llvm::all_equal(types))
    types.resize(std::min<size_t>(types.size(), 1));
  os << "_";
  llvm::interleave(types, os, "x");
  // Types are words, except for a few, such as complex<f32>.
  for (char &c : text)
    if (!llvm::isAlnum(c) && c != '_')
      c = '_';
  return text;
}

/// `softmax_10xf32_dispatch_tensor_store`: an op that has no loops of its own is told by its result
/// and by what uses that.
static std::string describe(linalg::SoftmaxOp op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName().stripDialect() << "_";
  auto type = cast<ShapedType>(op.getInput().getType());
  for (int64_t size : type.getShape()) {
    if (ShapedType::isDynamic(size))
      os << "Dx";
    else
      os << size << "x";
  }
  os << type.getElementType();
  if (!op->use_empty())
    os << "_" << op->getUsers().begin()->getName().stripDialect();
  llvm::replace(text, '.', '_');
  return text;
}

/// What to append to the name of a dispatch function; empty if nothing is known of it.
static std::string summarize(FunctionOpInterface func) {
  linalg::LinalgOp best;
  linalg::SoftmaxOp softmax;
  bool movesOnly = true;
  func.walk([&](Operation *op) {
    if (auto softmaxOp = dyn_cast<linalg::SoftmaxOp>(op))
      softmax = softmaxOp;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (linalgOp && (!isa<linalg::FillOp>(op) || !best) &&
        (!best || isa<linalg::FillOp>(best) || getCost(linalgOp) >= getCost(best)))
      best = linalgOp;
    if (op != func &&
        !isa<tensor_ext::DispatchTensorLoadOp, tensor_ext::DispatchTensorStoreOp>(op) &&
        !op->hasTrait<OpTrait::IsTerminator>() && !op->hasTrait<OpTrait::ConstantLike>())
      movesOnly = false;
  });
  if (best)
    return describe(best);
  if (softmax)
    return describe(softmax);
  bool loads = !func.getFunctionBody().getOps<tensor_ext::DispatchTensorLoadOp>().empty();
  return movesOnly && loads ? "slow_memcpy" : "";
}

namespace {
struct AnnotateDispatches : npu::flow::impl::AnnotateDispatchesBase<AnnotateDispatches> {
  void runOnOperation() override {
    DenseMap<Attribute, Attribute> renamed;
    for (auto executable : getOperation().getOps<ExecutableOp>()) {
      ModuleOp module = executable.getInnerModule();
      if (!module)
        continue;
      for (auto exportOp : executable.getOps<ExecutableExportOp>())
        annotate(executable, module, exportOp, renamed);
    }
    getOperation().walk([&](DispatchOp dispatch) {
      dispatch.setEntryPointsAttr(ArrayAttr::get(
          &getContext(), llvm::map_to_vector(dispatch.getEntryPoints(), [&](Attribute entryPoint) {
            auto it = renamed.find(entryPoint);
            return it == renamed.end() ? entryPoint : it->second;
          })));
    });
  }

private:
  void annotate(ExecutableOp executable, ModuleOp module, ExecutableExportOp exportOp,
                DenseMap<Attribute, Attribute> &renamed) {
    FunctionOpInterface func = exportOp.getFunction();
    std::string summary = func && !func.isExternal() ? summarize(func) : "";
    if (summary.empty())
      return;
    StringAttr oldName = exportOp.getSymNameAttr();
    auto newName = StringAttr::get(&getContext(), oldName.getValue() + "_" + summary);
    if (SymbolTable::lookupSymbolIn(executable, newName) ||
        SymbolTable::lookupSymbolIn(module, newName))
      return;
    renamed[getReference(executable, oldName)] = getReference(executable, newName);
    exportOp.setSymNameAttr(newName);
    exportOp.setFunctionRefAttr(FlatSymbolRefAttr::get(newName));
    SymbolTable::setSymbolName(func, newName);
  }

  static SymbolRefAttr getReference(ExecutableOp executable, StringAttr name) {
    return SymbolRefAttr::get(executable.getSymNameAttr(), {FlatSymbolRefAttr::get(name)});
  }
};
} // namespace
