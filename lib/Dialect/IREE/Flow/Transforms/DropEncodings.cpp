//===- DropEncodings.cpp - back to the plain layout of tensors ------------===//

#include "NPU/Dialect/IREE/Flow/Transforms/DropEncodings.h"

#include "NPU/Dialect/IREE/Encoding/IR/EncodingOps.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace npu::flow {
#define GEN_PASS_DEF_DROPENCODINGS
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"
} // namespace npu::flow

using namespace mlir;
using namespace npu;
using namespace npu::encoding;
using namespace npu::flow;

/// Replaces a size that an encoded tensor was given by that size.
static LogicalResult resolveEncodingDim(DimOp op) {
  Value tensor = op.getSource();
  for (Operation *source = tensor.getDefiningOp(); source; source = tensor.getDefiningOp()) {
    std::optional<OperandRange> dims;
    if (auto set = dyn_cast<SetEncodingOp>(source))
      dims = set.getEncodingDims();
    else if (auto encode = dyn_cast<TensorEncodeOp>(source))
      dims = encode.getEncodingDims();
    if (dims) {
      size_t index = op.getIndex().getZExtValue();
      if (index >= dims->size())
        return op.emitOpError("expected an index below ")
               << dims->size() << ", the number of 'encoding_dims' of the tensor, found " << index;
      op.replaceAllUsesWith((*dims)[index]);
      op.erase();
      return success();
    }
    if (auto cast = dyn_cast<tensor::CastOp>(source))
      tensor = cast.getSource();
    else if (auto destination = dyn_cast<DestinationStyleOpInterface>(source))
      tensor = destination.getTiedOpOperand(llvm::cast<OpResult>(tensor))->get();
    else
      break;
  }
  return op.emitOpError("expected a tensor that 'iree_encoding.set_encoding' or "
                        "'flow.tensor.encode' makes in the same region, so that its "
                        "'encoding_dims' are known");
}

namespace {
/// Takes encodings out of types, wherever these stand.
class EncodingStripper {
public:
  EncodingStripper() {
    replacer.addReplacement([&](RankedTensorType type) -> std::optional<Type> {
      auto encoding = dyn_cast_if_present<EncodingAttr>(type.getEncoding());
      if (!encoding)
        return std::nullopt;
      if (encoding.getMnemonic() == "packed_storage")
        packed = type;
      return RankedTensorType::get(type.getShape(), type.getElementType());
    });
    // The types of these are no parameters that the replacer sees.
    replacer.addReplacement([&](DenseElementsAttr value) -> std::optional<Attribute> {
      return value.reshape(cast<ShapedType>(replacer.replace(value.getType())));
    });
    replacer.addReplacement([&](DenseResourceElementsAttr value) -> std::optional<Attribute> {
      auto type = cast<ShapedType>(replacer.replace(Type(value.getType())));
      return DenseResourceElementsAttr::get(type, value.getRawHandle());
    });
  }

  LogicalResult strip(Operation *op) {
    replacer.replaceElementsIn(op, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                               /*replaceTypes=*/true);
    if (!packed)
      return success();
    return op->emitOpError("expected elements of whole bytes, found ")
           << packed << "; pack and unpack the elements in the model";
  }

private:
  AttrTypeReplacer replacer;
  Type packed;
};
} // namespace

/// What `source` is as `type`, which at most says fewer or more of its sizes.
template <typename OpTy>
static Value getInPlainLayout(OpBuilder &builder, OpTy op) {
  if (op.getSource().getType() == op.getType())
    return op.getSource();
  if constexpr (std::is_same_v<OpTy, TensorEncodeOp>)
    return TensorReshapeOp::create(builder, op.getLoc(), op.getType(), op.getSource(),
                                   op.getSourceDims(), op.getResultDims());
  else
    return tensor::CastOp::create(builder, op.getLoc(), op.getType(), op.getSource());
}

LogicalResult npu::flow::dropEncodings(ModuleOp module) {
  if (!module->getContext()->getLoadedDialect<EncodingDialect>())
    return success();
  auto resolve = [](DimOp op) { return WalkResult(resolveEncodingDim(op)); };
  if (module.walk(resolve).wasInterrupted())
    return failure();
  EncodingStripper stripper;
  auto strip = [&](Operation *op) { return WalkResult(stripper.strip(op)); };
  if (module.walk(strip).wasInterrupted())
    return failure();
  OpBuilder builder(module.getContext());
  auto replace = [&](auto op) {
    builder.setInsertionPoint(op);
    op.replaceAllUsesWith(getInPlainLayout(builder, op));
    op.erase();
  };
  module.walk([&](SetEncodingOp op) { replace(op); });
  module.walk([&](UnsetEncodingOp op) { replace(op); });
  module.walk([&](TensorEncodeOp op) { replace(op); });
  return success();
}

namespace {
struct DropEncodings : npu::flow::impl::DropEncodingsBase<DropEncodings> {
  void runOnOperation() override {
    if (failed(dropEncodings(getOperation())))
      signalPassFailure();
  }
};
} // namespace
