//===- NamedSizes.h - `m = 32, n = 64` in attributes ----------------------===//
//
// The tile of a kernel and of its program say it in the same words.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_SUPPORT_NAMEDSIZES_H
#define NPU_SUPPORT_NAMEDSIZES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpImplementation.h"

namespace npu {

/// Reads `m = 32, n = 64`, or nothing.
inline mlir::ParseResult parseNamedSizes(mlir::AsmParser &parser,
                                         llvm::SmallVectorImpl<mlir::StringAttr> &names,
                                         llvm::SmallVectorImpl<int64_t> &sizes) {
  std::string name;
  auto parseSize = [&]() -> mlir::ParseResult {
    names.push_back(mlir::StringAttr::get(parser.getContext(), name));
    return mlir::failure(parser.parseEqual() || parser.parseInteger(sizes.emplace_back()));
  };
  if (failed(parser.parseOptionalKeywordOrString(&name)))
    return mlir::success();
  if (parseSize())
    return mlir::failure();
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseKeywordOrString(&name) || parseSize())
      return mlir::failure();
  return mlir::success();
}

inline void printNamedSizes(mlir::AsmPrinter &printer, llvm::ArrayRef<mlir::StringAttr> names,
                            llvm::ArrayRef<int64_t> sizes) {
  llvm::interleaveComma(llvm::zip_equal(names, sizes), printer.getStream(), [&](auto pair) {
    printer.printKeywordOrString(std::get<0>(pair).getValue());
    printer << " = " << std::get<1>(pair);
  });
}

/// Sizes are positive, no name occurs twice.
inline mlir::LogicalResult
verifyNamedSizes(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                 llvm::ArrayRef<mlir::StringAttr> names, llvm::ArrayRef<int64_t> sizes) {
  if (names.size() != sizes.size())
    return emitError() << "expected a size per dimension but found " << sizes.size() << " for "
                       << names.size();
  for (auto [index, name, size] : llvm::enumerate(names, sizes)) {
    if (size < 1)
      return emitError() << "expected a positive size of '" << name.getValue() << "' but found "
                         << size;
    if (llvm::is_contained(names.take_front(index), name))
      return emitError() << "expected one size of '" << name.getValue() << "' but found two";
  }
  return mlir::success();
}

} // namespace npu

#endif // NPU_SUPPORT_NAMEDSIZES_H
