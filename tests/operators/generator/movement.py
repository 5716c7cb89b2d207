"""Operators that move or repeat elements: views, movement and indexed movement."""

import itertools
import math

from .cases import Cases
from .tensors import (ANY, ANY_AND_4BIT, INDICES, INF, RANGES, Tensor, broadcast_at, build, indices_of, is_float,
                      permuted, to_float)

EIGHT_AXES = (1, 2, 1, 3, 1, 2, 1, 2)


def views():
    cases = Cases("identity")
    for dtype in ANY_AND_4BIT:
        for case, shape in (("odd count", (5,)), ("8 axes", EIGHT_AXES), ("scalar", ())):
            tensor = cases.any_bits(dtype, shape)
            cases.add(f"{dtype} {case}", {"input": tensor}, tensor)
    yield cases

    cases = Cases("reshape")
    for dtype in ANY_AND_4BIT:
        for old, new in (((2, 3, 4), (4, 6)), (EIGHT_AXES, (24,)), ((24,), (2, 1, 2, 1, 3, 1, 1, 2)), ((1, 1), ()),
                         ((), (1, 1, 1))):
            tensor = cases.any_bits(dtype, old)
            cases.add(f"{dtype} {list(old)} to {list(new)}", {"input": tensor, "newShape": list(new)},
                      tensor.reshaped(new))
    yield cases


def concat():
    cases = Cases("concat")

    def add(case, tensors, axis):
        sizes = [tensor.shape[axis] for tensor in tensors]
        shape = list(tensors[0].shape)
        shape[axis] = sum(sizes)

        def element(index):
            position = index[axis]
            for tensor, size in zip(tensors, sizes):
                if position < size:
                    return tensor[index[:axis] + (position,) + index[axis + 1:]]
                position -= size
        cases.add(f"{tensors[0].dtype} {case}", {"inputs": tensors, "axis": axis},
                  build(tensors[0].dtype, shape, element))

    for dtype in ANY:
        add("one tensor", [cases.any_bits(dtype, (2, 3))], 1)
        for axis in range(3):
            shapes = [tuple(size if i == axis else 2 for i in range(3)) for size in (1, 3, 2)]
            add(f"along axis {axis}", [cases.any_bits(dtype, shape) for shape in shapes], axis)
    add("along axis 5 of 8", [cases.any_bits("float32", (1, 2, 1, 3, 1, size, 1, 2)) for size in (2, 1)], 5)
    add("ten vectors", [cases.any_bits("int32", (size,)) for size in range(1, 11)], 0)
    yield cases


def expand():
    cases = Cases("expand")
    for dtype in ANY:
        for old, new in (((), (2, 3)), ((1,), (5,)), ((3, 1), (2, 3, 4)), ((2, 1, 3), (2, 2, 3)), ((4,), (4,)),
                         ((), ()), ((1, 2, 1, 3, 1), (2, 1, 1, 2, 2, 2, 3, 2))):
            tensor = cases.any_bits(dtype, old)
            cases.add(f"{dtype} {list(old)} to {list(new)}", {"input": tensor, "newShape": list(new)},
                      build(dtype, new, lambda i: broadcast_at(tensor, i)))
    yield cases


