//===- CheckProgram.cpp - the structure every consumer relies on ----------===//

#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Target/ISA/Program.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace npu::isa;

std::string npu::isa::describe(const Stream &stream) {
  return formatv("cluster {0} {1}", stream.cluster, toString(stream.engine)).str();
}

namespace {
/// Finds the deepest counter and the largest region an instruction mentions.
class UseCollector {
public:
  template <typename G>
  void part(StringLiteral, unsigned, const G &group) {
    if constexpr (std::is_same_v<G, DramSide>)
      region = group.region;
    G::visit(*this, group);
  }
  template <typename G>
  void repeated(StringLiteral, unsigned, unsigned, const SmallVector<G, 0> &entries) {
    for (const G &entry : entries)
      G::visit(*this, entry);
  }
  void affineField(const FieldInfo &, const Affine &value) {
    for (unsigned k = 0; k < maxLoopDepth; ++k)
      if (value.coefficients[k])
        depth = std::max(depth, k + 1);
  }
  void countersField(const FieldInfo &, CounterSet value) {
    for (unsigned k = 0; k < maxLoopDepth; ++k)
      if (value >> k & 1)
        depth = std::max(depth, k + 1);
  }
  void unsignedField(const FieldInfo &, int64_t) {}
  void signedField(const FieldInfo &, int64_t) {}
  void floatField(const FieldInfo &, float) {}
  void flagField(const FieldInfo &, bool) {}
  template <typename E>
  void enumField(const FieldInfo &, E) {}
  void reserved(unsigned, unsigned, unsigned) {}

  unsigned depth = 0; ///< loops that must enclose the instruction
  int64_t region = -1;
};
} // namespace

static Error makeError(const Stream &stream, size_t index, const Twine &message) {
  return createStringError(inconvertibleErrorCode(), "stream " + describe(stream) +
                                                         ", instruction " + Twine(index) + ": " +
                                                         message);
}

static Error checkStream(const Program &program, const Stream &stream) {
  unsigned depth = 0;
  for (auto [index, instruction] : llvm::enumerate(stream.code)) {
    StringRef mnemonic = getMnemonic(instruction);
    if (!(getEngines(instruction) >> unsigned(stream.engine) & 1))
      return makeError(stream, index,
                       "'" + mnemonic + "' is not an instruction of engine '" +
                           toString(stream.engine) + "'");
    if (Error error = checkInstruction(instruction))
      return makeError(stream, index, toString(std::move(error)));
    if (uint64_t(getSource(instruction)) > program.sources.size())
      return makeError(stream, index,
                       formatv("source {0} is not in the source table, which has {1} entries",
                               getSource(instruction), program.sources.size()));
    UseCollector uses;
    std::visit([&](const auto &held) { std::decay_t<decltype(held)>::visit(uses, held); },
               instruction);
    if (uses.depth > depth)
      return makeError(stream, index,
                       formatv("'{0}' uses counter i{1}, but only {2} loops enclose it", mnemonic,
                               uses.depth - 1, depth));
    if (uses.region >= 0 && uint64_t(uses.region) >= program.regions.size())
      return makeError(stream, index,
                       formatv("region {0} is not in the region table, which has {1} entries",
                               uses.region, program.regions.size()));

    bool isLast = index + 1 == stream.code.size();
    if (std::holds_alternative<Loop>(instruction) && ++depth > maxLoopDepth)
      return makeError(stream, index, formatv("loops nest more than {0} deep", maxLoopDepth));
    if (std::holds_alternative<EndLoop>(instruction) && depth-- == 0)
      return makeError(stream, index, "'endloop' without a loop");
    if (std::holds_alternative<Halt>(instruction) && (!isLast || depth != 0))
      return makeError(stream, index, "'halt' must be the last instruction, outside all loops");
    if (isLast && !std::holds_alternative<Halt>(instruction))
      return makeError(stream, index, "the stream must end with 'halt'");
  }
  if (stream.code.empty())
    return createStringError(inconvertibleErrorCode(),
                             "stream " + describe(stream) + " must end with 'halt', but is empty");
  return Error::success();
}

static Error checkRegion(const Region &region) {
  bool hasData = region.kind == RegionKind::Constants;
  if (region.bytes < 0 || region.bytes > maxRegionBytes)
    return createStringError(inconvertibleErrorCode(),
                             formatv("region '{0}' must have 0 to 2^{1} bytes, found {2}",
                                     region.name, Log2_64(maxRegionBytes), region.bytes));
  if (region.data.size() != (hasData ? size_t(region.bytes) : 0))
    return createStringError(inconvertibleErrorCode(),
                             formatv("region '{0}' must hold {1} bytes of data, found {2}",
                                     region.name, hasData ? region.bytes : 0, region.data.size()));
  return Error::success();
}

Error npu::isa::checkProgram(const Program &program) {
  Expected<TargetDesc> target = parseTarget(program.target);
  if (!target)
    return target.takeError();
  for (const Region &region : program.regions)
    if (Error error = checkRegion(region))
      return error;
  if (program.regions.size() > size_t(maxRegions))
    return createStringError(inconvertibleErrorCode(),
                             formatv("a program has at most {0} regions, found {1}", maxRegions,
                                     program.regions.size()));
  const Stream *previous = nullptr;
  for (const Stream &stream : program.streams) {
    if (stream.cluster < 0 || stream.cluster >= target->clusters)
      return createStringError(inconvertibleErrorCode(),
                               formatv("stream {0}: target '{1}' has {2} clusters",
                                       describe(stream), program.target, target->clusters));
    if (previous && std::make_pair(previous->cluster, previous->engine) >=
                        std::make_pair(stream.cluster, stream.engine))
      return createStringError(inconvertibleErrorCode(),
                               "stream " + describe(stream) + " must not follow stream " +
                                   describe(*previous) +
                                   ": streams are ordered by cluster, then engine");
    previous = &stream;
    if (Error error = checkStream(program, stream))
      return error;
  }
  return Error::success();
}
