//===- Verify.cpp - what a runtime relies on ------------------------------===//

#include "Hazards.h"
#include "NPU/Support/Allocator.h"
#include "NPU/TaskGraph/TaskGraph.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace llvm;
using namespace npu;
using namespace npu::taskgraph;

namespace {
class Verifier {
public:
  explicit Verifier(const TaskGraph &graph) : graph(graph) {}

  Error verify();

private:
  Error verifyMemory();
  Error verifyFileRange(const Twine &path, FileRange range);
  Error verifyProgram(unsigned number);
  Error verifyBuffer(unsigned number);
  Error verifyPorts(StringRef path, ArrayRef<Port> ports, MemoryRegion region);
  Error verifyBufferIndex(const Twine &path, unsigned buffer);
  Error verifyIndices(unsigned number);
  Error verifyScalar(const Twine &path, unsigned buffer, bool isCondition = false);
  Error verifyCompute(StringRef path, const Task &task);
  Error verifyWaits(unsigned number);
  Error verifyCopySide(const Twine &path, const CopySide &side, ArrayRef<int64_t> extents);
  Error verifyAccesses(unsigned number);
  Error verifyLoop(unsigned number);
  Error verifyDisjoint();
  Error verifyOrder(TaskRange block);
  Error verifyPrepared();

  const TaskGraph &graph;
  std::vector<unsigned> blockOf; ///< by task, a number
};
} // namespace

static Error fail(const Twine &path, const Twine &expected, const Twine &found) {
  return createStringError(path + ": expected " + expected + ", found " + found);
}

static std::string at(StringRef array, unsigned number) {
  return (array + "[" + Twine(number) + "]").str();
}

Error Verifier::verifyFileRange(const Twine &path, FileRange range) {
  int64_t size = graph.sideFile.size();
  if (range.offset <= size && range.bytes <= size - range.offset)
    return Error::success();
  return fail(path, "bytes of the side file, which has " + Twine(size),
              Twine(range.bytes) + " bytes at " + Twine(range.offset));
}

Error Verifier::verifyMemory() {
  for (auto [region, image] : {std::pair(MemoryRegion::Constants, graph.constants),
                               std::pair(MemoryRegion::State, graph.state)}) {
    std::string path = ("memory." + toString(region)).str();
    if (Error error = verifyFileRange(path, image))
      return error;
    if (image.bytes != graph.getRegionBytes(region))
      return fail(path + ".bytes",
                  Twine(graph.getRegionBytes(region)) + ", the size of the region " +
                      toString(region),
                  Twine(image.bytes));
  }
  for (unsigned number = 0; number < graph.programs.size(); ++number)
    if (Error error = verifyProgram(number))
      return error;
  for (auto [number, function] : enumerate(graph.hostFunctions))
    if (Error error = verifyFileRange(at("hostFunctions", number) + ".code", function.code))
      return error;
  return Error::success();
}

Error Verifier::verifyProgram(unsigned number) {
  const Program &program = graph.programs[number];
  std::string path = at("programs", number);
  if (Error error = verifyFileRange(path + ".code", program.code))
    return error;
  if (program.kernels.empty())
    return fail(path + ".kernels", "at least one", "none");
  DenseSet<unsigned> sources;
  for (auto [position, kernel] : enumerate(program.kernels)) {
    if (kernel.kernel != position &&
        (position == 0 || kernel.kernel != program.kernels[position - 1].kernel))
      return fail(path + "." + at("kernels", position) + ".kernel",
                  "its own number or what the entry before it has", Twine(kernel.kernel));
    for (unsigned source : kernel.sources)
      if (!sources.insert(source).second)
        return fail(path + "." + at("kernels", position) + ".sources",
                    "entries of this kernel alone", Twine(source) + ", which was there before");
  }
  return Error::success();
}

