//===- Sarif.cpp - diagnostics as SARIF -----------------------------------===//
//
// Static Analysis Results Interchange Format, version 2.1.0, of OASIS.
//
//===----------------------------------------------------------------------===//

#include "NPU/RunReport/Sarif.h"

#include "NPU/Dialect/NPU/Transforms/Rejection.h"
#include "NPU/Execution/ModelRunner.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/OutputFiles.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

/// The rule of whatever is not a rejection; those follow it in their order.
constexpr StringLiteral generalRule = "diagnostic";

static llvm::json::Object makeText(const Twine &text) {
  return llvm::json::Object{{"text", escapeText(text.str())}};
}

/// A file's name as a URI.
static std::string makeURI(StringRef path) {
  std::string result = llvm::sys::path::is_absolute(path) ? "file://" : "";
  for (char c : path)
    if (llvm::isAlnum(c) || StringRef("-._~/").contains(c))
      result += c;
    else
      result += llvm::formatv("%{0:X-2}", unsigned(uint8_t(c))).str();
  return result;
}

static llvm::json::Object makeArtifact(StringRef path) {
  return llvm::json::Object{{"artifactLocation", llvm::json::Object{{"uri", makeURI(path)}}}};
}

/// Where something is: a line of a text, and the node of a graph that has a name.
static llvm::json::Object makeLocation(mlir::Location location) {
  llvm::json::Object result;
  if (auto place = location->findInstanceOf<mlir::FileLineColLoc>()) {
    llvm::json::Object physical = makeArtifact(place.getFilename().getValue());
    // A file without lines has no columns either: see ImportONNX.
    if (place.getLine() > 0 && place.getColumn() > 0)
      physical["region"] = llvm::json::Object{{"startLine", int64_t(place.getLine())},
                                              {"startColumn", int64_t(place.getColumn())}};
    result["physicalLocation"] = std::move(physical);
  }
  if (auto name = location->findInstanceOf<mlir::NameLoc>())
    result["logicalLocations"] = llvm::json::Array{
        llvm::json::Object{{"name", escapeText(name.getName().getValue())}, {"kind", "element"}}};
  return result;
}

static llvm::json::Object makeResult(const Rejection *rejection, StringRef level,
                                     const Twine &message, llvm::json::Object location) {
  // The general rule comes first.
  int64_t rule = rejection ? int64_t(rejection->kind) + 1 : 0;
  llvm::json::Object result{{"ruleId", rejection ? rejection->getId() : StringRef(generalRule)},
                            {"ruleIndex", rule},
                            {"level", level},
                            {"message", makeText(message)}};
  if (!location.empty())
    result["locations"] = llvm::json::Array{std::move(location)};
  return result;
}

static StringRef getLevel(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Error:
    return "error";
  case mlir::DiagnosticSeverity::Warning:
    return "warning";
  case mlir::DiagnosticSeverity::Note:
  case mlir::DiagnosticSeverity::Remark:
    return "note";
  }
  llvm_unreachable("no other severity");
}

void SarifLog::add(mlir::Diagnostic &diagnostic) {
  std::optional<CarriedRejection> carried = getRejection(diagnostic);
  llvm::json::Object result =
      makeResult(carried ? &carried->rejection : nullptr, getLevel(diagnostic.getSeverity()),
                 diagnostic.str(), makeLocation(diagnostic.getLocation()));
  llvm::json::Array notes;
  for (mlir::Diagnostic &note : diagnostic.getNotes()) {
    llvm::json::Object location = makeLocation(note.getLocation());
    location["message"] = makeText(note.str());
    notes.push_back(std::move(location));
  }
  if (!notes.empty())
    result["relatedLocations"] = std::move(notes);
  results.push_back(std::move(result));
}

