//===- EnginePipeline.cpp - engines that wait for each other --------------===//

#include "EnginePipeline.h"

#include "mlir/Support/LLVM.h"

#include <algorithm>
#include <array>
#include <vector>

using namespace mlir;
using namespace npu::tile;

static constexpr size_t kNumEngines = 4;

double EnginePipeline::play(int64_t outer, int64_t inner, bool hasSkew) const {
  // When a step began and ended, per iteration of its loop.
  SmallVector<std::vector<std::pair<double, double>>> times(steps.size());
  std::array<double, kNumEngines> isFree = {}, isLast = {};
  auto run = [&](unsigned number) {
    const Step &step = steps[number];
    double begin = isFree[static_cast<size_t>(step.engine)];
    size_t iteration = times[number].size();
    for (unsigned source : step.sources) {
      // Of an outer loop's step the iteration of that; of the others those that are as far.
      bool isAround = steps[source].isOuter && !step.isOuter;
      const auto &ends = times[source];
      if (size_t index = isAround ? iteration / inner : iteration; index < ends.size())
        begin = std::max(begin, ends[index].second);
    }
    for (const Reader &reader : readers[number]) {
      int64_t last = static_cast<int64_t>(iteration) - step.depth;
      if (step.isOuter && !steps[reader.step].isOuter)
        last = (last + 1) * inner - 1;
      const auto &reads = times[reader.step];
      if (last >= 0 && last < static_cast<int64_t>(reads.size()))
        begin = std::max(begin, std::min(reads[last].first + reader.cycles, reads[last].second));
    }
    double ends = begin + step.cycles, paces = begin + step.pace;
    if (iteration == 0) {
      ends += step.first;
      paces += step.first;
    }
    double &end = isLast[static_cast<size_t>(step.engine)];
    end = std::max(end, ends);
    isFree[static_cast<size_t>(step.engine)] = paces;
    times[number].push_back({begin, end});
  };
  for (int64_t i = 0; i < outer; ++i) {
    for (unsigned number = 0; number < steps.size(); ++number)
      if (steps[number].isOuter)
        run(number);
    for (int64_t j = 0; j < inner + hasSkew; ++j)
      for (unsigned number = 0; number < steps.size(); ++number)
        if (!steps[number].isOuter && (steps[number].isSkewed ? j > 0 : j < inner))
          run(number);
  }
  return *std::max_element(isLast.begin(), isLast.end());
}

double EnginePipeline::getCycles(int64_t outer, int64_t inner, bool hasSkew) const {
  constexpr int64_t few = 8; // by then the pace is steady
  int64_t played = std::min(inner, few);
  double first = play(1, played, hasSkew), pace = 0;
  if (inner > few)
    pace = (first - play(1, few / 2, hasSkew)) / (few - few / 2);
  double rest = static_cast<double>(inner - played) * pace;
  if (outer == 1)
    return first + rest;
  double next = (play(3, played, hasSkew) - first) / 2;
  return first + rest + (outer - 1) * (next + rest);
}
