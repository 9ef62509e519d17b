//===- ScheduleRules.cpp - what a kernel's schedule must satisfy ----------===//

#include "ScheduleTree.h"
#include "TileCost.h"

#include "NPU/Target/ISA/Instructions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu;
using namespace npu::tile;

static constexpr StringLiteral kRemedy = "; remove the attribute to have it chosen";

/// Every loop around a leaf tiles the stage, and what no tile spans has a loop.
LogicalResult ScheduleTree::verifyLeaf(unsigned stage) {
  const Stage &description = graph->stages[stage];
  if (!leaves[stage])
    return emitError() << "expected stage '" << description.name << "', which it does not have";
  if (!homes[stage])
    return emitError() << "expected a place for the values of stage '" << description.name
                       << "', as in @" << description.name
                       << (description.isArray ? " -> acc" : " -> sram");
  ArrayRef<unsigned> dims = description.getRoot().dims;
  SmallVector<const ScheduleNode *> loops = leaves[stage]->getLoops();
  // In panels, values are made again where that takes less than to keep them, as loads are.
  auto isOfReader = [&](unsigned dim) {
    return isInPanels(stage) &&
           llvm::is_contained(graph->stages[description.panels->reader].getRoot().dims, dim);
  };
  for (const ScheduleNode *loop : loops)
    if (!llvm::is_contained(dims, loop->dim) && !isOfReader(loop->dim))
      return emitError() << "stage '" << description.name << "' is inside a loop over '"
                         << graph->dims[loop->dim].name
                         << "', which it does not have; it would compute the same again";
  for (unsigned dim : dims)
    if (graph->dims[dim].isUnit && graph->dims[dim].extent != 1 &&
        llvm::none_of(loops, [&](const ScheduleNode *loop) { return loop->dim == dim; }))
      return emitError() << "expected a loop over '" << graph->dims[dim].name
                         << "', which no tile spans, around stage '" << description.name << '\'';
  for (const ScheduleNode *loop : loops)
    if (loop->trips > 1 && llvm::is_contained(description.wholeDims, loop->dim))
      return emitError() << "expected no loop over '" << graph->dims[loop->dim].name
                         << "' around stage '" << description.name
                         << "', which reduces along it and reads the result, found tiles of "
                         << loop->tile << "; make the reduction a stage of its own";
  return success();
}

/// The box of a buffer at `node` has no dimension that one buffer cannot have.
LogicalResult ScheduleTree::verifySpan(const ScheduleNode &node, const Buffer &buffer,
                                       ArrayRef<unsigned> stages, StringRef name) {
  for (unsigned stage : stages) {
    if (!isInBodyOf(*leaves[stage], node))
      continue; // the stage's operand is refused
    SmallVector<const ScheduleNode *> loops = leaves[stage]->getLoops();
    for (const ScheduleNode *loop : ArrayRef(loops).drop_front(node.level)) {
      bool moves = llvm::any_of(buffer.axes, [&](const Axis &axis) {
        return llvm::any_of(axis.terms, [&](Term term) { return term.dim == loop->dim; });
      });
      if (!moves || loop->trips == 1)
        continue;
      if (graph->dims[loop->dim].isUnit)
        return emitError() << "'" << name << "' is outside of the loop over '"
                           << graph->dims[loop->dim].name << "', which no tile spans";
      if (loop->clusters > 1)
        return emitError() << "'" << name << "' is outside of the loop over '"
                           << graph->dims[loop->dim].name
                           << "', of which each cluster has its own part";
      // A view of several panels starts at a whole panel.
      if (buffer.hasPanelAxis && buffer.axes[buffer.order[0]].terms[0].dim == loop->dim &&
          loop->tile % buffer.panelColumns != 0)
        return emitError() << "'" << name << "' is outside of the loop over '"
                           << graph->dims[loop->dim].name << "' in steps of " << loop->tile
                           << ", expected a multiple of the array's " << buffer.panelColumns
                           << " columns";
    }
  }
  return success();
}

