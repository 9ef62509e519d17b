//===- ArrayEngine.cpp - mxu.matmul, mxu.conv and mxu.depthwise -----------===//

#include "Executor.h"

#include <cstring>

using namespace llvm;
using namespace npu;
using namespace npu::sim;

Error Executor::requireSpaces(NamedAddress left, NamedAddress right, const isa::Address &out,
                              const isa::Accumulate &accumulate) const {
  if (Error error = requireSpace(left.address, isa::MemorySpace::Sram, left.name))
    return error;
  if (Error error = requireSpace(right.address, isa::MemorySpace::Sram, right.name))
    return error;
  if (Error error = requireSpace(accumulate.start, isa::MemorySpace::Sram, "start"))
    return error;
  return requireSpace(out, isa::MemorySpace::Acc, "out");
}

/// Steps of two nested loops over the same axis: `outer` steps of `stride`, `inner` of `dilation`.
/// Where they meet, the positions are simply consecutive.
static void addSteps(SmallVectorImpl<Box::Dim> &dims, int64_t pitch, int64_t outer, int64_t stride,
                     int64_t inner, int64_t dilation) {
  bool isDense = (dilation == 1 && stride <= inner) || (stride == 1 && dilation <= outer);
  if (isDense && stride > 0 && dilation > 0) {
    dims.push_back({pitch, (outer - 1) * stride + (inner - 1) * dilation + 1});
    return;
  }
  dims.push_back({pitch * stride, outer});
  dims.push_back({pitch * dilation, inner});
}

Error Executor::readPanels(Memory &memory, int64_t base, int64_t panelBytes,
                           ArrayRef<Box::Dim> taps, int64_t columns, int64_t elementBytes) {
  int64_t full = columns / target.macCols, rest = columns % target.macCols;
  Box box{base, elementBytes, {{panelBytes, full + (rest > 0)}, {elementBytes, target.macCols}}};
  box.dims.append(taps.begin(), taps.end());
  // The last panel is whole as well, whatever is used of it.
  if (hasData)
    if (Error error = checkBounds(memory, box))
      return error;
  box.dims.front().count = full;
  if (Error error = tracker.read(memory, box))
    return error;
  Box last{base + full * panelBytes, elementBytes, {{elementBytes, rest}}};
  last.dims.append(taps.begin(), taps.end());
  return tracker.read(memory, last);
}

Expected<int64_t> Executor::countMacs(int64_t pixels, ArrayRef<int64_t> extents) const {
  // A pixel takes at least a cycle, whatever it adds up.
  Expected<int64_t> work = countWork({pixels}, 1);
  if (!work)
    return work;
  SmallVector<int64_t> all(extents);
  all.push_back(pixels);
  return countWork(all, target.macRows * target.macCols);
}

/// Reads the bias, and writes it to the result unless that is to be continued.
Error Executor::readBias(const isa::Address &start, const ArrayProblem &problem,
                         const Box &result) {
  ClusterMemories &memories = clusters[cluster];
  Box bias{isa::evaluate(start, counters), 4, {{4, problem.f}}};
  if (Error error = tracker.read(memories.sram, bias))
    return error;
  if (!hasData || problem.accumulate)
    return Error::success();
  const uint8_t *from = memories.sram.at(bias.base);
  for (int64_t h = 0; h < problem.h; ++h)
    for (int64_t w = 0; w < problem.w; ++w)
      std::memcpy(memories.acc.at(result.base) + h * problem.outRow + w * problem.outPixel, from,
                  4 * problem.f);
  return Error::success();
}

