"""Operators that work on each element alone: unary, binary, comparison, logical, where, cast."""

import math

from .cases import Cases, absolute, by_type, exact, ulp
from .tensors import (ANY, ANY_AND_4BIT, FLOATS, INF, LARGEST, NAN, RANGES, SIGNED, Tensor, broadcast_at,
                      broadcast_shape, build, integer_to_float, is_float, saturate, special_numbers, to_float, wrap)

EIGHT_AXES = (1, 2, 1, 3, 1, 2, 1, 2)


def ieee(function):
    """A function of the math module with the results of IEEE 754 where Python raises: NaN outside its domain, infinity
    where it overflows upwards."""
    def safe(*arguments):
        if any(math.isnan(x) for x in arguments):
            return NAN
        try:
            return function(*arguments)
        except ValueError:
            return NAN
        except OverflowError:
            return INF
    return safe


exp = ieee(math.exp)
sin, cos, tan = ieee(math.sin), ieee(math.cos), ieee(math.tan)


def log(x):
    return -INF if x == 0 else ieee(math.log)(x)


def divide(a, b):
    if b != 0:
        return a / b
    return NAN if a == 0 or math.isnan(a) else math.copysign(INF, a) * math.copysign(1, b)


def whole(function):
    """A rounding function on what has a fraction to round; infinities and NaN are returned."""
    return lambda x: float(function(x)) if math.isfinite(x) else x


def clamped(x, low, high):
    return x if math.isnan(x) else min(max(x, low), high)


def sign(x):
    return 0 * x if x == 0 else (x > 0) - (x < 0)


def elu(x, alpha=1):
    return x if x >= 0 or math.isnan(x) else alpha * math.expm1(x)


def sigmoid(x):
    return 1 / (1 + exp(-x)) if not x < 0 else exp(x) / (1 + exp(x))


def softplus(x):
    return max(x, 0) + math.log1p(exp(-abs(x))) if not math.isnan(x) else x


def relu(x):
    return x if x > 0 or x != x else 0 * x if math.isfinite(x) else 0.0


def leaky_relu(x, alpha=0.01):
    return x if x >= 0 or math.isnan(x) else alpha * x


TRIGONOMETRIC = (absolute(2**-10), absolute(2**-9))
# name: (formula, (low, high) of random inputs, tolerances for float32 and float16, further inputs)
UNARY = {
    "abs": (abs, (-8, 8), (exact(), exact()), []),
    "ceil": (whole(math.ceil), (-8, 8), (exact(), exact()), [0.5, -0.5, 1.5, 2.0, 8388607.5]),
    "cos": (cos, (-8, 8), TRIGONOMETRIC, []),
    "erf": (ieee(math.erf), (-4, 4), TRIGONOMETRIC, []),
    "exp": (exp, (-5, 5), (ulp(32), ulp(1)), [88.0, 89.0, -104.0, 11.0, 12.0]),
    "floor": (whole(math.floor), (-8, 8), (exact(), exact()), [0.5, -0.5, 1.5, 2.0, 8388607.5]),
    "gelu": (lambda x: x / 2 * (1 + math.erf(x / math.sqrt(2))) if x != -INF else NAN, (-1.25, 8), (ulp(18), ulp(18)),
             []),
    "hardSwish": (lambda x: x * clamped(x + 3, 0, 6) / 6, (-2.75, 8), (ulp(4), ulp(4)), [-3.0, 3.0, -4.0]),
    "log": (log, (1.5, 100), (ulp(8), ulp(8)), [0.25]),
    "neg": (lambda x: -x, (-8, 8), (exact(), exact()), []),
    "reciprocal": (lambda x: divide(1.0, x), (0.25, 8), (ulp(2), ulp(2)), []),
    "relu": (relu, (-8, 8), (exact(), exact()), []),
    "roundEven": (whole(round), (-8, 8), (exact(), exact()),
                  [0.5, 1.5, 2.5, 3.5, -0.5, -1.5, -2.5, 0.49999997, 0.50000006, 4194303.5, 8388607.5, 1023.5, 1024.5]),
    "sigmoid": (sigmoid, (-8, 8), (ulp(34), ulp(10)), [100.0, -80.0]),
    "sign": (sign, (-8, 8), (exact(), exact()), []),
    "sin": (sin, (-8, 8), TRIGONOMETRIC, []),
    "softplus": (softplus, (-2, 80), (ulp(18), ulp(18)), [1000.0]),
    "softsign": (lambda x: divide(x, 1 + abs(x)) if math.isfinite(x) else NAN, (-8, 8), (ulp(3), ulp(3)), []),
    "sqrt": (ieee(math.sqrt), (0, 100), (ulp(1), ulp(1)), [0.25]),
    "tan": (tan, (-1.25, 1.25), TRIGONOMETRIC, []),
    "tanh": (ieee(math.tanh), (-4, 4), TRIGONOMETRIC, [100.0]),
}
# The period of these is lost at the greatest numbers, or a product on the way becomes infinite.
WITHOUT_GREATEST = ("sin", "cos", "tan", "hardSwish")
WITH_INTEGERS = ("abs", "neg", "relu", "sign")


