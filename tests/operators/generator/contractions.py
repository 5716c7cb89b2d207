"""Matrix products, normalisation, softmax and quantisation."""

import itertools
import math

from .cases import Cases, by_type, ulp
from .elementwise import EIGHT_AXES, divide, ieee
from .tensors import (FLOATS, INF, NAN, RANGES, Tensor, broadcast_at, broadcast_shape, build, permuted, saturate,
                      to_float)


def gemm():
    cases = Cases("gemm")

    def add(case, a, b, c, options, constants=()):
        alpha, beta = (to_float(options.get(key, 1), a.dtype) for key in ("alpha", "beta"))
        left = permuted(a, [1, 0]) if options.get("aTranspose") else a
        right = permuted(b, [1, 0]) if options.get("bTranspose") else b
        inner = left.shape[1]

        def element(index):
            row, column = index
            product = alpha * sum(left[row, k] * right[k, column] for k in range(inner))
            return product + (beta * broadcast_at(c, index) if c else 0)
        words = ", ".join(f"{key} {value}" for key, value in options.items()) or "defaults"
        cases.add(f"{a.dtype} {case}{words}", {"a": a, "b": b},
                  build(a.dtype, [left.shape[0], right.shape[1]], element),
                  {**options, **({"c": c} if c else {})}, ulp(2 * inner + 3), constants)

    for dtype in FLOATS:
        for options in ({}, {"alpha": 0.5}, {"alpha": -2, "beta": 0.25}, {"beta": -1}, {"alpha": 0, "beta": 3},
                        {"beta": 0}):
            for transposes in ({}, {"aTranspose": True}, {"bTranspose": True},
                               {"aTranspose": True, "bTranspose": True}):
                a = cases.eighths(dtype, (4, 2) if transposes.get("aTranspose") else (2, 4))
                b = cases.eighths(dtype, (3, 4) if transposes.get("bTranspose") else (4, 3))
                add("", a, b, cases.eighths(dtype, (2, 3)), {**options, **transposes})
        a, b = cases.eighths(dtype, (3, 5)), cases.eighths(dtype, (5, 4))
        add("without c, ", a, b, None, {"alpha": 2})
        for shape in ((), (1,), (4,), (1, 4), (3, 1), (1, 1)):
            add(f"c {list(shape)}, ", a, b, cases.eighths(dtype, shape), {"beta": 2}, ("b",))
        add("one element, ", cases.eighths(dtype, (1, 1)), cases.eighths(dtype, (1, 1)), None, {})
        add("fractions, ", cases.reals(dtype, (3, 17), 0.25, 1), cases.reals(dtype, (17, 5), 0.25, 1),
            cases.reals(dtype, (5,), 0, 1), {}, ("b", "c"))
        special = Tensor(dtype, [4, 2], [NAN, 1, INF, 1, -INF, 1, INF, 0])
        add("special values, ", special, Tensor(dtype, [2, 2], [1, 1, 1, -INF]), None, {})
        cases.add_special_elements(add, "", cases.eighths(dtype, (3, 5)), cases.eighths(dtype, (5, 4)),
                                   cases.eighths(dtype, (3, 4)), {})
    yield cases


