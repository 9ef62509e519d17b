//===- BuildTaskGraph.cpp - from a host function to tasks -----------------===//
//
// The host function is code on immutable tensors. Its values become buffers, its ops views of them
// or tasks.
//
//===----------------------------------------------------------------------===//

#include "NPU/TaskGraph/BuildTaskGraph.h"

#include "ControlTasks.h"
#include "GlobalBuffers.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/HostProgram/HostConstants.h"
#include "NPU/HostReference/LocatedError.h"
#include "NPU/InitAll/TensorNames.h"
#include "NPU/Partition/Segments.h"
#include "NPU/Pipelines/PlaceModel.h"
#include "NPU/Roofline/DispatchNodes.h"
#include "StraightenHost.h"
#include "ValueBuffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

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
               DispatchCompiler &compiler, const BuildOptions &options, TensorNames names)
      : module(module), partition(partition), formsSegments(options.formSegments),
        names(std::move(names)), compiler(graph, target, compiler, options.memoryLimit),
        values(graph, this->compiler),
        control(graph, values, [this](Operation *op) { return convert(op); }),
        globals(module, graph, this->compiler, values) {
    graph.target = options.target;
  }

  /// From the host function of a flow-level module.
  llvm::Error addHostFunction(StringRef name);
  /// From a function on tensors that is one dispatch.
  llvm::Error addDispatchFunction(const PartitionedFunction &function);
  TaskGraph finish();

