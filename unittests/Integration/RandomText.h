//===- RandomText.h - the text of linalg ops for integration tests --------===//

#ifndef NPU_UNITTESTS_INTEGRATION_RANDOMTEXT_H
#define NPU_UNITTESTS_INTEGRATION_RANDOMTEXT_H

#include "Harness.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

namespace npu::integration {

/// `tensor<4x5xf32>`.
std::string getTensorType(llvm::ArrayRef<int64_t> shape, runtime::ElementType type);

/// `3 : i8`, `3.0 : f32`.
std::string getConstant(int64_t value, runtime::ElementType type);

/// What `getText` makes of each element, with commas between.
template <typename Range, typename Function>
std::string joinTexts(Range &&range, Function getText) {
  return llvm::join(llvm::map_range(range, getText), ", ");
}
std::string joinNumbers(llvm::ArrayRef<int64_t> numbers);

/// All of `count` loops.
std::vector<int> getLoops(size_t count);
/// `d0, d2` for loops 0 and 2.
std::string getDims(llvm::ArrayRef<int> loops);
/// Of a generic, by which of its loops are reduced.
std::string getIterators(const std::vector<bool> &isReduced);

/// Defines `name` as `source`, of `shape`, between edges of `value`.
std::string getPad(llvm::StringRef name, llvm::StringRef source, llvm::ArrayRef<int64_t> shape,
                   llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high, int64_t value,
                   runtime::ElementType type);
/// `shape` with edges.
std::vector<int64_t> getPadded(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> low,
                               llvm::ArrayRef<int64_t> high);

struct Tensor {
  std::string name;
  std::vector<int64_t> shape;
  runtime::ElementType type;

  std::string getType() const { return getTensorType(shape, type); }
};

/// A value in a body.
struct Scalar {
  std::string name;
  runtime::ElementType type;
};

/// An operand of a generic: its coordinates are sums of loops, as `h * 2 + y`.
struct Operand {
  Tensor tensor;
  std::vector<std::string> coordinates;
};

struct Loop {
  std::string name;
  int64_t extent;
  bool isReduction;
};

/// Writes linalg ops with random bodies, and remembers what they read and give.
class RandomText {
protected:
  explicit RandomText(Random &random) : random(random) {}

  template <typename T>
  const T &pick(const std::vector<T> &values) {
    return values[random.in(0, values.size() - 1)];
  }
  int64_t pickSize() { return random.of<int64_t>({1, 1, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33}); }
  runtime::ElementType pickArrayType() {
    return random.of({runtime::ElementType::I8, runtime::ElementType::I8, runtime::ElementType::F16,
                      runtime::ElementType::BF16, runtime::ElementType::F32});
  }
  /// What products of `type` are summed in.
  runtime::ElementType pickSumType(runtime::ElementType type) {
    if (!isFloat(type))
      return runtime::ElementType::I32;
    return random.chance(50) ? type : runtime::ElementType::F32;
  }

  std::string getName(llvm::StringRef stem) { return ("%" + stem + llvm::Twine(numNames++)).str(); }
  void addLine(const llvm::Twine &line) { text += ("  " + line + "\n").str(); }

  Tensor addArgument(std::vector<int64_t> shape, runtime::ElementType type);
  /// An earlier value with `accept`, or nothing.
  std::optional<Tensor> pickValue(llvm::function_ref<bool(const Tensor &)> accept);
  std::string addConstant(runtime::ElementType type, double value);
  std::string addInit(const Tensor &result, double value);

  // Bodies.
  Scalar addOp(const llvm::Twine &op, runtime::ElementType type);
  Scalar addCast(Scalar value, runtime::ElementType type);
  Scalar addRandomOp(std::vector<Scalar> &values);
  Scalar addIntegerOp(Scalar a, Scalar b);
  Scalar addFloatOp(Scalar a, Scalar b);
  Scalar addRequantization(Scalar value);

  /// Writes a generic; `addBody` gets the block's arguments and returns what it yields.
  std::vector<Tensor>
  addGeneric(std::vector<Loop> loops, llvm::ArrayRef<Operand> inputs,
             llvm::ArrayRef<Operand> outputs, std::optional<double> init,
             llvm::function_ref<std::vector<Scalar>(std::vector<Scalar>)> addBody);
  void addSumOfProducts(std::vector<Loop> loops, llvm::ArrayRef<Operand> inputs, Operand output);

  /// The function of all lines.
  std::string getFunction(llvm::ArrayRef<Tensor> results) const;
  /// Random ones for the arguments.
  Tensors makeInputs(uint64_t seed) const;

  Random &random;
  unsigned numNames = 0;
  std::string text;
  std::vector<Tensor> arguments, values;
  llvm::StringSet<> used; ///< names of the values that layers read
};

} // namespace npu::integration

#endif // NPU_UNITTESTS_INTEGRATION_RANDOMTEXT_H