LogicalResult ScheduleTree::verifyHome(unsigned stage) {
  const Stage &description = graph->stages[stage];
  const ScheduleNode &home = *homes[stage], &leaf = *leaves[stage];
  if (!isInBodyOf(leaf, home) || (&home != &leaf && !isBefore(home, leaf)))
    return emitError() << "expected the values of stage '" << description.name
                       << "' to have their place before it, in a loop around it or none";
  bool isInAcc = description.isArray && !leaf.addsProducts;
  MemorySpace expected = isInAcc ? MemorySpace::Acc : MemorySpace::Sram;
  if (home.space != expected) {
    InFlightDiagnostic diagnostic = emitError()
                                    << "expected the values of stage '" << description.name
                                    << "' in " << stringifyMemorySpace(expected) << ", found "
                                    << stringifyMemorySpace(home.space);
    if (isInAcc)
      diagnostic << "; or a place for its products as well, as in @" << description.name
                 << " -> acc";
    return diagnostic;
  }
  for (const ScheduleNode *loop : home.getLoops())
    if (loop->trips > 1 && llvm::is_contained(description.getReductionDims(), loop->dim))
      return emitError() << "expected the values of stage '" << description.name
                         << "' outside of the loop over '" << graph->dims[loop->dim].name
                         << "', along which it adds them up";
  for (unsigned value = 0; value < graph->values.size(); ++value) {
    if (graph->values[value].stage != stage || getBufferRoot(value) != value)
      continue;
    if (failed(verifySpan(getHome(value), getBuffer(value), getUsers(value), description.name)))
      return failure();
  }
  return success();
}

/// Products are added to what is complete after all loops over sums, and begins with none.
LogicalResult ScheduleTree::verifyProducts(const ScheduleNode &leaf) {
  if (!leaf.addsProducts)
    return success();
  const Stage &stage = graph->stages[leaf.stage];
  if (llvm::any_of(stage.operands, [](const StageOperand &operand) {
        return operand.isInitial || operand.buffer.role == BufferRole::Start;
      }))
    return emitError() << "expected the values of stage '" << stage.name
                       << "' in acc, as its sums start from an operand, found them in sram; add "
                          "that operand behind the contraction";
  if (leaf.skew != 0 || leaf.beginDim || leaf.endDim)
    return emitError() << "expected the values of stage '" << stage.name
                       << "' in acc, as it has a skew, a begin or an end, found them in sram; "
                          "leave these away";
  // Where there is nothing to multiply there are no products, and what is in their place was added
  // before: in the iteration more of a loop with a skewed stage, and in parts past the end.
  SmallVector<const ScheduleNode *> loops = leaf.getLoops();
  for (const ScheduleNode *other : leaves)
    if (other->skew != 0 && llvm::is_contained(loops, other->parent) &&
        llvm::is_contained(stage.getReductionDims(), other->parent->dim))
      return emitError() << "expected no skew of stage '" << graph->stages[other->stage].name
                         << "' in the loop over '" << graph->dims[other->parent->dim].name
                         << "', in which products of stage '" << stage.name
                         << "' are added to values in sram; close the loop between them";
  for (ArrayRef<const ScheduleNode *> rest = loops; rest.size() > 1; rest = rest.drop_front()) {
    const ScheduleNode *outer = rest.front();
    const auto *inner = llvm::find_if(
        rest.drop_front(), [&](const ScheduleNode *loop) { return loop->dim == outer->dim; });
    if (inner == rest.end() || !llvm::is_contained(stage.getReductionDims(), outer->dim))
      continue;
    const Dim &dim = graph->dims[outer->dim];
    int64_t left = dim.extent % outer->tile;
    if (left > 0 && left <= (*inner)->tile * ((*inner)->trips - 1))
      return emitError() << "expected no part of the sums of stage '" << stage.name
                         << "' past their end, as its products are added to values in sram, found "
                         << left << " indices of '" << dim.name << "' in the last of the tiles of "
                         << outer->tile << ", in parts of " << (*inner)->tile
                         << "; choose tiles that divide its " << dim.extent;
  }
  return success();
}

