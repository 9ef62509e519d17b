//===- PlanTest.cpp - places, lives and waits -----------------------------===//

#include "RandomGraph.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"
#include <map>

using namespace npu;
using namespace npu::taskgraph;

namespace {

/// What the bytes of DRAM stand for: a task writes a number made of the numbers it reads.
class Interpreter {
public:
  /// With `hasOwnBytes`, every buffer has bytes of its own: what the graph means.
  Interpreter(const TaskGraph &graph, bool hasOwnBytes) : graph(graph), hasOwnBytes(hasOwnBytes) {
    for (const Port &input : graph.inputs)
      set(input.buffer, 7 + input.buffer);
  }

  void run(unsigned number) {
    const Task &task = graph.tasks[number];
    uint64_t value = 1000 + number;
    std::vector<Access> accesses = getAccesses(graph, task);
    for (const Access &access : accesses)
      if (access.isRead)
        value = llvm::hash_combine(value, get(access.buffer));
    unsigned operand = 0;
    for (const Access &access : accesses)
      if (access.isWrite)
        set(access.buffer, llvm::hash_combine(value, operand++));
  }

  std::vector<uint64_t> getOutputs() const {
    std::vector<uint64_t> values;
    for (const Port &output : graph.outputs)
      values.push_back(get(output.buffer));
    return values;
  }

private:
  std::pair<int64_t, int64_t> getKey(unsigned buffer, int64_t byte) const {
    const Buffer &info = graph.buffers[buffer];
    if (hasOwnBytes)
      return {graph.getRoot(buffer), byte};
    return {int64_t(info.region), info.offset + byte};
  }
  void set(unsigned buffer, uint64_t value) {
    for (int64_t byte = 0; byte < graph.buffers[buffer].bytes; ++byte)
      memory[getKey(buffer, byte)] = value;
  }
  uint64_t get(unsigned buffer) const {
    uint64_t value = 0;
    for (int64_t byte = 0; byte < graph.buffers[buffer].bytes; ++byte) {
      auto found = memory.find(getKey(buffer, byte));
      value = llvm::hash_combine(value, found == memory.end() ? 0 : found->second);
    }
    return value;
  }

