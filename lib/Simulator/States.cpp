//===- States.cpp - a number per byte of a memory -------------------------===//

#include "States.h"

#include "NPU/Simulator/Clones.h"

using namespace npu::sim;

States::States(int64_t bytes, uint32_t state) : bytes(bytes) {
  int64_t blocks = bytes / blockBytes + 1;
  // Zeroed pages cost nothing until they are touched.
  ofBlocks.reset(static_cast<uint32_t *>(std::calloc(blocks, sizeof(uint32_t))));
  ofBytes.reset(static_cast<uint32_t *>(std::malloc(blocks * blockBytes * sizeof(uint32_t))));
  if (ofBlocks && state != 0)
    std::fill_n(ofBlocks.get(), blocks, state);
}

NPU_CLONES static uint32_t *findEnd(uint32_t *first, uint32_t *end) {
  uint32_t *position = first + 1;
  for (uint32_t value = *first; end - position >= 16; position += 16) {
    uint32_t difference = 0;
    for (unsigned i = 0; i < 16; ++i)
      difference |= position[i] ^ value;
    if (difference)
      break;
  }
  while (position != end && *position == *first)
    ++position;
  return position;
}

uint32_t *States::findRunEnd(uint32_t *first, uint32_t *end) { return findEnd(first, end); }

int64_t States::count(uint32_t state) const {
  int64_t result = 0;
  for (int64_t address = 0; address < bytes; address += blockBytes) {
    int64_t here = std::min(blockBytes, bytes - address);
    uint32_t ofBlock = ofBlocks[address / blockBytes];
    if (ofBlock == mixed)
      result += std::count(&ofBytes[address], &ofBytes[address] + here, state);
    else if (ofBlock == state)
      result += here;
  }
  return result;
}