LogicalResult ScheduleTree::verifyLoad(const ScheduleNode &load) {
  const StageOperand &operand = graph->stages[load.stage].operands[load.operand];
  std::string name = getOperandName(load);
  const ScheduleNode &leaf = *leaves[load.stage];
  if (!isInBodyOf(leaf, load) || !isBefore(load, leaf))
    return emitError() << "expected the load of '" << name
                       << "' before its stage, in a loop around it or none";
  if (operand.isInitial &&
      (!isBefore(load, *homes[load.stage]) || !isInBodyOf(*homes[load.stage], load)))
    return emitError() << "expected the load of '" << name
                       << "' before the place of its stage's values, which it initializes";
  return verifySpan(load, getBuffer(load.stage, load.operand), load.stage, name);
}

/// Parts that no iteration loads again, and that do not overlap, fill a buffer of outer loops.
LogicalResult ScheduleTree::verifyKeep(const ScheduleNode &keep) {
  std::string name = getOperandName(keep);
  const ScheduleNode &load = *findLoad(keep.stage, keep.operand);
  if (!isInBodyOf(load, keep) || !isBefore(keep, load))
    return emitError() << "expected the place of '" << name
                       << "', which is kept, before its load, in a loop around it or none";
  if (load.depth > 1)
    return emitError() << "expected one buffer for '" << name
                       << "', which is kept, found a ring of " << load.depth;
  const Buffer &buffer = getBuffer(load.stage, load.operand);
  for (const ScheduleNode *loop : load.getLoops()) {
    if (loop->trips == 1 || loop->level < keep.level)
      continue;
    if (loop->clusters > 1 && dependsOn(buffer, loop->dim))
      return emitError() << "expected no split over clusters around the load of '" << name
                         << "', which is kept, found that of '" << graph->dims[loop->dim].name
                         << '\'';
    for (const Axis &axis : buffer.axes)
      for (Term term : axis.terms)
        if (term.dim == loop->dim &&
            getSpan(load, axis, load.stage) > term.coefficient * loop->tile)
          return emitError()
                 << "expected parts of '" << name
                 << "', which is kept, that do not overlap, found windows that do along "
                 << "'" << graph->dims[loop->dim].name << '\'';
  }
  return verifySpan(keep, buffer, keep.stage, name);
}

