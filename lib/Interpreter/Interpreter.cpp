//===- Interpreter.cpp - executes kernels in any form ---------------------===//

#include "NPU/Interpreter/Interpreter.h"

#include "ComputeOps.h"
#include "Lane.h"

#include "NPU/Dialect/NPU/IR/ISATypes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;
using namespace npu;
using namespace npu::interpreter;
using npu::runtime::HostTensor;

StringRef npu::interpreter::toString(Form form) {
  switch (form) {
  case Form::Tensor:
    return "tensor form";
  case Form::Tile:
    return "tile form";
  case Form::Planned:
    return "planned form";
  }
  llvm_unreachable("unknown form");
}

Form npu::interpreter::getForm(KernelOp kernel) {
  if (!kernel.getBody().getOps<StreamOp>().empty())
    return Form::Planned;
  bool hasBuffers = llvm::any_of(kernel.getArgumentTypes(), llvm::IsaPred<MemRefType>);
  return hasBuffers ? Form::Tile : Form::Tensor;
}

static std::string printType(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

std::optional<runtime::ElementType> npu::interpreter::getHostType(Type type) {
  return runtime::parseElementType(printType(type));
}

Signature npu::interpreter::getSignature(KernelOp kernel) {
  Signature signature;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || kernel.getConstant(index))
      continue;
    if (!kernel.isOutput(index) || kernel.isInOut(index))
      signature.inputs.push_back(shaped);
    if (kernel.isOutput(index))
      signature.outputs.push_back(shaped);
  }
  for (Type type : kernel.getResultTypes())
    if (auto shaped = dyn_cast<ShapedType>(type))
      signature.outputs.push_back(shaped);
  return signature;
}

/// The bytes of a tensor or buffer, the most that there are where they are more.
static int64_t getBytes(ShapedType type) {
  uint64_t bytes = getElementBytes(type);
  for (int64_t extent : type.getShape())
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent);
  return std::min<uint64_t>(bytes, INT64_MAX);
}

/// The contents of a constant, row-major, an i1 in a byte.
static std::vector<uint8_t> getContents(DenseElementsAttr constant) {
  Type type = constant.getElementType();
  std::vector<uint8_t> bytes;
  if (!constant.isSplat() && !type.isInteger(1)) {
    ArrayRef<char> raw = constant.getRawData();
    bytes.assign(raw.begin(), raw.end());
    return bytes;
  }
  int64_t size = getElementBytes(type);
  for (Attribute value : constant.getValues<Attribute>()) {
    APInt bits = llvm::isa<FloatAttr>(value) ? cast<FloatAttr>(value).getValue().bitcastToAPInt()
                                             : cast<IntegerAttr>(value).getValue();
    for (int64_t byte = 0; byte < size; ++byte)
      bytes.push_back(bits.zextOrTrunc(64).getZExtValue() >> (8 * byte));
  }
  return bytes;
}

namespace {
class Interpreter {
public:
  Interpreter(KernelOp kernel, const Options &options) : kernel(kernel), options(options) {}

  llvm::Expected<SmallVector<HostTensor>> run(ArrayRef<HostTensor> inputs);

private:
  llvm::Error bindArguments(KernelOp callee, ArrayRef<View> given);
  llvm::Error runLanes(MutableArrayRef<Lane> lanes);
  llvm::Error execute(Operation *op, Lane &lane);

  llvm::Error runAlloc(Operation *op, ShapedType type);
  llvm::Error runRing(RingOp ring, Lane &lane);
  llvm::Error runSubView(memref::SubViewOp subview);
  llvm::Error runSlice(tensor::ExtractSliceOp slice);
  llvm::Error runInsertion(tensor::InsertSliceOp slice, Lane &lane);
  llvm::Error runLoad(DmaLoadOp load, Lane &lane);
  llvm::Error runGather(DmaGatherOp gather, Lane &lane);
  llvm::Error runStore(DmaStoreOp store, Lane &lane);
  llvm::Error runFill(FillOp fill, Lane &lane);
  llvm::Error runCompute(NPUComputeOpInterface op, Lane &lane);
  llvm::Error runLaunch(LaunchOp launch, Lane &lane);