private:
  using Indices = SmallVector<unsigned>;

  /// The side of a copy of a box that starts at `offsets`, which data may give, of a dense tensor
  /// of `shape`.
  llvm::Expected<CopySide> getBoxSide(Operation *op, unsigned buffer, ArrayRef<int64_t> shape,
                                      ArrayRef<int64_t> extents, ValueRange offsets,
                                      int64_t elementBytes);

  llvm::Error convert(Operation *op);
  llvm::Error convertConstant(Operation *op, Attribute value);
  llvm::Error convertSplat(flow::TensorSplatOp splat);
  llvm::Error convertExtract(tensor::ExtractOp extract);
  llvm::Error convertSlice(flow::TensorSliceOp slice);
  llvm::Error convertUpdate(flow::TensorUpdateOp update);
  llvm::Error convertDispatch(flow::DispatchOp dispatch);
  llvm::Error convertSegment(SegmentOp segment);
  llvm::Error holdResults(Operation *op, ArrayRef<unsigned> buffers);
  llvm::Error compileDispatches(FunctionOpInterface function);
  void addLimits();
  llvm::Error addInitializer(util::InitializerOp initializer);
  llvm::Error addOutput(Operation *terminator, Value value, std::string name);

  /// `getInput(n, mayOverwrite)` is the buffer of argument n.
  using GetInput = llvm::function_ref<llvm::Expected<unsigned>(unsigned, bool)>;
  /// Adds the launch or the host call of `function`. Returns the buffers of the results.
  llvm::Expected<Indices> addDispatch(Location loc, unsigned number,
                                      const PartitionedFunction &function, GetInput getInput);
  /// Adds the launch of a program. Regions that it changes in place are an argument and a result.
  /// Returns the buffers of the results.
  llvm::Expected<Indices> addLaunch(Operation *op, Location loc, StringRef name,
                                    ArrayRef<unsigned> dispatches, unsigned program,
                                    TypeRange arguments, TypeRange results, GetInput getInput);

  ModuleOp module;
  const Partition &partition;
  bool formsSegments;
  TensorNames names; ///< of the model as it came, of which compiling may leave none
  TaskGraph graph;
  FunctionCompiler compiler;
  ValueBuffers values;
  ControlTasks control;
  GlobalBuffers globals;
  llvm::DenseSet<unsigned> outputRoots;
};
} // namespace

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static HostTensorType getType(const Buffer &buffer) {
  return {buffer.dtype, SmallVector<int64_t>(ArrayRef(buffer.shape))};
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

llvm::Expected<CopySide> GraphBuilder::getBoxSide(Operation *op, unsigned buffer,
                                                  ArrayRef<int64_t> shape,
                                                  ArrayRef<int64_t> extents, ValueRange offsets,
                                                  int64_t elementBytes) {
  SmallVector<int64_t> constants(shape.size(), 0);
  std::vector<OffsetTerm> terms;
  int64_t stride = elementBytes;
  for (size_t dim = shape.size(); dim-- > 0; stride *= shape[dim]) {
    if (const HostTensor *scalar = values.getScalar(offsets[dim])) {
      constants[dim] = scalar->getInt(0);
      // In bytes, it may be inside all the same, in another row.
      if (int64_t first = constants[dim]; first < 0 || first > shape[dim] - extents[dim])
        return makeOpError(op, "elements " + Twine(first) + " to " + Twine(first) + " + " +
                                   Twine(extents[dim]) + " of dimension " + Twine(dim) +
                                   " are outside of the tensor's " + Twine(shape[dim]));
      continue;
    }
    llvm::Expected<unsigned> offset = values.getBuffer(op, offsets[dim]);
    if (!offset)
      return offset.takeError();
    terms.push_back({*offset, stride});
  }
  CopySide side = ::getBoxSide(buffer, shape, constants, elementBytes);
  side.terms = std::move(terms);
  return side;
}

//===----------------------------------------------------------------------===//
// Dispatches
//===----------------------------------------------------------------------===//

static llvm::Expected<SmallVector<HostTensorType>> getTypes(Operation *op, TypeRange types) {
  SmallVector<HostTensorType> result;
  for (Type type : types) {
    llvm::Expected<HostTensorType> tensorType = runtime::requireValueType(op, type);
    if (!tensorType)
      return tensorType.takeError();
    result.push_back(std::move(*tensorType));
  }
  return result;
}

static std::string getResultName(unsigned dispatch, size_t index) {
  return "dispatch" + std::to_string(dispatch) + ".result" + std::to_string(index);
}

llvm::Expected<SmallVector<unsigned>>
GraphBuilder::addLaunch(Operation *op, Location loc, StringRef name, ArrayRef<unsigned> dispatches,
                        unsigned program, TypeRange arguments, TypeRange results,
                        GetInput getInput) {
  llvm::Expected<SmallVector<HostTensorType>> types = getTypes(op, results);
  if (!types)
    return types.takeError();
  Indices outputs;
  std::vector<unsigned> bindings;
  unsigned numInputs = 0;
  ArrayRef<unsigned> constants = compiler.getConstants(program);
  ArrayRef<ProgramRegion> regions = graph.programs[program].regions;
  for (const ProgramRegion &region : regions) {
    if (region.kind == isa::RegionKind::Constants) {
      bindings.push_back(constants.front());
      constants = constants.drop_front();
      continue;
    }
    if (region.kind == isa::RegionKind::Scratch) {
      HostTensorType type{runtime::ElementType::I8, {region.bytes}};
      std::string scratch = "dispatch" + std::to_string(dispatches.front()) + "." + region.name;
      bindings.push_back(values.addBuffer(scratch, type, MemoryRegion::Intermediates));
      continue;
    }
    bool isResult = isa::isOutput(region.kind);
    if (isa::isInput(region.kind)) {
      if (numInputs == arguments.size())
        return makeOpError(op, "has more input regions than arguments");
      llvm::Expected<unsigned> input = getInput(numInputs++, /*mayOverwrite=*/isResult);
      if (!input)
        return input.takeError();
      bindings.push_back(*input);
    }
    if (!isResult)
      continue;
    if (outputs.size() == types->size())
      return makeOpError(op, "has more output regions than results");
    if (!isa::isInput(region.kind))
      bindings.push_back(values.addBuffer(getResultName(dispatches.front(), outputs.size()),
                                          (*types)[outputs.size()], MemoryRegion::Intermediates));
    outputs.push_back(bindings.back());
  }
  if (numInputs != arguments.size() || outputs.size() != types->size())
    return makeOpError(op, "has fewer regions than arguments and results");
  Task &task = values.addTask(TaskKind::Launch, loc, name);
  task.dispatches = dispatches.vec();
  task.code = program;
  task.bindings = std::move(bindings);
  return outputs;
}

llvm::Expected<SmallVector<unsigned>> GraphBuilder::addDispatch(Location loc, unsigned number,
                                                                const PartitionedFunction &function,
                                                                GetInput getInput) {
  func::FuncOp source = function.function;
  if (function.placement == Placement::NPU)
    return addLaunch(source, loc, function.description, number, compiler.getProgram(function),
                     source.getArgumentTypes(), source.getResultTypes(), getInput);
  llvm::Expected<SmallVector<HostTensorType>> types = getTypes(source, source.getResultTypes());
  if (!types)
    return types.takeError();
  unsigned code = compiler.getHostFunction(function);
  std::vector<unsigned> reads;
  for (unsigned argument = 0; argument < source.getNumArguments(); ++argument) {
    llvm::Expected<unsigned> input = getInput(argument, /*mayOverwrite=*/false);
    if (!input)
      return input.takeError();
    reads.push_back(*input);
  }
  Indices results;
  for (auto [index, type] : llvm::enumerate(*types))
    results.push_back(
        values.addBuffer(getResultName(number, index), type, MemoryRegion::Intermediates));
  Task &task = values.addTask(TaskKind::Host, loc, function.description);
  task.dispatches = {number};
  task.code = code;
  task.reads = std::move(reads);
  task.writes.assign(results.begin(), results.end());
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
                    return mayOverwrite ? values.getWritable(operand)
                                        : values.getBuffer(dispatch, operand.get());
                  });
  if (!results)
    return results.takeError();
  return holdResults(dispatch, *results);
}

