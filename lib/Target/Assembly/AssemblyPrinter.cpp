//===- AssemblyPrinter.cpp - programs to text -----------------------------===//

#include "NPU/Target/Assembly/Assembly.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace npu::isa;

/// `130 - 64*i0`, `i0 - 1`: a negative constant stands last.
static void printAffine(const Affine &value, raw_ostream &os) {
  bool isFirst = true;
  bool isLast = value.base < 0 && !value.isConstant();
  if ((value.base != 0 || value.isConstant()) && !isLast) {
    os << value.base;
    isFirst = false;
  }
  for (unsigned k = 0; k < maxLoopDepth; ++k) {
    int64_t coefficient = value.coefficients[k];
    if (coefficient == 0)
      continue;
    if (isFirst)
      os << (coefficient < 0 ? "-" : "");
    else
      os << (coefficient < 0 ? " - " : " + ");
    isFirst = false;
    if (std::abs(coefficient) != 1)
      os << std::abs(coefficient) << "*";
    os << "i" << k;
  }
  if (isLast)
    os << " - " << -value.base;
}

/// Shortest decimal that reads back the same, or the bit pattern.
static void printFloat(float value, raw_ostream &os) {
  std::string text;
  raw_string_ostream stream(text);
  stream << format("%.9g", value);
  APFloat parsed(APFloat::IEEEsingle());
  auto status = parsed.convertFromString(text, APFloat::rmNearestTiesToEven);
  if (!status || bitsOf(parsed.convertToFloat()) != bitsOf(value)) {
    consumeError(status.takeError());
    os << format("0x%08x", bitsOf(value));
    return;
  }
  os << text;
}

static void printCounters(CounterSet counters, raw_ostream &os) {
  ListSeparator comma;
  for (unsigned k = 0; k < 8; ++k)
    if (counters >> k & 1)
      os << comma << "i" << k;
}

//===----------------------------------------------------------------------===//
// Groups with a syntax of their own
//===----------------------------------------------------------------------===//

static void printCustom(const LoopCount &count, raw_ostream &os) { os << count.trips; }

static void printCustom(const Extent &extent, raw_ostream &os) {
  if (extent.limit.isConstant() && extent.limit.base == extent.full) {
    os << extent.full;
    return;
  }
  os << "clamp(";
  printAffine(extent.limit, os);
  os << ", " << extent.full << ")";
}

static void printCustom(const Address &address, raw_ostream &os) {
  os << toString(address.space) << "[";
  printAffine(address.base, os);
  if (address.depth != 1) {
    os << ", ring(";
    printAffine(address.position, os);
    os << ", depth=" << address.depth << ", slot=" << address.slot_bytes << ")";
  }
  os << "]";
}

template <typename G>
static void printAccumulation(const G &group, raw_ostream &os) {
  os << toString(group.mode);
  if (group.mode == AccumulateMode::Unless) {
    os << "(";
    printCounters(group.counters, os);
    os << ")";
  }
}

static void printCustom(const Accumulate &accumulate, raw_ostream &os) {
  os << toString(accumulate.type) << " ";
  printAccumulation(accumulate, os);
  if (accumulate.biased) {
    os << " start(";
    printCustom(accumulate.start, os);
    os << ")";
  }
}

static void printCustom(const Reduction &reduction, raw_ostream &os) {
  os << toString(reduction.kind) << " ";
  printAccumulation(reduction, os);
}

static void printCustom(const VectorOperand &operand, raw_ostream &os) {
  os << toString(operand.type) << " ";
  printCustom(operand.at, os);
  os << " strides(" << operand.stride0 << ", " << operand.stride1 << ", " << operand.stride2 << ", "
     << operand.stride3 << ")";
}

static void printCustom(const Shape &shape, raw_ostream &os) {
  os << "[";
  printCustom(shape.d0, os);
  os << ", ";
  printCustom(shape.d1, os);
  os << ", ";
  printCustom(shape.d2, os);
  os << ", ";
  printCustom(shape.d3, os);
  os << "]";
}

static void printSync(const Sync &sync, raw_ostream &os) {
  auto printWait = [&](int64_t semaphore, const Affine &value) {
    os << "s" << semaphore << " >= ";
    printAffine(value, os);
  };
  if (sync.wait0) {
    os << " wait(";
    printWait(sync.wait0, sync.value0);
    if (sync.wait1) {
      os << ", ";
      printWait(sync.wait1, sync.value1);
    }
    os << ")";
  }
  if (sync.signal0) {
    os << " signal(s" << sync.signal0;
    if (sync.signal1)
      os << ", s" << sync.signal1;
    os << ")";
  }
}

