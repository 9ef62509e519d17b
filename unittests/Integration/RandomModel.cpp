//===- RandomModel.cpp - random modules in linalg for integration tests ---===//

#include "RandomModel.h"
#include "RandomText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// Of one contraction, so that a module runs in milliseconds.
constexpr int64_t kMaxMacs = 400000;

int64_t count(ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  return elements;
}

class ModelBuilder : public RandomText {
public:
  ModelBuilder(Random &random, bool isDispatch) : RandomText(random), isDispatch(isDispatch) {}

  std::string run(unsigned numLayers);

private:
  void addContraction();
  void addNamedContraction();
  void addConvolution();
  Tensor addPadding(const Tensor &input, ArrayRef<int64_t> low, ArrayRef<int64_t> high);
  void addReduction();
  Tensor addExtreme(const Operand &input, std::vector<Loop> loops);
  void addNormalization();
  void addElementwise();
  void addTranspose();

  bool isDispatch;
};

} // namespace

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static bool isArrayType(ElementType type) {
  return type == ElementType::I8 || type == ElementType::F16 || type == ElementType::BF16 ||
         type == ElementType::F32;
}

/// Any number of batches, rows, columns and reduced dimensions in any order.
void ModelBuilder::addContraction() {
  std::vector<Loop> batches, rows, columns, sums;
  auto addLoops = [&](std::vector<Loop> &loops, StringRef name, int64_t number, bool isReduction) {
    for (int64_t i = 0; i < number; ++i)
      loops.push_back({(name + Twine(i)).str(), pickSize(), isReduction});
  };
  auto fits = [&](const Tensor &tensor) {
    return isArrayType(tensor.type) && !tensor.shape.empty() && tensor.shape.size() <= 4;
  };
  std::optional<Tensor> left;
  if (random.chance(60))
    left = pickValue(fits);
  std::vector<std::string> leftDims, rightDims, outputDims;
  if (left) {
    for (auto [index, size] : llvm::enumerate(left->shape)) {
      unsigned role = random.in(0, 5);
      std::vector<Loop> &loops = role == 0 ? batches : role <= 3 ? rows : sums;
      StringRef name = role == 0 ? "b" : role <= 3 ? "m" : "k";
      loops.push_back({(name + Twine(loops.size())).str(), size, role > 3});
      leftDims.push_back(loops.back().name);
    }
  } else {
    addLoops(batches, "b", random.of({0, 0, 0, 1, 1, 2}), false);
    addLoops(rows, "m", random.of({0, 1, 1, 1, 2, 3}), false);
    addLoops(sums, "k", random.of({0, 1, 1, 1, 1, 2}), true);
  }
  addLoops(columns, "n", random.of({0, 1, 1, 1, 1, 2}), false);
  std::vector<Loop> loops;
  for (const std::vector<Loop> *part : {&batches, &rows, &columns, &sums})
    loops.insert(loops.end(), part->begin(), part->end());
  int64_t macs = 1;
  for (Loop &loop : loops) {
    macs *= loop.extent;
    if (macs <= kMaxMacs)
      continue;
    // The sizes of a value are what they are.
    if (left && loop.name[0] != 'n')
      continue;
    macs /= loop.extent;
    loop.extent = 1;
  }
  auto getExtent = [&](StringRef name) {
    return llvm::find_if(loops, [&](const Loop &loop) { return loop.name == name; })->extent;
  };
  auto addDims = [&](std::vector<std::string> &dims, ArrayRef<Loop> part) {
    for (const Loop &loop : part)
      dims.push_back(loop.name);
  };
  bool isUsual = random.chance(50);
  auto makeShape = [&](std::vector<std::string> &dims) {
    if (!isUsual)
      random.shuffle(dims);
    std::vector<int64_t> shape;
    for (const std::string &dim : dims)
      shape.push_back(getExtent(dim));
    return shape;
  };
  ElementType type = left ? left->type : pickArrayType();
  if (!left) {
    for (ArrayRef<Loop> part : {ArrayRef(batches), ArrayRef(rows), ArrayRef(sums)})
      addDims(leftDims, part);
    std::vector<int64_t> shape = makeShape(leftDims);
    left =
        addArgument(shape, type == ElementType::I8 && random.chance(15) ? ElementType::I16 : type);
  }
  for (ArrayRef<Loop> part : {ArrayRef(batches), ArrayRef(sums), ArrayRef(columns)})
    addDims(rightDims, part);
  std::vector<int64_t> rightShape = makeShape(rightDims);
  Tensor right = addArgument(rightShape, type);
  for (ArrayRef<Loop> part : {ArrayRef(batches), ArrayRef(rows), ArrayRef(columns)})
    addDims(outputDims, part);
  std::vector<int64_t> outputShape = makeShape(outputDims);
  if (random.chance(30))
    random.shuffle(loops);
  std::vector<Operand> inputs = {{*left, leftDims}, {right, rightDims}};
  if (random.chance(20))
    std::swap(inputs[0], inputs[1]);
  addSumOfProducts(loops, inputs, {{"", outputShape, pickSumType(type)}, outputDims});
}

