//===- RandomModel.h - random modules in linalg for integration tests -----===//

#ifndef NPU_UNITTESTS_INTEGRATION_RANDOMMODEL_H
#define NPU_UNITTESTS_INTEGRATION_RANDOMMODEL_H

#include "Harness.h"

namespace npu::integration {

/// The text of one function `main` of some layers: contractions, convolutions, poolings, sums,
/// element-wise ops, transpositions. With `isDispatch`, the shape of a dispatch: at most the first
/// layer sums anything.
std::string makeRandomModel(Random &random, unsigned numLayers, bool isDispatch);

} // namespace npu::integration

#endif // NPU_UNITTESTS_INTEGRATION_RANDOMMODEL_H
