//===- WriteJSON.cpp - a task graph as JSON and its side file -------------===//

#include "NPU/Support/EscapeText.h"
#include "NPU/Support/JSON.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/TaskGraph/TaskGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace npu;
using namespace npu::taskgraph;

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

namespace {
class Writer {
public:
  Writer(const TaskGraph &graph, raw_ostream &os) : graph(graph), json(os, /*IndentSize=*/1) {}

  void write();

private:
  void writeRange(StringRef name, FileRange range);
  template <typename T>
  void writeNumbers(StringRef name, ArrayRef<T> numbers);
  void writeMemory();
  void write(const Buffer &buffer);
  void writePorts(StringRef name, ArrayRef<Port> ports, bool areParameters = false);
  /// Its members.
  void write(const Limits &limits);
  void write(const ProgramKernel &kernel);
  void write(const Program &program);
  void write(const HostFunction &function);
  void write(const CopySide &side);
  void write(unsigned number, const Task &task);
  void writeTasks(StringRef name, TaskRange block);

  const TaskGraph &graph;
  json::OStream json;
};
} // namespace

void Writer::writeRange(StringRef name, FileRange range) {
  json.attributeObject(name, [&] {
    json.attribute("offset", range.offset);
    json.attribute("bytes", range.bytes);
  });
}

template <typename T>
void Writer::writeNumbers(StringRef name, ArrayRef<T> numbers) {
  // On one line: there are many of them.
  json.attributeBegin(name);
  std::string text;
  raw_string_ostream os(text);
  os << '[';
  interleaveComma(numbers, os);
  os << ']';
  json.rawValue(text);
  json.attributeEnd();
}

void Writer::writeMemory() {
  json.attributeObject("memory", [&] {
    json.attribute("alignment", bufferAlignment);
    json.attributeObject("regions", [&] {
      for (unsigned region = 0; region < numMemoryRegions; ++region)
        json.attribute(toString(MemoryRegion(region)), graph.regionBytes[region]);
    });
    json.attribute("liveSetBytes", graph.liveSetBytes);
    writeRange("constants", graph.constants);
    writeRange("state", graph.state);
  });
}

void Writer::write(const Buffer &buffer) {
  json.object([&] {
    json.attribute("name", buffer.name);
    json.attribute("dtype", runtime::getElementTypeName(buffer.dtype));
    writeNumbers("shape", ArrayRef(buffer.shape));
    json.attribute("bytes", buffer.bytes);
    json.attribute("region", toString(buffer.region));
    json.attribute("offset", buffer.offset);
    writeNumbers("lifetime", ArrayRef({buffer.begin, buffer.end}));
    if (buffer.aliasOf)
      json.attribute("aliasOf", *buffer.aliasOf);
  });
}

void Writer::writePorts(StringRef name, ArrayRef<Port> ports, bool areParameters) {
  json.attributeArray(name, [&] {
    for (const Port &port : ports)
      json.object([&] {
        if (areParameters)
          json.attribute("scope", port.scope);
        json.attribute("name", port.name);
        json.attribute("buffer", port.buffer);
      });
  });
}

void Writer::write(const Limits &limits) {
  json.attribute("computeCycles", limits.computeCycles);
  json.attribute("dramBytes", limits.dramBytes);
  json.attribute("dramCycles", limits.dramCycles);
  json.attribute("cutCycles", limits.cutCycles);
}

void Writer::write(const ProgramKernel &kernel) {
  json.object([&] {
    json.attribute("name", kernel.name);
    json.attribute("macs", kernel.macs);
    json.attributeArray("tile", [&] {
      for (const TileSize &tile : kernel.tile)
        json.object([&] {
          json.attribute("dim", tile.dim);
          json.attribute("size", tile.size);
        });
    });
    json.attributeObject("limits", [&] {
      json.attribute("peakMacRate", kernel.peakMacRate);
      write(kernel.limits);
    });
    writeNumbers("sources", ArrayRef(kernel.sources));
    json.attribute("kernel", int64_t(kernel.kernel));
  });
}

