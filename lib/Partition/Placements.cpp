//===- Placements.cpp - the partition as a table and as JSON --------------===//

#include "NPU/Partition/Partition.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/InputFile.h"
#include "NPU/Support/JSON.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu;
using llvm::formatv;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static void printLine(llvm::raw_ostream &os, unsigned number, StringRef place, StringRef macs,
                      StringRef description) {
  os << formatv("{0,-9} {1,-4} {2,12}  {3}\n", "#" + std::to_string(number), place, macs,
                escapeText(description));
}

static void printFunction(llvm::raw_ostream &os, unsigned number,
                          const PartitionedFunction &function) {
  printLine(os, number, toString(function.placement),
            function.isDynamic ? "?" : std::to_string(function.macs), function.description);
  for (const RejectedOp &reason : function.reasons)
    os << escapeText(formatv("{0,28} {1}", "", reason.rejection).str()) << "\n";
  if (function.isForced && function.placement == Placement::Host && function.reasons.empty())
    os << formatv("{0,28} placed on the host by the user\n", "");
}

void Partition::print(llvm::raw_ostream &os) const {
  if (functions.empty() && externals.empty()) {
    os << "no dispatches: nothing in the module computes on tensors\n";
    return;
  }
  os << formatv("{0,-9} {1,-4} {2,12}  {3}\n", "dispatch", "on", "MACs", "what it computes");
  unsigned onNPU = 0, onHost = 0, dynamic = 0;
  int64_t macs = 0, npuMacs = 0;
  auto external = externals.begin();
  for (unsigned number = 0;; ++number) {
    if (const PartitionedFunction *function = find(number)) {
      printFunction(os, number, *function);
      bool isOnNPU = function->placement == Placement::NPU;
      ++(isOnNPU ? onNPU : onHost);
      dynamic += function->isDynamic;
      macs += function->macs;
      npuMacs += isOnNPU ? function->macs : 0;
    } else if (external != externals.end()) {
      printLine(os, number, "-", "-", external->description);
      os << formatv("{0,28} its code is not in this file; nothing is decided about it\n", "");
      ++external;
    } else {
      break;
    }
  }
  os << formatv("on the NPU: {0} of {1} dispatches, {2} of {3} MACs; on the host: {4} dispatches",
                onNPU, onNPU + onHost + externals.size(), npuMacs, macs, onHost);
  if (dynamic)
    os << "; MACs not known, shapes are dynamic: " << dynamic << " dispatches";
  if (!externals.empty())
    os << "; code not in this file: " << externals.size() << " dispatches";
  os << '\n';
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// `model.mlir:4:8`, or nothing for a location that is not in a file.
static std::string printLocation(Location loc) {
  std::string text;
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    llvm::raw_string_ostream(text)
        << file.getFilename().getValue() << ':' << file.getLine() << ':' << file.getColumn();
  return text;
}

json::Value Partition::toJSON() const {
  json::Array dispatches;
  for (const PartitionedFunction &function : functions) {
    json::Array reasons;
    for (const RejectedOp &reason : function.reasons)
      reasons.push_back(json::Object{{"reason", reason.rejection.getId()},
                                     {"text", reason.rejection.getReason()},
                                     {"op", reason.op},
                                     {"value", reason.rejection.value},
                                     {"limit", reason.rejection.limit},
                                     {"remedy", reason.rejection.getRemedy()},
                                     {"location", printLocation(reason.loc)}});
    json::Array numbers;
    for (unsigned number : function.numbers)
      numbers.push_back(int64_t(number));
    dispatches.push_back(json::Object{
        {"function", function.name},
        {"numbers", std::move(numbers)},
        {"computes", function.description},
        {"macs", function.isDynamic ? json::Value(nullptr) : json::Value(function.macs)},
        {"placement", toString(function.placement)},
        {"reasons", std::move(reasons)}});
  }
  json::Array elsewhere;
  for (const ExternalDispatch &dispatch : externals)
    elsewhere.push_back(
        json::Object{{"number", int64_t(dispatch.number)}, {"computes", dispatch.description}});
  return json::Object{{"version", 1},
                      {"target", target},
                      {"dispatches", std::move(dispatches)},
                      {"external", std::move(elsewhere)}};
}

/// Reads one entry of `dispatches`.
static bool readEntry(const json::Value &value, PlacementMap &placements, json::Path path) {
  std::string function, placement;
  json::ObjectMapper mapper(value, path);
  if (!mapper || !mapper.map("function", function) || !mapper.map("placement", placement))
    return false;
  if (placement != "npu" && placement != "host") {
    path.field("placement").report("expected \"npu\" or \"host\"");
    return false;
  }
  if (!placements.try_emplace(function, placement == "npu" ? Placement::NPU : Placement::Host)
           .second) {
    path.field("function").report("expected one placement per function");
    return false;
  }
  return true;
}

llvm::Expected<PlacementMap> npu::readPlacements(StringRef path) {
  auto fail = [&](const Twine &message) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), path + ": " + message);
  };
  InputOptions inputOptions;
  inputOptions.maxBytes = maxJSONBytes;
  auto file = readInput(path, inputOptions);
  if (!file)
    return fail("cannot read the placements: " + llvm::toString(file.takeError()));
  llvm::Expected<json::Value> value = parseJSON((*file)->getBuffer());
  if (!value)
    return fail(llvm::toString(value.takeError()));
  json::Path::Root root("placements");
  json::Object *object = value->getAsObject();
  json::Array *entries = object ? object->getArray("dispatches") : nullptr;
  if (!entries)
    return fail("expected an object with an array \"dispatches\"");
  PlacementMap placements;
  for (auto [index, entry] : llvm::enumerate(*entries))
    if (!readEntry(entry, placements, json::Path(root).field("dispatches").index(index)))
      return fail(llvm::toString(root.getError()));
  return placements;
}

LogicalResult npu::readPlacements(ModuleOp module, StringRef path, PartitionOptions &options) {
  if (path.empty())
    return success();
  llvm::Expected<PlacementMap> placements = readPlacements(path);
  if (!placements)
    return module.emitError(llvm::toString(placements.takeError()));
  options.placements = std::move(*placements);
  return success();
}
