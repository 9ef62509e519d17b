//===- CompareSchedules.cpp - what was predicted, and what it took --------===//

#include "NPU/Execution/ModelRunner.h"

#include "NPU/Support/EscapeText.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace npu;
using namespace npu::runtime;
using llvm::formatv;

namespace {
struct KernelTime {
  const DispatchRecord *first = nullptr;
  unsigned dispatches = 0;
};
} // namespace

static double getRatio(double part, double whole) { return whole == 0 ? 0 : part / whole; }

void RunReport::printSchedules(llvm::raw_ostream &os) const {
  // A loop runs a kernel more than once: a dispatch that comes again begins another run.
  std::vector<KernelTime> kernels;
  for (const DispatchRecord &dispatch : dispatches) {
    if (dispatch.placement != Placement::NPU)
      continue;
    if (dispatch.plan.kernel == dispatch.index)
      kernels.emplace_back().first = &dispatch;
    ++kernels.back().dispatches;
  }
  int64_t predicted = 0, cycles = 0;
  double worst = 0;
  for (const KernelTime &kernel : kernels) {
    const PlanRecord &plan = kernel.first->plan;
    const sim::Result &statistics = kernel.first->statistics;
    const Limit &own = kernel.first->limit;
    std::string name = kernel.dispatches == 1
                           ? formatv("#{0}", plan.kernel).str()
                           : formatv("#{0} and {1} more", plan.kernel, kernel.dispatches - 1).str();
    double error = 100 * (getRatio(plan.predictedCycles, statistics.cycles) - 1);
    os << formatv("Kernel of dispatch {0}: predicted {1}, simulated {2} ({3:F1} %), limit {4}, "
                  "{5:F2} x limit; DRAM {6} bytes\n",
                  name, plan.predictedCycles, statistics.cycles, error, own.getCycles(),
                  getRatio(statistics.cycles, own.getCycles()),
                  statistics.dramBytesRead + statistics.dramBytesWritten);
    if (!plan.schedule.empty())
      os << "  " << escapeText(plan.schedule) << "\n";
    predicted += plan.predictedCycles;
    cycles += statistics.cycles;
    worst = std::max(worst, std::abs(error));
  }
  os << formatv("{0} kernels: predicted {1}, simulated {2} ({3:F1} %, at most {4:F1} % of one), "
                "limit {5}, {6:F2} x limit\n",
                kernels.size(), predicted, cycles, 100 * (getRatio(predicted, cycles) - 1), worst,
                limit.getCycles(), getRatio(cycles, limit.getCycles()));
}
