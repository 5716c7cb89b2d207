"""Convolutions, pooling and resampling. Formulas are written for the layouts nchw and oihw (transposed: iohw); a case
in another layout has its operands and its result permuted."""

import itertools
import math
from fractions import Fraction

from .cases import Cases, exact, ulp
from .tensors import ANY, FLOATS, INF, NAN, RANGES, Tensor, build, is_float, permuted

PLAIN = {"padding": [0, 0, 0, 0], "strides": [1, 1], "dilations": [1, 1]}


def in_layout(tensor, from_letters, to_letters):
    return permuted(tensor, [from_letters.index(letter) for letter in to_letters])


def taps(options, axis, output_position, window_size, input_size):
    """(tap, input position) of a window along the height (0) or the width (1), for taps that meet the input."""
    settings = {**PLAIN, **options}
    start = output_position * settings["strides"][axis] - settings["padding"][2 * axis]
    positions = ((k, start + k * settings["dilations"][axis]) for k in range(window_size))
    return [(k, p) for k, p in positions if 0 <= p < input_size]


def window_positions(options, axis, window_size, input_size, rounding=math.floor):
    settings = {**PLAIN, **options}
    extent = (window_size - 1) * settings["dilations"][axis] + 1
    room = input_size + sum(settings["padding"][2 * axis:2 * axis + 2]) - extent
    return rounding(Fraction(room, settings["strides"][axis])) + 1


def words_of(options):
    return ", ".join(f"{key} {value}" for key, value in options.items() if not isinstance(value, Tensor)) or "defaults"


# ---- convolutions

def conv2d_result(image, kernel, bias, options):
    groups = options.get("groups", 1)
    batches, _, height, width = image.shape
    outputs, group_inputs, *window = kernel.shape

    def element(index):
        n, o, y, x = index
        first = o // (outputs // groups) * group_inputs
        terms = [image[n, first + i, row, column] * kernel[o, i, ky, kx] for i in range(group_inputs)
                 for ky, row in taps(options, 0, y, window[0], height)
                 for kx, column in taps(options, 1, x, window[1], width)]
        return math.fsum(terms) + (bias[o,] if bias else 0)
    shape = [batches, outputs] + [window_positions(options, a, window[a], (height, width)[a]) for a in range(2)]
    return build(image.dtype, shape, element)


def conv_transpose2d_result(image, kernel, bias, options):
    groups, settings = options.get("groups", 1), {**PLAIN, **options}
    batches, inputs, height, width = image.shape
    _, group_outputs, *window = kernel.shape
    sizes = options.get("outputSizes") or [
        ((height, width)[a] - 1) * settings["strides"][a] + (window[a] - 1) * settings["dilations"][a] + 1
        - sum(settings["padding"][2 * a:2 * a + 2]) + options.get("outputPadding", [0, 0])[a] for a in range(2)]
    sums = {}
    for n, i, y, x, o, ky, kx in itertools.product(range(batches), range(inputs), range(height), range(width),
                                                   range(group_outputs), range(window[0]), range(window[1])):
        channel = i // (inputs // groups) * group_outputs + o
        row = y * settings["strides"][0] + ky * settings["dilations"][0] - settings["padding"][0]
        column = x * settings["strides"][1] + kx * settings["dilations"][1] - settings["padding"][2]
        sums.setdefault((n, channel, row, column), []).append(image[n, i, y, x] * kernel[i, o, ky, kx])
    return build(image.dtype, [batches, group_outputs * groups] + list(sizes),
                 lambda index: math.fsum(sums.get(index, [])) + (bias[index[1],] if bias else 0))


