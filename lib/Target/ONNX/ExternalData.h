//===- ExternalData.h - weights that are in files beside a model ----------===//

#ifndef NPU_LIB_TARGET_ONNX_EXTERNALDATA_H
#define NPU_LIB_TARGET_ONNX_EXTERNALDATA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <memory>

namespace npu {

/// Files beneath one directory, mapped into memory. What a model names is not trusted: paths that
/// are absolute or leave the directory, symbolic links, hard links and whatever is not a regular
/// file are refused.
class ExternalData {
public:
  using File = std::shared_ptr<llvm::sys::fs::mapped_file_region>;

  /// `directory` is empty when there is none, as for the standard input; all files are refused
  /// then.
  explicit ExternalData(llvm::StringRef directory) : directory(directory) {}

  /// Maps the file at `location`, with '/' between its components, or finds it mapped.
  llvm::Expected<File> open(llvm::StringRef location);

private:
  std::string directory;
  llvm::StringMap<File> files;
};

} // namespace npu

#endif // NPU_LIB_TARGET_ONNX_EXTERNALDATA_H
