//===- Strips.cpp - kernels strip by strip --------------------------------===//

#include "Strips.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu;

namespace {
/// Indices of a tensor along one of its dimensions.
struct Section {
  int64_t axis, begin, end;

  bool operator==(const Section &other) const {
    return axis == other.axis && begin == other.begin && end == other.end;
  }
};

/// A part of a tensor, or all of it.
using Need = std::optional<Section>;

class StripCutter {
public:
  StripCutter(KernelOp kernel, int64_t axis, int64_t begin, int64_t size)
      : kernel(kernel), axis(axis), begin(begin), size(size) {}

  /// Finds out which part of each tensor the strip needs.
  LogicalResult collect();
  Strip cut();
  int64_t getWindowedBytes();

private:
  LogicalResult collect(NPUComputeOpInterface op);
  LogicalResult addNeed(Value value, Need need);
  void createArguments();
  Value getArgument(BlockArgument argument, Need need);
  Value getOperand(OpOperand &operand, Need need);
  void cut(NPUComputeOpInterface op);

  KernelOp kernel;
  int64_t axis, begin, size;
  DenseMap<Value, Need> needs; ///< of what ops of the kernel make

  // The strip under way.
  OpBuilder builder{kernel.getContext()};
  IRMapping mapping;
  Block *entry = nullptr;
  Strip strip;
  /// Parts of the kernel's arguments: those of each, in the order in which ops take them.
  std::vector<SmallVector<Need, 1>> argumentNeeds;
  std::vector<SmallVector<Value, 1>> arguments;
};
} // namespace

//===----------------------------------------------------------------------===//
// What is needed
//===----------------------------------------------------------------------===//

/// Whether each element of the op's result is made from the elements that its maps tell, wherever
/// it is in the tensor.
static bool isUniform(Operation *op) {
  return llvm::isa<MatmulOp, ConvOp, UnaryOp, CopyOp, BinaryOp, SelectOp, ClampOp, CastOp, TableOp,
                   RequantizeOp, RescaleOp, ReduceOp, PoolOp>(op);
}

static RankedTensorType getPartType(Type type, Need need) {
  auto tensor = cast<RankedTensorType>(type);
  if (!need)
    return tensor;
  SmallVector<int64_t> shape(tensor.getShape());
  shape[need->axis] = need->end - need->begin;
  return tensor.clone(shape);
}

/// The dimension of the domain along which the op is cut, if it is.
static FailureOr<std::optional<unsigned>> findDim(NPUComputeOpInterface op, Need need) {
  if (!need)
    return std::optional<unsigned>();
  auto dim = dyn_cast<AffineDimExpr>(op.getIndexingMapsArray().back().getResult(need->axis));
  if (!dim)
    return failure();
  return std::optional<unsigned>(dim.getPosition());
}

/// Coordinates of an operand that indices of a dimension reach, which may be outside of it. Their
/// factors are not negative.
static std::pair<int64_t, int64_t> getReach(NPUComputeOpInterface op, AffineExpr coordinate,
                                            unsigned dim, Need need) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  AffineMap map = AffineMap::get(extents.size(), 0, coordinate);
  SmallVector<int64_t> first(extents.size(), 0), last;
  for (int64_t extent : extents)
    last.push_back(extent - 1);
  first[dim] = need->begin;
  last[dim] = need->end - 1;
  return {map.compose(first).front(), map.compose(last).front() + 1};
}

/// What an op that is cut so needs of an operand: of one dimension at most a part.
static FailureOr<Need> getOperandNeed(NPUComputeOpInterface op, AffineMap map, ShapedType type,
                                      std::optional<unsigned> dim, Need need) {
  Need result;
  if (!dim)
    return result;
  for (auto [axis, coordinate] : llvm::enumerate(map.getResults())) {
    if (!coordinate.isFunctionOfDim(*dim))
      continue;
    if (result)
      return failure();
    auto [first, end] = getReach(op, coordinate, *dim, need);
    result = Section{int64_t(axis), std::max<int64_t>(first, 0),
                     std::min<int64_t>(end, type.getDimSize(axis))};
    if (result->begin >= result->end)
      return failure();
  }
  return result;
}