namespace {
/// Prints operands as `name=value`; fields of plain groups are omitted when they are 0.
class Printer {
public:
  explicit Printer(raw_ostream &os) : os(os) {}

  template <typename G>
  void part(StringLiteral name, unsigned, const G &group) {
    if constexpr (std::is_same_v<G, Sync>) {
      printSync(group, os);
    } else if constexpr (std::is_same_v<G, LoopCount>) {
      os << " ";
      printCustom(group, os);
    } else if constexpr (G::hasCustomSyntax) {
      begin(name);
      printCustom(group, os);
    } else {
      if (group == G())
        return;
      begin(name);
      printBraces(group);
    }
  }
  template <typename G>
  void repeated(StringLiteral name, unsigned, unsigned, const SmallVector<G, 0> &entries) {
    if (entries.empty())
      return;
    begin(name);
    os << "[";
    for (size_t i = 0; i < entries.size(); ++i) {
      os << (i ? ",\n" : "\n") << std::string(8, ' ');
      printBraces(entries[i]);
    }
    os << "]";
  }
  void unsignedField(const FieldInfo &info, int64_t value) { signedField(info, value); }
  void signedField(const FieldInfo &info, int64_t value) {
    if (value == 0)
      return;
    begin(info.name);
    os << value;
  }
  void affineField(const FieldInfo &info, const Affine &value) {
    if (value == Affine())
      return;
    begin(info.name);
    printAffine(value, os);
  }
  void floatField(const FieldInfo &info, float value) {
    if (bitsOf(value) == 0)
      return;
    begin(info.name);
    printFloat(value, os);
  }
  void flagField(const FieldInfo &info, bool value) {
    if (!value)
      return;
    begin(info.name);
    os << "1";
  }
  void countersField(const FieldInfo &info, CounterSet value) {
    if (value == 0)
      return;
    begin(info.name);
    os << "(";
    printCounters(value, os);
    os << ")";
  }
  template <typename E>
  void enumField(const FieldInfo &info, E value) {
    begin(info.name);
    os << toString(value);
  }
  void reserved(unsigned, unsigned, unsigned) {}

  void printSource(int64_t source) {
    if (source == 0)
      return;
    begin("source");
    os << source;
  }

private:
  void begin(StringRef name) {
    os << (isFirst ? separator : ", ") << name << "=";
    isFirst = false;
  }
  template <typename G>
  void printBraces(const G &group) {
    os << "{";
    isFirst = true;
    separator = "";
    G::visit(*this, group);
    isFirst = false;
    separator = " ";
    os << "}";
  }

  raw_ostream &os;
  bool isFirst = true;
  const char *separator = " ";
};
} // namespace

void npu::isa::printInstruction(const Instruction &instruction, raw_ostream &os) {
  os << getMnemonic(instruction);
  std::visit(
      [&](const auto &held) {
        Printer printer(os);
        std::decay_t<decltype(held)>::visit(printer, held);
        printer.printSource(held.source);
      },
      instruction);
}

static void printQuoted(StringRef text, raw_ostream &os) {
  os << '"';
  printEscapedString(text, os);
  os << '"';
}

void npu::isa::printAssembly(const Program &program, raw_ostream &os) {
  os << ".kernel ";
  printQuoted(program.name, os);
  os << "\n.target ";
  printQuoted(program.target, os);
  os << "\n";
  for (size_t i = 0; i < program.regions.size(); ++i) {
    const Region &region = program.regions[i];
    os << ".region " << i << " " << toString(region.kind) << " ";
    printQuoted(region.name, os);
    os << " " << region.bytes << "\n";
    ArrayRef<uint8_t> data = region.data;
    while (!data.empty()) {
      size_t count = std::min<size_t>(32, data.size());
      os << ".data " << i << " \"" << toHex(data.take_front(count), /*LowerCase=*/true) << "\"\n";
      data = data.drop_front(count);
    }
  }
  for (size_t i = 0; i < program.sources.size(); ++i) {
    os << ".source " << i + 1 << " ";
    printQuoted(program.sources[i], os);
    os << "\n";
  }
  for (const Stream &stream : program.streams) {
    os << "\n.stream " << stream.cluster << " " << toString(stream.engine) << "\n";
    unsigned depth = 1;
    for (const Instruction &instruction : stream.code) {
      depth -= std::holds_alternative<EndLoop>(instruction);
      os.indent(2 * depth);
      printInstruction(instruction, os);
      if (std::holds_alternative<Loop>(instruction))
        os << " // i" << depth - 1;
      os << "\n";
      depth += std::holds_alternative<Loop>(instruction);
    }
  }
}
