//===- SeedWeights.cpp - numbers for models without weights ---------------===//

#include "SeedWeights.h"

#include "NPU/Dialect/ONNX/Specs/Node.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <cstring>

using namespace npu;
using onnx::NodeProto;
using onnx::TensorProto;

namespace {
struct SeedRange {
  float low, high;
};

/// Where a weight is used: the node, and as which input.
struct Use {
  const NodeProto *node = nullptr;
  int input = 0;
};
} // namespace

/// The values of a 1-D tensor of i64, wherever they are.
static llvm::SmallVector<int64_t> readShape(const TensorProto &tensor) {
  llvm::SmallVector<int64_t> shape(tensor.int64_data().begin(), tensor.int64_data().end());
  if (tensor.has_raw_data()) {
    shape.resize(tensor.raw_data().size() / sizeof(int64_t));
    std::memcpy(shape.data(), tensor.raw_data().data(), shape.size() * sizeof(int64_t));
  }
  return shape;
}

static bool isTransposed(const NodeProto &gemm) {
  return llvm::any_of(gemm.attribute(), [](const onnx::AttributeProto &attribute) {
    return attribute.name() == "transB" && attribute.i() != 0;
  });
}

/// Where numbers of a weight of this shape lie, see seedWeights.
static SeedRange getRange(Use use, llvm::ArrayRef<int64_t> shape) {
  constexpr SeedRange scale{0.5f, 1.5f}, bias{-0.1f, 0.1f};
  llvm::StringRef op = use.node ? llvm::StringRef(use.node->op_type()) : "";
  if (op == "BatchNormalization")
    return use.input == 1 || use.input == 4 ? scale : bias;
  if (op == "Mul")
    return scale;
  if (shape.size() < 2)
    return bias;
  int64_t fanIn = 1;
  if (op == "Gemm" || op == "MatMul")
    fanIn = op == "Gemm" && isTransposed(*use.node) ? shape[1] : shape[shape.size() - 2];
  else
    for (int64_t extent : shape.drop_front())
      fanIn *= extent;
  // A uniform distribution over [-a, a] has the variance a^2 / 3.
  float limit = std::sqrt(6.0f / float(std::max<int64_t>(fanIn, 1)));
  return {-limit, limit};
}

/// Sebastiano Vigna's splitmix64.
static uint64_t next(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static void fill(TensorProto &tensor, SeedRange range, uint64_t seed) {
  int64_t count = 1;
  for (int64_t extent : tensor.dims())
    count *= extent;
  std::string &data = *tensor.mutable_raw_data();
  data.resize(count * sizeof(float));
  uint64_t state = seed ^ llvm::xxh3_64bits(tensor.name());
  for (int64_t i = 0; i < count; ++i) {
    float unit = float(next(state) >> 40) * 0x1p-24f; // [0, 1)
    float value = range.low + (range.high - range.low) * unit;
    std::memcpy(&data[i * sizeof(float)], &value, sizeof(value));
  }
}

void npu::seedWeights(onnx::ModelProto &model, uint64_t seed) {
  onnx::GraphProto &graph = *model.mutable_graph();
  llvm::StringMap<llvm::SmallVector<int64_t>> shapes;
  for (const TensorProto &tensor : graph.initializer())
    if (tensor.data_type() == TensorProto::INT64)
      shapes[tensor.name()] = readShape(tensor);
  llvm::StringMap<Use> uses;
  // From the back, so that a use through an Unsqueeze is known.
  for (const NodeProto &node : llvm::reverse(graph.node()))
    for (int i = 0; i < node.input_size(); ++i) {
      bool isRenamed = node.op_type() == "Unsqueeze" && node.output_size() == 1;
      Use use = isRenamed ? uses.lookup(node.output(0)) : Use{&node, i};
      if (use.node)
        uses[node.input(i)] = use;
    }
  auto isWeight = [&](const NodeProto &node) {
    if (node.op_type() != "ConstantOfShape" || node.input_size() != 1 || node.output_size() != 1)
      return false;
    bool isFloat = llvm::all_of(node.attribute(), [](const onnx::AttributeProto &attribute) {
      return attribute.name() != "value" || attribute.t().data_type() == TensorProto::FLOAT;
    });
    auto shape = shapes.find(node.input(0));
    if (!isFloat || shape == shapes.end() || !onnx_ir::isAddressable(shape->second))
      return false;
    int64_t count = 1;
    for (int64_t extent : shape->second)
      count *= extent;
    return count > 1;
  };
  google::protobuf::RepeatedPtrField<NodeProto> kept;
  for (NodeProto &node : *graph.mutable_node()) {
    if (!isWeight(node)) {
      kept.Add()->Swap(&node);
      continue;
    }
    llvm::ArrayRef<int64_t> shape = shapes[node.input(0)];
    TensorProto &tensor = *graph.add_initializer();
    tensor.set_name(node.output(0));
    tensor.set_data_type(TensorProto::FLOAT);
    for (int64_t extent : shape)
      tensor.add_dims(extent);
    fill(tensor, getRange(uses.lookup(tensor.name()), shape), seed);
  }
  graph.mutable_node()->Swap(&kept);
}
