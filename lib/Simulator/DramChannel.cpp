//===- DramChannel.cpp - bandwidth shared by all DMA engines --------------===//

#include "DramChannel.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>

using namespace llvm;
using namespace npu::sim;

Int128 DramChannel::getShare() const { return Int128(bytesPerCycle) * unit / active.size(); }

void DramChannel::add(unsigned stream, int64_t bytes, int64_t now) {
  assert(time == now || active.empty());
  time = now;
  auto *position = llvm::find_if(active, [&](const Transfer &t) { return t.stream > stream; });
  active.insert(position, {stream, Int128(bytes) * unit});
}

std::optional<int64_t> DramChannel::getNextEnd() const {
  if (active.empty())
    return std::nullopt;
  Int128 least = active.front().left;
  for (const Transfer &transfer : active)
    least = std::min(least, transfer.left);
  Int128 share = getShare();
  return time + int64_t((least + share - 1) / share);
}

SmallVector<unsigned> DramChannel::advance(int64_t now) {
  SmallVector<unsigned> ended;
  if (active.empty()) {
    time = now;
    return ended;
  }
  Int128 moved = getShare() * (now - time);
  time = now;
  for (Transfer &transfer : active)
    if ((transfer.left -= moved) <= 0)
      ended.push_back(transfer.stream);
  llvm::erase_if(active, [](const Transfer &transfer) { return transfer.left <= 0; });
  return ended;
}
