//===- Parameters.h - named tensors from outside of a model ---------------===//
//
// What `#flow.parameter.named<"scope"::"key">` stands for: the contents of parameter archives, or
// random numbers. Archives come from outside: every size and offset in them is checked before it is
// used. Independent of MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TENSOR_PARAMETERS_H
#define NPU_TENSOR_PARAMETERS_H

#include "NPU/Tensor/HostTensor.h"
#include "llvm/Support/MemoryBuffer.h"

namespace npu::runtime {

/// A file of tensors with names.
class ParameterArchive {
public:
  virtual ~ParameterArchive();

  /// Opens an archive; the extension says what it is: .irpa, .safetensors or .npz.
  static llvm::Expected<std::unique_ptr<ParameterArchive>> open(llvm::StringRef path);

  virtual bool contains(llvm::StringRef key) const = 0;

  /// Tensor `key`, which the archive contains. Another size than that of `type` and `shape` is an
  /// error, and so are other types and shapes where the format knows them. Signed and unsigned
  /// integers are the same.
  virtual llvm::Expected<HostTensor> load(llvm::StringRef key, ElementType type,
                                          llvm::ArrayRef<int64_t> shape) const = 0;
};

/// IREE's parameter archives, version 0: parameters are bytes without a type, or a repeated
/// pattern. Entries in other files are refused.
llvm::Expected<std::unique_ptr<ParameterArchive>>
createIrpaArchive(std::unique_ptr<llvm::MemoryBuffer> contents);

/// https://github.com/huggingface/safetensors. As the reference implementation has it, the tensors
/// must cover the data without holes and overlaps.
llvm::Expected<std::unique_ptr<ParameterArchive>>
createSafetensorsArchive(std::unique_ptr<llvm::MemoryBuffer> contents);

/// What numpy.savez and savez_compressed write: parameter `key` is the array of that name.
llvm::Expected<std::unique_ptr<ParameterArchive>>
createNpzArchive(std::unique_ptr<llvm::MemoryBuffer> contents);

/// Where the parameters of a model come from, by scope.
class ParameterSet {
public:
  /// Adds `scope=file`, `scope=random(seed)`, or either without a scope for parameters without one.
  /// Of several sources for a scope the first one that has a parameter gives it.
  llvm::Error add(llvm::StringRef specification);

  /// Parameter `key` of `scope`. Random ones depend on the seed and on their name only, and are
  /// scaled by 1 / sqrt(`estimateFanIn`).
  llvm::Expected<HostTensor> load(llvm::StringRef scope, llvm::StringRef key, ElementType type,
                                  llvm::ArrayRef<int64_t> shape) const;

private:
  struct Source {
    std::string scope, name;
    std::unique_ptr<ParameterArchive> archive; ///< null: random
    uint64_t seed = 0;
  };
  std::vector<Source> sources;
};

/// Number of terms in the sums that weights of this shape enter, as far as the shape tells: the
/// rows of a matrix, the elements per output channel of a filter (the larger one of the first and
/// the last dimension is taken for the channels), 1 for vectors.
int64_t estimateFanIn(llvm::ArrayRef<int64_t> shape);

} // namespace npu::runtime

#endif // NPU_TENSOR_PARAMETERS_H