  llvm::Expected<std::shared_ptr<Memory>> getOnChip(Operation *op, int64_t cluster,
                                                    MemorySpace space);
  llvm::Error countBytes(Operation *op, int64_t bytes);
  /// The contents of a constant of `op`.
  llvm::Expected<View> getView(Operation *op, const Twine &name, DenseElementsAttr constant);
  llvm::Expected<std::shared_ptr<Memory>> allocate(Operation *op, const Twine &name, int64_t bytes);
  int64_t getCluster(scf::ForallOp clusters);
  View getView(Operation *user, Value value);
  SmallVector<int64_t> getIndices(ValueRange values) {
    return llvm::map_to_vector(values, [&](Value value) { return indices.lookup(value); });
  }
  SmallVector<int64_t> getExtents(ValueRange extents, const View &view) {
    return extents.empty() ? view.shape : getIndices(extents);
  }
  void note(Operation *op, const Lane &lane, const View &destination, ArrayRef<int64_t> offsets,
            ArrayRef<std::shared_ptr<Memory>> copies = {}) {
    if (options.onWrite)
      options.onWrite({op, lane.stream, lane.getCounters(), destination, offsets, copies});
  }

  KernelOp kernel;
  const Options &options;
  DenseMap<Value, View> views;
  /// Buffers on chip of the kernel itself that clusters other than the first have.
  DenseMap<std::pair<Value, int64_t>, View> ofClusters;
  DenseMap<Value, View> previous; ///< what allocations and views were when last executed
  DenseMap<Value, int64_t> indices;
  std::map<std::pair<int64_t, MemorySpace>, std::shared_ptr<Memory>> onChip; ///< of planned form
  std::map<int64_t, int64_t> semaphores;                                     ///< by number
  std::optional<TargetDesc> target;
  int64_t numOps = 0, numBytes = 0;
};
} // namespace

llvm::Error Interpreter::countBytes(Operation *op, int64_t bytes) {
  if (bytes > options.memoryLimit - numBytes)
    return makeOpError(op, "needs " + Twine(bytes) + " bytes, more than the limit of " +
                               Twine(options.memoryLimit) + " leaves");
  if (!llvm::isa<memref::AllocOp>(op)) // those come and go
    numBytes += bytes;
  return llvm::Error::success();
}

llvm::Expected<std::shared_ptr<Memory>> Interpreter::allocate(Operation *op, const Twine &name,
                                                              int64_t bytes) {
  if (llvm::Error error = countBytes(op, bytes))
    return std::move(error);
  return std::make_shared<Memory>(name.str(), bytes);
}

llvm::Expected<View> Interpreter::getView(Operation *op, const Twine &name,
                                          DenseElementsAttr constant) {
  if (llvm::Error error = countBytes(op, getBytes(constant.getType())))
    return std::move(error);
  return View::get(std::make_shared<Memory>(name.str(), getContents(constant)), constant.getType());
}

/// The cluster whose turn it is in a loop over them.
int64_t Interpreter::getCluster(scf::ForallOp clusters) {
  int64_t cluster = 0;
  for (auto [counter, bound] :
       llvm::zip_equal(clusters.getInductionVars(), clusters.getMixedUpperBound()))
    cluster = cluster * *getConstantIntValue(bound) + indices.lookup(counter);
  return cluster;
}

/// What `user` sees of a memref. A buffer on chip that the kernel itself allocates is one for each
/// cluster that uses it.
View Interpreter::getView(Operation *user, Value value) {
  View view = views.lookup(value);
  auto alloc = value.getDefiningOp<memref::AllocOp>();
  auto clusters = user->getParentOfType<scf::ForallOp>();
  if (!alloc || !clusters || alloc->getParentOfType<scf::ForallOp>() ||
      getMemorySpace(alloc.getType()) == MemorySpace::Dram)
    return view;
  int64_t cluster = getCluster(clusters);
  if (cluster == 0)
    return view;
  View &own = ofClusters[{value, cluster}];
  if (!own.memory)
    own =
        View::get(std::make_shared<Memory>("a buffer", getBytes(alloc.getType())), alloc.getType());
  return own;
}

/// Gives the arguments of a kernel their memory; constants bring their own.
llvm::Error Interpreter::bindArguments(KernelOp callee, ArrayRef<View> given) {
  for (BlockArgument argument : callee.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (DenseElementsAttr constant = callee.getConstant(index)) {
      if (llvm::Error error = getView(callee, "constant argument " + Twine(index), constant)
                                  .moveInto(views[argument]))
        return error;
      continue;
    }
    if (given.empty())
      return makeOpError(callee, "is given too few arguments");
    views[argument] = given.front();
    given = given.drop_front();
  }
  return llvm::Error::success();
}

