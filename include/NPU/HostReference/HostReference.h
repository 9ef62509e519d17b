//===- HostReference.h - host execution of tensor functions ---------------===//
//
// Compiles a function on tensors (linalg, tosa, tensor, arith, math, scf; arguments and results of
// static shape) with upstream's own passes and LLVM's JIT. It is what NPU results are checked
// against, so it shares no code with the NPU compiler or the simulator, and it runs what the NPU
// cannot.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_HOSTREFERENCE_HOSTREFERENCE_H
#define NPU_HOSTREFERENCE_HOSTREFERENCE_H

#include "NPU/Tensor/HostTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>

namespace llvm {
class Module;
} // namespace llvm

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace npu::runtime {

class HostContext;

/// How functions are compiled for the host.
struct HostReferenceOptions {
  /// Adds passes that run on the module with the function's clone before anything else, e.g. the
  /// widening of f16 accumulators, which the NPU's IR gets as well. May be null.
  std::function<void(mlir::OpPassManager &)> prepare;
  /// Registers dialects beyond upstream's that the function or `prepare` needs. May be null.
  std::function<void(mlir::DialectRegistry &)> registerDialects;
  /// LLVM's optimization level, 0 to 3.
  unsigned optLevel = 3;
  /// Most bytes of temporaries that a call may have at a time, and of constants, which are
  /// compiled.
  int64_t memoryLimit = int64_t(16) << 30;
  /// Changes the code before LLVM's pipeline, e.g. adds what a sanitizer needs. May be null.
  std::function<void(llvm::Module &)> instrument;
};

/// Element type and shape of a statically shaped tensor type; nothing for any other type.
struct HostTensorType {
  ElementType elementType;
  llvm::SmallVector<int64_t> shape;

  static std::optional<HostTensorType> get(mlir::Type type);
  bool matches(const HostTensor &tensor) const;
  std::string str() const;
};

/// The tensor of a constant attribute, for statically shaped tensors of the element types of
/// `ElementType` and for scalars (rank 0). `dense_resource` is read too.
llvm::Expected<HostTensor> getHostTensor(mlir::Attribute value);

/// A function compiled for the host. Rounds after every operation as the IR says, forms no FMA and
/// keeps the order of reductions; long sums of f32 accumulate in f64. `math` functions are the C
/// library's. Where the IR is undefined for some data, an element outside of a tensor is the
/// nearest one inside, a quotient by zero is 0, and a shift by the bit width or more shifts every
/// bit out, as the instruction set has it.
class HostReference {
public:
  /// Compiles a clone of `func` and of the functions that it calls; `func` is not changed.
  static llvm::Expected<std::unique_ptr<HostReference>>
  create(mlir::func::FuncOp func, const HostReferenceOptions &options = {});

  /// Compiles function `name` of `module`.
  static llvm::Expected<std::unique_ptr<HostReference>>
  create(mlir::ModuleOp module, llvm::StringRef name, const HostReferenceOptions &options = {});

  ~HostReference();

  /// Runs the function. Inputs that do not match the function's types are an error, and so are
  /// extents that data decides and that do not fit, and temporaries beyond the memory limit.
  llvm::Expected<llvm::SmallVector<HostTensor>> run(llvm::ArrayRef<HostTensor> inputs);

  llvm::ArrayRef<HostTensorType> getInputTypes() const { return inputTypes; }
  llvm::ArrayRef<HostTensorType> getResultTypes() const { return resultTypes; }

private:
  friend class ContractionBound;
  HostReference();

  /// Compiles the entry of `module`, which is in `context` and is consumed.
  static llvm::Expected<std::unique_ptr<HostReference>>
  compile(HostContext &context, mlir::ModuleOp module, const HostReferenceOptions &options);

  /// Hides the JIT.
  struct Code;
  std::unique_ptr<Code> code;
  llvm::SmallVector<HostTensorType> inputTypes, resultTypes;
  /// Resources of the function, which its code takes behind the inputs.
  llvm::SmallVector<HostTensor> weights;
  int64_t memoryLimit = 0;
};

/// Evaluates how far the results of a function may be from the reference's when every
/// floating-point sum in it (matmul, convolution, pooling, reduction) is added up in another order.
///
/// A sum of K terms of unit roundoff u (of the accumulator's type, after
/// `HostReferenceOptions::prepare`) may differ by d = 2*K*u*(|init| + sum|term|), which is
/// evaluated in f64 on the actual inputs. d is carried to the results by running the rest of the
/// function on sum + d and on sum - d: exact where the rest is monotone in the sum (bias, scaling,
/// clamp, ReLU, sigmoid, rounding to a narrower type, quantization, and any change of shape), and
/// right to first order elsewhere. With several sums, their contributions are added, and there are
/// two more runs with pseudo-random signs of d, because errors of equal sign may cancel in a later
/// sum; eight where the function has other reductions, since what is subtracted from the largest
/// element moves as that does; and all are moved at once, in 8 patterns of signs, as together they
/// may reach a rounding that none reaches alone. With more than 8 sums (whole networks) that is all
/// that is done: an estimate, not a bound. Where elements meet again, as in the differences from a
/// mean, a pattern that moves both alike shows nothing: `Thorough` has so many random ones that no
/// two elements move alike in all of them.
///
/// Results of elementary functions (exp, log, tanh, erf, rsqrt) move in the same way, by the errors
/// of the NPU's sequence and of the C library together. Roundings after them may add
/// `tailUlps`, and so may those after a sum that is read twice. Sums and elementary functions
/// inside of loops are not covered.
class ContractionBound {
public:
  /// How many patterns of signs: a few, or enough for what seems to differ too much.
  enum class Effort { Quick, Thorough };

  static llvm::Expected<std::unique_ptr<ContractionBound>>
  create(mlir::func::FuncOp func, const HostReferenceOptions &options = {});

  /// One f64 tensor per result, of the result's shape, in units of the result's values. All zero
  /// for functions without floating-point sums and elementary functions.
  llvm::Expected<llvm::SmallVector<HostTensor>> evaluate(llvm::ArrayRef<HostTensor> inputs,
                                                         Effort effort = Effort::Quick);

  /// Whether two values that are computed of a sum meet again, as the factors of s * relu6(s + 3).
  /// Where such a function has an extreme, no move of the sum shows what its roundings do.
  bool rejoinsSums() const { return isRejoined; }

private:
  /// Returns sum|term| + |init| of every sum, f64.
  std::unique_ptr<HostReference> magnitudes;
  /// The function with one more argument per elementary function and per sum, which moves it.
  std::unique_ptr<HostReference> perturbed;
  /// 2*K*u per sum.
  llvm::SmallVector<double> factors;
  bool choosesElements = false; ///< reduces otherwise than by sums
  bool isRejoined = false;
  /// Per elementary function the argument that moves its results, before those of the sums, and how
  /// far it moves them.
  llvm::SmallVector<std::pair<HostTensorType, double>> mathErrors;
};

/// Whether the function computes elementary functions, which the NPU and the host approximate.
bool hasMathErrors(mlir::func::FuncOp func);

/// Whether results may differ at all: the function computes elementary functions, or adds floats
/// up, which depends on the order.
bool isInexact(mlir::func::FuncOp func);

/// ULPs by which roundings after an elementary function, or a sum that is read twice, may differ,
/// in addition to the effect of moving its result: e / (1 + e) rounds twice, and is not monotone
/// once rounded.
constexpr double tailUlps = 2;

/// `ContractionBound` for one evaluation.
llvm::Expected<llvm::SmallVector<HostTensor>>
computeContractionBound(mlir::func::FuncOp func, llvm::ArrayRef<HostTensor> inputs,
                        const HostReferenceOptions &options = {});

/// Compiles every different function once: networks repeat their dispatches. Functions are the same
/// if their IR prints the same except for their names and locations.
class HostReferenceCache {
public:
  explicit HostReferenceCache(HostReferenceOptions options = {}) : options(std::move(options)) {}

  /// The compiled function, owned by the cache.
  llvm::Expected<HostReference *> getReference(mlir::func::FuncOp func);
  llvm::Expected<ContractionBound *> getBound(mlir::func::FuncOp func);

  /// Number of different functions compiled by `getReference`.
  size_t getNumReferences() const { return references.size(); }

private:
  HostReferenceOptions options;
  llvm::StringMap<std::unique_ptr<HostReference>> references;
  llvm::StringMap<std::unique_ptr<ContractionBound>> bounds;
};

} // namespace npu::runtime

#endif // NPU_HOSTREFERENCE_HOSTREFERENCE_H
