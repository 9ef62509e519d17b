"""Branches, loops, sequences and functions of the model's own."""

import onnx_pb2
from model import Tensor, attribute, declare_sequence, form, graph, model, node, rand, reference


def branch(name, nodes):
    return graph(nodes, [], [(name, "f32", None)])


def known_branch(dims, size, then):
    """As exporters write: what to do depends on a size."""
    nodes = [node("Shape", "x", "shape"), node("Gather", "shape zero", "size"), node("Equal", "size wanted", "c"),
             node("If", "c", "y", then_branch=branch("t", then), else_branch=branch("e", [node("Neg", "x", "e")]))]
    constants = {"zero": Tensor("i64", [], 0), "wanted": Tensor("i64", [], size), "axes": Tensor("i64", [1], 0)}
    return model(nodes, {"x": rand("f32", dims, 1)}, "y", constants)


form("if_known", lambda: known_branch([2, 3], 2, [node("Relu", "x", "t")]))
form("if_squeeze", lambda: known_branch([1, 3], 1, [node("Squeeze", "x axes", "t")]))


def computed_branch(condition):
    then = branch("t", [node("MatMul", "x w", "p"), node("Relu", "p", "t")])
    nodes = [node("If", "c", "y", then_branch=then, else_branch=branch("e", [node("Neg", "x", "e")]))]
    arguments = {"x": rand("f32", [3, 3], 1), "c": Tensor("bool", [], condition)}
    return model(nodes, arguments, "y", {"w": rand("f32", [3, 3], 2)})


form("if_true", lambda: computed_branch(1))
form("if_false", lambda: computed_branch(0))


def loop(name, nodes, trips, constants, scans=False, is_input=False):
    outputs = [("go_on", "bool", []), ("next", "f32", [3, 3])] + ([("part", "f32", None)] if scans else [])
    body = graph(nodes, [("i", "i64", []), ("goes", "bool", []), ("s", "f32", [3, 3])], outputs)
    arguments = {"x": rand("f32", [3, 3], 1, 0.1, 1)}
    count = {"n": Tensor("i64", [], trips)}
    names = "y all" if scans else "y"
    form(name, lambda: model([node("Loop", "n goes0 x", names, body=body)], {**arguments, **(count if is_input else {})},
                             names, {"goes0": Tensor("bool", [], 1), **constants, **({} if is_input else count)}))


WEIGHTS = rand("f32", [3, 3], 2, -0.3, 0.3)
KEEPS = node("Identity", "goes", "go_on")
COUNTS = [KEEPS, node("MatMul", "s w", "m"), node("Cast", "i", "fi", to=1), node("Mul", "fi k", "fk"),
          node("Add", "m fk", "next"), node("Identity", "next", "part")]
for name, trips in (("loop_few", 4), ("loop_many", 100)):
    loop(name, COUNTS, trips, {"w": WEIGHTS, "k": Tensor("f32", [], 0.01)}, scans=True)
loop("loop_counted", [KEEPS, node("MatMul", "s w", "next")], 3, {"w": WEIGHTS}, is_input=True)
loop("loop_until", [node("MatMul", "s w", "next"), node("ReduceSum", "next", "sum", keepdims=0),
                    node("Less", "sum limit", "go_on")], 30,
     {"w": rand("f32", [3, 3], 2, 0, 1), "limit": Tensor("f32", [], 50.0)}, is_input=True)


def functions():
    """One function calls another, with an attribute."""
    constant = onnx_pb2.NodeProto(op_type="Constant", output=["k"])
    constant.attribute.append(reference("value_float", "alpha", onnx_pb2.AttributeProto.FLOAT))
    opsets = [onnx_pb2.OperatorSetIdProto(domain="", version=17), onnx_pb2.OperatorSetIdProto(domain="my", version=1)]
    make = lambda name, nodes, **fields: onnx_pb2.FunctionProto(
        name=name, domain="my", input=["a", "b"], output=["o"], node=nodes, opset_import=opsets, **fields)
    scaled = make("Scaled", [constant, node("Mul", "a k", "t"), node("MatMul", "t b", "o")], attribute=["alpha"])
    twice = make("Twice", [node("Scaled", "a b", "t", "my", alpha=2.0), node("Scaled", "t b", "o", "my", alpha=0.5)])
    return model([node("Twice", "x w", "y", "my")], {"x": rand("f32", [3, 3], 1)}, "y", {"w": WEIGHTS},
                 functions=[scaled, twice], domains={"my": 1})


def defaults():
    """A function whose attribute has a default value, field 11 of FunctionProto, which Debian's onnx.proto lacks."""
    constant = onnx_pb2.NodeProto(op_type="Constant", output=["k"])
    constant.attribute.append(reference("value_float", "alpha", onnx_pb2.AttributeProto.FLOAT))
    scaled = onnx_pb2.FunctionProto(name="Scaled", domain="my", input=["a"], output=["o"],
                                    node=[constant, node("Mul", "a k", "o")],
                                    opset_import=[onnx_pb2.OperatorSetIdProto(domain="", version=17)])
    value = attribute("alpha", 3.0).SerializeToString()
    scaled.MergeFromString(bytes([11 << 3 | 2, len(value)]) + value)
    nodes = [node("Scaled", "x", "t", "my"), node("Scaled", "t", "y", "my", alpha=0.5)]
    return model(nodes, {"x": rand("f32", [3, 3], 1)}, "y", functions=[scaled], domains={"my": 1})


form("functions", functions)
form("function_defaults", defaults)


def sequences():
    nodes = [node("SplitToSequence", "x", "s", axis=1, keepdims=0), node("SequenceAt", "s one", "a"),
             node("SequenceConstruct", "a a", "t"), node("SequenceInsert", "t b", "u"),
             node("ConcatFromSequence", "u", "y", axis=0, new_axis=1), node("SequenceLength", "u", "n")]
    return model(nodes, {"x": rand("f32", [2, 3, 4], 1), "b": rand("f32", [2, 4], 2)}, "y n:i64",
                 {"one": Tensor("i64", [], 1)})


def appended():
    """A list that a loop makes longer, as TorchScript exports it."""
    body = graph([KEEPS, node("Gather", "x i", "e", axis=0), node("Mul", "e e", "e2"),
                  node("SequenceInsert", "s e2", "next")],
                 [("i", "i64", []), ("goes", "bool", []), declare_sequence("s", "f32")],
                 [("go_on", "bool", []), declare_sequence("next", "f32")])
    nodes = [node("SequenceEmpty", "", "s0"), node("Shape", "x", "shape"), node("Gather", "shape zero", "n"),
             node("Loop", "n goes0 s0", "s1", body=body), node("ConcatFromSequence", "s1", "y", axis=0, new_axis=1)]
    return model(nodes, {"x": rand("f32", [3, 4], 1)}, "y",
                 {"zero": Tensor("i64", [], 0), "goes0": Tensor("bool", [], 1)})


form("sequences", sequences)
form("sequence_appended", appended)