def special_values(name, dtype):
    values = list(special_numbers(dtype).values()) + [1.0, -1.0]
    return [x for x in values if abs(x) != LARGEST[dtype]] if name in WITHOUT_GREATEST else values


def add_special_pairs(dtype, add):
    """Every special number with every other one, and with ordinary ones."""
    numbers = list(special_numbers(dtype).values()) + [1.0, -2.5]
    add("every two special numbers", Tensor(dtype, [len(numbers), 1], numbers), Tensor(dtype, [len(numbers)], numbers))


def unary():
    for name, (formula, (low, high), tolerances, more) in UNARY.items():
        cases = Cases(name)

        def add(case, tensor, tolerance):
            cases.add(f"{tensor.dtype} {case}", {"input": tensor},
                      build(tensor.dtype, tensor.shape, lambda i: formula(tensor[i])), tolerance=tolerance)

        for dtype in FLOATS:
            tolerance = by_type(dtype, *tolerances)
            values = special_values(name, dtype) + more
            add("special values", Tensor(dtype, [len(values)], values), tolerance)
            add("8 axes", cases.reals(dtype, EIGHT_AXES, low, high), tolerance)
            add("scalar", cases.reals(dtype, [], low, high), tolerance)
        add("many elements", cases.reals("float32", [67], low, high), tolerances[0])
        if name in WITH_INTEGERS:
            for dtype in ("int64", "int32", "int8"):
                least, greatest = RANGES[dtype]
                add("extremes", Tensor(dtype, [7], [least, least + 1, greatest, 0, 1, -1, 2]), exact())
                add("8 axes", cases.integers(dtype, EIGHT_AXES), exact())
        yield cases


def unary_with_options():
    def family(name, formula, tolerances, defaults, variants, low=-8, high=8):
        cases = Cases(name)
        for dtype in FLOATS:
            for options in variants:
                cast = {**defaults, **{key: to_float(value, dtype) for key, value in options.items()}}
                cast = {key: to_float(value, dtype) for key, value in cast.items()}
                special = list(special_numbers(dtype).values()) + [1.0, -1.0, 2.5, -2.5]
                words = ", ".join(f"{key} {value}" for key, value in options.items()) or "defaults"
                for case, tensor in (("special values", Tensor(dtype, [len(special)], special)),
                                     ("8 axes", cases.reals(dtype, EIGHT_AXES, low, high)),
                                     ("scalar", cases.reals(dtype, [], low, high))):
                    cases.add(f"{dtype} {words}, {case}", {"input": tensor},
                              build(dtype, tensor.shape, lambda i: formula(tensor[i], **cast)), options,
                              by_type(dtype, *tolerances))
        return cases

    yield family("elu", elu, (ulp(18), ulp(18)), {"alpha": 1}, [{}, {"alpha": 0.5}, {"alpha": -2}, {"alpha": 0}], -8,
                 -0.125)
    yield family("leakyRelu", leaky_relu, (ulp(1), ulp(2)), {"alpha": 0.01},
                 [{}, {"alpha": 0.25}, {"alpha": -3}, {"alpha": 2}])
    yield family("linear", lambda x, alpha, beta: alpha * x + beta, (ulp(2), ulp(2)), {"alpha": 1, "beta": 0},
                 [{}, {"alpha": 0.5, "beta": 10}, {"alpha": -2}, {"beta": 9}, {"alpha": 0, "beta": -3}], 0.5, 4)
    yield family("hardSigmoid", lambda x, alpha, beta: clamped(alpha * x + beta, 0, 1), (ulp(2), ulp(2)),
                 {"alpha": 0.2, "beta": 0.5}, [{}, {"alpha": 0.5, "beta": 0.25}, {"alpha": -1}, {"beta": -0.5}], -1, 3)


