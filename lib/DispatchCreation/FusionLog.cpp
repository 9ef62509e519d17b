//===- FusionLog.cpp - what was fused, what was not, and why --------------===//

#include "FusionLog.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu::dispatch_creation;

/// `linalg.matmul (12:8)`: the other end of an edge, which the remark's location does not tell.
static std::string describe(Operation *op) {
  std::string text = op->getName().getStringRef().str();
  if (auto loc = op->getLoc()->findInstanceOf<FileLineColLoc>())
    text += " (" + std::to_string(loc.getLine()) + ":" + std::to_string(loc.getColumn()) + ")";
  return text;
}

static remark::RemarkOpts getOptions(StringRef name, Operation *op) {
  auto options = remark::RemarkOpts::name(name).category("npu-fusion");
  auto function = op->getParentOfType<FunctionOpInterface>();
  return function ? options.function(function.getName()) : options;
}

void npu::dispatch_creation::emitFused(Operation *producer, Operation *consumer, StringRef reason) {
  if (!producer->getContext()->getRemarkEngine())
    return;
  remark::passed(consumer->getLoc(), getOptions("Fused", consumer))
      << remark::metric("consumer", describe(consumer))
      << remark::metric("producer", describe(producer)) << remark::reason("{0}", reason.str());
}

void npu::dispatch_creation::emitNotFused(Operation *producer, Operation *consumer,
                                          StringRef reason) {
  if (!producer->getContext()->getRemarkEngine())
    return;
  remark::missed(consumer->getLoc(), getOptions("NotFused", consumer))
      << remark::metric("consumer", describe(consumer))
      << remark::metric("producer", describe(producer)) << remark::reason("{0}", reason.str());
}

void FusionLog::emit(llvm::function_ref<bool(Operation *, Operation *)> isTogether) const {
  if (decisions.empty() || !decisions.front().first.first->getContext()->getRemarkEngine())
    return;
  SmallVector<const std::pair<std::pair<Operation *, Operation *>, Decision> *> ordered;
  for (const auto &entry : decisions)
    ordered.push_back(&entry);
  auto isBefore = [](Operation *lhs, Operation *rhs) {
    return lhs != rhs && lhs->isBeforeInBlock(rhs);
  };
  llvm::sort(ordered, [&](const auto *lhs, const auto *rhs) {
    auto [leftProducer, leftConsumer] = lhs->first;
    auto [rightProducer, rightConsumer] = rhs->first;
    return leftConsumer == rightConsumer ? isBefore(leftProducer, rightProducer)
                                         : isBefore(leftConsumer, rightConsumer);
  });
  for (const auto *entry : ordered) {
    auto [producer, consumer] = entry->first;
    if (entry->second.fused)
      emitFused(producer, consumer, entry->second.reason);
    else if (isTogether(producer, consumer))
      emitFused(producer, consumer, "both belong to the dispatch of a third op");
    else
      emitNotFused(producer, consumer, entry->second.reason);
  }
}