llvm::Expected<SmallVector<HostTensor>> Interpreter::run(ArrayRef<HostTensor> inputs) {
  for (Type type : llvm::concat<const Type>(kernel.getArgumentTypes(), kernel.getResultTypes()))
    if (!llvm::isa<RankedTensorType, MemRefType>(type))
      return makeOpError(kernel, "expected tensors or buffers as arguments and results, found " +
                                     printType(type));
  Signature signature = getSignature(kernel);
  if (inputs.size() != signature.inputs.size())
    return makeOpError(kernel, "takes " + Twine(signature.inputs.size()) + " inputs, found " +
                                   Twine(inputs.size()));
  for (ShapedType type : llvm::concat<ShapedType>(signature.inputs, signature.outputs))
    if (!type.hasStaticShape() || !getHostType(type.getElementType()))
      return makeOpError(kernel, "expected arguments and results of static shape and of types that "
                                 "the host has");
  if (!kernel.getBody().hasOneBlock())
    return makeOpError(kernel, "expected one block but found control flow");
  if (TargetAttr attr = kernel.getTargetAttr()) {
    llvm::Expected<TargetDesc> parsed = parseTarget(attr.getName().getValue());
    if (!parsed)
      return parsed.takeError();
    target = std::move(*parsed);
  }
  SmallVector<View> given, outputs;
  unsigned nextInput = 0;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    if (kernel.getConstant(index))
      continue;
    auto shaped = cast<ShapedType>(type);
    std::string name = "argument " + std::to_string(index);
    std::shared_ptr<Memory> memory;
    if (!kernel.isOutput(index) || kernel.isInOut(index)) {
      const HostTensor &input = inputs[nextInput++];
      if (int64_t(input.getBytes().size()) != getBytes(shaped))
        return makeOpError(kernel, "expected input " + Twine(nextInput - 1) + " to have " +
                                       Twine(getBytes(shaped)) + " bytes, found " +
                                       Twine(input.getBytes().size()));
      memory = std::make_shared<Memory>(name, input.getBytes());
    } else {
      llvm::Expected<std::shared_ptr<Memory>> made = allocate(kernel, name, getBytes(shaped));
      if (!made)
        return made.takeError();
      memory = std::move(*made);
    }
    given.push_back(View::get(std::move(memory), shaped));
    if (kernel.isOutput(index))
      outputs.push_back(given.back());
  }
  if (llvm::Error error = bindArguments(kernel, given))
    return std::move(error);

  Lane lane(StreamOp(), kernel.getBody().front());
  if (llvm::Error error = runLanes(lane))
    return std::move(error);
  std::vector<Lane> streams;
  for (StreamOp stream : kernel.getBody().getOps<StreamOp>())
    streams.emplace_back(stream, stream.getBody().front());
  if (llvm::Error error = runLanes(streams))
    return std::move(error);

  if (getForm(kernel) == Form::Tensor)
    for (Value value : kernel.getBody().front().getTerminator()->getOperands())
      outputs.push_back(views.lookup(value));
  SmallVector<HostTensor> results;
  for (auto [number, view] : llvm::enumerate(outputs)) {
    if (int64_t missing = llvm::count(view.memory->isWritten, false))
      return makeOpError(kernel, "leaves " + Twine(missing) + " bytes of output " + Twine(number) +
                                     " unwritten");
    llvm::Expected<HostTensor> tensor =
        HostTensor::create(*getHostType(view.elementType), view.shape, view.getBytes());
    if (!tensor)
      return tensor.takeError();
    results.push_back(std::move(*tensor));
  }
  return results;
}

/// Runs the lanes in turn, each until it waits.
llvm::Error Interpreter::runLanes(MutableArrayRef<Lane> lanes) {
  while (true) {
    bool hasMoved = false, isDone = true;
    Operation *waiting = nullptr;
    for (Lane &lane : lanes) {
      while (Operation *op = lane.peek(indices)) {
        if (auto wait = dyn_cast<WaitOp>(op)) {
          int64_t value = semaphores[wait.getSem()];
          if (value < indices.lookup(wait.getValue())) {
            waiting = op;
            isDone = false;
            break;
          }
        }
        if (++numOps > options.opLimit)
          return makeOpError(op, "is past the limit of " + Twine(options.opLimit) + " ops");
        hasMoved = true;
        lane.advance();
        if (llvm::Error error = execute(op, lane))
          return error;
      }
    }
    if (isDone)
      return llvm::Error::success();
    if (!hasMoved)
      return makeOpError(waiting, "waits for a signal that never comes");
  }
}

