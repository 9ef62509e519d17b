//===- Lane.cpp - where an interpreted stream is --------------------------===//

#include "Lane.h"

using namespace mlir;
using namespace npu;
using namespace npu::interpreter;

Lane::Lane(StreamOp stream, Block &block) : stream(stream) {
  frames.push_back({&block, block.begin(), {}, {}});
}

void Lane::enter(Block &block, ArrayRef<LoopRange> loops, Indices &indices) {
  for (const LoopRange &loop : loops)
    if (loop.begin >= loop.end)
      return;
  Frame &frame = frames.emplace_back();
  frame.block = &block;
  frame.next = block.begin();
  frame.loops.assign(loops.begin(), loops.end());
  for (const LoopRange &loop : loops) {
    frame.counters.push_back(loop.begin);
    indices[loop.variable] = loop.begin;
  }
}

Operation *Lane::peek(Indices &indices) {
  while (!frames.empty()) {
    Frame &frame = frames.back();
    if (frame.next != frame.block->end())
      return &*frame.next;
    size_t dim = frame.loops.size();
    for (; dim > 0; --dim) {
      const LoopRange &loop = frame.loops[dim - 1];
      int64_t &counter = frame.counters[dim - 1];
      counter += loop.step;
      bool goesOn = counter < loop.end;
      if (!goesOn)
        counter = loop.begin;
      indices[loop.variable] = counter;
      if (goesOn)
        break;
    }
    if (dim == 0)
      frames.pop_back();
    else
      frame.next = frame.block->begin();
  }
  return nullptr;
}

SmallVector<int64_t> Lane::getCounters() const {
  SmallVector<int64_t> counters;
  for (const Frame &frame : frames)
    llvm::append_range(counters, frame.counters);
  return counters;
}
