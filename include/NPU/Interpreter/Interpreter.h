//===- Interpreter.h - executes kernels in any form -------------*- C++ -*-===//
//
// What a kernel says in tensor form, tile form or planned form, computed op by op, without the
// passes below it: when two forms of one kernel give different results, one of the passes between
// them is wrong. Element-wise functions are those of the ISA, to the bit; sums are added up in the
// order in which the form has them.
//
// On-chip memory that nothing wrote is not read, and nothing is accessed outside of a buffer. The
// streams of planned form take turns: one runs until it waits. Races between them are the
// simulator's matter.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_INTERPRETER_INTERPRETER_H
#define NPU_INTERPRETER_INTERPRETER_H

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Interpreter/View.h"
#include "NPU/Tensor/HostTensor.h"

#include <functional>

namespace npu::interpreter {

/// The forms of a kernel, from the top.
enum class Form { Tensor, Tile, Planned };

/// `tensor form` and so on.
llvm::StringRef toString(Form form);

/// The form that a kernel is in, as its signature and its streams say.
Form getForm(KernelOp kernel);

/// An op that has written elements.
struct Write {
  mlir::Operation *op;
  /// The stream that executed it, by engine and cluster; null outside of planned form.
  StreamOp stream;
  /// Counters of the loops around it, the outermost first.
  llvm::ArrayRef<int64_t> counters;
  /// The destination as a whole, and which bytes of its memory are the first ones of elements that
  /// were written, in no particular order.
  const View &destination;
  llvm::ArrayRef<int64_t> offsets;
  /// Memories of other clusters that have the same at the same bytes.
  llvm::ArrayRef<std::shared_ptr<Memory>> copies;
};

struct Options {
  /// Called after every op that writes. May be null.
  std::function<void(const Write &)> onWrite;
  /// Fail after so many ops: a loop may be long.
  int64_t opLimit = 1'000'000'000;
  /// Fail when buffers together have more bytes.
  int64_t memoryLimit = int64_t(16) << 30;
};

/// The host's name of an element type; nothing if it has none.
std::optional<runtime::ElementType> getHostType(mlir::Type type);

/// Types of the tensors that a kernel is given and of those that it gives, in the order of its
/// arguments and results; one that is changed in place is both. Constants are neither, nor is
/// what is no tensor or buffer, with which a kernel cannot be interpreted.
struct Signature {
  llvm::SmallVector<mlir::ShapedType> inputs, outputs;
};
Signature getSignature(KernelOp kernel);

/// Executes `kernel`, which is verified, on inputs of the types of its signature; returns its
/// outputs. Errors name the op and its location.
llvm::Expected<llvm::SmallVector<runtime::HostTensor>>
interpret(KernelOp kernel, llvm::ArrayRef<runtime::HostTensor> inputs, const Options &options = {});

} // namespace npu::interpreter

#endif // NPU_INTERPRETER_INTERPRETER_H
