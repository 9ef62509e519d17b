//===- CheckTypes.cpp - element types of operands -------------------------===//

#include "NPU/Target/ISA/Program.h"
#include "NPU/Target/ISA/Timing.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace npu;
using namespace npu::isa;

namespace {
/// Visits the function first, then the operands; keeps the first mismatch.
class TypeChecker {
public:
  explicit TypeChecker(const TargetDesc &target) : target(target) {}

  template <typename E>
  void function(E kind) {
    const EnumCase<E> &known = getCase(kind);
    name = known.name;
    domain = known.domain;
    isComparison = known.isComparison;
  }

  template <typename G>
  void operand(const OperandType &rule, const G &group) {
    operand(rule, group.type);
  }
  void operand(const OperandType &rule, ElementType type) {
    if (isFloat(type) && rule.needsFloatLanes && !target.vpuFloat)
      fail(true, formatv("operand '{0}' is {1}, but the vector unit of target '{2}' has no floats",
                         rule.operand, toString(type), target.name));
    if (!(rule.allowed >> unsigned(type) & 1))
      fail(false, formatv("operand '{0}' must be {1}, found {2}", rule.operand,
                          describe(rule.allowed), toString(type)));
    if (rule.isResult)
      result = {rule.operand, type};
    if (!rule.isComputing)
      return;
    if (!computing.isGiven())
      computing = {rule.operand, type};
    expectClass({rule.operand, type}, isFloat(computing.type));
  }

  /// What depends on several operands.
  void finish() {
    if (computing.isGiven() && domain != Domain::Numbers &&
        isFloat(computing.type) != (domain == Domain::Floats))
      fail(false, formatv("function '{0}' has no {1} form, but operand '{2}' is {3}", name,
                          isFloat(computing.type) ? "float" : "integer", computing.name,
                          toString(computing.type)));
    if (result.isGiven())
      expectClass(result, isFloat(computing.type) && !isComparison);
  }

  void checkArray(MacType type) {
    if (getMacRate(target, type) == 0)
      fail(true,
           formatv("the array of target '{0}' does not multiply {1}", target.name, toString(type)));
  }

  std::optional<TypeMismatch> mismatch;

private:
  struct Operand {
    StringRef name;
    ElementType type = ElementType::I8;
    bool isGiven() const { return !name.empty(); }
  };

  static std::string describe(unsigned allowed) {
    std::string text;
    for (const EnumCase<ElementType> &c : EnumTraits<ElementType>::cases)
      if (allowed >> unsigned(c.value) & 1)
        text += (text.empty() ? "" : " or ") + c.name.str();
    return text;
  }

  void expectClass(const Operand &operand, bool expectsFloat) {
    if (isFloat(operand.type) == expectsFloat)
      return;
    std::string why = isComparison && operand.name == result.name
                          ? formatv("the result of '{0}'", name).str()
                          : formatv("'{0}' is {1}", computing.name, toString(computing.type)).str();
    fail(false,
         formatv("operand '{0}' must be {1}, found {2}; {3}", operand.name,
                 expectsFloat ? "a float type" : "an integer type", toString(operand.type), why));
  }

  void fail(bool isUnsupported, const Twine &message) {
    if (!mismatch)
      mismatch = {isUnsupported, message.str()};
  }

  const TargetDesc &target;
  StringRef name; ///< of the function
  Domain domain = Domain::Numbers;
  bool isComparison = false;
  Operand computing, result;
};
} // namespace

std::optional<TypeMismatch> npu::isa::checkTypes(const Instruction &instruction,
                                                 const TargetDesc &target) {
  TypeChecker checker(target);
  std::visit(
      [&](const auto &held) {
        using T = std::decay_t<decltype(held)>;
        T::visitTypes(checker, held);
        checker.finish();
        if constexpr (T::engines == 1u << unsigned(EngineKind::Mxu))
          checker.checkArray(held.accumulate.type);
      },
      instruction);
  return std::move(checker.mismatch);
}