/// What a stage reads of another one is complete and where the stage can read it.
LogicalResult ScheduleTree::verifyOperand(unsigned stage, unsigned number) {
  const Stage &description = graph->stages[stage];
  const StageOperand &operand = description.operands[number];
  const ScheduleNode *load = findLoad(stage, number), *keep = keeps.lookup({stage, number});
  std::string name = description.name + "." + operand.name;
  if (keep && !load)
    return emitError() << "expected a load of '" << name << "', which is to be kept";
  if (load && failed(verifyLoad(*load)))
    return failure();
  if (keep && failed(verifyKeep(*keep)))
    return failure();
  if (!operand.value)
    return load ? success()
                : LogicalResult(emitError()
                                << "expected a load of '" << name << "', which lies in DRAM");
  unsigned producer = graph->values[*operand.value].stage;
  const ScheduleNode &reader = load ? *load : *leaves[stage], &writer = *leaves[producer];
  if (!isBefore(writer, reader))
    return emitError() << "expected stage '" << graph->stages[producer].name << "' before '" << name
                       << "', which reads its result";
  // In an iteration of the loops around both, the reader needs what the writer made in it.
  for (const ScheduleNode *loop = getCommonLoop(writer, reader); loop->parent;
       loop = loop->parent) {
    if (loop->trips == 1)
      continue;
    bool isSummed = llvm::is_contained(graph->stages[producer].getReductionDims(), loop->dim);
    // A load takes whole panels, also in loops of its own over parts of the tile.
    bool splitsPanels =
        load && operand.buffer.hasPanelAxis && operand.buffer.getDims().front() == loop->dim &&
        llvm::any_of(load->getLoops(), [&](const ScheduleNode *around) {
          return around->dim == loop->dim && around->tile % operand.buffer.panelColumns != 0;
        });
    if (isSummed || !operand.isAligned || splitsPanels)
      return emitError() << "'" << name << "' needs more of stage '" << graph->stages[producer].name
                         << "' than an iteration of the loop over '" << graph->dims[loop->dim].name
                         << "' makes; close the loop between them";
  }
  // A skewed stage is behind what else its loop has in an iteration.
  bool isAsLate = !load && reader.parent == writer.parent && reader.skew == writer.skew;
  if (writer.skew != 0 && !isAsLate && isInBodyOf(reader, writer))
    return emitError() << "'" << name << "' needs what the skewed stage '"
                       << graph->stages[producer].name
                       << "' makes an iteration later; skew it, too, or read it after the loop";
  if (load)
    return success();
  ScheduleBuffer buffer = getValueBuffer(*operand.value);
  const Buffer &asked = getBuffer(stage, number);
  bool isByPanel = isByPanels(stage) && graph->mayReadByPanels(operand, *description.panels);
  if (isInPanels(stage) && asked.panelColumns > 0 && operand.isAligned && !isByPanel)
    return emitError() << "expected a load of '" << name << "': stage '" << description.name
                       << "' works in panels for '"
                       << graph->stages[description.panels->reader].name
                       << "', which the result of '" << graph->stages[producer].name
                       << "' is not in; or load what that reads, or put stage '" << description.name
                       << "' into a loop over '" << graph->dims[description.panels->dim].name
                       << "' in steps of " << description.panels->columns
                       << ", which must divide its " << graph->dims[description.panels->dim].extent;
  if (!operand.isAligned || operand.isInitial ||
      (asked.panelColumns != buffer.buffer->panelColumns && !isByPanel) ||
      (description.isArray &&
       (buffer.space != MemorySpace::Sram || operand.buffer.getDims() != buffer.buffer->getDims())))
    return emitError() << "expected a load of '" << name
                       << "': the stage cannot read the result of '" << graph->stages[producer].name
                       << "' where it lies on chip";
  if (!isInBodyOf(*leaves[stage], *buffer.home))
    return emitError() << "expected the values of stage '" << graph->stages[producer].name
                       << "' in a loop around stage '" << description.name
                       << "', which reads them, or a load of '" << name << '\'';
  return success();
}

/// Tiles of a stage whose values are in panels begin at whole panels, and are whole where its
/// instructions need that.
LogicalResult ScheduleTree::verifyPanels(unsigned stage) {
  const StagePanels &panels = *graph->stages[stage].panels;
  for (const ScheduleNode *loop : leaves[stage]->getLoops())
    if (llvm::is_contained(panels.wholeDims, loop->dim) && loop->trips > 1)
      return emitError() << "stage '" << graph->stages[stage].name << "' leaves panels for '"
                         << graph->stages[panels.reader].name << "."
                         << graph->stages[panels.reader].operands[panels.operand].name
                         << "' with too many dimensions for tiles of '"
                         << graph->dims[loop->dim].name
                         << "' that are not whole; close its loop, or load the operand";
  for (const ScheduleNode *loop : leaves[stage]->getLoops())
    if (loop->dim == panels.dim && loop->trips > 1 && loop->tile % panels.columns != 0)
      return emitError() << "stage '" << graph->stages[stage].name << "' leaves panels of "
                         << panels.columns << " columns for '" << graph->stages[panels.reader].name
                         << "." << graph->stages[panels.reader].operands[panels.operand].name
                         << "', expected a multiple of them as tiles of '"
                         << graph->dims[loop->dim].name << "', found " << loop->tile
                         << "; or load the operand";
  return success();
}