def clamp():
    cases = Cases("clamp")

    def add(case, tensor, options):
        low, high = options.get("minValue", -INF), options.get("maxValue", INF)
        if is_float(tensor.dtype):
            low, high = to_float(low, tensor.dtype), to_float(high, tensor.dtype)
        else:  # rounded half to even and saturated to the type
            low, high = (saturate(round(x) if math.isfinite(x) else x, tensor.dtype) for x in (low, high))
        cases.add(f"{tensor.dtype} {case}", {"input": tensor},
                  build(tensor.dtype, tensor.shape, lambda i: clamped(tensor[i], low, high)), options)

    for dtype in FLOATS:
        numbers = list(special_numbers(dtype).values()) + [1.0, -1.0, 5.0, -5.0]
        special = Tensor(dtype, [len(numbers)], numbers)
        add("without limits", special, {})
        add("two limits", special, {"minValue": -2, "maxValue": 3})
        add("a lower limit", special, {"minValue": 0.5})
        add("an upper limit", special, {"maxValue": -0.5})
        add("equal limits", special, {"minValue": 1.5, "maxValue": 1.5})
        add("infinite limits", special, {"minValue": -INF, "maxValue": INF})
        add("nothing below infinity", special, {"minValue": INF})
        add("8 axes", cases.reals(dtype, EIGHT_AXES, -8, 8), {"minValue": -1, "maxValue": 4})
        add("scalar", Tensor(dtype, [], [7]), {"maxValue": 4})
    for dtype in ANY[2:]:
        least, greatest = RANGES[dtype]
        extremes = Tensor(dtype, [6], [least, least + 1, 5, 8, greatest - 1, greatest])
        add("without limits", extremes, {})
        add("two limits", extremes, {"minValue": 6, "maxValue": 7})
        add("limits beyond the type", extremes, {"minValue": -1e30, "maxValue": 1e30})
        add("limits between integers", extremes, {"minValue": 5.5, "maxValue": 6.5})
        add("limits next to the extremes", extremes, {"minValue": least + 1, "maxValue": greatest - 1})
    yield cases


def integer_power(a, b):
    if b >= 0:
        return a**b
    return a if a == 1 or (a == -1 and b % 2) else 1 if a == -1 else 0


def float_power(a, b):
    if b == 0 or a == 1:
        return 1.0
    if math.isnan(a) or math.isnan(b):
        return NAN
    if a == 0 and b < 0:
        return INF
    try:
        return math.pow(a, b)
    except ValueError:
        return NAN
    except OverflowError:
        return -INF if a < 0 and b % 2 == 1 else INF


def truncated_quotient(a, b):
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def either_nan(choose):
    return lambda a, b: NAN if a != a or b != b else choose(a, b)