  const TaskGraph &graph;
  bool hasOwnBytes;
  std::map<std::pair<int64_t, int64_t>, uint64_t> memory;
};

/// A random order that `waitsFor` allows.
std::vector<unsigned> pickOrder(const TaskGraph &graph, std::mt19937 &random) {
  std::vector<unsigned> order;
  std::vector<bool> isDone(graph.tasks.size());
  while (order.size() < graph.tasks.size()) {
    std::vector<unsigned> ready;
    for (unsigned number = 0; number < graph.tasks.size(); ++number)
      if (!isDone[number] && llvm::all_of(graph.tasks[number].waitsFor,
                                          [&](unsigned earlier) { return isDone[earlier]; }))
        ready.push_back(number);
    order.push_back(ready[random() % ready.size()]);
    isDone[order.back()] = true;
  }
  return order;
}

TEST(Plan, AnyOrderThatTheWaitsAllowGivesTheSameOutputs) {
  std::mt19937 random(1);
  unsigned reordered = 0, shared = 0;
  for (unsigned round = 0; round < 300; ++round) {
    TaskGraph graph = makeRandomGraph(random);
    plan(graph);
    llvm::Error error = verify(graph);
    ASSERT_FALSE(error) << llvm::toString(std::move(error));
    Interpreter meaning(graph, /*hasOwnBytes=*/true);
    for (unsigned number = 0; number < graph.tasks.size(); ++number)
      meaning.run(number);
    int64_t total = 0;
    for (const Buffer &buffer : graph.buffers)
      if (buffer.region == MemoryRegion::Intermediates && !buffer.aliasOf)
        total += buffer.bytes;
    shared += graph.getRegionBytes(MemoryRegion::Intermediates) < total;
    for (unsigned attempt = 0; attempt < 3; ++attempt) {
      std::vector<unsigned> order = pickOrder(graph, random);
      reordered += !llvm::is_sorted(order);
      Interpreter run(graph, /*hasOwnBytes=*/false);
      for (unsigned number : order)
        run.run(number);
      ASSERT_EQ(run.getOutputs(), meaning.getOutputs()) << "round " << round;
    }
  }
  EXPECT_GT(reordered, 300u);
  EXPECT_GT(shared, 100u);
}

/// Whether the first task must come before the second one, by definition.
bool areInConflict(const TaskGraph &graph, const Task &first, const Task &second) {
  for (const Access &a : getAccesses(graph, first))
    for (const Access &b : getAccesses(graph, second)) {
      const Buffer &left = graph.buffers[a.buffer], &right = graph.buffers[b.buffer];
      if ((a.isWrite || b.isWrite) && left.region == right.region &&
          left.offset < right.offset + right.bytes && right.offset < left.offset + left.bytes)
        return true;
    }
  return first.kind == TaskKind::Prepare && second.kind == TaskKind::Launch &&
         first.code == second.code;
}

/// Compares with all pairs of tasks, on graphs of several parts so that sets have many words.
TEST(Plan, WaitsOrderAllConflictsAndNothingElse) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 20; ++round) {
    TaskGraph graph = makeRandomGraph(random);
    Program &program = graph.programs.emplace_back();
    program.regions = {{"in", isa::RegionKind::Input, 64}, {"out", isa::RegionKind::Output, 64}};
    for (unsigned part = 0; part < 20; ++part) {
      // The buffers of a part get new numbers; some parts read outputs of the one before.
      TaskGraph more = makeRandomGraph(random);
      unsigned first = graph.buffers.size(), firstFunction = graph.hostFunctions.size();
      for (Buffer &buffer : more.buffers) {
        if (buffer.aliasOf)
          *buffer.aliasOf += first;
        graph.buffers.push_back(buffer);
      }
      llvm::append_range(graph.hostFunctions, more.hostFunctions);
      for (Task &task : more.tasks) {
        for (auto *numbers : {&task.reads, &task.writes})
          for (unsigned &number : *numbers)
            number += first;
        for (unsigned *number : {&task.source.buffer, &task.target.buffer, &task.filled})
          *number += first;
        if (task.kind == TaskKind::Host) {
          task.code += firstFunction;
          if (part % 2)
            task.reads.push_back(graph.tasks[random() % graph.tasks.size()].filled);
        }
        graph.tasks.push_back(task);
      }
      Task prepare, launch;
      prepare.kind = TaskKind::Prepare;
      launch.kind = TaskKind::Launch;
      prepare.code = launch.code = part < 10 ? 0 : 1 + part % 2;
      launch.bindings = {unsigned(random() % first), unsigned(first + random() % 2)};
      graph.programs.resize(3, program);
      graph.tasks.insert(graph.tasks.begin() + random() % 3, prepare);
      graph.tasks.push_back(launch);
    }
    plan(graph);

    size_t count = graph.tasks.size();
    std::vector<llvm::BitVector> waits(count, llvm::BitVector(count)), conflicts = waits;
    unsigned numConflicts = 0;
    for (unsigned later = 0; later < count; ++later) {
      EXPECT_TRUE(llvm::is_sorted(graph.tasks[later].waitsFor));
      for (unsigned earlier : graph.tasks[later].waitsFor) {
        waits[later] |= waits[earlier];
        waits[later].set(earlier);
      }
      for (unsigned earlier = 0; earlier < later; ++earlier)
        if (areInConflict(graph, graph.tasks[earlier], graph.tasks[later])) {
          conflicts[later] |= conflicts[earlier];
          conflicts[later].set(earlier);
          ++numConflicts;
        }
      EXPECT_EQ(waits[later], conflicts[later]) << "round " << round << ", task " << later;
    }
    EXPECT_GT(numConflicts, count);
  }
}

TEST(Plan, EveryWaitIsNeeded) {
  std::mt19937 random(2);
  for (unsigned round = 0; round < 100; ++round) {
    TaskGraph graph = makeRandomGraph(random);
    plan(graph);
    for (Task &task : graph.tasks)
      for (size_t position = 0; position < task.waitsFor.size(); ++position) {
        std::vector<unsigned> waits = task.waitsFor;
        task.waitsFor.erase(task.waitsFor.begin() + position);
        llvm::Error error = verify(graph);
        EXPECT_TRUE(bool(error)) << "round " << round;
        std::string message = llvm::toString(std::move(error));
        EXPECT_TRUE(llvm::StringRef(message).contains("on which it depends")) << message;
        task.waitsFor = std::move(waits);
      }
  }
}

/// A graph of one host call, planned, for what only a reader of foreign files meets.
TaskGraph makeSmallGraph() {
  std::mt19937 random(5);
  TaskGraph graph;
  do
    graph = makeRandomGraph(random);
  while (graph.hostFunctions.empty() || graph.tasks.front().kind != TaskKind::Host);
  plan(graph);
  return graph;
}

std::string getError(const TaskGraph &graph) { return llvm::toString(verify(graph)); }

