//===- RunTensors.h - a run's inputs and what is expected of its outputs --===//

#ifndef NPU_EXECUTION_RUNTENSORS_H
#define NPU_EXECUTION_RUNTENSORS_H

#include "NPU/HostReference/HostReference.h"
#include "NPU/InitAll/TensorNames.h"
#include "NPU/Tensor/Compare.h"

namespace npu::runtime {

/// An error in how a tool was called rather than in what it was given.
class UsageError : public llvm::ErrorInfo<UsageError> {
public:
  static char ID;

  explicit UsageError(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string message;
};

/// Fails when tensors of these types together have more than `memoryLimit` bytes.
llvm::Error checkMemory(llvm::ArrayRef<HostTensorType> types, int64_t memoryLimit);

/// Whether `specifications` say how to make inputs, but not of which type: a single `random(seed)`
/// or `smallints(seed)`, or nothing.
bool areForAllInputs(llvm::ArrayRef<std::string> specifications);

/// The tensors of a function's inputs: one specification per input (see TensorReader), or a single
/// `random(seed)` or `smallints(seed)` for all of them; none means `random(0)`. Together they may
/// have at most `memoryLimit` bytes. More specifications than inputs are a UsageError.
llvm::Expected<llvm::SmallVector<HostTensor>> makeInputs(llvm::ArrayRef<std::string> specifications,
                                                         llvm::ArrayRef<HostTensorType> types,
                                                         int64_t memoryLimit);

/// The tensors that `specifications` give for inputs of `types`. An input without a type must name
/// its own, or be a file that does. Together they may have at most `memoryLimit` bytes. More
/// specifications than inputs are a UsageError.
llvm::Expected<llvm::SmallVector<HostTensor>>
readInputs(llvm::ArrayRef<std::string> specifications,
           llvm::ArrayRef<std::optional<HostTensorType>> types, int64_t memoryLimit);

/// How far outputs may be from what is expected of them; the defaults are iree-run-module's.
struct ExpectedTolerance {
  double f16 = 1e-3, bf16 = 1e-2, f32 = 1e-4, f64 = 1e-4; ///< absolute
  double relative = 1e-5;                                 ///< times the expected magnitude, added
  double bf16Ulps = 0; ///< added for bf16, in units of its last place
  bool isExact = false;

  /// For elements of `type`; integers must be equal.
  Tolerance get(ElementType type) const;
};

/// What every output should be; nothing for `(ignored)`, for every output without specifications.
/// Outputs of which a part counts may be as short as any part; those that are counts have no
/// specification. More specifications than outputs are a UsageError.
llvm::Expected<llvm::SmallVector<std::optional<HostTensor>>>
readExpectedOutputs(llvm::ArrayRef<std::string> specifications,
                    llvm::ArrayRef<HostTensorType> types,
                    llvm::ArrayRef<ResultLength> lengths = {});

} // namespace npu::runtime

#endif // NPU_EXECUTION_RUNTENSORS_H
