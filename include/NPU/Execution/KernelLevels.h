//===- KernelLevels.h - a dispatch at every level of the compiler ---------===//

#ifndef NPU_EXECUTION_KERNELLEVELS_H
#define NPU_EXECUTION_KERNELLEVELS_H

#include "NPU/Codegen/DispatchCompiler.h"
#include "NPU/Interpreter/Interpreter.h"

namespace npu::runtime {

/// Where a kernel is on its way down.
enum class Level { Tensor, Tile, Planned, Program };
inline constexpr Level allLevels[] = {Level::Tensor, Level::Tile, Level::Planned, Level::Program};

/// `tensor form` and so on, and `program`.
llvm::StringRef toString(Level level);
Level getLevel(interpreter::Form form);

/// A kernel at the levels from some on: what the compiler makes of one is the next.
class KernelLevels {
public:
  /// All levels of `function`, which the target of `compiler` runs.
  static llvm::Expected<KernelLevels> compile(DispatchCompiler &compiler,
                                              mlir::func::FuncOp function);
  /// The levels of the kernel in `form`, in which nothing else is, and those below.
  static llvm::Expected<KernelLevels> compile(mlir::OwningOpRef<mlir::ModuleOp> form);
  static KernelLevels get(isa::Program program);

  bool has(Level level) const { return level == Level::Program || forms[int(level)]; }
  /// The kernel at a level that is there and is no program.
  KernelOp getKernel(Level level) const;
  const isa::Program &getProgram() const { return program; }
  /// The first level.
  Level getFirst() const { return first; }

  /// Calls `write` with the name and the text of each level: `<prefix>.tensor.mlir`, `.tile.mlir`,
  /// `.planned.mlir` and `.npuasm`.
  llvm::Error
  print(llvm::StringRef prefix,
        llvm::function_ref<llvm::Error(llvm::StringRef name, llvm::StringRef text)> write) const;

private:
  /// The levels below `from`.
  llvm::Error lower(Level from);

  Level first = Level::Tensor;
  mlir::OwningOpRef<mlir::ModuleOp> forms[3];
  isa::Program program;
};

} // namespace npu::runtime

#endif // NPU_EXECUTION_KERNELLEVELS_H
