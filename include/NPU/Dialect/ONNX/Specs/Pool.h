//===- Pool.h - what inference and lowering of norms and pools share ------===//

#ifndef NPU_DIALECT_ONNX_SPECS_POOL_H
#define NPU_DIALECT_ONNX_SPECS_POOL_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

namespace npu::onnx_ir {

/// The attribute `p`, an integer or, in old opsets, a float; 2 if there is none.
double getNormOrder(const Node &node);

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_POOL_H
