//===- Ranges.cpp - addresses, rights and types ---------------------------===//

#include "Model.h"

#include "NPU/Target/Verify/Verify.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace npu;
using namespace npu::isa;
using namespace npu::verify;

/// Numbers past this are refused, so that no sum of a few of them overflows.
static constexpr Wide magnitudeLimit = Wide(1) << 58;
/// Iterations that may be tried when the closed form cannot decide.
static constexpr int64_t maxTriedIterations = 65536;

namespace {
/// Finds an affine field whose value could leave 64-bit arithmetic.
class MagnitudeChecker {
public:
  MagnitudeChecker(const Trips &trips) : trips(trips) {}

  template <typename G>
  void part(StringLiteral, unsigned, const G &group) {
    G::visit(*this, group);
  }
  template <typename G>
  void repeated(StringLiteral, unsigned, unsigned, const SmallVector<G, 0> &entries) {
    for (const G &entry : entries)
      G::visit(*this, entry);
  }
  void affineField(const FieldInfo &info, const Affine &value) {
    if (getMax(value, trips) > magnitudeLimit || getMin(value, trips) < -magnitudeLimit)
      field = info.name;
  }
  void countersField(const FieldInfo &, CounterSet) {}
  void unsignedField(const FieldInfo &, int64_t) {}
  void signedField(const FieldInfo &, int64_t) {}
  void floatField(const FieldInfo &, float) {}
  void flagField(const FieldInfo &, bool) {}
  template <typename E>
  void enumField(const FieldInfo &, E) {}
  void reserved(unsigned, unsigned, unsigned) {}

  StringRef field;

private:
  const Trips &trips;
};

/// The bytes [begin, end) that an access may reach.
struct WideRange {
  Wide begin = 0, end = 0;
};
} // namespace

/// The extreme distance an access reaches from its ring's slot in one direction. A ragged extent is
/// bounded both by its full size and by what is left to the edge; every choice of bounds gives an
/// affine bound of the whole sum, and the best of them counts.
static Wide getReach(const Site &site, const Access &access, bool isUpper) {
  SmallVector<unsigned, maxDmaDims> ragged;
  Wide fixed = 0;
  for (auto [index, dim] : llvm::enumerate(access.dims)) {
    if (dim.stride == 0 || (dim.stride > 0) != isUpper)
      continue;
    const Extent &extent = *site.extents[dim.extent];
    int64_t most = getMaxExtent(extent, site.trips);
    // Products of coefficients and strides stay inside 128 bits.
    bool fits = isInt<40>(dim.stride) && dim.divisor == 1;
    if (extent.limit.isConstant() || !fits)
      fixed += Wide(dim.stride) * ((most + dim.divisor - 1) / dim.divisor - 1);
    else
      ragged.push_back(unsigned(index));
  }
  std::optional<Wide> best;
  for (unsigned choice = 0; choice < 1u << ragged.size(); ++choice) {
    Wide base = access.chip->base.base, reach = fixed;
    std::array<Wide, maxLoopDepth> coefficients;
    llvm::copy(access.chip->base.coefficients, coefficients.begin());
    for (unsigned r = 0; r < ragged.size(); ++r) {
      const ChipDim &dim = access.dims[ragged[r]];
      const Extent &extent = *site.extents[dim.extent];
      if (!(choice >> r & 1)) {
        reach += Wide(dim.stride) * (getMaxExtent(extent, site.trips) - 1);
        continue;
      }
      base += Wide(dim.stride) * (extent.limit.base - 1);
      for (unsigned k = 0; k < maxLoopDepth; ++k)
        coefficients[k] += Wide(dim.stride) * extent.limit.coefficients[k];
    }
    reach += base;
    for (unsigned k = 0; k < maxLoopDepth; ++k) {
      Wide last = coefficients[k] * (site.trips[k] - 1);
      reach += isUpper ? std::max<Wide>(0, last) : std::min<Wide>(0, last);
    }
    best = !best ? reach : isUpper ? std::min(*best, reach) : std::max(*best, reach);
  }
  return *best;
}

