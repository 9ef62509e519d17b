//===- ReadJSON.cpp - a task graph from JSON and its side file ------------===//

#include "NPU/Support/FileKind.h"
#include "NPU/Support/InputFile.h"
#include "NPU/Support/JSON.h"
#include "NPU/TaskGraph/TaskGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;
using namespace npu;
using namespace npu::taskgraph;

namespace {
/// A value of the file and where it is. The first thing that is not as expected is recorded in
/// `error`; reading goes on with zeros, so that callers need not ask after every value.
class Reader {
public:
  Reader(const json::Value &value, std::string path, std::string &error)
      : value(&value), path(std::move(path)), error(&error) {}

  /// Requires an object with these members and no others.
  void expectMembers(ArrayRef<StringLiteral> required, ArrayRef<StringLiteral> optional = {}) const;
  bool has(StringRef name) const;
  Reader operator[](StringRef name) const;
  std::vector<Reader> getArray() const;

  int64_t getInteger(int64_t least = 0, int64_t most = INT64_MAX) const;
  unsigned getIndex() const { return getInteger(0, UINT32_MAX); }
  std::string getString() const;
  void expectString(StringRef expected) const;
  /// One of `names`, as its number.
  unsigned getEnum(ArrayRef<StringRef> names) const;
  FileRange getRange() const;

  template <typename T>
  std::vector<T> getNumbers() const {
    std::vector<T> numbers;
    for (const Reader &element : getArray())
      numbers.push_back(element.getInteger(0, std::numeric_limits<T>::max()));
    return numbers;
  }
  template <typename Function>
  auto readAll(Function read) const {
    std::vector<decltype(read(std::declval<Reader>()))> elements;
    for (const Reader &element : getArray())
      elements.push_back(read(element));
    return elements;
  }

  void fail(const Twine &expected) const;

private:
  std::string describe() const;

  const json::Value *value;
  std::string path;
  std::string *error;
};
} // namespace

std::string Reader::describe() const {
  switch (value->kind()) {
  case json::Value::Null:
    return "nothing";
  case json::Value::Array:
    return "an array";
  case json::Value::Object:
    return "an object";
  default:
    break;
  }
  std::string text;
  raw_string_ostream(text) << *value;
  return text.size() > 80 ? text.substr(0, 77) + "..." : text;
}

void Reader::fail(const Twine &expected) const {
  if (error->empty())
    *error = (path + ": expected " + expected + ", found " + describe()).str();
}

void Reader::expectMembers(ArrayRef<StringLiteral> required,
                           ArrayRef<StringLiteral> optional) const {
  const json::Object *object = value->getAsObject();
  if (!object)
    return fail("an object");
  for (StringRef name : required)
    if (!object->get(name) && error->empty())
      *error = (path + ": expected a member '" + name + "', found none").str();
  SmallVector<StringRef> known(required.begin(), required.end());
  known.append(optional.begin(), optional.end());
  if (std::optional<StringRef> other = findOtherMember(*object, known); other && error->empty())
    *error = (path + ": expected no member '" + *other + "', which version " +
              Twine(formatVersion) + " does not have")
                 .str();
}

bool Reader::has(StringRef name) const {
  const json::Object *object = value->getAsObject();
  return object && object->get(name);
}

Reader Reader::operator[](StringRef name) const {
  static const json::Value nothing(nullptr);
  const json::Object *object = value->getAsObject();
  const json::Value *member = object ? object->get(name) : nullptr;
  std::string memberPath = path == "$" ? name.str() : path + "." + name.str();
  return Reader(member ? *member : nothing, std::move(memberPath), *error);
}

std::vector<Reader> Reader::getArray() const {
  const json::Array *array = value->getAsArray();
  if (!array) {
    fail("an array");
    return {};
  }
  std::vector<Reader> elements;
  for (auto [index, element] : enumerate(*array))
    elements.emplace_back(element, path + "[" + std::to_string(index) + "]", *error);
  return elements;
}