llvm::Error Interpreter::execute(Operation *op, Lane &lane) {
  return llvm::TypeSwitch<Operation *, llvm::Error>(op)
      .Case([&](scf::ForOp loop) -> llvm::Error {
        int64_t begin = indices.lookup(loop.getLowerBound()),
                end = indices.lookup(loop.getUpperBound()), step = indices.lookup(loop.getStep());
        if (step <= 0 || loop.getNumResults() != 0)
          return makeOpError(op, "expected a loop with a positive step and without results");
        SmallVector<int64_t> values;
        lane.enter(*loop.getBody(), {{loop.getInductionVar(), begin, end, step}}, indices);
        return llvm::Error::success();
      })
      .Case([&](scf::ForallOp loop) {
        SmallVector<LoopRange> ranges;
        auto get = [&](OpFoldResult value) {
          if (auto attr = dyn_cast<Attribute>(value))
            return cast<IntegerAttr>(attr).getInt();
          return indices.lookup(cast<Value>(value));
        };
        for (auto [variable, low, high, step] :
             llvm::zip_equal(loop.getInductionVars(), loop.getMixedLowerBound(),
                             loop.getMixedUpperBound(), loop.getMixedStep()))
          ranges.push_back({variable, get(low), get(high), get(step)});
        lane.enter(*loop.getBody(), ranges, indices);
        return llvm::Error::success();
      })
      .Case([&](arith::ConstantOp constant) -> llvm::Error {
        if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()); integer) {
          indices[constant] = integer.getInt();
          return llvm::Error::success();
        }
        auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
        if (!dense)
          return makeOpError(op, "expected an index or dense elements");
        View view;
        if (llvm::Error error = getView(op, "a constant", dense).moveInto(view))
          return error;
        views[constant] = view;
        SmallVector<int64_t> offsets;
        if (options.onWrite)
          for (int64_t byte = 0, e = view.memory->bytes.size(); byte < e;
               byte += getElementBytes(dense.getType()))
            offsets.push_back(byte);
        note(op, lane, view, offsets);
        return llvm::Error::success();
      })
      .Case([&](affine::AffineApplyOp apply) {
        indices[apply] =
            evaluate(apply.getAffineMap().getResult(0), getIndices(apply.getMapOperands()));
        return llvm::Error::success();
      })
      .Case<affine::AffineMinOp, affine::AffineMaxOp>([&](auto limit) {
        SmallVector<int64_t> operands = getIndices(limit.getMapOperands());
        SmallVector<int64_t> values =
            llvm::map_to_vector(limit.getAffineMap().getResults(),
                                [&](AffineExpr expr) { return evaluate(expr, operands); });
        indices[limit] = llvm::isa<affine::AffineMinOp>(op) ? *llvm::min_element(values)
                                                            : *llvm::max_element(values);
        return llvm::Error::success();
      })
      .Case<memref::AllocOp, tensor::EmptyOp>(
          [&](auto alloc) { return runAlloc(op, cast<ShapedType>(alloc.getType())); })
      .Case([&](memref::ViewOp view) {
        View source = views.lookup(view.getSource());
        views[view] = View::get(source.memory, view.getType(),
                                source.offset + indices.lookup(view.getByteShift()));
        return llvm::Error::success();
      })
      .Case([&](memref::SubViewOp subview) { return runSubView(subview); })
      .Case([&](tensor::ExtractSliceOp slice) { return runSlice(slice); })
      .Case([&](tensor::InsertSliceOp slice) { return runInsertion(slice, lane); })
      .Case([&](PreviousOp op) {
        View view = previous.lookup(op.getBuffer());
        if (!view.memory) // in the first iteration; it is not touched then
          view = views.lookup(op.getBuffer());
        views[op] = view;
        return llvm::Error::success();
      })
      .Case([&](RingOp ring) { return runRing(ring, lane); })
      .Case([&](WaitOp) { return llvm::Error::success(); })
      .Case([&](SignalOp signal) {
        ++semaphores[signal.getSem()];
        return llvm::Error::success();
      })
      .Case([&](DmaLoadOp load) { return runLoad(load, lane); })
      .Case([&](DmaGatherOp gather) { return runGather(gather, lane); })
      .Case([&](DmaStoreOp store) { return runStore(store, lane); })
      .Case([&](FillOp fill) { return runFill(fill, lane); })
      .Case([&](LaunchOp launch) { return runLaunch(launch, lane); })
      .Case([&](NPUComputeOpInterface compute) { return runCompute(compute, lane); })
      .Case<StreamOp, ReturnOp, scf::YieldOp, scf::InParallelOp>(
          [](auto) { return llvm::Error::success(); })
      .Default([](Operation *op) { return makeOpError(op, "cannot be interpreted"); });
}

