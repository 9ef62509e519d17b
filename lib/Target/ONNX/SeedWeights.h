//===- SeedWeights.h - numbers for models without weights -----------------===//

#ifndef NPU_LIB_TARGET_ONNX_SEEDWEIGHTS_H
#define NPU_LIB_TARGET_ONNX_SEEDWEIGHTS_H

#include <cstdint>
#include <onnx/onnx_pb.h>

namespace npu {

/// Replaces every ConstantOfShape node of more than one float, whose shape is an initializer, by an
/// initializer with numbers that depend on `seed`, its name and nothing else. Networks that are
/// shared without their weights have such nodes; with one number everywhere every channel is the
/// same, and a wrong compiler goes unnoticed.
///
/// The numbers are uniform. Filters keep the variance of what they filter when a ReLU follows
/// (He et al., "Delving Deep into Rectifiers", 2015: 2 / fan-in); scales and variances are from
/// 0.5 to 1.5, biases and means from -0.1 to 0.1.
void seedWeights(onnx::ModelProto &model, uint64_t seed);

} // namespace npu

#endif // NPU_LIB_TARGET_ONNX_SEEDWEIGHTS_H
