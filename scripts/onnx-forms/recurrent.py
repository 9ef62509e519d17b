"""Recurrent operators in all their forms, and Scan."""

from model import Tensor, form, graph, model, node, rand


def recurrent(name, operator, gates, steps=5, direction="forward", lengths=None, initial=False, peepholes=False,
              layout=None, outputs=None, **attributes):
    """2 batches of 3 numbers, 4 hidden ones."""
    directions = 2 if direction == "bidirectional" else 1
    is_lstm = operator == "LSTM"

    def make():
        dims = [2, steps, 3] if layout else [steps, 2, 3]
        state = [2, directions, 4] if layout else [directions, 2, 4]
        arguments = {"x": rand("f32", dims, 1)}
        constants = {"w": rand("f32", [directions, gates * 4, 3], 2), "r": rand("f32", [directions, gates * 4, 4], 3),
                     "b": rand("f32", [directions, 2 * gates * 4], 4)}
        inputs = ["x", "w", "r", "b", "l" if lengths else "", "h" if initial else "",
                  "c" if initial and is_lstm else "", "p" if peepholes else ""]
        while not inputs[-1]:
            inputs.pop()
        if lengths:
            arguments["l"] = Tensor("i32", [2], lengths)
        if initial:
            arguments["h"] = rand("f32", state, 5)
            if is_lstm:
                arguments["c"] = rand("f32", state, 6)
        if peepholes:
            constants["p"] = rand("f32", [directions, 12], 7)
        names = outputs or ("y yh yc" if is_lstm else "y yh")
        nodes = [node(operator, inputs, names, hidden_size=4, direction=direction, layout=layout, **attributes)]
        shown = " ".join(output for output in names.split() if output != "_")
        return model(nodes, arguments, shown, constants, opset=14)

    form(f"{operator.lower()}_{name}", make)


for operator, gates in (("RNN", 1), ("GRU", 3), ("LSTM", 4)):
    recurrent("plain", operator, gates)
    recurrent("reverse", operator, gates, direction="reverse")
    recurrent("both", operator, gates, direction="bidirectional", initial=True)
    recurrent("lengths", operator, gates, lengths=[3, 5])
    recurrent("both_lengths", operator, gates, direction="bidirectional", lengths=[5, 3], initial=True)
    recurrent("clip", operator, gates, clip=0.3)
    recurrent("long", operator, gates, steps=80)
    recurrent("last", operator, gates, outputs="_ yh")
recurrent("reset_after", "GRU", 3, direction="bidirectional", initial=True, linear_before_reset=1)
recurrent("peepholes", "LSTM", 4, peepholes=True, initial=True)
recurrent("coupled", "LSTM", 4, input_forget=1)
recurrent("activations", "LSTM", 4, activations=["HardSigmoid", "Softsign", "Elu"], activation_alpha=[0.3, 0.7],
          activation_beta=[0.4])
recurrent("activations", "RNN", 1, direction="bidirectional", activations=["LeakyRelu", "ScaledTanh"],
          activation_alpha=[0.1, 0.9], activation_beta=[1.2])


def scan(name, dims, **attributes):
    def make():
        body = graph([node("Add", "s x", "so"), node("Mul", "so x", "o")], [("s", "f32", [3]), ("x", "f32", [3])],
                     [("so", "f32", [3]), ("o", "f32", [3])])
        arguments = {"s0": rand("f32", [3], 1), "xs": rand("f32", dims, 2)}
        return model([node("Scan", "s0 xs", "last all", body=body, num_scan_inputs=1, **attributes)], arguments,
                     "last all", opset=16)

    form("scan_" + name, make)


scan("plain", [5, 3])
scan("reverse", [5, 3], scan_input_directions=[1], scan_output_directions=[1])
scan("axis", [3, 5], scan_input_axes=[1])
for axis in (1, -1):
    scan("output_axis_last" if axis < 0 else "output_axis", [5, 3], scan_output_axes=[axis])
