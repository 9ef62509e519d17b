//===- Einsum.cpp - equations of Einsum nodes -----------------------------===//

#include "NPU/Dialect/ONNX/Specs/Einsum.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// Numbers of letters come behind those of an ellipsis, which are counted from the right.
static constexpr int64_t maxEllipsis = 32;

static int64_t getName(char letter) { return maxEllipsis + (unsigned char)letter; }

/// The names of one term. The ellipsis stands for `ellipsis` dimensions.
static FailureOr<SmallVector<int64_t>> parseTerm(Node &node, StringRef term, int64_t ellipsis) {
  SmallVector<int64_t> names;
  bool hasEllipsis = false;
  while (!term.empty()) {
    if (!hasEllipsis && term.consume_front("...")) {
      hasEllipsis = true;
      for (int64_t dim = ellipsis; dim > 0; --dim)
        names.push_back(dim - 1);
      continue;
    }
    if (!llvm::isAlpha(term.front()))
      return node.reject() << "expected letters and at most one '...' in each term of the equation,"
                              " found '"
                           << term << "'";
    names.push_back(getName(term.front()));
    term = term.drop_front();
  }
  return names;
}

/// The terms of all inputs, and the number of dimensions of the widest ellipsis.
static FailureOr<int64_t> parseInputs(Node &node, StringRef text, EinsumEquation &equation) {
  SmallVector<StringRef> terms;
  text.split(terms, ',');
  if (terms.size() != node.getNumInputs())
    return node.reject() << "expected an equation of " << node.getNumInputs()
                         << " terms, one for each input, found " << terms.size();
  int64_t widest = 0;
  for (auto [index, term] : llvm::enumerate(terms)) {
    int64_t letters = llvm::count_if(term, llvm::isAlpha);
    int64_t ellipsis = term.contains("...") ? node.getRank(index) - letters : 0;
    if (ellipsis < 0 || ellipsis > maxEllipsis || letters + ellipsis != node.getRank(index))
      return node.reject() << "expected term '" << term << "' to have a letter for each of the "
                           << node.getRank(index) << " dimensions of input " << index << ", found "
                           << letters;
    FailureOr<SmallVector<int64_t>> names = parseTerm(node, term, ellipsis);
    if (failed(names))
      return failure();
    equation.inputs.push_back(*names);
    widest = std::max(widest, ellipsis);
  }
  return widest;
}

FailureOr<EinsumEquation> npu::onnx_ir::parseEinsum(Node &node) {
  std::string text = node.getString("equation", "").str();
  llvm::erase(text, ' ');
  auto [inputs, output] = StringRef(text).split("->");
  EinsumEquation equation;
  FailureOr<int64_t> ellipsis = parseInputs(node, inputs, equation);
  if (failed(ellipsis))
    return failure();
  equation.extents.assign(maxEllipsis + 128, 1);
  SmallVector<unsigned> uses(equation.extents.size());
  for (auto [index, names] : llvm::enumerate(equation.inputs))
    for (auto [name, extent] : llvm::zip(names, node.getShape(index))) {
      ++uses[name];
      int64_t &common = equation.extents[name];
      if (common != 1 && extent != 1 && extent != common)
        return node.reject() << "expected one extent for each letter of '" << text << "', found "
                             << common << " and " << extent;
      if (common == 1)
        common = extent;
    }
  // Diagonals are of squares.
  for (auto [index, names] : llvm::enumerate(equation.inputs))
    for (auto [name, extent] : llvm::zip(names, node.getShape(index)))
      if (extent != equation.extents[name] && llvm::count(names, name) > 1)
        return node.reject() << "expected a letter that input " << index
                             << " has twice to stand for equal extents, found " << extent << " and "
                             << equation.extents[name];
  if (inputs.size() != text.size()) {
    FailureOr<SmallVector<int64_t>> names = parseTerm(node, output, *ellipsis);
    if (failed(names))
      return failure();
    equation.output = *names;
  } else {
    // Without an output, the ellipsis and the letters that occur once, in their order.
    for (int64_t dim = *ellipsis; dim > 0; --dim)
      equation.output.push_back(dim - 1);
    for (int64_t name = maxEllipsis; name < int64_t(uses.size()); ++name)
      if (uses[name] == 1)
        equation.output.push_back(name);
  }
  for (int64_t name : equation.output)
    if (uses[name] == 0 || llvm::count(equation.output, name) != 1)
      return node.reject() << "expected every letter of the output once, and in an input, found '"
                           << output << "'";
  return equation;
}
