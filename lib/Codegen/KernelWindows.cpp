//===- KernelWindows.cpp - dispatches of a segment in one kernel ----------===//

#include "KernelWindows.h"

#include "ExpandShapes.h"

#include "NPU/Support/PartLocation.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"

#include <set>

using namespace mlir;
using namespace npu;

/// More dispatches in a kernel are not tried: the search takes longer with each, and values that
/// all of them hand on rarely fit.
static constexpr size_t maxWindow = 4;

/// With those that make something for others, as floats of weights.
static constexpr size_t maxLength = 2 * maxWindow - 1;

/// What a tensor in a segment is without the reshapes that show it so.
static Value getRoot(Value value) {
  while (auto view = value.getDefiningOp<flow::TensorReshapeOp>()) {
    if (!llvm::isa<SegmentOp>(view->getParentOp()))
      break;
    value = view.getSource();
  }
  return value;
}

/// Whether anything but `window` uses a result of one of its dispatches.
static bool isNeededOutside(Value result, ArrayRef<flow::DispatchOp> window) {
  return llvm::any_of(result.getUsers(), [&](Operation *user) {
    if (auto view = dyn_cast<flow::TensorReshapeOp>(user))
      return isNeededOutside(view.getResult(), window);
    auto dispatch = dyn_cast<flow::DispatchOp>(user);
    return !dispatch || !llvm::is_contained(window, dispatch);
  });
}

/// Whether the search tries a kernel of these dispatches. Those behind the first that take nothing
/// of the others do not count.
static bool isTried(ArrayRef<flow::DispatchOp> window) {
  return window.size() -
             llvm::count_if(window.drop_front(),
                            [&](flow::DispatchOp dispatch) {
                              return llvm::none_of(dispatch.getArguments(), [&](Value operand) {
                                auto writer = getRoot(operand).getDefiningOp<flow::DispatchOp>();
                                return writer && llvm::is_contained(window, writer);
                              });
                            }) <=
         maxWindow;
}

static bool isArrayOp(Operation *op) {
  auto compute = dyn_cast<NPUComputeOpInterface>(op);
  return compute && compute.getEngine() == Engine::Mxu;
}

static bool computesOnArray(KernelOp kernel) {
  return llvm::any_of(kernel.getBody().getOps(), [](Operation &op) { return isArrayOp(&op); });
}

/// Whether a contraction of another dispatch of `window` takes a result of `dispatch`: weights that
/// the vector unit makes, or what is multiplied with a product of another one.
static bool makesOperand(flow::DispatchOp dispatch, ArrayRef<flow::DispatchOp> window,
                         WindowSearch::GetKernel getKernel) {
  return llvm::any_of(window, [&](flow::DispatchOp reader) {
    return llvm::any_of(llvm::enumerate(reader.getArguments()), [&](auto operand) {
      if (getRoot(operand.value()).getDefiningOp() != dispatch)
        return false;
      Value argument = getKernel(reader).getBody().getArgument(operand.index());
      return llvm::any_of(argument.getUses(), [](OpOperand &use) {
        auto op = dyn_cast<NPUComputeOpInterface>(use.getOwner());
        return op && op.getEngine() == Engine::Mxu && &use != &op.getDestinationOperand();
      });
    });
  });
}

namespace {
/// Puts the kernels of a window into one.
class Merger {
public:
  Merger(ArrayRef<flow::DispatchOp> dispatches, WindowSearch::GetKernel getKernel)
      : dispatches(dispatches), getKernel(getKernel) {}

  /// Finds out what is taken and given. Fails if a dispatch takes nothing of those before it,
  /// unless it makes an operand for those after it, or takes it in another shape that both cannot
  /// have, and if nothing is given.
  LogicalResult connect();
  std::vector<std::pair<const void *, int64_t>> getKey() const;
  KernelOp merge();

  SmallVector<Value> inputs, outputs;

private:
  LogicalResult alignShapes();
  KernelOp getShaped(flow::DispatchOp dispatch) const;
  KernelOp makeOwn(flow::DispatchOp dispatch);

