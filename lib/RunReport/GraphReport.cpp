//===- GraphReport.cpp - reports of task graphs that did not run ------------===//

#include "NPU/RunReport/GraphReport.h"

#include "NPU/Execution/GraphRecords.h"
#include "NPU/RunReport/ReportFiles.h"

using namespace npu;
using namespace npu::runtime;
using namespace npu::taskgraph;

GraphReporter::GraphReporter(SarifLog &log) : BuildObserver(log.getTool()), log(log) {}

GraphReporter::~GraphReporter() = default;

void GraphReporter::add(const Partition &partition, DispatchCompiler &compiler) {
  log.add(partition);
  if (explorer)
    explorer->add(partition, compiler);
}

void GraphReporter::beginReport(mlir::ModuleOp model) {
  explorer = std::make_unique<ModelExplorer>(model);
}

llvm::Error GraphReporter::addReport(const TaskGraph &graph, llvm::StringRef model,
                                     llvm::StringRef directory, OutputFiles &files) {
  llvm::Expected<TargetDesc> target = parseTarget(graph.target);
  if (!target)
    return target.takeError();
  std::vector<isa::Program> programs; // the profile refers to them
  std::vector<sim::Result> results;
  for (const auto &[number, info] : llvm::enumerate(graph.programs)) {
    llvm::Expected<isa::Program> program = decodeProgram(graph, number);
    if (!program)
      return program.takeError();
    sim::Options options;
    options.recordEvents = true;
    options.partOfSource = getKernelOfSource(info);
    llvm::Expected<sim::Result> result = sim::measure(*program, options);
    if (!result)
      return result.takeError();
    programs.push_back(std::move(*program));
    results.push_back(std::move(*result));
  }
  RunReport report;
  RunProfile profile;
  for (const Task &task : graph.tasks) {
    if (task.kind == TaskKind::Host) {
      const DispatchRecord &record =
          report.dispatches.emplace_back(makeHostRecord(task, graph.hostFunctions[task.code]));
      profile.addDispatch(record, /*program=*/nullptr);
    }
    if (task.kind != TaskKind::Launch)
      continue;
    const Program &info = graph.programs[task.code];
    std::vector<unsigned> kernelOfSource = getKernelOfSource(info);
    bool isSegment = info.kernels.size() > 1;
    if (isSegment) {
      SegmentEvent event{task.dispatches, kernelOfSource, programs[task.code], results[task.code]};
      profile.addSegment(event);
      explorer->add(event);
    }
    for (DispatchRecord &record : makeLaunchRecords(task, info, results[task.code])) {
      const isa::Program *program = isSegment ? nullptr : &programs[task.code];
      profile.addDispatch(record, program);
      explorer->add(record, program);
      record.statistics.events.clear();
      report.dispatches.push_back(std::move(record));
    }
  }
  report.limit = getLimit(graph, report.dispatches);
  return addReportFiles(
      {model.str(), report, *target, profile, *explorer, log.print(/*exitCode=*/0), &graph},
      directory, files);
}