static WideRange getChipRange(const Site &site, const Access &access) {
  WideRange range{getReach(site, access, false), getReach(site, access, true) + access.runBytes};
  const Address &address = *access.chip;
  if (address.depth == 1)
    return range;
  Wide low = getMin(address.position, site.trips), high = getMax(address.position, site.trips);
  Wide first = ((low % address.depth) + address.depth) % address.depth;
  Wide last = first + (high - low);
  if (last >= address.depth) {
    first = 0;
    last = address.depth - 1;
  }
  return {range.begin + first * address.slot_bytes, range.end + last * address.slot_bytes};
}

static WideRange getBoxRange(const Site &site, const Access &access) {
  WideRange range{getMin(*access.boxBase, site.trips),
                  getMax(*access.boxBase, site.trips) + access.runBytes};
  for (unsigned d = 0; d < access.box.size(); ++d) {
    auto [low, high] = getCoordinates(site, access, d);
    if (low >= high)
      return {}; // outside its window in every iteration
    Wide stride = access.box[d].dram_stride;
    range.begin += std::min(stride * low, stride * (high - 1));
    range.end += std::max(stride * low, stride * (high - 1));
  }
  return range;
}

/// Steps the counters of the site's loops, innermost first; false after the last iteration.
static bool advance(const Site &site, Counters &counters) {
  for (unsigned k = site.depth; k-- > 0;) {
    if (++counters[k] < site.trips[k])
      return true;
    counters[k] = 0;
  }
  return false;
}

/// Whether some iteration of the site's loops satisfies the predicate; nullopt when there are too
/// many to try.
template <typename Predicate>
static std::optional<bool> anyIteration(const Site &site, Predicate predicate) {
  Wide iterations = 1;
  for (int64_t trips : site.trips)
    iterations = std::min<Wide>(iterations * trips, maxTriedIterations + 1);
  if (iterations > maxTriedIterations)
    return std::nullopt;
  Counters counters{};
  do {
    if (predicate(counters))
      return true;
  } while (advance(site, counters));
  return false;
}

static bool isInside(WideRange range, int64_t bytes) {
  return range.begin >= 0 && range.end <= bytes;
}

/// What the access touches in one iteration; empty when nothing.
static WideRange getRangeAt(const Site &site, const Access &access, const Counters &counters) {
  ExtentValues extents = evaluateExtents(site, counters);
  if (!isOpen(access, extents))
    return {};
  SmallVector<RawBox, 1> boxes;
  evaluateAccess(access, extents, counters, boxes);
  std::optional<WideRange> range;
  for (const RawBox &box : boxes) {
    StridedShape shape = makeShape(box.dims, box.run);
    Wide begin = box.base + shape.offset, end = begin + shape.span;
    range = range ? WideRange{std::min(range->begin, begin), std::max(range->end, end)}
                  : WideRange{begin, end};
  }
  return range.value_or(WideRange());
}

static Error makeRangeError(const Model &model, const Site &site, const Access &access,
                            const Counters *counters, WideRange range) {
  return makeError(site, "range",
                   "{0}: operand '{1}' {2} bytes [{3}, {4}) of {5}, which has {6} bytes",
                   model.describe(site, counters), access.operand,
                   access.writes ? "writes" : "reads", int64_t(range.begin), int64_t(range.end),
                   model.describeMemory(access.memory), model.getMemoryBytes(access.memory));
}