  ArrayRef<flow::DispatchOp> dispatches;
  WindowSearch::GetKernel getKernel;
  /// Kernels that take or give something with more dimensions than those of their dispatches.
  DenseMap<Operation *, std::shared_ptr<OwningOpRef<KernelOp>>> reshaped;
  /// By operand of all kernels: the result of which it is, or the input, after all results.
  SmallVector<unsigned> sources;
  SmallVector<Value> results; ///< of all dispatches
  SmallVector<Type> inputTypes;
  SmallVector<unsigned> outputNumbers; ///< among the results
};
} // namespace

KernelOp Merger::getShaped(flow::DispatchOp dispatch) const {
  auto known = reshaped.find(dispatch);
  return known == reshaped.end() ? getKernel(dispatch) : **known->second;
}

/// The dispatch's kernel, to be changed.
KernelOp Merger::makeOwn(flow::DispatchOp dispatch) {
  std::shared_ptr<OwningOpRef<KernelOp>> &own = reshaped[dispatch];
  if (!own)
    own = std::make_shared<OwningOpRef<KernelOp>>(getKernel(dispatch).clone());
  return **own;
}

static SmallVector<int64_t> dropOnes(ArrayRef<int64_t> shape) {
  return llvm::filter_to_vector(shape, [](int64_t size) { return size != 1; });
}

/// Gives what dispatches hand on in different shapes the dimensions of both.
LogicalResult Merger::alignShapes() {
  for (flow::DispatchOp reader : dispatches)
    for (auto [index, operand] : llvm::enumerate(reader.getArguments())) {
      auto result = dyn_cast<OpResult>(getRoot(operand));
      auto writer = result ? dyn_cast<flow::DispatchOp>(result.getOwner()) : flow::DispatchOp();
      if (!writer || !llvm::is_contained(dispatches, writer))
        continue;
      auto given =
          cast<RankedTensorType>(getShaped(writer).getResultTypes()[result.getResultNumber()]);
      auto taken = cast<RankedTensorType>(getShaped(reader).getArgumentTypes()[index]);
      if (given == taken)
        continue;
      std::optional<SmallVector<int64_t>> shape =
          getCommonShape(given.getShape(), taken.getShape());
      // Dimensions of one element, as those of a filter of one tap, what makes an operand of a
      // contraction gets.
      if (shape && *shape == dropOnes(taken.getShape()) && !computesOnArray(getKernel(writer)) &&
          computesOnArray(getKernel(reader)))
        shape.emplace(taken.getShape());
      if (!shape || given.getElementType() != taken.getElementType() ||
          (given.getShape() != ArrayRef(*shape) &&
           failed(expandResult(makeOwn(writer), result.getResultNumber(), *shape))) ||
          (taken.getShape() != ArrayRef(*shape) &&
           failed(expandArgument(makeOwn(reader), index, *shape))))
        return failure();
    }
  return success();
}

LogicalResult Merger::connect() {
  if (failed(alignShapes()))
    return failure();
  for (flow::DispatchOp dispatch : dispatches)
    llvm::append_range(results, dispatch.getResults());
  SmallVector<Type> resultTypes;
  for (flow::DispatchOp dispatch : dispatches)
    llvm::append_range(resultTypes, getShaped(dispatch).getResultTypes());
  for (flow::DispatchOp dispatch : dispatches) {
    bool isConnected =
        dispatch == dispatches.front() || makesOperand(dispatch, dispatches, getKernel);
    for (auto [operand, type] :
         llvm::zip_equal(dispatch.getArguments(), getShaped(dispatch).getArgumentTypes())) {
      Value root = getRoot(operand);
      if (auto *result = llvm::find(results, root); result != results.end()) {
        unsigned number = result - results.begin();
        if (resultTypes[number] != type)
          return failure();
        sources.push_back(number);
        isConnected = true;
        continue;
      }
      unsigned number = 0;
      while (number < inputs.size() && (inputs[number] != root || inputTypes[number] != type))
        ++number;
      if (number == inputs.size()) {
        inputs.push_back(root);
        inputTypes.push_back(type);
      }
      sources.push_back(results.size() + number);
    }
    if (!isConnected)
      return failure();
  }
  for (auto [number, result] : llvm::enumerate(results))
    if (isNeededOutside(result, dispatches)) {
      outputs.push_back(result);
      outputNumbers.push_back(number);
    }
  // What nobody needs is no kernel.
  return success(!outputs.empty());
}