/// A skewed leaf reads, one iteration later, what others of its loop made.
LogicalResult ScheduleTree::verifySkew(const ScheduleNode &leaf) {
  if (leaf.skew == 0)
    return success();
  const Stage &stage = graph->stages[leaf.stage];
  ScheduleNode *loop = leaf.parent;
  if (!loop->parent)
    return emitError() << "expected the skewed stage '" << stage.name << "' in a loop";
  if (loop->clusters > 1)
    return emitError() << "expected no skew in the loop over '" << graph->dims[loop->dim].name
                       << "', which is split over clusters";
  for (const ScheduleNode *outer = loop->parent; outer->parent; outer = outer->parent)
    if (outer->dim == loop->dim)
      return emitError() << "expected no skew in a loop over parts of the tiles of '"
                         << graph->dims[loop->dim].name << "'; skew the stage in the outer one";
  if (!stage.isArray && llvm::is_contained(stage.getReductionDims(), loop->dim))
    return emitError() << "expected no skew of stage '" << stage.name << "' in the loop over '"
                       << graph->dims[loop->dim].name
                       << "', along which the vector unit reduces it";
  // In the iteration more, in which only the skewed ones do something, it would add to nothing.
  for (const ScheduleNode *other : leaves) {
    const Stage &reduced = graph->stages[other->stage];
    if (!reduced.isArray && other->skew == 0 && isInBodyOf(*homes[other->stage], leaf) &&
        llvm::is_contained(other->getLoops(), loop) &&
        llvm::is_contained(reduced.getReductionDims(), loop->dim))
      return emitError() << "expected no skew of stage '" << stage.name << "' in the loop over '"
                         << graph->dims[loop->dim].name << "', in which the vector unit reduces '"
                         << reduced.name << "' along it; close the loop between them";
  }
  bool sumsBehind = llvm::is_contained(stage.getReductionDims(), loop->dim);
  if (sumsBehind && llvm::any_of(stage.operands, [](const StageOperand &operand) {
        return operand.buffer.role == BufferRole::Start;
      }))
    return emitError() << "expected no skew of stage '" << stage.name << "' in the loop over '"
                       << graph->dims[loop->dim].name
                       << "', along which it adds to a bias; add the bias behind the contraction";
  // In the first iteration some extent is zero.
  bool isRagged = graph->dims[loop->dim].extent % loop->tile != 0;
  for (const StageOp &op : stage.ops) {
    bool hasFixed = llvm::any_of(op.dims, [&](unsigned dim) {
      if (graph->dims[dim].isUnit)
        return false;
      bool isLooped = llvm::any_of(leaf.getLoops(), [&](const ScheduleNode *outer) {
        return outer->dim == dim && outer->trips > 1;
      });
      return dim == loop->dim ? !isRagged : !isLooped;
    });
    if (!hasFixed)
      return emitError() << "expected tiles that divide dimension '" << graph->dims[loop->dim].name
                         << "' of the skewed stage '" << stage.name
                         << "', or a dimension of it without a loop";
  }
  loop->isExtended = true;
  const ScheduleNode &own = *homes[leaf.stage];
  if (&own != &leaf && own.parent == loop && own.depth < 2)
    return emitError() << "expected at least two buffers for the values of the skewed stage '"
                       << stage.name << "', or their place at its leaf";
  for (auto [number, operand] : llvm::enumerate(stage.operands)) {
    const ScheduleNode *load = findLoad(leaf.stage, number);
    const ScheduleNode *keep = load ? findKeep(*load) : nullptr;
    const ScheduleNode *home = keep ? keep : load;
    int64_t depth = load ? load->depth : 0, writerSkew = 0;
    if (!load) {
      ScheduleBuffer buffer = getValueBuffer(*operand.value);
      home = buffer.home;
      depth = buffer.depth;
      writerSkew = leaves[graph->values[*operand.value].stage]->skew;
    }
    if (home->parent == loop && writerSkew == 0 && depth < 2)
      return emitError() << "expected at least two buffers for '" << stage.name << "."
                         << operand.name << "', which the skewed stage reads one iteration later";
  }
  return success();
}

