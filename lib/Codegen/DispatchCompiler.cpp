//===- DispatchCompiler.cpp - decides about dispatches and compiles them --===//

#include "NPU/Codegen/DispatchCompiler.h"
#include "NPU/Codegen/Steps.h"

#include "KernelWindows.h"
#include "SegmentLauncher.h"
#include "SegmentPrograms.h"
#include "SegmentSearch.h"

#include "NPU/Conversion/FuncToKernel/FuncToKernel.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Support/PassManagers.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Threading.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Threading.h"

#include <map>
#include <unordered_map>

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// Equality of functions
//===----------------------------------------------------------------------===//

/// The attributes of `function` that its kernel depends on.
static SmallVector<NamedAttribute> getAttributes(func::FuncOp function) {
  SmallVector<NamedAttribute> attributes;
  for (NamedAttribute attribute : function->getAttrs())
    if (attribute.getName() != SymbolTable::getSymbolAttrName() &&
        attribute.getName() != SymbolTable::getVisibilityAttrName() &&
        attribute.getName() != kPlacementAttrName)
      attributes.push_back(attribute);
  return attributes;
}

static size_t hash(func::FuncOp function) {
  auto attributes = getAttributes(function);
  llvm::hash_code code = llvm::hash_combine_range(attributes);
  function.getBody().walk([&](Operation *op) {
    code = llvm::hash_combine(
        code, OperationEquivalence::computeHash(op, OperationEquivalence::ignoreHashValue,
                                                OperationEquivalence::ignoreHashValue,
                                                OperationEquivalence::IgnoreLocations));
  });
  return code;
}

/// Whether the functions are the same but for names and locations.
static bool areEqual(func::FuncOp a, func::FuncOp b) {
  return getAttributes(a) == getAttributes(b) &&
         OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

/// Where the ops of `from` are in `to`, which is equal to it.
static DenseMap<Location, Location> mapLocations(func::FuncOp from, func::FuncOp to) {
  SmallVector<Location> locations;
  to->walk<WalkOrder::PreOrder>([&](Operation *op) { locations.push_back(op->getLoc()); });
  DenseMap<Location, Location> places;
  size_t number = 0;
  from->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { places.try_emplace(op->getLoc(), locations[number++]); });
  return places;
}

//===----------------------------------------------------------------------===//
// Legalization of one function
//===----------------------------------------------------------------------===//

/// What the user wrote where a rejected npu op came from.
static std::string findOriginalOp(func::FuncOp function, Location loc, StringRef name) {
  if (!name.starts_with(NPUDialect::getDialectNamespace()))
    return name.str();
  std::string original = name.str();
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getLoc() != loc || op->hasTrait<OpTrait::ConstantLike>())
      return WalkResult::advance();
    original = op->getName().getStringRef().str();
    return WalkResult::interrupt();
  });
  return original;
}

/// Clones to the end of `module` what `function` and the clones refer to by symbol. That is
/// rejected, which takes valid ops. Of functions, the declaration is enough.
static void cloneReferences(func::FuncOp function, ModuleOp module) {
  llvm::SetVector<Operation *> wanted;
  auto collect = [&](Operation *op) {
    std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(op);
    for (const SymbolTable::SymbolUse &use : uses ? *uses : SymbolTable::UseRange({}))
      if (Operation *symbol =
              SymbolTable::lookupNearestSymbolFrom(function, use.getSymbolRef().getRootReference()))
        if (symbol != function)
          wanted.insert(symbol);
  };
  collect(function);
  for (size_t next = 0; next < wanted.size(); ++next) {
    Operation *symbol = wanted[next];
    if (auto callee = dyn_cast<func::FuncOp>(symbol)) {
      func::FuncOp declaration = callee.cloneWithoutRegions();
      declaration.setPrivate();
      module.push_back(declaration);
      continue;
    }
    module.push_back(symbol->clone());
    collect(symbol);
  }
}