llvm::Error Interpreter::runAlloc(Operation *op, ShapedType type) {
  Value result = op->getResult(0);
  // Memory in DRAM lives as long as the kernel, that on chip as long as somebody sees it.
  llvm::Expected<std::shared_ptr<Memory>> memory = allocate(op, "a buffer", getBytes(type));
  if (!memory)
    return memory.takeError();
  previous[result] = views.lookup(result);
  views[result] = View::get(std::move(*memory), type);
  return llvm::Error::success();
}

/// A memory of planned form; it is made when `op` is the first that uses it.
llvm::Expected<std::shared_ptr<Memory>> Interpreter::getOnChip(Operation *op, int64_t cluster,
                                                               MemorySpace space) {
  std::shared_ptr<Memory> &memory = onChip[{cluster, space}];
  if (memory)
    return memory;
  if (!target)
    return makeOpError(op, "expected the kernel's target");
  int64_t size = space == MemorySpace::Acc ? target->accBytes : target->sramBytes;
  std::string name = (space == MemorySpace::Acc ? "acc" : "sram");
  llvm::Expected<std::shared_ptr<Memory>> made =
      allocate(op, "cluster " + Twine(cluster) + " " + name, size);
  if (made)
    memory = *made;
  return made;
}

llvm::Error Interpreter::runRing(RingOp ring, Lane &lane) {
  auto type = cast<MemRefType>(ring.getBuffer().getType());
  std::optional<MemorySpace> space = getMemorySpace(type);
  if (!ring.getOffset() || !space)
    return makeOpError(ring, "expected an offset and a memory space");
  llvm::Expected<std::shared_ptr<Memory>> memory = getOnChip(ring, lane.getCluster(), *space);
  if (!memory)
    return memory.takeError();
  int64_t size = (*memory)->bytes.size();
  int64_t slot = llvm::mod(indices.lookup(ring.getPosition()), int64_t(ring.getDepth()));
  int64_t offset = int64_t(*ring.getOffset()) + slot * int64_t(ring.getSlotBytes());
  if (offset < 0 || getBytes(type) > size - offset)
    return makeOpError(ring, "has " + Twine(getBytes(type)) + " bytes at " + Twine(offset) +
                                 " of " + (*memory)->name + ", which has " + Twine(size));
  views[ring.getBuffer()] = View::get(std::move(*memory), type, offset);
  return llvm::Error::success();
}

llvm::Error Interpreter::runSubView(memref::SubViewOp subview) {
  View view = getView(subview, subview.getSource());
  SmallVector<int64_t> dynamic = getIndices(subview.getOffsets());
  const int64_t *next = dynamic.begin();
  bool isInside = true;
  llvm::SmallBitVector dropped = subview.getDroppedDims();
  View result{view.memory, view.offset, {}, {}, view.elementType};
  for (unsigned dim = 0; dim < view.shape.size(); ++dim) {
    int64_t offset = subview.getStaticOffsets()[dim];
    if (ShapedType::isDynamic(offset))
      offset = *next++;
    int64_t size = subview.getStaticSizes()[dim], stride = subview.getStaticStrides()[dim];
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic(stride))
      return makeOpError(subview, "expected static sizes and strides");
    if (stride < 1)
      return makeOpError(subview, "expected strides of at least 1, found " + Twine(stride) +
                                      " in dimension " + Twine(dim));
    // What is outside is not touched: a whole instance, or the rest of a part.
    isInside &= offset >= 0 && offset < view.shape[dim];
    size = std::clamp<int64_t>((view.shape[dim] - offset + stride - 1) / stride, 0, size);
    result.offset += offset * view.strides[dim];
    if (dropped[dim])
      continue;
    result.shape.push_back(size);
    result.strides.push_back(stride * view.strides[dim]);
  }
  if (!isInside)
    result.shape.assign(result.shape.size(), 0);
  previous[subview] = views.lookup(subview);
  views[subview] = std::move(result);
  return llvm::Error::success();
}