def convolution(name, formula, filter_letters, filter_layouts, output_channels, variants):
    cases = Cases(name)

    def add(case, image, kernel, bias, options, constants=()):
        result = formula(image, kernel, bias, options)
        input_layout, filter_layout = options.get("inputLayout", "nchw"), options.get("filterLayout", filter_letters)
        products = math.prod(kernel.shape[2:]) * image.shape[1] // options.get("groups", 1)
        cases.add(f"{image.dtype} {case}{list(image.shape)} by {list(kernel.shape)} {words_of(options)}",
                  {"input": in_layout(image, "nchw", input_layout),
                   "filter": in_layout(kernel, filter_letters, filter_layout)},
                  in_layout(result, "nchw", input_layout), {**options, **({"bias": bias} if bias else {})},
                  ulp(2 * products + 1), constants)

    def data(dtype, image, kernel, positive=False):
        make = (lambda t, s: cases.reals(t, s, 0.25, 1)) if positive else cases.eighths
        return make(dtype, image), make(dtype, kernel)

    for dtype in FLOATS:
        for image, kernel, options in variants:
            operands = data(dtype, image, kernel)
            bias = cases.eighths(dtype, [output_channels(kernel, options)])
            add("", *operands, None, options)
            add("with bias, ", *operands, bias, options)
        # Without padding: whether its zeros are multiplied by the filter's infinities is left to implementations.
        image, kernel, _ = variants[1]
        cases.add_special_elements(add, "", *data(dtype, image, kernel),
                                   cases.eighths(dtype, [output_channels(kernel, {})]), {})
        image, kernel, options = variants[-1]
        for input_layout in ("nchw", "nhwc"):
            for filter_layout in filter_layouts:
                add("layouts, ", *data(dtype, image, kernel), cases.eighths(dtype, [output_channels(kernel, options)]),
                    {**options, "inputLayout": input_layout, "filterLayout": filter_layout}, ("filter", "bias"))
        add("fractions, ", *data(dtype, variants[0][0], variants[0][1], positive=True), None, {})
    return cases


def convolutions():
    yield convolution(
        "conv2d", conv2d_result, "oihw", ("oihw", "hwio", "ohwi", "ihwo"), lambda kernel, options: kernel[0],
        [((2, 3, 4, 5), (2, 3, 2, 3), {}),
         ((1, 2, 4, 4), (3, 2, 3, 3), {"padding": [1, 1, 1, 1]}),
         ((1, 2, 4, 5), (1, 2, 2, 2), {"padding": [1, 0, 0, 2]}),
         ((1, 1, 6, 7), (2, 1, 2, 3), {"strides": [2, 3]}),
         ((1, 1, 7, 6), (1, 1, 3, 2), {"dilations": [2, 3]}),
         ((1, 2, 5, 5), (2, 2, 2, 2), {"padding": [2, 1, 0, 1], "strides": [2, 1], "dilations": [1, 2]}),
         ((1, 1, 2, 2), (1, 1, 1, 1), {"padding": [3, 3, 3, 3], "strides": [2, 2]}),
         ((1, 3, 4, 4), (3, 1, 3, 3), {"groups": 3, "padding": [1, 1, 1, 1]}),
         ((1, 2, 3, 3), (6, 1, 2, 2), {"groups": 2}),
         ((1, 4, 2, 3), (3, 4, 1, 1), {}),
         ((1, 5, 1, 1), (2, 5, 1, 1), {}),
         ((1, 4, 4, 3), (6, 2, 3, 2), {"groups": 2, "padding": [1, 0, 1, 1], "strides": [1, 2]})])
    yield convolution(
        "convTranspose2d", conv_transpose2d_result, "iohw", ("iohw", "hwoi", "ohwi"),
        lambda kernel, options: kernel[1] * options.get("groups", 1),
        [((2, 3, 2, 3), (3, 2, 2, 3), {}),
         ((1, 2, 3, 3), (2, 1, 3, 3), {"padding": [1, 1, 1, 1]}),
         ((1, 1, 3, 4), (1, 2, 2, 2), {"padding": [1, 0, 0, 2]}),
         ((1, 1, 2, 3), (1, 2, 3, 2), {"strides": [2, 3]}),
         ((1, 1, 3, 2), (1, 1, 2, 3), {"dilations": [2, 3]}),
         ((1, 2, 2, 2), (2, 1, 2, 2), {"strides": [3, 2], "outputPadding": [2, 1]}),
         ((1, 2, 2, 2), (2, 1, 2, 2), {"strides": [3, 2], "outputSizes": [6, 5], "outputPadding": [1, 0]}),
         ((1, 1, 3, 3), (1, 1, 3, 3), {"strides": [2, 2], "padding": [1, 1, 1, 1], "outputSizes": [6, 5]}),
         ((1, 3, 3, 3), (3, 1, 2, 2), {"groups": 3, "strides": [2, 2]}),
         ((1, 4, 2, 2), (4, 3, 2, 1), {"groups": 2}),
         ((1, 4, 2, 3), (4, 2, 1, 1), {}),
         ((1, 4, 3, 2), (4, 3, 3, 2),
          {"groups": 2, "padding": [1, 0, 0, 1], "strides": [2, 1], "dilations": [1, 2], "outputPadding": [1, 0]})])


