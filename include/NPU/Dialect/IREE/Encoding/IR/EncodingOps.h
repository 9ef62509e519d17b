//===- EncodingOps.h - the part of iree_encoding we read and print --------===//

#ifndef NPU_DIALECT_IREE_ENCODING_IR_ENCODINGOPS_H
#define NPU_DIALECT_IREE_ENCODING_IR_ENCODINGOPS_H

#include "NPU/Dialect/IREE/Util/IR/ForeignAttr.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "NPU/Dialect/IREE/Encoding/IR/EncodingOpsDialect.h.inc"

#define GET_OP_CLASSES
#include "NPU/Dialect/IREE/Encoding/IR/EncodingOps.h.inc"

namespace npu::encoding {

/// An encoding of a tensor, of whatever kind.
using EncodingAttr = ForeignAttr<EncodingDialect>;

} // namespace npu::encoding

#endif // NPU_DIALECT_IREE_ENCODING_IR_ENCODINGOPS_H