/// The view of `slice`, all of whose numbers are static. Fails for one that is not inside of
/// `view`: kernels in files need not be verified.
static llvm::Expected<View> getSlice(const View &view, OffsetSizeAndStrideOpInterface slice,
                                     const llvm::SmallBitVector &dropped) {
  View result{view.memory, view.offset, {}, {}, view.elementType};
  for (auto [dim, offset, size, stride] : llvm::enumerate(
           slice.getStaticOffsets(), slice.getStaticSizes(), slice.getStaticStrides())) {
    __int128 extent = view.shape[dim], last = offset + __int128(size - 1) * stride;
    if (size > 0 && (offset < 0 || offset >= extent || last < 0 || last >= extent))
      return makeOpError(slice, "expected a slice inside of the " + Twine(view.shape[dim]) +
                                    " elements of dimension " + Twine(dim) + ", found offset " +
                                    Twine(offset) + ", size " + Twine(size) + ", stride " +
                                    Twine(stride));
    result.offset += offset * view.strides[dim];
    if (dropped[dim])
      continue;
    result.shape.push_back(size);
    result.strides.push_back(stride * view.strides[dim]);
  }
  return result;
}

llvm::Error Interpreter::runSlice(tensor::ExtractSliceOp slice) {
  if (!slice.getType().hasStaticShape() || slice.getNumOperands() != 1)
    return makeOpError(slice, "expected a static slice");
  llvm::Expected<View> view =
      getSlice(views.lookup(slice.getSource()), slice, slice.getDroppedDims());
  if (!view)
    return view.takeError();
  views[slice] = std::move(*view);
  return llvm::Error::success();
}

llvm::Error Interpreter::runInsertion(tensor::InsertSliceOp slice, Lane &lane) {
  if (slice.getNumOperands() != 2)
    return makeOpError(slice, "expected a static slice");
  llvm::Expected<std::shared_ptr<Memory>> memory =
      allocate(slice, "a result", getBytes(slice.getType()));
  if (!memory)
    return memory.takeError();
  View result = View::get(std::move(*memory), slice.getType());
  writeBytes(*result.memory, 0, views.lookup(slice.getDest()).getBytes());
  View source = views.lookup(slice.getSource());
  llvm::Expected<View> target = getSlice(result, slice, slice.getDroppedDims());
  if (!target)
    return target.takeError();
  AffineMap identity = AffineMap::getMultiDimIdentityMap(source.shape.size(), slice.getContext());
  Access from(source, identity), to(*target, identity);
  int64_t bytes = getElementBytes(source.elementType);
  std::vector<int64_t> written;
  forEachPosition(source.shape, [&](ArrayRef<int64_t> position) {
    written.push_back(*to.find(position));
    writeBytes(*result.memory, written.back(),
               ArrayRef(source.memory->bytes).slice(*from.find(position), bytes));
  });
  views[slice] = result;
  note(slice, lane, result, written);
  return llvm::Error::success();
}

