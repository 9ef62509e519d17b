//===- ExpandTrees.cpp - ensembles of decision trees ----------------------===//
//
// All trees are walked at once. A tensor holds the node where each row of the input is in each
// tree; one step replaces it by a child, and leaves are their own children. After as many steps as
// the deepest tree has levels, the weights of the leaves are added up.
//
//===----------------------------------------------------------------------===//

#include "Learned.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace npu::onnx_ir;

namespace {
/// As TreeEnsemble numbers them. Set membership is not among them: it becomes a chain of `Equal`.
enum class Branch { LessOrEqual, Less, GreaterOrEqual, Greater, Equal, NotEqual };

struct TreeNode {
  Branch branch = Branch::LessOrEqual;
  int64_t feature = 0;
  double split = 0;
  /// Of a leaf, its own number.
  int64_t whenTrue = 0, whenFalse = 0;
  bool isTrueForNaN = false;
  bool isLeaf = false;
  /// Of a leaf: targets, and what is added to them.
  SmallVector<std::pair<int64_t, double>> weights;
};

struct Ensemble {
  std::vector<TreeNode> nodes;
  SmallVector<int64_t> roots;
  int64_t targets = 0;

  /// Steps from a root to the farthest leaf; nothing if a path has no end.
  std::optional<int64_t> getDepth() const;
  LogicalResult verify(Node &node) const;
};
} // namespace

std::optional<int64_t> Ensemble::getDepth() const {
  // From 1: depths below a node, 0 if it was not visited, -1 on the way to it.
  std::vector<int64_t> depths(nodes.size(), 0);
  for (int64_t root : roots) {
    SmallVector<int64_t> path{root};
    while (!path.empty()) {
      int64_t current = path.back();
      const TreeNode &node = nodes[current];
      if (node.isLeaf) {
        depths[current] = 1;
        path.pop_back();
        continue;
      }
      depths[current] = -1;
      bool isWaiting = false;
      for (int64_t child : {node.whenTrue, node.whenFalse}) {
        if (depths[child] < 0)
          return std::nullopt;
        if (depths[child] == 0) {
          path.push_back(child);
          isWaiting = true;
          break;
        }
      }
      if (isWaiting)
        continue;
      depths[current] = 1 + std::max(depths[node.whenTrue], depths[node.whenFalse]);
      path.pop_back();
    }
  }
  int64_t deepest = 1;
  for (int64_t root : roots)
    deepest = std::max(deepest, depths[root]);
  return deepest - 1;
}

LogicalResult Ensemble::verify(Node &node) const {
  int64_t count = nodes.size(), features = node.getShape(0).back();
  auto isIn = [](int64_t index, int64_t end) { return index >= 0 && index < end; };
  bool isGood = count > 0 && !roots.empty() && targets > 0 &&
                llvm::all_of(roots, [&](int64_t root) { return isIn(root, count); });
  for (const TreeNode &tree : nodes) {
    isGood &= isIn(tree.whenTrue, count) && isIn(tree.whenFalse, count);
    isGood &= tree.isLeaf || isIn(tree.feature, features);
    for (auto [target, weight] : tree.weights)
      isGood &= isIn(target, targets);
  }
  if (!isGood)
    return node.reject() << "expected trees whose children, features and targets exist, of "
                         << features << " features and " << targets << " targets";
  return success();
}

namespace {
/// Reads lists of numbers; after the first that is not as it should be, none.
class ListReader {
public:
  explicit ListReader(Node &node) : node(node) {}

  /// The integers of an attribute, a list or a tensor, of which there must be `count`; `missing` if
  /// it is left out.
  SmallVector<int64_t> getInts(StringRef name, int64_t count, std::optional<int64_t> missing = {}) {
    std::optional<SmallVector<int64_t>> values = node.getInts(name);
    if (!values)
      if (auto tensor = dyn_cast_or_null<ElementsAttr>(node.getAttribute(name)))
        values = readInts(tensor);
    if (!values && missing)
      values.emplace(count, *missing);
    return check(std::move(values), "integers", name, count);
  }

