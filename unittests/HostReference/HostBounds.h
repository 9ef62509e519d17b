//===- HostBounds.h - native code between bytes that must stay ------------===//
//
// Native code is no part of what a sanitizer built into a test sees. With NPU_HOST_BOUNDS_ASAN=1 it
// is instrumented by LLVM's own pass, and finds the sanitizer's library in the process; buffers
// then have no bytes around them but the sanitizer's:
//   LD_PRELOAD=$(gcc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0
//   NPU_HOST_BOUNDS_ASAN=1 NPU_HOST_BOUNDS_RUNS=500 NPU_HOST_BOUNDS_FUNCTIONS=200
//   NPUHostBoundsTests
//
//===----------------------------------------------------------------------===//

#ifndef NPU_UNITTESTS_HOSTREFERENCE_HOSTBOUNDS_H
#define NPU_UNITTESTS_HOSTREFERENCE_HOSTBOUNDS_H

#include "NPU/HostReference/HostObject.h"

#include "../Tensor/Unwrap.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <random>

namespace npu::runtime {

inline int64_t getSetting(const char *name, int64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::atoll(text) : otherwise;
}

inline bool usesSanitizer() { return getSetting("NPU_HOST_BOUNDS_ASAN", 0) != 0; }

/// Adds the sanitizer's checks to every load and store.
inline void addSanitizer(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(llvm::Attribute::SanitizeAddress);
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AddressSanitizerPass(llvm::AddressSanitizerOptions()));
  passes.run(module, modules);
}

/// Bytes with others around them that must not change.
class GuardedBuffer {
public:
  GuardedBuffer(const void *data, size_t size) : size(size), margin(usesSanitizer() ? 0 : 4096) {
    bytes = static_cast<uint8_t *>(std::malloc(size + 2 * margin));
    std::memset(bytes, guardByte, size + 2 * margin);
    if (data)
      std::memcpy(bytes + margin, data, size);
  }
  ~GuardedBuffer() { std::free(bytes); }
  void *get() { return bytes + margin; }
  bool isIntact() const {
    for (size_t i = 0; i < margin; ++i)
      if (bytes[i] != guardByte || bytes[margin + size + i] != guardByte)
        return false;
    return true;
  }

private:
  static constexpr uint8_t guardByte = 0xA5;
  size_t size, margin;
  uint8_t *bytes;
};

inline void loadHostDialects(mlir::MLIRContext &context) {
  context
      .loadDialect<mlir::affine::AffineDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                   mlir::index::IndexDialect, mlir::linalg::LinalgDialect, mlir::math::MathDialect,
                   mlir::scf::SCFDialect, mlir::tensor::TensorDialect, mlir::tosa::TosaDialect>();
}

/// In range, just outside of it, or anywhere.
inline int64_t getRandomIndex(std::mt19937_64 &random) {
  switch (random() % 4) {
  case 0:
  case 1:
    return int64_t(random() % 16) - 4;
  case 2: {
    constexpr int64_t special[] = {INT64_MIN,
                                   INT64_MIN + 1,
                                   INT64_MAX,
                                   INT64_MAX - 1,
                                   int64_t(1) << 32,
                                   -(int64_t(1) << 32),
                                   int64_t(1) << 61,
                                   24,
                                   12,
                                   48,
                                   -1,
                                   100000000};
    return special[random() % std::size(special)];
  }
  default:
    return static_cast<int64_t>(random()) >> (random() % 64);
  }
}

inline int64_t clamp(int64_t value, int64_t least, int64_t most) {
  return std::min(std::max(value, least), most);
}

/// A dimension of a slice after its clamping, as docs/host-reference.md says. A constant size must
/// not be more than the extent.
struct SliceRange {
  int64_t offset, size, stride;
  SliceRange(int64_t extent, int64_t givenOffset, int64_t givenSize, int64_t givenStride,
             bool isConstantSize = false)
      : offset(givenOffset), size(givenSize), stride(givenStride) {
    if (!isConstantSize || size > 1) {
      int64_t most = isConstantSize ? (extent - 1) / (size - 1) : extent;
      most = std::max<int64_t>(most, 1);
      stride = clamp(stride, -most, most);
      if (stride == 0)
        stride = 1;
    }
    if (!isConstantSize)
      size = clamp(size, 0, extent ? (extent - 1) / std::abs(stride) + 1 : 0);
    int64_t span = size > 1 ? (size - 1) * stride : 0;
    offset =
        size ? clamp(offset, std::max<int64_t>(-span, 0), extent - 1 - std::max<int64_t>(span, 0))
             : clamp(offset, 0, extent);
  }
};

} // namespace npu::runtime

#endif // NPU_UNITTESTS_HOSTREFERENCE_HOSTBOUNDS_H