void Writer::write(const Program &program) {
  json.object([&] {
    json.attribute("name", program.name);
    writeRange("code", program.code);
    if (program.expectedCycles)
      json.attribute("expectedCycles", *program.expectedCycles);
    json.attributeObject("memorySpaces", [&] {
      json.attribute("sramBytes", program.sramBytes);
      json.attribute("accBytes", program.accBytes);
    });
    json.attributeArray("kernels", [&] {
      for (const ProgramKernel &kernel : program.kernels)
        write(kernel);
    });
    json.attributeArray("regions", [&] {
      for (const ProgramRegion &region : program.regions)
        json.object([&] {
          json.attribute("name", region.name);
          json.attribute("kind", isa::toString(region.kind));
          json.attribute("bytes", region.bytes);
        });
    });
    json.attributeArray("streams", [&] {
      for (const ProgramStream &stream : program.streams)
        json.object([&] {
          json.attribute("cluster", stream.cluster);
          json.attribute("engine", isa::toString(stream.engine));
          json.attribute("instructions", stream.instructions);
        });
    });
  });
}

void Writer::write(const HostFunction &function) {
  json.object([&] {
    json.attribute("name", function.name);
    json.attribute("format", "object");
    json.attribute("triple", function.triple);
    json.attribute("symbol", function.symbol);
    writeRange("code", function.code);
    json.attribute("macs", function.macs);
    json.attribute("numReads", function.numReads);
    json.attribute("numWrites", function.numWrites);
    json.attributeArray("reasons", [&] {
      for (const std::string &reason : function.reasons)
        json.value(reason);
    });
  });
}

void Writer::write(const CopySide &side) {
  json.object([&] {
    json.attribute("buffer", side.buffer);
    json.attribute("offset", side.offset);
    writeNumbers("strides", ArrayRef(side.strides));
    if (!side.terms.empty())
      json.attributeArray("terms", [&] {
        for (const OffsetTerm &term : side.terms)
          json.object([&] {
            json.attribute("buffer", term.buffer);
            json.attribute("stride", term.stride);
          });
      });
  });
}

void Writer::write(unsigned number, const Task &task) {
  json.object([&] {
    json.attribute("id", number);
    json.attribute("kind", toString(task.kind));
    json.attribute("name", task.name);
    json.attribute("location", task.location);
    writeNumbers("waitsFor", ArrayRef(task.waitsFor));
    if (task.kind == TaskKind::Launch || task.kind == TaskKind::Host)
      writeNumbers("dispatches", ArrayRef(task.dispatches));
    switch (task.kind) {
    case TaskKind::Prepare:
      json.attribute("program", task.code);
      break;
    case TaskKind::Launch:
      json.attribute("program", task.code);
      writeNumbers("bindings", ArrayRef(task.bindings));
      break;
    case TaskKind::Host:
      json.attribute("hostFunction", task.code);
      writeNumbers("reads", ArrayRef(task.reads));
      writeNumbers("writes", ArrayRef(task.writes));
      break;
    case TaskKind::Copy:
      writeNumbers("extents", ArrayRef(task.extents));
      json.attributeBegin("source");
      write(task.source);
      json.attributeEnd();
      json.attributeBegin("target");
      write(task.target);
      json.attributeEnd();
      break;
    case TaskKind::Fill:
      json.attribute("buffer", task.filled);
      json.attribute("pattern", toHex(task.pattern, /*LowerCase=*/true));
      break;
    case TaskKind::Compute:
      json.attribute("op", toString(task.scalarOp));
      writeNumbers("operands", ArrayRef(task.operands));
      json.attribute("result", task.result);
      break;
    case TaskKind::Branch:
    case TaskKind::Loop: {
      auto [first, second] = getBlocks(graph, number);
      bool isLoop = task.kind == TaskKind::Loop;
      if (isLoop)
        writeTasks("before", first);
      json.attribute("condition", task.condition);
      if (!isLoop)
        writeTasks("then", first);
      writeTasks(isLoop ? "body" : "else", second);
      break;
    }
    }
  });
}

