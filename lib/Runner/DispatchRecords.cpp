//===- DispatchRecords.cpp - what dispatches are in a report --------------===//

#include "DispatchRunner.h"
#include "KernelNames.h"

#include "NPU/Roofline/DispatchNodes.h"
#include "NPU/Support/SourceNames.h"

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
  return std::move(report);
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
