//===- ControlTasks.cpp - branches, loops and integers as tasks -----------===//

#include "ControlTasks.h"

#include "NPU/HostProgram/HostConstants.h"
#include "NPU/HostReference/LocatedError.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;
using namespace npu::taskgraph;
using runtime::HostTensorType;
using runtime::makeOpError;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// What a task does for `op`; nothing for what none does.
static std::optional<ScalarOp> getScalarOp(Operation *op) {
  using Result = std::optional<ScalarOp>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](arith::AddIOp) { return ScalarOp::Add; })
      .Case([](arith::SubIOp) { return ScalarOp::Sub; })
      .Case([](arith::MulIOp) { return ScalarOp::Mul; })
      .Case([](arith::AndIOp) { return ScalarOp::And; })
      .Case([](arith::OrIOp) { return ScalarOp::Or; })
      .Case([](arith::XOrIOp) { return ScalarOp::Xor; })
      .Case([](arith::MinSIOp) { return ScalarOp::Min; })
      .Case([](arith::MaxSIOp) { return ScalarOp::Max; })
      .Case([](arith::SelectOp) { return ScalarOp::Select; })
      .Case<arith::IndexCastOp, arith::TruncIOp>([](auto) { return ScalarOp::Convert; })
      // One bit is 0 or 1.
      .Case([](arith::ExtSIOp cast) -> Result {
        return cast.getIn().getType().isInteger(1) ? Result() : ScalarOp::Convert;
      })
      .Case([](arith::ExtUIOp cast) -> Result {
        return cast.getIn().getType().isInteger(1) ? ScalarOp::Convert : Result();
      })
      .Case([](arith::CmpIOp compare) -> Result {
        using P = arith::CmpIPredicate;
        // One bit that is set is the least number for arith.
        if (compare.getLhs().getType().isInteger(1) && compare.getPredicate() != P::eq &&
            compare.getPredicate() != P::ne)
          return std::nullopt;
        switch (compare.getPredicate()) {
        case P::eq:
          return ScalarOp::Equal;
        case P::ne:
          return ScalarOp::NotEqual;
        case P::slt:
        case P::sgt:
          return ScalarOp::Less;
        case P::sle:
        case P::sge:
          return ScalarOp::LessEqual;
        default:
          return std::nullopt;
        }
      })
      .Default([](Operation *) { return std::nullopt; });
}

bool ControlTasks::isArithmetic(Operation *op) {
  auto isInteger = [](Type type) {
    return type.isIndex() ||
           (type.isSignlessInteger() &&
            llvm::is_contained({1u, 8u, 16u, 32u, 64u}, type.getIntOrFloatBitWidth()));
  };
  return getScalarOp(op) && llvm::all_of(op->getOperandTypes(), isInteger) &&
         llvm::all_of(op->getResultTypes(), isInteger);
}

llvm::Expected<unsigned> ControlTasks::addScalar(Operation *op, Type type) {
  llvm::Expected<HostTensorType> scalar = runtime::requireValueType(op, type);
  if (!scalar)
    return scalar.takeError();
  return values.addBuffer("scalar", *scalar, MemoryRegion::Intermediates);
}

void ControlTasks::addCompute(Location loc, ScalarOp scalarOp, ArrayRef<unsigned> operands,
                              unsigned result) {
  Task &task = values.addTask(TaskKind::Compute, loc, toString(scalarOp));
  task.scalarOp = scalarOp;
  task.operands = operands.vec();
  task.result = result;
}