/// The first value that is none of integers, floats and indices, and why the NPU does not run it.
/// The passes of the legalization ask types for their bits, so none of them sees it. What is no
/// tensor in the signature is no matter of elements.
static std::optional<RejectedOp> findOtherElements(func::FuncOp function) {
  std::optional<RejectedOp> found;
  auto check = [&](Operation *op, Type type, bool isSignature) {
    Type element = getElementTypeOrSelf(type);
    if (element.isIntOrIndexOrFloat() || (isSignature && !llvm::isa<ShapedType>(type)))
      return WalkResult::advance();
    std::string text;
    llvm::raw_string_ostream(text) << element;
    found = RejectedOp{Rejection{RejectionKind::ElementType, text},
                       op->getName().getStringRef().str(), op->getLoc()};
    return WalkResult::interrupt();
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (check(op, type, /*isSignature=*/false).wasInterrupted())
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (check(op, type, /*isSignature=*/op == function).wasInterrupted())
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return found;
}

namespace {
/// A function, and what is known of all that are equal to it.
struct Entry {
  OwningOpRef<func::FuncOp> function; ///< as it came, detached
  OwningOpRef<ModuleOp> module;       ///< to legalize in
  std::vector<RejectedOp> reasons;
  unsigned numGroups = 0;
  bool isBroken = false; ///< for a reason that is no matter of the target; emitted
  std::optional<CompiledProgram> program;
  OwningOpRef<isa::ProgramOp> programOp;

  /// Prepares `legalize`, which may run in another thread.
  explicit Entry(func::FuncOp source)
      : function(cast<func::FuncOp>(source->clone())), module(ModuleOp::create(source.getLoc())) {
    Operation *clone = OpBuilder::atBlockEnd(module->getBody()).clone(*source);
    clone->removeAttr(kPlacementAttrName);
    cloneReferences(source, *module);
  }

  bool isAccepted() const { return !isBroken && reasons.empty(); }
  KernelOp getKernel() { return *module->getOps<KernelOp>().begin(); }
  void legalize(StringRef target);
};
} // namespace

void Entry::legalize(StringRef target) {
  if (std::optional<RejectedOp> other = findOtherElements(*function)) {
    reasons.push_back(std::move(*other));
    module = {};
    return;
  }
  MLIRContext *context = module->getContext();
  LogicalResult result = success();
  {
    PassManager pm(context, ModuleOp::getOperationName());
    populateLegalization(pm, target);
    applyPassManagerOptions(pm, PassFailure::Answer);
    // Other threads are looking at other dispatches.
    uint64_t thread = llvm::get_threadid();
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      std::optional<CarriedRejection> carried = getRejection(diagnostic);
      if (!carried || llvm::get_threadid() != thread)
        return failure(); // for the next handler
      reasons.push_back({std::move(carried->rejection),
                         findOriginalOp(*function, diagnostic.getLocation(), carried->op),
                         diagnostic.getLocation()});
      return success();
    });
    result = runAndVerify(pm, *module);
  }
  if (failed(result)) {
    isBroken = reasons.empty();
    module = {};
    return;
  }
  if (module->getOps<KernelOp>().empty()) {
    // No pass took it for one.
    reasons.push_back({Rejection{RejectionKind::NotATensor, "no tensor in the signature"},
                       (*function)->getName().getStringRef().str(), function->getLoc()});
    module = {};
    return;
  }
  numGroups = countStageGroups(getKernel());
}

//===----------------------------------------------------------------------===//
// The cache
//===----------------------------------------------------------------------===//

class DispatchCompiler::Cache {
public:
  Cache(StringRef target, ScheduleFile *file, SegmentEffort effort)
      : target(target.str()), effort(effort), file(file),
        tiles(file ? createTileMemo(
                         [this](KernelOp kernel, Rewriting rewriting, ScheduleAttr schedule) {
                           if (isNoting)
                             this->file->note(kernel, rewriting, schedule);
                         })
                   : createTileMemo()) {}

  /// The entry of a function that was legalized; it is, if it was not. Null if it is broken.
  Entry *get(func::FuncOp function);
  LogicalResult legalize(ArrayRef<func::FuncOp> functions);
  LogicalResult compile(ArrayRef<func::FuncOp> functions);
  LogicalResult compile(ArrayRef<SegmentOp> segments, SegmentOutputs outputs);
  const CompiledProgram &getProgram(SegmentOp segment, SegmentOutputs outputs) const {
    return *programOfSegment.at({segment, outputs});
  }

