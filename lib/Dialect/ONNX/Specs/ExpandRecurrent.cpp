//===- ExpandRecurrent.cpp - RNN, GRU, LSTM and Scan as loops -------------===//
//
// What does not depend on the step before is computed for all steps at once, before the loop. A
// step has one product, of the state and the weights of all gates.
//
//===----------------------------------------------------------------------===//

#include "OpSpecFunctions.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace npu::onnx_ir;

namespace {
/// An activation with its parameters.
struct Activation {
  std::string name; ///< in lower case
  double alpha = 0, beta = 0;

  Value apply(Expansion &b, Value x, Type type) const;
};

/// The parts that all of them have. Tensors are steps x batch x size, whatever the layout is.
class Recurrent {
public:
  Recurrent(Expansion &b, int64_t numGates) : b(b), node(b.getNode()), numGates(numGates) {}

  LogicalResult prepare(ArrayRef<StringRef> defaults);

  int64_t numDirections() const { return directions.size(); }
  /// The part of input `index` for a direction, without that dimension.
  Value getPart(unsigned index, int64_t direction, ArrayRef<int64_t> shape);
  Value getInitial(unsigned index, int64_t direction);
  Value clip(Value value);
  Value activate(Value value, int64_t direction, unsigned number) {
    return activations[direction * numActivations + number].apply(b, value, type);
  }
  /// Gate `number` of what has all gates in its last dimension.
  Value getGate(Value gates, int64_t number) {
    return b.slice(gates, 1, number * hidden, (number + 1) * hidden);
  }
  /// The new states of a step: of its part of the inputs' products, the states before, and R^T.
  using Step =
      llvm::function_ref<SmallVector<Value>(int64_t direction, Value inputs, ValueRange states)>;
  /// The loops of all directions; `addBias` is added to the products of all inputs.
  void run(unsigned numStates, ArrayRef<unsigned> initial, Step step);

  Expansion &b;
  Node &node;
  int64_t numGates;
  int64_t steps = 0, batch = 0, inputSize = 0, hidden = 0;
  Type type;
  /// Added to the products of inputs and weights, by direction; null: nothing.
  SmallVector<Value> biases;

private:
  SmallVector<bool> directions; ///< whether it goes from the last step to the first
  SmallVector<Activation> activations;
  unsigned numActivations = 0;
  bool isBatchFirst = false;
};
} // namespace

Value Activation::apply(Expansion &b, Value x, Type type) const {
  auto scalar = [&](double value) { return b.constant(type, {}, value); };
  auto plain = [&](StringRef op) { return b.op(op, {x}); };
  auto withAlpha = [&](StringRef op) { return b.op(op, {x}, {b.number("alpha", alpha)}); };
  if (name == "affine")
    return b.op("Add", {b.op("Mul", {x, scalar(alpha)}), scalar(beta)});
  if (name == "scaledtanh")
    return b.op("Mul", {b.op("Tanh", {b.op("Mul", {x, scalar(beta)})}), scalar(alpha)});
  if (name == "hardsigmoid")
    return b.op("HardSigmoid", {x}, {b.number("alpha", alpha), b.number("beta", beta)});
  if (name == "leakyrelu")
    return withAlpha("LeakyRelu");
  if (name == "thresholdedrelu")
    return withAlpha("ThresholdedRelu");
  if (name == "elu")
    return withAlpha("Elu");
  return plain(llvm::StringSwitch<StringRef>(name)
                   .Case("relu", "Relu")
                   .Case("tanh", "Tanh")
                   .Case("sigmoid", "Sigmoid")
                   .Case("softsign", "Softsign")
                   .Default("Softplus"));
}

/// The parameters that an activation has, and what they are if nothing is said.
static std::optional<std::pair<double, double>> getDefaults(StringRef name) {
  return llvm::StringSwitch<std::optional<std::pair<double, double>>>(name)
      .Cases({"relu", "tanh", "sigmoid", "softsign", "softplus"}, std::pair(0.0, 0.0))
      .Case("affine", std::pair(1.0, 0.0))
      .Case("leakyrelu", std::pair(0.01, 0.0))
      .Case("thresholdedrelu", std::pair(1.0, 0.0))
      .Case("scaledtanh", std::pair(1.0, 1.0))
      .Case("hardsigmoid", std::pair(0.2, 0.5))
      .Case("elu", std::pair(1.0, 0.0))
      .Default(std::nullopt);
}
static bool hasAlpha(StringRef name) {
  return llvm::is_contained(
      {"affine", "leakyrelu", "thresholdedrelu", "scaledtanh", "hardsigmoid", "elu"}, name);
}
static bool hasBeta(StringRef name) {
  return llvm::is_contained({"affine", "scaledtanh", "hardsigmoid"}, name);
}