# name: (formula on floats, on integers, tolerance of floats, special pairs)
ODD = [(NAN, 1.0), (1.0, NAN), (NAN, NAN), (INF, 1.0), (INF, -INF), (-INF, -INF), (0.0, -0.0), (INF, 0.0), (2.5, -1.5)]
POWERS = [(NAN, 2.0), (2.0, NAN), (INF, 2.0), (INF, -1.0), (-INF, 3.0), (2.0, INF), (0.5, INF), (0.0, 2.0), (0.0, -1.0),
          (-2.0, 3.0), (-2.0, 2.0), (-2.0, 0.5), (4.0, 0.5), (3.0, 0.0), (0.0, 0.0), (-1.0, 5.0), (4.0, -2.0)]
BINARY = {
    "add": (lambda a, b: a + b, lambda a, b: a + b, ulp(1), ODD),
    "sub": (lambda a, b: a - b, lambda a, b: a - b, ulp(1), ODD),
    "mul": (lambda a, b: a * b, lambda a, b: a * b, ulp(1), ODD),
    "div": (divide, truncated_quotient, ulp(2), ODD + [(1.0, 0.0), (-1.0, 0.0), (0.0, 0.0), (1.0, INF), (0.0, 5.0)]),
    "max": (either_nan(max), max, exact(), ODD),
    "min": (either_nan(min), min, exact(), ODD),
    "pow": (float_power, integer_power, None, POWERS),
}


def add_broadcasts(cases, operand, add):
    """Calls add(case, a, b) with operands of every way to broadcast."""
    for case, a, b in (("broadcast both ways", (2, 1, 3), (4, 1)), ("broadcast a scalar", (2, 3), ()),
                       ("broadcast from a scalar", (), (3, 2)), ("broadcast a row", (2, 3), (3,)),
                       ("8 axes", EIGHT_AXES, (2, 2, 1, 1, 1, 2, 3, 1)), ("scalars", (), ())):
        add(case, operand(a), operand(b))


def binary():
    for name, (on_floats, on_integers, tolerance, pairs) in BINARY.items():
        cases = Cases(name)

        def add(case, a, b, tolerance=exact()):
            formula = on_floats if is_float(a.dtype) else on_integers
            result = build(a.dtype, broadcast_shape(a.shape, b.shape),
                           lambda i: formula(broadcast_at(a, i), broadcast_at(b, i)))
            cases.add(f"{a.dtype} {case}", {"a": a, "b": b}, result, tolerance=tolerance)

        for dtype in FLOATS:
            allowed = tolerance or by_type(dtype, ulp(32), ulp(2))
            add("special values", *(Tensor(dtype, [len(pairs)], [pair[i] for pair in pairs]) for i in range(2)),
                allowed)
            add_special_pairs(dtype, lambda case, a, b: add(case, a, b, allowed))
            low = 0.5 if name in ("pow", "div") else -4
            add_broadcasts(cases, lambda shape: cases.reals(dtype, shape, low, 4),
                           lambda c, a, b: add(c, a, b, allowed))
        for dtype in ANY[2:]:
            least, greatest = RANGES[dtype]
            if name == "pow":
                bases, exponents = [0, 0, 1, 2, 3, 7, greatest, greatest, 2, 5], [0, 3, 9, 5, 4, 3, 1, 2, 70, 40]
                if least < 0:
                    bases += [-1, -1, -1, 2, 1, 0, -3, least, -2]
                    exponents += [3, -3, -2, -1, -5, -1, 3, 1, -1]
            else:
                bases = [least, least, greatest, greatest, 7, 7, 0, 100, least]
                exponents = [1, greatest, 1, greatest, 0, 3, 5, 7, least]
                if least < 0:
                    bases += [least, -7, 7, -7, -1, greatest]
                    exponents += [-1, 2, -2, -2, 1, -1]
            add("extremes", *(Tensor(dtype, [len(bases)], list_) for list_ in (bases, exponents)))
            if name == "pow":
                add("broadcast", cases.integers(dtype, (2, 1, 3), -3, 5), cases.integers(dtype, (4, 1), 0, 4))
            else:
                add("broadcast", cases.integers(dtype, (2, 1, 3)), cases.integers(dtype, (4, 1), -9, 9))
        yield cases

    cases = Cases("prelu")
    for dtype in SIGNED:
        def add(case, x, slope):
            cases.add(f"{dtype} {case}", {"input": x, "slope": slope},
                      build(dtype, broadcast_shape(x.shape, slope.shape),
                            lambda i: broadcast_at(x, i) if not broadcast_at(x, i) < 0 else
                            broadcast_at(x, i) * broadcast_at(slope, i)), tolerance=by_type(dtype, ulp(1), ulp(1)))
        add_broadcasts(cases, lambda shape: cases.numbers(dtype, shape), add)
        if is_float(dtype):
            add("special values", Tensor(dtype, [7], [NAN, INF, -INF, -INF, -1.0, -0.0, 2.0]),
                Tensor(dtype, [7], [2.0, 2.0, 2.0, -0.5, NAN, 3.0, 0.0]))
            add_special_pairs(dtype, add)
        else:
            least, greatest = RANGES[dtype]
            add("extremes", Tensor(dtype, [4], [least, least, greatest, -1]), Tensor(dtype, [4], [-1, 2, 2, greatest]))
    yield cases