def matmul():
    cases = Cases("matmul")

    def add(case, a, b, constants=()):
        batches = broadcast_shape(a.shape[:-2], b.shape[:-2])

        def matrix(tensor, index):
            own = index[len(index) - (len(tensor.shape) - 2):]
            return tuple(0 if size == 1 else i for size, i in zip(tensor.shape, own))

        def element(index):
            batch, row, column = index[:-2], index[-2], index[-1]
            return sum(a[matrix(a, batch) + (row, k)] * b[matrix(b, batch) + (k, column)] for k in range(a.shape[-1]))
        cases.add(f"{a.dtype} {case}{list(a.shape)} by {list(b.shape)}", {"a": a, "b": b},
                  build(a.dtype, batches + (a.shape[-2], b.shape[-1]), element), {}, ulp(2 * a.shape[-1]), constants)

    for dtype in FLOATS:
        for a, b in (((2, 3), (3, 4)), ((1, 1), (1, 1)), ((1, 5), (5, 1)), ((5, 1), (1, 5)), ((2, 2, 3), (2, 3, 2)),
                     ((2, 2, 3), (3, 2)), ((2, 3), (2, 3, 2)), ((2, 1, 2, 3), (3, 3, 2)), ((1, 2, 2, 2), (2, 1, 2, 3)),
                     ((1, 2, 1, 1, 2, 1, 2, 3), (2, 1, 1, 2, 1, 2, 3, 2))):
            add("", cases.eighths(dtype, a), cases.eighths(dtype, b))
        add("constant, ", cases.eighths(dtype, (3, 4)), cases.eighths(dtype, (4, 5)), ("b",))
        add("fractions, ", cases.reals(dtype, (4, 33), 0.25, 1), cases.reals(dtype, (33, 7), 0.25, 1))
        add("special values, ", Tensor(dtype, [4, 2], [NAN, 1, INF, 1, -INF, 1, INF, 0]),
            Tensor(dtype, [2, 2], [1, 1, 1, -INF]))
        cases.add_special_elements(add, "", cases.eighths(dtype, (3, 5)), cases.eighths(dtype, (5, 4)))
    yield cases


# ---- normalisation

def normalized(value, mean, variance, epsilon, scale, bias):
    if math.isnan(value - mean) or math.isnan(variance):
        return NAN
    root = ieee(math.sqrt)(variance + epsilon)
    distance = value - mean
    if root == 0:
        ratio = NAN if distance == 0 else math.copysign(INF, distance)
    else:
        ratio = distance / root
    return scale * ratio + bias


# The variance becomes infinite on the way.
OVERFLOWING = (("x", "the greatest number"), ("x", "the lowest number"))


def statistics(values):
    if not all(math.isfinite(x) for x in values):
        return NAN, NAN
    mean = math.fsum(values) / len(values)
    return mean, math.fsum((x - mean)**2 for x in values) / len(values)


def words_of(options):
    words = [key if isinstance(value, Tensor) else f"{key} {value}" for key, value in options.items()]
    return ", ".join(words) or "defaults"


def batch_normalization():
    cases = Cases("batchNormalization")

    def add(case, x, options, variances=None):
        count = [x.shape[options.get("axis", 1)]]
        add_with(case, x, cases.eighths(x.dtype, count), variances or cases.reals(x.dtype, count, 0.25, 4), options)

    def add_with(case, x, mean, variance, options):
        axis, epsilon = options.get("axis", 1), to_float(options.get("epsilon", 1e-5), x.dtype)
        scale, bias = options.get("scale"), options.get("bias")

        def element(index):
            channel = (index[axis],)
            return normalized(x[index], mean[channel], variance[channel], epsilon, scale[channel] if scale else 1,
                              bias[channel] if bias else 0)
        cases.add(f"{x.dtype} {case}{list(x.shape)} {words_of(options)}",
                  {"input": x, "mean": mean, "variance": variance},
                  build(x.dtype, x.shape, element), options, ulp(6), ("mean", "variance", "scale", "bias"))

    for dtype in FLOATS:
        def data(shape):  # away from the mean, and the result away from 0
            return cases.reals(dtype, shape, 4, 8)
        for shape, axis in (((2, 3, 2, 2), None), ((2, 2, 3), 2), ((4,), 0), ((3, 2), 0), (EIGHT_AXES, 3)):
            count = [shape[1 if axis is None else axis]]
            place = {} if axis is None else {"axis": axis}
            scale, bias = cases.reals(dtype, count, 0.5, 2), cases.reals(dtype, count, 0.5, 2)
            for more in ({}, {"scale": scale}, {"bias": bias}, {"scale": scale, "bias": bias}, {"epsilon": 0.5},
                         {"scale": scale, "bias": bias, "epsilon": 0}):
                add("", data(shape), {**place, **more})
        add("special values, ", Tensor(dtype, [1, 4], [NAN, INF, -INF, 1]),
            {"scale": Tensor(dtype, [4], [1, 1, -2, 1])})
        add("no variance, ", Tensor(dtype, [2, 2], [4, 5, -4, -5]), {"epsilon": 1}, Tensor(dtype, [2], [0, 3]))
        cases.add_special_elements(add_with, "", data((2, 3)), cases.eighths(dtype, [3]),
                                   cases.reals(dtype, [3], 0.25, 4),
                                   {"scale": cases.reals(dtype, [3], 0.5, 2), "bias": cases.reals(dtype, [3], 0.5, 2)})
    yield cases