LogicalResult Recurrent::prepare(ArrayRef<StringRef> defaults) {
  for (unsigned input : {0, 1, 2})
    if (node.getRank(input) != 3)
      return node.reject() << "expected input " << input << " to have 3 dimensions, found "
                           << node.getInputType(input);
  type = node.getElementType(0);
  if (!isa<FloatType>(type))
    return node.reject() << "expected floats, found " << type;
  StringRef direction = node.getString("direction", "forward");
  if (direction == "bidirectional")
    directions = {false, true};
  else if (direction == "forward" || direction == "reverse")
    directions = {direction == "reverse"};
  else
    return node.reject() << "expected a direction of forward, reverse or bidirectional, found "
                         << direction;
  isBatchFirst = node.getInt("layout", 0) != 0;
  steps = node.getShape(0)[isBatchFirst ? 1 : 0], batch = node.getShape(0)[isBatchFirst ? 0 : 1];
  inputSize = node.getShape(0)[2];
  hidden = node.getInt("hidden_size", node.getShape(2)[2]);
  if (steps < 1 || hidden < 1)
    return node.reject() << "expected at least one step and one hidden element, found " << steps
                         << " and " << hidden;
  SmallVector<int64_t> weights{numDirections(), numGates * hidden, inputSize};
  SmallVector<int64_t> recurrent{numDirections(), numGates * hidden, hidden};
  if (node.getShape(1) != ArrayRef(weights) || node.getShape(2) != ArrayRef(recurrent))
    return node.reject() << "expected weights of shapes [" << weights << "] and [" << recurrent
                         << "], found " << node.getInputType(1) << " and " << node.getInputType(2);
  SmallVector<int64_t> state{numDirections(), batch, hidden};
  if (isBatchFirst)
    std::swap(state[0], state[1]);
  for (unsigned input : {5, 6})
    if (node.hasInput(input) && node.getShape(input) != ArrayRef(state))
      return node.reject() << "expected input " << input << " of shape [" << state << "], found "
                           << node.getInputType(input);

  SmallVector<std::string> names;
  if (auto given = dyn_cast_or_null<ArrayAttr>(node.getAttribute("activations")))
    for (Attribute name : given)
      names.push_back(cast<StringAttr>(name).getValue().lower());
  numActivations = defaults.size();
  if (names.empty())
    for (int64_t count = numDirections(); count > 0; --count)
      for (StringRef name : defaults)
        names.push_back(name.str());
  if (names.size() != numActivations * directions.size())
    return node.reject() << "expected " << numActivations * directions.size()
                         << " activations, found " << names.size();
  // Parameters are listed for those only that have some.
  SmallVector<double> alphas = node.getFloats("activation_alpha").value_or(SmallVector<double>());
  SmallVector<double> betas = node.getFloats("activation_beta").value_or(SmallVector<double>());
  auto alpha = alphas.begin(), beta = betas.begin();
  for (const std::string &name : names) {
    auto parameters = getDefaults(name);
    if (!parameters)
      return node.reject() << "expected activations of ONNX, found " << name;
    activations.push_back({name, parameters->first, parameters->second});
    if (hasAlpha(name) && alpha != alphas.end())
      activations.back().alpha = *alpha++;
    if (hasBeta(name) && beta != betas.end())
      activations.back().beta = *beta++;
  }
  biases.resize(numDirections());
  return success();
}

Value Recurrent::getPart(unsigned index, int64_t direction, ArrayRef<int64_t> shape) {
  Value whole = b.input(index);
  if (!whole)
    return {};
  return b.reshape(b.slice(whole, 0, direction, direction + 1), shape);
}

Value Recurrent::getInitial(unsigned index, int64_t direction) {
  Value whole = b.input(index);
  if (!whole)
    return b.constant(type, {batch, hidden}, 0);
  return b.reshape(b.slice(whole, isBatchFirst ? 1 : 0, direction, direction + 1), {batch, hidden});
}

Value Recurrent::clip(Value value) {
  double limit = node.getFloat("clip", 0);
  if (limit <= 0)
    return value;
  return b.op("Clip", {value, b.constant(type, {}, -limit), b.constant(type, {}, limit)});
}

