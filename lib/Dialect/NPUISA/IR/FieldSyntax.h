//===- FieldSyntax.h - fields of instructions in the exit dialect's text --===//
//
// Two visitors over the generated fields: one prints those that are not 0, one finds a field by the
// path of its name and reads it.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_NPUISA_IR_FIELDSYNTAX_H
#define NPU_LIB_DIALECT_NPUISA_IR_FIELDSYNTAX_H

#include "NPU/Dialect/NPUISA/IR/NPUISA.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

namespace npu::isa::detail {

/// The base and the coefficients of an affine field, without trailing zeros.
inline llvm::SmallVector<int64_t> getNumbers(const Affine &value) {
  llvm::SmallVector<int64_t> numbers = {value.base};
  llvm::append_range(numbers, value.coefficients);
  while (!numbers.empty() && numbers.back() == 0)
    numbers.pop_back();
  return numbers;
}

template <typename E>
mlir::FailureOr<E> parseEnum(mlir::AsmParser &parser) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  std::string name;
  if (parser.parseKeywordOrString(&name))
    return mlir::failure();
  if (std::optional<E> value = fromString<E>(name))
    return *value;
  llvm::SmallVector<llvm::StringRef> known;
  for (const EnumCase<E> &c : EnumTraits<E>::cases)
    known.push_back(c.name);
  parser.emitError(loc) << "expected a value of " << EnumTraits<E>::title << " ("
                        << llvm::join(known, ", ") << "), found '" << name << "'";
  return mlir::failure();
}

template <typename G>
mlir::FailureOr<G> parseGroup(mlir::AsmParser &parser);
template <typename G>
void printGroup(mlir::AsmPrinter &printer, const G &group);

/// The path of the fields that a visitor is at.
class FieldPath {
protected:
  template <typename Visitor, typename G>
  void enter(Visitor &visitor, llvm::StringRef name, G &group) {
    size_t length = path.size();
    path += name.str() + "_";
    std::remove_const_t<G>::visit(visitor, group);
    path.resize(length);
  }

  std::string path;
};

/// Prints `name = value` for each field that is not 0, with commas between.
class FieldPrinter : FieldPath {
public:
  explicit FieldPrinter(mlir::AsmPrinter &printer) : printer(printer) {}

  template <typename G>
  void part(llvm::StringLiteral name, unsigned, const G &group) {
    enter(*this, name, group);
  }
  template <typename G>
  void repeated(llvm::StringLiteral name, unsigned, unsigned,
                const llvm::SmallVector<G, 0> &entries) {
    if (entries.empty())
      return;
    begin(name) << " = [";
    llvm::interleaveComma(entries, os(), [&](const G &entry) { printGroup(printer, entry); });
    os() << ']';
  }
  void unsignedField(const FieldInfo &info, int64_t value) { signedField(info, value); }
  void signedField(const FieldInfo &info, int64_t value) {
    if (value != 0)
      begin(info.name) << " = " << value;
  }
  void affineField(const FieldInfo &info, const Affine &value) {
    llvm::SmallVector<int64_t> numbers = getNumbers(value);
    if (numbers.size() < 2)
      return signedField(info, value.base);
    begin(info.name) << " = [";
    llvm::interleaveComma(numbers, os());
    os() << ']';
  }
  void floatField(const FieldInfo &info, float value) {
    if (bitsOf(value) == 0)
      return;
    begin(info.name) << " = ";
    printer.printFloat(llvm::APFloat(value));
  }
  void flagField(const FieldInfo &info, bool value) {
    if (value)
      begin(info.name);
  }
  void countersField(const FieldInfo &info, CounterSet value) { signedField(info, value); }
  template <typename E>
  void enumField(const FieldInfo &info, E value) {
    if (value != EnumTraits<E>::cases[0].value)
      begin(info.name) << " = " << toString(value);
  }
  void reserved(unsigned, unsigned, unsigned) {}

  bool hasPrinted = false;

private:
  llvm::raw_ostream &os() { return printer.getStream(); }
  llvm::raw_ostream &begin(llvm::StringRef name) {
    os() << (hasPrinted ? ", " : "") << path << name;
    hasPrinted = true;
    return os();
  }

  mlir::AsmPrinter &printer;
};

/// Reads what stands behind the name of one field.
class FieldAssigner : FieldPath {
public:
  FieldAssigner(mlir::AsmParser &parser, llvm::StringRef name) : parser(parser), name(name) {}