std::vector<std::pair<const void *, int64_t>> Merger::getKey() const {
  std::vector<std::pair<const void *, int64_t>> key;
  for (flow::DispatchOp dispatch : dispatches)
    key.push_back({getKernel(dispatch).getAsOpaquePointer(), -1});
  for (unsigned source : sources)
    key.push_back({nullptr, source});
  for (unsigned output : outputNumbers)
    key.push_back({nullptr, -2 - int64_t(output)});
  return key;
}

KernelOp Merger::merge() {
  flow::DispatchOp first = dispatches.front();
  MLIRContext *context = first.getContext();
  KernelOp firstKernel = getKernel(first);
  OpBuilder builder(context);
  SmallVector<Value> values(results.size());
  SmallVector<Type> outputTypes;
  auto kernel =
      KernelOp::create(builder, first.getLoc(), firstKernel.getSymName(),
                       builder.getFunctionType(inputTypes, {}), firstKernel.getTargetAttr());
  Block *entry = builder.createBlock(&kernel.getBody());
  for (Type type : inputTypes)
    values.push_back(entry->addArgument(type, first.getLoc()));
  const unsigned *source = sources.begin();
  unsigned result = 0;
  for (auto [part, dispatch] : llvm::enumerate(dispatches)) {
    KernelOp callee = getShaped(dispatch);
    IRMapping mapping;
    for (BlockArgument argument : callee.getBody().getArguments())
      mapping.map(argument, values[*source++]);
    Block &body = callee.getBody().front();
    for (Operation &op : body.without_terminator()) {
      Operation *clone = builder.clone(op, mapping);
      clone->setLoc(getPartLocation(op.getLoc(), part));
    }
    for (Value operand : body.getTerminator()->getOperands())
      values[result++] = mapping.lookup(operand);
  }
  SmallVector<Value> returned;
  for (unsigned number : outputNumbers) {
    returned.push_back(values[number]);
    outputTypes.push_back(values[number].getType());
  }
  ReturnOp::create(builder, first.getLoc(), returned);
  kernel.setFunctionType(builder.getFunctionType(inputTypes, outputTypes));
  kernel.setPrivate();
  return kernel;
}

/// Gives kernels a schedule, or drops those that have none. It is no matter for users why, unless
/// the file says what a kernel's schedule is.
LogicalResult WindowSearch::schedule(ArrayRef<KernelOp *> kernels) {
  if (kernels.empty())
    return success();
  bool hasFailed = false;
  for (KernelOp *kernel : kernels) {
    OwningOpRef<KernelOp> given(*kernel);
    hasFailed |= file && !hasFailed && failed(file->apply(given));
    *kernel = hasFailed ? KernelOp() : given.release();
  }
  if (hasFailed)
    return failure();
  MLIRContext *context = kernels.front()->getContext();
  ScopedDiagnosticHandler ignored(context, [](Diagnostic &) { return success(); });
  ModuleOp batch = *batches.emplace_back(ModuleOp::create(UnknownLoc::get(context)));
  SymbolTable symbols(batch);
  std::vector<StringAttr> names;
  for (KernelOp *kernel : kernels) {
    OwningOpRef<ModuleOp> alone = ModuleOp::create(kernel->getLoc());
    alone->push_back(*kernel);
    PassManager check(context, ModuleOp::getOperationName());
    check.addPass(createNPUVerifyTensorForm());
    check.addPass(createNPUCheckTarget());
    if (failed(check.run(*alone))) {
      names.emplace_back();
      continue;
    }
    (*kernel)->remove();
    names.push_back(symbols.insert(*kernel));
  }
  PassManager pm(context, ModuleOp::getOperationName());
  pm.addPass(createNPUChooseTiles(tiles));
  // One that does not fit leaves the others their schedules.
  (void)pm.run(batch);
  SymbolTable scheduled(batch);
  for (auto [kernel, name] : llvm::zip_equal(kernels, names)) {
    *kernel = name ? scheduled.lookup<KernelOp>(name) : KernelOp();
    if (*kernel && !kernel->getScheduleAttr())
      *kernel = {};
  }
  return success();
}