/// Looks for an iteration that leaves the memory; the closed form found that one may.
static Error findViolation(const Model &model, const Site &site, const Access &access,
                           WideRange bound) {
  int64_t bytes = model.getMemoryBytes(access.memory);
  bool fits = bound.begin > -magnitudeLimit && bound.end < magnitudeLimit;
  if (!fits) {
    bound.begin = std::max(bound.begin, -magnitudeLimit);
    bound.end = std::min(bound.end, magnitudeLimit);
    return makeRangeError(model, site, access, nullptr, bound);
  }
  // The extremes are at corners of the iteration space, unless extents are ragged there.
  for (unsigned corner = 0; corner < 1u << site.depth; ++corner) {
    Counters counters{};
    for (unsigned k = 0; k < site.depth; ++k)
      counters[k] = corner >> k & 1 ? site.trips[k] - 1 : 0;
    if (WideRange range = getRangeAt(site, access, counters); !isInside(range, bytes))
      return makeRangeError(model, site, access, &counters, range);
  }
  Counters found{};
  WideRange range;
  std::optional<bool> leaves = anyIteration(site, [&](const Counters &counters) {
    range = getRangeAt(site, access, counters);
    found = counters;
    return !isInside(range, bytes);
  });
  if (!leaves)
    return makeRangeError(model, site, access, nullptr, bound);
  return *leaves ? makeRangeError(model, site, access, &found, range) : Error::success();
}

static bool happens(const Site &site, const Access &access) {
  for (unsigned gates = access.gates; gates; gates &= gates - 1)
    if (getMaxExtent(*site.extents[countr_zero(gates)], site.trips) == 0)
      return false;
  return true;
}

static Error checkRange(const Model &model, const Site &site, const Access &access) {
  WideRange range = access.chip ? getChipRange(site, access) : getBoxRange(site, access);
  if (isInside(range, model.getMemoryBytes(access.memory)))
    return Error::success();
  return findViolation(model, site, access, range);
}

/// Whether an element of the access is misaligned in this iteration.
static bool isMisalignedAt(const Site &site, const Access &access, const Counters &counters) {
  ExtentValues extents = evaluateExtents(site, counters);
  if (!isOpen(access, extents))
    return false;
  if (access.boxBase) {
    SmallVector<RawBox, 4> boxes;
    evaluateAccess(access, extents, counters, boxes);
    return llvm::any_of(boxes, [&](const RawBox &box) {
      return box.base % access.elementBytes != 0 || llvm::any_of(box.dims, [&](const Stride &dim) {
               return dim.bytes % access.elementBytes != 0 && dim.count > 1;
             });
    });
  }
  return evaluate(*access.chip, counters) % access.elementBytes != 0 ||
         llvm::any_of(access.dims, [&](const ChipDim &dim) {
           return dim.stride % access.elementBytes != 0 && extents[dim.extent] > dim.divisor;
         });
}

static Error checkAlignment(const Model &model, const Site &site, const Access &access) {
  if (access.memory >= model.dramMemory(0))
    return Error::success(); // DRAM has no alignment
  auto fail = [&](StringRef what, int64_t value) -> Error {
    // Iterations in which the operand is aligned after all, or not touched, do no harm.
    if (anyIteration(site, [&](const Counters &counters) {
          return isMisalignedAt(site, access, counters);
        }) == false)
      return Error::success();
    return makeError(site, "alignment",
                     "{0}: operand '{1}' has {2} {3}, expected a multiple of its {4}-byte elements",
                     model.describe(site), access.operand, what, value, access.elementBytes);
  };
  int64_t unit = access.elementBytes;
  const Affine &base = access.chip ? access.chip->base : *access.boxBase;
  if (base.base % unit)
    return fail("base", base.base);
  for (unsigned k = 0; k < site.depth; ++k)
    if (site.trips[k] > 1 && base.coefficients[k] % unit)
      return fail(formatv("coefficient of i{0}", k).str(), base.coefficients[k]);
  for (const BoxDim &dim : access.box)
    if (dim.dram_stride % unit)
      return fail("stride", dim.dram_stride);
  if (access.chip && access.chip->slot_bytes % unit)
    return fail("slot size", access.chip->slot_bytes);
  for (const ChipDim &dim : access.dims)
    if (dim.stride % unit && getMaxExtent(*site.extents[dim.extent], site.trips) > dim.divisor)
      return fail("stride", dim.stride);
  return Error::success();
}