Error Verifier::verifyBuffer(unsigned number) {
  const Buffer &buffer = graph.buffers[number];
  std::string path = at("buffers", number);
  std::optional<int64_t> count = runtime::countElements(buffer.shape, buffer.dtype);
  if (!count)
    return fail(path + ".shape", "a size in bytes below 2^63", "a larger one");
  int64_t bytes = *count * runtime::getElementByteSize(buffer.dtype);
  if (buffer.bytes != bytes)
    return fail(path + ".bytes", Twine(bytes) + ", which its type and shape need",
                Twine(buffer.bytes));
  if (buffer.offset % bufferAlignment != 0)
    return fail(path + ".offset", "a multiple of " + Twine(bufferAlignment), Twine(buffer.offset));
  int64_t size = graph.getRegionBytes(buffer.region);
  if (buffer.offset > size || buffer.bytes > size - buffer.offset)
    return fail(path + ".offset",
                "a place in the " + Twine(size) + " bytes of region " + toString(buffer.region),
                Twine(buffer.bytes) + " bytes at " + Twine(buffer.offset));
  if (buffer.begin > buffer.end || buffer.end > int64_t(graph.tasks.size()))
    return fail(path + ".lifetime",
                "a range of the " + Twine(graph.tasks.size()) + " tasks, its end excluded",
                "[" + Twine(buffer.begin) + ", " + Twine(buffer.end) + "]");
  if (!buffer.aliasOf)
    return Error::success();
  if (*buffer.aliasOf >= graph.buffers.size() || graph.buffers[*buffer.aliasOf].aliasOf)
    return fail(path + ".aliasOf", "the index of a buffer that is no alias",
                Twine(*buffer.aliasOf));
  const Buffer &root = graph.buffers[*buffer.aliasOf];
  if (buffer.region != root.region || buffer.offset != root.offset || buffer.bytes != root.bytes ||
      buffer.begin != root.begin || buffer.end != root.end)
    return fail(path, "the place and life of buffers[" + Twine(*buffer.aliasOf) + "], its alias",
                "others");
  return Error::success();
}

Error Verifier::verifyBufferIndex(const Twine &path, unsigned buffer) {
  if (buffer < graph.buffers.size())
    return Error::success();
  return fail(path, "the index of one of " + Twine(graph.buffers.size()) + " buffers",
              Twine(buffer));
}

Error Verifier::verifyPorts(StringRef path, ArrayRef<Port> ports, MemoryRegion region) {
  for (auto [number, port] : enumerate(ports)) {
    std::string portPath = at(path, number) + ".buffer";
    if (Error error = verifyBufferIndex(portPath, port.buffer))
      return error;
    MemoryRegion found = graph.buffers[port.buffer].region;
    if (found != region)
      return fail(portPath, "a buffer in region " + toString(region),
                  "buffers[" + Twine(port.buffer) + "] in region " + toString(found));
  }
  return Error::success();
}

Error Verifier::verifyCopySide(const Twine &path, const CopySide &side, ArrayRef<int64_t> extents) {
  if (Error error = verifyBufferIndex(path + ".buffer", side.buffer))
    return error;
  for (auto [position, term] : enumerate(side.terms))
    if (Error error = verifyScalar(path + "." + at("terms", position) + ".buffer", term.buffer))
      return error;
  if (side.strides.size() != extents.size())
    return fail(path + ".strides", "one per extent (" + Twine(extents.size()) + ")",
                Twine(side.strides.size()));
  // One past the last byte; saturates, and is only compared.
  uint64_t end = side.offset;
  bool isEmpty = is_contained(extents, 0);
  for (auto [extent, stride] : zip_equal(extents, side.strides))
    if (!isEmpty)
      end = SaturatingMultiplyAdd(uint64_t(extent - 1), uint64_t(stride), end);
  if (!extents.empty() && side.strides.back() != 1)
    return fail(path + ".strides", "1 for the last dimension, which counts bytes",
                Twine(side.strides.back()));
  uint64_t size = graph.buffers[side.buffer].bytes;
  if (end < size || (isEmpty && end <= size))
    return Error::success();
  return fail(
      path, "a box inside of the " + Twine(size) + " bytes of buffers[" + Twine(side.buffer) + "]",
      "one that reaches byte " + Twine(end));
}

static Error verifyDispatches(StringRef path, const Task &task, size_t expected) {
  if (task.dispatches.size() == expected)
    return Error::success();
  return fail(path + ".dispatches", "one for each kernel (" + Twine(expected) + ")",
              Twine(task.dispatches.size()));
}

Error Verifier::verifyScalar(const Twine &path, unsigned buffer, bool isCondition) {
  if (Error error = verifyBufferIndex(path, buffer))
    return error;
  const Buffer &scalar = graph.buffers[buffer];
  bool isOne = scalar.bytes == runtime::getElementByteSize(scalar.dtype);
  if (isOne &&
      (isCondition ? scalar.dtype == runtime::ElementType::I1 : !runtime::isFloat(scalar.dtype)))
    return Error::success();
  return fail(path, isCondition ? "a buffer of one i1" : "a buffer of one integer",
              Twine(scalar.bytes) + " bytes of " + runtime::getElementTypeName(scalar.dtype));
}

