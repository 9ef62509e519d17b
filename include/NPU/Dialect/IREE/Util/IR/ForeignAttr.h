//===- ForeignAttr.h - attributes that are carried, not interpreted -------===//

#ifndef NPU_DIALECT_IREE_UTIL_IR_FOREIGNATTR_H
#define NPU_DIALECT_IREE_UTIL_IR_FOREIGNATTR_H

#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"

namespace npu {

struct ForeignAttrStorage : mlir::AttributeStorage {
  using KeyTy = mlir::ArrayRef<mlir::Attribute>;

  explicit ForeignAttrStorage(KeyTy pieces) : pieces(pieces) {}
  bool operator==(const KeyTy &key) const { return key == pieces; }
  KeyTy getAsKey() const { return pieces; }
  static ForeignAttrStorage *construct(mlir::AttributeStorageAllocator &allocator, KeyTy key) {
    return new (allocator.allocate<ForeignAttrStorage>())
        ForeignAttrStorage(allocator.copyInto(key));
  }

  KeyTy pieces;
};

/// An attribute of `DialectT` whose text is kept. The pieces are by turns text (a string) and what
/// the text refers to: attributes, and types as TypeAttr. These are parsed and printed, as the
/// names of aliases in the text mean nothing in another file.
template <typename DialectT>
class ForeignAttr
    : public mlir::Attribute::AttrBase<ForeignAttr<DialectT>, mlir::Attribute, ForeignAttrStorage> {
public:
  using Base =
      mlir::Attribute::AttrBase<ForeignAttr<DialectT>, mlir::Attribute, ForeignAttrStorage>;
  using Base::Base;
  static constexpr llvm::StringLiteral name = DialectT::kForeignAttrName;

  mlir::ArrayRef<mlir::Attribute> getPieces() const { return this->getImpl()->pieces; }

  /// What stands before the parameters.
  mlir::StringRef getMnemonic() const {
    return mlir::cast<mlir::StringAttr>(getPieces().front()).getValue().take_until([](char c) {
      return c == '<';
    });
  }
};

/// The dimension in the parameters of a mapping: a number, or x, y or z.
int64_t getMappedDimension(mlir::StringRef text);

/// `scf.forall` takes attributes only that may say what runs its iterations, as
/// `#iree_linalg_ext.split_reduction_mapping<0>` does.
template <typename DialectT>
struct ForeignDeviceMapping
    : mlir::DeviceMappingAttrInterface::ExternalModel<ForeignDeviceMapping<DialectT>,
                                                      ForeignAttr<DialectT>> {
  int64_t getMappingId(mlir::Attribute attribute) const {
    auto foreign = mlir::cast<ForeignAttr<DialectT>>(attribute);
    return getMappedDimension(mlir::cast<mlir::StringAttr>(foreign.getPieces().front()).getValue());
  }
  bool isLinearMapping(mlir::Attribute) const { return false; }
  int64_t getRelativeIndex(mlir::Attribute attribute) const { return getMappingId(attribute); }
};

/// Parses the pieces of a ForeignAttr. Fails, without an error, at what MLIR has no token for.
mlir::FailureOr<mlir::SmallVector<mlir::Attribute>> parseForeignPieces(mlir::DialectAsmParser &);
void printForeignPieces(mlir::DialectAsmPrinter &printer, mlir::ArrayRef<mlir::Attribute> pieces);

/// Parses an attribute of a dialect that has ForeignAttr.
template <typename DialectT>
mlir::Attribute parseForeignAttr(mlir::DialectAsmParser &parser, mlir::Type type) {
  // One with a type, or of other tokens, is text as a whole.
  if (!type)
    if (mlir::FailureOr<mlir::SmallVector<mlir::Attribute>> pieces = parseForeignPieces(parser);
        succeeded(pieces))
      return ForeignAttr<DialectT>::get(parser.getContext(), mlir::ArrayRef(*pieces));
  return parseForeignAttribute(parser, DialectT::getDialectNamespace(), type);
}

template <typename DialectT>
void printForeignAttr(mlir::Attribute attribute, mlir::DialectAsmPrinter &printer) {
  printForeignPieces(printer, mlir::cast<ForeignAttr<DialectT>>(attribute).getPieces());
}

} // namespace npu

#endif // NPU_DIALECT_IREE_UTIL_IR_FOREIGNATTR_H