  template <typename G>
  void part(llvm::StringLiteral name, unsigned, G &group) {
    enter(*this, name, group);
  }
  template <typename G>
  void repeated(llvm::StringLiteral name, unsigned, unsigned, llvm::SmallVector<G, 0> &entries) {
    if (!isWanted(name))
      return;
    result = mlir::failure(parser.parseEqual() ||
                           parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square, [&] {
                             mlir::FailureOr<G> entry = parseGroup<G>(parser);
                             if (succeeded(entry))
                               entries.push_back(*entry);
                             return mlir::ParseResult(mlir::failure(failed(entry)));
                           }));
  }
  void unsignedField(const FieldInfo &info, int64_t &value) { signedField(info, value); }
  void signedField(const FieldInfo &info, int64_t &value) {
    if (isWanted(info.name))
      result = mlir::failure(parser.parseEqual() || parser.parseInteger(value));
  }
  void affineField(const FieldInfo &info, Affine &value) {
    if (isWanted(info.name))
      result = parseAffine(value);
  }
  void floatField(const FieldInfo &info, float &value) {
    if (!isWanted(info.name))
      return;
    llvm::APFloat number(0.0f);
    result = mlir::failure(parser.parseEqual() ||
                           parser.parseFloat(llvm::APFloat::IEEEsingle(), number));
    value = number.convertToFloat();
  }
  void flagField(const FieldInfo &info, bool &value) {
    if (isWanted(info.name))
      value = true;
  }
  void countersField(const FieldInfo &info, CounterSet &value) {
    int64_t number = 0;
    llvm::SMLoc loc = parser.getCurrentLocation();
    signedField(info, number);
    if (number < 0 || number > std::numeric_limits<CounterSet>::max())
      result = parser.emitError(loc, "expected a set of counters as a number of 8 bits, found ")
               << number;
    else if (number != 0)
      value = number;
  }
  template <typename E>
  void enumField(const FieldInfo &info, E &value) {
    if (!isWanted(info.name))
      return;
    mlir::FailureOr<E> parsed = mlir::failure();
    if (succeeded(parser.parseEqual()))
      parsed = parseEnum<E>(parser);
    if (succeeded(parsed))
      value = *parsed;
    result = mlir::failure(failed(parsed));
  }
  void reserved(unsigned, unsigned, unsigned) {}

  bool isFound = false;
  mlir::ParseResult result = mlir::success();

private:
  bool isWanted(llvm::StringRef field) {
    if (!name.starts_with(path) || name.drop_front(path.size()) != field)
      return false;
    return isFound = true;
  }
  /// A number, or a list of the base and coefficients.
  mlir::ParseResult parseAffine(Affine &value) {
    if (parser.parseEqual())
      return mlir::failure();
    mlir::OptionalParseResult number = parser.parseOptionalInteger(value.base);
    if (number.has_value())
      return *number;
    llvm::SMLoc loc = parser.getCurrentLocation();
    unsigned index = 0;
    return parser.parseCommaSeparatedList(
        mlir::AsmParser::Delimiter::Square, [&]() -> mlir::ParseResult {
          if (index > maxLoopDepth)
            return parser.emitError(loc, "'")
                   << name << "' has more than " << 1 + maxLoopDepth << " elements";
          int64_t &element = index == 0 ? value.base : value.coefficients[index - 1];
          ++index;
          return parser.parseInteger(element);
        });
  }

  mlir::AsmParser &parser;
  llvm::StringRef name;
};

/// Reads fields in braces; `unknown` decides about other names.
template <typename G>
mlir::ParseResult
parseFields(mlir::AsmParser &parser, G &group, mlir::AsmParser::Delimiter delimiter,
            llvm::function_ref<mlir::ParseResult(llvm::SMLoc, llvm::StringRef)> unknown) {
  llvm::SmallVector<std::string> seen;
  return parser.parseCommaSeparatedList(delimiter, [&]() -> mlir::ParseResult {
    llvm::SMLoc loc = parser.getCurrentLocation();
    std::string name;
    if (parser.parseKeywordOrString(&name))
      return mlir::failure();
    if (llvm::is_contained(seen, name))
      return parser.emitError(loc, "expected field '") << name << "' once";
    seen.push_back(name);
    FieldAssigner assigner(parser, name);
    G::visit(assigner, group);
    return assigner.isFound ? assigner.result : unknown(loc, name);
  });
}

template <typename G>
mlir::FailureOr<G> parseGroup(mlir::AsmParser &parser) {
  G group;
  if (parseFields(parser, group, mlir::AsmParser::Delimiter::Braces,
                  [&](llvm::SMLoc loc, llvm::StringRef name) -> mlir::ParseResult {
                    return parser.emitError(loc, "a repeated group has no field '") << name << "'";
                  }))
    return mlir::failure();
  return group;
}

template <typename G>
void printGroup(mlir::AsmPrinter &printer, const G &group) {
  printer << '{';
  FieldPrinter fields(printer);
  G::visit(fields, group);
  printer << '}';
}

} // namespace npu::isa::detail

#endif // NPU_LIB_DIALECT_NPUISA_IR_FIELDSYNTAX_H