static Error checkRights(const Model &model, const Site &site, const Access &access) {
  if (access.memory < model.dramMemory(0) || !access.writes)
    return Error::success();
  const Region &region = model.program.regions[access.memory - model.dramMemory(0)];
  if (region.kind == RegionKind::Scratch || region.kind == RegionKind::Output ||
      region.kind == RegionKind::InOut)
    return Error::success();
  return makeError(
      site, "access rights",
      "{0}: writes region '{1}' of kind '{2}'; only scratch, output and inout regions may "
      "be written",
      model.describe(site), region.name, toString(region.kind));
}

/// Operands that the instruction requires in one memory.
static std::optional<MemorySpace> getRequiredSpace(const Site &site, const Access &access) {
  EngineKind engine = EngineKind(countr_zero(getEngines(*site.instruction)));
  if (engine == EngineKind::Mxu)
    return access.writes ? MemorySpace::Acc : MemorySpace::Sram;
  if (engine == EngineKind::Dmai || access.operand == "table")
    return MemorySpace::Sram;
  return std::nullopt;
}

static Error checkSpace(const Model &model, const Site &site, const Access &access) {
  if (!access.chip)
    return Error::success();
  std::optional<MemorySpace> space = getRequiredSpace(site, access);
  if (!space || *space == access.chip->space)
    return Error::success();
  return makeError(site, "operand space", "{0}: operand '{1}' must lie in {2}, found {3}",
                   model.describe(site), access.operand, toString(*space),
                   toString(access.chip->space));
}

/// What the instruction and the target say of its types, and the clusters it names.
static Error checkOperands(const Model &model, const Site &site) {
  if (std::optional<TypeMismatch> mismatch = checkTypes(*site.instruction, model.target))
    return makeError(site, "operand type", "{0}: {1}", model.describe(site), mismatch->message);
  const LoadFlags *flags = nullptr;
  if (const auto *load = std::get_if<DmaLoad>(site.instruction))
    flags = &load->flags;
  else if (const auto *gather = std::get_if<DmaGather>(site.instruction))
    flags = &gather->flags;
  else if (const auto *copy = std::get_if<DmaCopy>(site.instruction))
    flags = &copy->flags;
  if (flags && flags->clusters >> model.target.clusters)
    return makeError(site, "operand type",
                     "{0}: the multicast mask {1} names a cluster past the {2} of target '{3}'",
                     model.describe(site), flags->clusters, model.target.clusters,
                     model.program.target);
  return Error::success();
}

static Error checkMagnitudes(const Model &model, const Site &site) {
  MagnitudeChecker checker(site.trips);
  std::visit([&](const auto &held) { std::decay_t<decltype(held)>::visit(checker, held); },
             *site.instruction);
  if (checker.field.empty())
    return Error::success();
  return makeError(site, "range", "{0}: field '{1}' leaves -2^58..2^58 in some iteration",
                   model.describe(site), checker.field);
}

static Error checkSite(const Model &model, const Site &site) {
  if (Error error = checkMagnitudes(model, site))
    return error;
  if (Error error = checkOperands(model, site))
    return error;
  for (const Access &access : site.accesses) {
    for (auto check : {checkRights, checkSpace})
      if (Error error = check(model, site, access))
        return error;
    if (!happens(site, access))
      continue;
    for (auto check : {checkAlignment, checkRange})
      if (Error error = check(model, site, access))
        return error;
  }
  return Error::success();
}

Error npu::verifyRanges(const Program &program) {
  Expected<Model> model = Model::build(program);
  if (!model)
    return model.takeError();
  for (const Site &site : model->sites)
    if (Error error = checkSite(*model, site))
      return error;
  return Error::success();
}
