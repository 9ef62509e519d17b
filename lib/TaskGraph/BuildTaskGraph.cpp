//===- BuildTaskGraph.cpp - from a host function to tasks -----------------===//
//
// The host function is straight-line code on immutable tensors. Its values become buffers: a value
// that is another view of the same bytes becomes an alias, and a value that updates another in
// place takes over its buffer if the old contents are not needed any more.
//
//===----------------------------------------------------------------------===//

#include "NPU/TaskGraph/BuildTaskGraph.h"

#include "CompileFunctions.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/HostProgram/HostConstants.h"
#include "NPU/HostReference/LocatedError.h"
#include "NPU/Pipelines/PlaceModel.h"
#include "StraightenHost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;
using namespace npu::taskgraph;
using runtime::HostTensor;
using runtime::HostTensorType;
using runtime::makeOpError;

namespace {
class GraphBuilder {
public:
  GraphBuilder(ModuleOp module, const Partition &partition, TargetDesc target,
               DispatchCompiler &compiler)
      : module(module), partition(partition), compiler(graph, target, compiler) {
    graph.target = target.name;
  }

  /// From the host function of a flow-level module.
  llvm::Error addHostFunction(StringRef name);
  /// From a function on tensors that is one dispatch.
  llvm::Error addDispatchFunction(const PartitionedFunction &function);
  TaskGraph finish();

private:
  using Indices = SmallVector<unsigned>;

  unsigned addBuffer(std::string name, const HostTensorType &type, MemoryRegion region);
  Task &addTask(TaskKind kind, Location loc, const Twine &name);
  llvm::Expected<unsigned> addView(Operation *op, unsigned buffer, Type type);

  /// Makes `buffer` hold `value`.
  void hold(Value value, unsigned buffer);
  /// The buffer that holds `value`.
  llvm::Expected<unsigned> getBuffer(Operation *user, Value value);
  /// A buffer with the contents of `value` that `user` may overwrite.
  llvm::Expected<unsigned> getWritable(OpOperand &operand);
  bool isLastUse(OpOperand &operand, unsigned buffer) const;
  /// The values of constant scalars, e.g. offsets.
  llvm::Expected<SmallVector<int64_t>> getIndices(Operation *op, ValueRange values);

  void addCopy(Location loc, unsigned source, unsigned target);
  void addFill(Location loc, unsigned buffer, ArrayRef<uint8_t> pattern);

  llvm::Error convert(Operation *op);
  llvm::Error alias(Operation *op);
  llvm::Error convertConstant(Operation *op, Attribute value);
  llvm::Error convertGlobalLoad(util::GlobalLoadOp load);
  llvm::Error convertGlobalStore(util::GlobalStoreOp store);
  llvm::Error convertSplat(flow::TensorSplatOp splat);
  llvm::Error convertSlice(flow::TensorSliceOp slice);
  llvm::Error convertUpdate(flow::TensorUpdateOp update);
  llvm::Error convertDispatch(flow::DispatchOp dispatch);
  llvm::Error compileDispatches(FunctionOpInterface function);
  llvm::Error addInitializer(util::InitializerOp initializer);
  llvm::Error addOutput(Operation *terminator, Value value, std::string name);

  /// Adds the launch or the host call of `function`. `getInput(n, mayOverwrite)` is the buffer of
  /// argument n. Returns the buffers of the results.
  llvm::Expected<Indices>
  addDispatch(Location loc, unsigned number, const PartitionedFunction &function,
              llvm::function_ref<llvm::Expected<unsigned>(unsigned, bool)> getInput);