llvm::Error GraphBuilder::holdResults(Operation *op, ArrayRef<unsigned> buffers) {
  for (auto [result, buffer] : llvm::zip_equal(op->getResults(), buffers)) {
    llvm::Expected<unsigned> view = values.addView(op, buffer, result.getType());
    if (!view)
      return view.takeError();
    values.hold(result, *view);
  }
  return llvm::Error::success();
}

llvm::Error GraphBuilder::convertSegment(SegmentOp segment) {
  SmallVector<Value> inputs = getSegmentInputs(segment);
  SmallVector<unsigned> numbers;
  for (auto dispatch : segment.getBody().getOps<flow::DispatchOp>())
    numbers.push_back(getNumber(dispatch));
  std::string name = llvm::formatv("segment of {0} dispatches", numbers.size());
  llvm::Expected<Indices> results =
      addLaunch(segment, segment.getLoc(), name, numbers, compiler.getProgram(segment),
                ValueRange(inputs).getTypes(), segment.getResultTypes(),
                [&](unsigned input, bool) { return values.getBuffer(segment, inputs[input]); });
  if (!results)
    return results.takeError();
  return holdResults(segment, *results);
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

llvm::Error GraphBuilder::convertConstant(Operation *op, Attribute value) {
  llvm::Expected<HostTensor> tensor =
      runtime::loadConstant(op, value, nullptr, compiler.getBytesLeft());
  if (!tensor)
    return tensor.takeError();
  if (!llvm::isa<ShapedType>(op->getResult(0).getType())) {
    values.holdScalar(op->getResult(0), std::move(*tensor));
    return llvm::Error::success();
  }
  values.hold(op->getResult(0), compiler.addConstant("constant", *tensor));
  return llvm::Error::success();
}

llvm::Error GraphBuilder::convertSplat(flow::TensorSplatOp splat) {
  if (const HostTensor *scalar = values.getScalar(splat.getValue())) {
    values.holdSplat(splat.getResult(), scalar->getBytes().vec());
    return llvm::Error::success();
  }
  llvm::Expected<unsigned> source = values.getBuffer(splat, splat.getValue());
  if (!source)
    return source.takeError();
  llvm::Expected<HostTensorType> type =
      runtime::requireValueType(splat, splat.getResult().getType());
  if (!type)
    return type.takeError();
  unsigned target = values.addBuffer("splat", *type, MemoryRegion::Intermediates);
  int64_t elementBytes = runtime::getElementByteSize(type->elementType);
  Task &task = values.addTask(TaskKind::Copy, splat.getLoc(), "splat");
  task.extents = {graph.buffers[target].bytes / elementBytes, elementBytes};
  task.source = {*source, 0, {0, 1}, {}};
  task.target = {target, 0, {elementBytes, 1}, {}};
  values.hold(splat.getResult(), target);
  return llvm::Error::success();
}

/// An element as a number of its own, which it is already if there is no other.
llvm::Error GraphBuilder::convertExtract(tensor::ExtractOp extract) {
  llvm::Expected<unsigned> source = values.getBuffer(extract, extract.getTensor());
  if (!source)
    return source.takeError();
  llvm::Expected<HostTensorType> type =
      runtime::requireValueType(extract, extract.getResult().getType());
  if (!type)
    return type.takeError();
  int64_t elementBytes = runtime::getElementByteSize(type->elementType);
  unsigned result = 0;
  if (graph.buffers[*source].bytes == elementBytes) {
    llvm::Expected<unsigned> view = values.addView(extract, *source, extract.getResult().getType());
    if (!view)
      return view.takeError();
    result = *view;
  } else {
    std::vector<int64_t> shape = graph.buffers[*source].shape;
    llvm::Expected<CopySide> side =
        getBoxSide(extract, *source, shape, SmallVector<int64_t>(shape.size(), 1),
                   extract.getIndices(), elementBytes);
    if (!side)
      return side.takeError();
    side->strides = {1};
    result = values.addBuffer("element", *type, MemoryRegion::Intermediates);
    Task &task = values.addTask(TaskKind::Copy, extract.getLoc(), "element");
    task.extents = {elementBytes};
    task.source = std::move(*side);
    task.target = {result, 0, {1}, {}};
  }
  values.hold(extract.getResult(), result);
  return llvm::Error::success();
}

llvm::Error GraphBuilder::convertSlice(flow::TensorSliceOp slice) {
  llvm::Expected<HostTensorType> source =
      runtime::requireValueType(slice, slice.getSource().getType());
  if (!source)
    return source.takeError();
  llvm::Expected<HostTensorType> result =
      runtime::requireValueType(slice, slice.getResult().getType());
  if (!result)
    return result.takeError();
  llvm::Expected<unsigned> buffer = values.getBuffer(slice, slice.getSource());
  if (!buffer)
    return buffer.takeError();
  if (source->shape.size() != slice.getStartIndices().size() ||
      source->shape.size() != result->shape.size())
    return makeOpError(slice, "expected one offset and length per dimension");
  unsigned target = values.addBuffer("slice", *result, MemoryRegion::Intermediates);
  int64_t elementBytes = runtime::getElementByteSize(result->elementType);
  llvm::Expected<CopySide> box = getBoxSide(slice, *buffer, source->shape, result->shape,
                                            slice.getStartIndices(), elementBytes);
  if (!box)
    return box.takeError();
  Task &task = values.addTask(TaskKind::Copy, slice.getLoc(), "slice");
  task.extents.assign(result->shape.begin(), result->shape.end());
  if (task.extents.empty())
    task.extents.push_back(1);
  task.extents.back() *= elementBytes;
  task.source = std::move(*box);
  task.target = ::getBoxSide(target, result->shape, SmallVector<int64_t>(result->shape.size(), 0),
                             elementBytes);
  values.hold(slice.getResult(), target);
  return llvm::Error::success();
}

llvm::Error GraphBuilder::convertUpdate(flow::TensorUpdateOp update) {
  llvm::Expected<HostTensorType> target =
      runtime::requireValueType(update, update.getTarget().getType());
  if (!target)
    return target.takeError();
  llvm::Expected<HostTensorType> box =
      runtime::requireValueType(update, update.getUpdate().getType());
  if (!box)
    return box.takeError();
  if (target->shape.size() != update.getStartIndices().size() ||
      target->shape.size() != box->shape.size())
    return makeOpError(update, "expected one offset and length per dimension");
  llvm::Expected<unsigned> source = values.getBuffer(update, update.getUpdate());
  if (!source)
    return source.takeError();
  llvm::Expected<unsigned> buffer = values.getWritable(update.getTargetMutable());
  if (!buffer)
    return buffer.takeError();
  int64_t elementBytes = runtime::getElementByteSize(box->elementType);
  llvm::Expected<CopySide> side = getBoxSide(update, *buffer, target->shape, box->shape,
                                             update.getStartIndices(), elementBytes);
  if (!side)
    return side.takeError();
  Task &task = values.addTask(TaskKind::Copy, update.getLoc(), "update");
  task.extents.assign(box->shape.begin(), box->shape.end());
  if (task.extents.empty())
    task.extents.push_back(1);
  task.extents.back() *= elementBytes;
  task.source =
      ::getBoxSide(*source, box->shape, SmallVector<int64_t>(box->shape.size(), 0), elementBytes);
  task.target = std::move(*side);
  values.hold(update.getResult(), *buffer);
  return llvm::Error::success();
}

llvm::Error GraphBuilder::convert(Operation *op) {
  using Result = llvm::Error;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](flow::DispatchOp dispatch) { return convertDispatch(dispatch); })
      .Case([&](SegmentOp segment) { return convertSegment(segment); })
      .Case([&](hal::TensorImportOp import) -> Result {
        if (import.getByteOffset())
          return makeOpError(op, "at a byte offset is not supported in a task graph");
        return values.alias(op);
      })
      .Case([&](hal::TensorExportOp exported) -> Result {
        llvm::Expected<unsigned> source = values.getBuffer(op, exported.getSource());
        if (!source)
          return source.takeError();
        llvm::Expected<unsigned> view = values.addView(op, *source, exported.getSourceEncoding());
        if (!view)
          return view.takeError();
        values.hold(op->getResult(0), *view);
        return Result::success();
      })
      .Case<flow::TensorReshapeOp, flow::TensorBitCastOp, flow::TensorTieShapeOp,
            flow::TensorCloneOp, flow::TensorTransferOp, flow::TensorBarrierOp,
            util::OptimizationBarrierOp>([&](auto) { return values.alias(op); })
      .Case<flow::TensorEmptyOp, flow::TensorAllocaOp>([&](auto) -> Result {
        llvm::Expected<HostTensorType> type =
            runtime::requireValueType(op, op->getResult(0).getType());
        if (!type)
          return type.takeError();
        values.hold(op->getResult(0),
                    values.addBuffer("empty", *type, MemoryRegion::Intermediates));
        return Result::success();
      })
      .Case([&](flow::TensorSplatOp splat) { return convertSplat(splat); })
      .Case([&](flow::TensorSliceOp slice) { return convertSlice(slice); })
      .Case([&](flow::TensorUpdateOp update) { return convertUpdate(update); })
      .Case<arith::ConstantOp, flow::TensorConstantOp, util::UnfoldableConstantOp>(
          [&](auto constant) { return convertConstant(op, constant.getValue()); })
      .Case([&](util::GlobalLoadOp load) { return globals.convertLoad(load); })
      .Case([&](util::GlobalStoreOp store) { return globals.convertStore(store); })
      .Case<flow::TensorTraceOp>([&](auto) { return Result::success(); })
      .Case([&](tensor::ExtractOp extract) { return convertExtract(extract); })
      .Case([&](tensor::FromElementsOp elements) -> Result {
        if (elements.getElements().size() != 1)
          return makeOpError(op, "cannot be expressed in a task graph, but for one element; run "
                                 "the model with npu-run");
        llvm::Expected<unsigned> source = values.getBuffer(op, elements.getElements().front());
        if (!source)
          return source.takeError();
        llvm::Expected<unsigned> view = values.addView(op, *source, elements.getResult().getType());
        if (!view)
          return view.takeError();
        values.hold(op->getResult(0), *view);
        return Result::success();
      })
      .Case([&](scf::IfOp branch) { return control.convertIf(branch); })
      .Case([&](scf::WhileOp loop) { return control.convertWhile(loop); })
      .Case([&](scf::ForOp loop) { return control.convertFor(loop); })
      .Default([&](Operation *) -> Result {
        if (ControlTasks::isArithmetic(op))
          return control.convertArithmetic(op);
        return makeOpError(op, "cannot be expressed in a task graph, which has dispatches, copies, "
                               "fills, branches, loops and arithmetic on integers, with static "
                               "shapes only; run the model with npu-run");
      });
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