/// The ops that linalg has names for, with sizes of one in any place.
void ModelBuilder::addNamedContraction() {
  int64_t b = pickSize(), m = pickSize(), n = pickSize(), k = pickSize();
  struct Form {
    StringRef name;
    std::vector<int64_t> left, right, output;
  };
  const Form forms[] = {{"matmul", {m, k}, {k, n}, {m, n}},
                        {"batch_matmul", {b, m, k}, {b, k, n}, {b, m, n}},
                        {"matvec", {m, k}, {k}, {m}},
                        {"vecmat", {k}, {k, n}, {n}},
                        {"dot", {k}, {k}, {}},
                        {"batch_matvec", {b, m, k}, {b, k}, {b, m}},
                        {"batch_vecmat", {b, k}, {b, k, n}, {b, n}},
                        {"batch_reduce_matmul", {b, m, k}, {b, k, n}, {m, n}}};
  const Form &form = forms[random.in(0, std::size(forms) - 1)];
  ElementType type = pickArrayType();
  Tensor left = addArgument(form.left, type), right = addArgument(form.right, type);
  Tensor output = {"", form.output, pickSumType(type)};
  std::string init = addInit(output, random.chance(80) ? 0 : 2);
  output.name = getName("r");
  addLine(llvm::formatv("{0} = linalg.{1} ins({2}, {3} : {4}, {5}) outs({6} : {7}) -> {7}",
                        output.name, form.name, left.name, right.name, left.getType(),
                        right.getType(), init, output.getType()));
  values.push_back(output);
}

Tensor ModelBuilder::addPadding(const Tensor &input, ArrayRef<int64_t> low,
                                ArrayRef<int64_t> high) {
  Tensor padded{getName("p"), getPadded(input.shape, low, high), input.type};
  text += getPad(padded.name, input.name, input.shape, low, high,
                 random.chance(60) ? 0 : random.in(-3, 3), input.type);
  return padded;
}