def instance_normalization():
    cases = Cases("instanceNormalization")

    def add(case, x, options):
        """`x` is nchw."""
        epsilon, layout = to_float(options.get("epsilon", 1e-5), x.dtype), options.get("layout", "nchw")
        scale, bias = options.get("scale"), options.get("bias")
        batches, channels, height, width = x.shape
        found = {(n, c): statistics([x[n, c, y, z] for y in range(height) for z in range(width)])
                 for n in range(batches) for c in range(channels)}

        def element(index):
            channel = (index[1],)
            return normalized(x[index], *found[index[:2]], epsilon, scale[channel] if scale else 1,
                              bias[channel] if bias else 0)
        result = build(x.dtype, x.shape, element)
        order = [0, 2, 3, 1] if layout == "nhwc" else [0, 1, 2, 3]
        cases.add(f"{x.dtype} {case}{list(x.shape)} {words_of(options)}", {"input": permuted(x, order)},
                  permuted(result, order), options, by_type(x.dtype, ulp(840), ulp(8400)))

    for dtype in FLOATS:
        scale, bias = cases.reals(dtype, [3], 0.5, 2), cases.reals(dtype, [3], 2.5, 5)
        for options in ({}, {"scale": scale}, {"bias": bias}, {"scale": scale, "bias": bias}, {"epsilon": 0.5},
                        {"layout": "nhwc"}, {"scale": scale, "bias": bias, "epsilon": 1e-3, "layout": "nhwc"}):
            add("", cases.eighths(dtype, (2, 3, 2, 3)), options)
        add("one element, ", cases.eighths(dtype, (1, 3, 1, 1)), {"bias": bias})
        add("equal elements, ", Tensor(dtype, [1, 1, 2, 2], [3] * 4), {})
        add("special values, ", Tensor(dtype, [1, 3, 1, 2], [NAN, 1, INF, 1, 3, 5]), {})
        cases.add_special_elements(add, "", cases.eighths(dtype, (1, 3, 2, 3)), {"scale": scale, "bias": bias},
                                   without=OVERFLOWING)
    yield cases