void Writer::writeTasks(StringRef name, TaskRange block) {
  json.attributeArray(name, [&] {
    for (unsigned number : getBlockTasks(graph, block))
      write(number, graph.tasks[number]);
  });
}

void Writer::write() {
  json.object([&] {
    json.attribute("format", "npu-task-graph");
    json.attribute("version", formatVersion);
    json.attribute("name", graph.name);
    json.attribute("target", graph.target);
    if (graph.limits)
      json.attributeObject("limits", [&] { write(*graph.limits); });
    json.attributeObject("sideFile", [&] {
      json.attribute("name", graph.sideFileName);
      json.attribute("bytes", int64_t(graph.sideFile.size()));
      json.attribute("sha256", graph.sideFileSha256);
    });
    writeMemory();
    auto writeAll = [&](StringRef name, const auto &elements) {
      json.attributeArray(name, [&] {
        for (const auto &element : elements)
          write(element);
      });
    };
    writeAll("buffers", graph.buffers);
    writePorts("inputs", graph.inputs);
    writePorts("outputs", graph.outputs);
    writePorts("parameters", graph.parameters, /*areParameters=*/true);
    writeAll("programs", graph.programs);
    writeAll("hostFunctions", graph.hostFunctions);
    writeTasks("tasks", getAllBlocks(graph).front());
  });
  json.flush();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The first task of those that stand in the most loops and branches, and in how many.
static std::pair<unsigned, size_t> findDeepest(const TaskGraph &graph) {
  std::pair<unsigned, size_t> deepest;
  SmallVector<unsigned> ends; // of what is around a task
  for (unsigned number = 0; number < graph.tasks.size(); ++number) {
    while (!ends.empty() && ends.back() <= number)
      ends.pop_back();
    if (ends.size() > deepest.second)
      deepest = {number, ends.size()};
    if (hasBlocks(graph.tasks[number]))
      ends.push_back(getEnd(graph, number));
  }
  return deepest;
}

/// Fails where no reader would take the file.
static Error checkReadable(const TaskGraph &graph, StringRef path, StringRef text) {
  Error error = checkReadableJSON(text);
  if (!error)
    return error;
  auto [number, depth] = findDeepest(graph);
  std::string message = "cannot write '" + path.str() + "': " + toString(std::move(error));
  if (depth == 0)
    return createStringError(message + "; compile a part of the model");
  StringRef location = graph.tasks[number].location;
  return createStringError((location.empty() ? "" : location + ": ") + message + ", with " +
                           Twine(depth) + " loops and branches around tasks[" + Twine(number) +
                           "]; nest fewer of them");
}

Error npu::taskgraph::writeTaskGraph(TaskGraph &graph, StringRef path) {
  SmallString<128> sidePath(path);
  if (sys::path::extension(path) == ".json")
    sys::path::replace_extension(sidePath, ".bin");
  else
    sidePath += ".bin";
  for (StringRef file : {path, sidePath.str()})
    if (sys::fs::exists(file) && !sys::fs::is_regular_file(file))
      return createStringError("cannot write '" + file +
                               "': expected a regular file, as it is replaced when it is complete");
  graph.sideFileName = sys::path::filename(sidePath).str();
  if (!json::isUTF8(graph.sideFileName))
    return createStringError("cannot write '" + path +
                             "': expected a file name in UTF-8, as the file names its side file");
  graph.sideFileSha256 = toHex(SHA256::hash(graph.sideFile), /*LowerCase=*/true);
  std::string text;
  raw_string_ostream os(text);
  Writer(graph, os).write();
  os << '\n';
  if (Error error = checkReadable(graph, path, text))
    return error;

  OutputFiles files;
  if (Error error = files.write(sidePath, toStringRef(graph.sideFile)))
    return error;
  if (Error error = files.write(path, escapeJSON(text)))
    return error;
  return files.commit();
}
