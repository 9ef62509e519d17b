//===- TargetDesc.h - what the tools know about a chip --------------------===//
//
// A target is named by a specification: the name of a known record, optionally followed by
// overrides, as in `npu-v1` or `npu-v1:sramBytes=512K,clusters=2`, or a new name followed by every
// parameter that is not optional, as those of files (TargetFile.h). Nothing else in the project
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
#include <optional>
#include <string>

namespace npu {

#include "NPU/Target/Desc/TargetDecls.h.inc"

/// A parameter of TargetDesc, for tables, typed overrides and documentation.
struct TargetParameter {
  llvm::StringLiteral name, unit, summary;
  int64_t min, max;  ///< inclusive, in units or, with decimals, in fractions of them
  bool isOptional;   ///< a chip may leave it out; 0 means that it is unknown
  unsigned decimals; ///< a value of 2500 with 3 decimals is 2.5 units
  int64_t TargetDesc::*member;
};

/// Every parameter, in declaration order.
llvm::ArrayRef<TargetParameter> getTargetParameters();

/// Every known target, in declaration order.
llvm::ArrayRef<TargetDesc> getKnownTargets();

/// The target a specification names. Fails with a message that lists the known targets, the
/// parameters, or the allowed range. The result's `name` is getTargetName of the specification.
llvm::Expected<TargetDesc> parseTarget(llvm::StringRef specification);

/// What people call a target: a new one by its own name, as that has every parameter behind it; a
/// known one by its specification, of which only the first parameters stay when there are many.
std::string getTargetName(llvm::StringRef specification);

/// Whether a target may have this name: letters, digits, `-`, `_` and `.`.
bool isTargetName(llvm::StringRef text);

/// Sets a parameter, in its unit or, with decimals, in fractions of it; fails when the value is out
/// of its range.
llvm::Error setTargetParameter(TargetDesc &target, const TargetParameter &parameter, int64_t value);

/// Sets parameters as a specification does behind its colon, `clusters=2,sramBytes=512K`. Fails
/// with the messages of parseTarget.
llvm::Error setTargetParameters(TargetDesc &target, llvm::StringRef settings);

/// The value that `800` or `0.25` says of a parameter; nothing for any other text, or for more
/// decimals than it has.
std::optional<int64_t> parseParameterValue(const TargetParameter &parameter, llvm::StringRef text);

/// The text of an error for what parseParameterValue expects: `an integer`.
std::string describeNumber(const TargetParameter &parameter);

/// The value of a parameter as parseParameterValue reads it.
std::string printParameterValue(const TargetParameter &parameter, const TargetDesc &target);

/// The target without its optional parameters, on which no instruction of a program depends.
TargetDesc withoutOptionalParameters(const TargetDesc &target);

/// Whether what is compiled for one target runs on the other: they differ in optional parameters at
/// most. A specification that is none is like no other but itself.
bool areCompatibleTargets(llvm::StringRef a, llvm::StringRef b);

/// The shortest specification of a target with these parameters and the name up to the colon.
std::string getTargetSpecification(const TargetDesc &target);

/// Checks what single ranges cannot: no operand type is faster than the array has cells.
llvm::Error checkTarget(const TargetDesc &target);

/// The table behind `--list-targets`.
void printTargets(llvm::raw_ostream &os);

} // namespace npu

#endif // NPU_TARGET_DESC_TARGETDESC_H
