//===- AsmDirectives.h - assembly directives shared by IREE's dialects ----===//
//
// The custom<...> directives that more than one of the dialects flow, iree_tensor_ext, util and hal
// uses in its assembly formats. They read and print exactly what IREE reads and prints.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_IREE_UTIL_IR_ASMDIRECTIVES_H
#define NPU_DIALECT_IREE_UTIL_IR_ASMDIRECTIVES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace npu {

using UnresolvedOperand = mlir::OpAsmParser::UnresolvedOperand;

/// The value in a `tied_operands` array that says "this result is not tied to an operand".
constexpr int64_t kUntiedIndex = -1;

/// Returns the operand index of each result of an op, or kUntiedIndex, from its `tied_operands`.
/// An absent attribute means that no result is tied.
mlir::SmallVector<int64_t> getTiedOperandIndices(mlir::ArrayAttr tiedOperands, size_t numResults);

/// Verifies that `tiedOperands`, if present, has one entry per result, each kUntiedIndex or the
/// index of one of `numOperands` operands.
mlir::LogicalResult verifyTiedOperands(mlir::Operation *op, mlir::ArrayAttr tiedOperands,
                                       size_t numOperands, size_t numResults);

/// Verifies that `dims` has exactly one size for each dynamic dimension of `types`; `what` names
/// the values that have these types.
mlir::LogicalResult verifyDynamicDims(mlir::Operation *op, mlir::StringRef what,
                                      mlir::TypeRange types, mlir::ValueRange dims);

/// Verifies that `callee` is a function that takes and returns what `call` passes and expects.
mlir::LogicalResult verifyCallee(mlir::Operation *call, mlir::FlatSymbolRefAttr callee,
                                 mlir::TypeRange operandTypes, mlir::TypeRange resultTypes,
                                 mlir::SymbolTableCollection &symbolTable);

/// Parses any attribute of a dialect whose attributes are carried, not interpreted, and keeps its
/// text verbatim.
mlir::Attribute parseForeignAttribute(mlir::DialectAsmParser &parser, mlir::StringRef dialect,
                                      mlir::Type type);

/// `public`, `private`, `nested`; an absent visibility prints as `public`.
mlir::ParseResult parseSymbolVisibility(mlir::OpAsmParser &parser, mlir::StringAttr &visibility);
void printSymbolVisibility(mlir::OpAsmPrinter &p, mlir::Operation *op, mlir::StringAttr visibility);

/// `@function` or `@function as("name")`.
mlir::ParseResult parseSymbolAlias(mlir::OpAsmParser &parser, mlir::StringAttr &name,
                                   mlir::FlatSymbolRefAttr &function);
void printSymbolAlias(mlir::OpAsmPrinter &p, mlir::Operation *op, mlir::StringAttr name,
                      mlir::FlatSymbolRefAttr function);

/// `: type`, `= attribute` (the type is the attribute's) or `: type = attribute`.
mlir::ParseResult parseTypeOrAttr(mlir::OpAsmParser &parser, mlir::TypeAttr &type,
                                  mlir::TypedAttr &attr);
void printTypeOrAttr(mlir::OpAsmPrinter &p, mlir::Operation *op, mlir::TypeAttr type,
                     mlir::TypedAttr attr);

/// `encoding` or `encoding as type`.
mlir::ParseResult parseTypeAlias(mlir::OpAsmParser &parser, mlir::TypeAttr &encoding,
                                 mlir::Type &type);
void printTypeAlias(mlir::OpAsmPrinter &p, mlir::Operation *op, mlir::TypeAttr encoding,
                    mlir::Type type);

/// `(T{%dims}, ...) -> R`: a function type in which each dynamic shape is followed by its sizes and
/// a result may be tied to an argument: `%arg{%dims}` (same type) or `%arg as T{%dims}`.
mlir::ParseResult parseShapedFunctionType(mlir::OpAsmParser &parser,
                                          mlir::ArrayRef<UnresolvedOperand> arguments,
                                          mlir::SmallVectorImpl<mlir::Type> &argumentTypes,
                                          mlir::SmallVectorImpl<UnresolvedOperand> &argumentDims,
                                          mlir::SmallVectorImpl<mlir::Type> &resultTypes,
                                          mlir::SmallVectorImpl<UnresolvedOperand> &resultDims,
                                          mlir::ArrayAttr &tiedOperands);