COMPARISON = {
    "equal": lambda a, b: a == b,
    "notEqual": lambda a, b: a != b,
    "greater": lambda a, b: a > b,
    "greaterOrEqual": lambda a, b: a >= b,
    "lesser": lambda a, b: a < b,
    "lesserOrEqual": lambda a, b: a <= b,
}
LOGICAL = {
    "logicalAnd": lambda a, b: a != 0 and b != 0,
    "logicalOr": lambda a, b: a != 0 or b != 0,
    "logicalXor": lambda a, b: (a != 0) != (b != 0),
}


def add_truth(cases, case, formula, a, b):
    cases.add(f"{a.dtype} {case}", {"a": a, "b": b},
              build("uint8", broadcast_shape(a.shape, b.shape),
                    lambda i: int(formula(broadcast_at(a, i), broadcast_at(b, i)))))


def comparison():
    for name, formula in COMPARISON.items():
        cases = Cases(name)
        for dtype in ANY:
            if is_float(dtype):
                pairs = ODD + [(INF, INF), (NAN, INF), (1.0, 1.0)]
            else:
                least, greatest = RANGES[dtype]
                pairs = [(least, greatest), (greatest, greatest), (greatest - 1, greatest), (least, least + 1), (0, 1)]
            add_truth(cases, "special values", formula,
                      *(Tensor(dtype, [len(pairs)], [pair[i] for pair in pairs]) for i in range(2)))
            if is_float(dtype):
                add_special_pairs(dtype, lambda case, a, b: add_truth(cases, case, formula, a, b))
            few = (lambda shape: cases.eighths(dtype, shape, 1)) if is_float(dtype) else (
                lambda shape: cases.integers(dtype, shape, 0, 3))
            add_truth(cases, "broadcast both ways", formula, few((2, 1, 3)), few((4, 1)))
        for dtype in FLOATS:
            add_broadcasts(cases, lambda shape: cases.eighths(dtype, shape, 1),
                           lambda c, a, b: c.startswith("broadcast both") or add_truth(cases, c, formula, a, b))
        yield cases


