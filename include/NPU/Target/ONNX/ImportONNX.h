//===- ImportONNX.h - .onnx files to the onnx dialect ---------------------===//

#ifndef NPU_TARGET_ONNX_IMPORTONNX_H
#define NPU_TARGET_ONNX_IMPORTONNX_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <optional>

namespace npu {

class ToolLog;

/// How a file is imported.
struct ONNXImportOptions {
  /// A graph input that becomes a constant, by name or by number, and the file with its
  /// TensorProto.
  struct BoundInput {
    std::string input, path;
  };
  llvm::SmallVector<BoundInput> boundInputs;
  /// Sizes of named dimensions of graph inputs.
  llvm::StringMap<int64_t> dimensions;
  /// Names of values that are returned instead of the graph's outputs; none: the graph's.
  llvm::SmallVector<std::string> outputs;
  /// Replaces constant-filled weights by seeded ones, see SeedWeights.h.
  std::optional<uint64_t> seed;
};

/// The options as the command line gives them: --onnx-bind-input, --onnx-dim, --onnx-output,
/// --onnx-seed-weights.
/// Registered by the first call. Parsing errors are printed, and nothing is returned.
void registerONNXImportOptions();
std::optional<ONNXImportOptions> getONNXImportOptions();

/// Imports the model in `file`, whose identifier is its path: external data is looked for in its
/// directory only. Weights keep what they were parsed into, nothing is copied. Errors are emitted,
/// and nothing is returned.
mlir::OwningOpRef<mlir::ModuleOp> importONNX(const llvm::MemoryBuffer &file,
                                             const ONNXImportOptions &options,
                                             mlir::MLIRContext *context);

/// Imports the ONNX model in the file `input` and prints it to the file `output`, as the options
/// say once they are parsed. `log` hears what is said. Returns the exit code of a tool: 0 when all
/// is well, 1 for bad input, 2 for bad usage.
int onnxToMLIRMain(llvm::StringRef input, llvm::StringRef output, ToolLog &log);

/// Writes the model again, e.g. with seeded weights. Likewise.
int onnxToONNXMain(llvm::StringRef input, llvm::StringRef output, ToolLog &log);

} // namespace npu

#endif // NPU_TARGET_ONNX_IMPORTONNX_H