Error Verifier::verifyCompute(StringRef path, const Task &task) {
  unsigned expected = getNumOperands(task.scalarOp);
  if (task.operands.size() != expected)
    return fail(path + ".operands", Twine(expected) + " for " + toString(task.scalarOp),
                Twine(task.operands.size()));
  for (auto [position, operand] : enumerate(task.operands))
    if (Error error = verifyScalar(path + "." + at("operands", position), operand))
      return error;
  return verifyScalar(path + ".result", task.result, isComparison(task.scalarOp));
}

Error Verifier::verifyWaits(unsigned number) {
  const Task &task = graph.tasks[number];
  for (auto [position, earlier] : enumerate(task.waitsFor)) {
    std::string waitPath = at("tasks", number) + at(".waitsFor", position);
    if (earlier >= number)
      return fail(waitPath, "a task before " + Twine(number), Twine(earlier));
    if (blockOf[earlier] != blockOf[number])
      return fail(waitPath, "a task of the same block", Twine(earlier));
    if (position > 0 && earlier <= task.waitsFor[position - 1])
      return fail(waitPath, "tasks in ascending order", Twine(earlier));
  }
  return Error::success();
}

/// Checks what getAccesses takes for granted, and the operands of one task.
Error Verifier::verifyIndices(unsigned number) {
  const Task &task = graph.tasks[number];
  std::string path = at("tasks", number);
  if (Error error = verifyWaits(number))
    return error;
  auto verifyAll = [&](StringRef member, ArrayRef<unsigned> buffers) -> Error {
    for (auto [position, buffer] : enumerate(buffers))
      if (Error error = verifyBufferIndex(path + "." + at(member, position), buffer))
        return error;
    return Error::success();
  };
  switch (task.kind) {
  case TaskKind::Prepare:
    if (blockOf[number] != 0)
      return fail(path + ".kind", "preparations outside of branches and loops", "one inside");
    if (task.code >= graph.programs.size())
      return fail(path + ".program",
                  "the index of one of " + Twine(graph.programs.size()) + " programs",
                  Twine(task.code));
    return Error::success();
  case TaskKind::Launch: {
    if (task.code >= graph.programs.size())
      return fail(path + ".program",
                  "the index of one of " + Twine(graph.programs.size()) + " programs",
                  Twine(task.code));
    ArrayRef<ProgramRegion> regions = graph.programs[task.code].regions;
    if (task.bindings.size() != regions.size())
      return fail(path + ".bindings",
                  "one buffer per region of the program (" + Twine(regions.size()) + ")",
                  Twine(task.bindings.size()));
    if (Error error = verifyAll("bindings", task.bindings))
      return error;
    if (Error error = verifyDispatches(path, task, graph.programs[task.code].kernels.size()))
      return error;
    for (auto [position, region] : enumerate(regions)) {
      const Buffer &buffer = graph.buffers[task.bindings[position]];
      if (buffer.bytes != region.bytes)
        return fail(path + at(".bindings", position),
                    "a buffer of " + Twine(region.bytes) + " bytes",
                    "one of " + Twine(buffer.bytes));
    }
    return Error::success();
  }
  case TaskKind::Host: {
    if (task.code >= graph.hostFunctions.size())
      return fail(path + ".hostFunction",
                  "the index of one of " + Twine(graph.hostFunctions.size()) + " host functions",
                  Twine(task.code));
    const HostFunction &function = graph.hostFunctions[task.code];
    if (task.reads.size() != function.numReads || task.writes.size() != function.numWrites)
      return fail(path,
                  "a host function on " + Twine(function.numReads) + " read and " +
                      Twine(function.numWrites) + " written buffers",
                  Twine(task.reads.size()) + " and " + Twine(task.writes.size()));
    if (Error error = verifyDispatches(path, task, 1))
      return error;
    if (Error error = verifyAll("reads", task.reads))
      return error;
    return verifyAll("writes", task.writes);
  }
  case TaskKind::Copy: {
    if (task.extents.empty())
      return fail(path + ".extents", "at least one", "none");
    if (Error error = verifyCopySide(path + ".source", task.source, task.extents))
      return error;
    if (Error error = verifyCopySide(path + ".target", task.target, task.extents))
      return error;
    // More than that would write some bytes twice.
    uint64_t count = 1, size = graph.buffers[task.target.buffer].bytes;
    for (int64_t extent : task.extents)
      count = SaturatingMultiply(count, uint64_t(extent));
    if (count > size)
      return fail(path + ".extents", "at most the " + Twine(size) + " bytes of the target",
                  Twine(count));
    return Error::success();
  }
  case TaskKind::Fill:
    if (Error error = verifyBufferIndex(path + ".buffer", task.filled))
      return error;
    if (task.pattern.empty() || graph.buffers[task.filled].bytes % task.pattern.size() != 0)
      return fail(path + ".pattern", "the bytes of one element of the buffer",
                  Twine(task.pattern.size()) + " bytes");
    return Error::success();
  case TaskKind::Compute:
    return verifyCompute(path, task);
  case TaskKind::Branch:
  case TaskKind::Loop:
    return verifyScalar(path + ".condition", task.condition, /*isCondition=*/true);
  }
  llvm_unreachable("all kinds are handled");
}

