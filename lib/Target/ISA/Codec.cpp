//===- Codec.cpp - instructions to words and back -------------------------===//
//
// Encoder and decoder are two visitors over the same generated field lists, so they cannot disagree
// about where a field is.
//
//===----------------------------------------------------------------------===//

#include "NPU/Target/ISA/Codec.h"

#include "NPU/Target/ISA/Program.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace npu::isa;

/// The field's bits in a word.
static uint64_t pack(const FieldInfo &info, uint64_t bits) {
  return (bits & maskTrailingOnes<uint64_t>(info.width)) << info.lsb;
}
static uint64_t unpack(const FieldInfo &info, uint64_t word) {
  return word >> info.lsb & maskTrailingOnes<uint64_t>(info.width);
}

static uint64_t packTerm(unsigned slot, unsigned counter, int64_t coefficient) {
  return pack(Term::Fields::slot, slot) | pack(Term::Fields::counter, counter) |
         pack(Term::Fields::coefficient, uint64_t(coefficient));
}

namespace {
/// Writes fields into words; collects loop terms in slot order.
class Encoder {
public:
  /// The instruction's first word is `words[start]`; its fixed part exists already.
  Encoder(std::vector<uint64_t> &words, size_t start) : words(words), start(start) {}

  template <typename G>
  void part(StringLiteral, unsigned word, const G &group) {
    unsigned outer = base;
    base += word;
    if (words.size() < start + base + G::words)
      words.resize(start + base + G::words);
    G::visit(*this, group);
    base = outer;
  }
  template <typename G>
  void repeated(StringLiteral name, unsigned word, unsigned, const SmallVector<G, 0> &entries) {
    repeats = entries.size();
    for (const G &entry : entries) {
      part(name, word, entry);
      word += G::words;
    }
  }
  void unsignedField(const FieldInfo &info, int64_t value) { put(info, value / info.scale); }
  void signedField(const FieldInfo &info, int64_t value) { put(info, value / info.scale); }
  void floatField(const FieldInfo &info, float value) { put(info, bitsOf(value)); }
  void flagField(const FieldInfo &info, bool value) { put(info, value); }
  void countersField(const FieldInfo &info, CounterSet value) { put(info, value); }
  template <typename E>
  void enumField(const FieldInfo &info, E value) {
    put(info, uint64_t(value));
  }
  void affineField(const FieldInfo &info, const Affine &value) {
    put(info, value.base);
    for (unsigned k = 0; k < maxLoopDepth; ++k)
      if (value.coefficients[k])
        terms.push_back(packTerm(slot, k, value.coefficients[k]));
    ++slot;
  }
  void reserved(unsigned, unsigned, unsigned) {}

  std::vector<uint64_t> terms;
  unsigned repeats = 0;

private:
  void put(const FieldInfo &info, uint64_t bits) {
    words[start + base + info.word] |= pack(info, bits);
  }

  std::vector<uint64_t> &words;
  size_t start;
  unsigned base = 0, slot = 0;
};

/// Reads fields from words; the terms are applied as the affine fields come by.
class Decoder {
public:
  Decoder(ArrayRef<uint64_t> words, ArrayRef<uint64_t> terms, unsigned repeats)
      : words(words), terms(terms), repeats(repeats) {}

  template <typename G>
  void part(StringLiteral name, unsigned word, G &group) {
    unsigned outer = base;
    base += word;
    if (base + G::words <= words.size())
      G::visit(*this, group);
    else
      fail("is truncated in '" + name + "'");
    base = outer;
  }
  template <typename G>
  void repeated(StringLiteral name, unsigned word, unsigned, SmallVector<G, 0> &entries) {
    entries.resize(repeats);
    for (G &entry : entries) {
      part(name, word, entry);
      word += G::words;
    }
  }
  void unsignedField(const FieldInfo &info, int64_t &value) {
    value = static_cast<int64_t>(get(info)) * info.scale;
  }
  void signedField(const FieldInfo &info, int64_t &value) {
    value = SignExtend64(get(info), info.width) * info.scale;
  }
  void floatField(const FieldInfo &info, float &value) {
    value = bit_cast<float>(uint32_t(get(info)));
  }
  void flagField(const FieldInfo &info, bool &value) { value = get(info); }
  void countersField(const FieldInfo &info, CounterSet &value) { value = get(info); }
  template <typename E>
  void enumField(const FieldInfo &info, E &value) {
    value = static_cast<E>(get(info)); // an unknown value is refused by checkInstruction
  }
  void affineField(const FieldInfo &info, Affine &value) {
    value.base = SignExtend64(get(info), info.width);
    int lastCounter = -1;
    using Fields = Term::Fields;
    while (!terms.empty() && unpack(Fields::slot, terms.front()) == slot) {
      uint64_t term = terms.front();
      terms = terms.drop_front();
      int counter = unpack(Fields::counter, term);
      int64_t coefficient =
          SignExtend64(unpack(Fields::coefficient, term), Fields::coefficient.width);
      if (term != packTerm(slot, counter, coefficient))
        return fail("has a reserved bit set in a term");
      if (counter >= int(maxLoopDepth) || counter <= lastCounter || coefficient == 0)
        return fail("has a term that is out of order, repeated, or zero");
      value.coefficients[counter] = coefficient;
      lastCounter = counter;
    }
    ++slot;
  }
  void reserved(unsigned word, unsigned lsb, unsigned width) {
    if (words[base + word] >> lsb & maskTrailingOnes<uint64_t>(width))
      fail(formatv("has a reserved bit set in word {0}, bits {1} to {2}", base + word, lsb,
                   lsb + width - 1));
  }