int64_t Reader::getInteger(int64_t least, int64_t most) const {
  std::optional<int64_t> number =
      value->kind() == json::Value::Number ? value->getAsInteger() : std::nullopt;
  if (number && *number >= least && *number <= most)
    return *number;
  if (most == INT64_MAX)
    fail("an integer of at least " + Twine(least));
  else
    fail("an integer from " + Twine(least) + " to " + Twine(most));
  return least;
}

std::string Reader::getString() const {
  if (std::optional<StringRef> text = value->getAsString())
    return text->str();
  fail("a string");
  return "";
}

void Reader::expectString(StringRef expected) const {
  if (value->getAsString() != expected)
    fail("\"" + expected + "\"");
}

unsigned Reader::getEnum(ArrayRef<StringRef> names) const {
  std::optional<StringRef> text = value->getAsString();
  for (auto [number, name] : enumerate(names))
    if (text == name)
      return number;
  fail("one of " + join(names, ", "));
  return 0;
}

FileRange Reader::getRange() const {
  expectMembers({"offset", "bytes"});
  return {(*this)["offset"].getInteger(), (*this)["bytes"].getInteger()};
}

//===----------------------------------------------------------------------===//
// The parts of the graph
//===----------------------------------------------------------------------===//

template <typename E>
static E readISAEnum(const Reader &reader) {
  SmallVector<StringRef> names;
  for (const isa::EnumCase<E> &enumCase : isa::EnumTraits<E>::cases)
    names.push_back(enumCase.name);
  return isa::EnumTraits<E>::cases[reader.getEnum(names)].value;
}

static Buffer readBuffer(const Reader &reader) {
  reader.expectMembers({"name", "dtype", "shape", "bytes", "region", "offset", "lifetime"},
                       {"aliasOf"});
  Buffer buffer;
  buffer.name = reader["name"].getString();
  if (auto dtype = runtime::parseElementType(reader["dtype"].getString()))
    buffer.dtype = *dtype;
  else
    reader["dtype"].fail("one of i1, i8, i16, i32, i64, f16, bf16, f32, f64");
  buffer.shape = reader["shape"].getNumbers<int64_t>();
  buffer.bytes = reader["bytes"].getInteger();
  SmallVector<StringRef> regions;
  for (unsigned region = 0; region < numMemoryRegions; ++region)
    regions.push_back(toString(MemoryRegion(region)));
  buffer.region = MemoryRegion(reader["region"].getEnum(regions));
  buffer.offset = reader["offset"].getInteger();
  std::vector<int64_t> lifetime = reader["lifetime"].getNumbers<int64_t>();
  if (lifetime.size() == 2) {
    buffer.begin = lifetime[0];
    buffer.end = lifetime[1];
  } else {
    reader["lifetime"].fail("two integers");
  }
  if (reader.has("aliasOf"))
    buffer.aliasOf = reader["aliasOf"].getIndex();
  return buffer;
}

static Port readPort(const Reader &reader, bool isParameter) {
  Port port;
  if (isParameter) {
    reader.expectMembers({"scope", "name", "buffer"});
    port.scope = reader["scope"].getString();
  } else {
    reader.expectMembers({"name", "buffer"});
  }
  port.name = reader["name"].getString();
  port.buffer = reader["buffer"].getIndex();
  return port;
}

static void readLimits(const Reader &reader, Limits &limits) {
  limits.computeCycles = reader["computeCycles"].getInteger();
  limits.dramBytes = reader["dramBytes"].getInteger();
  limits.dramCycles = reader["dramCycles"].getInteger();
  if (reader.has("cutCycles"))
    limits.cutCycles = reader["cutCycles"].getInteger();
}

constexpr unsigned ownKernel = std::numeric_limits<unsigned>::max();

