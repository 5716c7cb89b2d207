"""Reductions over axes, the indices of extremes, and running sums."""

import itertools
import math

from .cases import Cases, ulp
from .elementwise import EIGHT_AXES
from .tensors import ANY, FLOATS, INF, NAN, RANGES, WIDE, Tensor, build, is_float


def log_sum_exp(values):
    greatest = max(values)
    if any(math.isnan(x) for x in values) or math.isinf(greatest):
        return NAN if any(math.isnan(x) for x in values) else greatest
    return greatest + math.log(math.fsum(math.exp(x - greatest) for x in values))


def total(values):
    """Exact; infinities and NaN as IEEE 754 adds them."""
    if all(isinstance(x, int) for x in values) or not all(math.isfinite(x) for x in values):
        return sum(values)
    return math.fsum(values)


def logarithm(x):
    return -INF if x == 0 else NAN if x < 0 or math.isnan(x) else math.log(x)


def extreme(choose):
    return lambda values: NAN if any(x != x for x in values) else choose(values)


# name: (formula, types, tolerance for n elements, whether inputs are positive)
REDUCTIONS = {
    "reduceL1": (lambda v: total([abs(x) for x in v]), WIDE, lambda n: n, False),
    "reduceL2": (lambda v: math.sqrt(total([x * x for x in v])), FLOATS, lambda n: 2 * n + 1, False),
    "reduceLogSum": (lambda v: logarithm(total(v)), FLOATS, lambda n: n + 18, True),
    "reduceLogSumExp": (log_sum_exp, FLOATS, lambda n: 2 * n + 18, True),
    "reduceMax": (extreme(max), ANY, lambda n: 0, False),
    "reduceMean": (lambda v: total(v) / len(v), FLOATS, lambda n: n + 2, True),
    "reduceMin": (extreme(min), ANY, lambda n: 0, False),
    "reduceProduct": (math.prod, WIDE, lambda n: n, True),
    "reduceSum": (total, WIDE, lambda n: n, True),
    "reduceSumSquare": (lambda v: total([x * x for x in v]), WIDE, lambda n: 2 * n, False),
}

EXTREMES = ("the greatest number", "the lowest number")
# Their squares, exponentials and products become infinite, or vanish, on the way to a result that does not.
WITHOUT = {
    "reduceL2": EXTREMES,
    "reduceLogSumExp": EXTREMES,
    "reduceProduct": EXTREMES + ("the least subnormal", "a negative subnormal"),
}


def reduced(tensor, axes, keep, formula):
    axes = range(len(tensor.shape)) if axes is None else axes
    kept = [1 if axis in axes else size for axis, size in enumerate(tensor.shape)]

    def element(index):
        ranges = [range(size) if axis in axes else (index[axis],) for axis, size in enumerate(tensor.shape)]
        return formula([tensor[i] for i in itertools.product(*ranges)])
    result = build(tensor.dtype, kept, element)
    return result if keep else result.reshaped([s for axis, s in enumerate(tensor.shape) if axis not in axes])


def reductions():
    for name, (formula, types, tolerance, positive) in REDUCTIONS.items():
        cases = Cases(name)

        def add(case, tensor, options):
            axes, keep = options.get("axes"), options.get("keepDimensions", False)
            count = math.prod(tensor.shape if axes is None else [tensor.shape[axis] for axis in axes])
            allowed = tolerance(count) if is_float(tensor.dtype) else 0
            cases.add(f"{tensor.dtype} {case}", {"input": tensor}, reduced(tensor, axes, keep, formula), options,
                      ulp(allowed))

        def data(dtype, shape):
            if is_float(dtype):
                return cases.reals(dtype, shape, 0.5, 2) if positive else cases.reals(dtype, shape, -2, 2)
            return cases.integers(dtype, shape)

        for dtype in types:
            for options in ({}, {"keepDimensions": True}, {"axes": []}, {"axes": [], "keepDimensions": True},
                            {"axes": [0]},
                            {"axes": [2]}, {"axes": [1], "keepDimensions": True}, {"axes": [2, 0]},
                            {"axes": [0, 1, 2]}):
                words = ", ".join(f"{key} {value}" for key, value in options.items()) or "defaults"
                add(words, data(dtype, (2, 3, 4) if is_float(dtype) else (2, 3, 2)), options)
            add("scalar", data(dtype, ()), {})
            add("scalar without axes", data(dtype, ()), {"axes": []})
            if not is_float(dtype):
                least, greatest = RANGES[dtype]
                add("extremes", Tensor(dtype, [3, 2], [least, greatest, greatest, greatest, least, least]),
                    {"axes": [1]})
        for dtype in FLOATS:
            add("8 axes", data(dtype, EIGHT_AXES), {"axes": [3, 7, 1]})
            add("8 axes kept", data(dtype, EIGHT_AXES), {"axes": [5], "keepDimensions": True})
            rows = [[NAN, 1, 2], [1, NAN, -INF], [INF, 1, 2], [0, 0, 0]]
            if name not in ("reduceProduct", "reduceLogSum"):
                rows += [[-INF, 1, 2]]
            if name in ("reduceSum", "reduceMean"):
                rows += [[INF, -INF, 1]]
            if name == "reduceLogSum":
                rows += [[1, -2, 0.5]]
            if name == "reduceLogSumExp":
                rows += [[-INF, -INF, -INF], [1000, 1000, 1001], [-1000, -1000, -1001]]
            add("special values", Tensor(dtype, [len(rows), 3], [x for row in rows for x in row]), {"axes": [1]})
            cases.add_special_elements(add, "rows", data(dtype, (3, 5)), {"axes": [1]}, without=WITHOUT.get(name, ()))
        add("many elements", data("float32", (3, 200)), {"axes": [1]})
        yield cases


