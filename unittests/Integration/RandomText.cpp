//===- RandomText.cpp - the text of linalg ops for integration tests ------===//

#include "RandomText.h"

#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Pieces of text
//===----------------------------------------------------------------------===//

std::string npu::integration::getTensorType(ArrayRef<int64_t> shape, ElementType type) {
  return "tensor<" + getTypeString(shape, getElementTypeName(type)) + ">";
}

std::string npu::integration::getConstant(int64_t value, ElementType type) {
  return llvm::formatv("{0}{1} : {2}", value, isFloat(type) ? ".0" : "", getElementTypeName(type));
}

std::string npu::integration::joinNumbers(ArrayRef<int64_t> numbers) {
  return joinTexts(numbers, [](int64_t number) { return std::to_string(number); });
}

std::vector<int> npu::integration::getLoops(size_t count) {
  std::vector<int> loops(count);
  std::iota(loops.begin(), loops.end(), 0);
  return loops;
}

std::string npu::integration::getDims(ArrayRef<int> loops) {
  return joinTexts(loops, [](int loop) { return "d" + std::to_string(loop); });
}

std::string npu::integration::getIterators(const std::vector<bool> &isReduced) {
  return joinTexts(isReduced, [](bool is) { return is ? "\"reduction\"" : "\"parallel\""; });
}

std::string npu::integration::getPad(StringRef name, StringRef source, ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> low, ArrayRef<int64_t> high, int64_t value,
                                     ElementType type) {
  auto getIndex = [&](size_t dim) { return llvm::formatv("{0}_i{1}: index", name, dim).str(); };
  return llvm::formatv(
      "  {0}_v = arith.constant {1}\n  {0} = tensor.pad {2} low[{3}] high[{4}] {{\n"
      "  ^bb0({5}):\n    tensor.yield {0}_v : {6}\n  } : {7} to {8}\n",
      name, getConstant(value, type), source, joinNumbers(low), joinNumbers(high),
      joinTexts(llvm::seq<size_t>(0, shape.size()), getIndex), getElementTypeName(type),
      getTensorType(shape, type), getTensorType(getPadded(shape, low, high), type));
}