def layer_normalization():
    cases = Cases("layerNormalization")

    def add(case, x, options):
        rank = len(x.shape)
        axes, epsilon = options.get("axes", list(range(1, rank))), to_float(options.get("epsilon", 1e-5), x.dtype)
        scale, bias = options.get("scale"), options.get("bias")

        def element(index):
            ranges = [range(size) if axis in axes else (index[axis],) for axis, size in enumerate(x.shape)]
            mean, variance = statistics([x[i] for i in itertools.product(*ranges)])
            own = tuple(index[axis] for axis in axes)
            return normalized(x[index], mean, variance, epsilon, scale[own] if scale else 1, bias[own] if bias else 0)
        cases.add(f"{x.dtype} {case}{list(x.shape)} {words_of(options)}", {"input": x},
                  build(x.dtype, x.shape, element),
                  options, ulp(14))

    def data(dtype, shape):
        """Two levels far apart, so that no element lies near the mean."""
        return Tensor(dtype, shape, [cases.random.uniform(0.5, 1) + 4 * cases.random.randint(0, 1)
                                     for _ in range(math.prod(shape))])

    for dtype in FLOATS:
        for shape, axes in (
                ((2, 3, 4), None), ((2, 3, 4), [2]), ((2, 3, 4), [0]), ((2, 3, 4), [0, 2]), ((2, 3, 4), [2, 0]),
                ((2, 3, 4), [1, 2, 0]), ((2, 3, 4), [2, 1]), ((5,), [0]), (EIGHT_AXES, [3, 7]),
                (EIGHT_AXES, [7, 1, 3])):
            normal = list(range(1, len(shape))) if axes is None else axes
            sizes = [shape[axis] for axis in normal]
            place = {} if axes is None else {"axes": axes}
            scale, bias = cases.reals(dtype, sizes, 0.5, 2), cases.reals(dtype, sizes, 4.5, 8)
            for more in ({}, {"scale": scale}, {"scale": scale, "bias": bias, "epsilon": 0.25}, {"bias": bias}):
                add("", data(dtype, shape), {**place, **more})
        for shape, place in (((3,), {}), ((), {}), ((2, 2), {"axes": []})):
            add("no axes, ", data(dtype, shape), place)
            add("no axes, ", data(dtype, shape),
                {**place, "scale": Tensor(dtype, [], [7]), "bias": Tensor(dtype, [], [0.5])})
        add("special values, ", Tensor(dtype, [3, 2], [NAN, 1, INF, 1, 3, 5]), {})
        cases.add_special_elements(add, "", data(dtype, (3, 4)),
                                   {"scale": cases.reals(dtype, [4], 0.5, 2), "bias": cases.reals(dtype, [4], 4.5, 8)},
                                   without=OVERFLOWING)
    yield cases


def softmax():
    cases = Cases("softmax")

    def add(case, x, axis):
        def element(index):
            row = [x[index[:axis] + (i,) + index[axis + 1:]] for i in range(x.shape[axis])]
            greatest = max(row)
            if any(math.isnan(v) for v in row) or math.isinf(greatest):
                return NAN
            return math.exp(x[index] - greatest) / math.fsum(math.exp(v - greatest) for v in row)
        cases.add(f"{x.dtype} {case}{list(x.shape)} axis {axis}", {"input": x, "axis": axis},
                  build(x.dtype, x.shape, element), {},
                  by_type(x.dtype, ulp(3 * x.shape[axis] + 3), ulp(3 * x.shape[axis] + 3)))

    for dtype in FLOATS:
        for shape in ((5,), (2, 3), (2, 3, 4), (2, 1, 3, 2), EIGHT_AXES):
            for axis in range(len(shape)):
                add("", cases.reals(dtype, shape, -3, 3), axis)
        add("great values, ", Tensor(dtype, [3, 2], [1000, 1001, -1000, -1001, 60000, 60000]), 1)
        add("special values, ", Tensor(dtype, [4, 3], [NAN, 1, 2, 1, -INF, 2, -INF, -INF, -INF, INF, 1, 2]), 1)
        cases.add_special_elements(add, "", cases.reals(dtype, (3, 5), -3, 3), 1)
    yield cases


# ---- quantisation

QUANTIZED = ("uint8", "int8", "uint32", "int32", "int4", "uint4")