llvm::Error Interpreter::runLoad(DmaLoadOp load, Lane &lane) {
  int64_t leader = load.getLeader(), receivers = load.getClusters().value_or(1);
  // In tile form each cluster loads for itself.
  if (auto clusters = load->getParentOfType<scf::ForallOp>(); clusters && load.getClusters())
    if (int64_t cluster = getCluster(clusters); cluster >= receivers && cluster != leader)
      return llvm::Error::success();
  View chip = getView(load, load.getDst()), source = getView(load, load.getSrc());
  SmallVector<int64_t> origin = getIndices(load.getOrigin());
  SmallVector<int64_t> extents = getExtents(load.getExtents(), chip);
  int64_t bytes = getElementBytes(chip.elementType);
  Access to(chip, AffineMap::getMultiDimIdentityMap(chip.shape.size(), load.getContext()));
  Access from(source, load.getEffectiveMap());
  SmallVector<uint8_t, 8> fill(bytes, 0);
  if (load.getFillAttr())
    fill = getBytes(load.getFillAttr(), chip.elementType);
  SmallVector<std::shared_ptr<Memory>> others;
  if (load->getParentOfType<StreamOp>())
    for (int64_t cluster = 0; cluster < receivers; ++cluster) {
      if (cluster == leader)
        continue;
      llvm::Expected<std::shared_ptr<Memory>> memory =
          getOnChip(load, cluster, *getMemorySpace(load.getDst().getType()));
      if (!memory)
        return memory.takeError();
      others.push_back(std::move(*memory));
    }
  std::vector<int64_t> written;
  llvm::Error error = llvm::Error::success();
  forEachPosition(extents, [&](ArrayRef<int64_t> position) {
    if (error)
      return;
    std::optional<int64_t> destination = to.find(position), place = from.find(position, origin);
    if (!destination) {
      error = makeOpError(load, "writes outside of its buffer");
      return;
    }
    ArrayRef<uint8_t> value = fill;
    if (place) {
      if ((error = expectValue(load, *source.memory, *place, bytes)))
        return;
      value = ArrayRef(source.memory->bytes).slice(*place, bytes);
    }
    writeBytes(*chip.memory, *destination, value);
    for (const std::shared_ptr<Memory> &other : others)
      writeBytes(*other, *destination, value);
    written.push_back(*destination);
  });
  if (error)
    return error;
  note(load, lane, chip, written, others);
  return llvm::Error::success();
}

llvm::Error Interpreter::runGather(DmaGatherOp gather, Lane &lane) {
  View chip = getView(gather, gather.getDst()), source = views.lookup(gather.getSrc());
  View chosen = getView(gather, gather.getIndices());
  SmallVector<int64_t> origin = getIndices(gather.getOrigin());
  SmallVector<int64_t> extents = getExtents(gather.getExtents(), chip);
  int64_t bytes = getElementBytes(chip.elementType);
  Access to(chip, AffineMap::getMultiDimIdentityMap(chip.shape.size(), gather.getContext()));
  Access from(source, gather.getMap()), at(chosen, gather.getIndexMap());
  std::vector<int64_t> written;
  llvm::Error error = llvm::Error::success();
  forEachPosition(extents, [&](ArrayRef<int64_t> position) {
    if (error)
      return;
    std::optional<int64_t> destination = to.find(position), entry = at.find(position);
    if (!destination || !entry) {
      error = makeOpError(gather, "goes outside of its buffers");
      return;
    }
    if ((error = expectValue(gather, *chosen.memory, *entry, 4)))
      return;
    int32_t index = 0;
    std::memcpy(&index, chosen.memory->bytes.data() + *entry, 4);
    SmallVector<int64_t> moved = origin;
    moved[gather.getDimension()] += index;
    std::optional<int64_t> place = from.find(position, moved);
    if (!place) {
      error = makeOpError(gather, "has index " + Twine(index) + ", outside of its source");
      return;
    }
    if ((error = expectValue(gather, *source.memory, *place, bytes)))
      return;
    writeBytes(*chip.memory, *destination, ArrayRef(source.memory->bytes).slice(*place, bytes));
    written.push_back(*destination);
  });
  if (error)
    return error;
  note(gather, lane, chip, written);
  return llvm::Error::success();
}

llvm::Error Interpreter::runStore(DmaStoreOp store, Lane &lane) {
  View chip = getView(store, store.getSrc()), dram = views.lookup(store.getDst());
  SmallVector<int64_t> origin = getIndices(store.getOrigin());
  SmallVector<int64_t> extents = getExtents(store.getExtents(), chip);
  int64_t bytes = getElementBytes(chip.elementType);
  Access from(chip, AffineMap::getMultiDimIdentityMap(chip.shape.size(), store.getContext()));
  Access to(dram, store.getEffectiveMap());
  std::vector<int64_t> written;
  llvm::Error error = llvm::Error::success();
  forEachPosition(extents, [&](ArrayRef<int64_t> position) {
    if (error)
      return;
    std::optional<int64_t> place = from.find(position), destination = to.find(position, origin);
    if (!place) {
      error = makeOpError(store, "reads outside of its buffer");
      return;
    }
    if (!destination)
      return;
    if ((error = expectValue(store, *chip.memory, *place, bytes)))
      return;
    writeBytes(*dram.memory, *destination, ArrayRef(chip.memory->bytes).slice(*place, bytes));
    written.push_back(*destination);
  });
  if (error)
    return error;
  note(store, lane, dram, written);
  return llvm::Error::success();
}

