//===- DispatchRecords.cpp - what dispatches are in a report --------------===//

#include "Advisor.h"
#include "DispatchRunner.h"
#include "NPU/Execution/KernelNames.h"

#include "NPU/Codegen/ScheduleFile.h"
#include "NPU/Roofline/DispatchNodes.h"
#include "NPU/Support/SourceNames.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

SmallVector<PlanRecord> npu::runtime::describePlans(const CompiledProgram &program,
                                                    ArrayRef<unsigned> dispatches) {
  PlanRecord plan;
  isa::ProgramOp op = program.op;
  if (isa::PlanAttr planned = op.getPlanAttr()) {
    plan.sramBytes = planned.getSram();
    plan.accBytes = planned.getAcc();
  }
  SmallVector<PlanRecord> plans;
  for (const PlannedKernel &kernel : program.kernels) {
    plan.kernel = dispatches[plans.size()];
    plan.tile.clear();
    plan.schedule.clear();
    llvm::raw_string_ostream tile(plan.tile);
    if (TilingAttr tiling = kernel.tiling)
      llvm::interleaveComma(
          llvm::zip_equal(tiling.getDims(), tiling.getSizes()), tile,
          [&](auto dim) { tile << std::get<0>(dim).getValue() << " = " << std::get<1>(dim); });
    if (kernel.schedule)
      llvm::raw_string_ostream(plan.schedule) << kernel.schedule;
    plan.predictedCycles = kernel.schedule ? kernel.schedule.getCycles() : 0;
    plans.append(kernel.numDispatches, plan);
  }
  return plans;
}

const Roofline &DispatchRunner::getRoofline(func::FuncOp function) {
  auto [known, isNew] = rooflines.try_emplace(function);
  if (isNew)
    known->second = computeRoofline(function, target);
  return known->second;
}

const Roofline &DispatchRunner::getRoofline(flow::DispatchOp dispatch) {
  return getRoofline(llvm::cantFail(getFunction(numbers.lookup(dispatch))));
}

void DispatchRunner::addLimit(DispatchRecord &record, func::FuncOp function) {
  const Roofline &alone = getRoofline(function);
  record.peakMacRate = alone.peakMacRate;
  record.limit = computeLimit(makeLimitNode(alone), target);
}

/// The number of dispatches of each kernel.
static SmallVector<unsigned> getKernelSizes(const CompiledProgram &program) {
  return llvm::map_to_vector(program.kernels,
                             [](const PlannedKernel &kernel) { return kernel.numDispatches; });
}

std::vector<DispatchRecord> DispatchRunner::makeRecords(SegmentOp segment,
                                                        const CompiledProgram &program) {
  auto dispatches = llvm::to_vector(segment.getBody().getOps<flow::DispatchOp>());
  SmallVector<unsigned> indices = getNumbers(segment);
  std::vector<LimitNode> nodes =
      collectLimitNodes(dispatches, [&](flow::DispatchOp dispatch) -> const Roofline & {
        return getRoofline(dispatch);
      });
  std::vector<DispatchRecord> records;
  for (auto [index, plan] : llvm::zip_equal(indices, describePlans(program, indices))) {
    DispatchRecord &record = records.emplace_back(makeRecord(index));
    record.plan = std::move(plan);
  }
  SmallVector<unsigned> numDispatches = getKernelSizes(program);
  size_t first = 0;
  for (auto [count, limit] :
       llvm::zip_equal(numDispatches, computeKernelLimits(nodes, numDispatches, target))) {
    records[first].limit = limit;
    for (unsigned end = first + count, number = first; number < end; ++number)
      records[first].peakMacRate =
          std::max(records[first].peakMacRate, nodes[number].alone.peakMacRate);
    first += count;
  }
  return records;
}

void DispatchRunner::addShares(MutableArrayRef<DispatchRecord> records,
                               const CompiledProgram &program, const sim::Result &whole) const {
  SmallVector<unsigned> numParts = getKernelSizes(program);
  for (auto [count, share] : llvm::zip_equal(numParts, splitByKernel(whole, numParts))) {
    records.front().statistics = std::move(share);
    if (numParts.size() > 1)
      records.front().programCycles = whole.cycles;
    records = records.drop_front(count);
  }
}

RunReport DispatchRunner::takeReport() {
  DenseMap<unsigned, int64_t> numRuns;
  for (const DispatchRecord &record : report.dispatches)
    if (record.placement == Placement::NPU && !record.isExternal)
      ++numRuns[record.index];
  SmallVector<flow::DispatchOp> dispatches;
  SmallVector<int64_t> counts;
  for (auto [index, site] : llvm::enumerate(sites))
    if (auto dispatch = dyn_cast<flow::DispatchOp>(site.op); dispatch && numRuns.contains(index)) {
      dispatches.push_back(dispatch);
      counts.push_back(numRuns[index]);
    }
  report.limit = computeNetworkLimit(
      dispatches, counts,
      [&](flow::DispatchOp dispatch) -> const Roofline & { return getRoofline(dispatch); }, target);
  // A function that is a program of its own.
  for (const DispatchRecord &record : report.dispatches)
    if (dispatches.empty() && record.placement == Placement::NPU)
      report.limit = record.limit;
  report.losses = collectLosses(report);
  adviseOnLosses();
  return std::move(report);
}

