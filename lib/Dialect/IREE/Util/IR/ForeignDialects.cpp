//===- ForeignDialects.cpp - dialects of which no op is known ----------===//

#include "NPU/Dialect/IREE/Util/IR/ForeignDialects.h"

#include "NPU/Dialect/IREE/Util/IR/ForeignAttr.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

namespace npu::foreign {

/// A dialect that keeps the text of its attributes and types. `Derived` gives the name.
template <typename Derived>
struct ForeignDialect : Dialect {
  explicit ForeignDialect(MLIRContext *context)
      : Dialect(Derived::getDialectNamespace(), context, TypeID::get<Derived>()) {
    addAttributes<ForeignAttr<Derived>>();
    ForeignAttr<Derived>::template attachInterface<ForeignDeviceMapping<Derived>>(*context);
  }

  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return parseForeignAttr<Derived>(parser, type);
  }

  void printAttribute(Attribute attribute, DialectAsmPrinter &printer) const override {
    printForeignAttr<Derived>(attribute, printer);
  }

  Type parseType(DialectAsmParser &parser) const override {
    return OpaqueType::get(StringAttr::get(parser.getContext(), getNamespace()),
                           parser.getFullSymbolSpec());
  }
};

struct StreamDialect : ForeignDialect<StreamDialect> {
  using ForeignDialect::ForeignDialect;
  static constexpr StringLiteral kForeignAttrName = "stream.foreign";
  static StringLiteral getDialectNamespace() { return "stream"; }
};
struct CodegenDialect : ForeignDialect<CodegenDialect> {
  using ForeignDialect::ForeignDialect;
  static constexpr StringLiteral kForeignAttrName = "iree_codegen.foreign";
  static StringLiteral getDialectNamespace() { return "iree_codegen"; }
};
struct CPUDialect : ForeignDialect<CPUDialect> {
  using ForeignDialect::ForeignDialect;
  static constexpr StringLiteral kForeignAttrName = "iree_cpu.foreign";
  static StringLiteral getDialectNamespace() { return "iree_cpu"; }
};
struct GPUDialect : ForeignDialect<GPUDialect> {
  using ForeignDialect::ForeignDialect;
  static constexpr StringLiteral kForeignAttrName = "iree_gpu.foreign";
  static StringLiteral getDialectNamespace() { return "iree_gpu"; }
};

} // namespace npu::foreign

void npu::registerForeignDialects(DialectRegistry &registry) {
  registry.insert<foreign::StreamDialect, foreign::CodegenDialect, foreign::CPUDialect,
                  foreign::GPUDialect>();
}
