//===- ExpandText.cpp - counts of n-grams ---------------------------------===//

#include "OpSpecFunctions.h"

#include <algorithm>

using namespace mlir;
using namespace npu::onnx_ir;

/// Counts how often each n-gram of a pool of numbers occurs, its words up to max_skip_count others
/// apart: a comparison for every word and skip, and a product that adds up what has one place in
/// the result.
LogicalResult npu::onnx_ir::expandTfIdfVectorizer(Expansion &b) {
  Node &node = b.getNode();
  auto getList = [&](StringRef name) {
    return node.getInts(name).value_or(SmallVector<int64_t>());
  };
  SmallVector<int64_t> counts = getList("ngram_counts"), places = getList("ngram_indexes");
  SmallVector<int64_t> pool = getList("pool_int64s");
  int64_t rank = node.getRank(0);
  bool isWord = node.getElementType(0).isSignlessInteger(32);
  if ((!isWord && !node.getElementType(0).isSignlessInteger(64)) || rank < 1 || rank > 2 ||
      places.empty())
    return node.reject() << "expected integers in 1 or 2 dimensions and a pool of them, found "
                         << node.getInputType(0);
  for (int64_t word : pool)
    if (isWord && !llvm::isInt<32>(word))
      return node.reject() << "expected a pool of the integers' type, found " << word;
  int64_t shortest = node.getInt("min_gram_length", 1), longest = node.getInt("max_gram_length", 1);
  int64_t maxSkip = node.getInt("max_skip_count", 0);
  int64_t batch = rank == 2 ? node.getShape(0)[0] : 1, words = node.getShape(0).back();
  constexpr int64_t mostSkips = 64; // each is compared by nodes of its own
  if (maxSkip < 0 || maxSkip > mostSkips || counts.size() > size_t(mostSkips))
    return node.reject() << "expected n-grams and skips of at most " << mostSkips
                         << " words, found " << counts.size() << " and " << maxSkip;
  int64_t last = *llvm::max_element(places), least = *llvm::min_element(places);
  if (least < 0 || last >= FoldBudget::total)
    return node.reject() << "expected places of n-grams in a tensor, found " << least << " and "
                         << last;
  int64_t size = last + 1;
  Type type = b.getF32Type(), wordType = node.getElementType(0);
  Value x = b.reshape(b.input(0), {batch, words});
  Value result;
  size_t place = 0;
  for (size_t number = 0; number < counts.size(); ++number) {
    int64_t begin = counts[number];
    int64_t end = number + 1 < counts.size() ? counts[number + 1] : int64_t(pool.size());
    int64_t length = int64_t(number) + 1;
    if (begin < 0 || end < begin || end > int64_t(pool.size()) || (end - begin) % length != 0)
      return node.reject() << "expected ngram_counts that divide the pool, found " << begin
                           << " and " << end;
    int64_t grams = (end - begin) / length;
    if (place + grams > places.size())
      return node.reject() << "expected an ngram_indexes for each n-gram, found " << places.size();
    ArrayRef<int64_t> columns = ArrayRef(places).slice(place, grams);
    place += grams;
    if (length < shortest || length > longest || grams == 0)
      continue;
    SmallVector<int64_t> matrixShape{grams, size};
    if (failed(node.spendOrReject(matrixShape)))
      return failure();
    std::vector<double> ones(grams * size, 0);
    for (auto [row, column] : llvm::enumerate(columns))
      ones[row * size + column] = 1;
    Value matrix = b.numbers(type, matrixShape, ones);
    for (int64_t skip = 0; skip <= (length == 1 ? 0 : maxSkip); ++skip) {
      if (length > 1 && skip + 1 > words / (length - 1))
        break;
      int64_t starts = words - (length - 1) * (skip + 1);
      if (starts <= 0)
        break;
      Value equal;
      for (int64_t word = 0; word < length; ++word) {
        SmallVector<int64_t> wanted;
        for (int64_t gram = 0; gram < grams; ++gram)
          wanted.push_back(pool[begin + gram * length + word]);
        Value column = b.reshape(b.ints(wanted), {grams, 1});
        if (isWord)
          column = b.cast(column, wordType);
        int64_t first = word * (skip + 1);
        Value part = b.reshape(b.slice(x, 1, first, first + starts), {batch, 1, starts});
        Value same = b.op("Equal", {part, column});
        equal = equal ? b.op("And", {equal, same}) : same;
      }
      Value sums =
          b.op("ReduceSum", {b.cast(equal, type), b.ints({2})}, {b.integer("keepdims", 0)});
      Value counted = b.op("MatMul", {sums, matrix});
      result = result ? b.op("Add", {result, counted}) : counted;
    }
  }
  if (!result)
    result = b.constant(type, {batch, size}, 0);
  StringRef mode = node.getString("mode", "TF");
  if (mode == "IDF")
    result = b.cast(b.op("Greater", {result, b.constant(type, {}, 0)}), type);
  std::optional<SmallVector<double>> weights = node.getFloats("weights");
  if (mode != "TF" && weights) {
    // Weights are of n-grams, in the order of their places.
    std::vector<double> ofPlace(size, 1);
    for (auto [column, weight] : llvm::zip(places, *weights))
      ofPlace[column] = weight;
    result = b.op("Mul", {result, b.numbers(type, {size}, ofPlace)});
  }
  b.setResult(0, rank == 2 ? result : b.reshape(result, {size}));
  return success();
}
