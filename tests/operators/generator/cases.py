"""Collects the cases of one operator and writes them in the form of the Web Platform Tests' vectors."""

import inspect
import json
import math
import random
import struct

from .tensors import INF, NAN, LARGEST, RANGES, Tensor, is_float, special_numbers


def exact(value=0):
    return ("ULP", value)


def ulp(value):
    return ("ULP", value)


def absolute(value):
    return ("ATOL", value)


def by_type(dtype, float32, float16):
    return float32 if dtype == "float32" else float16


class Cases:
    """The cases of one operator, with a random generator of their own: a new case changes no other operator's data."""

    def __init__(self, operator):
        self.operator = operator
        self.random = random.Random("webnn " + operator)
        self.tests = []

    # ---- data

    def reals(self, dtype, shape, low=-2.0, high=2.0):
        return Tensor(dtype, shape, [self.random.uniform(low, high) for _ in range(math.prod(shape))])

    def eighths(self, dtype, shape, limit=2):
        """Multiples of 1/8: sums and products of a few are exact in every float type."""
        return Tensor(dtype, shape, [self.random.randint(-8 * limit, 8 * limit) / 8 for _ in range(math.prod(shape))])

    def integers(self, dtype, shape, low=None, high=None):
        least, greatest = RANGES[dtype]
        low, high = least if low is None else max(low, least), greatest if high is None else min(high, greatest)
        return Tensor(dtype, shape, [self.random.randint(low, high) for _ in range(math.prod(shape))])

    def numbers(self, dtype, shape):
        """Ordinary values of any type."""
        return self.eighths(dtype, shape, 8) if is_float(dtype) else self.integers(dtype, shape)

    def any_bits(self, dtype, shape):
        """Values that only a true copy keeps: extremes, and for floats NaN, infinities, -0 and subnormals, among
        others."""
        tensor = self.numbers(dtype, shape)
        if is_float(dtype):
            tiny = 2.0**-149 if dtype == "float32" else 2.0**-24
            odd = [NAN, INF, -INF, -0.0, tiny, -tiny, LARGEST[dtype]]
        else:
            odd = list(RANGES[dtype])
        for value in odd[:len(tensor.data) // 2]:
            tensor.data[self.random.randrange(len(tensor.data))] = value
        return tensor

    # ---- cases

    def add(self, name, arguments, outputs, options=None, tolerance=exact(), constants=()):
        """`arguments` are the builder method's, in order: operands as Tensors (a list of them for concat), others as
        values. Options whose value is a Tensor are operands too. `constants` names the operands whose data is part of
        the graph."""
        inputs = {}

        def reference(argument, value):
            if isinstance(value, Tensor):
                inputs[argument] = value
                return argument
            if isinstance(value, (list, tuple)) and value and isinstance(value[0], Tensor):
                return [reference(f"{argument}{i}", item) for i, item in enumerate(value)]
            return number_to_json(value)

        written = [{key: reference(key, value)} for key, value in arguments.items()]
        if options:
            written.append({"options": {key: reference(key, value) for key, value in options.items()}})
        outputs = [outputs] if isinstance(outputs, Tensor) else list(outputs)
        names = ["output"] if len(outputs) == 1 else [f"output{i}" for i in range(len(outputs))]
        lists = self.operator in ("split", "gru", "lstm", "lstmCell")  # methods that return a sequence
        self.tests.append({
            "name": f"{self.operator}: {name}",
            "tolerance": {"metricType": tolerance[0], "value": tolerance[1]},
            "graph": {
                "inputs": {key: tensor_to_json(value, key in constants) for key, value in inputs.items()},
                "operators": [{"name": self.operator, "arguments": written, "outputs": names if lists else names[0]}],
                "expectedOutputs": {key: tensor_to_json(value) for key, value in zip(names, outputs)},
            },
        })

    def add_special_elements(self, add, case, *arguments, without=()):
        """For each float operand among the arguments of `add` and for each special number the case in which one element
        of that operand is that number. `add` takes words first, then operands, or lists and dictionaries with operands
        in them. `without` names numbers, or pairs of an operand and a number, that are left out: where float32 may
        come to another result than double precision does, since a sum becomes infinite on the way."""
        def operands(value, path):
            if isinstance(value, Tensor):
                return [path] if is_float(value.dtype) else []
            items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(
                value, (list, tuple)) else ()
            return [found for key, item in items for found in operands(item, path + (key,))]

        def replaced(value, path, number):
            if isinstance(value, Tensor):
                data = list(value.data)
                data[len(data) // 2] = number
                return Tensor(value.dtype, value.shape, data)
            if isinstance(value, dict):
                return {**value, path[0]: replaced(value[path[0]], path[1:], number)}
            return [replaced(item, path[1:], number) if i == path[0] else item for i, item in enumerate(value)]

        names = list(inspect.signature(add).parameters)[1:]
        for path in operands(list(arguments), ()):
            operand = path[-1] if isinstance(path[-1], str) else names[path[0]]
            tensor = arguments
            for key in path:
                tensor = tensor[key]
            for word, number in special_numbers(tensor.dtype).items():
                if word not in without and (operand, word) not in without:
                    add(f"{operand} with {word}, {case}", *replaced(list(arguments), path, number))

    def write(self, folder):
        names = [test["name"] for test in self.tests]
        assert len(set(names)) == len(names), sorted(n for n in names if names.count(n) > 1)
        rows = ",\n".join(json.dumps(test, separators=(",", ":"), allow_nan=False) for test in self.tests)
        text = '{"source":"tests/operators/generate.py","tests":[\n' + rows + "\n]}\n"
        (folder / f"{self.operator}.json").write_text(text)
        return len(text)


def shortest(value, dtype):
    """The shortest decimal number that reads back to the float (read as a double and rounded to the type)."""
    form = "<f" if dtype == "float32" else "<e"
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        try:
            if struct.unpack(form, struct.pack(form, float(text)))[0] == value:
                break
        except OverflowError:  # rounded up past the largest number
            continue
    number = float(text)
    return int(number) if number == int(number) and abs(number) < 1e6 and math.copysign(1, number) == 1 else number


def number_to_json(value):
    if isinstance(value, (list, tuple)):
        return [number_to_json(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return {"bigint": str(value)}
    return value


def tensor_to_json(tensor, constant=False):
    data = [shortest(x, tensor.dtype) if is_float(tensor.dtype) and math.isfinite(x) else number_to_json(x)
            for x in tensor.data]
    result = {"data": data, "descriptor": {"shape": list(tensor.shape), "dataType": tensor.dtype}}
    if constant:
        result["constant"] = True
    return result