  /// The same of floats, which may also be a tensor that has the name and `_as_tensor`.
  SmallVector<double> getFloats(StringRef name, int64_t count) {
    std::optional<SmallVector<double>> values = node.getFloats(name);
    for (std::string other : {name.str(), (name + "_as_tensor").str()})
      if (auto tensor = dyn_cast_or_null<ElementsAttr>(node.getAttribute(other)); !values && tensor)
        values = readFloats(tensor);
    return check(std::move(values), "floats", name, count);
  }

  bool hasFailed() const { return failed; }

private:
  template <typename T>
  SmallVector<T> check(std::optional<SmallVector<T>> values, StringRef kind, StringRef name,
                       int64_t count) {
    if (values && static_cast<int64_t>(values->size()) == count)
      return *values;
    if (!failed)
      node.reject() << "expected " << count << " " << kind << " in " << name << ", found "
                    << (values ? values->size() : 0);
    failed = true;
    return SmallVector<T>(count, 0);
  }

  Node &node;
  bool failed = false;
};
} // namespace

/// Replaces node `index`, which is true for members of `set`, by a chain of comparisons.
static void addMembership(Ensemble &ensemble, int64_t index, ArrayRef<double> set) {
  TreeNode first = ensemble.nodes[index];
  first.branch = Branch::Equal;
  if (set.empty()) {
    first.split = std::numeric_limits<double>::quiet_NaN(); // equal to nothing
    ensemble.nodes[index] = first;
    return;
  }
  int64_t current = index;
  for (auto [number, member] : llvm::enumerate(set)) {
    TreeNode next = first;
    next.split = member;
    bool isLast = number + 1 == set.size();
    if (!isLast)
      next.whenFalse = ensemble.nodes.size();
    ensemble.nodes[current] = next;
    if (isLast)
      return;
    current = ensemble.nodes.size();
    ensemble.nodes.emplace_back();
  }
}

/// The attributes of TreeEnsemble: inner nodes and leaves have numbers of their own.
static FailureOr<Ensemble> readTrees(Node &node) {
  std::optional<SmallVector<int64_t>> features = node.getInts("nodes_featureids");
  std::optional<SmallVector<int64_t>> targets = node.getInts("leaf_targetids");
  std::optional<SmallVector<int64_t>> roots = node.getInts("tree_roots");
  if (!features || !targets || !roots)
    return node.reject() << "expected nodes_featureids, leaf_targetids and tree_roots";
  int64_t count = features->size(), leaves = targets->size();
  ListReader reader(node);
  SmallVector<int64_t> modes = reader.getInts("nodes_modes", count);
  SmallVector<double> splits = reader.getFloats("nodes_splits", count);
  SmallVector<int64_t> trueIds = reader.getInts("nodes_truenodeids", count);
  SmallVector<int64_t> falseIds = reader.getInts("nodes_falsenodeids", count);
  SmallVector<int64_t> trueLeafs = reader.getInts("nodes_trueleafs", count);
  SmallVector<int64_t> falseLeafs = reader.getInts("nodes_falseleafs", count);
  SmallVector<int64_t> missing = reader.getInts("nodes_missing_value_tracks_true", count, 0);
  SmallVector<double> weights = reader.getFloats("leaf_weights", leaves);
  if (reader.hasFailed())
    return failure();
  // Sets of members, one behind the other, each ended by a NaN.
  SmallVector<SmallVector<double>> sets;
  if (auto tensor = dyn_cast_or_null<ElementsAttr>(node.getAttribute("membership_values"))) {
    bool startsSet = true;
    for (double member : readFloats(tensor).value_or(SmallVector<double>())) {
      if (startsSet)
        sets.emplace_back();
      startsSet = std::isnan(member);
      if (!startsSet)
        sets.back().push_back(member);
    }
  }
  Ensemble ensemble;
  ensemble.roots = *roots;
  ensemble.targets = node.getInt("n_targets", 0);
  constexpr int64_t memberMode = 6;
  // An id that does not exist must not become one that does.
  auto getChild = [&](int64_t id, bool isLeaf) {
    bool exists = id >= 0 && id < (isLeaf ? leaves : count);
    return !exists ? -1 : isLeaf ? count + id : id;
  };
  for (int64_t index = 0; index < count; ++index) {
    int64_t mode = modes[index];
    if (mode < 0 || mode > memberMode)
      return node.reject() << "expected nodes_modes from 0 to " << memberMode << ", found " << mode;
    TreeNode tree;
    tree.branch = mode == memberMode ? Branch::Equal : static_cast<Branch>(mode);
    tree.feature = (*features)[index];
    tree.split = splits[index];
    tree.isTrueForNaN = missing[index] != 0;
    tree.whenTrue = getChild(trueIds[index], trueLeafs[index] != 0);
    tree.whenFalse = getChild(falseIds[index], falseLeafs[index] != 0);
    ensemble.nodes.push_back(tree);
  }
  for (int64_t leaf = 0; leaf < leaves; ++leaf) {
    TreeNode tree;
    tree.isLeaf = true;
    tree.whenTrue = tree.whenFalse = ensemble.nodes.size();
    tree.weights.push_back({(*targets)[leaf], weights[leaf]});
    ensemble.nodes.push_back(tree);
  }
  size_t numMembers = llvm::count(modes, memberMode);
  if (numMembers != sets.size())
    return node.reject() << "expected a set of membership_values for each of " << numMembers
                         << " nodes that test for members, found " << sets.size();
  auto nextSet = sets.begin();
  for (int64_t index = 0; index < count; ++index)
    if (modes[index] == memberMode)
      addMembership(ensemble, index, *nextSet++);
  if (failed(ensemble.verify(node)))
    return failure();
  return ensemble;
}

