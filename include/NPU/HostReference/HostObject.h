//===- HostObject.h - host functions as object files ----------------------===//
//
// Does in two steps what HostReference does in one: compiles a function on tensors to a relocatable
// object file that does not need MLIR, and executes it.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_HOSTREFERENCE_HOSTOBJECT_H
#define NPU_HOSTREFERENCE_HOSTOBJECT_H

#include "NPU/HostReference/HostReference.h"

namespace npu::runtime {

struct HostObject {
  std::string triple;
  std::vector<uint8_t> code;
};

/// Compiles `func` to an object file that defines `void symbol(void *const *buffers)`, on the
/// addresses of its inputs, then of its results. The code is for the basic instruction set of this
/// host's architecture; it calls the C library and, for 16-bit floats, the compiler's. Where data
/// gives extents that do not fit, or there is no memory, it calls `puts` with the reason and then
/// `abort`.
llvm::Expected<HostObject> compileHostObject(mlir::func::FuncOp func, llvm::StringRef symbol,
                                             const HostReferenceOptions &options = {});

/// Object files in this process.
class HostObjectLoader {
public:
  using Function = void (*)(void *const *buffers);

  /// Object files may call mathematical functions, memory functions and the compiler's library;
  /// with `callsAnything`, for code that the caller itself compiled, all that this process has.
  static llvm::Expected<std::unique_ptr<HostObjectLoader>> create(bool callsAnything = false);
  /// The triple of object files for this process.
  static std::string getTriple();
  ~HostObjectLoader();

  /// Loads an object file; the function lives as long as the loader. Symbols must be unique.
  llvm::Expected<Function> load(llvm::ArrayRef<uint8_t> code, llvm::StringRef symbol);

  /// Calls a loaded function, whose temporaries may have `memoryLimit` bytes at a time. Anything
  /// that would end the process (a failed check, a temporary beyond the limit) is returned as an
  /// error.
  static llvm::Error call(Function function, void *const *buffers, int64_t memoryLimit);

private:
  HostObjectLoader();

  /// Hides the JIT.
  struct State;
  std::unique_ptr<State> state;
};

} // namespace npu::runtime

#endif // NPU_HOSTREFERENCE_HOSTOBJECT_H