void printShapedFunctionType(mlir::OpAsmPrinter &p, mlir::Operation *op, mlir::ValueRange arguments,
                             mlir::TypeRange argumentTypes, mlir::ValueRange argumentDims,
                             mlir::TypeRange resultTypes, mlir::ValueRange resultDims,
                             mlir::ArrayAttr tiedOperands);

/// The same without sizes: `(T, ...) -> R`.
mlir::ParseResult parseTiedFunctionType(mlir::OpAsmParser &parser,
                                        mlir::ArrayRef<UnresolvedOperand> arguments,
                                        mlir::SmallVectorImpl<mlir::Type> &argumentTypes,
                                        mlir::SmallVectorImpl<mlir::Type> &resultTypes,
                                        mlir::ArrayAttr &tiedOperands);
void printTiedFunctionType(mlir::OpAsmPrinter &p, mlir::Operation *op, mlir::ValueRange arguments,
                           mlir::TypeRange argumentTypes, mlir::TypeRange resultTypes,
                           mlir::ArrayAttr tiedOperands);

/// `T{%dims}, ...`: a list of types, each dynamic shape followed by its sizes.
mlir::ParseResult parseShapedTypeList(mlir::OpAsmParser &parser,
                                      mlir::SmallVectorImpl<mlir::Type> &types,
                                      mlir::SmallVectorImpl<UnresolvedOperand> &dims);
void printShapedTypeList(mlir::OpAsmPrinter &p, mlir::Operation *op, mlir::TypeRange types,
                         mlir::ValueRange dims);

/// `%target as T{%dims}`: the type of a result that is an update of `target`; or `T{%dims}`, of one
/// that need not be. `tiedOperands` is absent in the first case.
mlir::ParseResult parseShapedTiedResult(mlir::OpAsmParser &parser, UnresolvedOperand target,
                                        mlir::Type &type,
                                        mlir::SmallVectorImpl<UnresolvedOperand> &dims,
                                        mlir::ArrayAttr &tiedOperands);
void printShapedTiedResult(mlir::OpAsmPrinter &p, mlir::Operation *op, mlir::Value target,
                           mlir::Type type, mlir::ValueRange dims, mlir::ArrayAttr tiedOperands);

/// `%value : T{%dims}, ...`
mlir::ParseResult parseShapedOperandList(mlir::OpAsmParser &parser,
                                         mlir::SmallVectorImpl<UnresolvedOperand> &values,
                                         mlir::SmallVectorImpl<mlir::Type> &types,
                                         mlir::SmallVectorImpl<UnresolvedOperand> &dims);
void printShapedOperandList(mlir::OpAsmPrinter &p, mlir::Operation *op, mlir::ValueRange values,
                            mlir::TypeRange types, mlir::ValueRange dims);

/// An optional `<keyword>(%workload: index, ...) -> (index, index, index) { ... }`, printed with a
/// leading space. A region that is not isolated may use values of its op's surroundings.
mlir::ParseResult parseWorkgroupCountRegion(mlir::OpAsmParser &parser, mlir::StringRef keyword,
                                            mlir::Region &region, bool isIsolated = true);
void printWorkgroupCountRegion(mlir::OpAsmPrinter &p, mlir::StringRef keyword,
                               mlir::Region &region);

/// A function whose results may be tied to arguments: visibility, `@name`, arguments, results,
/// attributes and, unless it is a declaration, the body. The attributes have the names that
/// util.func and flow.func share.
mlir::ParseResult parseTiedFunction(mlir::OpAsmParser &parser, mlir::OperationState &result);
void printTiedFunction(mlir::OpAsmPrinter &p, mlir::FunctionOpInterface func,
                       mlir::ArrayAttr tiedOperands);

} // namespace npu

#endif // NPU_DIALECT_IREE_UTIL_IR_ASMDIRECTIVES_H