# ---- pooling

def lowest(dtype):
    return -INF if is_float(dtype) else RANGES[dtype][0]


def average(values, _):
    return math.fsum(values) / len(values) if values else 0.0


def root_of_squares(values, _):
    return math.sqrt(math.fsum(x * x for x in values))


def maximum(values, dtype):
    if any(x != x for x in values):
        return NAN
    return max(values, default=lowest(dtype))


POOLING = {"averagePool2d": (average, FLOATS), "l2Pool2d": (root_of_squares, FLOATS), "maxPool2d": (maximum, ANY)}


def pooling():
    for name, (formula, types) in POOLING.items():
        cases = Cases(name)

        def add(case, image, options):
            height, width = image.shape[2:]
            window = options.get("windowDimensions", [height, width])
            rounding = math.ceil if options.get("outputShapeRounding") == "ceil" else math.floor
            sizes = options.get("outputSizes") or [
                window_positions(options, a, window[a], (height, width)[a], rounding) for a in range(2)]

            def element(index):
                n, c, y, x = index
                return formula([image[n, c, row, column] for _, row in taps(options, 0, y, window[0], height)
                                for _, column in taps(options, 1, x, window[1], width)], image.dtype)
            result = build(image.dtype, list(image.shape[:2]) + sizes, element)
            layout = options.get("layout", "nchw")
            cases.add(f"{image.dtype} {case}{list(image.shape)} {words_of(options)}",
                      {"input": in_layout(image, "nchw", layout)},
                      in_layout(result, "nchw", layout), options,
                      exact() if name == "maxPool2d" else ulp(math.prod(window) + 2))

        def data(dtype, shape):
            if name == "averagePool2d":
                return cases.reals(dtype, shape, 0.5, 4)
            return cases.reals(dtype, shape, -4, 4) if is_float(dtype) else cases.integers(dtype, shape)

        for dtype in types:
            for shape, options in (
                    ((2, 3, 4, 3), {}),
                    ((1, 2, 4, 5), {"windowDimensions": [2, 3]}),
                    ((1, 2, 4, 4), {"windowDimensions": [3, 3], "padding": [1, 1, 1, 1]}),
                    ((1, 1, 4, 5), {"windowDimensions": [2, 2], "padding": [1, 0, 0, 1]}),
                    ((1, 1, 6, 7), {"windowDimensions": [2, 3], "strides": [2, 3]}),
                    ((1, 1, 7, 6), {"windowDimensions": [3, 2], "dilations": [2, 3]}),
                    ((1, 1, 6, 6), {"windowDimensions": [2, 2], "strides": [2, 3], "dilations": [2, 1],
                                    "padding": [0, 1, 2, 1]}),
                    ((1, 1, 5, 6), {"windowDimensions": [2, 3], "strides": [2, 2], "outputShapeRounding": "ceil"}),
                    ((1, 1, 5, 6), {"windowDimensions": [2, 3], "strides": [2, 2], "outputShapeRounding": "floor"}),
                    ((1, 1, 5, 5), {"windowDimensions": [3, 3], "strides": [2, 2], "padding": [1, 0, 0, 1],
                                    "outputSizes": [3, 3]}),
                    ((1, 1, 5, 5), {"windowDimensions": [3, 3], "strides": [2, 2], "padding": [1, 0, 0, 1],
                                    "outputSizes": [2, 2]}),
                    ((1, 1, 2, 2), {"windowDimensions": [1, 1], "padding": [1, 2, 2, 1]})):
                add("", data(dtype, shape), options)
            for options in ({"windowDimensions": [2, 2], "padding": [1, 0, 0, 1], "strides": [1, 2]}, {}):
                add("", data(dtype, (2, 3, 3, 4)), {**options, "layout": "nhwc"})
        for dtype in FLOATS:
            image = data(dtype, (1, 1, 5, 5))
            image.data[7], image.data[20], image.data[24] = NAN, INF, -INF
            add("special values, ", image, {"windowDimensions": [2, 2]})
            without = ("the greatest number", "the lowest number") if name == "l2Pool2d" else ()  # their squares
            cases.add_special_elements(add, "", data(dtype, (1, 2, 3, 3)), {"windowDimensions": [2, 2]}, without=without)
            cases.add_special_elements(add, "", data(dtype, (1, 2, 3, 3)), {}, without=without)
        if name == "maxPool2d":
            add("nothing but -Infinity, ", Tensor("float32", [1, 1, 1, 2], [-INF, -INF]), {})
        yield cases


