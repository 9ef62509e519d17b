//===- TargetGen.cpp - target descriptions --------------------------------===//
//
// Emits the TargetDesc struct, the table of its parameters (for `--help`, typed overrides and the
// docs) and the table of known targets from the records of TargetBase.td.
//
//===----------------------------------------------------------------------===//

#include "NPU/Target/Desc/TargetRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;

static std::vector<const Record *> inFileOrder(const RecordKeeper &records, StringRef className) {
  std::vector<const Record *> result(records.getAllDerivedDefinitions(className));
  llvm::sort(result, [](const Record *a, const Record *b) { return a->getID() < b->getID(); });
  return result;
}

/// `text` as a C++ string.
static std::string quote(StringRef text) {
  std::string result;
  raw_string_ostream os(result);
  os << '"';
  os.write_escaped(text);
  os << '"';
  return result;
}

/// The parameters, in file order. Each is a field of class Target and each field one of them.
static std::vector<const Record *> readParameters(const RecordKeeper &records) {
  std::vector<const Record *> parameters = inFileOrder(records, "Parameter");
  const Record *target = records.getClass("Target");
  StringMap<const Record *> known;
  for (const Record *parameter : parameters) {
    StringRef name = parameter->getValueAsString("name");
    auto [other, isNew] = known.insert({name, parameter});
    if (!isNew) {
      PrintError(parameter->getLoc(), "parameter '" + name + "' exists");
      PrintFatalNote(other->second->getLoc(), "defined here");
    }
    if (!target->getValue(name))
      PrintFatalError(parameter->getLoc(),
                      "parameter '" + name + "' is not a field of class Target");
    int64_t min = parameter->getValueAsInt("min"), max = parameter->getValueAsInt("max");
    if (min > max)
      PrintFatalError(parameter->getLoc(), "parameter '" + name + "' has no value, its range is " +
                                               Twine(min) + ".." + Twine(max));
  }
  for (const RecordVal &field : target->getValues())
    if (isa<IntRecTy>(field.getType()) && !known.contains(field.getName()))
      PrintFatalError(field.getLoc(),
                      "field '" + field.getName() + "' of class Target has no Parameter");
  return parameters;
}

/// A rule's list of parameters.
static SmallVector<StringRef> readNames(const Record *rule, StringRef list,
                                        ArrayRef<const Record *> parameters) {
  SmallVector<StringRef> names;
  for (StringRef name : rule->getValueAsListOfStrings(list)) {
    if (llvm::none_of(parameters, [&](const Record *parameter) {
          return parameter->getValueAsString("name") == name;
        }))
      PrintFatalError(rule->getLoc(), "rule names '" + name + "', which is no parameter");
    names.push_back(name);
  }
  return names;
}

/// Calls `onProduct` and `onPositive` with every rule.
static void forEachRule(const RecordKeeper &records, ArrayRef<const Record *> parameters,
                        function_ref<void(const npu::ProductRule &)> onProduct,
                        function_ref<void(const npu::PositiveRule &)> onPositive) {
  for (const Record *rule : inFileOrder(records, "AtMostProduct")) {
    SmallVector<StringRef> names = readNames(rule, "parameters", parameters);
    SmallVector<StringRef> factors = readNames(rule, "factors", parameters);
    StringRef unit;
    for (const Record *parameter : parameters)
      if (is_contained(names, parameter->getValueAsString("name")))
        unit = parameter->getValueAsString("unit");
    onProduct(
        {names, factors, unit, rule->getValueAsString("owner"), rule->getValueAsString("things")});
  }
  for (const Record *rule : inFileOrder(records, "SomePositive"))
    onPositive({readNames(rule, "parameters", parameters), rule->getValueAsString("otherwise")});
}

/// A specification names a target up to a colon, and settings are separated by commas.
static void checkName(const Record *target) {
  StringRef name = target->getValueAsString("name");
  auto isAllowed = [](char c) { return isAlnum(c) || StringRef("-_.").contains(c); };
  if (name.empty() || !all_of(name, isAllowed))
    PrintFatalError(target->getLoc(), "the name of a target must consist of letters, digits, '-', "
                                      "'_' and '.', found '" +
                                          name + "'");
}

/// Reads the parameters' values of one target; a missing or out-of-range one is a located error.
static std::vector<int64_t> readValues(const RecordKeeper &records, const Record *target,
                                       ArrayRef<const Record *> parameters) {
  checkName(target);
  std::vector<int64_t> values;
  for (const Record *parameter : parameters) {
    StringRef name = parameter->getValueAsString("name");
    if (target->isValueUnset(name))
      PrintFatalError(target->getLoc(), "target '" + target->getValueAsString("name") +
                                            "' does not set '" + name + "'");
    int64_t value = target->getValueAsInt(name);
    int64_t min = parameter->getValueAsInt("min"), max = parameter->getValueAsInt("max");
    if (value < min || value > max)
      PrintFatalError(target->getLoc(),
                      "'" + name + "' of target '" + target->getValueAsString("name") + "' is " +
                          Twine(value) + ", outside " + Twine(min) + ".." + Twine(max));
    values.push_back(value);
  }
  auto get = [&](StringRef name) { return target->getValueAsInt(name); };
  auto require = [&](const auto &rule) {
    if (std::string violation = npu::findViolation(rule, get); !violation.empty())
      PrintFatalError(target->getLoc(),
                      "target '" + target->getValueAsString("name") + "' " + violation);
  };
  forEachRule(records, parameters, require, require);
  return values;
}

