//===- ScheduleTest.cpp - schedules that are made in C++ ------------------===//

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace npu;

// The parser makes nodes only.
TEST(ScheduleTest, HasNodesOnly) {
  MLIRContext context;
  context.loadDialect<NPUDialect>();
  std::string message;
  ScopedDiagnosticHandler handler(&context,
                                  [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(&context)); };
  llvm::function_ref<InFlightDiagnostic()> emitter = emitError;
  SmallVector<Attribute> body = {UnitAttr::get(&context)};
  EXPECT_FALSE(ScheduleAttr::getChecked(emitter, &context, ArrayRef<Attribute>(body), int64_t(0)));
  EXPECT_EQ(
      message,
      "expected loops, loads, values and stages in a schedule, or strips alone, but found unit");
  EXPECT_FALSE(ScheduleStripsAttr::getChecked(emitter, &context, int64_t(0), int64_t(4),
                                              ArrayRef<ArrayAttr>()));
  EXPECT_EQ(message, "expected the schedule of at least one strip but found none");
}
