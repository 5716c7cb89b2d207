"""gru, gruCell, lstm and lstmCell, one unit at a time."""

import itertools
import math

from .cases import Cases, absolute
from .elementwise import exp, ieee
from .tensors import FLOATS, Tensor

ACTIVATIONS = {
    "relu": lambda x: max(x, 0.0),
    "sigmoid": lambda x: 1 / (1 + exp(-x)),
    "tanh": ieee(math.tanh),
}
TOLERANCE = {"float32": absolute(1e-5), "float16": absolute(2**-9)}


class Direction:
    """The weights and biases of one direction. `gates` are the letters in the order of the layout."""

    def __init__(self, operands, options, gates, direction, hidden):
        self.operands, self.options, self.gates = operands, options, gates
        self.direction, self.hidden = direction, hidden

    def row(self, gate, unit):
        return self.gates.index(gate) * self.hidden + unit

    def bias(self, name, gate, unit):
        tensor = self.options.get(name)
        return tensor[self.direction, self.row(gate, unit)] if tensor else 0

    def from_input(self, gate, unit, x):
        weight, row = self.operands["weight"], self.row(gate, unit)
        return self.bias("bias", gate, unit) + sum(weight[self.direction, row, i] * v for i, v in enumerate(x))

    def from_hidden(self, gate, unit, h):
        weight, row = self.operands["recurrentWeight"], self.row(gate, unit)
        return self.bias("recurrentBias", gate, unit) + sum(weight[self.direction, row, i] * v for i, v in enumerate(h))

    def both(self, gate, unit, x, h):
        return self.from_input(gate, unit, x) + self.from_hidden(gate, unit, h)

    def peephole(self, gate, unit):
        tensor = self.options.get("peepholeWeight")  # i, o, f in every layout
        return tensor[self.direction, "iof".index(gate) * self.hidden + unit] if tensor else 0


def gru_step(weights, x, h, c):
    options, units = weights.options, range(weights.hidden)
    gate, candidate = (ACTIVATIONS[name] for name in options.get("activations", ["sigmoid", "tanh"]))
    z = [gate(weights.both("z", u, x, h)) for u in units]
    r = [gate(weights.both("r", u, x, h)) for u in units]
    if options.get("resetAfter", True):
        n = [candidate(weights.from_input("n", u, x) + r[u] * weights.from_hidden("n", u, h)) for u in units]
    else:
        reset = [r[u] * h[u] for u in units]
        n = [candidate(weights.both("n", u, x, reset)) for u in units]
    return [z[u] * h[u] + (1 - z[u]) * n[u] for u in units], c


def lstm_step(weights, x, h, c):
    options, units = weights.options, range(weights.hidden)
    gate, candidate, filter_ = (ACTIVATIONS[name] for name in options.get("activations", ["sigmoid", "tanh", "tanh"]))
    i, o, f = ([gate(weights.both(g, u, x, h) + weights.peephole(g, u) * c[u]) for u in units] for g in "iof")
    g = [candidate(weights.both("g", u, x, h)) for u in units]
    cell = [f[u] * c[u] + i[u] * g[u] for u in units]
    return [o[u] * filter_(cell[u]) for u in units], cell


def run(step, operands, options, gates):
    """Final hidden states, final cell states, and the hidden states of all steps, as nested lists by direction, batch,
    unit
    (sequence: step first)."""
    x, hidden = operands["input"], operands["recurrentWeight"].shape[2]
    steps, batches, features = x.shape
    directions = operands["weight"].shape[0]
    final_h, final_c = [], []
    sequence = [[[None] * batches for _ in range(directions)] for _ in range(steps)]
    for d in range(directions):
        weights = Direction(operands, options, gates, d, hidden)
        backward = d == 1 or options.get("direction") == "backward"
        for b in range(batches):
            h, c = ([options[name][d, b, u] for u in range(hidden)] if name in options else [0.0] * hidden
                    for name in ("initialHiddenState", "initialCellState"))
            for t in reversed(range(steps)) if backward else range(steps):
                h, c = step(weights, [x[t, b, i] for i in range(features)], h, c)
                sequence[t][d][b] = h
            final_h += h
            final_c += c
    flat = [v for step_ in sequence for direction in step_ for batch in direction for v in batch]
    return final_h, final_c, flat


