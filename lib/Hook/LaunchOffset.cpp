//===- LaunchOffset.cpp - byte offsets that a launch may pass -------------===//

#include "LaunchOffset.h"

#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace npu;
using namespace npu::hook;

static constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

std::string LaunchOffset::str() const {
  std::string text = std::to_string(bytes);
  for (const Term &term : terms)
    text += "+" + std::to_string(term.factor) + "*constant" + std::to_string(term.constant);
  return text;
}

/// Index is as wide as an address.
static unsigned getWidth(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

static bool isInteger(Type type) { return type.isIndex() || type.isSignlessInteger(); }

static KnownInteger getConstant(uint64_t value) {
  KnownInteger known;
  known.value.bytes = value;
  known.min = known.max = known.divisor = value;
  return known;
}

static KnownInteger add(const KnownInteger &a, const KnownInteger &b) {
  KnownInteger sum;
  sum.value.bytes = a.value.bytes + b.value.bytes;
  for (const LaunchOffset *summand : {&a.value, &b.value})
    for (const LaunchOffset::Term &term : summand->terms) {
      auto *place = llvm::lower_bound(sum.value.terms, term, [](auto &left, auto &right) {
        return left.constant < right.constant;
      });
      if (place != sum.value.terms.end() && place->constant == term.constant)
        place->factor += term.factor;
      else
        sum.value.terms.insert(place, term);
    }
  llvm::erase_if(sum.value.terms, [](const LaunchOffset::Term &term) { return !term.factor; });
  if (a.max <= kMax - b.max) {
    sum.min = a.min + b.min;
    sum.max = a.max + b.max;
    sum.divisor = std::gcd(a.divisor, b.divisor);
  }
  return sum;
}

static KnownInteger multiply(const KnownInteger &a, uint64_t factor) {
  if (!factor)
    return getConstant(0);
  KnownInteger product;
  product.value.bytes = a.value.bytes * factor;
  for (const LaunchOffset::Term &term : a.value.terms)
    if (uint64_t scaled = term.factor * factor)
      product.value.terms.push_back({term.constant, scaled});
  if (a.max <= kMax / factor) {
    product.min = a.min * factor;
    product.max = a.max * factor;
    product.divisor = a.divisor * factor;
  }
  return product;
}

/// What the assumptions of one operand say of `known`.
static KnownInteger assume(KnownInteger known, ArrayRef<Attribute> rows) {
  if (rows.empty())
    return known;
  uint64_t min = kMax, max = 0, divisor = 0;
  for (auto row : rows) {
    auto assumption = cast<util::IntAssumptionAttr>(row);
    min = std::min(min, assumption.getUmin().value_or(0));
    max = std::max(max, assumption.getUmax().value_or(kMax));
    // An integer of one value is a multiple of that.
    bool isKnown = assumption.getUmin() && assumption.getUmin() == assumption.getUmax();
    divisor = std::gcd(divisor, isKnown ? *assumption.getUmin() : assumption.getUdiv().value_or(1));
  }
  known.min = std::max(known.min, min);
  known.max = std::min(known.max, max);
  if (known.divisor == 1 || divisor == 0)
    known.divisor = divisor;
  return known;
}

/// The result of a cast or an extension.
static std::optional<KnownInteger> extend(Operation *op, const KnownInteger &known) {
  unsigned from = getWidth(op->getOperand(0).getType()), to = getWidth(op->getResult(0).getType());
  if (to < from && to < 64 && known.max >> to)
    return std::nullopt;
  KnownInteger result = known;
  if (llvm::isa<arith::ExtSIOp, arith::IndexCastOp>(op) && from < 64)
    result.max = std::min(result.max, (uint64_t(1) << (from - 1)) - 1);
  return result;
}

namespace {
/// Goes through a block from front to back: operands come before what is computed from them.
class IntegerReader {
public:
  IntegerReader(LaunchSite site) : site(site) {}

  KnownIntegers read(Block &block) {
    for (Operation &op : block) {
      if (auto assumeOp = dyn_cast<util::AssumeIntOp>(op))
        readAssumptions(assumeOp);
      else if (op.getNumResults() == 1 && isInteger(op.getResult(0).getType()))
        if (std::optional<KnownInteger> known = readOp(&op))
          integers[op.getResult(0)] = std::move(*known);
    }
    return std::move(integers);
  }

private:
  const KnownInteger *find(Value value) const {
    auto found = integers.find(value);
    return found == integers.end() ? nullptr : &found->second;
  }

  std::optional<uint64_t> findConstant(Value value) const {
    const KnownInteger *known = find(value);
    return known && known->value.terms.empty() ? std::optional(known->value.bytes) : std::nullopt;
  }

  void readAssumptions(util::AssumeIntOp op) {
    for (auto [operand, result, attr] :
         llvm::zip(op.getOperands(), op.getResults(), op.getAssumptions())) {
      const KnownInteger *known = find(operand);
      if (!known)
        continue;
      ArrayRef<Attribute> rows = cast<ArrayAttr>(attr).getValue();
      if (site.assumptions == op && site.row < rows.size())
        rows = rows.slice(site.row, 1);
      KnownInteger assumed = assume(*known, rows);
      integers[result] = std::move(assumed);
    }
  }

  std::optional<KnownInteger> readOp(Operation *op) const {
    // Sums of fewer bits than an offset has wrap around where a sum of multiples does not.
    bool isWide = getWidth(op->getResult(0).getType()) == 64;
    return llvm::TypeSwitch<Operation *, std::optional<KnownInteger>>(op)
        .Case([&](arith::ConstantOp constant) -> std::optional<KnownInteger> {
          APInt value = cast<IntegerAttr>(constant.getValue()).getValue();
          // An extension would have to know the sign.
          if (value.getBitWidth() > 64 || (!isWide && value.isNegative()))
            return std::nullopt;
          return getConstant(value.getSExtValue());
        })
        .Case([](hal::InterfaceConstantLoadOp load) { return readConstant(load); })
        .Case<arith::ExtUIOp, arith::ExtSIOp, arith::IndexCastOp, arith::IndexCastUIOp>(
            [&](Operation *) -> std::optional<KnownInteger> {
              const KnownInteger *known = find(op->getOperand(0));
              return known ? extend(op, *known) : std::nullopt;
            })
        .Case([&](tensor_ext::DispatchWorkloadOrdinalOp) -> std::optional<KnownInteger> {
          const KnownInteger *known = find(op->getOperand(0));
          return known ? std::optional(*known) : std::nullopt;
        })
        .Case([&](util::AlignOp align) -> std::optional<KnownInteger> {
          const KnownInteger *known = find(align.getValue());
          std::optional<uint64_t> alignment = findConstant(align.getAlignment());
          if (!known || !alignment || !*alignment || known->divisor % *alignment)
            return std::nullopt;
          return *known;
        })
        .Case<arith::AddIOp, arith::MulIOp, arith::ShLIOp, arith::OrIOp>(
            [&](Operation *) { return isWide ? readArithmetic(op) : std::nullopt; })
        .Default([](Operation *) { return std::nullopt; });
  }

  /// A launch passes words of 32 bits.
  static std::optional<KnownInteger> readConstant(hal::InterfaceConstantLoadOp load) {
    std::optional<APInt> alignment = load.getAlignment();
    if (getWidth(load.getType()) < 32 || load.getOrdinal().getActiveBits() > 31)
      return std::nullopt;
    KnownInteger known;
    known.value.terms.push_back({unsigned(load.getOrdinal().getZExtValue()), 1});
    known.max = std::numeric_limits<uint32_t>::max();
    if (alignment && !alignment->isZero())
      known.divisor = alignment->getZExtValue();
    return known;
  }

  std::optional<KnownInteger> readArithmetic(Operation *op) const {
    const KnownInteger *left = find(op->getOperand(0)), *right = find(op->getOperand(1));
    if (!left || !right)
      return std::nullopt;
    if (llvm::isa<arith::AddIOp>(op))
      return add(*left, *right);
    if (llvm::isa<arith::OrIOp>(op)) {
      // A sum if no bit is set in both, as in the two halves of an integer.
      auto areDisjoint = [](const KnownInteger &high, const KnownInteger &low) {
        unsigned zeros = llvm::countr_zero(high.divisor);
        return zeros >= 64 || low.max >> zeros == 0;
      };
      if (!areDisjoint(*left, *right) && !areDisjoint(*right, *left))
        return std::nullopt;
      return add(*left, *right);
    }
    std::optional<uint64_t> factor = findConstant(op->getOperand(1));
    if (llvm::isa<arith::ShLIOp>(op)) {
      if (!factor || *factor > 63)
        return std::nullopt;
      return multiply(*left, uint64_t(1) << *factor);
    }
    if (factor)
      return multiply(*left, *factor);
    factor = findConstant(op->getOperand(0));
    return factor ? std::optional(multiply(*right, *factor)) : std::nullopt;
  }

  LaunchSite site;
  KnownIntegers integers;
};
} // namespace

KnownIntegers npu::hook::readIntegers(Block &block, LaunchSite site) {
  return IntegerReader(site).read(block);
}