/// One or two spatial dimensions; plain, grouped, depthwise, or a pooling.
void ModelBuilder::addConvolution() {
  enum {
    Plain,
    Grouped,
    Depthwise,
    Pooling
  } kind = random.of({Plain, Plain, Grouped, Depthwise, Pooling});
  unsigned numSpatial = random.of({1, 2, 2, 2});
  std::vector<Loop> loops;
  std::vector<std::string> inputDims, filterDims, outputDims;
  // Sizes of the input by coordinate, before padding.
  std::vector<std::pair<std::string, int64_t>> inputSizes;
  std::vector<int64_t> low, high;
  auto addPlain = [&](StringRef name, int64_t extent, bool isReduction, bool inInput,
                      bool inFilter) {
    loops.push_back({name.str(), extent, isReduction});
    if (inInput)
      inputSizes.push_back({name.str(), extent});
    if (inFilter)
      filterDims.push_back(name.str());
    if (!isReduction)
      outputDims.push_back(name.str());
  };
  auto pickChannels = [&] { return random.of<int64_t>({1, 1, 2, 3, 5, 8, 17}); };
  bool isChannelLast = random.chance(50), hasChannels = random.chance(90);
  if (random.chance(70))
    addPlain("b", random.of<int64_t>({1, 1, 1, 2}), false, true, false);
  auto addChannels = [&] {
    if (kind == Grouped || kind == Depthwise || kind == Pooling)
      addPlain("g", pickChannels(), false, true, kind != Pooling);
    if (hasChannels && (kind == Plain || kind == Grouped))
      addPlain("c", pickChannels(), true, true, true);
  };
  if (!isChannelLast)
    addChannels();
  for (unsigned i = 0; i < numSpatial; ++i) {
    std::string space = "h" + std::to_string(i), tap = "y" + std::to_string(i);
    int64_t out = random.of<int64_t>({1, 1, 2, 3, 6}), taps = random.of<int64_t>({1, 2, 3, 3, 5});
    int64_t stride = random.of<int64_t>({1, 1, 2, 3, 4}),
            dilation = random.of<int64_t>({1, 1, 1, 2});
    int64_t slack = random.of<int64_t>({0, 0, 0, 1, 2, 4});
    int64_t size = (out - 1) * stride + (taps - 1) * dilation + 1 + slack;
    loops.push_back({space, out, false});
    outputDims.push_back(space);
    loops.push_back({tap, taps, true});
    filterDims.push_back(tap);
    auto scale = [](const std::string &loop, int64_t factor) {
      return factor == 1 ? loop : loop + " * " + std::to_string(factor);
    };
    inputSizes.push_back({scale(space, stride) + " + " + scale(tap, dilation), size});
  }
  if (isChannelLast)
    addChannels();
  if (hasChannels && (kind == Plain || kind == Grouped))
    addPlain("f", pickChannels(), false, false, true);
  if (!isChannelLast && llvm::is_contained(outputDims, "f")) {
    // Behind what comes before the space.
    llvm::erase(outputDims, "f");
    outputDims.insert(llvm::find(outputDims, "h0"), "f");
  }
  if (random.chance(50))
    random.shuffle(filterDims);
  if (random.chance(15))
    random.shuffle(inputSizes);
  if (random.chance(15))
    random.shuffle(outputDims);

  ElementType type = pickArrayType();
  std::vector<int64_t> shape;
  for (auto [coordinate, size] : inputSizes) {
    inputDims.push_back(coordinate);
    bool isPadded = StringRef(coordinate).contains('+') && size > 1 && random.chance(30);
    int64_t before = isPadded ? random.in(0, std::min<int64_t>(2, size - 1)) : 0;
    int64_t after = isPadded ? random.in(0, std::min<int64_t>(2, size - 1 - before)) : 0;
    low.push_back(before);
    high.push_back(after);
    shape.push_back(size - before - after);
  }
  std::optional<Tensor> input;
  if (random.chance(60))
    input = pickValue([&](const Tensor &value) {
      return isArrayType(value.type) && ArrayRef(value.shape) == ArrayRef(shape);
    });
  if (!input)
    input = addArgument(shape, type);
  type = input->type;
  if (llvm::any_of(low, [](int64_t v) { return v > 0; }) ||
      llvm::any_of(high, [](int64_t v) { return v > 0; }))
    input = addPadding(*input, low, high);
  auto makeShape = [&](ArrayRef<std::string> dims) {
    std::vector<int64_t> result;
    for (const std::string &dim : dims)
      result.push_back(
          llvm::find_if(loops, [&](const Loop &loop) { return loop.name == dim; })->extent);
    return result;
  };
  Operand output{{"", makeShape(outputDims), pickSumType(type)}, outputDims};
  if (kind != Pooling) {
    Tensor filter = addArgument(makeShape(filterDims), type);
    return addSumOfProducts(loops, {{*input, inputDims}, {filter, filterDims}}, output);
  }
  // A window that only its shape is read of.
  bool isMax = random.chance(30);
  if (isMax)
    output.tensor.type = type;
  Tensor window{getName("w"), makeShape(filterDims), output.tensor.type};
  addLine(window.name + " = tensor.empty() : " + window.getType());
  addGeneric(loops, {{*input, inputDims}, {window, filterDims}}, output, isMax ? -100 : 0,
             [&](std::vector<Scalar> scalars) {
               ElementType sum = output.tensor.type;
               Scalar value = scalars.front();
               if (value.type != sum)
                 value =
                     addOp(llvm::formatv("arith.{0} {1} : {2} to {3}",
                                         isFloat(sum) ? "extf" : "extsi", value.name,
                                         getElementTypeName(value.type), getElementTypeName(sum)),
                           sum);
               StringRef op =
                   isFloat(sum) ? (isMax ? "maximumf" : "addf") : (isMax ? "maxsi" : "addi");
               return std::vector<Scalar>{
                   addOp(llvm::formatv("arith.{0} {1}, {2} : {3}", op, scalars.back().name,
                                       value.name, getElementTypeName(sum)),
                         sum)};
             });
}

/// The largest or smallest element, or what a bitwise op makes of all, along the loops of `loops`
/// that reduce; also of bits.
Tensor ModelBuilder::addExtreme(const Operand &input, std::vector<Loop> loops) {
  ElementType type = input.tensor.type;
  std::vector<StringRef> ops = {"arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui",
                                "arith.andi",  "arith.ori",   "arith.xori"};
  if (isFloat(type))
    ops = {"arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"};
  StringRef op = pick(ops);
  Operand output{{"", {}, type}, {}};
  for (const Loop &loop : loops)
    if (!loop.isReduction) {
      output.coordinates.push_back(loop.name);
      output.tensor.shape.push_back(loop.extent);
    }
  return addGeneric(loops, {input}, {output}, random.of<double>({0, 0, -5, 3}),
                    [&](std::vector<Scalar> scalars) {
                      return std::vector<Scalar>{
                          addOp(llvm::formatv("{0} {1}, {2} : {3}", op, scalars[0].name,
                                              scalars[1].name, getElementTypeName(type)),
                                type)};
                    })
      .front();
}

