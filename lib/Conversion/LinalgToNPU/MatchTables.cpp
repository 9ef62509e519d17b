//===- MatchTables.cpp - functions that tables give -----------------------===//

#include "Matching.h"

#include "NPU/Preparation/TableLookup.h"

using namespace mlir;
using namespace npu;

std::optional<ElementwiseStep> npu::matchTable(Operation *tail) {
  std::optional<TableLookup> lookup = matchTableLookup(tail);
  if (!lookup || !isInDram(lookup->table))
    return std::nullopt;
  ElementwiseStep step{ElementwiseStep::Table, tail->getResult(0), {lookup->input}};
  step.source = lookup->table;
  step.isUnsigned = lookup->isUnsigned;
  return step;
}