  /// A copy of the kernel of an entry, with the schedule that the file gives it, if it does.
  FailureOr<OwningOpRef<KernelOp>> cloneKernel(Entry &entry) const;
  llvm::Error checkSchedule(ModuleOp module);

  std::string target;

private:
  Entry *find(func::FuncOp function);
  void noteSegment(SegmentOp segment, ArrayRef<ScheduleFile::Dispatch> dispatches,
                   const SegmentSchedule &schedule, WindowSearch::GetKernel getKernel);

  SegmentEffort effort;
  ScheduleFile *file;   ///< null: all is searched, and nobody asks what was chosen
  bool isNoting = true; ///< what is chosen, in the file
  std::shared_ptr<TileMemo> tiles;
  std::vector<std::unique_ptr<Entry>> entries;
  std::unordered_multimap<size_t, Entry *> byHash;
  std::map<std::pair<Operation *, SegmentOutputs>, const CompiledProgram *> programOfSegment;
  std::vector<std::unique_ptr<CompiledProgram>> segmentPrograms;
  /// Of dispatches that have a kernel of their own in a segment, with its schedule there.
  std::map<Entry *, OwningOpRef<KernelOp>> chosenKernels;
  std::vector<OwningOpRef<isa::ProgramOp>> segmentOps;
};

Entry *DispatchCompiler::Cache::find(func::FuncOp function) {
  auto [begin, end] = byHash.equal_range(hash(function));
  for (auto known = begin; known != end; ++known)
    if (areEqual(*known->second->function, function))
      return known->second;
  return nullptr;
}

Entry *DispatchCompiler::Cache::get(func::FuncOp function) {
  if (failed(legalize(function)))
    return nullptr;
  return find(function);
}

/// Loads what the passes of `pm` need: a pass manager does that too, but not safely in threads.
static void loadDialects(const PassManager &pm) {
  DialectRegistry registry;
  pm.getDependentDialects(registry);
  MLIRContext *context = pm.getContext();
  context->appendDialectRegistry(registry);
  for (StringRef name : registry.getDialectNames())
    context->getOrLoadDialect(name);
}

static void emitRemark(StringRef what, func::FuncOp function, StringRef target) {
  remark::passed(
      function.getLoc(),
      remark::RemarkOpts::name(what).category("npu-codegen").function(function.getSymName()))
      << remark::metric("target", target);
}

LogicalResult DispatchCompiler::Cache::legalize(ArrayRef<func::FuncOp> functions) {
  std::vector<Entry *> added;
  for (func::FuncOp function : functions) {
    if (find(function))
      continue;
    added.push_back(entries.emplace_back(std::make_unique<Entry>(function)).get());
    byHash.emplace(hash(function), added.back());
  }
  if (added.empty())
    return success();
  MLIRContext *context = added.front()->function->getContext();
  {
    PassManager pm(context, ModuleOp::getOperationName());
    populateLegalization(pm, target);
    loadDialects(pm);
    ParallelDiagnosticHandler inOrder(context);
    parallelFor(context, 0, added.size(), [&](size_t index) {
      inOrder.setOrderIDForThread(index);
      added[index]->legalize(target);
      inOrder.eraseOrderIDForThread();
    });
  }
  bool isBroken = false;
  for (Entry *entry : added) {
    emitRemark("Legalized", *entry->function, target);
    isBroken |= entry->isBroken;
  }
  if (!isBroken)
    return success();
  // Whoever asks again is to see the errors again.
  llvm::erase_if(entries, [](const std::unique_ptr<Entry> &entry) { return entry->isBroken; });
  byHash.clear();
  for (const std::unique_ptr<Entry> &entry : entries)
    byHash.emplace(hash(*entry->function), entry.get());
  return failure();
}

FailureOr<OwningOpRef<KernelOp>> DispatchCompiler::Cache::cloneKernel(Entry &entry) const {
  OwningOpRef<KernelOp> kernel = entry.getKernel().clone();
  if (file && failed(file->apply(kernel)))
    return failure();
  return kernel;
}