/// What softmax and normalizations are made of: a value and a reduction of it, combined, and
/// perhaps once more.
void ModelBuilder::addNormalization() {
  std::optional<Tensor> value = pickValue(
      [](const Tensor &value) { return !value.shape.empty() && value.type != ElementType::I1; });
  if (!value)
    value = addArgument(
        {pickSize(), pickSize(), random.of<int64_t>({1, 5, 64, 200})},
        random.of({ElementType::I8, ElementType::I32, ElementType::F16, ElementType::F32}));
  for (int64_t times = random.in(1, 2); times > 0; --times) {
    std::vector<Loop> loops;
    std::vector<std::string> dims, kept;
    for (auto [index, size] : llvm::enumerate(value->shape)) {
      bool isLast = index + 1 == value->shape.size();
      loops.push_back({"d" + std::to_string(index), size, random.chance(isLast ? 70 : 25)});
      dims.push_back(loops.back().name);
    }
    if (llvm::none_of(loops, [](const Loop &loop) { return loop.isReduction; }))
      loops.back().isReduction = true;
    for (const Loop &loop : loops)
      if (!loop.isReduction)
        kept.push_back(loop.name);
    Tensor extreme = addExtreme({*value, dims}, loops);
    for (Loop &loop : loops)
      loop.isReduction = false;
    ElementType type = value->type;
    StringRef name = getElementTypeName(type);
    value = addGeneric(loops, {{*value, dims}, {extreme, kept}}, {{{"", value->shape, type}, dims}},
                       std::nullopt,
                       [&](std::vector<Scalar> scalars) {
                         return std::vector<Scalar>{addOp(
                             llvm::formatv("arith.sub{0} {1}, {2} : {3}", isFloat(type) ? "f" : "i",
                                           scalars[0].name, scalars[1].name, name),
                             type)};
                       })
                .front();
  }
}

/// A sum of a value along some of its dimensions, or another reduction.
void ModelBuilder::addReduction() {
  bool isSum = random.chance(50);
  std::optional<Tensor> input = pickValue([&](const Tensor &value) {
    return !value.shape.empty() && value.type != ElementType::I1 &&
           (!isSum || value.type != ElementType::I8);
  });
  if (!input)
    input = addArgument({pickSize(), pickSize(), pickSize()},
                        random.of({ElementType::I8, ElementType::F16, ElementType::F32}));
  std::vector<Loop> loops;
  std::vector<std::string> inputDims, outputDims;
  std::vector<int64_t> shape;
  for (auto [index, size] : llvm::enumerate(input->shape)) {
    loops.push_back({"d" + std::to_string(index), size, random.chance(50)});
    inputDims.push_back(loops.back().name);
    if (loops.back().isReduction)
      continue;
    outputDims.push_back(loops.back().name);
    shape.push_back(size);
  }
  if (outputDims.size() == inputDims.size()) {
    loops.back().isReduction = true;
    outputDims.pop_back();
    shape.pop_back();
  }
  if (!isSum) {
    addExtreme({*input, inputDims}, loops);
    return;
  }
  ElementType type = isFloat(input->type) ? pickSumType(input->type) : ElementType::I32;
  addSumOfProducts(loops, {{*input, inputDims}}, {{"", shape, type}, outputDims});
}