def arg_reductions():
    for name, better in (("argMin", lambda a, b: a < b), ("argMax", lambda a, b: a > b)):
        cases = Cases(name)

        def position(values):
            """The first of equal values; a NaN wins over nothing but other NaNs."""
            best = None
            for i, value in enumerate(values):
                if value == value and (best is None or better(value, values[best])):
                    best = i
            return best or 0

        def add(case, tensor, axis, options):
            result = reduced(tensor, [axis], options.get("keepDimensions", False), lambda v: 0)
            rows = itertools.product(*([0] if a == axis else range(s) for a, s in enumerate(tensor.shape)))
            found = [position([tensor[row[:axis] + (i,) + row[axis + 1:]] for i in range(tensor.shape[axis])])
                     for row in rows]
            cases.add(f"{tensor.dtype} {case}", {"input": tensor, "axis": axis},
                      Tensor(options.get("outputDataType", "int32"), result.shape, found), options)

        for dtype in ANY:
            few = (lambda shape: cases.eighths(dtype, shape, 1)) if is_float(dtype) else (
                lambda shape: cases.integers(dtype, shape, 0, 5))
            for axis in range(3):
                add(f"along axis {axis}", few((2, 3, 4)), axis, {})
            add("kept axis", few((3, 5)), 1, {"keepDimensions": True})
            add("int64 output", few((5, 3)), 0, {"outputDataType": "int64"})
            add("vector to a scalar", few((7,)), 0, {})
            if not is_float(dtype):
                least, greatest = RANGES[dtype]
                add("extremes", Tensor(dtype, [4, 2], [least, greatest, greatest, least, greatest - 1, greatest,
                                                       least + 1, least]), 1, {})
        for dtype in FLOATS:
            rows = [[NAN, 1, 2, 1], [3, NAN, -INF, INF], [NAN, NAN, NAN, NAN], [0.0, -0.0, 0.0, -0.0],
                    [-INF, -INF, NAN, 0],
                    [INF, INF, NAN, 0], [2, 2, 2, 2], [NAN, NAN, INF, INF], [NAN, -INF, NAN, -INF]]
            add("special values", Tensor(dtype, [len(rows), 4], [x for row in rows for x in row]), 1, {})
            cases.add_special_elements(add, "rows", cases.eighths(dtype, (3, 5), 1), 1, {})
            add("8 axes", cases.eighths(dtype, EIGHT_AXES, 1), 3, {})
        yield cases


def cumulative_sum():
    cases = Cases("cumulativeSum")

    def add(case, tensor, axis, options):
        exclusive, backwards = options.get("exclusive", False), options.get("reversed", False)

        def element(index):
            if backwards:
                positions = range(index[axis] + exclusive, tensor.shape[axis])
            else:
                positions = range(0, index[axis] + 1 - exclusive)
            return total([tensor[index[:axis] + (i,) + index[axis + 1:]] for i in positions])
        words = ", ".join(options) or "defaults"
        cases.add(f"{tensor.dtype} {case}, {words}", {"input": tensor, "axis": axis},
                  build(tensor.dtype, tensor.shape, element), options,
                  ulp(tensor.shape[axis] if is_float(tensor.dtype) else 0))

    every = ({}, {"exclusive": True}, {"reversed": True}, {"exclusive": True, "reversed": True})
    for dtype in WIDE:
        for options in every:
            for axis in range(3):
                add(f"along axis {axis}", cases.numbers(dtype, (2, 3, 2)), axis, options)
    for dtype in FLOATS:
        for options in every:
            special = [1, NAN, 2, 1, INF, 2, INF, 1, -INF]
            add("special values", Tensor(dtype, [3, 3], special), 1, options)
        cases.add_special_elements(add, "rows", cases.eighths(dtype, (2, 5)), 1, {})
        add("8 axes", cases.eighths(dtype, EIGHT_AXES), 3, {})
    yield cases


def all_cases():
    for family in (reductions, arg_reductions, cumulative_sum):
        yield from family()