def pad():
    cases = Cases("pad")

    def reflected(position, size):
        position = abs(position)
        return position if position < size else 2 * (size - 1) - position

    def add(case, tensor, before, after, options):
        mode, value = options.get("mode", "constant"), options.get("value", 0)
        if is_float(tensor.dtype):
            value = to_float(value, tensor.dtype)
        else:
            low, high = RANGES[tensor.dtype]
            value = high if value == INF else low if value == -INF else max(low, min(high, round(value)))

        def element(index):
            source = tuple(i - b for i, b in zip(index, before))
            if mode == "edge":
                source = tuple(max(0, min(size - 1, p)) for p, size in zip(source, tensor.shape))
            elif mode == "reflection":
                source = tuple(reflected(p, size) for p, size in zip(source, tensor.shape))
            elif any(p < 0 or p >= size for p, size in zip(source, tensor.shape)):
                return value
            return tensor[source]
        shape = [b + size + a for b, size, a in zip(before, tensor.shape, after)]
        cases.add(f"{tensor.dtype} {case}", {"input": tensor, "beginningPadding": before, "endingPadding": after},
                  build(tensor.dtype, shape, element), options)

    for dtype in ANY:
        add("constant", cases.any_bits(dtype, (2, 3)), [1, 0], [0, 2], {})
        add("constant with a value", cases.any_bits(dtype, (2, 3)), [0, 2], [1, 1], {"mode": "constant", "value": 7})
        add("edge", cases.any_bits(dtype, (2, 3)), [3, 1], [1, 4], {"mode": "edge"})
        add("reflection", cases.any_bits(dtype, (3, 4)), [2, 3], [1, 2], {"mode": "reflection"})
        add("a value beyond the type", cases.numbers(dtype, (2,)), [1], [0], {"value": 1e30})
        add("a negative infinite value", cases.numbers(dtype, (2,)), [0], [1], {"value": -INF})
        add("a value between integers", cases.numbers(dtype, (2,)), [0], [1], {"value": 2.5})
        add("nothing", cases.any_bits(dtype, (2, 2)), [0, 0], [0, 0], {})
        add("scalar", cases.any_bits(dtype, ()), [], [], {"value": 3})
    for mode in ("constant", "edge", "reflection"):
        add(f"{mode} of 8 axes", cases.any_bits("float32", (1, 2, 1, 3, 1, 2, 1, 2)), [0, 1, 0, 2, 0, 0, 0, 1],
            [0, 0, 0, 1, 0, 1, 0, 1], {"mode": mode})
    yield cases


def reverse():
    cases = Cases("reverse")

    def add(tensor, axes):
        flipped = range(len(tensor.shape)) if axes is None else axes
        cases.add(f"{tensor.dtype} {list(tensor.shape)} axes {axes}", {"input": tensor},
                  build(tensor.dtype, tensor.shape, lambda index: tensor[tuple(
                      size - 1 - i if axis in flipped else i
                      for axis, (i, size) in enumerate(zip(index, tensor.shape)))]),
                  {} if axes is None else {"axes": axes})

    for dtype in ANY:
        for axes in (None, [], [0], [1], [2, 0]):
            add(cases.any_bits(dtype, (2, 3, 2)), axes)
        add(cases.any_bits(dtype, ()), None)
    add(cases.any_bits("float32", EIGHT_AXES), None)
    add(cases.any_bits("float32", EIGHT_AXES), [7, 3])
    yield cases


def slice_():
    cases = Cases("slice")

    def add(tensor, starts, sizes, strides=None):
        steps = strides or [1] * len(starts)
        shape = [math.ceil(size / step) for size, step in zip(sizes, steps)]
        cases.add(f"{tensor.dtype} {list(tensor.shape)} from {starts} sizes {sizes} strides {strides}",
                  {"input": tensor, "starts": starts, "sizes": sizes},
                  build(tensor.dtype, shape, lambda index: tensor[tuple(
                      start + i * step for start, i, step in zip(starts, index, steps))]),
                  {"strides": strides} if strides else {})

    for dtype in ANY:
        add(cases.any_bits(dtype, (4, 5)), [1, 0], [2, 5])
        add(cases.any_bits(dtype, (4, 7)), [0, 1], [4, 6], [3, 2])
        add(cases.any_bits(dtype, (5,)), [0], [5], [9])
        add(cases.any_bits(dtype, ()), [], [])
    add(cases.any_bits("float32", (1, 2, 1, 3, 1, 3, 1, 4)), [0, 1, 0, 0, 0, 1, 0, 1], [1, 1, 1, 3, 1, 2, 1, 3],
        [1, 1, 1, 2, 1, 1, 1, 2])
    yield cases