void Recurrent::run(unsigned numStates, ArrayRef<unsigned> initial, Step step) {
  Value lengths = b.input(4);
  Value x = isBatchFirst ? b.transpose(b.input(0), {1, 0, 2}) : b.input(0);
  SmallVector<NamedAttribute> reversal{b.integer("batch_axis", 1), b.integer("time_axis", 0)};
  Value lengths64 = lengths ? b.cast(lengths, b.getI64Type()) : Value();
  SmallVector<Value> all;                          // steps x 1 x batch x hidden, by direction
  SmallVector<SmallVector<Value>> last(numStates); // likewise, 1 x batch x hidden
  for (int64_t direction = 0; direction < numDirections(); ++direction) {
    bool isReverse = directions[direction];
    Value ordered = x;
    if (isReverse)
      ordered = lengths ? b.op("ReverseSequence", {x, lengths64}, reversal) : b.takeEvery(x, 0, -1);
    Value weights = getPart(1, direction, {numGates * hidden, inputSize});
    Value products = b.op(
        "MatMul", {b.reshape(ordered, {steps * batch, inputSize}), b.transpose(weights, {1, 0})});
    if (biases[direction])
      products = b.op("Add", {products, biases[direction]});
    products = b.reshape(products, {steps, batch, numGates * hidden});
    SmallVector<Value> states;
    for (unsigned input : initial)
      states.push_back(getInitial(input, direction));
    SmallVector<Value> results =
        b.loop(steps, states, 1, [&](Value iteration, ValueRange before) -> SmallVector<Value> {
          Value inputs = b.op("Gather", {products, iteration}, {b.integer("axis", 0)});
          SmallVector<Value> after = step(direction, inputs, before);
          Value shown = after.front();
          if (lengths) {
            Value goesOn = b.reshape(
                b.op("Less", {b.cast(iteration, b.getI32Type()), b.cast(lengths, b.getI32Type())}),
                {batch, 1});
            shown = b.op("Where", {goesOn, shown, b.constant(type, {}, 0)});
            for (auto [now, then] : llvm::zip_equal(after, before))
              now = b.op("Where", {goesOn, now, then});
          }
          after.push_back(shown);
          return after;
        });
    Value y = results.back();
    if (isReverse)
      y = lengths ? b.op("ReverseSequence", {y, lengths64}, reversal) : b.takeEvery(y, 0, -1);
    all.push_back(b.reshape(y, {steps, 1, batch, hidden}));
    for (unsigned state = 0; state < numStates; ++state)
      last[state].push_back(b.reshape(results[state], {1, batch, hidden}));
  }
  if (node.hasOutput(0)) {
    Value y = b.concat(all, 1);
    b.setResult(0, isBatchFirst ? b.transpose(y, {2, 0, 1, 3}) : y);
  }
  for (unsigned state = 0; state < numStates; ++state)
    if (node.hasOutput(1 + state)) {
      Value y = b.concat(last[state], 0);
      b.setResult(1 + state, isBatchFirst ? b.transpose(y, {1, 0, 2}) : y);
    }
}

/// The halves of the bias, for inputs and for states, of a direction; null without one.
static std::pair<Value, Value> getBiases(Recurrent &r, int64_t direction) {
  int64_t width = r.numGates * r.hidden;
  Value both = r.getPart(3, direction, {2 * width});
  if (!both)
    return {};
  return {r.b.slice(both, 0, 0, width), r.b.slice(both, 0, width, 2 * width)};
}

static Value getRecurrentWeights(Recurrent &r, int64_t direction) {
  return r.b.transpose(r.getPart(2, direction, {r.numGates * r.hidden, r.hidden}), {1, 0});
}

LogicalResult npu::onnx_ir::expandRNN(Expansion &b) {
  Recurrent r(b, 1);
  if (failed(r.prepare({"tanh"})))
    return failure();
  SmallVector<Value> weights;
  for (int64_t direction = 0; direction < r.numDirections(); ++direction) {
    weights.push_back(getRecurrentWeights(r, direction));
    if (auto [input, state] = getBiases(r, direction); input)
      r.biases[direction] = b.op("Add", {input, state});
  }
  r.run(1, {5}, [&](int64_t direction, Value inputs, ValueRange states) -> SmallVector<Value> {
    Value sum = b.op("Add", {b.op("MatMul", {states[0], weights[direction]}), inputs});
    return {r.activate(r.clip(sum), direction, 0)};
  });
  return success();
}