def add_special_elements(cases, dtype, add, operands, optional, options):
    """Of two units in two batches, with each operand that there is; both are given as shapes."""
    def drawn(shapes):
        return {key: cases.reals(dtype, shape, -1, 1) for key, shape in shapes.items()}
    # What becomes a state is not squashed, and the tolerance is absolute.
    states = ("initialHiddenState", "initialCellState", "hiddenState", "cellState")
    cases.add_special_elements(add, "", drawn(operands), {**drawn(optional), **options}, without=[
        (state, word) for state in states for word in ("the greatest number", "the lowest number")])


def networks(name, step, layouts, activation_count, optional):
    cases = Cases(name)
    gate_count = len(layouts[0])

    def add(dtype, case, options, with_=(), steps=3, batches=2, features=3, hidden=2):
        directions = 2 if options.get("direction") == "both" else 1
        rows = gate_count * hidden
        operands = {"input": cases.reals(dtype, (steps, batches, features), -1, 1),
                    "weight": cases.reals(dtype, (directions, rows, features), -1, 1),
                    "recurrentWeight": cases.reals(dtype, (directions, rows, hidden), -1, 1)}
        shapes = {"bias": (directions, rows), "recurrentBias": (directions, rows),
                  "peepholeWeight": (directions, 3 * hidden),
                  "initialHiddenState": (directions, batches, hidden),
                  "initialCellState": (directions, batches, hidden)}
        add_with(case, operands, {**options, **{key: cases.reals(dtype, shapes[key], -1, 1) for key in with_}})

    def add_with(case, operands, options):
        dtype, (steps, batches, _) = operands["input"].dtype, operands["input"].shape
        directions, _, hidden = operands["recurrentWeight"].shape
        h, c, sequence = run(step, operands, options, options.get("layout", layouts[0]))
        outputs = [Tensor(dtype, (directions, batches, hidden), h)]
        if name == "lstm":
            outputs.append(Tensor(dtype, (directions, batches, hidden), c))
        if options.get("returnSequence"):
            outputs.append(Tensor(dtype, (steps, directions, batches, hidden), sequence))
        cases.add(f"{dtype} {case}", {**operands, "steps": steps, "hiddenSize": hidden}, outputs, options,
                  TOLERANCE[dtype], ("weight", "recurrentWeight", "bias", "recurrentBias", "peepholeWeight"))

    for dtype in FLOATS:
        add(dtype, "defaults", {})
        for operand in optional:
            add(dtype, f"with {operand}", {}, [operand])
        for layout in layouts:
            add(dtype, f"all operands, layout {layout}", {"layout": layout, "returnSequence": True}, optional)
            for direction in ("forward", "backward", "both"):
                add(dtype, f"layout {layout}, direction {direction}",
                    {"layout": layout, "direction": direction, "returnSequence": True}, optional)
        add(dtype, "direction both without the sequence", {"direction": "both"}, optional)
        add(dtype, "direction backward without operands", {"direction": "backward", "returnSequence": True})
        for functions in itertools.product(ACTIVATIONS, repeat=activation_count):
            if activation_count == 3 and dtype == "float16" and len(set(functions)) == 1:
                continue
            add(dtype, f"activations {list(functions)}", {"activations": list(functions)}, optional, steps=2, batches=1,
                features=2)
        if name == "gru":
            for layout in layouts:
                add(dtype, f"reset before, layout {layout}", {"resetAfter": False, "layout": layout}, optional)
            add(dtype, "reset before, direction both",
                {"resetAfter": False, "direction": "both", "returnSequence": True}, optional)
            add(dtype, "reset before, no operands", {"resetAfter": False})
        add(dtype, "one of everything", {"returnSequence": True}, optional, steps=1, batches=1, features=1, hidden=1)
        add(dtype, "many units", {}, optional, steps=2, batches=1, features=5, hidden=9)
        add_special_elements(cases, dtype, add_with, {
            "input": (2, 2, 3), "weight": (1, 2 * gate_count, 3), "recurrentWeight": (1, 2 * gate_count, 2)}, {
                key: shape for key, shape in {
                    "bias": (1, 2 * gate_count), "recurrentBias": (1, 2 * gate_count), "peepholeWeight": (1, 6),
                    "initialHiddenState": (1, 2, 2), "initialCellState": (1, 2, 2)}.items() if key in optional},
            {"returnSequence": True})
    return cases