/// What a file says and takes too long to be measured is no reason for a window.
static int64_t getCycles(KernelOp kernel) {
  constexpr int64_t unknown = int64_t(1) << 50;
  int64_t cycles = kernel.getScheduleAttr().getCycles();
  return cycles > 0 ? cycles : unknown;
}

static KernelWindow getSingle(flow::DispatchOp dispatch, WindowSearch::GetKernel getScheduled) {
  return {{dispatch},
          llvm::map_to_vector(dispatch.getArguments(), getRoot),
          llvm::to_vector(ValueRange(dispatch.getResults())),
          getScheduled(dispatch)};
}

std::vector<KernelWindow> WindowSearch::getSingles(SegmentOp segment, GetKernel getScheduled) {
  std::vector<KernelWindow> windows;
  for (auto dispatch : segment.getBody().getOps<flow::DispatchOp>())
    windows.push_back(getSingle(dispatch, getScheduled));
  return windows;
}

FailureOr<std::vector<KernelWindow>> WindowSearch::divide(SegmentOp segment, GetKernel getKernel,
                                                          GetKernel getScheduled) {
  std::vector<KernelWindow> singles = getSingles(segment, getScheduled);
  auto dispatches = llvm::to_vector(segment.getBody().getOps<flow::DispatchOp>());
  // Windows by first dispatch and length from 2 on, and those that are faster than their dispatches
  // one after the other. Of the others none is a part of a longer one that is tried.
  using Place = std::pair<size_t, size_t>;
  std::map<Place, std::pair<Key, Merger>> candidates;
  std::set<Place> faster;
  for (size_t length = 2; length <= std::min(maxLength, dispatches.size()); ++length) {
    SmallVector<KernelOp *> untried;
    for (size_t first = 0; first + length <= dispatches.size(); ++first) {
      if (length > 2 && !faster.count({first, length - 1}) &&
          !faster.count({first + 1, length - 1}))
        continue;
      ArrayRef<flow::DispatchOp> members = ArrayRef(dispatches).slice(first, length);
      Merger merger(members, getKernel);
      if (!isTried(members) || failed(merger.connect()))
        continue;
      Key key = merger.getKey();
      auto [known, isNew] = tried.try_emplace(key);
      if (isNew) {
        known->second = merger.merge();
        untried.push_back(&known->second);
      }
      candidates.try_emplace({first, length}, std::move(key), std::move(merger));
    }
    if (failed(schedule(untried)))
      return failure();
    for (size_t first = 0; first + length <= dispatches.size(); ++first) {
      auto candidate = candidates.find({first, length});
      if (candidate == candidates.end())
        continue;
      KernelOp kernel = tried.at(candidate->second.first);
      if (!kernel)
        continue;
      int64_t alone = 0;
      for (const KernelWindow &single : ArrayRef(singles).slice(first, length))
        alone += getCycles(single.kernel);
      if (getCycles(kernel) < alone)
        faster.insert({first, length});
    }
  }

  // The fewest cycles from each dispatch to the end, and the length of its window.
  std::vector<int64_t> cycles(dispatches.size() + 1, 0), lengths(dispatches.size(), 1);
  for (size_t first = dispatches.size(); first-- > 0;) {
    cycles[first] = getCycles(singles[first].kernel) + cycles[first + 1];
    for (size_t length = 2; length <= maxLength; ++length) {
      if (!faster.count({first, length}))
        continue;
      KernelOp kernel = tried.at(candidates.at({first, length}).first);
      int64_t sum = getCycles(kernel) + cycles[first + length];
      if (sum < cycles[first]) {
        cycles[first] = sum;
        lengths[first] = length;
      }
    }
  }
  std::vector<KernelWindow> windows;
  for (size_t first = 0; first < dispatches.size(); first += lengths[first]) {
    if (lengths[first] == 1) {
      windows.push_back(singles[first]);
      continue;
    }
    auto &[key, merger] = candidates.at({first, lengths[first]});
    auto members = ArrayRef(dispatches).slice(first, lengths[first]);
    windows.push_back(
        {SmallVector<flow::DispatchOp>(members), merger.inputs, merger.outputs, tried.at(key)});
  }
  return windows;
}

//===----------------------------------------------------------------------===//
// Windows that are given
//===----------------------------------------------------------------------===//