static ProgramKernel readKernel(const Reader &reader) {
  reader.expectMembers({"name", "macs", "tile", "limits", "sources"}, {"kernel"});
  ProgramKernel kernel;
  kernel.name = reader["name"].getString();
  kernel.macs = reader["macs"].getInteger();
  kernel.tile = reader["tile"].readAll([](const Reader &tile) {
    tile.expectMembers({"dim", "size"});
    return TileSize{tile["dim"].getString(), tile["size"].getInteger()};
  });
  Reader limits = reader["limits"];
  limits.expectMembers({"peakMacRate", "computeCycles", "dramBytes", "dramCycles"}, {"cutCycles"});
  kernel.peakMacRate = limits["peakMacRate"].getInteger();
  readLimits(limits, kernel.limits);
  kernel.sources = reader["sources"].getNumbers<unsigned>();
  kernel.kernel = reader.has("kernel") ? reader["kernel"].getIndex() : ownKernel;
  return kernel;
}

static Program readProgram(const Reader &reader) {
  reader.expectMembers({"name", "code", "memorySpaces", "kernels", "regions", "streams"},
                       {"expectedCycles"});
  Program program;
  program.name = reader["name"].getString();
  program.code = reader["code"].getRange();
  if (reader.has("expectedCycles"))
    program.expectedCycles = reader["expectedCycles"].getInteger();
  Reader spaces = reader["memorySpaces"];
  spaces.expectMembers({"sramBytes", "accBytes"});
  program.sramBytes = spaces["sramBytes"].getInteger();
  program.accBytes = spaces["accBytes"].getInteger();
  program.kernels = reader["kernels"].readAll(readKernel);
  // What does not say otherwise is a kernel of its own.
  for (auto [number, kernel] : enumerate(program.kernels))
    if (kernel.kernel == ownKernel)
      kernel.kernel = number;
  program.regions = reader["regions"].readAll([](const Reader &region) {
    region.expectMembers({"name", "kind", "bytes"});
    return ProgramRegion{region["name"].getString(), readISAEnum<isa::RegionKind>(region["kind"]),
                         region["bytes"].getInteger()};
  });
  program.streams = reader["streams"].readAll([](const Reader &stream) {
    stream.expectMembers({"cluster", "engine", "instructions"});
    return ProgramStream{stream["cluster"].getInteger(),
                         readISAEnum<isa::EngineKind>(stream["engine"]),
                         stream["instructions"].getInteger()};
  });
  return program;
}

static HostFunction readHostFunction(const Reader &reader) {
  reader.expectMembers(
      {"name", "format", "triple", "symbol", "code", "macs", "numReads", "numWrites", "reasons"});
  reader["format"].expectString("object");
  HostFunction function;
  function.name = reader["name"].getString();
  function.triple = reader["triple"].getString();
  function.symbol = reader["symbol"].getString();
  function.code = reader["code"].getRange();
  function.macs = reader["macs"].getInteger();
  function.numReads = reader["numReads"].getIndex();
  function.numWrites = reader["numWrites"].getIndex();
  function.reasons =
      reader["reasons"].readAll([](const Reader &reason) { return reason.getString(); });
  return function;
}

static CopySide readCopySide(const Reader &reader) {
  reader.expectMembers({"buffer", "offset", "strides"}, {"terms"});
  CopySide side{reader["buffer"].getIndex(),
                reader["offset"].getInteger(),
                reader["strides"].getNumbers<int64_t>(),
                {}};
  if (reader.has("terms"))
    side.terms = reader["terms"].readAll([](const Reader &term) {
      term.expectMembers({"buffer", "stride"});
      return OffsetTerm{term["buffer"].getIndex(), term["stride"].getInteger(INT64_MIN)};
    });
  return side;
}