# ---- resampling

def resampling():
    cases = Cases("resample2d")

    def coordinate(position, input_size, output_size):
        """Half-pixel centres, exactly."""
        return min(max((position + Fraction(1, 2)) * input_size / output_size - Fraction(1, 2), 0), input_size - 1)

    def add(case, tensor, options):
        axes = options.get("axes", [2, 3])
        sizes = options.get("sizes") or [math.floor(tensor.shape[axis] * scale)
                                         for axis, scale in zip(axes, options.get("scales", [1, 1]))]
        shape = list(tensor.shape)
        for axis, size in zip(axes, sizes):
            shape[axis] = size

        def element(index):
            where = [coordinate(index[axis], tensor.shape[axis], shape[axis]) for axis in axes]

            def at(positions):
                source = list(index)
                for axis, position in zip(axes, positions):
                    source[axis] = position
                return tensor[tuple(source)]
            if options.get("mode", "nearest-neighbor") == "nearest-neighbor":
                return at([math.ceil(c - Fraction(1, 2)) for c in where])
            value = 0
            for corner in itertools.product((0, 1), repeat=2):
                weight = math.prod(c % 1 if high else 1 - c % 1 for c, high in zip(where, corner))
                if weight:  # what has no weight is not read: an exact hit stays finite beside an infinity
                    read = at([math.ceil(c) if high else math.floor(c) for c, high in zip(where, corner)])
                    value += weight * Fraction(read) if math.isfinite(read) else read
            return round(value) if not is_float(tensor.dtype) else float(value)
        tolerance = 84 if options.get("mode") == "linear" and is_float(tensor.dtype) else 0
        if options.get("mode") == "linear" and not is_float(tensor.dtype):
            tolerance = 1
        cases.add(f"{tensor.dtype} {case}{list(tensor.shape)} {words_of(options)}", {"input": tensor},
                  build(tensor.dtype, shape, element), options, ulp(tolerance))

    for dtype in ("float32", "float16", "uint8", "int8"):
        for mode in ("nearest-neighbor", "linear"):
            data = ((lambda shape: cases.reals(dtype, shape, 0.5, 4)) if is_float(dtype) else
                    (lambda shape: cases.integers(dtype, shape)))
            for shape, options in (
                    ((1, 1, 2, 3), {}),
                    ((2, 2, 2, 3), {"scales": [2, 2]}),
                    ((1, 1, 4, 6), {"scales": [0.5, 0.5]}),
                    ((1, 1, 3, 4), {"scales": [1.5, 0.75]}),
                    ((1, 1, 3, 2), {"sizes": [5, 7]}),
                    ((1, 1, 7, 5), {"sizes": [3, 2], "scales": [2, 2]}),
                    ((1, 1, 5, 3), {"sizes": [1, 1]}),
                    ((1, 1, 1, 1), {"sizes": [2, 3]}),
                    ((2, 3, 2, 1), {"sizes": [4, 5], "axes": [0, 1]}),
                    ((1, 3, 4, 2), {"sizes": [6, 3], "axes": [1, 2]}),
                    ((1, 1, 3, 4), {"sizes": [6, 2], "axes": [3, 2]}),
                    ((3, 1, 2, 4), {"scales": [2, 0.5], "axes": [3, 0]}),
                    ((2, 3, 1, 2), {"sizes": [2, 3], "axes": [2, 0]})):
                add("", data(shape), {"mode": mode, **options})
    for dtype in FLOATS:
        for sizes in ([5, 7], [2, 2]):
            cases.add_special_elements(add, "", cases.reals(dtype, (1, 1, 3, 4), 0.5, 4),
                                       {"mode": "linear", "sizes": sizes})
    add("any bits, ", cases.any_bits("float32", (1, 1, 2, 4)), {"sizes": [5, 3]})
    add("any bits, ", cases.any_bits("float16", (1, 1, 2, 4)), {"sizes": [3, 9]})
    yield cases


def all_cases():
    for family in (convolutions, pooling, resampling):
        yield from family()