LogicalResult DispatchCompiler::Cache::compile(ArrayRef<func::FuncOp> functions) {
  if (failed(legalize(functions)))
    return failure();
  // One module of all kernels: passes on kernels run in parallel, and tiles of equal problems are
  // searched once.
  llvm::SmallSetVector<Entry *, 8> wanted;
  for (func::FuncOp function : functions) {
    Entry *entry = find(function);
    if (!entry->isAccepted())
      return function.emitOpError("expected a function that target '")
             << target
             << "' runs: " << llvm::formatv("{0}", entry->reasons.front().rejection).str();
    if (!entry->program)
      wanted.insert(entry);
  }
  if (wanted.empty())
    return success();
  MLIRContext *context = functions.front()->getContext();
  OwningOpRef<ModuleOp> batch = ModuleOp::create(UnknownLoc::get(context));
  SymbolTable symbols(*batch);
  std::vector<StringAttr> names;
  for (Entry *entry : wanted) {
    FailureOr<OwningOpRef<KernelOp>> kernel = cloneKernel(*entry);
    if (failed(kernel))
      return failure();
    names.push_back(symbols.insert(kernel->release()));
    if (file)
      file->use(entry->getKernel());
  }
  PassManager toTiles(context, ModuleOp::getOperationName());
  toTiles.addPass(createNPUChooseTiles(tiles));
  populateTileFormPipeline(toTiles);
  applyPassManagerOptions(toTiles);
  if (failed(runAndVerify(toTiles, *batch)))
    return failure();
  SymbolTable kernels(*batch);
  std::vector<PlannedKernel> planned;
  for (StringAttr name : names)
    planned.push_back(describeKernel(kernels.lookup<KernelOp>(name), /*numDispatches=*/1));
  PassManager toPrograms(context, ModuleOp::getOperationName());
  populateBackEndFromTileForm(toPrograms);
  applyPassManagerOptions(toPrograms);
  if (failed(runAndVerify(toPrograms, *batch)))
    return failure();
  SymbolTable programs(*batch);
  for (auto [entry, name, kernel] : llvm::zip_equal(wanted, names, planned)) {
    auto op = programs.lookup<isa::ProgramOp>(name);
    FailureOr<isa::Program> code = isa::toProgram(op);
    if (failed(code))
      return failure();
    code->name = entry->function->getSymName().str();
    op->remove();
    op.setSymName(code->name);
    entry->programOp = op;
    entry->program = CompiledProgram{std::move(*code), op, {kernel}};
    emitRemark("Compiled", *entry->function, target);
  }
  return success();
}

namespace {
/// What the file says of a segment.
struct GivenWindows {
  std::vector<ScheduleFile::Dispatch> names; ///< of the dispatches; empty without a file
  SmallVector<size_t> lengths;               ///< of the windows; empty: they are searched
  int64_t prefetch = 0;

  /// The dispatches whose own kernels are needed.
  SmallVector<flow::DispatchOp> getSingles(SegmentOp segment) const {
    auto dispatches = llvm::to_vector(segment.getBody().getOps<flow::DispatchOp>());
    if (lengths.empty())
      return dispatches;
    SmallVector<flow::DispatchOp> singles;
    size_t first = 0;
    for (size_t length : lengths) {
      if (length == 1)
        singles.push_back(dispatches[first]);
      first += length;
    }
    return singles;
  }
};
} // namespace

/// Those of reports: the place among the model's dispatches, before loops and calls were
/// straightened.
static DenseMap<Operation *, unsigned> getNumbers(ModuleOp module) {
  DenseMap<Operation *, unsigned> numbers;
  for (auto [place, site] : llvm::enumerate(flow::collectDispatches(module))) {
    auto number = site.op->getAttrOfType<IntegerAttr>(kDispatchNumberAttrName);
    numbers[site.op] = number ? number.getInt() : place;
  }
  return numbers;
}

static FailureOr<std::vector<GivenWindows>>
getGivenWindows(ArrayRef<SegmentOp> segments, ScheduleFile *file,
                const DenseMap<Operation *, func::FuncOp> &functionOf) {
  std::vector<GivenWindows> given(segments.size());
  if (!file)
    return given;
  SegmentOp first = segments.front();
  DenseMap<Operation *, unsigned> numbers = getNumbers(first->getParentOfType<ModuleOp>());
  for (auto [op, windows] : llvm::zip_equal(segments, given)) {
    SegmentOp segment = op;
    for (auto dispatch : segment.getBody().getOps<flow::DispatchOp>()) {
      func::FuncOp function = functionOf.lookup(dispatch);
      windows.names.push_back({numbers.lookup(dispatch), function.getSymName().str()});
    }
    windows.prefetch = file->getPrefetch(windows.names);
    if (llvm::Error error = file->getWindows(windows.names).moveInto(windows.lengths))
      return emitError(segment.getLoc(), llvm::toString(std::move(error)));
  }
  return given;
}

