//===- ScheduleFile.cpp - the schedule of a network as a file -------------===//

#include "NPU/Codegen/ScheduleFile.h"
#include "NPU/Codegen/KernelTrial.h"
#include "NPU/Codegen/Steps.h"

#include "NPU/Dialect/NPUISA/IR/NPUISA.h"
#include "NPU/Simulator/Simulator.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/InputFile.h"
#include "NPU/Support/JSON.h"
#include "NPU/Support/Nesting.h"
#include "NPU/Target/Desc/TargetDesc.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace npu;
namespace json = llvm::json;

static constexpr StringLiteral kFormat = "npu-schedule";
static constexpr int64_t kVersion = 2;

static std::string getHash(StringRef text) {
  return llvm::formatv("{0:x-16}", llvm::xxh3_64bits(text)).str();
}

//===----------------------------------------------------------------------===//
// Words of the file
//===----------------------------------------------------------------------===//

static constexpr std::pair<Rewriting::Kind, StringLiteral> kRewritings[] = {
    {Rewriting::Kind::None, "none"},
    {Rewriting::Kind::FoldBiases, "fold-biases"},
    {Rewriting::Kind::SplitReductions, "split-reductions"},
    {Rewriting::Kind::SplitCascades, "split-cascades"}};

static StringRef toString(Rewriting::Kind kind) {
  for (const auto &[known, name] : kRewritings)
    if (known == kind)
      return name;
  llvm_unreachable("unknown rewriting");
}

/// Without what is predicted of it.
static std::string print(ScheduleAttr schedule) {
  std::string text;
  llvm::raw_string_ostream(text) << ScheduleAttr::get(schedule.getContext(), schedule.getBody(),
                                                      /*cycles=*/0);
  return text;
}

std::string ScheduleFile::getDigest(Rewriting rewriting, StringRef schedule, int64_t cycles) {
  return getHash(llvm::formatv("{0} {1} {2} {3}", ::toString(rewriting.kind), rewriting.block,
                               schedule, cycles)
                     .str());
}

std::string ScheduleFile::getKey(KernelOp kernel) {
  OwningOpRef<KernelOp> plain = kernel.clone();
  plain->setSymName("kernel");
  plain->removeSymVisibilityAttr();
  // The file names the target, once and however it was written.
  plain->removeTargetAttr();
  // Numbers in constants change no schedule, so that new weights need no new file.
  OpPrintingFlags flags;
  flags.useLocalScope().printGenericOpForm().enableDebugInfo(false).printUniqueSSAIDs(false);
  flags.elideLargeElementsAttrs(16).elideLargeResourceString(64);
  std::string text;
  llvm::raw_string_ostream os(text);
  (*plain)->print(os, flags);
  return getHash(text);
}

/// `#3 main_dispatch_3_matmul`
static std::string print(const ScheduleFile::Dispatch &dispatch) {
  return llvm::formatv("#{0} {1}", dispatch.number, dispatch.name).str();
}