/// The attributes of TreeEnsembleClassifier and -Regressor: nodes are numbered in each tree, and
/// what leaves add to is listed under `prefix`, class or target.
static FailureOr<Ensemble> readNumberedTrees(Node &node, StringRef prefix, int64_t targets) {
  std::optional<SmallVector<int64_t>> trees = node.getInts("nodes_treeids");
  auto modes = dyn_cast_or_null<ArrayAttr>(node.getAttribute("nodes_modes"));
  std::string treeName = (prefix + "_treeids").str();
  std::optional<SmallVector<int64_t>> weightTrees = node.getInts(treeName);
  if (!trees || !modes || modes.size() != trees->size() || !weightTrees)
    return node.reject() << "expected nodes_treeids, as many nodes_modes, and " << treeName;
  int64_t count = trees->size(), numWeights = weightTrees->size();
  ListReader reader(node);
  SmallVector<int64_t> ids = reader.getInts("nodes_nodeids", count);
  SmallVector<int64_t> features = reader.getInts("nodes_featureids", count);
  SmallVector<double> values = reader.getFloats("nodes_values", count);
  SmallVector<int64_t> trueIds = reader.getInts("nodes_truenodeids", count);
  SmallVector<int64_t> falseIds = reader.getInts("nodes_falsenodeids", count);
  SmallVector<int64_t> missing = reader.getInts("nodes_missing_value_tracks_true", count, 0);
  SmallVector<int64_t> weightNodes = reader.getInts((prefix + "_nodeids").str(), numWeights);
  SmallVector<int64_t> weightTargets = reader.getInts((prefix + "_ids").str(), numWeights);
  SmallVector<double> weights = reader.getFloats((prefix + "_weights").str(), numWeights);
  if (reader.hasFailed())
    return failure();
  Ensemble ensemble;
  ensemble.targets = targets;
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> numbers;
  for (int64_t index = 0; index < count; ++index)
    numbers[{(*trees)[index], ids[index]}] = index;
  auto find = [&](int64_t tree, int64_t id) {
    auto found = numbers.find({tree, id});
    return found == numbers.end() ? -1 : found->second;
  };
  std::vector<bool> isChild(count, false);
  for (int64_t index = 0; index < count; ++index) {
    StringRef mode = cast<StringAttr>(modes[index]).getValue();
    std::optional<Branch> branch = llvm::StringSwitch<std::optional<Branch>>(mode)
                                       .Case("BRANCH_LEQ", Branch::LessOrEqual)
                                       .Case("BRANCH_LT", Branch::Less)
                                       .Case("BRANCH_GTE", Branch::GreaterOrEqual)
                                       .Case("BRANCH_GT", Branch::Greater)
                                       .Case("BRANCH_EQ", Branch::Equal)
                                       .Case("BRANCH_NEQ", Branch::NotEqual)
                                       .Default(std::nullopt);
    TreeNode tree;
    tree.isLeaf = mode == "LEAF";
    if (!branch && !tree.isLeaf)
      return node.reject() << "expected nodes_modes that are LEAF or one of BRANCH_LEQ, _LT, _GTE, "
                              "_GT, _EQ and _NEQ, found '"
                           << mode << "'";
    tree.whenTrue = tree.whenFalse = index;
    if (branch) {
      tree.branch = *branch;
      tree.feature = features[index];
      tree.split = values[index];
      tree.isTrueForNaN = missing[index] != 0;
      tree.whenTrue = find((*trees)[index], trueIds[index]);
      tree.whenFalse = find((*trees)[index], falseIds[index]);
      for (int64_t child : {tree.whenTrue, tree.whenFalse})
        if (child >= 0)
          isChild[child] = true;
    }
    ensemble.nodes.push_back(tree);
  }
  for (int64_t index = 0; index < count; ++index)
    if (!isChild[index])
      ensemble.roots.push_back(index);
  for (int64_t number = 0; number < numWeights; ++number) {
    int64_t leaf = find((*weightTrees)[number], weightNodes[number]);
    if (leaf < 0 || !ensemble.nodes[leaf].isLeaf)
      return node.reject() << "expected weights at leaves, found node " << weightNodes[number]
                           << " of tree " << (*weightTrees)[number];
    ensemble.nodes[leaf].weights.push_back({weightTargets[number], weights[number]});
  }
  if (failed(ensemble.verify(node)))
    return failure();
  return ensemble;
}