  void finish() {
    if (!terms.empty())
      fail("has a term for no affine field, or terms out of order");
  }
  std::string message;

private:
  uint64_t get(const FieldInfo &info) const { return unpack(info, words[base + info.word]); }
  void fail(const Twine &what) {
    if (message.empty())
      message = what.str();
  }

  ArrayRef<uint64_t> words, terms;
  unsigned repeats, base = 0, slot = 0;
};

/// Words of one repetition and the greatest number of them.
class RepeatCounter {
public:
  template <typename G>
  void part(StringLiteral, unsigned, const G &) {}
  template <typename G>
  void repeated(StringLiteral, unsigned, unsigned atMost, const SmallVector<G, 0> &) {
    words = G::words;
    max = atMost;
  }
  unsigned words = 0, max = 0;
};
} // namespace

template <size_t Index = 0>
static std::optional<Instruction> makeInstruction(uint8_t opcode) {
  if constexpr (Index < std::variant_size_v<Instruction>) {
    using T = std::variant_alternative_t<Index, Instruction>;
    if (T::opcode == opcode)
      return Instruction(std::in_place_index<Index>);
    return makeInstruction<Index + 1>(opcode);
  }
  return std::nullopt;
}

template <size_t Index = 0>
static std::optional<Instruction> makeByName(StringRef mnemonic) {
  if constexpr (Index < std::variant_size_v<Instruction>) {
    using T = std::variant_alternative_t<Index, Instruction>;
    if (T::mnemonic == mnemonic)
      return Instruction(std::in_place_index<Index>);
    return makeByName<Index + 1>(mnemonic);
  }
  return std::nullopt;
}

std::optional<Instruction> npu::isa::makeInstruction(StringRef mnemonic) {
  return makeByName(mnemonic);
}

Error npu::isa::encode(const Instruction &instruction, std::vector<uint64_t> &words) {
  if (Error error = checkInstruction(instruction))
    return error;
  size_t start = words.size();
  std::visit(
      [&](const auto &held) {
        using T = std::decay_t<decltype(held)>;
        words.resize(start + T::words);
        Encoder encoder(words, start);
        T::visit(encoder, held);
        Head head;
        head.opcode = T::opcode;
        head.terms = encoder.terms.size();
        head.repeats = encoder.repeats;
        head.source = held.source;
        encoder.part("head", 0, head);
        words.insert(words.end(), encoder.terms.begin(), encoder.terms.end());
      },
      instruction);
  return Error::success();
}

Expected<Instruction> npu::isa::decode(ArrayRef<uint64_t> &words) {
  auto makeError = [](const Twine &message) {
    return createStringError(inconvertibleErrorCode(), message);
  };
  if (words.empty())
    return makeError("expected an instruction, found the end of the stream");
  Head head;
  Decoder headDecoder(words.take_front(1), {}, 0);
  headDecoder.part("head", 0, head);
  if (!headDecoder.message.empty())
    return makeError("instruction head " + headDecoder.message);
  std::optional<Instruction> instruction = ::makeInstruction(uint8_t(head.opcode));
  if (!instruction)
    return makeError("unknown opcode " + Twine(head.opcode));

  size_t total = 0;
  std::string message = std::visit(
      [&](auto &held) -> std::string {
        using T = std::decay_t<decltype(held)>;
        RepeatCounter counter;
        T::visit(counter, held);
        if (head.repeats > counter.max)
          return formatv("has {0} repeated groups, at most {1} are allowed", head.repeats,
                         counter.max);
        size_t body = T::words + head.repeats * counter.words;
        total = body + head.terms;
        if (total > words.size())
          return formatv("needs {0} words, but only {1} are left", total, words.size());
        Decoder decoder(words.take_front(body), words.slice(body, head.terms), head.repeats);
        T::visit(decoder, held);
        decoder.finish();
        held.source = head.source;
        return decoder.message;
      },
      *instruction);
  if (!message.empty())
    return makeError("'" + getMnemonic(*instruction) + "' " + message);
  if (Error error = checkInstruction(*instruction))
    return std::move(error);
  words = words.drop_front(total);
  return std::move(*instruction);
}