void DispatchCompiler::Cache::noteSegment(SegmentOp segment,
                                          ArrayRef<ScheduleFile::Dispatch> dispatches,
                                          const SegmentSchedule &schedule,
                                          WindowSearch::GetKernel getKernel) {
  SmallVector<size_t> lengths;
  std::vector<std::string> keys;
  for (const KernelWindow &window : schedule.windows) {
    lengths.push_back(window.dispatches.size());
    if (window.dispatches.size() == 1)
      keys.push_back(file->use(getKernel(window.dispatches.front())));
    else
      keys.push_back(file->use(*WindowSearch::merge(window.dispatches, getKernel)));
  }
  file->addSegment(dispatches, lengths, keys, schedule.prefetch);
}

llvm::Error DispatchCompiler::Cache::checkSchedule(ModuleOp module) {
  if (!file || !file->isFollowed())
    return llvm::Error::success();
  llvm::StringSet<> known;
  bool hasUnused = file->hasUnusedKernels();
  if (hasUnused)
    for (const std::unique_ptr<Entry> &entry : entries)
      if (entry->isAccepted())
        known.insert(ScheduleFile::getKey(entry->getKernel()));
  // Windows that the programs do not have and segments of functions that are not called are of this
  // model, too.
  DenseMap<Operation *, unsigned> numbers = getNumbers(module);
  llvm::DenseSet<unsigned> firsts;
  SymbolTableCollection symbols;
  module.walk([&](SegmentOp segment) {
    DenseMap<Operation *, Entry *> entryOf;
    for (auto dispatch : segment.getBody().getOps<flow::DispatchOp>()) {
      func::FuncOp function = flow::findFunction(dispatch, symbols);
      Entry *entry = function ? find(function) : nullptr;
      if (!entry || !entry->isAccepted())
        return;
      if (entryOf.empty())
        firsts.insert(numbers.lookup(dispatch));
      entryOf[dispatch] = entry;
    }
    if (hasUnused)
      WindowSearch::forEachWindow(
          segment, [&](flow::DispatchOp dispatch) { return entryOf.lookup(dispatch)->getKernel(); },
          [&](KernelOp kernel) { known.insert(ScheduleFile::getKey(kernel)); });
  });
  return file->checkUse([&](StringRef key) { return known.contains(key); },
                        [&](unsigned first) { return firsts.contains(first); });
}