namespace {
/// Walks the trees of an ensemble.
class TreeWalk {
public:
  TreeWalk(Expansion &b, const Ensemble &ensemble, Value rows, Type type)
      : b(b), ensemble(ensemble), rows(rows), type(type), nodes(ensemble.nodes) {}

  /// The children of the nodes `current`, rows x trees.
  Value step(Value current);
  /// What the leaves `current` give: rows x targets, combined as `aggregate` says.
  Value aggregate(Value current, StringRef aggregate);

private:
  /// A number of each node, looked up for `current`.
  Value lookUp(Type elementType, llvm::function_ref<double(const TreeNode &)> get, Value current) {
    std::vector<double> values;
    for (const TreeNode &node : nodes)
      values.push_back(get(node));
    return b.op("Gather", {b.numbers(elementType, {int64_t(values.size())}, values), current});
  }
  Value compare(Branch branch, Value element, Value split);

  Expansion &b;
  const Ensemble &ensemble;
  Value rows;
  Type type;
  ArrayRef<TreeNode> nodes;
};
} // namespace

Value TreeWalk::compare(Branch branch, Value element, Value split) {
  switch (branch) {
  case Branch::LessOrEqual:
    return b.op("LessOrEqual", {element, split});
  case Branch::Less:
    return b.op("Less", {element, split});
  case Branch::GreaterOrEqual:
    return b.op("GreaterOrEqual", {element, split});
  case Branch::Greater:
    return b.op("Greater", {element, split});
  case Branch::Equal:
    return b.op("Equal", {element, split});
  case Branch::NotEqual:
    return b.op("Not", {b.op("Equal", {element, split})});
  }
  llvm_unreachable("all branches are above");
}

Value TreeWalk::step(Value current) {
  Type i32 = b.getI32Type();
  Value features = lookUp(i32, [](const TreeNode &node) { return node.feature; }, current);
  Value element = b.op("GatherElements", {rows, features}, {b.integer("axis", 1)});
  Value split = lookUp(type, [](const TreeNode &node) { return node.split; }, current);
  SmallVector<Branch> used;
  for (const TreeNode &node : nodes)
    if (!node.isLeaf && !llvm::is_contained(used, node.branch))
      used.push_back(node.branch);
  if (used.empty())
    return current;
  Value isTrue;
  for (Branch branch : used) {
    Value holds = compare(branch, element, split);
    if (used.size() > 1) {
      Value isMeant =
          lookUp(i32, [&](const TreeNode &node) { return node.branch == branch; }, current);
      holds = b.op("And", {holds, b.op("Equal", {isMeant, b.constant(i32, {}, 1)})});
    }
    isTrue = isTrue ? b.op("Or", {isTrue, holds}) : holds;
  }
  if (llvm::any_of(nodes, [](const TreeNode &node) { return node.isTrueForNaN; })) {
    Value tracks = lookUp(i32, [](const TreeNode &node) { return node.isTrueForNaN; }, current);
    Value isMeant = b.op("Equal", {tracks, b.constant(i32, {}, 1)});
    isTrue = b.op("Or", {isTrue, b.op("And", {b.op("IsNaN", {element}), isMeant})});
  }
  return b.op("Where", {isTrue,
                        lookUp(
                            i32, [](const TreeNode &node) { return node.whenTrue; }, current),
                        lookUp(i32, [](const TreeNode &node) { return node.whenFalse; }, current)});
}

