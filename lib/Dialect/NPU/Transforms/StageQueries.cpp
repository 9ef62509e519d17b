//===- StageQueries.cpp - questions to a kernel's stages ------------------===//

#include "StageAnalyzer.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Target/ISA/Instructions.h"

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
    int64_t count = getClusterCount(dims[number], dims[number].extent, target.clusters);
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

SmallVector<Axis> StageGraph::getScratchAxes(unsigned index) const {
  return values[index].buffer.axes;
}

/// The axis that moves with `dim`, one by one; nothing if it has none, `known` is set to false if
/// it moves otherwise.
static std::optional<unsigned> findAxis(const Buffer &buffer, unsigned dim, bool &isPlain) {
  std::optional<unsigned> found;
  for (auto [index, axis] : llvm::enumerate(buffer.axes)) {
    if (llvm::none_of(axis.terms, [&](Term term) { return term.dim == dim; }))
      continue;
    isPlain &= !found && axis.terms.size() == 1 && axis.terms[0].coefficient == 1 &&
               axis.offset == 0 && axis.span == 1;
    found = index;
  }
  return found;
}

Buffer npu::getPanelBuffer(Buffer buffer, const StagePanels &panels) {
  auto getRank = [&](unsigned axis) -> size_t {
    if (buffer.axes[axis].terms.empty())
      return panels.order.size();
    return llvm::find(panels.order, buffer.axes[axis].terms[0].dim) - panels.order.begin();
  };
  llvm::sort(buffer.order, [&](unsigned a, unsigned b) {
    return std::pair(getRank(a), a) < std::pair(getRank(b), b);
  });
  bool isPlain = true;
  if (!findAxis(buffer, panels.dim, isPlain))
    return buffer;
  buffer.panelColumns = panels.columns;
  buffer.hasPanelAxis = true;
  return buffer;
}

/// Whether the op computes elements one by one of others, so that more of them than there are, at
/// the end of a panel, do no harm.
static bool mayWorkInPanels(const StageOp &stageOp, const TargetDesc &target) {
  NPUComputeOpInterface op = stageOp.op;
  return op.getEngine() == Engine::Vpu && op.getDataOperands().size() > 1 && !stageOp.scratch &&
         llvm::all_of(op.getIteratorTypes(),
                      [](auto iterator) { return iterator == utils::IteratorType::parallel; }) &&
         llvm::none_of(op.getTileDims(target), [](const Dim &dim) { return dim.isWhole; });
}

/// Whether instructions have enough dimensions, as a dimension of panels becomes two. Two that lie
/// side by side in all operands are one if the reader's tiles have the inner one whole, as they
/// have those that they rarely split anyway, if it helps.
bool StageGraph::fitsVectorDims(unsigned number, StagePanels &panels) const {
  llvm::SmallSetVector<unsigned, 4> whole, reluctant;
  const StageOp &reader = stages[panels.reader].getRoot();
  for (auto [dim, own] : llvm::zip_equal(reader.dims, reader.op.getTileDims(target)))
    if (own.fixedTile == own.extent)
      whole.insert(dim);
    else if (own.isReluctant && own.fixedTile == 0)
      reluctant.insert(dim);
  if (fitsVectorDims(number, panels, whole))
    return true;
  panels.wholeDims = llvm::to_vector(reluctant);
  whole.insert_range(reluctant);
  return !reluctant.empty() && fitsVectorDims(number, panels, whole);
}

bool StageGraph::fitsVectorDims(unsigned number, const StagePanels &panels,
                                const llvm::SmallSetVector<unsigned, 4> &whole) const {
  return llvm::all_of(stages[number].ops, [&](const StageOp &stageOp) {
    NPUComputeOpInterface op = stageOp.op;
    unsigned result = valueNumbers.lookup(op->getResult(0));
    SmallVector<unsigned> order = getPanelBuffer(values[result].buffer, panels).getDims();
    auto hasDim = [&](OpOperand *operand, unsigned dim) {
      auto loaded = operandNumbers.find(operand);
      const Buffer &buffer = loaded == operandNumbers.end()
                                 ? values[valueNumbers.lookup(operand->get())].buffer
                                 : stages[number].operands[loaded->second].buffer;
      return llvm::is_contained(buffer.getDims(), dim);
    };
    size_t count = order.size() + llvm::is_contained(order, panels.dim);
    for (size_t i = 1; i < order.size(); ++i)
      count -=
          whole.contains(order[i]) && llvm::all_of(op.getDataOperands(), [&](OpOperand *operand) {
            return operand == &op.getDestinationOperand() ||
                   hasDim(operand, order[i - 1]) == hasDim(operand, order[i]);
          });
    return count <= isa::maxVectorDims;
  });
}

unsigned StageGraph::getStageRoot(unsigned value) const {
  for (unsigned next = values[value].inPlaceOf;
       next != value && values[next].stage == values[value].stage; next = values[value].inPlaceOf)
    value = next;
  return value;
}

bool StageGraph::mayReadByPanels(const StageOperand &operand, const StagePanels &panels) const {
  // What lies beyond the last column was never written.
  return operand.isAligned && !operand.isInitial && operand.buffer.panelColumns == 0 &&
         dims[panels.dim].extent % panels.columns == 0;
}

std::optional<StagePanels> StageGraph::findPanels(unsigned number) const {
  const Stage &stage = stages[number];
  if (stage.isArray)
    return std::nullopt;
  // One value leaves the stage, for one operand.
  std::optional<StagePanels> panels;
  for (unsigned value : valuesOfStage[number]) {
    if (!values[value].escapes)
      continue;
    if (panels || readersOfValue[value].size() != 1 ||
        llvm::any_of(results, [&](const StageResult &result) { return result.value == value; }))
      return std::nullopt;
    auto [reader, operand] = readersOfValue[value].front();
    const StageOperand &read = stages[reader].operands[operand];
    bool isPlain = read.isAligned && !read.isInitial && stages[reader].isArray;
    if (!read.buffer.hasPanelAxis || !isPlain)
      return std::nullopt;
    unsigned dim = read.buffer.getDims().front();
    findAxis(read.buffer, dim, isPlain);
    StagePanels found = {
        dim, read.buffer.panelColumns, read.buffer.getDims(), value, reader, operand, {}};
    const Buffer &root = values[getStageRoot(value)].buffer;
    if (!isPlain || getPanelBuffer(root, found).getDims() != read.buffer.getDims())
      return std::nullopt;
    panels = found;
  }
  if (!panels)
    return std::nullopt;
  bool isPlain = true;
  for (const StageOperand &operand : stage.operands)
    findAxis(operand.buffer, panels->dim, isPlain);
  for (unsigned value : valuesOfStage[number])
    findAxis(values[value].buffer, panels->dim, isPlain);
  if (!isPlain || !fitsVectorDims(number, *panels) ||
      !llvm::all_of(stage.ops, [&](const StageOp &op) { return mayWorkInPanels(op, target); }))
    return std::nullopt;
  return panels;
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