def block_at(tensor, index, shape):
    """The element that serves the block in which `index` of a tensor of `shape` lies."""
    return tensor[tuple(i * own // size for i, own, size in zip(index, tensor.shape, shape))]


SHAPES = (((), ()), ((5,), (5,)), ((5,), (1,)), ((6,), (3,)), ((2, 6), (2, 2)), ((4, 6), (2, 3)), ((3, 4), (1, 4)),
          ((3, 4), (3, 1)), (EIGHT_AXES, (1, 1, 1, 3, 1, 2, 1, 1)))


def powers(cases, dtype, shape):
    """Powers of two as scales: quotients, and so ties, are exact in every type."""
    return Tensor(dtype, shape, [2.0**cases.random.randint(-3, 2) for _ in range(math.prod(shape))])


def quantize_linear():
    cases = Cases("quantizeLinear")

    def add(case, x, scale, zero_point, tolerance=0):
        def element(index):
            quotient = to_float(divide(x[index], block_at(scale, index, x.shape)), "float32")
            whole = quotient if not math.isfinite(quotient) else round(quotient)
            return saturate(whole + block_at(zero_point, index, x.shape), zero_point.dtype)
        cases.add(f"{x.dtype} to {zero_point.dtype} {case}", {"input": x, "scale": scale, "zeroPoint": zero_point},
                  build(zero_point.dtype, x.shape, element), tolerance=ulp(tolerance))

    for dtype in FLOATS:
        for target in QUANTIZED:
            for shape, blocks in SHAPES:
                zero_point = cases.integers(target, blocks, -9, 9)
                add(f"{list(shape)} in blocks of {list(blocks)}", cases.reals(dtype, shape, -8, 8),
                    powers(cases, dtype, blocks), zero_point)
            low, high = RANGES[target]
            ties = Tensor(dtype, [10], [0.5, 1.5, 2.5, 3.5, -0.5, -1.5, -2.5, 0.25, -0.75, 6.5])
            for zero in (0, 3):
                add(f"ties, zero point {zero}", ties, Tensor(dtype, [1], [1]), Tensor(target, [1], [zero]))
            far = Tensor(dtype, [7], [NAN, INF, -INF, 60000, -60000, 1, -1])
            add("far values", far, Tensor(dtype, [1], [2.0**-10]), Tensor(target, [1], [1]))
            add("the least zero point", far, Tensor(dtype, [1], [1]), Tensor(target, [1], [low]))
            add("the greatest zero point", far, Tensor(dtype, [1], [1]), Tensor(target, [1], [high]))
            cases.add_special_elements(add, "rows", cases.eighths(dtype, (3, 4)), powers(cases, dtype, (3, 1)),
                                       cases.integers(target, (3, 1), -9, 9))
    add("scales that are no powers of two", cases.reals("float32", (4, 8), -20, 20),
        cases.reals("float32", (4, 2), 0.1, 1),
        cases.integers("int8", (4, 2), -5, 5), tolerance=1)
    yield cases


def dequantize_linear():
    cases = Cases("dequantizeLinear")

    def add(case, x, scale, zero_point):
        cases.add(f"{x.dtype} to {scale.dtype} {case}", {"input": x, "scale": scale, "zeroPoint": zero_point},
                  build(scale.dtype, x.shape, lambda index: float(x[index] - block_at(zero_point, index, x.shape)) *
                        block_at(scale, index, x.shape)), tolerance=ulp(1))

    for dtype in FLOATS:
        for source in QUANTIZED:
            for shape, blocks in SHAPES:
                x = cases.integers(source, shape, -500, 500)
                add(f"{list(shape)} in blocks of {list(blocks)}", x, cases.reals(dtype, blocks, 0.125, 2),
                    cases.integers(source, blocks, -20, 20))
            low, high = RANGES[source]
            if source not in ("int32", "uint32"):
                add("extremes", Tensor(source, [4], [low, high, low, high]), Tensor(dtype, [4], [0.5, 0.5, -2, -2]),
                    Tensor(source, [4], [high, low, 0, 0]))
            else:  # exact in float32, as long as the zero point is small
                add("extremes", Tensor(source, [2], [low, 2**31 - 2**7]), Tensor(dtype, [2], [2.0**-16, 2.0**-16]),
                    Tensor(source, [2], [0, 0]))
            cases.add_special_elements(add, "rows", cases.integers(source, (3, 4), -500, 500),
                                       cases.reals(dtype, (3, 1), 0.125, 2), cases.integers(source, (3, 1), -20, 20))
    yield cases


def all_cases():
    for family in (gemm, matmul, batch_normalization, instance_normalization, layer_normalization, softmax,
                   quantize_linear, dequantize_linear):
        yield from family()
