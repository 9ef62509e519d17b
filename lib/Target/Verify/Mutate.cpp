//===- Mutate.cpp - programs with one mistake -----------------------------===//

#include "NPU/Target/Verify/Mutate.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace npu;
using namespace npu::isa;

namespace {
/// Collects the bases of an instruction's addresses.
class BaseCollector {
public:
  template <typename G>
  void part(StringLiteral, unsigned, G &group) {
    if constexpr (std::is_same_v<G, Address> || std::is_same_v<G, DramSide> ||
                  std::is_same_v<G, SramSide>)
      bases.push_back(&group.base);
    else
      G::visit(*this, group);
  }
  template <typename G>
  void repeated(StringLiteral, unsigned, unsigned, SmallVector<G, 0> &) {}
  void affineField(const FieldInfo &, Affine &) {}
  void countersField(const FieldInfo &, CounterSet &) {}
  void unsignedField(const FieldInfo &, int64_t &) {}
  void signedField(const FieldInfo &, int64_t &) {}
  void floatField(const FieldInfo &, float &) {}
  void flagField(const FieldInfo &, bool &) {}
  template <typename E>
  void enumField(const FieldInfo &, E &) {}
  void reserved(unsigned, unsigned, unsigned) {}

  SmallVector<Affine *, 4> bases;
};
} // namespace

static SmallVector<Affine *, 4> getBases(Instruction &instruction) {
  BaseCollector collector;
  std::visit([&](auto &held) { std::decay_t<decltype(held)>::visit(collector, held); },
             instruction);
  return collector.bases;
}

std::string Mutation::describe(const Program &program) const {
  auto text = [&]() -> std::string {
    switch (kind) {
    case MutationKind::DeleteWait:
      return formatv("delete wait {0}", slot);
    case MutationKind::DeleteSignal:
      return formatv("delete signal {0}", slot);
    case MutationKind::IncrementWait:
      return formatv("add 1 to wait {0}", slot);
    case MutationKind::DecrementWait:
      return formatv("subtract 1 from wait {0}", slot);
    case MutationKind::ShiftAddress:
      return formatv("move address {0} by {1} bytes", slot, bytes);
    }
    llvm_unreachable("unknown mutation");
  };
  return formatv("{0}, instruction {1}: {2}", isa::describe(program.streams[stream]), index,
                 text());
}

std::vector<Mutation> npu::enumerateMutations(const Program &program, int64_t shiftBytes) {
  std::vector<Mutation> mutations;
  for (unsigned s = 0; s < program.streams.size(); ++s)
    for (unsigned i = 0; i < program.streams[s].code.size(); ++i) {
      Instruction instruction = program.streams[s].code[i];
      const Sync *sync = getSync(instruction);
      if (!sync)
        continue;
      for (unsigned slot = 0; slot < 2; ++slot) {
        if (slot ? sync->wait1 : sync->wait0)
          for (MutationKind kind :
               {MutationKind::DeleteWait, MutationKind::IncrementWait, MutationKind::DecrementWait})
            mutations.push_back({kind, s, i, slot});
        if (slot ? sync->signal1 : sync->signal0)
          mutations.push_back({MutationKind::DeleteSignal, s, i, slot});
      }
      for (unsigned slot = 0; slot < getBases(instruction).size(); ++slot)
        for (int64_t bytes : {shiftBytes, -shiftBytes})
          mutations.push_back({MutationKind::ShiftAddress, s, i, slot, bytes});
    }
  return mutations;
}

Program npu::applyMutation(Program program, const Mutation &mutation) {
  Instruction &instruction = program.streams[mutation.stream].code[mutation.index];
  Sync *sync = getSync(instruction);
  Affine &value = mutation.slot ? sync->value1 : sync->value0;
  switch (mutation.kind) {
  case MutationKind::DeleteWait:
    if (mutation.slot == 0) {
      sync->wait0 = sync->wait1;
      sync->value0 = sync->value1;
    }
    sync->wait1 = 0;
    sync->value1 = Affine();
    break;
  case MutationKind::DeleteSignal:
    if (mutation.slot == 0)
      sync->signal0 = sync->signal1;
    sync->signal1 = 0;
    break;
  case MutationKind::IncrementWait:
    ++value.base;
    break;
  case MutationKind::DecrementWait:
    --value.base;
    break;
  case MutationKind::ShiftAddress:
    getBases(instruction)[mutation.slot]->base += mutation.bytes;
    break;
  }
  return program;
}