llvm::Error Interpreter::runFill(FillOp fill, Lane &lane) {
  View view = getView(fill, fill.getDst());
  SmallVector<uint8_t, 8> value = getBytes(fill.getValue(), view.elementType);
  if (value.empty())
    return makeOpError(fill, "expected an element type that the chip has");
  std::vector<int64_t> written;
  Access access(view, AffineMap::getMultiDimIdentityMap(view.shape.size(), fill.getContext()));
  forEachPosition(view.shape, [&](ArrayRef<int64_t> position) {
    writeBytes(*view.memory, *access.find(position), value);
    written.push_back(*access.find(position));
  });
  note(fill, lane, view, written);
  return llvm::Error::success();
}

/// Whether a destination's contents come first: `accumulate` says, or the counters of `init`.
static bool accumulates(Operation *op, function_ref<SmallVector<int64_t>(ValueRange)> getIndices) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<MatmulOp, ConvOp, ReduceOp, PoolOp>([&](auto sum) {
        if (sum.getInit().empty())
          return bool(sum.getAccumulate());
        return llvm::any_of(getIndices(sum.getInit()), [](int64_t i) { return i != 0; });
      })
      .Default([](Operation *) { return false; });
}

llvm::Error Interpreter::runCompute(NPUComputeOpInterface op, Lane &lane) {
  Operands operands;
  for (OpOperand *operand : op.getDataOperands())
    operands.views.push_back(getView(op, operand->get()));
  operands.accumulates = accumulates(op, [&](ValueRange values) { return getIndices(values); });
  llvm::TypeSwitch<Operation *>(op).Case<MatmulOp, ConvOp>([&](auto contraction) {
    // In the first iteration of all loops.
    bool isFirst = true;
    for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
         loop = loop->getParentOfType<scf::ForOp>())
      isFirst &= indices.lookup(loop.getInductionVar()) == 0;
    if (isFirst)
      operands.begin = contraction.getBegin().value_or(ArrayRef<int64_t>());
  });
  if (auto iota = dyn_cast<IotaOp>(*op); iota && iota.getOrigin())
    operands.origin = indices.lookup(iota.getOrigin());
  if (!op.hasBufferForm()) {
    auto type = cast<ShapedType>(op->getResult(0).getType());
    llvm::Expected<std::shared_ptr<Memory>> memory = allocate(op, "a result", getBytes(type));
    if (!memory)
      return memory.takeError();
    View result = View::get(std::move(*memory), type);
    if (operands.accumulates) {
      std::vector<uint8_t> bytes = operands.views.back().getBytes();
      writeBytes(*result.memory, 0, bytes);
    }
    views[op->getResult(0)] = operands.views.back() = result;
  }
  operands.extents =
      op.getTileExtents().empty() ? op.getStaticLoopRanges() : getIndices(op.getTileExtents());
  // The array does nothing where it has nothing to multiply; it does not overwrite with empty sums.
  bool isIdle = op.hasBufferForm() && op.getEngine() == Engine::Mxu &&
                llvm::any_of(operands.extents, [](int64_t extent) { return extent <= 0; });
  llvm::Expected<std::vector<int64_t>> written =
      isIdle ? std::vector<int64_t>() : compute(op, operands);
  if (!written)
    return written.takeError();
  note(op, lane, operands.views.back(), *written);
  return llvm::Error::success();
}

/// The callee's block is the next to be executed.
llvm::Error Interpreter::runLaunch(LaunchOp launch, Lane &lane) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<KernelOp>(launch, launch.getCalleeAttr());
  if (!callee)
    return makeOpError(launch, "launches an unknown kernel");
  if (llvm::Error error =
          bindArguments(callee, llvm::map_to_vector(launch.getOperands(), [&](Value operand) {
                          return views.lookup(operand);
                        })))
    return error;
  lane.enter(callee.getBody().front(), {}, indices);
  return llvm::Error::success();
}

llvm::Expected<SmallVector<HostTensor>>
npu::interpreter::interpret(KernelOp kernel, ArrayRef<HostTensor> inputs, const Options &options) {
  return Interpreter(kernel, options).run(inputs);
}