static void readOperands(const Reader &reader, Task &task) {
  constexpr StringLiteral id("id"), kind("kind"), name("name"), location("location"),
      waits("waitsFor");
  switch (task.kind) {
  case TaskKind::Prepare:
    reader.expectMembers({id, kind, name, location, waits, "program"});
    task.code = reader["program"].getIndex();
    break;
  case TaskKind::Launch:
    reader.expectMembers({id, kind, name, location, waits, "dispatches", "program", "bindings"});
    task.code = reader["program"].getIndex();
    task.bindings = reader["bindings"].getNumbers<unsigned>();
    break;
  case TaskKind::Host:
    reader.expectMembers(
        {id, kind, name, location, waits, "dispatches", "hostFunction", "reads", "writes"});
    task.code = reader["hostFunction"].getIndex();
    task.reads = reader["reads"].getNumbers<unsigned>();
    task.writes = reader["writes"].getNumbers<unsigned>();
    break;
  case TaskKind::Copy:
    reader.expectMembers({id, kind, name, location, waits, "extents", "source", "target"});
    task.extents = reader["extents"].getNumbers<int64_t>();
    task.source = readCopySide(reader["source"]);
    task.target = readCopySide(reader["target"]);
    break;
  case TaskKind::Fill: {
    reader.expectMembers({id, kind, name, location, waits, "buffer", "pattern"});
    task.filled = reader["buffer"].getIndex();
    std::string bytes, text = reader["pattern"].getString();
    if (text.empty() || !tryGetFromHex(text, bytes) || text.size() != 2 * bytes.size())
      reader["pattern"].fail("two hexadecimal digits per byte of an element");
    task.pattern.assign(bytes.begin(), bytes.end());
    break;
  }
  case TaskKind::Compute: {
    reader.expectMembers({id, kind, name, location, waits, "op", "operands", "result"});
    SmallVector<StringRef> ops;
    for (unsigned op = 0; op < numScalarOps; ++op)
      ops.push_back(toString(ScalarOp(op)));
    task.scalarOp = ScalarOp(reader["op"].getEnum(ops));
    task.operands = reader["operands"].getNumbers<unsigned>();
    task.result = reader["result"].getIndex();
    break;
  }
  case TaskKind::Branch:
    reader.expectMembers({id, kind, name, location, waits, "condition", "then", "else"});
    task.condition = reader["condition"].getIndex();
    break;
  case TaskKind::Loop:
    reader.expectMembers({id, kind, name, location, waits, "before", "condition", "body"});
    task.condition = reader["condition"].getIndex();
    break;
  }
}

/// Adds a task and those of its blocks.
static void readTask(const Reader &reader, TaskGraph &graph) {
  SmallVector<StringRef> names;
  for (unsigned kind = 0; kind < numTaskKinds; ++kind)
    names.push_back(toString(TaskKind(kind)));
  size_t number = graph.tasks.size();
  Task &task = graph.tasks.emplace_back();
  task.kind = TaskKind(reader["kind"].getEnum(names));
  readOperands(reader, task);
  if (reader["id"].getInteger() != int64_t(number))
    reader["id"].fail(Twine(number) + ", its place in the execution order");
  task.name = reader["name"].getString();
  task.location = reader["location"].getString();
  task.waitsFor = reader["waitsFor"].getNumbers<unsigned>();
  if (reader.has("dispatches"))
    task.dispatches = reader["dispatches"].getNumbers<unsigned>();
  if (!hasBlocks(task))
    return;
  bool isLoop = task.kind == TaskKind::Loop;
  StringRef blocks[] = {isLoop ? "before" : "then", isLoop ? "body" : "else"};
  for (auto [position, block] : enumerate(blocks)) {
    size_t first = graph.tasks.size();
    for (const Reader &inner : reader[block].getArray())
      readTask(inner, graph);
    graph.tasks[number].blockSizes[position] = graph.tasks.size() - first;
  }
}