/// A contraction can take along its sums what it has of its first tile.
LogicalResult ScheduleTree::verifyBegin(const ScheduleNode &leaf) {
  if (!leaf.beginDim)
    return success();
  StringRef name = leaf.beginDim.getValue();
  const Stage &stage = graph->stages[leaf.stage];
  if (!stage.isArray)
    return emitError() << "expected a contraction that begins with parts of '" << name
                       << "', found stage '" << stage.name << '\'';
  // Of several sums the array goes over one as a whole; windows have halos.
  SmallVector<unsigned> sums;
  for (unsigned dim : stage.getReductionDims())
    if (!graph->dims[dim].isReluctant && !graph->dims[dim].isUnit)
      sums.push_back(dim);
  if (sums.size() != 1 || graph->dims[sums.front()].name != name) {
    InFlightDiagnostic diagnostic = emitError() << "expected stage '" << stage.name
                                                << "' to begin with parts of ";
    if (sums.size() == 1)
      diagnostic << '\'' << graph->dims[sums.front()].name << '\'';
    else
      diagnostic << "the only dimension that it adds up and that is no window's, and it has "
                 << sums.size();
    return diagnostic << ", found '" << name << '\'';
  }
  int64_t tile = graph->dims[sums.front()].extent;
  for (const ScheduleNode *loop : leaf.getLoops())
    if (loop->dim == sums.front())
      tile = std::min(tile, loop->tile);
  int64_t most = leaf.begin.size() == 1 ? leaf.begin.front() : 0;
  for (int64_t size : leaf.begin.drop_back())
    most = std::min(most, tile) + std::min(size, tile);
  if (most >= tile)
    return emitError() << "expected stage '" << stage.name
                       << "' to begin with less than its tile of " << tile << " along '" << name
                       << "', found " << most;
  if (leaf.skew != 0)
    return emitError() << "expected no parts of the first tile of stage '" << stage.name
                       << "', which is skewed";
  return success();
}

/// The rows of a contraction's last tile can be done apart if what reads its value does so.
LogicalResult ScheduleTree::verifyEnd(const ScheduleNode &leaf) {
  if (!leaf.endDim)
    return success();
  StringRef name = leaf.endDim.getValue();
  const Stage &stage = graph->stages[leaf.stage];
  if (!stage.isArray)
    return emitError() << "expected a contraction that ends with parts of '" << name
                       << "', found stage '" << stage.name << '\'';
  if (llvm::none_of(stage.operands,
                    [](const StageOperand &operand) { return operand.buffer.panelColumns > 0; }))
    return emitError() << "expected no parts of '" << name << "' at the end of stage '"
                       << stage.name
                       << "', a depthwise convolution, whose tiles are done as a whole";
  if (leaf.skew != 0)
    return emitError() << "expected no parts of the last tile of stage '" << stage.name
                       << "', which is skewed";
  const StageOp &root = stage.getRoot();
  SmallVector<tile::Dim> dims = root.op.getTileDims(graph->target);
  std::optional<unsigned> found;
  for (auto [dim, own] : llvm::zip_equal(root.dims, dims))
    if (graph->dims[dim].name == name && own.role == tile::MxuRole::M && !own.isUnit)
      found = dim;
  if (!found)
    return emitError() << "expected stage '" << stage.name
                       << "' to end with parts of a dimension that its first operand and its "
                          "result have and the other operand has not, found '"
                       << name << '\'';
  SmallVector<const ScheduleNode *> around = leaf.getLoops();
  bool isRead = false;
  for (unsigned value : graph->valuesOfStage[leaf.stage])
    for (auto [reader, operand] : graph->readersOfValue[value]) {
      SmallVector<const ScheduleNode *> loops = leaves[reader]->getLoops();
      isRead = !loops.empty() && loops.back()->dim == *found &&
               !llvm::is_contained(around, loops.back());
      if (!isRead)
        return emitError() << "expected stage '" << graph->stages[reader].name
                           << "' in a loop over '" << name << "' of its own, part by part of what '"
                           << stage.name << "' ends with";
    }
  if (!isRead)
    return emitError() << "expected a stage that reads part by part what '" << stage.name
                       << "' ends with, found none";
  return success();
}