void SarifLog::add(const Partition &partition) {
  for (const PartitionedFunction &function : partition.getFunctions()) {
    if (function.placement == Placement::NPU)
      continue;
    for (const RejectedOp &reason : function.reasons) {
      std::string text;
      llvm::raw_string_ostream(text)
          << "Dispatch #" << function.numbers.front() << " runs on the host: " << reason.rejection;
      llvm::json::Object result =
          makeResult(&reason.rejection, "warning", text, makeLocation(reason.loc));
      llvm::json::Array numbers;
      for (unsigned number : function.numbers)
        numbers.push_back(int64_t(number));
      result["properties"] = llvm::json::Object{{"dispatches", std::move(numbers)},
                                                {"dispatch", escapeText(function.description)},
                                                {"op", escapeText(reason.op)}};
      results.push_back(std::move(result));
    }
  }
}

void SarifLog::add(const DispatchRecord &record) {
  if (record.placement == Placement::NPU || !known.insert(record.index).second)
    return;
  std::string place = join(record.sources, ", ");
  for (const std::string &reason : record.reasons) {
    llvm::json::Object location;
    if (!place.empty())
      location["logicalLocations"] =
          llvm::json::Array{llvm::json::Object{{"name", escapeText(place)}, {"kind", "element"}}};
    llvm::json::Object result =
        makeResult(nullptr, "warning",
                   llvm::formatv("Dispatch #{0} runs on the host: {1}", record.index, reason).str(),
                   std::move(location));
    result["properties"] =
        llvm::json::Object{{"dispatches", llvm::json::Array{int64_t(record.index)}},
                           {"dispatch", escapeText(record.description)}};
    results.push_back(std::move(result));
  }
}

void SarifLog::addError(const Twine &message) {
  results.push_back(makeResult(nullptr, "error", message, {}));
}

std::string SarifLog::print(int exitCode) const {
  llvm::json::Array rules{
      llvm::json::Object{{"id", generalRule},
                         {"shortDescription", makeText("an error or a warning about the input")}}};
  for (const RejectionInfo &info : getRejectionInfos()) {
    llvm::json::Object rule{{"id", info.id},
                            {"shortDescription", makeText(info.what)},
                            {"help", makeText(info.remedy)}};
    if (!info.limit.empty())
      rule["fullDescription"] = makeText(info.what + ", expected " + info.limit);
    rules.push_back(std::move(rule));
  }
  llvm::json::Object driver{{"name", getTool()}, {"rules", std::move(rules)}};
  llvm::json::Object run;
  run["tool"] = llvm::json::Object{{"driver", std::move(driver)}};
  run["invocations"] = llvm::json::Array{
      llvm::json::Object{{"executionSuccessful", exitCode == 0}, {"exitCode", int64_t(exitCode)}}};
  run["columnKind"] = "unicodeCodePoints";
  run["results"] = llvm::json::Array(results);
  llvm::json::Object log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                         {"version", "2.1.0"},
                         {"runs", llvm::json::Array{std::move(run)}}};
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(log)));
}

/// The value that a command line gives an option, before its parser is known.
static StringRef findValue(ArrayRef<char *> arguments, StringRef option) {
  for (auto [index, argument] : enumerate(arguments)) {
    auto [name, value] = StringRef(argument).split('=');
    if (!name.starts_with("-") || name.ltrim('-') != option)
      continue;
    bool isNext = !StringRef(argument).contains('=') && index + 1 < arguments.size();
    return isNext ? StringRef(arguments[index + 1]) : value;
  }
  return "";
}

int npu::runtime::runWithSarif(StringRef tool, ArrayRef<char *> arguments,
                               llvm::function_ref<int(SarifLog &)> run) {
  llvm::cl::opt<std::string> sarif(
      "sarif",
      llvm::cl::desc("Write the errors, the warnings and, for a task graph, the reasons for host "
                     "placement as SARIF, also when the tool fails"),
      llvm::cl::value_desc("file"));
  SarifLog log(tool);
  StringRef output = findValue(arguments, "o");
  if (!output.empty() && output == findValue(arguments, "sarif"))
    return log.fail("expected different files for -o and --sarif, found '" + output + "' for both",
                    2);
  int code = run(log);
  if (sarif.empty())
    return code;
  OutputFiles files;
  llvm::Error error = files.write(sarif, log.print(code));
  if (!error)
    error = files.commit();
  return error ? log.fail(std::move(error)) : code;
}
