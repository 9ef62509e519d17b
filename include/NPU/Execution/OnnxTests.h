//===- OnnxTests.h - ONNX's backend tests through npu-run -----------------===//

#ifndef NPU_EXECUTION_ONNXTESTS_H
#define NPU_EXECUTION_ONNXTESTS_H

#include "NPU/Execution/ModelRunner.h"

namespace npu::runtime {

/// How many tests ended in which way. A test with several data sets counts once, as the worst.
struct OnnxTestCounts {
  unsigned npu = 0;      ///< correct, and every dispatch ran on the NPU
  unsigned fallback = 0; ///< correct, with dispatches on the host or none at all
  unsigned rejected = 0; ///< refused with a reason while importing
  unsigned wrong = 0;    ///< another result than the stored one, or an error after importing
  unsigned crashed = 0;

  bool hasPassed() const { return wrong == 0 && crashed == 0; }
};

/// Runs every test in `directory` and beneath: a directory with model.onnx and test_data_set_<n>,
/// which hold input_<i>.pb and output_<i>.pb, as onnx.backend.test has them. Inputs that shapes
/// depend on are bound to the values of the data set. Prints one line per test, then the counts.
/// Only target, fallback, placements, tolerance and simulator of `options` are used. Fails if there
/// is no test.
llvm::Expected<OnnxTestCounts> runOnnxTests(llvm::StringRef directory, const RunOptions &options,
                                            llvm::raw_ostream &os);

} // namespace npu::runtime

#endif // NPU_EXECUTION_ONNXTESTS_H