  ModuleOp module;
  const Partition &partition;
  TaskGraph graph;
  FunctionCompiler compiler;
  DenseMap<Value, unsigned> bufferOf;
  /// The values that a buffer (no alias) holds now.
  DenseMap<unsigned, SmallVector<Value>> holders;
  /// Values that repeat one element; a buffer is filled with it where one is needed.
  DenseMap<Value, std::vector<uint8_t>> splats;
  DenseMap<Value, HostTensor> scalars;
  llvm::StringMap<unsigned> globals;
  /// Buffers of globals that initializers computed.
  llvm::DenseSet<unsigned> globalRoots;
  llvm::DenseSet<unsigned> outputRoots;
};
} // namespace

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// `file:line:column`, or nothing.
static std::string getLocation(Location loc) {
  return StringRef(runtime::formatLocation(loc)).rtrim(": ").str();
}

static int64_t getBytes(const HostTensorType &type) {
  return *runtime::countElements(type.shape, type.elementType) *
         runtime::getElementByteSize(type.elementType);
}

static HostTensorType getType(const Buffer &buffer) {
  return {buffer.dtype, SmallVector<int64_t>(ArrayRef(buffer.shape))};
}

unsigned GraphBuilder::addBuffer(std::string name, const HostTensorType &type,
                                 MemoryRegion region) {
  Buffer &buffer = graph.buffers.emplace_back();
  buffer.name = std::move(name);
  buffer.dtype = type.elementType;
  buffer.shape.assign(type.shape.begin(), type.shape.end());
  buffer.bytes = getBytes(type);
  buffer.region = region;
  return graph.buffers.size() - 1;
}

Task &GraphBuilder::addTask(TaskKind kind, Location loc, const Twine &name) {
  Task &task = graph.tasks.emplace_back();
  task.kind = kind;
  task.name = name.str();
  task.location = getLocation(loc);
  return task;
}

llvm::Expected<unsigned> GraphBuilder::addView(Operation *op, unsigned buffer, Type type) {
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

void GraphBuilder::hold(Value value, unsigned buffer) {
  bufferOf[value] = buffer;
  holders[graph.getRoot(buffer)].push_back(value);
}

void GraphBuilder::addFill(Location loc, unsigned buffer, ArrayRef<uint8_t> pattern) {
  Task &task = addTask(TaskKind::Fill, loc, "fill");
  task.filled = buffer;
  task.pattern = pattern.vec();
}

/// The side of a copy of a box with these extents, which starts at `offsets` of a dense tensor.
static CopySide getBoxSide(unsigned buffer, ArrayRef<int64_t> shape, ArrayRef<int64_t> offsets,
                           int64_t elementBytes) {
  CopySide side;
  side.buffer = buffer;
  int64_t stride = elementBytes;
  side.strides.assign(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 0;) {
    side.offset += offsets[dim] * stride;
    if (dim + 1 < shape.size())
      side.strides[dim] = stride;
    stride *= shape[dim];
  }
  if (shape.empty())
    side.strides.push_back(1);
  return side;
}

void GraphBuilder::addCopy(Location loc, unsigned source, unsigned target) {
  Task &task = addTask(TaskKind::Copy, loc, "copy");
  task.extents = {graph.buffers[source].bytes};
  task.source = {source, 0, {1}};
  task.target = {target, 0, {1}};
}

llvm::Expected<unsigned> GraphBuilder::getBuffer(Operation *user, Value value) {
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
  } else {
    buffer = compiler.addConstant("constant", scalar->second);
  }
  hold(value, buffer);
  return buffer;
}

/// Whether nothing needs the contents of `buffer` after the owner of `operand`, nor through another
/// of its operands.
bool GraphBuilder::isLastUse(OpOperand &operand, unsigned buffer) const {
  Operation *user = operand.getOwner();
  for (Value holder : holders.lookup(graph.getRoot(buffer)))
    for (OpOperand &use : holder.getUses()) {
      // What is in another block is in an initializer, which comes first.
      Operation *other = user->getBlock()->findAncestorOpInBlock(*use.getOwner());
      if (&use != &operand && other && !other->isBeforeInBlock(user))
        return false;
    }
  return true;
}

