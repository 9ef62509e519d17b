//===- HostProgramControl.cpp - blocks, branches, loops and calls ---------===//

#include "NPU/HostProgram/HostProgram.h"

#include "HostProgramScalars.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/HostReference/LocatedError.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

using Tensors = llvm::SmallVector<HostTensor>;

/// The value of every operand in `operands`, which `user` uses.
static llvm::Expected<Tensors> lookUp(Operation *user, ValueRange operands,
                                      const llvm::DenseMap<Value, HostTensor> &environment) {
  Tensors values;
  for (Value operand : operands) {
    auto value = environment.find(operand);
    if (value == environment.end())
      return makeOpError(user, "uses a value that the host program interpreter does not know");
    values.push_back(value->second);
  }
  return values;
}

static llvm::Error makeUnsupportedError(Operation *op) {
  return makeOpError(op, "is not supported in a host program");
}

//===----------------------------------------------------------------------===//
// Lifetimes
//===----------------------------------------------------------------------===//

/// The values of `block` by the op of it after which nobody needs them. What other blocks use is
/// not among them: it stays until the function returns.
static DenseMap<Operation *, SmallVector<Value>> collectLastUses(Block &block) {
  DenseMap<Operation *, SmallVector<Value>> lastUses;
  auto add = [&](Value value) {
    Operation *last = nullptr;
    for (Operation *user : value.getUsers()) {
      Operation *ancestor = block.findAncestorOpInBlock(*user);
      if (!ancestor)
        return;
      if (!last || last->isBeforeInBlock(ancestor))
        last = ancestor;
    }
    if (last)
      lastUses[last].push_back(value);
  };
  llvm::for_each(block.getArguments(), add);
  for (Operation &op : block)
    llvm::for_each(op.getResults(), add);
  return lastUses;
}