std::vector<Loss> npu::runtime::collectLosses(const RunReport &report) {
  std::vector<Loss> losses;
  DenseMap<unsigned, size_t> lossOf; // by kernel: a loop runs it more than once
  DenseMap<unsigned, SmallVector<NamedDispatch>> named;
  for (const DispatchRecord &record : report.dispatches) {
    if (record.placement != Placement::NPU || record.isExternal)
      continue;
    SmallVector<NamedDispatch> &names = named[record.plan.kernel];
    if (llvm::none_of(names, [&](const NamedDispatch &n) { return n.index == record.index; }))
      names.push_back(
          {record.description, {record.layer, record.layerOp}, record.macs, record.index});
    if (record.isInOtherKernel() || record.limit.getCycles() == 0)
      continue;
    auto [known, isNew] = lossOf.try_emplace(record.index, losses.size());
    if (isNew)
      losses.push_back({record.index, "", 0, 0, {}});
    Loss &loss = losses[known->second];
    loss.cycles += report.isPlan ? record.plan.predictedCycles : record.statistics.cycles;
    loss.limit += record.limit.getCycles();
  }
  llvm::erase_if(losses, [](const Loss &loss) { return loss.getLost() <= 0; });
  for (Loss &loss : losses)
    loss.name = getKernelName(named[loss.kernel]);
  llvm::sort(losses, [](const Loss &a, const Loss &b) {
    return std::tuple(-a.getLost(), a.kernel) < std::tuple(-b.getLost(), b.kernel);
  });
  return losses;
}

OwningOpRef<KernelOp> DispatchRunner::cloneKernel(size_t record) {
  unsigned first = report.dispatches[record].index;
  if (auto function = dyn_cast<func::FuncOp>(sites[first].op))
    return compiler.clonePlainKernel(function);
  SmallVector<flow::DispatchOp> dispatches;
  for (; record < report.dispatches.size(); ++record) {
    const DispatchRecord &dispatch = report.dispatches[record];
    if (dispatch.placement != Placement::NPU || dispatch.plan.kernel != first ||
        (!dispatches.empty() && dispatch.index == first))
      break;
    auto op = dyn_cast<flow::DispatchOp>(sites[dispatch.index].op);
    if (!op)
      return {};
    dispatches.push_back(op);
  }
  return compiler.clonePlainKernel(dispatches);
}

void DispatchRunner::adviseOnLosses() {
  if (options.numAdvised == 0)
    return;
  size_t numKernels = llvm::count_if(report.dispatches, [](const DispatchRecord &dispatch) {
    return dispatch.placement == Placement::NPU && !dispatch.isInOtherKernel();
  });
  llvm::StringMap<const Loss *> known; // by what kernels compute
  for (Loss &loss : report.losses) {
    auto record = llvm::find_if(report.dispatches, [&](const DispatchRecord &dispatch) {
      return dispatch.index == loss.kernel;
    });
    OwningOpRef<KernelOp> kernel = cloneKernel(record - report.dispatches.begin());
    if (!kernel)
      continue;
    std::string key = ScheduleFile::getKey(*kernel);
    if (auto same = known.find(key); same != known.end()) {
      loss.advice = same->second->advice;
      for (Advice &advice : loss.advice)
        advice.cycles = double(advice.cycles) * loss.cycles / same->second->cycles;
      continue;
    }
    if (known.size() == options.numAdvised)
      break;
    known[key] = &loss;
    MLIRContext *context = KernelOp(*kernel).getContext();
    auto schedule =
        record->plan.schedule.empty()
            ? ScheduleAttr()
            : dyn_cast_or_null<ScheduleAttr>(parseAttribute(record->plan.schedule, context));
    AdvisedKernel advised{schedule,
                          options.schedule && options.schedule->isFollowed(),
                          loss.cycles,
                          record->limit.computeCycles * (loss.limit / record->limit.getCycles()),
                          record->limit.dramBytes,
                          /*isInProgram=*/numKernels > 1};
    loss.advice = advise(advised, KernelTrial(std::move(kernel)), target);
  }
}

DispatchRecord DispatchRunner::makeRecord(unsigned index) const {
  const PartitionedFunction &decision = *partition.find(index);
  DispatchRecord record;
  record.index = index;
  Operation *op = sites[index].op;
  Location loc =
      llvm::isa<func::FuncOp>(op) ? flow::getSourceLocation(sites[index]) : Location(op->getLoc());
  record.sources = getSourceNames(loc, /*withDirectory=*/false);
  record.description = decision.description;
  Region *body = sites[index].body;
  Layer layer = findLayer(body ? flow::findRootOp(*body) : nullptr, loc);
  record.layer = std::move(layer.name);
  record.layerOp = std::move(layer.op);
  record.placement = options.hostOnly ? Placement::Host : decision.placement;
  record.macs = decision.macs;
  for (const RejectedOp &reason : decision.reasons)
    llvm::raw_string_ostream(record.reasons.emplace_back()) << reason.rejection;
  if (record.placement == Placement::Host && record.reasons.empty())
    record.reasons.push_back("placed there by the user");
  return record;
}
