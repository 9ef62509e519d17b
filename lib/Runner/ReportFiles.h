//===- ReportFiles.h - the files of --report ------------------------------===//

#ifndef NPU_LIB_RUNNER_REPORTFILES_H
#define NPU_LIB_RUNNER_REPORTFILES_H

#include "NPU/Runner/ModelRunner.h"

namespace npu::runtime {

/// One line per dispatch, after one with the columns' names.
std::string makeDispatchTable(const RunReport &report, const TargetDesc &target);

/// The sums over all dispatches, and the outputs, as JSON.
std::string makeSummary(const RunReport &report, const TargetDesc &target);

} // namespace npu::runtime

#endif // NPU_LIB_RUNNER_REPORTFILES_H
