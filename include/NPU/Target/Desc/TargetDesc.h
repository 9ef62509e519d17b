//===- TargetDesc.h - what the tools know about a chip --------------------===//
//
// A target is named by a specification: the name of a known record, optionally followed by
// overrides, as in `npu-v1` or `npu-v1:sramBytes=524288,clusters=2`. Nothing else in the project
// carries chip facts, and no code compares a target's name.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TARGET_DESC_TARGETDESC_H
#define NPU_TARGET_DESC_TARGETDESC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>

namespace npu {

#include "NPU/Target/Desc/TargetDecls.h.inc"

/// A parameter of TargetDesc, for tables, typed overrides and documentation.
struct TargetParameter {
  llvm::StringLiteral name, unit, summary;
  int64_t min, max; ///< inclusive
  int64_t TargetDesc::*member;
};

/// Every parameter, in declaration order.
llvm::ArrayRef<TargetParameter> getTargetParameters();

/// Every known target, in declaration order.
llvm::ArrayRef<TargetDesc> getKnownTargets();

/// The target a specification names. Fails with a message that lists the known targets, the
/// parameters, or the allowed range. The result's `name` is the specification.
llvm::Expected<TargetDesc> parseTarget(llvm::StringRef specification);

/// Checks what single ranges cannot: no operand type is faster than the array has cells.
llvm::Error checkTarget(const TargetDesc &target);

/// The table behind `--list-targets`.
void printTargets(llvm::raw_ostream &os);

} // namespace npu

#endif // NPU_TARGET_DESC_TARGETDESC_H