LogicalResult StripCutter::addNeed(Value value, Need need) {
  Operation *writer = value.getDefiningOp();
  if (!writer || llvm::isa<tensor::EmptyOp>(writer))
    return success();
  if (llvm::isa<arith::ConstantOp>(writer))
    return success(!need);
  auto [known, isNew] = needs.try_emplace(value, need);
  return success(isNew || known->second == need);
}

LogicalResult StripCutter::collect(NPUComputeOpInterface op) {
  // What nobody needs is in no strip, whose stages would have other names.
  auto known = needs.find(op->getResult(0));
  if (known == needs.end() || !isUniform(op))
    return failure();
  Need need = known->second;
  FailureOr<std::optional<unsigned>> dim = findDim(op, need);
  if (failed(dim))
    return failure();
  for (auto [operand, map] : llvm::zip_equal(op.getDataOperands(), op.getIndexingMapsArray())) {
    FailureOr<Need> part =
        getOperandNeed(op, map, cast<ShapedType>(operand->get().getType()), *dim, need);
    if (failed(part) || failed(addNeed(operand->get(), *part)))
      return failure();
  }
  return success();
}

LogicalResult StripCutter::collect() {
  Block &body = kernel.getBody().front();
  int64_t extent = cast<ShapedType>(kernel.getResultTypes().front()).getDimSize(axis);
  for (Value result : body.getTerminator()->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || axis >= type.getRank() || type.getDimSize(axis) != extent ||
        !result.getDefiningOp<NPUComputeOpInterface>() ||
        failed(addNeed(result, Section{axis, begin, begin + size})))
      return failure();
  }
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    if (llvm::isa<tensor::EmptyOp, arith::ConstantOp>(op))
      continue;
    auto compute = dyn_cast<NPUComputeOpInterface>(op);
    if (!compute || compute->getNumResults() != 1 || failed(collect(compute)))
      return failure();
  }
  return success();
}

int64_t StripCutter::getWindowedBytes() {
  int64_t most = 0;
  for (auto op : kernel.getBody().getOps<NPUComputeOpInterface>())
    for (auto [operand, map] : llvm::zip_equal(op.getDataOperands(), op.getIndexingMapsArray())) {
      auto known = needs.find(operand->get());
      if (known == needs.end() || !known->second)
        continue;
      unsigned dim = **findDim(op, needs.lookup(op->getResult(0)));
      auto [first, end] = getReach(op, map.getResult(known->second->axis), dim, Section{0, 0, 1});
      if (end - first > 1)
        most = std::max(most, getByteSize(getPartType(operand->get().getType(), known->second)));
    }
  return most;
}

std::optional<int64_t> npu::getWindowedBytes(KernelOp kernel, int64_t axis, int64_t size) {
  auto type = cast<ShapedType>(kernel.getResultTypes().front());
  if (axis >= type.getRank() || size > type.getDimSize(axis))
    return std::nullopt;
  StripCutter cutter(kernel, axis, (type.getDimSize(axis) - size) / 2, size);
  if (failed(cutter.collect()))
    return std::nullopt;
  return cutter.getWindowedBytes();
}

