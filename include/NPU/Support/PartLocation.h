//===- PartLocation.h - which part of a linked program an op is of --------===//
//
// Several kernels become one program. What each of its instructions takes is still told by kernel:
// the location of an op says which one it came from.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_SUPPORT_PARTLOCATION_H
#define NPU_SUPPORT_PARTLOCATION_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"

namespace npu {

/// `loc`, in part `part`.
inline mlir::Location getPartLocation(mlir::Location loc, unsigned part) {
  auto index = mlir::IndexType::get(loc.getContext());
  return mlir::FusedLoc::get(loc.getContext(), loc, mlir::IntegerAttr::get(index, part));
}

/// The part that a location says, or the first of those that it is made of; 0 if none does.
inline unsigned getPart(mlir::LocationAttr loc) {
  mlir::IntegerAttr part;
  loc.walk([&](mlir::Location inner) {
    auto fused = llvm::dyn_cast<mlir::FusedLoc>(mlir::LocationAttr(inner));
    part = fused ? llvm::dyn_cast_or_null<mlir::IntegerAttr>(fused.getMetadata()) : nullptr;
    return part ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return part ? part.getInt() : 0;
}

} // namespace npu

#endif // NPU_SUPPORT_PARTLOCATION_H
