//===- StageQueries.cpp - questions to a kernel's stages ------------------===//

#include "StageGraph.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"

using namespace mlir;
using namespace npu;
using namespace npu::tile;

std::optional<unsigned> StageGraph::findStage(StringRef name) const {
  for (auto [number, stage] : llvm::enumerate(stages))
    if (stage.name == name)
      return number;
  return std::nullopt;
}

std::optional<unsigned> StageGraph::findDim(StringRef name) const {
  for (auto [number, dim] : llvm::enumerate(dims))
    if (dim.name == name)
      return number;
  auto [stageName, dimName] = name.split('.');
  std::optional<unsigned> stage = findStage(stageName);
  if (!stage)
    return std::nullopt;
  const StageOp &root = stages[*stage].getRoot();
  NPUComputeOpInterface op = root.op;
  for (auto [number, dim] : llvm::zip_equal(root.dims, op.getTileDims(target)))
    if (dim.name == dimName)
      return number;
  return std::nullopt;
}

bool StageGraph::readsOwnIndex(const StageOperand &operand, unsigned dim) const {
  auto isPlain = [&](const Axis &axis) {
    return axis.terms.size() == 1 && axis.terms[0].dim == dim && axis.terms[0].coefficient == 1 &&
           axis.offset == 0;
  };
  ArrayRef<Axis> written = values[*operand.value].buffer.axes, read = operand.buffer.axes;
  return written.size() == read.size() && llvm::any_of(llvm::zip(written, read), [&](auto axes) {
           return isPlain(std::get<0>(axes)) && isPlain(std::get<1>(axes));
         });
}

std::optional<ClusterSplit> StageGraph::findSharedDim() const {
  for (unsigned number = 0; number < dims.size(); ++number) {
    int64_t count = getClusterCount(dims[number], dims[number].extent, target);
    auto has = [&](const Stage &stage) {
      return llvm::is_contained(stage.getRoot().dims, number) &&
             !llvm::is_contained(stage.getReductionDims(), number) &&
             llvm::all_of(stage.operands, [&](const StageOperand &operand) {
               return !operand.value || readsOwnIndex(operand, number);
             });
    };
    auto moves = [&](const StageValue &value) {
      return !value.escapes || llvm::any_of(value.buffer.axes, [&](const Axis &axis) {
        return llvm::any_of(axis.terms, [&](Term term) { return term.dim == number; });
      });
    };
    if (dims[number].isUnit && count > 1 && llvm::all_of(stages, has) &&
        llvm::all_of(values, moves))
      return ClusterSplit{number, count};
  }
  return std::nullopt;
}

unsigned StageGraph::getBufferRoot(unsigned value) const {
  while (values[value].inPlaceOf != value)
    value = values[value].inPlaceOf;
  return value;
}

SmallVector<Axis> StageGraph::getScratchAxes(unsigned index) const {
  return values[index].buffer.axes;
}

void StageGraph::nameStages() const {
  for (const Stage &stage : stages)
    for (const StageOp &op : stage.ops)
      op.op.setStage(stage.name);
}

unsigned npu::countStageGroups(KernelOp kernel) {
  FailureOr<StageGraph> graph = StageGraph::analyze(kernel);
  return succeeded(graph) ? graph->numGroups : 0;
}