/// What the model calls tensor `number`, else what its compiled form does, else `input0` and so on.
static std::string chooseName(ArrayRef<std::string> names, size_t number, StringRef compiled,
                              StringRef kind) {
  std::string byNumber = kind.str() + std::to_string(number);
  if (number < names.size() && names[number] != byNumber)
    return names[number];
  return compiled.empty() ? byNumber : compiled.str();
}

/// Values of different outputs, and what the caller gives or keeps, have different bytes.
llvm::Error GraphBuilder::addOutput(Operation *terminator, Value value, std::string name) {
  llvm::Expected<unsigned> buffer = values.getBuffer(terminator, value);
  if (!buffer)
    return buffer.takeError();
  unsigned root = graph.getRoot(*buffer);
  if (graph.buffers[root].region != MemoryRegion::Intermediates ||
      !outputRoots.insert(root).second) {
    unsigned copy = values.addBuffer(name, getType(graph.buffers[*buffer]), MemoryRegion::Outputs);
    values.addCopy(terminator->getLoc(), *buffer, copy);
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

llvm::Error GraphBuilder::compileDispatches(FunctionOpInterface function) {
  if (formsSegments)
    npu::formSegments(module, [&](flow::DispatchOp dispatch) {
      const PartitionedFunction *callee = partition.find(getNumber(dispatch));
      return callee && callee->placement == Placement::NPU;
    });
  else
    npu::dissolveSegments(module);
  // Initializers come first in every run.
  SmallVector<Operation *> callers(
      llvm::make_filter_range(module.getOps<util::InitializerOp>(), setsValue));
  callers.push_back(function);
  SmallVector<const PartitionedFunction *> functions;
  std::vector<FunctionCompiler::Segment> segments;
  auto addFunction = [&](flow::DispatchOp dispatch, auto &to) {
    if (const PartitionedFunction *callee = partition.find(getNumber(dispatch)))
      to.push_back(callee);
  };
  for (Operation *caller : callers)
    caller->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto dispatch = dyn_cast<flow::DispatchOp>(op))
        addFunction(dispatch, functions);
      auto segment = dyn_cast<SegmentOp>(op);
      if (!segment)
        return WalkResult::advance();
      segments.push_back({segment, {}});
      for (auto dispatch : segment.getBody().getOps<flow::DispatchOp>())
        addFunction(dispatch, segments.back().functions);
      return WalkResult::skip();
    });
  return compiler.compile(functions, segments);
}