OwningOpRef<KernelOp> WindowSearch::merge(ArrayRef<flow::DispatchOp> dispatches,
                                          GetKernel getKernel) {
  Merger merger(dispatches, getKernel);
  return succeeded(merger.connect()) ? merger.merge() : KernelOp();
}

void WindowSearch::forEachWindow(SegmentOp segment, GetKernel getKernel,
                                 function_ref<void(KernelOp)> onKernel) {
  auto dispatches = llvm::to_vector(segment.getBody().getOps<flow::DispatchOp>());
  for (size_t first = 0; first < dispatches.size(); ++first)
    for (size_t length = 2; length <= std::min(maxLength, dispatches.size() - first); ++length) {
      ArrayRef<flow::DispatchOp> members = ArrayRef(dispatches).slice(first, length);
      if (OwningOpRef<KernelOp> kernel =
              isTried(members) ? merge(members, getKernel) : OwningOpRef<KernelOp>())
        onKernel(*kernel);
    }
}

/// Completes `error` with the reason why the kernel of a window has no schedule.
LogicalResult WindowSearch::reportUnscheduled(InFlightDiagnostic error,
                                              OwningOpRef<KernelOp> kernel) {
  std::vector<std::string> reasons;
  {
    ScopedDiagnosticHandler handler(kernel->getContext(), [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        reasons.push_back(diagnostic.str());
      return success();
    });
    OwningOpRef<ModuleOp> alone = ModuleOp::create(kernel->getLoc());
    alone->push_back(kernel.release());
    PassManager pm(alone->getContext(), ModuleOp::getOperationName());
    pm.addPass(createNPUVerifyTensorForm());
    pm.addPass(createNPUCheckTarget());
    pm.addPass(createNPUChooseTiles(tiles));
    (void)pm.run(*alone);
  }
  for (StringRef reason : reasons)
    error.attachNote() << reason;
  return error;
}

FailureOr<std::vector<KernelWindow>>
WindowSearch::follow(ArrayRef<ScheduleFile::Dispatch> names, SegmentOp segment,
                     ArrayRef<size_t> lengths, GetKernel getKernel, GetKernel getScheduled) {
  auto dispatches = llvm::to_vector(segment.getBody().getOps<flow::DispatchOp>());
  auto emitError = [&](size_t first, size_t length) {
    return mlir::emitError(dispatches[first].getLoc(), file->describeEntry("windows"))
           << "dispatches #" << names[first].number << " to #" << names[first + length - 1].number
           << " cannot share a kernel: ";
  };
  std::vector<std::pair<Key, Merger>> mergers;
  SmallVector<KernelOp *> untried;
  size_t first = 0;
  for (size_t length : lengths) {
    if (length > 1) {
      auto members = ArrayRef(dispatches).slice(first, length);
      Merger merger(members, getKernel);
      if (failed(merger.connect())) {
        for (KernelOp *kernel : untried)
          std::exchange(*kernel, KernelOp()).erase();
        return emitError(first, length)
               << "expected each to take a result of those before it, or to make an operand of "
                  "a contraction for those after it, in the shape in which its kernel "
                  "has it; put them into windows of their own";
      }
      Key key = merger.getKey();
      auto [known, isNew] = tried.try_emplace(key);
      if (isNew) {
        known->second = merger.merge();
        untried.push_back(&known->second);
      }
      mergers.emplace_back(std::move(key), std::move(merger));
    }
    first += length;
  }
  if (failed(schedule(untried)))
    return failure();
  std::vector<KernelWindow> windows;
  auto merged = mergers.begin();
  first = 0;
  for (size_t length : lengths) {
    auto members = ArrayRef(dispatches).slice(first, length);
    if (length == 1) {
      windows.push_back(getSingle(members.front(), getScheduled));
    } else {
      auto &[key, merger] = *merged++;
      KernelOp kernel = tried.at(key);
      if (!kernel)
        return reportUnscheduled(emitError(first, length)
                                     << "no schedule of it was found; put them into windows of "
                                        "their own",
                                 merger.merge());
      windows.push_back(
          {SmallVector<flow::DispatchOp>(members), merger.inputs, merger.outputs, kernel});
    }
    first += length;
  }
  return windows;
}