Value TreeWalk::aggregate(Value current, StringRef aggregate) {
  // A leaf that gives nothing to a target must not be the least or largest.
  int64_t count = nodes.size(), targets = ensemble.targets;
  std::vector<double> table(count * targets, 0);
  std::vector<bool> isGiven(count * targets, false);
  for (auto [index, node] : llvm::enumerate(nodes))
    for (auto [target, weight] : node.weights) {
      table[index * targets + target] += weight;
      isGiven[index * targets + target] = true;
    }
  double nothing = 0;
  if (aggregate == "MIN" || aggregate == "MAX")
    for (auto [index, node] : llvm::enumerate(nodes))
      for (int64_t target = 0; node.isLeaf && target < targets; ++target)
        if (!isGiven[index * targets + target]) {
          nothing = (aggregate == "MIN" ? 1 : -1) * std::numeric_limits<double>::infinity();
          table[index * targets + target] = nothing;
        }
  Value weights = b.op("Gather", {b.numbers(type, {count, targets}, table), current});
  StringRef reduction = aggregate == "MIN"       ? "ReduceMin"
                        : aggregate == "MAX"     ? "ReduceMax"
                        : aggregate == "AVERAGE" ? "ReduceMean"
                                                 : "ReduceSum";
  Value result = b.op(reduction, {weights, b.ints({1})}, {b.integer("keepdims", 0)});
  if (nothing != 0)
    result = b.op("Where", {b.op("Equal", {result, b.constant(type, {}, nothing)}),
                            b.constant(type, {}, 0), result});
  return result;
}

/// The type that trees compare and add in.
static Type getComputedType(Expansion &b) {
  return b.getNode().getElementType(0).isF64() ? Type(b.getF64Type()) : Type(b.getF32Type());
}

/// Rows x targets of the node's input: what its trees give.
static FailureOr<Value> walkTrees(Expansion &b, const Ensemble &ensemble, StringRef aggregate) {
  Node &node = b.getNode();
  if (!llvm::is_contained({"SUM", "AVERAGE", "MIN", "MAX"}, aggregate))
    return node.reject() << "expected aggregate_function to be SUM, AVERAGE, MIN or MAX, found '"
                         << aggregate << "'";
  std::optional<int64_t> depth = ensemble.getDepth();
  if (!depth)
    return node.reject() << "expected trees, found nodes that are below themselves";
  int64_t rows = node.getShape(0)[0], trees = ensemble.roots.size();
  if (failed(node.spendOrReject({rows, trees})) ||
      failed(node.spendOrReject({int64_t(ensemble.nodes.size()), ensemble.targets})))
    return failure();
  Type type = getComputedType(b);
  std::vector<double> roots;
  for (int64_t row = 0; row < rows; ++row)
    roots.insert(roots.end(), ensemble.roots.begin(), ensemble.roots.end());
  Value current = b.numbers(b.getI32Type(), {rows, trees}, roots);
  TreeWalk walk(b, ensemble, b.cast(b.input(0), type), type);
  if (*depth > 0) // no feature need exist otherwise
    current = b.loop(*depth, {current}, 0, [&](Value, ValueRange before) -> SmallVector<Value> {
                 return {walk.step(before[0])};
               }).front();
  return walk.aggregate(current, aggregate);
}

static LogicalResult checkRows(Node &node) {
  if (node.getRank(0) == 2 && node.getElementType(0).getIntOrFloatBitWidth() > 1)
    return success();
  return node.reject() << "expected rows of numbers, found " << node.getInputType(0);
}

