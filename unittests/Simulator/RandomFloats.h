//===- RandomFloats.h - operands of the tests of the array ----------------===//

#ifndef NPU_UNITTESTS_SIMULATOR_RANDOMFLOATS_H
#define NPU_UNITTESTS_SIMULATOR_RANDOMFLOATS_H

#include <random>
#include <vector>

namespace npu::sim {

/// f32 numbers whose sums depend on their order.
inline std::vector<float> makeFloats(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value = float(int(generator() % 2000001) - 1000000) / 333333.0f;
  return values;
}

} // namespace npu::sim

#endif // NPU_UNITTESTS_SIMULATOR_RANDOMFLOATS_H