llvm::Expected<unsigned> GraphBuilder::getWritable(OpOperand &operand) {
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
  if (graph.buffers[root].region == MemoryRegion::Intermediates && !globalRoots.contains(root) &&
      isLastUse(operand, *buffer)) {
    holders.erase(root);
    return *buffer;
  }
  unsigned copy = addBuffer(graph.buffers[root].name + ".copy", *type, MemoryRegion::Intermediates);
  addCopy(user->getLoc(), *buffer, copy);
  return copy;
}

llvm::Expected<SmallVector<int64_t>> GraphBuilder::getIndices(Operation *op, ValueRange values) {
  SmallVector<int64_t> indices;
  for (Value value : values) {
    auto scalar = scalars.find(value);
    if (scalar == scalars.end())
      return makeOpError(op, "expected constant offsets and sizes in a task graph; compile with "
                             "static shapes");
    indices.push_back(scalar->second.getInt(0));
  }
  return indices;
}

//===----------------------------------------------------------------------===//
// Dispatches
//===----------------------------------------------------------------------===//

llvm::Expected<SmallVector<unsigned>>
GraphBuilder::addDispatch(Location loc, unsigned number, const PartitionedFunction &function,
                          llvm::function_ref<llvm::Expected<unsigned>(unsigned, bool)> getInput) {
  func::FuncOp source = function.function;
  SmallVector<HostTensorType> resultTypes;
  for (Type type : source.getResultTypes()) {
    llvm::Expected<HostTensorType> resultType = runtime::requireValueType(source, type);
    if (!resultType)
      return resultType.takeError();
    resultTypes.push_back(std::move(*resultType));
  }
  auto addResult = [&](size_t index) {
    return addBuffer("dispatch" + std::to_string(number) + ".result" + std::to_string(index),
                     resultTypes[index], MemoryRegion::Intermediates);
  };
  Indices results;

  if (function.placement == Placement::Host) {
    unsigned code = compiler.getHostFunction(function);
    std::vector<unsigned> reads;
    for (unsigned argument = 0; argument < source.getNumArguments(); ++argument) {
      llvm::Expected<unsigned> input = getInput(argument, /*mayOverwrite=*/false);
      if (!input)
        return input.takeError();
      reads.push_back(*input);
    }
    for (size_t index = 0; index < resultTypes.size(); ++index)
      results.push_back(addResult(index));
    Task &task = addTask(TaskKind::Host, loc, function.description);
    task.dispatch = number;
    task.code = code;
    task.reads = std::move(reads);
    task.writes.assign(results.begin(), results.end());
    return results;
  }

  unsigned code = compiler.getProgram(function);
  // A region that is changed in place stands for an argument and for a result.
  std::vector<unsigned> bindings;
  unsigned numInputs = 0;
  ArrayRef<unsigned> constants = compiler.getConstants(code);
  ArrayRef<ProgramRegion> regions = graph.programs[code].regions;
  for (const ProgramRegion &region : regions) {
    if (region.kind == isa::RegionKind::Constants) {
      bindings.push_back(constants.front());
      constants = constants.drop_front();
      continue;
    }
    if (region.kind == isa::RegionKind::Scratch) {
      HostTensorType type{runtime::ElementType::I8, {region.bytes}};
      bindings.push_back(addBuffer("dispatch" + std::to_string(number) + "." + region.name, type,
                                   MemoryRegion::Intermediates));
      continue;
    }
    bool isResult = isa::isOutput(region.kind);
    if (isa::isInput(region.kind)) {
      if (numInputs == source.getNumArguments())
        return makeOpError(source, "has more input regions than arguments");
      llvm::Expected<unsigned> input = getInput(numInputs++, /*mayOverwrite=*/isResult);
      if (!input)
        return input.takeError();
      bindings.push_back(*input);
    }
    if (!isResult)
      continue;
    if (results.size() == resultTypes.size())
      return makeOpError(source, "has more output regions than results");
    if (!isa::isInput(region.kind))
      bindings.push_back(addResult(results.size()));
    results.push_back(bindings.back());
  }
  if (numInputs != source.getNumArguments() || results.size() != resultTypes.size())
    return makeOpError(source, "has fewer regions than arguments and results");
  Task &task = addTask(TaskKind::Launch, loc, function.description);
  task.dispatch = number;
  task.code = code;
  task.bindings = std::move(bindings);
  return results;
}