llvm::Error ControlTasks::convertArithmetic(Operation *op) {
  Buffers operands;
  for (Value operand : op->getOperands()) {
    llvm::Expected<unsigned> buffer = values.getBuffer(op, operand);
    if (!buffer)
      return buffer.takeError();
    operands.push_back(*buffer);
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    using P = arith::CmpIPredicate;
    if (compare.getPredicate() == P::sgt || compare.getPredicate() == P::sge)
      std::swap(operands[0], operands[1]);
  }
  llvm::Expected<unsigned> result = addScalar(op, op->getResult(0).getType());
  if (!result)
    return result.takeError();
  // An index is an i64.
  if (getScalarOp(op) == ScalarOp::Convert &&
      graph.buffers[operands[0]].dtype == graph.buffers[*result].dtype) {
    graph.buffers.pop_back();
    values.hold(op->getResult(0), operands[0]);
    return llvm::Error::success();
  }
  addCompute(op->getLoc(), *getScalarOp(op), operands, *result);
  values.hold(op->getResult(0), *result);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

llvm::Expected<unsigned> ControlTasks::addLike(Operation *op, Value value, StringRef name) {
  llvm::Expected<HostTensorType> type = runtime::requireValueType(op, value.getType());
  if (!type)
    return type.takeError();
  return values.addBuffer(name.str(), *type, MemoryRegion::Intermediates);
}

llvm::Error ControlTasks::copyTo(Operation *user, Value value, unsigned target) {
  llvm::Expected<unsigned> source = values.getBuffer(user, value);
  if (!source)
    return source.takeError();
  if (graph.getRoot(*source) != graph.getRoot(target))
    values.addCopy(user->getLoc(), *source, target);
  return llvm::Error::success();
}

/// Copies as if all were read before one is written.
llvm::Error ControlTasks::copyAll(Operation *user, ValueRange from, ArrayRef<unsigned> to) {
  Buffers sources;
  for (auto [value, target] : llvm::zip_equal(from, to)) {
    llvm::Expected<unsigned> source = values.getBuffer(user, value);
    if (!source)
      return source.takeError();
    unsigned root = graph.getRoot(*source);
    bool isOverwritten = root != target && llvm::is_contained(to, root);
    if (isOverwritten) {
      llvm::Expected<unsigned> saved = addLike(user, value, "saved");
      if (!saved)
        return saved.takeError();
      values.addCopy(user->getLoc(), *source, *saved);
      source = *saved;
    }
    sources.push_back(*source);
  }
  for (auto [source, target] : llvm::zip_equal(sources, to))
    if (graph.getRoot(source) != target)
      values.addCopy(user->getLoc(), source, target);
  return llvm::Error::success();
}

llvm::Expected<SmallVector<unsigned>> ControlTasks::addCarried(Operation *op, ValueRange initial) {
  Buffers carried;
  for (Value value : initial) {
    llvm::Expected<unsigned> buffer = addLike(op, value, "carried");
    if (!buffer)
      return buffer.takeError();
    carried.push_back(*buffer);
    if (llvm::Error error = copyTo(op, value, *buffer))
      return std::move(error);
  }
  return carried;
}

llvm::Error ControlTasks::convertBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (llvm::Error error = convert(&op))
      return error;
  return llvm::Error::success();
}

unsigned ControlTasks::beginTask(TaskKind kind, Operation *op, StringRef name) {
  values.addTask(kind, op->getLoc(), name);
  return graph.tasks.size() - 1;
}

llvm::Error ControlTasks::convertIf(scf::IfOp op) {
  llvm::Expected<unsigned> condition = values.getBuffer(op, op.getCondition());
  if (!condition)
    return condition.takeError();
  Buffers results;
  for (Value result : op.getResults()) {
    llvm::Expected<unsigned> buffer = addLike(op, result, "either");
    if (!buffer)
      return buffer.takeError();
    results.push_back(*buffer);
  }
  unsigned task = beginTask(TaskKind::Branch, op, "branch");
  graph.tasks[task].condition = *condition;
  for (unsigned position : {0, 1}) {
    size_t first = graph.tasks.size();
    if (Region &region = op->getRegion(position); !region.empty()) {
      if (llvm::Error error = convertBlock(region.front()))
        return error;
      Operation *yield = region.front().getTerminator();
      for (auto [value, result] : llvm::zip_equal(yield->getOperands(), results))
        if (llvm::Error error = copyTo(yield, value, result))
          return error;
    }
    graph.tasks[task].blockSizes[position] = graph.tasks.size() - first;
  }
  for (auto [result, buffer] : llvm::zip_equal(op.getResults(), results))
    values.hold(result, buffer);
  return llvm::Error::success();
}