std::vector<int64_t> npu::integration::getPadded(ArrayRef<int64_t> shape, ArrayRef<int64_t> low,
                                                 ArrayRef<int64_t> high) {
  std::vector<int64_t> padded;
  for (auto [size, before, after] : llvm::zip_equal(shape, low, high))
    padded.push_back(before + size + after);
  return padded;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Tensor RandomText::addArgument(std::vector<int64_t> shape, ElementType type) {
  arguments.push_back({getName("arg"), std::move(shape), type});
  return arguments.back();
}

std::optional<Tensor> RandomText::pickValue(llvm::function_ref<bool(const Tensor &)> accept) {
  std::vector<Tensor> candidates;
  llvm::copy_if(values, std::back_inserter(candidates), accept);
  if (candidates.empty())
    return std::nullopt;
  Tensor value = random.chance(70) ? candidates.back() : pick(candidates);
  used.insert(value.name);
  return value;
}

std::string RandomText::addConstant(ElementType type, double value) {
  std::string name = getName("c");
  std::string number = type == ElementType::I1 ? (value ? "true" : "false")
                       : isFloat(type)         ? llvm::formatv("{0:E}", value).str()
                                               : std::to_string(int64_t(value));
  addLine("  " + name + " = arith.constant " + number +
          (type == ElementType::I1 ? "" : " : " + getElementTypeName(type).str()));
  return name;
}

std::string RandomText::addInit(const Tensor &result, double value) {
  std::string constant = addConstant(result.type, value), empty = getName("e"), init = getName("i");
  addLine(empty + " = tensor.empty() : " + result.getType());
  addLine(llvm::formatv("{0} = linalg.fill ins({1} : {2}) outs({3} : {4}) -> {4}", init, constant,
                        getElementTypeName(result.type), empty, result.getType()));
  return init;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

Scalar RandomText::addOp(const Twine &op, ElementType type) {
  std::string name = getName("s");
  addLine("  " + name + " = " + op);
  return {name, type};
}

Scalar RandomText::addCast(Scalar value, ElementType type) {
  if (value.type == type)
    return value;
  unsigned from = getElementByteSize(value.type), to = getElementByteSize(type);
  StringRef op;
  if (value.type == ElementType::I1 && !isFloat(type))
    op = random.chance(50) ? "extui" : "extsi";
  else if (type == ElementType::I1)
    op = "trunci";
  else if (isFloat(value.type) && isFloat(type))
    op = from < to ? "extf" : "truncf";
  else if (!isFloat(value.type) && !isFloat(type))
    op = from > to ? "trunci" : random.chance(70) ? "extsi" : "extui";
  else
    op = random.chance(80) && value.type != ElementType::I1 ? "sitofp" : "uitofp";
  return addOp(llvm::formatv("arith.{0} {1} : {2} to {3}", op, value.name,
                             getElementTypeName(value.type), getElementTypeName(type)),
               type);
}

Scalar RandomText::addIntegerOp(Scalar a, Scalar b) {
  StringRef type = getElementTypeName(a.type);
  if (a.type == ElementType::I1)
    return addOp(llvm::formatv("arith.{0} {1}, {2} : i1", random.of({"andi", "ori", "xori"}),
                               a.name, b.name),
                 a.type);
  if (random.chance(30)) {
    StringRef predicate =
        random.of({"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"});
    Scalar isTrue =
        addOp(llvm::formatv("arith.cmpi {0}, {1}, {2} : {3}", predicate, a.name, b.name, type),
              ElementType::I1);
    if (random.chance(20))
      return isTrue;
    if (random.chance(50))
      std::swap(a, b);
    return addOp(
        llvm::formatv("arith.select {0}, {1}, {2} : {3}", isTrue.name, a.name, b.name, type),
        a.type);
  }
  if (random.chance(15)) {
    std::string amount = addConstant(a.type, random.in(0, 7));
    return addOp(llvm::formatv("arith.{0} {1}, {2} : {3}", random.of({"shli", "shrsi", "shrui"}),
                               a.name, amount, type),
                 a.type);
  }
  return addOp(llvm::formatv("arith.{0} {1}, {2} : {3}",
                             random.of({"addi", "addi", "subi", "muli", "maxsi", "minsi", "maxui",
                                        "minui", "andi", "ori", "xori"}),
                             a.name, b.name, type),
               a.type);
}

Scalar RandomText::addFloatOp(Scalar a, Scalar b) {
  StringRef type = getElementTypeName(a.type);
  if (random.chance(30)) {
    StringRef predicate = random.of({"oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt",
                                     "uge", "ult", "ule", "une", "uno"});
    Scalar isTrue =
        addOp(llvm::formatv("arith.cmpf {0}, {1}, {2} : {3}", predicate, a.name, b.name, type),
              ElementType::I1);
    if (random.chance(20))
      return isTrue;
    if (random.chance(50))
      std::swap(a, b);
    return addOp(
        llvm::formatv("arith.select {0}, {1}, {2} : {3}", isTrue.name, a.name, b.name, type),
        a.type);
  }
  if (random.chance(20))
    return addOp(llvm::formatv("{0} {1} : {2}",
                               random.of({"arith.negf", "math.absf", "math.floor", "math.ceil",
                                          "math.roundeven"}),
                               a.name, type),
                 a.type);
  return addOp(llvm::formatv("arith.{0} {1}, {2} : {3}",
                             random.of({"addf", "addf", "subf", "mulf", "maximumf", "minimumf",
                                        "maxnumf", "minnumf"}),
                             a.name, b.name, type),
               a.type);
}

/// From i32 to i8, as quantized models do.
Scalar RandomText::addRequantization(Scalar value) {
  Scalar number = addOp("arith.sitofp " + value.name + " : i32 to f32", ElementType::F32);
  std::string scale = addConstant(ElementType::F32, 0.0423),
              lo = addConstant(ElementType::F32, -128), hi = addConstant(ElementType::F32, 127);
  number = addOp("arith.mulf " + number.name + ", " + scale + " : f32", ElementType::F32);
  number = addOp("math.roundeven " + number.name + " : f32", ElementType::F32);
  number = addOp("arith.maximumf " + number.name + ", " + lo + " : f32", ElementType::F32);
  number = addOp("arith.minimumf " + number.name + ", " + hi + " : f32", ElementType::F32);
  return addOp("arith.fptosi " + number.name + " : f32 to i8", ElementType::I8);
}

Scalar RandomText::addRandomOp(std::vector<Scalar> &scalars) {
  Scalar a = random.chance(60) ? scalars.back() : pick(scalars);
  if (a.type == ElementType::I32 && random.chance(15))
    return addRequantization(a);
  if (random.chance(12)) {
    ElementType type = a.type;
    switch (a.type) {
    case ElementType::I1:
      type = random.of({ElementType::I8, ElementType::I32});
      break;
    case ElementType::I8:
      type = random.of({ElementType::I32, ElementType::F32});
      break;
    case ElementType::I32:
      type = random.of({ElementType::I8, ElementType::F32});
      break;
    case ElementType::F32:
      type = random.of({ElementType::F16, ElementType::BF16});
      break;
    default:
      type = ElementType::F32;
    }
    return addCast(a, type);
  }
  std::vector<Scalar> partners;
  llvm::copy_if(scalars, std::back_inserter(partners),
                [&](const Scalar &scalar) { return scalar.type == a.type; });
  Scalar b = pick(partners);
  if (b.name == a.name || random.chance(30))
    b = {addConstant(a.type, a.type == ElementType::I1 ? 1 : random.in(-3, 6)), a.type};
  if (random.chance(50))
    std::swap(a, b);
  return isFloat(a.type) ? addFloatOp(a, b) : addIntegerOp(a, b);
}

//===----------------------------------------------------------------------===//
// Generics
//===----------------------------------------------------------------------===//

std::vector<Tensor>
RandomText::addGeneric(std::vector<Loop> loops, ArrayRef<Operand> inputs, ArrayRef<Operand> outputs,
                       std::optional<double> init,
                       llvm::function_ref<std::vector<Scalar>(std::vector<Scalar>)> addBody) {
  std::vector<std::string> inits;
  for (const Operand &output : outputs) {
    if (init) {
      inits.push_back(addInit(output.tensor, *init));
      continue;
    }
    inits.push_back(getName("e"));
    addLine(inits.back() + " = tensor.empty() : " + output.tensor.getType());
  }
  auto joinNames = [](auto range, auto get) {
    return llvm::join(llvm::map_range(range, get), ", ");
  };
  std::string dims = joinNames(loops, [](const Loop &loop) { return loop.name; });
  std::string iterators = joinNames(loops, [](const Loop &loop) {
    return std::string(loop.isReduction ? "\"reduction\"" : "\"parallel\"");
  });
  auto getMap = [&](const Operand &operand) {
    return "affine_map<(" + dims + ") -> (" + llvm::join(operand.coordinates, ", ") + ")>";
  };
  auto getType = [](const Operand &operand) { return operand.tensor.getType(); };
  std::string maps = joinNames(llvm::concat<const Operand>(inputs, outputs), getMap);
  std::string ins, results = joinNames(outputs, getType);
  if (!inputs.empty())
    ins = "ins(" + joinNames(inputs, [](const Operand &operand) { return operand.tensor.name; }) +
          " : " + joinNames(inputs, getType) + ") ";
  std::string name = getName("r");
  addLine(llvm::formatv("{0}{1} = linalg.generic {{indexing_maps = [{2}], iterator_types = [{3}]} "
                        "{4}outs({5} : {6}) {{",
                        name, outputs.size() > 1 ? ":" + std::to_string(outputs.size()) : "", maps,
                        iterators, ins, llvm::join(inits, ", "), results));
  std::vector<Scalar> scalars;
  for (const Operand &operand : llvm::concat<const Operand>(inputs, outputs))
    scalars.push_back({getName("b"), operand.tensor.type});
  addLine("^bb0(" +
          joinNames(scalars,
                    [](const Scalar &scalar) {
                      return scalar.name + ": " + getElementTypeName(scalar.type).str();
                    }) +
          "):");
  std::vector<Scalar> yielded = addBody(scalars);
  addLine("  linalg.yield " + joinNames(yielded, [](const Scalar &scalar) { return scalar.name; }) +
          " : " + joinNames(yielded, [](const Scalar &scalar) {
            return getElementTypeName(scalar.type).str();
          }));
  addLine("} -> " + (outputs.size() > 1 ? "(" + results + ")" : results));
  std::vector<Tensor> tensors;
  for (auto [index, output] : llvm::enumerate(outputs)) {
    tensors.push_back(output.tensor);
    tensors.back().name = outputs.size() > 1 ? name + "#" + std::to_string(index) : name;
    values.push_back(tensors.back());
  }
  return tensors;
}

void RandomText::addSumOfProducts(std::vector<Loop> loops, ArrayRef<Operand> inputs,
                                  Operand output) {
  addGeneric(std::move(loops), inputs, output, /*init=*/0, [&](std::vector<Scalar> scalars) {
    ElementType type = output.tensor.type;
    Scalar sum = scalars.back(), product = scalars.front();
    auto extend = [&](Scalar value) {
      if (value.type == type)
        return value;
      return addOp(llvm::formatv("arith.{0} {1} : {2} to {3}", isFloat(type) ? "extf" : "extsi",
                                 value.name, getElementTypeName(value.type),
                                 getElementTypeName(type)),
                   type);
    };
    char kind = isFloat(type) ? 'f' : 'i';
    product = extend(product);
    if (inputs.size() == 2) {
      Scalar other = extend(scalars[1]);
      product = addOp(llvm::formatv("arith.mul{0} {1}, {2} : {3}", kind, product.name, other.name,
                                    getElementTypeName(type)),
                      type);
    }
    return std::vector<Scalar>{addOp(llvm::formatv("arith.add{0} {1}, {2} : {3}", kind, sum.name,
                                                   product.name, getElementTypeName(type)),
                                     type)};
  });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

std::string RandomText::getFunction(ArrayRef<Tensor> results) const {
  auto getType = [](const Tensor &tensor) { return tensor.getType(); };
  std::string types = joinTexts(results, getType);
  return llvm::formatv(
      "func.func @main({0}) -> ({1}) {{\n{2}  return {3} : {1}\n}\n",
      joinTexts(arguments,
                [](const Tensor &tensor) { return tensor.name + ": " + tensor.getType(); }),
      types, text, joinTexts(results, [](const Tensor &tensor) { return tensor.name; }));
}

Tensors RandomText::makeInputs(uint64_t seed) const {
  Tensors inputs;
  for (const Tensor &argument : arguments) {
    inputs.emplace_back(argument.type, argument.shape);
    inputs.back().fillRandom(seed + inputs.size());
  }
  return inputs;
}