static unsigned getNumber(flow::DispatchOp dispatch) {
  return dispatch->getAttrOfType<IntegerAttr>(kDispatchNumberAttrName).getInt();
}

llvm::Error GraphBuilder::convertDispatch(flow::DispatchOp dispatch) {
  unsigned number = getNumber(dispatch);
  const PartitionedFunction *function = partition.find(number);
  if (!function)
    return makeOpError(
        dispatch, "its code is not in this file; give a flow-level module with its executables");
  MutableOperandRange arguments = dispatch.getArgumentsMutable();
  func::FuncOp callee = function->function;
  if (arguments.size() != callee.getNumArguments())
    return makeOpError(dispatch, "expected " + Twine(callee.getNumArguments()) +
                                     " arguments as its function has, found " +
                                     Twine(arguments.size()));
  llvm::Expected<Indices> results =
      addDispatch(dispatch.getLoc(), number, *function,
                  [&](unsigned argument, bool mayOverwrite) -> llvm::Expected<unsigned> {
                    OpOperand &operand = arguments[argument];
                    return mayOverwrite ? getWritable(operand) : getBuffer(dispatch, operand.get());
                  });
  if (!results)
    return results.takeError();
  for (auto [result, buffer] : llvm::zip_equal(dispatch.getResults(), *results)) {
    llvm::Expected<unsigned> view = addView(dispatch, buffer, result.getType());
    if (!view)
      return view.takeError();
    hold(result, *view);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

/// The result is the first operand, seen with the type of the result.
llvm::Error GraphBuilder::alias(Operation *op) {
  for (auto [operand, result] : llvm::zip(op->getOperands(), op->getResults())) {
    if (auto splat = splats.find(operand); splat != splats.end()) {
      std::vector<uint8_t> pattern = splat->second;
      splats[result] = std::move(pattern);
      continue;
    }
    if (auto scalar = scalars.find(operand); scalar != scalars.end()) {
      HostTensor value = scalar->second;
      scalars[result] = std::move(value);
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

llvm::Error GraphBuilder::convertConstant(Operation *op, Attribute value) {
  llvm::Expected<HostTensor> tensor = runtime::loadConstant(op, value, nullptr);
  if (!tensor)
    return tensor.takeError();
  if (!llvm::isa<ShapedType>(op->getResult(0).getType())) {
    scalars[op->getResult(0)] = std::move(*tensor);
    return llvm::Error::success();
  }
  hold(op->getResult(0), compiler.addConstant("constant", *tensor));
  return llvm::Error::success();
}

llvm::Error GraphBuilder::convertGlobalLoad(util::GlobalLoadOp load) {
  if (auto known = globals.find(load.getGlobal()); known != globals.end()) {
    hold(load.getResult(), known->second);
    return llvm::Error::success();
  }
  auto global = module.lookupSymbol<util::GlobalOp>(load.getGlobal());
  if (!global || global.getIsMutable() || !global.getInitialValueAttr())
    return makeOpError(load, "expected global '" + load.getGlobal() +
                                 "' to be immutable and to have an initial value or an "
                                 "initializer: a task graph keeps nothing from run to run; make "
                                 "it an input and an output, or run the model with npu-run");
  Attribute value = global.getInitialValueAttr();
  std::optional<runtime::ParameterName> parameter = runtime::getParameter(value);
  if (!parameter && !llvm::isa<ShapedType>(global.getType())) {
    llvm::Expected<HostTensor> tensor = runtime::loadConstant(global, value, nullptr);
    if (!tensor)
      return tensor.takeError();
    scalars[load.getResult()] = std::move(*tensor);
    return llvm::Error::success();
  }
  unsigned buffer = 0;
  if (parameter) {
    llvm::Expected<HostTensorType> type = runtime::requireValueType(load, global.getType());
    if (!type)
      return type.takeError();
    buffer = addBuffer(load.getGlobal().str(), *type, MemoryRegion::Parameters);
    graph.parameters.push_back({parameter->scope, parameter->key, buffer});
  } else {
    llvm::Expected<HostTensor> tensor = runtime::loadConstant(global, value, nullptr);
    if (!tensor)
      return tensor.takeError();
    buffer = compiler.addConstant(load.getGlobal().str(), *tensor);
  }
  globals[load.getGlobal()] = buffer;
  hold(load.getResult(), buffer);
  return llvm::Error::success();
}

/// An initializer's result, which every run computes again: it must not be overwritten.
llvm::Error GraphBuilder::convertGlobalStore(util::GlobalStoreOp store) {
  auto global = module.lookupSymbol<util::GlobalOp>(store.getGlobal());
  if (!global || global.getIsMutable())
    return makeOpError(store, "expected global '" + store.getGlobal() +
                                  "' to be immutable: a task graph keeps nothing from run to run; "
                                  "make it an input and an output, or run the model with npu-run");
  llvm::Expected<unsigned> buffer = getBuffer(store, store.getValue());
  if (!buffer)
    return buffer.takeError();
  globals[store.getGlobal()] = *buffer;
  globalRoots.insert(graph.getRoot(*buffer));
  return llvm::Error::success();
}

llvm::Error GraphBuilder::convertSplat(flow::TensorSplatOp splat) {
  auto scalar = scalars.find(splat.getValue());
  if (scalar == scalars.end())
    return makeOpError(splat, "expected a constant value in a task graph");
  splats[splat.getResult()] = scalar->second.getBytes().vec();
  return llvm::Error::success();
}

llvm::Error GraphBuilder::convertSlice(flow::TensorSliceOp slice) {
  llvm::Expected<SmallVector<int64_t>> offsets = getIndices(slice, slice.getStartIndices());
  if (!offsets)
    return offsets.takeError();
  llvm::Expected<HostTensorType> source =
      runtime::requireValueType(slice, slice.getSource().getType());
  if (!source)
    return source.takeError();
  llvm::Expected<HostTensorType> result =
      runtime::requireValueType(slice, slice.getResult().getType());
  if (!result)
    return result.takeError();
  llvm::Expected<unsigned> buffer = getBuffer(slice, slice.getSource());
  if (!buffer)
    return buffer.takeError();
  if (source->shape.size() != offsets->size() || source->shape.size() != result->shape.size())
    return makeOpError(slice, "expected one offset and length per dimension");
  unsigned target = addBuffer("slice", *result, MemoryRegion::Intermediates);
  int64_t elementBytes = runtime::getElementByteSize(result->elementType);
  Task &task = addTask(TaskKind::Copy, slice.getLoc(), "slice");
  task.extents.assign(result->shape.begin(), result->shape.end());
  if (task.extents.empty())
    task.extents.push_back(1);
  task.extents.back() *= elementBytes;
  task.source = getBoxSide(*buffer, source->shape, *offsets, elementBytes);
  task.target =
      getBoxSide(target, result->shape, SmallVector<int64_t>(offsets->size(), 0), elementBytes);
  hold(slice.getResult(), target);
  return llvm::Error::success();
}

llvm::Error GraphBuilder::convertUpdate(flow::TensorUpdateOp update) {
  llvm::Expected<SmallVector<int64_t>> offsets = getIndices(update, update.getStartIndices());
  if (!offsets)
    return offsets.takeError();
  llvm::Expected<HostTensorType> target =
      runtime::requireValueType(update, update.getTarget().getType());
  if (!target)
    return target.takeError();
  llvm::Expected<HostTensorType> box =
      runtime::requireValueType(update, update.getUpdate().getType());
  if (!box)
    return box.takeError();
  if (target->shape.size() != offsets->size() || target->shape.size() != box->shape.size())
    return makeOpError(update, "expected one offset and length per dimension");
  llvm::Expected<unsigned> source = getBuffer(update, update.getUpdate());
  if (!source)
    return source.takeError();
  llvm::Expected<unsigned> buffer = getWritable(update.getTargetMutable());
  if (!buffer)
    return buffer.takeError();
  int64_t elementBytes = runtime::getElementByteSize(box->elementType);
  Task &task = addTask(TaskKind::Copy, update.getLoc(), "update");
  task.extents.assign(box->shape.begin(), box->shape.end());
  if (task.extents.empty())
    task.extents.push_back(1);
  task.extents.back() *= elementBytes;
  task.source =
      getBoxSide(*source, box->shape, SmallVector<int64_t>(offsets->size(), 0), elementBytes);
  task.target = getBoxSide(*buffer, target->shape, *offsets, elementBytes);
  hold(update.getResult(), *buffer);
  return llvm::Error::success();
}

llvm::Error GraphBuilder::convert(Operation *op) {
  using Result = llvm::Error;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](flow::DispatchOp dispatch) { return convertDispatch(dispatch); })
      .Case([&](hal::TensorImportOp import) -> Result {
        if (import.getByteOffset())
          return makeOpError(op, "at a byte offset is not supported in a task graph");
        return alias(op);
      })
      .Case([&](hal::TensorExportOp exported) -> Result {
        llvm::Expected<unsigned> source = getBuffer(op, exported.getSource());
        if (!source)
          return source.takeError();
        llvm::Expected<unsigned> view = addView(op, *source, exported.getSourceEncoding());
        if (!view)
          return view.takeError();
        hold(op->getResult(0), *view);
        return Result::success();
      })
      .Case<flow::TensorReshapeOp, flow::TensorBitCastOp, flow::TensorTieShapeOp,
            flow::TensorCloneOp, flow::TensorTransferOp, flow::TensorBarrierOp,
            util::OptimizationBarrierOp>([&](auto) { return alias(op); })
      .Case<flow::TensorEmptyOp, flow::TensorAllocaOp>([&](auto) -> Result {
        llvm::Expected<HostTensorType> type =
            runtime::requireValueType(op, op->getResult(0).getType());
        if (!type)
          return type.takeError();
        hold(op->getResult(0), addBuffer("empty", *type, MemoryRegion::Intermediates));
        return Result::success();
      })
      .Case([&](flow::TensorSplatOp splat) { return convertSplat(splat); })
      .Case([&](flow::TensorSliceOp slice) { return convertSlice(slice); })
      .Case([&](flow::TensorUpdateOp update) { return convertUpdate(update); })
      .Case<arith::ConstantOp, flow::TensorConstantOp, util::UnfoldableConstantOp>(
          [&](auto constant) { return convertConstant(op, constant.getValue()); })
      .Case([&](util::GlobalLoadOp load) { return convertGlobalLoad(load); })
      .Case([&](util::GlobalStoreOp store) { return convertGlobalStore(store); })
      .Case<flow::TensorTraceOp>([&](auto) { return Result::success(); })
      .Case<scf::ForOp>([&](auto) {
        return makeOpError(op, "runs as often as the data says, which a task graph cannot express; "
                               "give it constant bounds, so that it is unrolled, or run the model "
                               "with npu-run");
      })
      .Case<RegionBranchOpInterface>([&](auto) {
        return makeOpError(op, "does what the data says, which a task graph cannot express; run "
                               "the model with npu-run");
      })
      .Default([&](Operation *) {
        return makeOpError(op, "cannot be expressed in a task graph, which has dispatches, copies "
                               "and fills with static shapes only; run the model with npu-run");
      });
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

/// Values of different outputs, and what the caller gives or keeps, have different bytes.
llvm::Error GraphBuilder::addOutput(Operation *terminator, Value value, std::string name) {
  llvm::Expected<unsigned> buffer = getBuffer(terminator, value);
  if (!buffer)
    return buffer.takeError();
  unsigned root = graph.getRoot(*buffer);
  if (graph.buffers[root].region != MemoryRegion::Intermediates ||
      !outputRoots.insert(root).second) {
    unsigned copy = addBuffer(name, getType(graph.buffers[*buffer]), MemoryRegion::Outputs);
    addCopy(terminator->getLoc(), *buffer, copy);
    buffer = copy;
  }
  graph.outputs.push_back({"", std::move(name), *buffer});
  return llvm::Error::success();
}

/// Initializers of devices and the like do not matter here.
static bool setsValue(util::InitializerOp initializer) {
  bool result = false;
  initializer.walk([&](util::GlobalStoreOp store) {
    result |= runtime::getValueType(store.getValue().getType()).has_value();
  });
  return result;
}

llvm::Error GraphBuilder::addInitializer(util::InitializerOp initializer) {
  if (!setsValue(initializer))
    return llvm::Error::success();
  for (Operation &op : initializer.getBody().front().without_terminator())
    if (llvm::Error error = convert(&op))
      return error;
  return llvm::Error::success();
}

/// Initializers come first in every run.
llvm::Error GraphBuilder::compileDispatches(FunctionOpInterface function) {
  SmallVector<Operation *> callers(
      llvm::make_filter_range(module.getOps<util::InitializerOp>(), setsValue));
  callers.push_back(function);
  SmallVector<const PartitionedFunction *> functions;
  for (Operation *caller : callers)
    caller->walk([&](flow::DispatchOp dispatch) {
      if (const PartitionedFunction *callee = partition.find(getNumber(dispatch)))
        functions.push_back(callee);
    });
  return compiler.compile(functions);
}

llvm::Error GraphBuilder::addHostFunction(StringRef name) {
  llvm::Expected<FunctionOpInterface> function = runtime::findHostFunction(module, name);
  if (!function)
    return function.takeError();
  // A dispatch in a loop keeps the number that it has in the input.
  for (auto [number, site] : llvm::enumerate(flow::collectDispatches(module)))
    site.op->setAttr(kDispatchNumberAttrName, Builder(site.op).getI64IntegerAttr(number));
  if (llvm::Error error = straightenHost(module, *function))
    return error;
  // The interpreter knows the boundary.
  llvm::Expected<std::unique_ptr<runtime::HostProgram>> boundary =
      runtime::HostProgram::create(module, name, {});
  if (!boundary)
    return boundary.takeError();
  graph.name = function->getName().str();
  if (llvm::Error error = compileDispatches(*function))
    return error;
  for (auto initializer : module.getOps<util::InitializerOp>())
    if (llvm::Error error = addInitializer(initializer))
      return error;
  Block &body = function->getFunctionBody().front();
  for (auto [number, argument] : llvm::enumerate(body.getArguments())) {
    const runtime::HostProgramValue &input = (*boundary)->getInputs()[number];
    std::string inputName = input.name.empty() ? "input" + std::to_string(number) : input.name;
    unsigned buffer = addBuffer(inputName, input.type, MemoryRegion::Inputs);
    graph.inputs.push_back({"", inputName, buffer});
    hold(argument, buffer);
  }
  for (Operation &op : body.without_terminator())
    if (llvm::Error error = convert(&op))
      return error;
  Operation *terminator = body.getTerminator();
  for (auto [number, result] : llvm::enumerate(terminator->getOperands())) {
    std::string outputName = (*boundary)->getOutputs()[number].name;
    if (outputName.empty())
      outputName = "output" + std::to_string(number);
    if (llvm::Error error = addOutput(terminator, result, std::move(outputName)))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error GraphBuilder::addDispatchFunction(const PartitionedFunction &function) {
  func::FuncOp source = function.function;
  graph.name = source.getSymName().str();
  Indices inputs;
  for (auto [number, type] : llvm::enumerate(source.getArgumentTypes())) {
    llvm::Expected<HostTensorType> inputType = runtime::requireValueType(source, type);
    if (!inputType)
      return inputType.takeError();
    std::string name = "input" + std::to_string(number);
    inputs.push_back(addBuffer(name, *inputType, MemoryRegion::Inputs));
    graph.inputs.push_back({"", name, inputs.back()});
  }
  if (llvm::Error error = compiler.compile(&function))
    return error;
  llvm::Expected<Indices> results =
      addDispatch(source.getLoc(), function.numbers.front(), function,
                  [&](unsigned argument, bool mayOverwrite) -> llvm::Expected<unsigned> {
                    unsigned input = inputs[argument];
                    if (!mayOverwrite)
                      return input;
                    // The caller keeps its input.
                    const Buffer &buffer = graph.buffers[input];
                    unsigned copy = addBuffer(buffer.name + ".copy", getType(buffer),
                                              MemoryRegion::Intermediates);
                    addCopy(source.getLoc(), input, copy);
                    return copy;
                  });
  if (!results)
    return results.takeError();
  for (auto [number, buffer] : llvm::enumerate(*results)) {
    outputRoots.insert(buffer);
    graph.outputs.push_back({"", "output" + std::to_string(number), buffer});
  }
  return llvm::Error::success();
}

TaskGraph GraphBuilder::finish() {
  for (Buffer &buffer : graph.buffers)
    if (outputRoots.contains(buffer.aliasOf.value_or(&buffer - graph.buffers.data())))
      buffer.region = MemoryRegion::Outputs;
  // Programs are prepared before the first launch, in the order in which they are needed.
  std::vector<Task> prepares;
  for (auto [number, program] : llvm::enumerate(graph.programs)) {
    Task &task = prepares.emplace_back();
    task.kind = TaskKind::Prepare;
    task.name = "prepare " + program.name;
    task.code = number;
  }
  graph.tasks.insert(graph.tasks.begin(), prepares.begin(), prepares.end());
  compiler.finish();
  plan(graph);
  return std::move(graph);
}

/// The function that a module without a host function is about.
static llvm::Expected<const PartitionedFunction *> findFunction(const Partition &partition,
                                                                StringRef name) {
  const PartitionedFunction *only = nullptr;
  for (const PartitionedFunction &function : partition.getFunctions()) {
    func::FuncOp op = function.function;
    if (name.empty() ? op.isPrivate() : op.getSymName() != name)
      continue;
    if (only)
      return llvm::createStringError("the module has several public functions, '" + only->name +
                                     "' and '" + function.name +
                                     "'; choose one with --npu-function");
    only = &function;
  }
  if (!only)
    return llvm::createStringError(name.empty()
                                       ? Twine("the module has no public function on tensors")
                                       : "the module has no function '" + name + "' on tensors");
  return only;
}

llvm::Expected<TaskGraph> npu::taskgraph::buildTaskGraph(ModuleOp module,
                                                         const BuildOptions &options) {
  llvm::Expected<TargetDesc> target = parseTarget(options.target);
  if (!target)
    return target.takeError();
  PartitionOptions partitionOptions;
  partitionOptions.fallback = options.fallback;
  partitionOptions.placements = options.placements;
  DispatchCompiler compiler(options.target);
  FailureOr<Partition> partition = runtime::placeModel(module, partitionOptions, compiler);
  if (failed(partition))
    return llvm::createStringError("the model's dispatches were not placed");
  GraphBuilder builder(module, *partition, std::move(*target), compiler);
  if (!module.getOps<util::FuncOp>().empty()) {
    if (llvm::Error error = builder.addHostFunction(options.function))
      return std::move(error);
  } else {
    llvm::Expected<const PartitionedFunction *> function =
        findFunction(*partition, options.function);
    if (!function)
      return function.takeError();
    if (llvm::Error error = builder.addDispatchFunction(**function))
      return std::move(error);
  }
  TaskGraph graph = builder.finish();
  if (llvm::Error error = verify(graph))
    return std::move(error);
  return graph;
}
