//===- TaskGraph.cpp - a compiled model as buffers and tasks --------------===//

#include "NPU/TaskGraph/TaskGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace npu;
using namespace npu::taskgraph;

llvm::StringRef npu::taskgraph::toString(MemoryRegion region) {
  static constexpr llvm::StringLiteral names[numMemoryRegions] = {
      "constants", "parameters", "inputs", "outputs", "intermediates"};
  return names[unsigned(region)];
}

llvm::StringRef npu::taskgraph::toString(TaskKind kind) {
  static constexpr llvm::StringLiteral names[] = {"prepare", "launch", "host", "copy", "fill"};
  return names[unsigned(kind)];
}

FileRange TaskGraph::addToFile(llvm::ArrayRef<uint8_t> bytes) {
  sideFile.resize(llvm::alignTo(sideFile.size(), bufferAlignment));
  FileRange range{int64_t(sideFile.size()), int64_t(bytes.size())};
  llvm::append_range(sideFile, bytes);
  return range;
}

std::vector<Access> npu::taskgraph::getAccesses(const TaskGraph &graph, const Task &task) {
  std::vector<Access> accesses;
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
    accesses.push_back({task.source.buffer, true, false});
    accesses.push_back({task.target.buffer, false, true});
    break;
  case TaskKind::Fill:
    accesses.push_back({task.filled, false, true});
    break;
  }
  return accesses;
}
