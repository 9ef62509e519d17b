//===- RandomGraph.cpp - task graphs of host functions --------------------===//

#include "RandomGraph.h"

using namespace npu;
using namespace npu::taskgraph;

static unsigned addBuffer(TaskGraph &graph, MemoryRegion region, int64_t bytes) {
  Buffer &buffer = graph.buffers.emplace_back();
  buffer.name = "b" + std::to_string(graph.buffers.size() - 1);
  buffer.shape = {bytes};
  buffer.bytes = bytes;
  buffer.region = region;
  return graph.buffers.size() - 1;
}

static unsigned addView(TaskGraph &graph, unsigned buffer) {
  Buffer view = graph.buffers[buffer];
  view.shape = {1, view.bytes};
  view.aliasOf = graph.getRoot(buffer);
  graph.buffers.push_back(std::move(view));
  return graph.buffers.size() - 1;
}

TaskGraph npu::taskgraph::makeRandomGraph(std::mt19937 &random) {
  auto pick = [&](unsigned most) { return unsigned(random() % (most + 1)); };
  TaskGraph graph;
  graph.name = "random";
  graph.target = "npu-v1";
  std::vector<unsigned> values;
  for (unsigned input = 0; input <= pick(2); ++input) {
    values.push_back(addBuffer(graph, MemoryRegion::Inputs, 64 * pick(9) + 1));
    graph.inputs.push_back({"", "in", values.back()});
  }
  for (unsigned number = 0, count = 2 + pick(20); number < count; ++number) {
    MemoryRegion region =
        number + 1 == count || pick(9) == 0 ? MemoryRegion::Outputs : MemoryRegion::Intermediates;
    Task task;
    unsigned source = values[pick(values.size() - 1)];
    unsigned kind = pick(5);
    int64_t bytes = kind == 0 ? graph.buffers[source].bytes : 100 * pick(9) + 4;
    unsigned result = addBuffer(graph, region, bytes);
    if (kind == 0) {
      task.kind = TaskKind::Copy;
      task.extents = {bytes};
      task.source = {source, 0, {1}};
      task.target = {result, 0, {1}};
    } else if (kind == 1) {
      task.kind = TaskKind::Fill;
      task.filled = result;
      task.pattern = {uint8_t(number), 1, 2, 3};
    } else {
      HostFunction &function = graph.hostFunctions.emplace_back();
      function.name = function.symbol = "f" + std::to_string(number);
      function.code = graph.addToFile({uint8_t(number)});
      task.kind = TaskKind::Host;
      task.dispatches = {number};
      task.code = graph.hostFunctions.size() - 1;
      task.reads.push_back(source);
      for (unsigned more = pick(2); more > 0; --more)
        task.reads.push_back(values[pick(values.size() - 1)]);
      task.writes.push_back(result);
      if (pick(3) == 0) {
        task.writes.push_back(addBuffer(graph, MemoryRegion::Intermediates, 64 * pick(5)));
        values.push_back(task.writes.back());
      }
      function.numReads = task.reads.size();
      function.numWrites = task.writes.size();
    }
    if (region == MemoryRegion::Outputs)
      graph.outputs.push_back({"", "out" + std::to_string(number), result});
    values.push_back(pick(3) == 0 ? addView(graph, result) : result);
    graph.tasks.push_back(std::move(task));
  }
  return graph;
}