/// The limit of the launches, unless loops or branches decide how many there are.
void GraphBuilder::addLimits() {
  std::vector<unsigned> launched;
  for (const Task &task : graph.tasks) {
    if (task.kind == TaskKind::Loop || task.kind == TaskKind::Branch)
      return;
    if (task.kind == TaskKind::Launch)
      llvm::append_range(launched, task.dispatches);
  }
  std::map<unsigned, int64_t> numRuns;
  for (unsigned number : launched)
    ++numRuns[number];
  std::map<unsigned, flow::DispatchOp> dispatches;
  std::map<Operation *, runtime::Roofline> alone;
  module.walk([&](flow::DispatchOp dispatch) {
    unsigned number = getNumber(dispatch);
    if (numRuns.count(number) && dispatches.try_emplace(number, dispatch).second)
      alone[dispatch] =
          runtime::computeRoofline(partition.find(number)->function, compiler.getTarget());
  });
  SmallVector<flow::DispatchOp> ordered;
  SmallVector<int64_t> counts;
  for (auto [number, dispatch] : dispatches) {
    ordered.push_back(dispatch);
    counts.push_back(numRuns[number]);
  }
  graph.limits = toLimits(runtime::computeNetworkLimit(
      ordered, counts,
      [&](flow::DispatchOp dispatch) -> const runtime::Roofline & { return alone[dispatch]; },
      compiler.getTarget()));
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
    std::string inputName = chooseName(names.inputs, number, input.name, "input");
    unsigned buffer = values.addBuffer(inputName, input.type, MemoryRegion::Inputs);
    graph.inputs.push_back({"", inputName, buffer});
    values.hold(argument, buffer);
  }
  for (Operation &op : body.without_terminator())
    if (llvm::Error error = convert(&op))
      return error;
  Operation *terminator = body.getTerminator();
  for (auto [number, result] : llvm::enumerate(terminator->getOperands())) {
    std::string outputName =
        chooseName(names.outputs, number, (*boundary)->getOutputs()[number].name, "output");
    if (llvm::Error error = addOutput(terminator, result, std::move(outputName)))
      return error;
  }
  addLimits();
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
    std::string name = chooseName(names.inputs, number, "", "input");
    inputs.push_back(values.addBuffer(name, *inputType, MemoryRegion::Inputs));
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
                    unsigned copy = values.addBuffer(buffer.name + ".copy", getType(buffer),
                                                     MemoryRegion::Intermediates);
                    values.addCopy(source.getLoc(), input, copy);
                    return copy;
                  });
  if (!results)
    return results.takeError();
  for (auto [number, buffer] : llvm::enumerate(*results)) {
    outputRoots.insert(buffer);
    graph.outputs.push_back({"", chooseName(names.outputs, number, "", "output"), buffer});
  }
  if (!graph.programs.empty())
    graph.limits = graph.programs.front().kernels.front().limits;
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
  TensorNames names = getTensorNames(module, options.function).value_or(TensorNames());
  DispatchCompiler compiler(options.target, options.schedule, options.effort);
  FailureOr<Partition> partition = runtime::placeModel(module, partitionOptions, compiler);
  if (failed(partition))
    return llvm::createStringError("the model's dispatches were not placed");
  // Counts of other outputs are outputs since then.
  if (std::optional<TensorNames> placed = getTensorNames(module, options.function))
    for (size_t number = names.outputs.size(); number < placed->outputs.size(); ++number)
      names.outputs.push_back(placed->outputs[number]);
  if (options.onPartition)
    options.onPartition(*partition, compiler);
  GraphBuilder builder(module, *partition, std::move(*target), compiler, options, std::move(names));
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
  if (llvm::Error error = compiler.checkSchedule(module))
    return std::move(error);
  TaskGraph graph = builder.finish();
  if (llvm::Error error = verify(graph))
    return std::move(error);
  return graph;
}
