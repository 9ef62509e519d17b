//===- ScheduleAttr.cpp - schedules as attributes -------------------------===//

#include "KernelModel.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace npu;
using namespace npu::tile;

void npu::writeSchedule(KernelModel &model, const Schedule &schedule) {
  Builder builder(model.kernel.getContext());
  SmallVector<int64_t> sizes;
  for (auto [dim, tile] : llvm::zip(model.problem.dims, schedule.tiles))
    sizes.push_back(tile == dim.extent ? 0 : tile);
  model.root.setTileSizes(sizes);
  model.kernel.setClusterAttr(
      ClusterAttr::get(model.kernel.getContext(), schedule.clusterDim, schedule.clusterCount));
  auto toArray = [&](const auto &values) {
    return builder.getDenseI64ArrayAttr(SmallVector<int64_t>(values.begin(), values.end()));
  };
  model.kernel->setAttr(
      kScheduleAttrName,
      builder.getDictionaryAttr({builder.getNamedAttr("order", toArray(schedule.order)),
                                 builder.getNamedAttr("levels", toArray(schedule.levels)),
                                 builder.getNamedAttr("depths", toArray(schedule.depths))}));
}

/// The named array of `schedule`, if it has one of values in [least, most].
static FailureOr<SmallVector<int64_t>> readArray(KernelModel &model, DictionaryAttr schedule,
                                                 StringRef name, size_t size, int64_t least,
                                                 int64_t most) {
  auto array = schedule.getAs<DenseI64ArrayAttr>(name);
  auto isInRange = [&](int64_t value) { return value >= least && value <= most; };
  if (!array || array.size() != static_cast<int64_t>(size) ||
      !llvm::all_of(array.asArrayRef(), isInRange))
    return model.kernel.emitOpError("expected '")
           << name << "' of '" << kScheduleAttrName << "' to be " << size << " i64 values between "
           << least << " and " << most << "; remove the attribute to have it chosen";
  return llvm::to_vector(array.asArrayRef());
}

FailureOr<std::optional<Schedule>> npu::readSchedule(KernelModel &model) {
  auto attr = model.kernel->getAttrOfType<DictionaryAttr>(kScheduleAttrName);
  if (!attr)
    return std::optional<Schedule>();
  const Problem &problem = model.problem;
  Schedule schedule;
  SmallVector<unsigned> loops;
  for (auto [index, dim] : llvm::enumerate(problem.dims)) {
    int64_t whole = dim.isUnit ? 1 : dim.extent;
    schedule.tiles.push_back(dim.fixedTile > 0 ? std::min(dim.fixedTile, whole) : whole);
    if (schedule.tiles.back() < dim.extent)
      loops.push_back(index);
  }
  size_t numBuffers = problem.buffers.size();
  auto order = readArray(model, attr, "order", loops.size(), 0, problem.dims.size() - 1);
  auto levels = readArray(model, attr, "levels", numBuffers, 0, loops.size());
  auto depths = readArray(model, attr, "depths", numBuffers, 1, 16);
  if (failed(order) || failed(levels) || failed(depths))
    return failure();
  schedule.order.assign(order->begin(), order->end());
  schedule.levels.assign(levels->begin(), levels->end());
  schedule.depths.assign(depths->begin(), depths->end());
  if (problem.fixedSplit) {
    schedule.clusterDim = problem.fixedSplit->dim;
    schedule.clusterCount = problem.fixedSplit->count;
  }
  bool areReductionsLast = llvm::is_sorted(schedule.order, [&](unsigned a, unsigned b) {
    return !problem.dims[a].isReduction && problem.dims[b].isReduction;
  });
  if (SmallVector<unsigned> sorted(schedule.order);
      !areReductionsLast || (llvm::sort(sorted), sorted != loops))
    return model.kernel.emitOpError("expected 'order' of '")
           << kScheduleAttrName
           << "' to name every dimension with more than one tile once, reductions last; remove the "
              "attribute to have it chosen";
  unsigned numParallel = schedule.getNumParallelLoops(problem);
  for (auto [index, buffer] : llvm::enumerate(problem.buffers)) {
    unsigned level = schedule.levels[index];
    bool isPlaced =
        buffer.isLoaded() ? isLevelLegal(problem, schedule, index, level) : level == numParallel;
    if (!isPlaced)
      return model.kernel.emitOpError("level ")
             << level << " of '" << kScheduleAttrName << "' is not possible for the " << buffer.name
             << "; remove the attribute to have it chosen";
  }
  Footprint footprint = getFootprint(problem, schedule);
  if (footprint.sramBytes > model.target.sramBytes || footprint.accBytes > model.target.accBytes)
    return reportDoesNotFit(model, schedule);
  return std::optional<Schedule>(schedule);
}

LogicalResult npu::reportDoesNotFit(KernelModel &model, const Schedule &schedule) {
  const Problem &problem = model.problem;
  Footprint footprint = getFootprint(problem, schedule);
  bool isAcc = footprint.accBytes > model.target.accBytes;
  const char *memory = isAcc ? "accumulator memory" : "SRAM";
  std::string needed, limit;
  llvm::raw_string_ostream os(needed);
  os << (isAcc ? footprint.accBytes : footprint.sramBytes) << " bytes of " << memory
     << " for the tile";
  bool isFixed = false;
  for (auto [dim, size] : llvm::zip(problem.dims, schedule.tiles)) {
    os << ' ' << dim.name << '=' << size;
    isFixed |= dim.fixedTile > 0;
  }
  llvm::raw_string_ostream(limit) << "at most "
                                  << (isAcc ? model.target.accBytes : model.target.sramBytes)
                                  << " bytes on target '" << model.target.name << "'";
  InFlightDiagnostic diagnostic =
      emitRejection(model.root, {RejectionKind::DoesNotFit, needed, limit});
  if (isFixed)
    diagnostic.attachNote() << "remove the tile attributes to have tiles chosen";
  for (auto [index, buffer] : llvm::enumerate(problem.buffers)) {
    std::string shape;
    llvm::raw_string_ostream os(shape);
    llvm::interleave(getBufferShape(problem, schedule, index), os, "x");
    diagnostic.attachNote(model.root.getLoc())
        << buffer.name << ": " << shape << " elements of " << buffer.elementBytes << " bytes, "
        << schedule.depths[index] << " times " << getSlotBytes(problem, schedule, index)
        << " bytes of " << (buffer.role == BufferRole::Accumulator ? "accumulator memory" : "SRAM");
  }
  return diagnostic;
}
