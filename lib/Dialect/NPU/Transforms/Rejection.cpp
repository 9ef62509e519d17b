//===- Rejection.cpp - why an NPU does not run an op ----------------------===//

#include "NPU/Dialect/NPU/Transforms/CarryRejection.h"

#include "NPU/Target/ISA/Instructions.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace npu;

// Limits of the ISA, as the table says them.
static std::string toText(int64_t number) { return std::to_string(number); }
/// `2^40`.
static std::string toPower(int64_t number) {
  assert(llvm::isPowerOf2_64(number));
  return "2^" + std::to_string(llvm::Log2_64(number));
}

ArrayRef<RejectionInfo> npu::getRejectionInfos() {
  static const RejectionInfo infos[] = {
#define NPU_REJECTION(kind, id, what, limit, remedy) {RejectionKind::kind, id, what, limit, remedy},
#include "NPU/Dialect/NPU/Transforms/Rejections.def"
  };
  return infos;
}

const RejectionInfo &npu::getInfo(RejectionKind kind) {
  return getRejectionInfos()[unsigned(kind)];
}

Rejection::Rejection(RejectionKind kind, const Twine &value, const Twine &limit)
    : kind(kind), value(value.str()), limit(limit.str()) {
  if (this->limit.empty())
    this->limit = getInfo(kind).limit;
}

std::string Rejection::getReason() const {
  return (getInfo(kind).what + (value.empty() ? "" : " (" + value + ")")).str();
}

LogicalResult npu::reject(Rejection &rejection, RejectionKind kind, const Twine &value,
                          const Twine &limit) {
  rejection = Rejection(kind, value, limit);
  return failure();
}

llvm::raw_ostream &npu::operator<<(llvm::raw_ostream &os, const Rejection &rejection) {
  os << rejection.getReason();
  if (!rejection.limit.empty())
    os << ", expected " << rejection.limit;
  return os << "; " << rejection.getRemedy();
}

InFlightDiagnostic npu::emitRejection(Operation *op, const Rejection &rejection,
                                      const Twine &prefix) {
  std::string text;
  llvm::raw_string_ostream(text) << rejection;
  InFlightDiagnostic diagnostic = op->emitError() << prefix.str() << text;
  carryRejection(*diagnostic.getUnderlyingDiagnostic(), op->getContext(), rejection,
                 op->getName().getStringRef());
  return diagnostic;
}

void npu::carryRejection(Diagnostic &diagnostic, MLIRContext *context, const Rejection &rejection,
                         StringRef op) {
  Builder builder(context);
  diagnostic.getMetadata().push_back(DiagnosticArgument(builder.getArrayAttr(
      {builder.getI64IntegerAttr(int64_t(rejection.kind)), builder.getStringAttr(rejection.value),
       builder.getStringAttr(rejection.limit), builder.getStringAttr(op)})));
}

std::optional<CarriedRejection> npu::getRejection(Diagnostic &diagnostic) {
  for (const DiagnosticArgument &argument : diagnostic.getMetadata()) {
    if (argument.getKind() != DiagnosticArgument::DiagnosticArgumentKind::Attribute)
      continue;
    auto fields = dyn_cast<ArrayAttr>(argument.getAsAttribute());
    if (!fields || fields.size() != 4)
      continue;
    auto getText = [&](unsigned index) { return cast<StringAttr>(fields[index]).getValue(); };
    auto kind = RejectionKind(cast<IntegerAttr>(fields[0]).getInt());
    return CarriedRejection{Rejection(kind, getText(1), getText(2)), getText(3).str()};
  }
  return std::nullopt;
}
