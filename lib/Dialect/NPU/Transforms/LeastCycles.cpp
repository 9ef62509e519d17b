//===- LeastCycles.cpp - what no schedule of a kernel is below ------------===//

#include "TileCost.h"

#include "mlir/Support/LLVM.h"

#include <algorithm>

using namespace mlir;
using namespace npu;
using namespace npu::tile;

double npu::tile::getLeastArrayCycles(const Problem &problem, const TargetDesc &target) {
  if (!problem.array)
    return 0;
  double macs = 1;
  for (const Dim &dim : problem.dims)
    macs *= dim.extent;
  return macs / problem.array->rate(target) / target.clusters;
}

double npu::tile::getLeastTransferCycles(const Problem &problem, const TargetDesc &target) {
  double bytes = 0;
  for (const Buffer &buffer : problem.buffers) {
    if (!buffer.isLoaded() || buffer.isFromChip)
      continue;
    double elements = 1;
    for (const Axis &axis : buffer.axes) {
      // Windows may leave out elements between, before and after them, or cover padding.
      int64_t touched = axis.span, span = axis.span;
      for (Term term : axis.terms) {
        touched *= problem.dims[term.dim].extent;
        span += term.coefficient * (problem.dims[term.dim].extent - 1);
      }
      elements *=
          std::max<int64_t>(1, std::min({touched, span, axis.extent}) - 2 * std::abs(axis.offset));
    }
    bytes += elements * buffer.elementBytes;
  }
  for (const Store &store : problem.stores) {
    double elements = !store.isLeftOut;
    for (const Axis &axis : store.axes)
      elements *= axis.extent;
    bytes += elements * problem.buffers[store.buffer].elementBytes;
  }
  return bytes / target.dramBytesPerCycle;
}

double npu::tile::getLeastCycles(const Problem &problem, const TargetDesc &target) {
  return std::max(getLeastArrayCycles(problem, target), getLeastTransferCycles(problem, target));
}