/// What a task of a loop touches lives as long as the loop: another iteration may come.
Error Verifier::verifyLoop(unsigned number) {
  int64_t end = getEnd(graph, number);
  for (const Access &access : getAccesses(graph, graph.tasks[number])) {
    const Buffer &buffer = graph.buffers[access.buffer];
    if (int64_t(number) < buffer.begin || end > buffer.end)
      return fail(at("tasks", number),
                  "the lifetime of buffers[" + Twine(access.buffer) + "] to include all of it, [" +
                      Twine(number) + ", " + Twine(end) + "]",
                  "[" + Twine(buffer.begin) + ", " + Twine(buffer.end) + "]");
  }
  return Error::success();
}

Error Verifier::verifyAccesses(unsigned number) {
  if (graph.tasks[number].kind == TaskKind::Loop)
    return verifyLoop(number);
  std::vector<Access> accesses = getAccesses(graph, graph.tasks[number]);
  // Those of its blocks are checked where they are.
  if (graph.tasks[number].kind == TaskKind::Branch)
    accesses.resize(1);
  for (const Access &access : accesses) {
    const Buffer &buffer = graph.buffers[access.buffer];
    if (int64_t(number) < buffer.begin || int64_t(number) >= buffer.end)
      return fail(at("tasks", number),
                  "the lifetime of buffers[" + Twine(access.buffer) + "] to include it",
                  "[" + Twine(buffer.begin) + ", " + Twine(buffer.end) + "]");
    bool isWritable = is_contained(
        {MemoryRegion::Outputs, MemoryRegion::Intermediates, MemoryRegion::State}, buffer.region);
    if (access.isWrite && !isWritable)
      return fail(at("tasks", number), "writes to outputs, intermediates and state only",
                  "one to buffers[" + Twine(access.buffer) + "] in region " +
                      toString(buffer.region));
  }
  return Error::success();
}

/// No two buffers share a byte while both live.
Error Verifier::verifyDisjoint() {
  std::vector<unsigned> byBegin;
  for (auto [number, buffer] : enumerate(graph.buffers))
    if (!buffer.aliasOf && buffer.bytes > 0 && buffer.begin < buffer.end)
      byBegin.push_back(number);
  std::vector<unsigned> byEnd = byBegin;
  auto getBegin = [&](unsigned number) { return std::pair(graph.buffers[number].begin, number); };
  auto getEnd = [&](unsigned number) { return std::pair(graph.buffers[number].end, number); };
  llvm::sort(byBegin, [&](unsigned a, unsigned b) { return getBegin(a) < getBegin(b); });
  llvm::sort(byEnd, [&](unsigned a, unsigned b) { return getEnd(a) < getEnd(b); });
  // What lives, by offset. These do not overlap, so only neighbors may overlap a new one.
  std::map<int64_t, unsigned> live[numMemoryRegions];
  const unsigned *dead = byEnd.data();
  for (unsigned number : byBegin) {
    const Buffer &buffer = graph.buffers[number];
    for (; graph.buffers[*dead].end <= buffer.begin; ++dead)
      live[unsigned(graph.buffers[*dead].region)].erase(graph.buffers[*dead].offset);
    std::map<int64_t, unsigned> &others = live[unsigned(buffer.region)];
    auto next = others.lower_bound(buffer.offset);
    std::optional<unsigned> other;
    if (next != others.end() && next->first < buffer.offset + buffer.bytes)
      other = next->second;
    if (next != others.begin())
      if (const Buffer &before = graph.buffers[std::prev(next)->second];
          before.offset + before.bytes > buffer.offset)
        other = std::prev(next)->second;
    if (other) {
      auto [lower, higher] = std::minmax(
          {std::pair(graph.buffers[*other].offset, *other), std::pair(buffer.offset, number)});
      return fail(at("buffers", higher.second) + ".offset",
                  "no bytes of buffers[" + Twine(lower.second) + "], which lives at the same time",
                  Twine(higher.first));
    }
    others.emplace_hint(next, buffer.offset, number);
  }
  return Error::success();
}