std::optional<int64_t> npu::findStripAxis(KernelOp kernel) {
  auto type = cast<ShapedType>(kernel.getResultTypes().front());
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (std::optional<int64_t> bytes = npu::getWindowedBytes(kernel, axis, 1); bytes && *bytes > 0)
      return axis;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

/// The first part of each argument has its place among the arguments, others come behind all.
void StripCutter::createArguments() {
  size_t count = kernel.getArgumentTypes().size();
  argumentNeeds.resize(count);
  arguments.resize(count);
  for (auto op : kernel.getBody().getOps<NPUComputeOpInterface>()) {
    Need ofResult = needs.lookup(op->getResult(0));
    std::optional<unsigned> dim = *findDim(op, ofResult);
    for (auto [operand, map] : llvm::zip_equal(op.getDataOperands(), op.getIndexingMapsArray()))
      if (auto argument = dyn_cast<BlockArgument>(operand->get())) {
        Need need = *getOperandNeed(op, map, cast<ShapedType>(argument.getType()), dim, ofResult);
        SmallVector<Need, 1> &ofArgument = argumentNeeds[argument.getArgNumber()];
        if (!llvm::is_contained(ofArgument, need))
          ofArgument.push_back(need);
      }
  }
  auto add = [&](unsigned index, Need need) {
    BlockArgument argument = kernel.getBody().getArgument(index);
    strip.arguments.push_back({index, need ? need->axis : 0, need ? need->begin : 0});
    arguments[index].push_back(
        entry->addArgument(getPartType(argument.getType(), need), argument.getLoc()));
  };
  for (auto [index, ofArgument] : llvm::enumerate(argumentNeeds))
    if (!ofArgument.empty())
      add(index, ofArgument.front());
  for (auto [index, ofArgument] : llvm::enumerate(argumentNeeds))
    for (Need need : ArrayRef(ofArgument).drop_front(!ofArgument.empty()))
      add(index, need);
}

Value StripCutter::getArgument(BlockArgument argument, Need need) {
  unsigned index = argument.getArgNumber();
  return arguments[index][llvm::find(argumentNeeds[index], need) - argumentNeeds[index].begin()];
}

Value StripCutter::getOperand(OpOperand &operand, Need need) {
  if (auto argument = dyn_cast<BlockArgument>(operand.get()))
    return getArgument(argument, need);
  if (Value known = mapping.lookupOrNull(operand.get()))
    return known;
  Operation *writer = operand.get().getDefiningOp();
  if (auto empty = dyn_cast<tensor::EmptyOp>(writer)) {
    RankedTensorType type = getPartType(empty.getType(), need);
    return tensor::EmptyOp::create(builder, empty.getLoc(), type.getShape(), type.getElementType());
  }
  return builder.clone(*writer, mapping)->getResult(0); // a constant
}

/// Makes coordinates of the first operand those in the part of it that the strip has.
static void shiftWindows(NPUComputeOpInterface original, Operation *clone, unsigned dim,
                         Need resultNeed, Section input) {
  AffineMap map = original.getIndexingMapsArray().front();
  AffineExpr coordinate = map.getResult(input.axis);
  auto [first, end] = getReach(original, coordinate, dim, resultNeed);
  if (auto conv = dyn_cast<ConvOp>(clone)) {
    size_t space = conv.getSpaceLetters().find(conv.getLayoutInput()[input.axis]);
    if (space == StringRef::npos)
      return;
    SmallVector<int64_t> low = conv.getPadLowValues(), high = conv.getPadHighValues();
    low[space] = input.begin - first;
    high[space] = end - input.end;
    conv.setPadLow(low);
    conv.setPadHigh(high);
    return;
  }
  if (!llvm::isa<PoolOp, CopyOp>(clone))
    return;
  SmallVector<int64_t> zeros(map.getNumDims(), 0);
  int64_t constant = AffineMap::get(map.getNumDims(), 0, coordinate).compose(zeros).front();
  SmallVector<AffineExpr> coordinates(map.getResults());
  coordinates[input.axis] = coordinate + (first - constant - input.begin);
  Builder builder(clone->getContext());
  clone->setAttr("indexing_maps",
                 builder.getAffineMapArrayAttr(
                     {AffineMap::get(map.getNumDims(), 0, coordinates, clone->getContext()),
                      original.getIndexingMapsArray().back()}));
}

void StripCutter::cut(NPUComputeOpInterface op) {
  Need need = needs.lookup(op->getResult(0));
  std::optional<unsigned> dim = *findDim(op, need);
  SmallVector<Need> operandNeeds;
  SmallVector<Value> operands;
  for (auto [operand, map] : llvm::zip_equal(op.getDataOperands(), op.getIndexingMapsArray())) {
    operandNeeds.push_back(
        *getOperandNeed(op, map, cast<ShapedType>(operand->get().getType()), dim, need));
    operands.push_back(getOperand(*operand, operandNeeds.back()));
  }
  Operation *clone = builder.clone(*op, mapping);
  for (auto [operand, value] : llvm::zip_equal(op.getDataOperands(), operands))
    clone->setOperand(operand->getOperandNumber(), value);
  clone->getResult(0).setType(getPartType(op->getResult(0).getType(), need));
  if (dim && operandNeeds.front())
    shiftWindows(op, clone, *dim, need, *operandNeeds.front());
}

Strip StripCutter::cut() {
  Location loc = kernel.getLoc();
  auto own = KernelOp::create(builder, loc, kernel.getSymName(), builder.getFunctionType({}, {}),
                              kernel.getTargetAttr());
  strip.kernel = own;
  own.setPrivate();
  entry = builder.createBlock(&own.getBody());
  createArguments();
  Block &body = kernel.getBody().front();
  for (auto op : body.getOps<NPUComputeOpInterface>())
    cut(op);
  if (ResidentAttr resident = kernel.getResidentAttr()) {
    SmallVector<int64_t> ofStrip;
    for (auto [index, part] : llvm::enumerate(strip.arguments))
      if (llvm::is_contained(resident.getArguments(), part.index))
        ofStrip.push_back(index);
    own.setResidentAttr(ResidentAttr::get(kernel.getContext(), ofStrip, resident.getResults(),
                                          resident.getBytes(), resident.getDims(),
                                          resident.getHidden()));
  }
  SmallVector<Value> results;
  for (auto [index, result] : llvm::enumerate(body.getTerminator()->getOperands())) {
    results.push_back(mapping.lookup(result));
    strip.results.push_back({unsigned(index), axis, begin});
  }
  ReturnOp::create(builder, loc, results);
  own.setFunctionType(
      builder.getFunctionType(entry->getArgumentTypes(), ValueRange(results).getTypes()));
  return std::move(strip);
}

/// Whether both do the same, wherever they are from.
static bool areEqual(KernelOp a, KernelOp b) {
  return OperationEquivalence::isEquivalentTo(a, b, OperationEquivalence::IgnoreLocations);
}

std::optional<std::vector<EqualStrips>> npu::cutIntoStrips(KernelOp kernel, int64_t axis,
                                                           int64_t size) {
  auto type = cast<ShapedType>(kernel.getResultTypes().front());
  if (axis >= type.getRank())
    return std::nullopt;
  std::vector<EqualStrips> strips;
  for (int64_t begin = 0, extent = type.getDimSize(axis); begin < extent; begin += size) {
    StripCutter cutter(kernel, axis, begin, std::min(size, extent - begin));
    if (failed(cutter.collect()))
      return std::nullopt;
    Strip strip = cutter.cut();
    if (strips.empty() || !areEqual(*strips.back().front().kernel, *strip.kernel))
      strips.emplace_back();
    strips.back().push_back(std::move(strip));
  }
  return strips;
}

//===----------------------------------------------------------------------===//
// Schedules of strips
//===----------------------------------------------------------------------===//

ScheduleStripsAttr npu::getStrips(ScheduleAttr schedule) {
  ArrayRef<Attribute> body = schedule.getBody();
  return body.size() == 1 ? dyn_cast<ScheduleStripsAttr>(body.front()) : ScheduleStripsAttr();
}

LogicalResult
npu::forEachScheduledStrip(KernelOp kernel, ScheduleStripsAttr attr,
                           function_ref<void(EqualStrips &, const ScheduleTree &)> onStrips) {
  std::optional<std::vector<EqualStrips>> strips =
      cutIntoStrips(kernel, attr.getAxis(), attr.getSize());
  if (!strips)
    return kernel.emitOpError("expected results whose dimension ")
           << attr.getAxis()
           << " can be cut into strips, each made from a part of every operand; give it a schedule "
              "without 'strips'";
  auto type = cast<ShapedType>(kernel.getResultTypes().front());
  if (int64_t extent = type.getDimSize(attr.getAxis()); attr.getSize() > extent)
    return kernel.emitOpError("expected strips of at most ")
           << extent << " indices of dimension " << attr.getAxis() << ", found " << attr.getSize();
  if (strips->size() != attr.getBodies().size())
    return kernel.emitOpError("expected a schedule for each kind of strip, of which there are ")
           << strips->size() << ", but found " << attr.getBodies().size();
  for (auto [equal, body] : llvm::zip_equal(*strips, attr.getBodies())) {
    KernelOp first = *equal.front().kernel;
    FailureOr<StageGraph> graph = StageGraph::analyze(first);
    if (failed(graph))
      return failure();
    auto schedule = ScheduleAttr::get(kernel.getContext(), body.getValue(), /*cycles=*/0);
    first.setScheduleAttr(schedule);
    FailureOr<ScheduleTree> tree = ScheduleTree::create(*graph, schedule);
    if (failed(tree))
      return failure();
    onStrips(equal, *tree);
  }
  return success();
}