static TaskGraph readGraph(const Reader &reader) {
  TaskGraph graph;
  reader["format"].expectString("npu-task-graph");
  if (reader["version"].getInteger() != formatVersion)
    reader["version"].fail(Twine(formatVersion) + ", the only version that this tool reads");
  reader.expectMembers({"format", "version", "name", "target", "sideFile", "memory", "buffers",
                        "inputs", "outputs", "parameters", "programs", "hostFunctions", "tasks"},
                       {"limits"});
  graph.name = reader["name"].getString();
  graph.target = reader["target"].getString();
  if (reader.has("limits")) {
    Reader limits = reader["limits"];
    limits.expectMembers({"computeCycles", "dramBytes", "dramCycles", "cutCycles"});
    readLimits(limits, graph.limits.emplace());
  }
  Reader file = reader["sideFile"];
  file.expectMembers({"name", "bytes", "sha256"});
  graph.sideFileName = file["name"].getString();
  if (graph.sideFileName.empty() || sys::path::filename(graph.sideFileName) != graph.sideFileName ||
      graph.sideFileName == "." || graph.sideFileName == "..")
    file["name"].fail("the name of a file beside this one");
  graph.sideFileSha256 = file["sha256"].getString();

  Reader memory = reader["memory"];
  memory.expectMembers({"alignment", "regions", "liveSetBytes", "constants", "state"});
  if (memory["alignment"].getInteger() != bufferAlignment)
    memory["alignment"].fail(Twine(bufferAlignment));
  memory["regions"].expectMembers(
      {"constants", "parameters", "inputs", "outputs", "intermediates", "state"});
  for (unsigned region = 0; region < numMemoryRegions; ++region)
    graph.regionBytes[region] = memory["regions"][toString(MemoryRegion(region))].getInteger();
  graph.liveSetBytes = memory["liveSetBytes"].getInteger();
  graph.constants = memory["constants"].getRange();
  graph.state = memory["state"].getRange();

  graph.buffers = reader["buffers"].readAll(readBuffer);
  auto readPorts = [&](StringRef name, bool areParameters) {
    return reader[name].readAll([&](const Reader &port) { return readPort(port, areParameters); });
  };
  graph.inputs = readPorts("inputs", false);
  graph.outputs = readPorts("outputs", false);
  graph.parameters = readPorts("parameters", true);
  graph.programs = reader["programs"].readAll(readProgram);
  graph.hostFunctions = reader["hostFunctions"].readAll(readHostFunction);
  for (const Reader &task : reader["tasks"].getArray())
    readTask(task, graph);
  return graph;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static Error loadSideFile(TaskGraph &graph, StringRef path, int64_t expectedBytes) {
  SmallString<128> sidePath = sys::path::parent_path(path);
  sys::path::append(sidePath, graph.sideFileName);
  InputOptions options;
  options.isNamedByData = true;
  options.needsTerminator = false;
  options.isVolatile = true;
  Expected<std::unique_ptr<MemoryBuffer>> file = readInput(sidePath, options);
  if (!file)
    return createStringError("cannot read '" + sidePath +
                             "', which has the code and constants of '" + path +
                             "': " + toString(file.takeError()));
  StringRef contents = (*file)->getBuffer();
  if (int64_t(contents.size()) != expectedBytes)
    return createStringError(sidePath + ": expected " + Twine(expectedBytes) +
                             " bytes, as sideFile.bytes of '" + path + "' says, found " +
                             Twine(contents.size()));
  graph.sideFile.assign(contents.bytes_begin(), contents.bytes_end());
  std::string sum = toHex(SHA256::hash(graph.sideFile), /*LowerCase=*/true);
  if (sum != graph.sideFileSha256)
    return createStringError(sidePath + ": expected SHA-256 " + graph.sideFileSha256 +
                             ", as sideFile.sha256 of '" + path + "' says, found " + sum);
  return Error::success();
}

Expected<TaskGraph> npu::taskgraph::readTaskGraph(StringRef path) {
  InputOptions options;
  options.maxBytes = maxJSONBytes;
  options.isVolatile = true;
  Expected<std::unique_ptr<MemoryBuffer>> file = readInput(path, options);
  if (!file)
    return createStringError(path + ": " + toString(file.takeError()));
  if (FileKind kind = recognizeFile((*file)->getBuffer()); kind != FileKind::JSON)
    return createStringError(path + ": " + describeMismatch("a task graph in JSON", kind));
  Expected<json::Value> value = parseJSON((*file)->getBuffer());
  if (!value)
    return createStringError(path + ": " + toString(value.takeError()));
  std::string error;
  Reader reader(*value, "$", error);
  TaskGraph graph = readGraph(reader);
  int64_t sideFileBytes = reader["sideFile"]["bytes"].getInteger();
  if (!error.empty())
    return createStringError(path + ": " + error);
  if (Error sideError = loadSideFile(graph, path, sideFileBytes))
    return std::move(sideError);
  if (Error verifyError = verify(graph))
    return createStringError(path + ": " + toString(std::move(verifyError)));
  return graph;
}