/// Buffers that are in use while the same child of the root runs fit together.
LogicalResult ScheduleTree::verifyFootprint() {
  SmallVector<int64_t> sram(root->children.size() + 1), acc(root->children.size() + 1);
  llvm::DenseMap<const ScheduleNode *, unsigned> lastUses = getLastUses();
  std::vector<ScheduleBuffer> buffers = getBuffers();
  for (const ScheduleBuffer &buffer : buffers) {
    auto [first, last] = getLife(buffer, lastUses);
    int64_t bytes = buffer.buffer->elementBytes;
    for (int64_t size : buffer.shape)
      bytes *= size;
    bytes = tile::getSlotBytes(bytes) * buffer.depth;
    for (unsigned child = first; child <= last; ++child)
      (buffer.space == MemorySpace::Acc ? acc : sram)[child] += bytes;
  }
  for (auto [needed, available, name] :
       {std::tuple(*llvm::max_element(sram) + graph->constantBytes,
                   graph->target.sramBytes + graph->constantBytes, "SRAM"),
        std::tuple(*llvm::max_element(acc), graph->target.accBytes, "accumulator memory")}) {
    if (needed <= available)
      continue;
    InFlightDiagnostic diagnostic = emitError()
                                    << "needs " << needed << " bytes of " << name << ", target '"
                                    << graph->target.name << "' has " << available
                                    << "; choose smaller tiles or depths" << kRemedy;
    for (const ScheduleBuffer &buffer : buffers) {
      if ((buffer.space == MemorySpace::Acc) != (StringRef(name) != "SRAM"))
        continue;
      std::string shape;
      llvm::raw_string_ostream os(shape);
      llvm::interleave(buffer.shape, os, "x");
      diagnostic.attachNote() << buffer.name << ": " << shape << " elements of "
                              << buffer.buffer->elementBytes << " bytes, " << buffer.depth
                              << " times";
    }
    return diagnostic;
  }
  return success();
}

LogicalResult ScheduleTree::verify() {
  findPanels();
  for (unsigned stage = 0; stage < graph->stages.size(); ++stage)
    if (failed(verifyLeaf(stage)))
      return failure();
  assignBuffers();
  for (const auto &[place, load] : loads) {
    std::optional<unsigned> value = graph->stages[load->stage].operands[load->operand].value;
    if (value && !isFromChip(*load))
      scratch.insert(*value);
  }
  for (unsigned stage = 0; stage < graph->stages.size(); ++stage) {
    if (failed(verifyHome(stage)) || (isInPanels(stage) && failed(verifyPanels(stage))))
      return failure();
    for (unsigned operand = 0; operand < graph->stages[stage].operands.size(); ++operand)
      if (failed(verifyOperand(stage, operand)))
        return failure();
  }
  for (const ScheduleNode *leaf : leaves)
    if (failed(verifyProducts(*leaf)) || failed(verifySkew(*leaf)) || failed(verifyBegin(*leaf)) ||
        failed(verifyEnd(*leaf)))
      return failure();
  if (failed(verifyClusters()))
    return failure();
  return verifyFootprint();
}