void HostProgram::dropAfter(Operation *op, Environment &environment) {
  auto [known, isNew] = lastUses.try_emplace(op->getBlock());
  if (isNew)
    known->second = collectLastUses(*op->getBlock());
  auto values = known->second.find(op);
  if (values == known->second.end())
    return;
  for (Value value : values->second)
    environment.erase(value);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

llvm::Error HostProgram::countOp(Operation *op) {
  if (++numExecuted <= callbacks.opLimit)
    return llvm::Error::success();
  return makeOpError(op, "is past the limit of " + Twine(callbacks.opLimit) +
                             " executed ops of the host program, which stops endless loops; raise "
                             "it (--host-op-limit of npu-run) if the loop ends");
}

llvm::Error HostProgram::runOp(Operation *op, Environment &environment) {
  llvm::Expected<Tensors> operands = lookUp(op, op->getOperands(), environment);
  if (!operands)
    return operands.takeError();
  if (!op->getNumRegions())
    dropAfter(op, environment);
  llvm::Expected<Tensors> results = [&]() -> llvm::Expected<Tensors> {
    if (op->getNumRegions() && callbacks.wholeOp) {
      llvm::Expected<std::optional<Tensors>> whole = callbacks.wholeOp(
          op, [&](ArrayRef<Value> values) { return lookUp(op, values, environment); });
      if (!whole)
        return whole.takeError();
      if (*whole)
        return std::move(**whole);
    }
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return runLoop(loop, *operands, environment);
    // Parallel loops have this interface, too, but do not run one region after the other.
    if (auto branching = dyn_cast<RegionBranchOpInterface>(op);
        branching && !op->hasTrait<OpTrait::HasParallelRegion>())
      return runRegions(branching, *operands, environment);
    return execute(op, *operands);
  }();
  if (!results)
    return results.takeError();
  if (op->getNumRegions())
    dropAfter(op, environment);
  else if (callbacks.executed && !isa<flow::DispatchOp>(op))
    callbacks.executed(op, *results);
  for (auto [result, value] : llvm::zip_equal(op->getResults(), *results))
    if (!result.use_empty())
      environment[result] = std::move(value);
  return llvm::Error::success();
}

/// The successor of a branch of cf, and which one it is; null for other ops.
static std::pair<Block *, unsigned> findSuccessor(Operation *branch,
                                                  ArrayRef<HostTensor> operands) {
  unsigned index = 0;
  if (isa<cf::CondBranchOp>(branch)) {
    index = operands.front().getInt(0) != 0 ? 0 : 1;
  } else if (auto choice = dyn_cast<cf::SwitchOp>(branch)) {
    // The default comes first.
    auto flag = cast<IntegerAttr>(toScalarAttribute(operands.front(), choice.getFlag().getType()));
    if (DenseIntElementsAttr cases = choice.getCaseValuesAttr())
      for (auto [number, value] : llvm::enumerate(cases.getValues<APInt>()))
        if (value == flag.getValue())
          index = number + 1;
  } else if (!isa<cf::BranchOp>(branch)) {
    return {};
  }
  return {branch->getSuccessor(index), index};
}

llvm::Expected<Operation *> HostProgram::runBlocks(Region &region, ArrayRef<HostTensor> arguments,
                                                   Environment &environment) {
  Block *block = &region.front();
  Tensors values(arguments);
  while (block) {
    for (auto [argument, value] : llvm::zip_equal(block->getArguments(), values))
      environment[argument] = std::move(value);
    Block *next = nullptr;
    for (Operation &op : *block) {
      if (llvm::Error error = countOp(&op))
        return std::move(error);
      if (!op.hasTrait<OpTrait::IsTerminator>()) {
        if (llvm::Error error = runOp(&op, environment))
          return std::move(error);
        continue;
      }
      if (!op.getNumSuccessors())
        return &op;
      llvm::Expected<Tensors> operands = lookUp(&op, op.getOperands(), environment);
      if (!operands)
        return operands.takeError();
      auto [successor, index] = findSuccessor(&op, *operands);
      if (!successor)
        return makeUnsupportedError(&op);
      next = successor;
      OperandRange forwarded =
          cast<BranchOpInterface>(op).getSuccessorOperands(index).getForwardedOperands();
      operands = lookUp(&op, forwarded, environment);
      if (!operands)
        return operands.takeError();
      values = std::move(*operands);
      dropAfter(&op, environment);
    }
    block = next;
  }
  return makeOpError(region.getParentOp(), "has no terminator");
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

llvm::Expected<Tensors> HostProgram::runRegions(RegionBranchOpInterface op,
                                                ArrayRef<HostTensor> operands,
                                                Environment &environment) {
  SmallVector<RegionSuccessor> successors;
  op.getEntrySuccessorRegions(toScalarAttributes(op->getOperands(), operands), successors);
  RegionBranchTerminatorOpInterface terminator;
  while (true) {
    // More than one: what decides is no operand, and only the op itself knows it.
    if (successors.size() != 1)
      return makeUnsupportedError(op);
    RegionSuccessor successor = successors.front();
    llvm::Expected<Tensors> values =
        terminator ? lookUp(terminator, terminator.getSuccessorOperands(successor), environment)
                   : lookUp(op, op.getEntrySuccessorOperands(successor), environment);
    if (!values)
      return values.takeError();
    if (terminator)
      dropAfter(terminator, environment);
    if (successor.isParent())
      return values;
    llvm::Expected<Operation *> last = runBlocks(*successor.getSuccessor(), *values, environment);
    if (!last)
      return last.takeError();
    terminator = dyn_cast<RegionBranchTerminatorOpInterface>(*last);
    if (!terminator)
      return makeUnsupportedError(*last);
    llvm::Expected<Tensors> conditions = lookUp(*last, (*last)->getOperands(), environment);
    if (!conditions)
      return conditions.takeError();
    successors.clear();
    terminator.getSuccessorRegions(toScalarAttributes((*last)->getOperands(), *conditions),
                                   successors);
  }
}

llvm::Expected<Tensors> HostProgram::runLoop(scf::ForOp loop, ArrayRef<HostTensor> operands,
                                             Environment &environment) {
  SmallVector<Attribute> bounds =
      toScalarAttributes(loop->getOperands().take_front(3), operands.take_front(3));
  const HostTensor &lower = operands[0], &step = operands[2];
  std::optional<APInt> count;
  if (step.getInt(0) != 0)
    count = constantTripCount(bounds[0], bounds[1], bounds[2], !loop.getUnsignedCmp(),
                              [](Value, Value, bool) { return std::nullopt; });
  if (!count || (step.getInt(0) < 0 && !loop.getUnsignedCmp()))
    return makeOpError(loop, "expected a positive step but found " + Twine(step.getInt(0)));
  Tensors carried(operands.drop_front(3));
  HostTensor induction = lower;
  for (uint64_t iteration = 0, end = count->getZExtValue(); iteration < end; ++iteration) {
    Tensors arguments{induction};
    arguments.append(std::make_move_iterator(carried.begin()),
                     std::make_move_iterator(carried.end()));
    llvm::Expected<Operation *> last = runBlocks(loop.getRegion(), arguments, environment);
    if (!last)
      return last.takeError();
    llvm::Expected<Tensors> yielded = lookUp(*last, (*last)->getOperands(), environment);
    if (!yielded)
      return yielded.takeError();
    dropAfter(*last, environment);
    carried = std::move(*yielded);
    // Modulo 2^64, where signs do not matter.
    induction.setInt(0, int64_t(uint64_t(induction.getInt(0)) + uint64_t(step.getInt(0))));
  }
  return carried;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

llvm::Expected<Tensors> HostProgram::call(Region &body, ArrayRef<HostTensor> arguments) {
  constexpr unsigned maxDepth = 64;
  if (depth == maxDepth)
    return makeOpError(body.getParentOp(), "is called recursively, which is not supported");
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  Environment environment;
  llvm::Expected<Operation *> last = runBlocks(body, arguments, environment);
  if (!last)
    return last.takeError();
  if (!isa<util::ReturnOp, func::ReturnOp>(*last))
    return makeUnsupportedError(*last);
  return lookUp(*last, (*last)->getOperands(), environment);
}