LogicalResult DispatchCompiler::Cache::compile(ArrayRef<SegmentOp> segments,
                                               SegmentOutputs outputs) {
  if (segments.empty())
    return success();
  SmallVector<func::FuncOp> functions;
  DenseMap<Operation *, func::FuncOp> functionOf; // by dispatch
  SymbolTableCollection symbolsOfModules;
  for (SegmentOp segment : segments) {
    if (failed(checkSegment(segment)))
      return failure();
    segment.walk([&](flow::DispatchOp dispatch) {
      functions.push_back(flow::findFunction(dispatch, symbolsOfModules));
      functionOf[dispatch] = functions.back();
    });
  }
  if (failed(legalize(functions)))
    return failure();
  // Kernels of dispatches that share one in the file are not needed by themselves.
  FailureOr<std::vector<GivenWindows>> given =
      getGivenWindows(segments, outputs == SegmentOutputs::Results ? file : nullptr, functionOf);
  if (failed(given))
    return failure();
  DenseMap<Operation *, Entry *> entryOf; // by function
  for (func::FuncOp function : functions)
    if (Entry *&entry = entryOf[function]; !entry)
      entry = find(function);
  functions.clear();
  for (auto [segment, windows] : llvm::zip_equal(segments, *given))
    for (flow::DispatchOp dispatch : windows.getSingles(segment))
      functions.push_back(functionOf.lookup(dispatch));
  SegmentOp first = segments.front();
  MLIRContext *context = first.getContext();
  OwningOpRef<ModuleOp> batch = ModuleOp::create(UnknownLoc::get(context));
  SymbolTable symbols(*batch);
  DenseMap<Operation *, StringAttr> kernelNames; // by function
  DenseMap<Entry *, StringAttr> known;
  for (func::FuncOp function : functions) {
    if (kernelNames.contains(function))
      continue;
    Entry *entry = entryOf.lookup(function);
    StringAttr &name = known[entry];
    if (!name) {
      // What shows inner results takes the schedules of the programs that run.
      auto chosen = chosenKernels.find(entry);
      bool isChosen = outputs == SegmentOutputs::All && chosen != chosenKernels.end();
      FailureOr<OwningOpRef<KernelOp>> kernel =
          isChosen ? OwningOpRef<KernelOp>(chosen->second->clone()) : cloneKernel(*entry);
      if (failed(kernel))
        return failure();
      (*kernel)->setPrivate();
      name = symbols.insert(kernel->release());
    }
    kernelNames[function] = name;
  }
  PassManager chooseTiles(context, ModuleOp::getOperationName());
  chooseTiles.addPass(createNPUChooseTiles(tiles));
  // What only shows inner results says nothing about the schedules of those programs that run.
  isNoting = outputs == SegmentOutputs::Results;
  LogicalResult areChosen = chooseTiles.run(*batch);
  isNoting = true;
  if (failed(areChosen))
    return failure();

  // What shows inner results is the reference for what keeps them on chip.
  WindowSearch search(tiles, file);
  SymbolTable scheduled(*batch);
  auto getKernel = [&](flow::DispatchOp dispatch) {
    return entryOf.lookup(functionOf.lookup(dispatch))->getKernel();
  };
  auto getScheduled = [&](flow::DispatchOp dispatch) {
    return scheduled.lookup<KernelOp>(kernelNames.lookup(functionOf.lookup(dispatch)));
  };
  std::vector<SegmentSchedule> schedules; // by segment
  for (auto [segment, choice] : llvm::zip_equal(segments, *given)) {
    FailureOr<std::vector<KernelWindow>> divided =
        outputs == SegmentOutputs::All ? WindowSearch::getSingles(segment, getScheduled)
        : choice.lengths.empty()
            ? search.divide(segment, getKernel, getScheduled)
            : search.follow(choice.names, segment, choice.lengths, getKernel, getScheduled);
    if (failed(divided))
      return failure();
    schedules.push_back({std::move(*divided), choice.prefetch});
  }
  TargetDesc desc = *parseTarget(target);
  SegmentSearch together(desc, segments, schedules, getKernel, getScheduled, file);
  // One cluster shares with nobody, and what it stores it finds where it was: there is little to
  // win, for several times the time of the search.
  bool isFull =
      effort == SegmentEffort::Full || (effort == SegmentEffort::Auto && desc.clusters > 1);
  // What a file says is followed.
  if (outputs == SegmentOutputs::Results && !(file && file->isFollowed())) {
    if (isFull)
      together.run();
    else if (effort == SegmentEffort::Auto)
      together.compare();
  }
  if (file && outputs == SegmentOutputs::Results)
    for (auto [segment, choice, schedule] : llvm::zip_equal(segments, *given, schedules))
      noteSegment(segment, choice.names, schedule, getKernel);
  for (const SegmentSchedule &schedule : schedules)
    for (const KernelWindow &window : schedule.windows)
      if (outputs == SegmentOutputs::Results && window.dispatches.size() == 1)
        chosenKernels[entryOf.lookup(functionOf.lookup(window.dispatches.front()))] =
            KernelOp(window.kernel).clone();

  FailureOr<SegmentPrograms> built = buildSegmentPrograms(segments, outputs, schedules);
  if (failed(built))
    return failure();
  for (auto [number, segment] : llvm::enumerate(segments)) {
    Operation *key = segment;
    size_t program = built->programOfSegment[number];
    programOfSegment[{key, outputs}] = built->programs[program].get();
    if (built->firstSegments[program] == number)
      remark::passed(key->getLoc(),
                     remark::RemarkOpts::name("CompiledSegment").category("npu-codegen"))
          << remark::metric("target", target)
          << remark::metric("kernels", int64_t(schedules[number].windows.size()));
  }
  std::move(built->programs.begin(), built->programs.end(), std::back_inserter(segmentPrograms));
  std::move(built->ops.begin(), built->ops.end(), std::back_inserter(segmentOps));
  return success();
}