TEST(Verify, RefusesWhatARuntimeCannotRun) {
  TaskGraph good = makeSmallGraph();
  ASSERT_EQ(getError(good), "");

  TaskGraph graph = good;
  graph.tasks.front().code = 99;
  EXPECT_NE(getError(graph).find("tasks[0].hostFunction: expected the index of one of"),
            std::string::npos);
  graph = good;
  graph.tasks.front().reads.clear();
  EXPECT_NE(getError(graph).find("tasks[0]: expected a host function on"), std::string::npos);
  graph = good;
  graph.tasks.front().writes.front() = graph.inputs.front().buffer;
  EXPECT_NE(getError(graph).find("writes to outputs, intermediates and state only"),
            std::string::npos);
  graph = good;
  graph.outputs.front().buffer = graph.inputs.front().buffer;
  EXPECT_NE(getError(graph).find("outputs[0].buffer: expected a buffer in region outputs"),
            std::string::npos);
  graph = good;
  graph.hostFunctions.front().code = {int64_t(graph.sideFile.size()), 1};
  EXPECT_NE(getError(graph).find("hostFunctions[0].code: expected bytes of the side file"),
            std::string::npos);
  graph = good;
  graph.buffers.front().end = 1000;
  EXPECT_NE(getError(graph).find("buffers[0].lifetime: expected a range of the"),
            std::string::npos);
  graph = good;
  graph.buffers.front().aliasOf = 1000;
  EXPECT_NE(getError(graph).find("buffers[0].aliasOf: expected the index"), std::string::npos);

  graph = good;
  Task copy;
  copy.kind = TaskKind::Copy;
  copy.extents = {2, 4};
  copy.source = {graph.inputs.front().buffer, 0, {int64_t(1) << 62, 1}};
  copy.target = {graph.outputs.front().buffer, 0, {4, 1}};
  graph.tasks.push_back(copy);
  for (Buffer &buffer : graph.buffers)
    if (buffer.region != MemoryRegion::Intermediates)
      buffer.end = graph.tasks.size();
  EXPECT_NE(getError(graph).find("source: expected a box inside of the"), std::string::npos);
  graph.tasks.back().source.strides = {0, 1, 1};
  EXPECT_NE(getError(graph).find("source.strides: expected one per extent (2), found 3"),
            std::string::npos);
  graph.tasks.back().extents = {int64_t(1) << 62, 1};
  graph.tasks.back().source.strides = graph.tasks.back().target.strides = {0, 1};
  EXPECT_NE(getError(graph).find("extents: expected at most the"), std::string::npos);
  graph.tasks.back() = Task();
  EXPECT_NE(getError(graph).find("extents: expected at least one, found none"), std::string::npos);
}

TEST(Verify, RefusesLaunchesOfUnpreparedPrograms) {
  TaskGraph graph = makeSmallGraph();
  Program program;
  program.regions = {{"out", isa::RegionKind::Output, 64}};
  program.kernels.emplace_back();
  graph.programs.push_back(program);
  Buffer buffer;
  buffer.shape = {64};
  buffer.bytes = 64;
  graph.buffers.push_back(buffer);
  Task launch;
  launch.kind = TaskKind::Launch;
  launch.dispatches = {0};
  launch.bindings = {unsigned(graph.buffers.size() - 1)};
  graph.tasks.push_back(launch);
  plan(graph);
  EXPECT_NE(getError(graph).find("program: expected a program that an earlier task prepares"),
            std::string::npos);
  Task prepare;
  prepare.kind = TaskKind::Prepare;
  graph.tasks.insert(graph.tasks.begin(), prepare);
  plan(graph);
  EXPECT_EQ(getError(graph), "");
  EXPECT_TRUE(llvm::is_contained(graph.tasks.back().waitsFor, 0u));
  graph.buffers.back().bytes = 32;
  graph.buffers.back().shape = {32};
  EXPECT_NE(getError(graph).find("bindings[0]: expected a buffer of 64 bytes, found one of 32"),
            std::string::npos);
}

TEST(Verify, RefusesKernelsThatDoNotFit) {
  TaskGraph graph = makeSmallGraph();
  Program program;
  program.kernels.resize(2);
  program.kernels[0].sources = {1, 3};
  program.kernels[1].sources = {2};
  graph.programs.push_back(program);
  Task task;
  task.kind = TaskKind::Prepare;
  graph.tasks.push_back(task);
  task.kind = TaskKind::Launch;
  task.dispatches = {7, 8};
  graph.tasks.push_back(task);
  plan(graph);
  EXPECT_EQ(getError(graph), "");
  graph.tasks.back().dispatches = {7};
  EXPECT_NE(getError(graph).find("dispatches: expected one for each kernel (2), found 1"),
            std::string::npos);
  graph.programs.back().kernels[1].sources = {3};
  EXPECT_NE(getError(graph).find("programs[0].kernels[1].sources: expected entries of this kernel "
                                 "alone, found 3, which was there before"),
            std::string::npos);
  graph.programs.back().kernels[1].kernel = 2;
  EXPECT_NE(getError(graph).find("programs[0].kernels[1].kernel: expected its own number or what "
                                 "the entry before it has, found 2"),
            std::string::npos);
  graph.programs.back().kernels.clear();
  EXPECT_NE(getError(graph).find("programs[0].kernels: expected at least one, found none"),
            std::string::npos);
}

} // namespace