LogicalResult npu::onnx_ir::expandGRU(Expansion &b) {
  Recurrent r(b, 3);
  if (failed(r.prepare({"sigmoid", "tanh"})))
    return failure();
  bool resetsAfter = b.getNode().getInt("linear_before_reset", 0) != 0;
  int64_t h = r.hidden;
  SmallVector<Value> weights, stateBiases(r.numDirections());
  for (int64_t direction = 0; direction < r.numDirections(); ++direction) {
    weights.push_back(getRecurrentWeights(r, direction));
    auto [input, state] = getBiases(r, direction);
    if (!input)
      continue;
    // That of the new state is reset with the product, if it is reset after it.
    Value added = state;
    if (resetsAfter) {
      stateBiases[direction] = b.slice(state, 0, 2 * h, 3 * h);
      added = b.concat({b.slice(state, 0, 0, 2 * h), b.constant(r.type, {h}, 0)}, 0);
    }
    r.biases[direction] = b.op("Add", {input, added});
  }
  r.run(1, {5}, [&](int64_t direction, Value inputs, ValueRange states) -> SmallVector<Value> {
    Value before = states[0], w = weights[direction];
    auto getWeights = [&](int64_t begin, int64_t end) { return b.slice(w, 1, begin * h, end * h); };
    Value gates, candidate;
    if (resetsAfter) {
      Value products = b.op("MatMul", {before, w});
      gates = b.op("Add", {b.slice(products, 1, 0, 2 * h), b.slice(inputs, 1, 0, 2 * h)});
      candidate = b.slice(products, 1, 2 * h, 3 * h);
      if (stateBiases[direction])
        candidate = b.op("Add", {candidate, stateBiases[direction]});
    } else {
      gates =
          b.op("Add", {b.op("MatMul", {before, getWeights(0, 2)}), b.slice(inputs, 1, 0, 2 * h)});
    }
    gates = r.activate(r.clip(gates), direction, 0);
    Value update = r.getGate(gates, 0), reset = r.getGate(gates, 1);
    candidate = resetsAfter ? b.op("Mul", {candidate, reset})
                            : b.op("MatMul", {b.op("Mul", {before, reset}), getWeights(2, 3)});
    candidate = b.op("Add", {candidate, r.getGate(inputs, 2)});
    candidate = r.activate(r.clip(candidate), direction, 1);
    Value rest = b.op("Sub", {b.constant(r.type, {}, 1), update});
    return {b.op("Add", {b.op("Mul", {rest, candidate}), b.op("Mul", {update, before})})};
  });
  return success();
}

/// Gates are input, output, forget and cell; peepholes input, output and forget.
LogicalResult npu::onnx_ir::expandLSTM(Expansion &b) {
  Recurrent r(b, 4);
  if (failed(r.prepare({"sigmoid", "tanh", "tanh"})))
    return failure();
  int64_t h = r.hidden;
  bool isCoupled = b.getNode().getInt("input_forget", 0) != 0;
  SmallVector<Value> weights, peepholes;
  for (int64_t direction = 0; direction < r.numDirections(); ++direction) {
    weights.push_back(getRecurrentWeights(r, direction));
    peepholes.push_back(r.getPart(7, direction, {3 * h}));
    if (auto [input, state] = getBiases(r, direction); input)
      r.biases[direction] = b.op("Add", {input, state});
  }
  r.run(2, {5, 6}, [&](int64_t direction, Value inputs, ValueRange states) -> SmallVector<Value> {
    Value cell = states[1];
    Value gates = b.op("Add", {b.op("MatMul", {states[0], weights[direction]}), inputs});
    auto look = [&](Value gate, int64_t number, Value at) {
      if (!peepholes[direction])
        return gate;
      Value weight = b.slice(peepholes[direction], 0, number * h, (number + 1) * h);
      return b.op("Add", {gate, b.op("Mul", {weight, at})});
    };
    auto open = [&](Value gate) { return r.activate(r.clip(gate), direction, 0); };
    Value input = open(look(r.getGate(gates, 0), 0, cell));
    Value forget = isCoupled ? b.op("Sub", {b.constant(r.type, {}, 1), input})
                             : open(look(r.getGate(gates, 2), 2, cell));
    Value candidate = r.activate(r.clip(r.getGate(gates, 3)), direction, 1);
    Value next = b.op("Add", {b.op("Mul", {forget, cell}), b.op("Mul", {input, candidate})});
    Value output = open(look(r.getGate(gates, 1), 1, next));
    return {b.op("Mul", {output, r.activate(next, direction, 2)}), next};
  });
  return success();
}