/// The rules as tables of names.
static void emitRules(const RecordKeeper &records, ArrayRef<const Record *> parameters,
                      raw_ostream &os) {
  unsigned lists = 0;
  auto emitList = [&](ArrayRef<StringRef> names) {
    os << "static constexpr llvm::StringRef ruleNames" << lists << "[] = {";
    interleaveComma(names, os, [&](StringRef name) { os << quote(name); });
    os << "};\n";
    return "ruleNames" + std::to_string(lists++);
  };
  std::string products, positives;
  forEachRule(
      records, parameters,
      [&](const npu::ProductRule &rule) {
        std::string names = emitList(rule.parameters), factors = emitList(rule.factors);
        products += "    {" + names + ", " + factors + ", " + quote(rule.unit) + ", " +
                    quote(rule.owner) + ", " + quote(rule.things) + "},\n";
      },
      [&](const npu::PositiveRule &rule) {
        positives += "    {" + emitList(rule.parameters) + ", " + quote(rule.otherwise) + "},\n";
      });
  os << "static const ProductRule productRules[] = {\n"
     << products << "};\nstatic const PositiveRule positiveRules[] = {\n"
     << positives << "};\n";
}

static void emitDecls(const RecordKeeper &records, raw_ostream &os) {
  emitSourceFileHeader("Target description", os, records);
  auto parameters = readParameters(records);
  os << "/// The parameters of a chip. Units are in the names.\nstruct TargetDesc {\n"
     << "  std::string name;\n";
  for (const Record *parameter : parameters)
    os << "  int64_t " << parameter->getValueAsString("name") << " = 0; ///< "
       << (parameter->getValueAsInt("decimals")
               ? "10^-" + std::to_string(parameter->getValueAsInt("decimals")) + " of its unit: "
               : std::string())
       << parameter->getValueAsString("summary") << "\n";
  os << "};\n";
}

static void emitDefs(const RecordKeeper &records, raw_ostream &os) {
  emitSourceFileHeader("Target parameters and known targets", os, records);
  auto parameters = readParameters(records);
  os << "static constexpr TargetParameter parameterTable[] = {\n";
  for (const Record *parameter : parameters)
    os << "    {" << quote(parameter->getValueAsString("name")) << ", "
       << quote(parameter->getValueAsString("unit")) << ", "
       << quote(parameter->getValueAsString("summary")) << ", " << parameter->getValueAsInt("min")
       << ", " << parameter->getValueAsInt("max") << ", "
       << (parameter->getValueAsBit("isOptional") ? "true" : "false") << ", "
       << parameter->getValueAsInt("decimals")
       << ", &TargetDesc::" << parameter->getValueAsString("name") << "},\n";
  os << "};\n\nstatic const TargetDesc targetTable[] = {\n";
  StringMap<const Record *> names;
  for (const Record *target : inFileOrder(records, "Target")) {
    auto [other, isNew] = names.insert({target->getValueAsString("name"), target});
    if (!isNew) {
      PrintError(target->getLoc(), "target '" + target->getValueAsString("name") + "' exists");
      PrintFatalNote(other->second->getLoc(), "defined here");
    }
    os << "    {\"" << target->getValueAsString("name") << "\"";
    for (int64_t value : readValues(records, target, parameters))
      os << ", " << value;
    os << "},\n";
  }
  os << "};\n";
  emitRules(records, parameters, os);
}

static void emitDoc(const RecordKeeper &records, raw_ostream &os) {
  auto parameters = readParameters(records);
  auto targets = inFileOrder(records, "Target");
  os << "<!-- Generated by npu-tblgen -gen-target-doc from include/NPU/Target/Desc/Targets.td. "
        "-->\n"
     << "# Targets\n\n| parameter | unit | what |";
  for (const Record *target : targets)
    os << " `" << target->getValueAsString("name") << "` |";
  os << "\n|---|---|---|";
  for (size_t i = 0; i < targets.size(); ++i)
    os << "---|";
  os << "\n";
  for (auto [index, parameter] : llvm::enumerate(parameters)) {
    os << "| `" << parameter->getValueAsString("name") << "` | "
       << parameter->getValueAsString("unit") << " | " << parameter->getValueAsString("summary")
       << " |";
    for (const Record *target : targets) {
      int64_t value = readValues(records, target, parameters)[index];
      bool isUnknown = value == 0 && parameter->getValueAsBit("isOptional");
      os << " "
         << (isUnknown ? "unknown" : npu::printDecimal(value, parameter->getValueAsInt("decimals")))
         << " |";
    }
    os << "\n";
  }
  for (const Record *target : targets)
    os << "\n## " << target->getValueAsString("name") << "\n\n"
       << target->getValueAsString("summary") << "\n";
}

static TableGen::Emitter::Opt declsRegistration("gen-target-decls", emitDecls,
                                                "Generate the TargetDesc struct");
static TableGen::Emitter::Opt defsRegistration("gen-target-defs", emitDefs,
                                               "Generate the parameter and target tables");
static TableGen::Emitter::Opt docRegistration("gen-target-doc", emitDoc,
                                              "Generate the targets' reference");