def logical():
    for name, formula in LOGICAL.items():
        cases = Cases(name)
        add_truth(cases, "any number but 0 is true", formula, Tensor("uint8", [6], [0, 0, 1, 255, 2, 128]),
                  Tensor("uint8", [6], [0, 7, 0, 255, 4, 0]))
        add_broadcasts(cases, lambda shape: cases.integers("uint8", shape, 0, 2),
                       lambda c, a, b: add_truth(cases, c, formula, a, b))
        yield cases
    cases = Cases("logicalNot")
    for case, tensor in (("any number but 0 is true", Tensor("uint8", [5], [0, 1, 2, 128, 255])),
                         ("8 axes", cases.integers("uint8", EIGHT_AXES, 0, 1)), ("scalar", Tensor("uint8", [], [0]))):
        cases.add(f"uint8 {case}", {"a": tensor}, build("uint8", tensor.shape, lambda i: int(tensor[i] == 0)))
    yield cases
    for name, formula in (("isNaN", math.isnan), ("isInfinite", math.isinf)):
        cases = Cases(name)
        for dtype in FLOATS:
            special = list(special_numbers(dtype).values()) + [1.0]
            for case, tensor in (("special values", Tensor(dtype, [len(special)], special)),
                                 ("8 axes", cases.any_bits(dtype, EIGHT_AXES)), ("scalar", Tensor(dtype, [], [NAN])),
                                 ("infinite scalar", Tensor(dtype, [], [-INF]))):
                cases.add(f"{dtype} {case}", {"a": tensor},
                          build("uint8", tensor.shape, lambda i: int(formula(tensor[i]))))
        yield cases


def where():
    cases = Cases("where")

    def add(case, condition, a, b):
        shape = broadcast_shape(condition.shape, a.shape, b.shape)
        cases.add(f"{a.dtype} {case}", {"condition": condition, "trueValue": a, "falseValue": b},
                  build(a.dtype, shape, lambda i: broadcast_at(a if broadcast_at(condition, i) else b, i)))

    for dtype in ANY:
        add("any number but 0 is true", Tensor("uint8", [5], [0, 1, 2, 255, 0]), cases.any_bits(dtype, [5]),
            cases.any_bits(dtype, [5]))
        add("broadcast three ways", cases.integers("uint8", (2, 1, 1), 0, 1), cases.any_bits(dtype, (3, 1)),
            cases.any_bits(dtype, (4,)))
        add("scalars", Tensor("uint8", [], [1]), cases.any_bits(dtype, []), cases.any_bits(dtype, []))
    add("8 axes", cases.integers("uint8", EIGHT_AXES, 0, 1), cases.any_bits("float32", (2, 1, 1, 3, 1, 1, 2, 2)),
        cases.any_bits("float32", (1, 2)))
    yield cases


def cast_element(value, source, target):
    if is_float(target):
        return to_float(value, target) if is_float(source) else integer_to_float(value, target)
    return saturate(value, target) if is_float(source) else wrap(value, target)


def cast():
    cases = Cases("cast")

    def add(case, tensor, target):
        cases.add(f"{tensor.dtype} to {target}{case}", {"input": tensor, "type": target},
                  build(target, tensor.shape, lambda i: cast_element(tensor[i], tensor.dtype, target)))

    for source in ANY_AND_4BIT:
        if is_float(source):
            values = [NAN, INF, -INF, 0.0, -0.0, 0.5, -0.5, 1.75, -1.75, 2.5, 127.9, 128.0, -128.9, -129.0, 255.5,
                      256.0, 7.9, -8.9, 16.0, 1e10, -1e10, 1e30, 2147483520.0, 2147483648.0, 4294967040.0, 65519.0,
                      65520.0, 2.0**-25, 9.2233715e18, 1.8446743e19]
            values += list(special_numbers(source).values())[5:]
        else:
            least, greatest = RANGES[source]
            values = [least, greatest, greatest - 1, 0, 1, 7, 8, 15] + [x for x in (
                128, 255, 256, 2049, 65519, 65520, 16777217, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53 + 1, 2**63,
                2**62 + 2**38, 2**62 + 2**38 + 1, -9, -129, -2**31 - 1) if least <= x <= greatest]
            values = [x for x in values if least <= x <= greatest]
        for target in ANY_AND_4BIT:
            add("", Tensor(source, [len(values)], values), target)
    add(" of 8 axes", cases.reals("float32", EIGHT_AXES, -300, 300), "int8")
    add(" of a scalar", Tensor("float16", [], [-2.5]), "int32")
    yield cases


def all_cases():
    for family in (unary, unary_with_options, clamp, binary, comparison, logical, where, cast):
        yield from family()