//===----------------------------------------------------------------------===//
// The compiler
//===----------------------------------------------------------------------===//

DispatchCompiler::DispatchCompiler(StringRef target, ScheduleFile *schedule, SegmentEffort effort)
    : cache(std::make_unique<Cache>(target, schedule, effort)) {}
DispatchCompiler::~DispatchCompiler() = default;
DispatchCompiler::DispatchCompiler(DispatchCompiler &&) = default;

StringRef DispatchCompiler::getTarget() const { return cache->target; }

LogicalResult DispatchCompiler::legalize(ArrayRef<func::FuncOp> functions) {
  return cache->legalize(functions);
}

FailureOr<std::vector<RejectedOp>> DispatchCompiler::getReasons(func::FuncOp function) {
  Entry *entry = cache->get(function);
  if (!entry)
    return failure();
  std::vector<RejectedOp> reasons = entry->reasons;
  if (reasons.empty())
    return reasons;
  DenseMap<Location, Location> places = mapLocations(*entry->function, function);
  for (RejectedOp &reason : reasons)
    if (auto place = places.find(reason.loc); place != places.end())
      reason.loc = place->second;
  return reasons;
}

FailureOr<unsigned> DispatchCompiler::getNumGroups(func::FuncOp function) {
  Entry *entry = cache->get(function);
  if (!entry)
    return failure();
  return entry->numGroups;
}

FailureOr<KernelOp> DispatchCompiler::createKernel(OpBuilder &builder, func::FuncOp function) {
  Entry *entry = cache->get(function);
  if (!entry)
    return failure();
  assert(entry->isAccepted() && "only what the target runs has a kernel");
  FailureOr<OwningOpRef<KernelOp>> clone = cache->cloneKernel(*entry);
  if (failed(clone))
    return failure();
  KernelOp kernel = clone->release();
  builder.insert(kernel);
  kernel.setSymName(function.getSymName());
  kernel.setSymVisibilityAttr(function.getSymVisibilityAttr());
  DenseMap<Location, Location> places = mapLocations(*entry->function, function);
  kernel->walk([&](Operation *op) {
    if (auto place = places.find(op->getLoc()); place != places.end())
      op->setLoc(place->second);
  });
  return kernel;
}

OwningOpRef<KernelOp> DispatchCompiler::clonePlainKernel(func::FuncOp function) {
  Entry *entry = cache->get(function);
  return entry && entry->isAccepted() ? entry->getKernel().clone() : KernelOp();
}

OwningOpRef<KernelOp> DispatchCompiler::clonePlainKernel(ArrayRef<flow::DispatchOp> dispatches) {
  SymbolTableCollection symbols;
  DenseMap<Operation *, Entry *> entries;
  for (flow::DispatchOp dispatch : dispatches) {
    func::FuncOp function = flow::findFunction(dispatch, symbols);
    Entry *entry = function ? cache->get(function) : nullptr;
    if (!entry || !entry->isAccepted())
      return {};
    entries[dispatch] = entry;
  }
  if (dispatches.size() == 1)
    return entries.begin()->second->getKernel().clone();
  return WindowSearch::merge(
      dispatches, [&](flow::DispatchOp dispatch) { return entries.lookup(dispatch)->getKernel(); });
}

llvm::Error DispatchCompiler::checkSchedule(ModuleOp module) const {
  return cache->checkSchedule(module);
}

LogicalResult DispatchCompiler::compile(ArrayRef<func::FuncOp> functions) {
  return cache->compile(functions);
}

LogicalResult DispatchCompiler::compile(ArrayRef<SegmentOp> segments, SegmentOutputs outputs) {
  return cache->compile(segments, outputs);
}

const CompiledProgram &DispatchCompiler::getProgram(SegmentOp segment,
                                                    SegmentOutputs outputs) const {
  return cache->getProgram(segment, outputs);
}

FailureOr<const CompiledProgram *> DispatchCompiler::getProgram(func::FuncOp function) {
  if (failed(cache->compile(function)))
    return failure();
  return &*cache->get(function)->program;
}
