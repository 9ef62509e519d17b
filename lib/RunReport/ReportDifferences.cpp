//===- ReportDifferences.cpp - one report against another -------------------===//

#include "NPU/RunReport/ReportDifferences.h"

#include "NPU/Support/InputFile.h"
#include "NPU/Support/JSON.h"
#include "NPU/Support/OutputFiles.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <deque>

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

/// The columns that are compared, and those that say of what.
constexpr StringLiteral neededColumns[] = {
    "dispatch", "op", "placement", "cycles", "dram_bytes_read", "dram_bytes_written"};

static size_t findColumn(const ReportTable &table, StringRef name) {
  return llvm::find_if(table.columns, [&](const ReportColumn &c) { return c.name == name; }) -
         table.columns.begin();
}

/// A number of a cell; nullopt if it is empty, as those of dispatches on the host are.
static std::optional<int64_t> getNumber(StringRef cell) {
  int64_t value;
  return cell.getAsInteger(10, value) ? std::nullopt : std::optional(value);
}

/// Says what is wrong with a table, if anything.
static std::string readTable(const llvm::json::Object *object, ReportTable &table) {
  const llvm::json::Array *columns = object ? object->getArray("columns") : nullptr;
  const llvm::json::Array *rows = object ? object->getArray("rows") : nullptr;
  if (!columns || !rows)
    return "expected a table with columns and rows";
  for (const llvm::json::Value &name : *columns)
    table.columns.push_back({name.getAsString().value_or("").str()});
  for (StringRef name : neededColumns)
    if (findColumn(table, name) == table.columns.size())
      return ("expected a column '" + name + "', found none").str();
  for (const llvm::json::Value &value : *rows) {
    const llvm::json::Array *cells = value.getAsArray();
    if (!cells || cells->size() != columns->size())
      return llvm::formatv("expected a cell per column in row {0}", table.rows.size());
    std::vector<std::string> &row = table.rows.emplace_back();
    for (const llvm::json::Value &cell : *cells) {
      if (!cell.getAsString())
        return llvm::formatv("expected strings in row {0}", table.rows.size() - 1);
      row.push_back(cell.getAsString()->str());
    }
    for (StringRef name : ArrayRef(neededColumns).drop_front(3))
      if (StringRef cell = row[findColumn(table, name)]; !cell.empty() && !getNumber(cell))
        return formatv("expected a number as {0} in row {1}, found '{2}'", name,
                       table.rows.size() - 1, cell.take_front(80));
  }
  return "";
}

llvm::Expected<OtherReport> OtherReport::read(StringRef directory) {
  SmallString<128> path(directory);
  llvm::sys::path::append(path, reportFile);
  auto fail = [&](const Twine &message,
                  StringRef remedy = "name a directory that npu-run --report wrote") {
    return createStringError("'" + path + "': " + message + "; " + remedy);
  };
  InputOptions options;
  options.maxBytes = maxJSONBytes;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInput(path, options);
  if (!buffer)
    return fail("expected a report, but cannot read it: " + toString(buffer.takeError()));
  protectInput(path);
  llvm::Expected<llvm::json::Value> value = parseJSON((*buffer)->getBuffer());
  if (!value)
    return fail("expected a report, but " + toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  std::optional<StringRef> format = object ? object->getString("format") : std::nullopt;
  if (format != StringRef(reportFormat))
    return fail("expected a file of format '" + reportFormat + "', found " +
                (format ? "'" + format->take_front(80).str() + "'" : "none"));
  if (std::optional<int64_t> version = object->getInteger("version"); version != reportVersion)
    return fail("expected version " + Twine(reportVersion) + " of the format, found " +
                    (version ? Twine(*version).str() : "none"),
                "make the report again with this npu-run");
  OtherReport report;
  report.directory = directory.str();
  if (std::string problem = readTable(object->getObject("dispatches"), report.dispatches);
      !problem.empty())
    return fail("dispatches: " + problem);
  return report;
}

namespace {
/// A dispatch, as far as it is compared.
struct Side {
  std::string dispatch, placement;
  std::optional<int64_t> cycles, bytes;

  static Side get(const ReportTable &table, ArrayRef<std::string> row);
  void add(const Side &other);
};
} // namespace

Side Side::get(const ReportTable &table, ArrayRef<std::string> row) {
  auto cell = [&](StringRef name) { return row[findColumn(table, name)]; };
  Side side{cell("dispatch"), cell("placement"), getNumber(cell("cycles")), std::nullopt};
  std::optional<int64_t> read = getNumber(cell("dram_bytes_read")),
                         written = getNumber(cell("dram_bytes_written"));
  if (read && written)
    side.bytes = *read + *written;
  return side;
}

void Side::add(const Side &other) {
  cycles = cycles.value_or(0) + other.cycles.value_or(0);
  bytes = bytes.value_or(0) + other.bytes.value_or(0);
}

static std::vector<std::string> makeRow(StringRef op, const Side &before, const Side &after) {
  std::vector<std::string> row = {op.str(), before.dispatch, after.dispatch, before.placement,
                                  after.placement};
  for (auto [old, now] :
       {std::pair(before.cycles, after.cycles), std::pair(before.bytes, after.bytes)}) {
    row.push_back(old ? std::to_string(*old) : "");
    row.push_back(now ? std::to_string(*now) : "");
    row.push_back(old && now && *old ? printRatio(*now, *old) : "");
  }
  return row;
}

ReportTable OtherReport::compareWith(const ReportTable &current) const {
  ReportTable table;
  for (StringRef name :
       {"op", "dispatch_old", "dispatch_new", "placement_old", "placement_new", "cycles_old",
        "cycles_new", "cycles_ratio", "dram_bytes_old", "dram_bytes_new", "dram_bytes_ratio"})
    table.columns.push_back({name.str(), name == "op"});
  size_t oldOp = findColumn(dispatches, "op"), op = findColumn(current, "op");
  llvm::StringMap<std::deque<size_t>> oldRows;
  for (auto [number, row] : llvm::enumerate(dispatches.rows))
    oldRows[row[oldOp]].push_back(number);
  Side allBefore, allAfter;
  for (const std::vector<std::string> &row : current.rows) {
    Side before, after = Side::get(current, row);
    std::deque<size_t> &partners = oldRows[row[op]];
    if (!partners.empty()) {
      before = Side::get(dispatches, dispatches.rows[partners.front()]);
      partners.pop_front();
    }
    allBefore.add(before);
    allAfter.add(after);
    table.rows.push_back(makeRow(row[op], before, after));
  }
  for (auto [number, row] : llvm::enumerate(dispatches.rows)) {
    if (!llvm::is_contained(oldRows[row[oldOp]], number))
      continue;
    Side before = Side::get(dispatches, row);
    allBefore.add(before);
    table.rows.push_back(makeRow(row[oldOp], before, {}));
  }
  table.totals = makeRow("total", allBefore, allAfter);
  return table;
}