Expected<Effect> Executor::multiply(const isa::Accumulate &accumulate, ArrayProblem &problem,
                                    const Box &result,
                                    void (*run)(const ArrayProblem &, ArrayScratch &),
                                    int64_t cycles) {
  Memory &acc = clusters[cluster].acc;
  problem.accumulate = isAccumulating(accumulate.mode, accumulate.counters);
  if (problem.accumulate)
    if (Error error = tracker.read(acc, result, /*isOverwritten=*/true))
      return std::move(error);
  if (Error error = tracker.write(acc, result))
    return std::move(error);
  if (accumulate.biased) {
    if (Error error = readBias(accumulate.start, problem, result))
      return std::move(error);
    problem.accumulate = true;
  }
  problem.out = acc.at(result.base);
  if (hasData)
    run(problem, scratch);
  Effect effect;
  effect.cycles = cycles;
  effect.macs = problem.h * problem.w * problem.y * problem.x * problem.c * problem.f;
  effect.macType = accumulate.type;
  return effect;
}

Expected<Effect> Executor::visit(const isa::MxuMatmul &matmul) {
  if (Error error = requireSpaces({matmul.a, "a"}, {matmul.b, "b"}, matmul.out, matmul.accumulate))
    return std::move(error);
  int64_t m = evaluate(matmul.m), n = evaluate(matmul.n), k = evaluate(matmul.k);
  Expected<int64_t> macs = countMacs(m, {n, k});
  if (!macs)
    return macs.takeError();
  if (*macs == 0)
    return Effect();

  ClusterMemories &memories = clusters[cluster];
  isa::MacType type = matmul.accumulate.type;
  int64_t leftBytes = isa::getByteSize(isa::getLeftType(type));
  int64_t rightBytes = isa::getByteSize(isa::getRightType(type));
  int64_t a = isa::evaluate(matmul.a, counters), b = isa::evaluate(matmul.b, counters);
  Box left{a, leftBytes, {{matmul.a_pitch.row_bytes, m}, {leftBytes, k}}};
  if (Error error = tracker.read(memories.sram, left))
    return std::move(error);
  if (Error error = readPanels(memories.sram, b, matmul.b_panel.panel_bytes,
                               {{target.macCols * rightBytes, k}}, n, rightBytes))
    return std::move(error);
  Box result{isa::evaluate(matmul.out, counters), 4, {{matmul.out_pitch.row_bytes, m}, {4, n}}};

  ArrayProblem problem;
  problem.type = type;
  problem.h = m;
  problem.c = k;
  problem.f = n;
  problem.left = memories.sram.at(a);
  problem.leftRow = matmul.a_pitch.row_bytes;
  problem.right = memories.sram.at(b);
  problem.cols = target.macCols;
  problem.panel = matmul.b_panel.panel_bytes;
  problem.outRow = matmul.out_pitch.row_bytes;
  return multiply(matmul.accumulate, problem, result, runDense,
                  isa::getMatmulCycles(target, type, m, n, k));
}

/// What convolutions share: the window over the input.
static void setWindow(ArrayProblem &problem, const isa::Window &window, const isa::Pitch &in,
                      const isa::Pitch &out) {
  problem.leftRow = window.stride_h * in.row_bytes;
  problem.leftPixel = window.stride_w * in.pixel_bytes;
  problem.leftTapRow = window.dilation_h * in.row_bytes;
  problem.leftTap = window.dilation_w * in.pixel_bytes;
  problem.rightTapRow = window.tap_row_bytes;
  problem.rightTap = window.tap_bytes;
  problem.outRow = out.row_bytes;
  problem.outPixel = out.pixel_bytes;
}

Error Executor::readWindow(const ArrayProblem &problem, const isa::Window &window,
                           const isa::Pitch &pitch, int64_t base, int64_t channels) {
  int64_t bytes = isa::getByteSize(isa::getLeftType(problem.type));
  Box box{base, bytes, {{bytes, channels}}};
  addSteps(box.dims, pitch.row_bytes, problem.h, window.stride_h, problem.y, window.dilation_h);
  addSteps(box.dims, pitch.pixel_bytes, problem.w, window.stride_w, problem.x, window.dilation_w);
  return tracker.read(clusters[cluster].sram, box);
}

