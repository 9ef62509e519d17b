//===- CheckInstruction.cpp - ranges and canonical forms ------------------===//

#include "NPU/Target/ISA/Program.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace llvm;
using namespace npu::isa;

namespace {
/// Visits every field and keeps the first violation.
class Checker {
public:
  template <typename G>
  void part(StringLiteral name, unsigned, const G &group) {
    descend(name, group);
  }

  template <typename G>
  void repeated(StringLiteral name, unsigned, unsigned max, const SmallVector<G, 0> &entries) {
    if (entries.size() > max)
      fail(name, formatv("has {0} entries, at most {1} are allowed", entries.size(), max));
    for (size_t i = 0; i < entries.size(); ++i)
      descend(formatv("{0}[{1}]", name, i).str(), entries[i]);
  }

  void unsignedField(const FieldInfo &info, int64_t value) { number(info, value); }
  void signedField(const FieldInfo &info, int64_t value) { number(info, value); }
  void affineField(const FieldInfo &info, const Affine &value) {
    number(info, value.base);
    for (int64_t coefficient : value.coefficients)
      if (!isIntN(Term::Fields::coefficient.width, coefficient))
        fail(info.name, formatv("has coefficient {0}, which does not fit {1} bits", coefficient,
                                Term::Fields::coefficient.width));
  }
  void floatField(const FieldInfo &, float) {}
  void flagField(const FieldInfo &, bool) {}
  void countersField(const FieldInfo &info, CounterSet value) {
    if (value >> info.width)
      fail(info.name, formatv("names a counter past i{0}", info.width - 1));
  }
  template <typename E>
  void enumField(const FieldInfo &info, E value) {
    for (const EnumCase<E> &c : EnumTraits<E>::cases)
      if (c.value == value)
        return;
    fail(info.name,
         formatv("has value {0}, which is no {1}", unsigned(value), EnumTraits<E>::title));
  }
  void reserved(unsigned, unsigned, unsigned) {}

  std::string message;

private:
  template <typename G>
  void descend(StringRef name, const G &group) {
    size_t length = path.size();
    path += (path.empty() ? "" : ".") + name.str();
    G::visit(*this, group);
    checkForm(group);
    path.resize(length);
  }

  template <typename G>
  void checkForm(const G &) {}

  void checkForm(const Sync &sync) {
    if (!sync.wait0 && (sync.wait1 || sync.value0 != Affine()))
      fail("wait0", "must name a semaphore when a value or a second wait is given");
    if (!sync.wait1 && sync.value1 != Affine())
      fail("wait1", "must name a semaphore when a value is given");
    if (!sync.signal0 && sync.signal1)
      fail("signal0", "must name a semaphore when a second signal is given");
  }
  void checkForm(const Address &address) {
    if (address.depth < 1)
      fail("depth", "must be at least 1");
    if (address.depth == 1 && (address.slot_bytes != 0 || address.position != Affine()))
      fail("depth", "must be at least 2 when a slot size or position is given");
  }
  void checkForm(const Extent &extent) {
    if (extent.limit.isConstant() && (extent.limit.base < 0 || extent.limit.base > extent.full))
      fail("limit", formatv("is the constant {0}, outside 0..{1}", extent.limit.base, extent.full));
  }
  void checkForm(const Accumulate &accumulate) {
    checkAccumulation(accumulate);
    if (!accumulate.biased && !(accumulate.start == makeAddress()))
      fail("start", "must be sram[0] unless 'biased'");
  }
  void checkForm(const Reduction &reduction) { checkAccumulation(reduction); }
  template <typename G>
  void checkAccumulation(const G &group) {
    bool unless = group.mode == AccumulateMode::Unless;
    if (unless != (group.counters != 0))
      fail("counters", unless ? "must name the counters of 'unless'"
                              : "must be empty unless the mode is 'unless'");
  }
  void checkForm(const LoopCount &count) {
    if (count.trips < 1)
      fail("trips", "must be at least 1");
  }
  void checkForm(const BoxDim &dim) {
    if (dim.block == 0 && dim.outer != 0)
      fail("outer", "must be 0 when there is no block");
  }

  void number(const FieldInfo &info, int64_t value) {
    if (value % info.scale)
      return fail(info.name, formatv("must be a multiple of {0}, found {1}", info.scale, value));
    if (value < info.getMin() || value > info.getMax())
      fail(info.name,
           formatv("must lie in {0}..{1}, found {2}", info.getMin(), info.getMax(), value));
  }

  void fail(StringRef name, const Twine &what) {
    if (message.empty())
      message = ("field '" + path + (path.empty() ? "" : ".") + name + "' " + what).str();
  }

  std::string path;
};
} // namespace

/// A joined dimension leads straight to a dimension that moves by itself.
static std::string checkDims(ArrayRef<BoxDim> dims) {
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].block == 0)
      continue;
    uint64_t outer = dims[i].outer;
    if (outer >= dims.size() || outer == i || dims[outer].block != 0)
      return formatv("field 'dims[{0}].outer' must name another dimension that has no block, "
                     "found {1}",
                     i, outer)
          .str();
  }
  return "";
}

/// A dimension that chooses indices moves by itself.
static std::string checkGather(const DmaGather &gather) {
  ArrayRef<BoxDim> dims = gather.dims;
  for (auto [d, stride] : llvm::enumerate(getIndexStrides(gather.chosen))) {
    if (stride == 0)
      continue;
    if (d >= dims.size())
      return formatv("field 'chosen.stride{0}' must be 0 in a box of {1} dimensions, found {2}", d,
                     dims.size(), stride)
          .str();
    bool isJoined = dims[d].block != 0 || llvm::any_of(dims, [d = d](const BoxDim &dim) {
                      return dim.block != 0 && dim.outer == int64_t(d);
                    });
    if (isJoined)
      return formatv("field 'chosen.stride{0}' must be 0, as dimension {0} is joined with another, "
                     "found {1}",
                     d, stride)
          .str();
  }
  if (gather.chosen.rows == 0)
    return "field 'chosen.rows' must be at least 1, found 0";
  return checkDims(dims);
}

llvm::Error npu::isa::checkInstruction(const Instruction &instruction) {
  std::string message = std::visit(
      [](const auto &held) {
        using T = std::decay_t<decltype(held)>;
        Checker checker;
        T::visit(checker, held);
        if (held.source < 0 || held.source > maxSources)
          return formatv("source must lie in 0..{0}, found {1}", maxSources, held.source).str();
        if constexpr (std::is_same_v<T, DmaLoad> || std::is_same_v<T, DmaStore> ||
                      std::is_same_v<T, DmaCopy>)
          if (checker.message.empty())
            return checkDims(held.dims);
        if constexpr (std::is_same_v<T, DmaGather>)
          if (checker.message.empty())
            return checkGather(held);
        // A reduction has one result per innermost row.
        if constexpr (std::is_same_v<T, VpuReduce> || std::is_same_v<T, VpuArgReduce>)
          if (checker.message.empty() && held.dst.stride3 != 0)
            return formatv("field 'dst.stride3' must be 0, found {0}", held.dst.stride3).str();
        return checker.message;
      },
      instruction);
  if (message.empty())
    return Error::success();
  return createStringError(inconvertibleErrorCode(),
                           "'" + getMnemonic(instruction) + "': " + message);
}