llvm::Error ControlTasks::convertWhile(scf::WhileOp op) {
  llvm::Expected<Buffers> carried = addCarried(op, op.getInits());
  if (!carried)
    return carried.takeError();
  unsigned task = beginTask(TaskKind::Loop, op, "loop");
  Block &before = op.getBefore().front(), &body = op.getAfter().front();
  for (auto [argument, buffer] : llvm::zip_equal(before.getArguments(), *carried))
    values.hold(argument, buffer);
  if (llvm::Error error = convertBlock(before))
    return error;
  scf::ConditionOp condition = op.getConditionOp();
  llvm::Expected<unsigned> holds = values.getBuffer(condition, condition.getCondition());
  if (!holds)
    return holds.takeError();
  graph.tasks[task].condition = *holds;
  Buffers handed;
  for (Value value : condition.getArgs()) {
    // What the block before only hands on stays where it is.
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == &before) {
      handed.push_back((*carried)[argument.getArgNumber()]);
      continue;
    }
    llvm::Expected<unsigned> buffer = addLike(condition, value, "handed");
    if (!buffer)
      return buffer.takeError();
    if (llvm::Error error = copyTo(condition, value, *buffer))
      return error;
    handed.push_back(*buffer);
  }
  graph.tasks[task].blockSizes[0] = graph.tasks.size() - task - 1;
  size_t first = graph.tasks.size();
  for (auto [argument, buffer] : llvm::zip_equal(body.getArguments(), handed))
    values.hold(argument, buffer);
  if (llvm::Error error = convertBlock(body))
    return error;
  if (llvm::Error error = copyAll(op.getYieldOp(), op.getYieldOp().getResults(), *carried))
    return error;
  graph.tasks[task].blockSizes[1] = graph.tasks.size() - first;
  for (auto [result, buffer] : llvm::zip_equal(op.getResults(), handed))
    values.hold(result, buffer);
  return llvm::Error::success();
}

llvm::Error ControlTasks::convertFor(scf::ForOp op) {
  llvm::Expected<Buffers> carried = addCarried(op, op.getInitArgs());
  if (!carried)
    return carried.takeError();
  llvm::Expected<Buffers> counter = addCarried(op, op.getLowerBound());
  if (!counter)
    return counter.takeError();
  llvm::Expected<unsigned> end = values.getBuffer(op, op.getUpperBound());
  if (!end)
    return end.takeError();
  llvm::Expected<unsigned> step = values.getBuffer(op, op.getStep());
  if (!step)
    return step.takeError();
  llvm::Expected<unsigned> holds = addScalar(op, IntegerType::get(op.getContext(), 1));
  if (!holds)
    return holds.takeError();
  unsigned count = counter->front();
  values.keep(count);
  unsigned task = beginTask(TaskKind::Loop, op, "loop");
  graph.tasks[task].condition = *holds;
  addCompute(op.getLoc(), ScalarOp::Less, {count, *end}, *holds);
  graph.tasks[task].blockSizes[0] = graph.tasks.size() - task - 1;
  size_t first = graph.tasks.size();
  values.hold(op.getInductionVar(), count);
  for (auto [argument, buffer] : llvm::zip_equal(op.getRegionIterArgs(), *carried))
    values.hold(argument, buffer);
  if (llvm::Error error = convertBlock(*op.getBody()))
    return error;
  Operation *yield = op.getBody()->getTerminator();
  if (llvm::Error error = copyAll(yield, yield->getOperands(), *carried))
    return error;
  addCompute(op.getLoc(), ScalarOp::Add, {count, *step}, count);
  graph.tasks[task].blockSizes[1] = graph.tasks.size() - first;
  for (auto [result, buffer] : llvm::zip_equal(op.getResults(), *carried))
    values.hold(result, buffer);
  return llvm::Error::success();
}