static std::string printNumbers(ArrayRef<ScheduleFile::Dispatch> dispatches) {
  return llvm::join(llvm::map_range(dispatches,
                                    [](const ScheduleFile::Dispatch &dispatch) {
                                      return "#" + std::to_string(dispatch.number);
                                    }),
                    ", ");
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<ScheduleFile>> ScheduleFile::open(StringRef path,
                                                                 StringRef specification) {
  if (path == "-")
    return llvm::createStringError("expected a file for the schedule, found '-'; name one");
  std::unique_ptr<ScheduleFile> file;
  if (llvm::Error error = parse("", path, specification).moveInto(file))
    return std::move(error);
  if (!llvm::sys::fs::exists(path)) {
    if (llvm::Error error = OutputFiles::check(path))
      return std::move(error);
    return std::move(file);
  }
  InputOptions options;
  options.maxBytes = maxJSONBytes;
  auto buffer = readInput(path, options);
  if (!buffer)
    return llvm::createStringError(
        path + ": cannot read the schedule: " + llvm::toString(buffer.takeError()));
  if (llvm::Error error = file->read((*buffer)->getBuffer()))
    return llvm::createStringError(path + ": " + llvm::toString(std::move(error)));
  protectInput(path);
  return std::move(file);
}

llvm::Expected<std::unique_ptr<ScheduleFile>> ScheduleFile::parse(StringRef text, StringRef name,
                                                                  StringRef specification) {
  llvm::Expected<TargetDesc> target = parseTarget(specification);
  if (!target)
    return target.takeError();
  std::unique_ptr<ScheduleFile> file(
      new ScheduleFile(name, getTargetSpecification(withoutOptionalParameters(*target))));
  if (text.empty())
    return std::move(file);
  if (llvm::Error error = file->read(text))
    return llvm::createStringError(name + ": " + llvm::toString(std::move(error)));
  return std::move(file);
}

/// Whether an object has no members but these: a name that is misspelt would change nothing.
static bool hasOnly(const json::Value &value, json::Path path, ArrayRef<StringRef> names) {
  const json::Object *object = value.getAsObject();
  // What is no object is told of when it is read.
  std::optional<StringRef> other = object ? findOtherMember(*object, names) : std::nullopt;
  if (other)
    path.field(*other).report("expected no such member");
  return !other;
}

bool ScheduleFile::readEntry(const json::Value &value, json::Path path) {
  Entry &entry = entries.emplace_back();
  entry.number = entries.size() - 1;
  std::string rewriting;
  json::ObjectMapper mapper(value, path);
  std::optional<int64_t> block;
  if (!mapper || !mapper.map("kernel", entry.name) || !mapper.map("hash", entry.key) ||
      !mapper.map("rewriting", rewriting) || !mapper.map("block", block) ||
      !mapper.map("schedule", entry.schedule) || !mapper.mapOptional("cycles", entry.cycles) ||
      !mapper.mapOptional("chosen", entry.chosen))
    return false;
  // Earlier versions wrote "tight", which is not read.
  if (!hasOnly(value, path,
               {"kernel", "hash", "rewriting", "block", "schedule", "tight", "cycles", "chosen"}))
    return false;
  if (entry.cycles < 0) {
    path.field("cycles").report("expected a number that is not negative");
    return false;
  }
  const auto *known = llvm::find_if(
      kRewritings, [&](const auto &kind) { return kind.second == StringRef(rewriting); });
  if (known == std::end(kRewritings)) {
    path.field("rewriting")
        .report("expected \"none\", \"fold-biases\", \"split-reductions\" or \"split-cascades\"");
    return false;
  }
  entry.rewriting = {known->first, block.value_or(0)};
  if ((known->first == Rewriting::Kind::SplitCascades) != block.has_value()) {
    path.field("block").report("expected a size of blocks with \"split-cascades\", and only there");
    return false;
  }
  if (!entryOfKey.try_emplace(entry.key, entry.number).second) {
    path.field("hash").report("expected one entry per kernel");
    return false;
  }
  return true;
}

bool ScheduleFile::readSegment(const json::Value &value, json::Path path) {
  if (!hasOnly(value, path, {"prefetch", "windows"}))
    return false;
  const json::Object *object = value.getAsObject();
  const json::Array *windows = object ? object->getArray("windows") : nullptr;
  if (!windows) {
    path.field("windows").report("expected an array");
    return false;
  }
  Segment &segment = segments.emplace_back();
  if (!json::ObjectMapper(value, path).mapOptional("prefetch", segment.prefetch))
    return false;
  if (segment.prefetch < 0) {
    path.field("prefetch").report("expected percent, 0 or more");
    return false;
  }
  json::Path list = path.field("windows");
  for (auto [number, window] : llvm::enumerate(*windows)) {
    json::Path at = list.index(number);
    if (!hasOnly(window, at, {"dispatches", "hash"}))
      return false;
    std::vector<std::string> names;
    json::ObjectMapper mapper(window, at);
    if (!mapper || !mapper.map("dispatches", names))
      return false;
    if (names.empty()) {
      at.field("dispatches").report("expected at least one dispatch");
      return false;
    }
    std::vector<Dispatch> &dispatches = segment.windows.emplace_back();
    for (auto [position, text] : llvm::enumerate(names)) {
      StringRef rest = text;
      Dispatch &dispatch = dispatches.emplace_back();
      if (!rest.consume_front("#") || rest.consumeInteger(10, dispatch.number) ||
          !rest.consume_front(" ")) {
        at.field("dispatches").index(position).report("expected a number and a name, as \"#3 f\"");
        return false;
      }
      dispatch.name = rest.str();
    }
  }
  if (segment.windows.empty()) {
    path.field("windows").report("expected at least one window");
    return false;
  }
  if (findSegment(segment.getDispatches()) != &segment) {
    path.field("windows").report("expected one entry per segment");
    return false;
  }
  return true;
}

llvm::Error ScheduleFile::read(StringRef contents) {
  auto fail = [](const Twine &message) { return llvm::createStringError(message); };
  isRead = true;
  text = contents.str();
  llvm::Expected<json::Value> value = parseJSON(text);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  if (!object || object->getString("format") != kFormat)
    return fail("expected a schedule, an object whose \"format\" is \"" + kFormat +
                "\"; to have one written, name a file that does not exist");
  const json::Value *version = object->get("version");
  if (!version)
    return fail(llvm::formatv("expected \"version\": {0}", kVersion));
  if (version->getAsInteger() != kVersion)
    return fail(llvm::formatv("expected version {0} of schedules, found {1}; delete the file to "
                              "have it written again",
                              kVersion, *version));
  std::optional<StringRef> written = object->getString("target");
  if (!written)
    return fail("expected a \"target\", the chip that the schedule is for");
  if (llvm::Error error = parseTarget(*written).takeError())
    return fail("target: " + llvm::toString(std::move(error)));
  if (!areCompatibleTargets(*written, target))
    return fail("expected a schedule for target '" + target + "', found one for '" + *written +
                "'; run with --target=" + *written + ", or name another file");
  json::Path::Root root("schedule");
  json::Path top(root);
  for (StringRef name : {"segments", "kernels"}) {
    const json::Array *array = object->getArray(name);
    if (!array)
      return fail("expected an array \"" + name + "\"");
    json::Path at = top.field(name);
    for (auto [index, element] : llvm::enumerate(*array))
      if (name == "kernels" ? !readEntry(element, at.index(index))
                            : !readSegment(element, at.index(index)))
        return root.getError();
  }
  if (!hasOnly(*value, top, {"format", "version", "target", "segments", "kernels"}))
    return root.getError();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Following
//===----------------------------------------------------------------------===//

std::string ScheduleFile::describeEntry(StringRef what) const {
  return (path + ": " + what + ": ").str();
}

/// Applies the entry for the first time. Errors are emitted.
LogicalResult ScheduleFile::resolve(Entry &entry, KernelOp kernel,
                                    OwningOpRef<KernelOp> &scheduled) const {
  MLIRContext *context = kernel.getContext();
  if (!checkNesting(llvm::MemoryBufferRef(entry.schedule, path), llvm::nulls()))
    return emitError(kernel.getLoc(), "expected a schedule of at most ")
           << kMaxNesting << " loops inside of each other, found more";
  auto schedule = dyn_cast_or_null<ScheduleAttr>(parseAttribute(entry.schedule, context));
  if (!schedule)
    return emitError(kernel.getLoc(), "expected a schedule, as in #npu.schedule<{...}>");
  entry.isParsed = true;
  bool isAsChosen = entry.chosen == getDigest(entry.rewriting, ::print(schedule), entry.cycles);
  auto with = [&](int64_t cycles) {
    return ScheduleAttr::get(context, schedule.getBody(), cycles);
  };
  ScheduleAttr resolved = with(isAsChosen ? entry.cycles : 0);
  FailureOr<OwningOpRef<KernelOp>> applied = applySchedule(kernel, entry.rewriting, resolved);
  if (failed(applied))
    return failure();
  scheduled = std::move(*applied);
  if (!isAsChosen) {
    FailureOr<std::optional<sim::Result>> result = measureAlone(*scheduled);
    if (failed(result))
      return failure();
    resolved = with(*result ? (*result)->cycles : 0);
    scheduled->setScheduleAttr(resolved);
  }
  entry.resolved = resolved;
  return success();
}

LogicalResult ScheduleFile::apply(OwningOpRef<KernelOp> &kernel) {
  auto known = entryOfKey.find(entryOfKey.empty() ? std::string() : getKey(*kernel));
  if (known == entryOfKey.end())
    return success();
  Entry &entry = entries[known->second];
  entry.isUsed = true;
  if (entry.resolved) {
    FailureOr<OwningOpRef<KernelOp>> applied =
        applySchedule(*kernel, entry.rewriting, entry.resolved);
    if (succeeded(applied))
      kernel = std::move(*applied);
    return failure(failed(applied));
  }
  std::vector<Diagnostic> errors;
  OwningOpRef<KernelOp> scheduled;
  {
    ScopedDiagnosticHandler handler(kernel->getContext(), [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
        return failure();
      errors.push_back(std::move(diagnostic));
      return success();
    });
    if (succeeded(resolve(entry, *kernel, scheduled))) {
      kernel = std::move(scheduled);
      return success();
    }
  }
  InFlightDiagnostic error =
      emitError(kernel->getLoc(),
                describeEntry(llvm::formatv("kernels[{0}] '{1}'", entry.number, entry.name).str()));
  if (errors.empty())
    return error << "does not compile";
  // The parser says where in the text, and then it is no schedule.
  if (auto place = dyn_cast<FileLineColLoc>(errors.front().getLocation());
      place && !entry.isParsed && errors.size() > 1)
    error << "schedule, column " << place.getColumn() << ": ";
  std::string text = errors.front().str();
  StringRef message = text;
  message.consume_front(("'" + KernelOp::getOperationName() + "' op ").str());
  message.consume_back("; remove the attribute to have it chosen"); // as the note below says
  error << message;
  for (const Diagnostic &note : errors.front().getNotes())
    error.attachNote() << note.str();
  error.attachNote() << "delete the entry to have the kernel's schedule searched";
  return error;
}

std::vector<ScheduleFile::Dispatch> ScheduleFile::Segment::getDispatches() const {
  std::vector<Dispatch> dispatches;
  for (const std::vector<Dispatch> &window : windows)
    llvm::append_range(dispatches, window);
  return dispatches;
}

static bool haveSameNumbers(ArrayRef<ScheduleFile::Dispatch> some,
                            ArrayRef<ScheduleFile::Dispatch> others) {
  return llvm::equal(some, others,
                     [](const auto &a, const auto &b) { return a.number == b.number; });
}

/// Segments of a loop that was unrolled may begin alike and end otherwise.
const ScheduleFile::Segment *ScheduleFile::findSegment(ArrayRef<Dispatch> dispatches) const {
  auto found = llvm::find_if(segments, [&](const Segment &segment) {
    return haveSameNumbers(segment.getDispatches(), dispatches);
  });
  return found == segments.end() ? nullptr : &*found;
}

llvm::Expected<SmallVector<size_t>> ScheduleFile::getWindows(ArrayRef<Dispatch> segment) {
  SmallVector<size_t> lengths;
  if (!isRead)
    return lengths;
  const Segment *found = findSegment(segment);
  if (!found) {
    // What begins as this one and is no other one is meant to be this one.
    auto meant = llvm::find_if(segments, [&](const Segment &other) {
      return !other.isUsed && other.getFirst().number == segment.front().number;
    });
    if (meant == segments.end())
      return lengths;
    found = &*meant;
  }
  size_t number = found - segments.data();
  segments[number].isUsed = true;
  for (const std::vector<Dispatch> &window : found->windows)
    lengths.push_back(window.size());
  std::vector<Dispatch> covered = found->getDispatches();
  auto fail = [&](const Twine &message) {
    return llvm::createStringError(describeEntry("segments[" + std::to_string(number) + "]") +
                                   message);
  };
  if (!haveSameNumbers(covered, segment))
    return fail("expected windows of the segment's dispatches " + printNumbers(segment) +
                ", each once and in order, found " + printNumbers(covered));
  for (auto [given, expected] : llvm::zip_equal(covered, segment))
    if (given.name != expected.name)
      return fail("expected dispatch \"" + ::print(expected) + "\", found \"" + ::print(given) +
                  "\"; the file is of another model, or of another version of it");
  return lengths;
}

int64_t ScheduleFile::getPrefetch(ArrayRef<Dispatch> segment) const {
  const Segment *found = isRead ? findSegment(segment) : nullptr;
  return found ? found->prefetch : 0;
}

bool ScheduleFile::hasUnusedKernels() const {
  return llvm::any_of(entries, [](const Entry &entry) { return !entry.isUsed; });
}

llvm::Error ScheduleFile::checkUse(llvm::function_ref<bool(StringRef)> isKernel,
                                   llvm::function_ref<bool(unsigned)> isSegment) const {
  for (auto [number, segment] : llvm::enumerate(segments))
    if (!segment.isUsed && !isSegment(segment.getFirst().number))
      return llvm::createStringError(
          describeEntry("segments[" + std::to_string(number) + "]") +
          "expected the dispatches of a segment, found \"" + ::print(segment.getFirst()) +
          "\", with which no segment of this run begins; write a file of its own for "
          "--npu-segments=off, or delete the entry");
  for (const Entry &entry : entries)
    if (!entry.isUsed && !isKernel(entry.key))
      return llvm::createStringError(
          describeEntry(llvm::formatv("kernels[{0}] '{1}'", entry.number, entry.name).str()) +
          "expected a kernel of this model, found hash " + entry.key +
          ", which none has; the model or the compiler has changed, delete the entry to have the "
          "kernel's schedule searched");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void ScheduleFile::note(KernelOp kernel, Rewriting rewriting, ScheduleAttr schedule) {
  if (!isRead)
    choices.insert_or_assign(getKey(kernel), Choice{rewriting, schedule});
}

std::string ScheduleFile::use(KernelOp kernel) {
  std::string key = getKey(kernel);
  used.insert({key, kernel.getSymName().str()});
  return key;
}

void ScheduleFile::addSegment(ArrayRef<Dispatch> dispatches, ArrayRef<size_t> windows,
                              ArrayRef<std::string> keys, int64_t prefetch) {
  if (isRead)
    return;
  Segment segment;
  segment.prefetch = prefetch;
  ArrayRef<Dispatch> rest = dispatches;
  for (size_t length : windows) {
    segment.windows.push_back(rest.take_front(length).vec());
    rest = rest.drop_front(length);
  }
  segment.keys = keys.vec();
  // A segment in a loop that was unrolled stands there several times.
  if (!findSegment(dispatches))
    segments.push_back(std::move(segment));
}

/// A string of JSON.
static std::string quote(StringRef text) {
  return llvm::formatv("{0}", json::Value(json::fixUTF8(text))).str();
}

llvm::Expected<std::string> ScheduleFile::print() const {
  if (isRead)
    return text;
  std::string written;
  llvm::raw_string_ostream os(written);
  // By hand, as one kernel is one line or two to find, compare and change.
  os << "{\n\"format\": " << quote(kFormat) << ",\n\"version\": " << kVersion
     << ",\n\"target\": " << quote(target) << ",\n\"segments\": [";
  llvm::interleave(
      segments, os,
      [&](const Segment &segment) {
        os << "\n {";
        if (segment.prefetch > 0)
          os << "\"prefetch\": " << segment.prefetch << ", ";
        os << "\"windows\": [";
        llvm::interleave(
            llvm::zip_equal(segment.windows, segment.keys), os,
            [&](auto window) {
              auto [dispatches, key] = window;
              os << "\n  {\"dispatches\": [";
              llvm::interleaveComma(dispatches, os, [&](const Dispatch &dispatch) {
                os << quote(::print(dispatch));
              });
              os << "], \"hash\": " << quote(key) << '}';
            },
            ",");
        os << "]}";
      },
      ",");
  os << "],\n\"kernels\": [";
  StringRef separator = "";
  for (const auto &[key, name] : used) {
    auto known = choices.find(key);
    if (known == choices.end())
      continue; // it came with a schedule
    const auto &[rewriting, attribute] = known->second;
    std::string schedule = ::print(attribute);
    int64_t cycles = attribute.getCycles();
    os << separator << "\n {\"kernel\": " << quote(name) << ", \"hash\": " << quote(key)
       << ", \"rewriting\": " << quote(::toString(rewriting.kind));
    if (rewriting.kind == Rewriting::Kind::SplitCascades)
      os << ", \"block\": " << rewriting.block;
    os << ", \"cycles\": " << cycles
       << ", \"chosen\": " << quote(getDigest(rewriting, schedule, cycles))
       << ",\n  \"schedule\": " << quote(schedule) << '}';
    separator = ",";
  }
  os << "]\n}\n";
  std::string escaped = escapeJSON(written);
  if (llvm::Error error = checkReadableJSON(escaped))
    return llvm::createStringError("cannot write '" + path +
                                   "': " + llvm::toString(std::move(error)));
  return escaped;
}

llvm::Error ScheduleFile::write(OutputFiles &files) const {
  if (isRead)
    return llvm::Error::success();
  llvm::Expected<std::string> contents = print();
  if (!contents)
    return contents.takeError();
  return files.write(path, *contents);
}

std::string ScheduleFile::describe() const {
  size_t numFollowed =
      llvm::count_if(used, [&](const auto &kernel) { return entryOfKey.contains(kernel.first); });
  size_t numSearched = used.size() - numFollowed;
  if (!isRead)
    return llvm::formatv("schedule: written to '{0}': {1} kernels", path, numSearched).str();
  return llvm::formatv("schedule: followed '{0}': {1} kernels as it says, {2} searched", path,
                       numFollowed, numSearched)
      .str();
}