/// All conflicts in a block are ordered.
Error Verifier::verifyOrder(TaskRange block) {
  std::vector<unsigned> tasks = getBlockTasks(graph, block);
  DenseMap<unsigned, unsigned> positions;
  for (auto [position, number] : enumerate(tasks))
    positions[number] = position;
  std::vector<unsigned> lastUsers(tasks.size());
  for (auto [position, number] : enumerate(tasks))
    for (unsigned earlier : graph.tasks[number].waitsFor)
      lastUsers[positions.lookup(earlier)] = position;
  Hazards hazards(graph, tasks);
  FinishedTasks finished(graph, tasks, std::move(lastUsers));
  for (unsigned number : tasks) {
    SmallVector<unsigned> waits;
    for (unsigned earlier : graph.tasks[number].waitsFor)
      waits.push_back(positions.lookup(earlier));
    for (unsigned earlier : waits)
      finished.wait(earlier);
    for (unsigned earlier : hazards.next())
      if (!finished.contains(earlier))
        return fail(at("tasks", number) + ".waitsFor",
                    "task " + Twine(tasks[earlier]) +
                        ", on which it depends, directly or through others",
                    "no such wait");
    finished.advance(waits);
  }
  return Error::success();
}

Error Verifier::verifyPrepared() {
  DenseSet<unsigned> prepared;
  for (auto [number, task] : enumerate(graph.tasks)) {
    if (task.kind == TaskKind::Prepare)
      prepared.insert(task.code);
    if (task.kind == TaskKind::Launch && !prepared.contains(task.code))
      return fail(at("tasks", number) + ".program", "a program that an earlier task prepares",
                  Twine(task.code));
  }
  return Error::success();
}

Error Verifier::verify() {
  if (Error error = verifyMemory())
    return error;
  for (unsigned number = 0; number < graph.buffers.size(); ++number)
    if (Error error = verifyBuffer(number))
      return error;
  if (Error error = verifyPorts("inputs", graph.inputs, MemoryRegion::Inputs))
    return error;
  if (Error error = verifyPorts("outputs", graph.outputs, MemoryRegion::Outputs))
    return error;
  if (Error error = verifyPorts("parameters", graph.parameters, MemoryRegion::Parameters))
    return error;
  std::vector<TaskRange> blocks = getAllBlocks(graph);
  blockOf.resize(graph.tasks.size());
  for (auto [block, range] : enumerate(blocks))
    for (unsigned number : getBlockTasks(graph, range))
      blockOf[number] = block;
  for (unsigned number = 0; number < graph.tasks.size(); ++number)
    if (Error error = verifyIndices(number))
      return error;
  for (unsigned number = 0; number < graph.tasks.size(); ++number)
    if (Error error = verifyAccesses(number))
      return error;
  if (Error error = verifyDisjoint())
    return error;
  std::vector<AllocationRequest> requests;
  for (const Buffer &buffer : graph.buffers)
    if (!buffer.aliasOf && buffer.region == MemoryRegion::Intermediates)
      requests.push_back({buffer.begin, buffer.end, buffer.bytes});
  if (int64_t live = getLivePeak(requests, bufferAlignment); live != graph.liveSetBytes)
    return fail("memory.liveSetBytes", Twine(live) + ", as the lifetimes say",
                Twine(graph.liveSetBytes));
  if (Error error = verifyPrepared())
    return error;
  for (TaskRange block : blocks)
    if (Error error = verifyOrder(block))
      return error;
  return Error::success();
}

Error npu::taskgraph::verify(const TaskGraph &graph) { return Verifier(graph).verify(); }
