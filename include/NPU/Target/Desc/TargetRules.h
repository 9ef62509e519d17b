//===- TargetRules.h - what must hold between a chip's parameters ---------===//
//
// The rules are records of TargetBase.td. npu-tblgen checks the known targets by them, the tools
// what is left of a target after overrides; both call these functions.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TARGET_DESC_TARGETRULES_H
#define NPU_TARGET_DESC_TARGETRULES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace npu {

/// A value with so many decimals, without zeros at its end: 2500 with 3 is `2.5`.
inline std::string printDecimal(int64_t value, unsigned decimals) {
  if (decimals == 0 || value == 0)
    return std::to_string(value);
  if (value < 0)
    return "-" + printDecimal(-value, decimals);
  std::string text = std::to_string(value);
  text.insert(0, text.size() <= decimals ? decimals + 1 - text.size() : 0, '0');
  text.insert(text.size() - decimals, ".");
  text.resize(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text;
}

/// The value of a parameter.
using GetParameter = llvm::function_ref<int64_t(llvm::StringRef name)>;

/// No parameter is larger than the product of the factors.
struct ProductRule {
  llvm::ArrayRef<llvm::StringRef> parameters, factors;
  llvm::StringRef unit;  ///< of the parameters
  llvm::StringRef owner; ///< `its array has`
  llvm::StringRef things;
};

/// Some parameter is positive.
struct PositiveRule {
  llvm::ArrayRef<llvm::StringRef> parameters;
  llvm::StringRef otherwise; ///< what it means that none is
};

/// What is wrong, to follow the target's name in a message; empty when nothing is.
inline std::string findViolation(const ProductRule &rule, GetParameter get) {
  int64_t product = 1;
  std::string factors, violations;
  for (llvm::StringRef factor : rule.factors) {
    product *= get(factor);
    factors += (factors.empty() ? "" : " x ") + factor.str();
  }
  for (llvm::StringRef parameter : rule.parameters)
    if (int64_t value = get(parameter); value > product)
      violations += (violations.empty() ? "" : " and ") + parameter.str() + " = " +
                    std::to_string(value) + " " + rule.unit.str();
  if (violations.empty())
    return "";
  return "has " + violations + ", but " + rule.owner.str() + " " + std::to_string(product) + " " +
         rule.things.str() + " (" + factors + "); set each to at most " + std::to_string(product);
}

inline std::string findViolation(const PositiveRule &rule, GetParameter get) {
  for (llvm::StringRef parameter : rule.parameters)
    if (get(parameter) > 0)
      return "";
  std::string names;
  for (llvm::StringRef parameter : rule.parameters)
    names += (names.empty() ? "" : ", ") + parameter.str();
  return rule.otherwise.str() + "; set one of " + names;
}

} // namespace npu

#endif // NPU_TARGET_DESC_TARGETRULES_H