def cells(name, step, layouts, activation_count, states, optional):
    cases = Cases(name)
    gate_count = len(layouts[0])

    def add(dtype, case, options, with_=(), batches=2, features=3, hidden=2):
        rows = gate_count * hidden
        shapes = {"input": (batches, features), "weight": (rows, features), "recurrentWeight": (rows, hidden),
                  "hiddenState": (batches, hidden), "cellState": (batches, hidden)}
        operands = {key: cases.reals(dtype, shapes[key], -1, 1)
                    for key in ("input", "weight", "recurrentWeight") + states}
        lengths = {"bias": rows, "recurrentBias": rows, "peepholeWeight": 3 * hidden}
        add_with(case, operands, {**options, **{key: cases.reals(dtype, (lengths[key],), -1, 1) for key in with_}})

    def add_with(case, operands, options):
        dtype, (batches, hidden) = operands["input"].dtype, operands["hiddenState"].shape
        # A cell is a network of one step in one direction.
        network = {key: operands[key].reshaped((1,) + operands[key].shape)
                   for key in ("input", "weight", "recurrentWeight")}
        settings = {key: value.reshaped((1,) + value.shape) if isinstance(value, Tensor) else value
                    for key, value in options.items()}
        for state, initial in zip(states, ("initialHiddenState", "initialCellState")):
            settings[initial] = operands[state].reshaped((1,) + operands[state].shape)
        h, c, _ = run(step, network, settings, options.get("layout", layouts[0]))
        outputs = [Tensor(dtype, (batches, hidden), values) for values in (h, c)[:len(states)]]
        cases.add(f"{dtype} {case}", {**operands, "hiddenSize": hidden}, outputs, options, TOLERANCE[dtype])

    for dtype in FLOATS:
        add(dtype, "defaults", {})
        for operand in optional:
            add(dtype, f"with {operand}", {}, [operand])
        for layout in layouts:
            add(dtype, f"all operands, layout {layout}", {"layout": layout}, optional)
            if name == "gruCell":
                add(dtype, f"reset before, layout {layout}", {"layout": layout, "resetAfter": False}, optional)
        for functions in itertools.product(ACTIVATIONS, repeat=activation_count):
            add(dtype, f"activations {list(functions)}", {"activations": list(functions)}, optional, batches=1,
                features=2)
        add(dtype, "many units", {}, optional, batches=1, features=5, hidden=9)
        add_special_elements(cases, dtype, add_with, {
            "input": (2, 3), "weight": (2 * gate_count, 3), "recurrentWeight": (2 * gate_count, 2),
            **{state: (2, 2) for state in states}},
            {key: (6 if key == "peepholeWeight" else 2 * gate_count,) for key in optional}, {})
    return cases


def all_cases():
    biases = ["bias", "recurrentBias"]
    yield networks("gru", gru_step, ("zrn", "rzn"), 2, biases + ["initialHiddenState"])
    yield cells("gruCell", gru_step, ("zrn", "rzn"), 2, ("hiddenState",), biases)
    yield networks("lstm", lstm_step, ("iofg", "ifgo"), 3,
                   biases + ["peepholeWeight", "initialHiddenState", "initialCellState"])
    yield cells("lstmCell", lstm_step, ("iofg", "ifgo"), 3, ("hiddenState", "cellState"), biases + ["peepholeWeight"])
