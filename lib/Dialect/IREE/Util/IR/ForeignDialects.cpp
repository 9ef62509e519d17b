//===- ForeignDialects.cpp - dialects of which only attributes are carried ===//

#include "NPU/Dialect/IREE/Util/IR/ForeignDialects.h"

#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

#include "mlir/IR/Dialect.h"

using namespace mlir;

namespace npu::foreign {

/// A dialect that keeps the text of its attributes. `Derived` gives the name.
template <typename Derived>
struct ForeignDialect : Dialect {
  explicit ForeignDialect(MLIRContext *context)
      : Dialect(Derived::getDialectNamespace(), context, TypeID::get<Derived>()) {}

  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return parseForeignAttribute(parser, getNamespace(), type);
  }
};

struct StreamDialect : ForeignDialect<StreamDialect> {
  using ForeignDialect::ForeignDialect;
  static StringLiteral getDialectNamespace() { return "stream"; }
};
struct CodegenDialect : ForeignDialect<CodegenDialect> {
  using ForeignDialect::ForeignDialect;
  static StringLiteral getDialectNamespace() { return "iree_codegen"; }
};
struct CPUDialect : ForeignDialect<CPUDialect> {
  using ForeignDialect::ForeignDialect;
  static StringLiteral getDialectNamespace() { return "iree_cpu"; }
};
struct EncodingDialect : ForeignDialect<EncodingDialect> {
  using ForeignDialect::ForeignDialect;
  static StringLiteral getDialectNamespace() { return "iree_encoding"; }
};
struct GPUDialect : ForeignDialect<GPUDialect> {
  using ForeignDialect::ForeignDialect;
  static StringLiteral getDialectNamespace() { return "iree_gpu"; }
};

} // namespace npu::foreign

void npu::registerForeignDialects(DialectRegistry &registry) {
  registry.insert<foreign::StreamDialect, foreign::CodegenDialect, foreign::CPUDialect,
                  foreign::EncodingDialect, foreign::GPUDialect>();
}