Expected<Effect> Executor::visit(const isa::MxuConv &conv) {
  if (Error error =
          requireSpaces({conv.in, "in"}, {conv.weights, "weights"}, conv.out, conv.accumulate))
    return std::move(error);
  ArrayProblem problem;
  problem.type = conv.accumulate.type;
  problem.h = evaluate(conv.h);
  problem.w = evaluate(conv.w);
  problem.y = evaluate(conv.y);
  problem.x = evaluate(conv.x);
  problem.c = evaluate(conv.c);
  problem.f = evaluate(conv.f);
  Expected<int64_t> pixels = countWork({problem.h, problem.w}, 1);
  if (!pixels)
    return pixels.takeError();
  Expected<int64_t> macs = countMacs(*pixels, {problem.y, problem.x, problem.c, problem.f});
  if (!macs)
    return macs.takeError();
  if (*macs == 0)
    return Effect();

  Memory &sram = clusters[cluster].sram;
  int64_t rightBytes = isa::getByteSize(isa::getRightType(problem.type));
  int64_t in = isa::evaluate(conv.in, counters), weights = isa::evaluate(conv.weights, counters);
  if (Error error = readWindow(problem, conv.window, conv.in_pitch, in, problem.c))
    return std::move(error);
  if (Error error = readPanels(sram, weights, conv.weights_panel.panel_bytes,
                               {{conv.window.tap_row_bytes, problem.y},
                                {conv.window.tap_bytes, problem.x},
                                {target.macCols * rightBytes, problem.c}},
                               problem.f, rightBytes))
    return std::move(error);
  Box result{isa::evaluate(conv.out, counters),
             4,
             {{conv.out_pitch.row_bytes, problem.h},
              {conv.out_pitch.pixel_bytes, problem.w},
              {4, problem.f}}};

  setWindow(problem, conv.window, conv.in_pitch, conv.out_pitch);
  problem.left = sram.at(in);
  problem.right = sram.at(weights);
  problem.cols = target.macCols;
  problem.panel = conv.weights_panel.panel_bytes;
  return multiply(conv.accumulate, problem, result, runDense,
                  isa::getMatmulCycles(target, problem.type, *pixels, problem.f,
                                       problem.y * problem.x * problem.c));
}

Expected<Effect> Executor::visit(const isa::MxuDepthwise &conv) {
  if (Error error =
          requireSpaces({conv.in, "in"}, {conv.weights, "weights"}, conv.out, conv.accumulate))
    return std::move(error);
  ArrayProblem problem;
  problem.type = conv.accumulate.type;
  problem.h = evaluate(conv.h);
  problem.w = evaluate(conv.w);
  problem.y = evaluate(conv.y);
  problem.x = evaluate(conv.x);
  problem.f = evaluate(conv.g);
  Expected<int64_t> pixels = countWork({problem.h, problem.w}, 1);
  if (!pixels)
    return pixels.takeError();
  Expected<int64_t> macs = countMacs(*pixels, {problem.y, problem.x, problem.f});
  if (!macs)
    return macs.takeError();
  if (*macs == 0)
    return Effect();

  Memory &sram = clusters[cluster].sram;
  int64_t rightBytes = isa::getByteSize(isa::getRightType(problem.type));
  int64_t in = isa::evaluate(conv.in, counters), weights = isa::evaluate(conv.weights, counters);
  if (Error error = readWindow(problem, conv.window, conv.in_pitch, in, problem.f))
    return std::move(error);
  Box taps{weights,
           rightBytes,
           {{conv.window.tap_row_bytes, problem.y},
            {conv.window.tap_bytes, problem.x},
            {rightBytes, problem.f}}};
  if (Error error = tracker.read(sram, taps))
    return std::move(error);
  Box result{isa::evaluate(conv.out, counters),
             4,
             {{conv.out_pitch.row_bytes, problem.h},
              {conv.out_pitch.pixel_bytes, problem.w},
              {4, problem.f}}};

  setWindow(problem, conv.window, conv.in_pitch, conv.out_pitch);
  problem.left = sram.at(in);
  problem.right = sram.at(weights);
  return multiply(
      conv.accumulate, problem, result, runDepthwise,
      isa::getDepthwiseCycles(target, problem.type, *pixels, problem.f, problem.y * problem.x));
}