/// A chain of ops on a value, on others of its shape, and on arguments that are broadcast or
/// permuted; one result or two.
void ModelBuilder::addElementwise() {
  std::optional<Tensor> first;
  if (random.chance(80))
    first = pickValue([](const Tensor &) { return true; });
  if (!first) {
    std::vector<int64_t> shape;
    for (int64_t i = random.in(0, 5); i > 0; --i)
      shape.push_back(count(shape) > 500 ? 1 : pickSize());
    first = addArgument(shape, random.of({ElementType::I8, ElementType::I32, ElementType::F16,
                                          ElementType::BF16, ElementType::F32}));
  }
  if (first->type != ElementType::I1 && !first->shape.empty() && random.chance(12)) {
    std::vector<int64_t> low, high;
    for (size_t i = 0; i < first->shape.size(); ++i) {
      low.push_back(random.of<int64_t>({0, 0, 1, 3}));
      high.push_back(random.of<int64_t>({0, 0, 1, 2}));
    }
    first = addPadding(*first, low, high);
  }
  std::vector<Loop> loops;
  std::vector<std::string> dims;
  for (auto [index, size] : llvm::enumerate(first->shape)) {
    loops.push_back({"d" + std::to_string(index), size, false});
    dims.push_back(loops.back().name);
  }
  std::vector<Operand> inputs = {{*first, dims}};
  for (int64_t i = random.in(0, 2); i > 0; --i) {
    if (random.chance(20))
      if (std::optional<Tensor> other = pickValue([&](const Tensor &value) {
            return value.shape == first->shape && value.name != first->name;
          })) {
        inputs.push_back({*other, dims});
        continue;
      }
    Operand operand;
    std::vector<Loop> part = loops;
    if (random.chance(20))
      random.shuffle(part);
    bool isBroadcast = random.chance(60);
    for (const Loop &loop : part)
      if (!isBroadcast || random.chance(40)) {
        operand.coordinates.push_back(loop.name);
        operand.tensor.shape.push_back(loop.extent);
      }
    operand.tensor = addArgument(
        operand.tensor.shape,
        first->type == ElementType::I1 || random.chance(15) ? ElementType::I8 : first->type);
    inputs.push_back(operand);
  }
  // The body first: it decides the types of the results.
  std::string before = std::move(text);
  text.clear();
  std::vector<Scalar> scalars;
  for (const Operand &input : inputs)
    scalars.push_back({getName("b"), input.tensor.type});
  std::vector<Scalar> names = scalars;
  for (int64_t i = random.in(1, 6); i > 0; --i)
    scalars.push_back(addRandomOp(scalars));
  std::vector<Scalar> results = {scalars.back()};
  if (random.chance(15))
    results.push_back(pick(scalars));
  std::string body = std::move(text);
  text = std::move(before);
  std::vector<Operand> outputs;
  for (const Scalar &result : results) {
    std::vector<Loop> order = loops;
    if (random.chance(10))
      random.shuffle(order);
    Operand &output = outputs.emplace_back();
    output.tensor.type = result.type;
    for (const Loop &loop : order) {
      output.coordinates.push_back(loop.name);
      output.tensor.shape.push_back(loop.extent);
    }
  }
  addGeneric(loops, inputs, outputs, std::nullopt, [&](std::vector<Scalar> arguments) {
    for (auto [name, argument] : llvm::zip(names, arguments)) {
      // Names are numbered, so one may begin with another.
      for (size_t place = body.find(name.name); place != std::string::npos;
           place = body.find(name.name, place + 1))
        if (!llvm::isDigit(body[place + name.name.size()]))
          body.replace(place, name.name.size(), argument.name);
      for (Scalar &result : results)
        if (result.name == name.name)
          result.name = argument.name;
    }
    text += body;
    return results;
  });
}

void ModelBuilder::addTranspose() {
  std::optional<Tensor> input =
      pickValue([](const Tensor &value) { return value.shape.size() >= 2; });
  if (!input)
    return addElementwise();
  std::vector<int64_t> order;
  for (size_t i = 0; i < input->shape.size(); ++i)
    order.push_back(i);
  random.shuffle(order);
  Tensor result{"", {}, input->type};
  for (int64_t dim : order)
    result.shape.push_back(input->shape[dim]);
  std::string empty = getName("e");
  addLine(empty + " = tensor.empty() : " + result.getType());
  result.name = getName("r");
  addLine(llvm::formatv("{0} = linalg.transpose ins({1} : {2}) outs({3} : {4}) permutation = [{5}]",
                        result.name, input->name, input->getType(), empty, result.getType(),
                        joinNumbers(order)));
  values.push_back(result);
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

std::string ModelBuilder::run(unsigned numLayers) {
  for (unsigned layer = 0; layer < numLayers; ++layer) {
    bool mayContract = !isDispatch || layer == 0;
    int64_t kind = random.in(mayContract ? 0 : 59, 99);
    if (kind < 23)
      addContraction();
    else if (kind < 34)
      addNamedContraction();
    else if (kind < 59)
      addConvolution();
    else if (kind < 68)
      addReduction();
    else if (kind < 74)
      addNormalization();
    else if (kind < (mayContract ? 78 : 74))
      addTranspose();
    else
      addElementwise();
  }
  std::vector<Tensor> results;
  for (const Tensor &value : values)
    if (!used.contains(value.name) || random.chance(25))
      results.push_back(value);
  return getFunction(results);
}

std::string npu::integration::makeRandomModel(Random &random, unsigned numLayers, bool isDispatch) {
  return ModelBuilder(random, isDispatch).run(numLayers);
}