/// The first dimension of `value`, whose rank is not known yet, as dimension `axis`.
static Value moveFirstTo(Expansion &b, Value value, int64_t axis) {
  StringRef letters = "abcdefghijklmnopqrstuvwxyABCDEFGHIJKLMNOPQRSTUVWXY"; // more than dimensions
  std::string passed = letters.take_front(axis < 0 ? -axis - 1 : axis).str();
  std::string equation = axis < 0 ? "z..." + passed + "->..." + "z" + passed
                                  : "z" + passed + "...->" + passed + "z...";
  return b.op("Einsum", {value}, {b.string("equation", equation)});
}

/// The states come first, then what is scanned along one axis each.
LogicalResult npu::onnx_ir::expandScan(Expansion &b) {
  Node &node = b.getNode();
  Region *graph = node.getOp().findGraph("body");
  int64_t numInputs = node.getInt("num_scan_inputs", 0);
  int64_t numStates = static_cast<int64_t>(node.getNumInputs()) - numInputs;
  for (unsigned input = 0; input < node.getNumInputs(); ++input)
    if (!node.hasInput(input))
      return node.reject() << "expected input " << input << ", found none";
  if (!graph || numInputs <= 0 || numStates < 0 ||
      graph->getNumArguments() != node.getNumInputs() ||
      graph->front().getTerminator()->getNumOperands() != node.getNumOutputs() ||
      node.getNumOutputs() < numStates)
    return node.reject() << "expected a body that takes what the node takes, and gives what it "
                            "gives, and inputs to scan";
  int64_t numScanned = node.getNumOutputs() - numStates;
  auto getList = [&](StringRef name, int64_t count) -> FailureOr<SmallVector<int64_t>> {
    SmallVector<int64_t> list = node.getInts(name).value_or(SmallVector<int64_t>(count, 0));
    if (static_cast<int64_t>(list.size()) != count)
      return node.reject() << "expected " << count << " numbers in " << name << ", found "
                           << list.size();
    return list;
  };
  auto axes = getList("scan_input_axes", numInputs);
  auto directions = getList("scan_input_directions", numInputs);
  auto outputAxes = getList("scan_output_axes", numScanned);
  auto outputDirections = getList("scan_output_directions", numScanned);
  if (failed(axes) || failed(directions) || failed(outputAxes) || failed(outputDirections))
    return failure();
  std::optional<int64_t> trips;
  SmallVector<Value> scanned;
  for (int64_t number = 0; number < numInputs; ++number) {
    unsigned input = numStates + number;
    FailureOr<int64_t> axis = node.normalizeAxis((*axes)[number], node.getRank(input));
    if (failed(axis))
      return failure();
    (*axes)[number] = *axis;
    int64_t size = node.getShape(input)[*axis];
    if (trips.value_or(size) != size)
      return node.reject()
             << "expected inputs of as many elements along the axes that are scanned, "
                "found "
             << *trips << " and " << size;
    trips = size;
    scanned.push_back((*directions)[number] ? b.takeEvery(b.input(input), *axis, -1)
                                            : b.input(input));
  }
  SmallVector<Value> states;
  for (int64_t state = 0; state < numStates; ++state)
    states.push_back(b.input(state));
  SmallVector<Value> results = b.loop(
      *trips, states, numScanned, [&](Value iteration, ValueRange carried) -> SmallVector<Value> {
        IRMapping mapping;
        SmallVector<Value> arguments(carried);
        for (auto [value, axis] : llvm::zip_equal(scanned, *axes))
          arguments.push_back(b.op("Gather", {value, iteration}, {b.integer("axis", axis)}));
        mapping.map(graph->getArguments(), arguments);
        for (Operation &op : graph->front().without_terminator())
          b.clone(op, mapping);
        return llvm::map_to_vector(graph->front().getTerminator()->getOperands(),
                                   [&](Value value) { return mapping.lookupOrDefault(value); });
      });
  for (auto [index, result] : llvm::enumerate(results)) {
    int64_t number = static_cast<int64_t>(index) - numStates;
    if (number >= 0) {
      if ((*outputDirections)[number])
        result = b.takeEvery(result, 0, -1);
      if (int64_t axis = (*outputAxes)[number])
        result = moveFirstTo(b, result, axis);
    }
    b.setResult(index, result);
  }
  return success();
}