LogicalResult npu::onnx_ir::expandTreeEnsemble(Expansion &b) {
  Node &node = b.getNode();
  if (failed(checkRows(node)))
    return failure();
  FailureOr<Ensemble> ensemble = readTrees(node);
  if (failed(ensemble))
    return failure();
  // Both are numbered here, and named in the operators that it replaces.
  constexpr StringRef aggregates[] = {"AVERAGE", "SUM", "MIN", "MAX"};
  constexpr StringRef transforms[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};
  int64_t aggregate = node.getInt("aggregate_function", 1);
  int64_t transform = node.getInt("post_transform", 0);
  if (aggregate < 0 || aggregate > 3 || transform < 0 || transform > 4)
    return node.reject() << "expected an aggregate_function from 0 to 3 and a post_transform from "
                            "0 to 4, found "
                         << aggregate << " and " << transform;
  FailureOr<Value> scores = walkTrees(b, *ensemble, aggregates[aggregate]);
  if (failed(scores))
    return failure();
  scores = transformScores(b, *scores, transforms[transform]);
  if (failed(scores))
    return failure();
  Type type = node.getElementType(0);
  b.setResult(0, isa<FloatType>(type) ? b.cast(*scores, type) : *scores);
  return success();
}

/// Adds a constant for each target, if there is one.
static LogicalResult addBaseValues(Expansion &b, Value &scores, int64_t targets, Type type) {
  Node &node = b.getNode();
  if (!node.hasAttribute("base_values") && !node.hasAttribute("base_values_as_tensor"))
    return success();
  ListReader reader(node);
  SmallVector<double> base = reader.getFloats("base_values", targets);
  if (reader.hasFailed())
    return failure();
  scores = b.op("Add", {scores, b.numbers(type, {targets}, base)});
  return success();
}

LogicalResult npu::onnx_ir::expandTreeEnsembleRegressor(Expansion &b) {
  Node &node = b.getNode();
  int64_t targets = node.getInt("n_targets", 1);
  if (failed(checkRows(node)))
    return failure();
  FailureOr<Ensemble> ensemble = readNumberedTrees(node, "target", targets);
  if (failed(ensemble))
    return failure();
  FailureOr<Value> scores = walkTrees(b, *ensemble, node.getString("aggregate_function", "SUM"));
  Type type = getComputedType(b);
  if (failed(scores) || failed(addBaseValues(b, *scores, targets, type)))
    return failure();
  scores = transformScores(b, *scores, node.getString("post_transform", "NONE"));
  if (failed(scores))
    return failure();
  b.setResult(0, b.cast(*scores, b.getF32Type()));
  return success();
}

/// If all leaves weigh one of two classes, the other one has what is left of it.
LogicalResult npu::onnx_ir::expandTreeEnsembleClassifier(Expansion &b) {
  Node &node = b.getNode();
  FailureOr<SmallVector<int64_t>> labels = getLabels(node, "classlabels_int64s");
  if (failed(labels) || failed(checkRows(node)))
    return failure();
  int64_t classes = labels->size();
  FailureOr<Ensemble> ensemble = readNumberedTrees(node, "class", classes);
  if (failed(ensemble))
    return failure();
  bool isPositive = true, isOfOne = classes == 2;
  std::optional<int64_t> only;
  for (const TreeNode &tree : ensemble->nodes)
    for (auto [target, weight] : tree.weights) {
      isPositive &= weight >= 0;
      isOfOne &= only.value_or(target) == target;
      only = target;
    }
  isOfOne &= only.has_value();
  if (isOfOne) {
    ensemble->targets = 1;
    for (TreeNode &tree : ensemble->nodes)
      for (auto &[target, weight] : tree.weights)
        target = 0;
  }
  StringRef transform = node.getString("post_transform", "NONE");
  FailureOr<Value> scores = walkTrees(b, *ensemble, "SUM");
  Type type = getComputedType(b);
  if (failed(scores) || failed(addBaseValues(b, *scores, ensemble->targets, type)))
    return failure();
  if (!isOfOne)
    return setClasses(b, *scores, *labels, transform);
  return setTwoClasses(b, *scores, *labels, transform, isPositive);
}
