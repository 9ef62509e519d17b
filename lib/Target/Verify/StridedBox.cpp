//===- StridedBox.cpp - sets of bytes and whether they meet ---------------===//

#include "NPU/Target/Verify/StridedBox.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace llvm;
using namespace npu::verify;

StridedShape npu::verify::makeShape(ArrayRef<Stride> dims, int64_t runBytes) {
  StridedShape shape;
  shape.run = runBytes;
  SmallVector<Stride, 4> &sorted = shape.dims;
  for (Stride dim : dims) {
    if (dim.count <= 1 || dim.bytes == 0)
      continue;
    if (dim.bytes < 0) {
      shape.offset += dim.bytes * (dim.count - 1);
      dim.bytes = -dim.bytes;
    }
    auto place = llvm::find_if(sorted, [&](Stride other) { return other.bytes < dim.bytes; });
    sorted.insert(place, dim);
  }
  while (!sorted.empty() && sorted.back().bytes <= shape.run) {
    Stride inner = sorted.pop_back_val();
    shape.run += inner.bytes * (inner.count - 1);
  }
  // Progressions that touch or overlap are one longer progression.
  for (size_t i = sorted.size(); i-- > 1;) {
    Stride &outer = sorted[i - 1], &inner = sorted[i];
    if (outer.bytes % inner.bytes || outer.bytes / inner.bytes > inner.count)
      continue;
    inner.count += outer.bytes / inner.bytes * (outer.count - 1);
    sorted.erase(sorted.begin() + (i - 1));
  }
  shape.span = shape.run;
  for (Stride dim : sorted)
    shape.span += dim.bytes * (dim.count - 1);
  return shape;
}

namespace {
/// Decides whether `sum(z_i * c_i)`, 0 <= z_i <= n_i, takes a value in [low, high].
class SumProblem {
public:
  void add(int64_t coefficient, int64_t most) {
    for (Term &term : terms)
      if (term.coefficient == coefficient) {
        term.most += most;
        return;
      }
    auto place = llvm::find_if(terms, [&](Term t) { return t.coefficient < coefficient; });
    terms.insert(place, Term{coefficient, most, 0, 0, 0});
  }

  std::optional<bool> solve(int64_t low, int64_t high) {
    int64_t sum = 0, gap = 0, divisor = 0;
    for (Term &term : llvm::reverse(terms)) {
      // Shifted copies of the smaller sums: gaps inside a copy and between two of them.
      gap = std::max(gap, term.coefficient - sum);
      sum += term.coefficient * term.most;
      divisor = std::gcd(divisor, term.coefficient);
      term.sum = sum;
      term.gap = gap;
      term.divisor = divisor;
    }
    width = high - low + 1;
    bool found = search(0, low, high);
    if (!found && budget == 0)
      return std::nullopt;
    return found;
  }

private:
  struct Term {
    int64_t coefficient, most;
    int64_t sum;     ///< largest sum of this and all later terms
    int64_t gap;     ///< bound on the distance of two neighboring sums of these terms
    int64_t divisor; ///< of all these sums
  };

  bool search(size_t at, int64_t low, int64_t high) {
    if (high < 0)
      return false;
    if (low <= 0)
      return true;
    if (at == terms.size())
      return false;
    const Term &term = terms[at];
    if (low > term.sum)
      return false;
    if (high >= term.sum || width >= term.gap)
      return true;
    if (high / term.divisor * term.divisor < low)
      return false;
    if (budget == 0)
      return false;
    --budget;
    int64_t rest = at + 1 < terms.size() ? terms[at + 1].sum : 0;
    int64_t first = low <= rest ? 0 : (low - rest + term.coefficient - 1) / term.coefficient;
    int64_t last = std::min(high / term.coefficient, term.most);
    for (int64_t z = first; z <= last && budget; ++z)
      if (search(at + 1, low - z * term.coefficient, high - z * term.coefficient))
        return true;
    return false;
  }

  SmallVector<Term, 8> terms;
  int64_t width = 0;
  unsigned budget = overlapBudget;
};
} // namespace

std::optional<bool> npu::verify::overlap(const StridedShape &a, const StridedShape &b,
                                         int64_t distance) {
  if (distance >= a.span || -distance >= b.span)
    return false;
  if (a.dims.empty() && b.dims.empty())
    return true;
  // a's offset x and b's offset y meet when distance - a.run < x - y < distance + b.run, that is
  // with y mirrored to (highest y) - y, when the sum of both lies in the window shifted by it.
  SumProblem problem;
  for (Stride dim : a.dims)
    problem.add(dim.bytes, dim.count - 1);
  for (Stride dim : b.dims)
    problem.add(dim.bytes, dim.count - 1);
  int64_t mirrored = distance + (b.span - b.run);
  return problem.solve(mirrored - a.run + 1, mirrored + b.run - 1);
}

ByteRange npu::verify::findOverlap(const StridedShape &a, const StridedShape &b, int64_t distance) {
  ByteRange hull{std::max<int64_t>(0, distance), std::min(a.span, distance + b.span)};
  StridedShape byte;
  byte.run = byte.span = 1;
  StridedShape run;
  SmallVector<int64_t, 4> index(a.dims.size(), 0);
  for (unsigned budget = 4096; budget; --budget) {
    int64_t start = 0;
    for (size_t d = 0; d < index.size(); ++d)
      start += index[d] * a.dims[d].bytes;
    run.run = run.span = a.run;
    if (overlap(run, b, distance - start).value_or(false)) {
      // Halve down to the first shared byte, then extend.
      int64_t begin = start, length = a.run;
      while (length > 1) {
        run.run = run.span = length / 2;
        bool isInFirst = overlap(run, b, distance - begin).value_or(false);
        begin += isInFirst ? 0 : length / 2;
        length = isInFirst ? length / 2 : length - length / 2;
      }
      int64_t end = begin + 1;
      while (end < start + a.run && end - begin < 65536 &&
             overlap(byte, b, distance - end).value_or(false))
        ++end;
      return {begin, end};
    }
    size_t d = index.size();
    while (d > 0 && ++index[d - 1] == a.dims[d - 1].count)
      index[--d] = 0;
    if (d == 0)
      break;
  }
  return hull;
}
