//===- TaskGraph.cpp - a compiled model as buffers and tasks --------------===//

#include "NPU/TaskGraph/TaskGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace npu;
using namespace npu::taskgraph;

llvm::StringRef npu::taskgraph::toString(MemoryRegion region) {
  static constexpr llvm::StringLiteral names[numMemoryRegions] = {
      "constants", "parameters", "inputs", "outputs", "intermediates", "state"};
  return names[unsigned(region)];
}

llvm::StringRef npu::taskgraph::toString(TaskKind kind) {
  static constexpr llvm::StringLiteral names[numTaskKinds] = {
      "prepare", "launch", "host", "copy", "fill", "compute", "branch", "loop"};
  return names[unsigned(kind)];
}

llvm::StringRef npu::taskgraph::toString(ScalarOp op) {
  static constexpr llvm::StringLiteral names[numScalarOps] = {
      "add", "sub",   "mul",       "and",  "or",         "xor",    "min",
      "max", "equal", "not_equal", "less", "less_equal", "select", "convert"};
  return names[unsigned(op)];
}

unsigned npu::taskgraph::getNumOperands(ScalarOp op) {
  return op == ScalarOp::Select ? 3 : op == ScalarOp::Convert ? 1 : 2;
}

std::array<TaskRange, 2> npu::taskgraph::getBlocks(const TaskGraph &graph, unsigned number) {
  auto [first, second] = graph.tasks[number].blockSizes;
  unsigned begin = number + 1;
  return {TaskRange{begin, begin + first}, TaskRange{begin + first, begin + first + second}};
}

unsigned npu::taskgraph::getEnd(const TaskGraph &graph, unsigned number) {
  return getBlocks(graph, number)[1].end;
}

std::vector<unsigned> npu::taskgraph::getBlockTasks(const TaskGraph &graph, TaskRange block) {
  std::vector<unsigned> tasks;
  for (unsigned number = block.first; number < block.end; number = getEnd(graph, number))
    tasks.push_back(number);
  return tasks;
}

std::vector<TaskRange> npu::taskgraph::getAllBlocks(const TaskGraph &graph) {
  std::vector<TaskRange> blocks = {{0, unsigned(graph.tasks.size())}};
  for (unsigned number = 0; number < graph.tasks.size(); ++number)
    if (hasBlocks(graph.tasks[number]))
      llvm::append_range(blocks, getBlocks(graph, number));
  return blocks;
}

FileRange TaskGraph::addToFile(llvm::ArrayRef<uint8_t> bytes) {
  sideFile.resize(llvm::alignTo(sideFile.size(), bufferAlignment));
  FileRange range{int64_t(sideFile.size()), int64_t(bytes.size())};
  llvm::append_range(sideFile, bytes);
  return range;
}

static void addAccesses(const TaskGraph &graph, const Task &task, std::vector<Access> &accesses) {
  switch (task.kind) {
  case TaskKind::Prepare:
    break;
  case TaskKind::Launch:
    for (auto [buffer, region] :
         llvm::zip_equal(task.bindings, graph.programs[task.code].regions)) {
      bool isRead = isa::isInput(region.kind) || region.kind == isa::RegionKind::Constants;
      bool isWritten = isa::isOutput(region.kind) || region.kind == isa::RegionKind::Scratch;
      accesses.push_back({buffer, isRead, isWritten});
    }
    break;
  case TaskKind::Host:
    for (unsigned buffer : task.reads)
      accesses.push_back({buffer, true, false});
    for (unsigned buffer : task.writes)
      accesses.push_back({buffer, false, true});
    break;
  case TaskKind::Copy:
    for (const CopySide *side : {&task.source, &task.target})
      for (const OffsetTerm &term : side->terms)
        accesses.push_back({term.buffer, true, false});
    accesses.push_back({task.source.buffer, true, false});
    accesses.push_back({task.target.buffer, false, true});
    break;
  case TaskKind::Fill:
    accesses.push_back({task.filled, false, true});
    break;
  case TaskKind::Compute:
    for (unsigned buffer : task.operands)
      accesses.push_back({buffer, true, false});
    accesses.push_back({task.result, false, true});
    break;
  case TaskKind::Branch:
  case TaskKind::Loop:
    accesses.push_back({task.condition, true, false});
    break;
  }
}

std::vector<Access> npu::taskgraph::getAccesses(const TaskGraph &graph, const Task &task) {
  std::vector<Access> accesses;
  addAccesses(graph, task, accesses);
  if (hasBlocks(task)) {
    unsigned number = &task - graph.tasks.data();
    for (unsigned inner = number + 1; inner < getEnd(graph, number); ++inner)
      addAccesses(graph, graph.tasks[inner], accesses);
  }
  return accesses;
}
