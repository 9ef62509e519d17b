//===- ValueBuffers.cpp - the values of a host function in memory ---------===//

#include "ValueBuffers.h"

#include "NPU/HostProgram/HostConstants.h"
#include "NPU/HostReference/LocatedError.h"

using namespace mlir;
using namespace npu;
using namespace npu::taskgraph;
using runtime::HostTensor;
using runtime::HostTensorType;
using runtime::makeOpError;

/// `file:line:column`, or nothing.
static std::string getLocation(Location loc) {
  return StringRef(runtime::formatLocation(loc)).rtrim(": ").str();
}

static int64_t getBytes(const HostTensorType &type) {
  return *runtime::countElements(type.shape, type.elementType) *
         runtime::getElementByteSize(type.elementType);
}

unsigned ValueBuffers::addBuffer(std::string name, const HostTensorType &type,
                                 MemoryRegion region) {
  Buffer &buffer = graph.buffers.emplace_back();
  buffer.name = std::move(name);
  buffer.dtype = type.elementType;
  buffer.shape.assign(type.shape.begin(), type.shape.end());
  buffer.bytes = getBytes(type);
  buffer.region = region;
  return graph.buffers.size() - 1;
}

Task &ValueBuffers::addTask(TaskKind kind, Location loc, const Twine &name) {
  Task &task = graph.tasks.emplace_back();
  task.kind = kind;
  task.name = name.str();
  task.location = getLocation(loc);
  return task;
}

llvm::Expected<unsigned> ValueBuffers::addView(Operation *op, unsigned buffer, Type type) {
  llvm::Expected<HostTensorType> tensorType = runtime::requireValueType(op, type);
  if (!tensorType)
    return tensorType.takeError();
  const Buffer &known = graph.buffers[buffer];
  if (known.dtype == tensorType->elementType &&
      ArrayRef(known.shape) == ArrayRef(tensorType->shape))
    return buffer;
  if (known.bytes != getBytes(*tensorType))
    return makeOpError(op, "cannot turn " + Twine(known.bytes) + " bytes into a " +
                               tensorType->str() + " of another size");
  std::string name = known.name;
  unsigned root = graph.getRoot(buffer);
  MemoryRegion region = known.region;
  unsigned view = addBuffer(std::move(name), *tensorType, region);
  graph.buffers[view].aliasOf = root;
  return view;
}

void ValueBuffers::hold(Value value, unsigned buffer) {
  bufferOf[value] = buffer;
  holders[graph.getRoot(buffer)].push_back(value);
}

void ValueBuffers::holdSplat(Value value, std::vector<uint8_t> element) {
  splats[value] = std::move(element);
}

void ValueBuffers::holdScalar(Value value, HostTensor scalar) {
  scalars[value] = std::move(scalar);
}

const HostTensor *ValueBuffers::getScalar(Value value) const {
  auto scalar = scalars.find(value);
  return scalar == scalars.end() ? nullptr : &scalar->second;
}

void ValueBuffers::addFill(Location loc, unsigned buffer, ArrayRef<uint8_t> pattern) {
  Task &task = addTask(TaskKind::Fill, loc, "fill");
  task.filled = buffer;
  task.pattern = pattern.vec();
}

void ValueBuffers::addCopy(Location loc, unsigned source, unsigned target) {
  Task &task = addTask(TaskKind::Copy, loc, "copy");
  task.extents = {graph.buffers[source].bytes};
  task.source = {source, 0, {1}, {}};
  task.target = {target, 0, {1}, {}};
}

llvm::Expected<unsigned> ValueBuffers::getBuffer(Operation *user, Value value) {
  if (auto known = bufferOf.find(value); known != bufferOf.end())
    return known->second;
  auto splat = splats.find(value);
  auto scalar = scalars.find(value);
  if (splat == splats.end() && scalar == scalars.end())
    return makeOpError(user, "uses a value that a task graph has no buffer for");
  llvm::Expected<HostTensorType> type = runtime::requireValueType(user, value.getType());
  if (!type)
    return type.takeError();
  unsigned buffer = 0;
  if (splat != splats.end()) {
    buffer = addBuffer("splat", *type, MemoryRegion::Intermediates);
    addFill(value.getLoc(), buffer, splat->second);
    // A block that may not run, or runs again, fills for itself only.
    if (value.getParentBlock() != user->getBlock())
      return buffer;
  } else {
    buffer = compiler.addConstant("constant", scalar->second);
  }
  hold(value, buffer);
  return buffer;
}

/// Whether nothing needs the contents of `buffer` after the owner of `operand`, nor through another
/// of its operands.
bool ValueBuffers::isLastUse(OpOperand &operand, unsigned buffer) const {
  Operation *user = operand.getOwner();
  for (Value holder : holders.lookup(graph.getRoot(buffer))) {
    // Another iteration may need it, or what is behind the branch.
    Operation *parent = holder.getParentBlock()->getParentOp();
    if (holder.getParentBlock() != user->getBlock() && parent->isAncestor(user))
      return false;
    for (OpOperand &use : holder.getUses()) {
      // What is in another block is in an initializer, which comes first.
      Operation *other = user->getBlock()->findAncestorOpInBlock(*use.getOwner());
      if (&use != &operand && other && !other->isBeforeInBlock(user))
        return false;
    }
  }
  return true;
}

llvm::Expected<unsigned> ValueBuffers::getWritable(OpOperand &operand) {
  Operation *user = operand.getOwner();
  llvm::Expected<HostTensorType> type = runtime::requireValueType(user, operand.get().getType());
  if (!type)
    return type.takeError();
  // A splat is filled again rather than kept and copied.
  if (auto splat = splats.find(operand.get()); splat != splats.end()) {
    unsigned buffer = addBuffer("splat", *type, MemoryRegion::Intermediates);
    addFill(operand.get().getLoc(), buffer, splat->second);
    return buffer;
  }
  llvm::Expected<unsigned> buffer = getBuffer(user, operand.get());
  if (!buffer)
    return buffer.takeError();
  unsigned root = graph.getRoot(*buffer);
  if (graph.buffers[root].region == MemoryRegion::Intermediates && !kept.contains(root) &&
      isLastUse(operand, *buffer)) {
    holders.erase(root);
    return *buffer;
  }
  unsigned copy = addBuffer(graph.buffers[root].name + ".copy", *type, MemoryRegion::Intermediates);
  addCopy(user->getLoc(), *buffer, copy);
  return copy;
}

llvm::Error ValueBuffers::alias(Operation *op) {
  for (auto [operand, result] : llvm::zip(op->getOperands(), op->getResults())) {
    if (auto splat = splats.find(operand); splat != splats.end()) {
      holdSplat(result, std::vector<uint8_t>(splat->second));
      continue;
    }
    if (auto scalar = scalars.find(operand); scalar != scalars.end()) {
      holdScalar(result, HostTensor(scalar->second));
      continue;
    }
    llvm::Expected<unsigned> source = getBuffer(op, operand);
    if (!source)
      return source.takeError();
    llvm::Expected<unsigned> view = addView(op, *source, result.getType());
    if (!view)
      return view.takeError();
    hold(result, *view);
  }
  return llvm::Error::success();
}