def split():
    cases = Cases("split")

    def add(tensor, splits, axis):
        sizes = [tensor.shape[axis] // splits] * splits if isinstance(splits, int) else splits
        outputs, start = [], 0
        for size in sizes:
            shape = tensor.shape[:axis] + (size,) + tensor.shape[axis + 1:]
            outputs.append(build(tensor.dtype, shape, lambda i: tensor[i[:axis] + (start + i[axis],) + i[axis + 1:]]))
            start += size
        cases.add(f"{tensor.dtype} {list(tensor.shape)} splits {splits} axis {axis}",
                  {"input": tensor, "splits": splits},
                  outputs, {"axis": axis} if axis else {})

    for dtype in ANY:
        add(cases.any_bits(dtype, (6,)), 3, 0)
        add(cases.any_bits(dtype, (2, 4, 3)), [1, 3], 1)
        add(cases.any_bits(dtype, (2, 2, 6)), [2, 1, 3], 2)
        add(cases.any_bits(dtype, (2, 2)), 1, 1)
    add(cases.any_bits("float32", (1, 2, 1, 4, 1, 2, 1, 2)), 2, 3)
    yield cases


def tile():
    cases = Cases("tile")

    def add(tensor, repetitions):
        shape = [size * count for size, count in zip(tensor.shape, repetitions)]
        cases.add(f"{tensor.dtype} {list(tensor.shape)} times {repetitions}",
                  {"input": tensor, "repetitions": repetitions},
                  build(tensor.dtype, shape,
                        lambda index: tensor[tuple(i % size for i, size in zip(index, tensor.shape))]))

    for dtype in ANY:
        for shape, repetitions in (((3,), [4]), ((2, 3), [1, 2]), ((2, 1, 2), [3, 2, 1]), ((2, 2), [1, 1]), ((), [])):
            add(cases.any_bits(dtype, shape), repetitions)
    add(cases.any_bits("float32", EIGHT_AXES), [2, 1, 1, 2, 1, 1, 1, 2])
    yield cases


def transpose():
    cases = Cases("transpose")

    def add(tensor, permutation):
        order = list(reversed(range(len(tensor.shape)))) if permutation is None else permutation
        cases.add(f"{tensor.dtype} {list(tensor.shape)} permutation {permutation}", {"input": tensor},
                  permuted(tensor, order), {} if permutation is None else {"permutation": permutation})

    for dtype in ANY:
        add(cases.any_bits(dtype, (2, 3, 2)), None)
        add(cases.any_bits(dtype, (2, 3, 2)), [1, 2, 0])
        add(cases.any_bits(dtype, (4,)), [0])
        add(cases.any_bits(dtype, ()), None)
    for permutation in itertools.permutations(range(4)):
        add(cases.any_bits("float32", (2, 1, 3, 2)), list(permutation))
    add(cases.any_bits("float32", EIGHT_AXES), None)
    add(cases.any_bits("float16", EIGHT_AXES), [3, 0, 7, 1, 5, 2, 4, 6])
    add(cases.any_bits("float32", (17, 19)), None)
    yield cases


def triangular():
    cases = Cases("triangular")

    def add(tensor, options):
        upper, diagonal = options.get("upper", True), options.get("diagonal", 0)

        def element(index):
            distance = index[-1] - index[-2]
            return tensor[index] if (distance >= diagonal if upper else distance <= diagonal) else 0
        words = ", ".join(f"{key} {value}" for key, value in options.items()) or "defaults"
        cases.add(f"{tensor.dtype} {list(tensor.shape)} {words}", {"input": tensor},
                  build(tensor.dtype, tensor.shape, element), options)

    for dtype in ANY:
        for options in ({}, {"upper": False}, {"diagonal": 1}, {"upper": False, "diagonal": -1}):
            add(cases.any_bits(dtype, (3, 4)), options)
    for options in ({"diagonal": 9}, {"diagonal": -9}, {"upper": False, "diagonal": 2},
                    {"upper": False, "diagonal": -7},
                    {"upper": False, "diagonal": 8}, {"diagonal": 2147483647}, {"diagonal": -2147483648}):
        add(cases.any_bits("float32", (2, 4, 3)), options)
    add(cases.any_bits("float32", EIGHT_AXES), {"diagonal": 1})
    yield cases


# ---- indexed: a negative index counts from the end, one out of range is moved to the nearest edge

def bounded(index, size):
    return max(0, min(size - 1, index + size if index < 0 else index))


def indices(cases, dtype, shape, size):
    """Indices of all kinds: inside, negative, and beyond both ends."""
    tensor = cases.integers(dtype, shape, -size - 2, size + 1)
    odd = [size - 1, 10 * size, RANGES[dtype][1]]
    if dtype != "uint32":
        odd += [-1, -size, -size - 5, RANGES[dtype][0]]
    for position, value in zip(cases.random.sample(range(len(tensor.data)), min(len(odd), len(tensor.data))), odd):
        tensor.data[position] = value
    return tensor


def gather():
    cases = Cases("gather")

    def add(case, tensor, where, axis):
        rank = len(where.shape)
        shape = tensor.shape[:axis] + where.shape + tensor.shape[axis + 1:]

        def element(index):
            position = bounded(where[index[axis:axis + rank]], tensor.shape[axis])
            return tensor[index[:axis] + (position,) + index[axis + rank:]]
        cases.add(f"{tensor.dtype} by {where.dtype} {case}", {"input": tensor, "indices": where},
                  build(tensor.dtype, shape, element), {"axis": axis} if axis else {})

    for dtype in ANY:
        add("rows", cases.any_bits(dtype, (3, 2)), indices(cases, "int32", (4,), 3), 0)
    for kind in INDICES:
        for axis in range(3):
            add(f"matrix of indices along axis {axis}", cases.any_bits("float32", (2, 4, 3)),
                indices(cases, kind, (3, 3), (2, 4, 3)[axis]), axis)
        add("scalar index", cases.any_bits("float16", (3, 2)), Tensor(kind, [], [1]), 1)
        add("scalar from a vector", cases.any_bits("float16", (3,)), Tensor(kind, [], [9]), 0)
    add("8 axes", cases.any_bits("float32", (1, 2, 1, 3, 1, 4, 2)), indices(cases, "int32", (2, 2), 4), 5)
    yield cases


def gather_elements():
    cases = Cases("gatherElements")

    def add(case, tensor, where, axis):
        cases.add(f"{tensor.dtype} by {where.dtype} {case}", {"input": tensor, "indices": where},
                  build(tensor.dtype, where.shape, lambda i: tensor[
                      i[:axis] + (bounded(where[i], tensor.shape[axis]),) + i[axis + 1:]]),
                  {"axis": axis} if axis else {})

    for dtype in ANY:
        add("rows", cases.any_bits(dtype, (3, 2)), indices(cases, "int32", (4, 2), 3), 0)
    for kind in INDICES:
        for axis in range(3):
            shape = [2, 4, 3]
            tensor = cases.any_bits("float32", shape)
            size, shape[axis] = shape[axis], 5
            add(f"along axis {axis}", tensor, indices(cases, kind, shape, size), axis)
        add("vector", cases.any_bits("float16", (3,)), indices(cases, kind, (7,), 3), 0)
    add("8 axes", cases.any_bits("float32", EIGHT_AXES), indices(cases, "int64", (1, 2, 1, 4, 1, 2, 1, 2), 3), 3)
    yield cases


def index_rows(cases, dtype, shape, sizes):
    """The indices of gatherND and scatterND: the last axis holds one coordinate for each of `sizes`."""
    columns = [indices(cases, dtype, shape, size) for size in sizes]
    return Tensor(dtype, tuple(shape) + (len(sizes),), [x for row in zip(*(c.data for c in columns)) for x in row])


def coordinates(where, index, shape):
    depth = where.shape[-1]
    return tuple(bounded(where[tuple(index) + (k,)], shape[k]) for k in range(depth))


def gather_nd():
    cases = Cases("gatherND")

    def add(case, tensor, where):
        rank, depth = len(where.shape) - 1, where.shape[-1]
        cases.add(f"{tensor.dtype} by {where.dtype} {case}", {"input": tensor, "indices": where},
                  build(tensor.dtype, where.shape[:-1] + tensor.shape[depth:],
                        lambda i: tensor[coordinates(where, i[:rank], tensor.shape) + i[rank:]]))

    for dtype in ANY:
        add("elements", cases.any_bits(dtype, (3, 2)), index_rows(cases, "int32", (4,), (3, 2)))
    for kind in INDICES:
        tensor = cases.any_bits("float32", (3, 4, 2))
        for depth in (1, 2, 3):
            add(f"{depth} coordinates", tensor, index_rows(cases, kind, (2, 2), (3, 4, 2)[:depth]))
        add("one row of indices", cases.any_bits("float16", (3, 2)), index_rows(cases, kind, (), (3, 2)))
    add("8 axes", cases.any_bits("float32", EIGHT_AXES), index_rows(cases, "int32", (3,), EIGHT_AXES))
    add("8 axes in slices", cases.any_bits("float32", EIGHT_AXES), index_rows(cases, "int64", (2, 2), EIGHT_AXES[:4]))
    yield cases


def scatter_elements():
    cases = Cases("scatterElements")

    def add(case, tensor, where, updates, axis):
        result = Tensor(tensor.dtype, tensor.shape, tensor.data)
        for i in indices_of(where.shape):  # of several updates of an element the last one stays
            target = i[:axis] + (bounded(where[i], tensor.shape[axis]),) + i[axis + 1:]
            result.data[result.offset(target)] = updates[i]
        cases.add(f"{tensor.dtype} by {where.dtype} {case}",
                  {"input": tensor, "indices": where, "updates": updates}, result, {"axis": axis} if axis else {})

    for dtype in ANY:
        add("rows", cases.any_bits(dtype, (4, 2)), indices(cases, "int32", (3, 2), 4), cases.any_bits(dtype, (3, 2)), 0)
    for kind in INDICES:
        for axis in range(3):
            shape = [2, 5, 3]
            tensor = cases.any_bits("float32", shape)
            size, shape[axis] = shape[axis], 4
            add(f"along axis {axis}", tensor, indices(cases, kind, shape, size), cases.any_bits("float32", shape), axis)
        add("all to one element", cases.any_bits("float16", (3,)), Tensor(kind, [4], [1, 1, 1, 1]),
            Tensor("float16", [4], [1, 2, 3, 4]), 0)
    shape = (1, 2, 1, 4, 1, 2, 1, 2)
    add("8 axes", cases.any_bits("float32", EIGHT_AXES), indices(cases, "int64", shape, 3),
        cases.any_bits("float32", shape), 3)
    yield cases


def scatter_nd():
    cases = Cases("scatterND")

    def add(case, tensor, where):
        rank, depth = len(where.shape) - 1, where.shape[-1]
        updates = cases.any_bits(tensor.dtype, where.shape[:-1] + tensor.shape[depth:])
        result = Tensor(tensor.dtype, tensor.shape, tensor.data)
        for i in indices_of(updates.shape):
            result.data[result.offset(coordinates(where, i[:rank], tensor.shape) + i[rank:])] = updates[i]
        cases.add(f"{tensor.dtype} by {where.dtype} {case}",
                  {"input": tensor, "indices": where, "updates": updates}, result)

    for dtype in ANY:
        add("elements", cases.any_bits(dtype, (3, 2)), index_rows(cases, "int32", (5,), (3, 2)))
    for kind in INDICES:
        tensor = cases.any_bits("float32", (3, 4, 2))
        for depth in (1, 2, 3):
            add(f"{depth} coordinates", tensor, index_rows(cases, kind, (2, 2), (3, 4, 2)[:depth]))
        add("one row of indices", cases.any_bits("float16", (3, 2)), index_rows(cases, kind, (), (3, 2)))
    add("8 axes", cases.any_bits("float32", EIGHT_AXES), index_rows(cases, "int32", (3,), EIGHT_AXES))
    add("8 axes in slices", cases.any_bits("float32", EIGHT_AXES), index_rows(cases, "int64", (2, 2), EIGHT_AXES[:4]))
    yield cases


def all_cases():
    for family in (views, concat, expand, pad, reverse, slice_, split, tile, transpose, triangular, gather,
                   gather_elements, gather_nd, scatter_elements, scatter_nd):
        yield from family()
