"""Tensors of Python numbers, and how a result is rounded to a data type.

Python's floats are doubles and its integers have no end: formulas are written on them as they stand in the
specification, and `to_type` rounds once.
"""

import itertools
import math
import struct

INF = math.inf
NAN = math.nan

FLOATS = ("float32", "float16")
RANGES = {  # of the integer types
    "int32": (-2**31, 2**31 - 1),
    "uint32": (0, 2**32 - 1),
    "int64": (-2**63, 2**63 - 1),
    "uint64": (0, 2**64 - 1),
    "int8": (-2**7, 2**7 - 1),
    "uint8": (0, 2**8 - 1),
    "int4": (-2**3, 2**3 - 1),
    "uint4": (0, 2**4 - 1),
}
ANY = ("float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8")  # of the specification
ANY_AND_4BIT = ANY + ("int4", "uint4")
SIGNED = ("float32", "float16", "int64", "int32", "int8")
WIDE = ("float32", "float16", "int32", "uint32", "int64", "uint64")
INDICES = ("int32", "uint32", "int64")
LARGEST = {"float32": (2 - 2**-23) * 2.0**127, "float16": 65504.0}
SUBNORMAL = {"float32": (2.0**-149, (1 - 2**-23) * 2.0**-126), "float16": (2.0**-24, (1 - 2**-10) * 2.0**-14)}


def special_numbers(dtype):
    """The numbers of a float type that are no ordinary ones, by name."""
    least, greatest = SUBNORMAL[dtype]
    return {"NaN": NAN, "Infinity": INF, "-Infinity": -INF, "0": 0.0, "-0": -0.0, "the least subnormal": least,
            "a negative subnormal": -greatest, "the greatest number": LARGEST[dtype],
            "the lowest number": -LARGEST[dtype]}


def is_float(dtype):
    return dtype in FLOATS


def to_float(value, dtype):
    """The nearest number of a float type, ties to even, infinity from the overflow threshold on."""
    form = "<f" if dtype == "float32" else "<e"
    try:
        return struct.unpack(form, struct.pack(form, value))[0]
    except OverflowError:
        return math.copysign(INF, value)


def integer_to_float(value, dtype):
    """An integer of any size to a float type in one rounding."""
    digits = 24 if dtype == "float32" else 11
    excess = max(0, abs(value).bit_length() - digits)
    quotient, rest = divmod(abs(value), 1 << excess)
    half = (1 << excess) >> 1
    if excess and (rest > half or (rest == half and quotient % 2)):
        quotient += 1
    return to_float(math.copysign(math.ldexp(quotient, excess), value), dtype)


def wrap(value, dtype):
    """The low bits of an integer."""
    low, high = RANGES[dtype]
    return (value - low) % (high - low + 1) + low


def saturate(value, dtype):
    """The nearest integer of the type below a number in magnitude; NaN gives 0."""
    low, high = RANGES[dtype]
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return high if value > 0 else low
    return max(low, min(high, math.trunc(value)))


def to_type(value, dtype):
    """A result as an element: floats are rounded once, integers keep their low bits."""
    if not is_float(dtype):
        return wrap(value, dtype)
    return integer_to_float(value, dtype) if isinstance(value, int) else to_float(value, dtype)


class Tensor:
    """A row-major tensor. `t[index]` takes a tuple of one position for each axis."""

    def __init__(self, dtype, shape, data):
        self.dtype, self.shape, self.data = dtype, tuple(shape), [to_type(x, dtype) for x in data]
        assert len(self.data) == math.prod(self.shape), (dtype, shape, len(self.data))

    def offset(self, index):
        offset = 0
        for size, position in zip(self.shape, index, strict=True):
            assert 0 <= position < size
            offset = offset * size + position
        return offset

    def __getitem__(self, index):
        return self.data[self.offset(index)]

    def reshaped(self, shape):
        return Tensor(self.dtype, shape, self.data)


def indices_of(shape):
    """All positions in row-major order."""
    return itertools.product(*(range(size) for size in shape))


def build(dtype, shape, element):
    """The tensor whose element at each position is element(index)."""
    return Tensor(dtype, shape, [element(index) for index in indices_of(shape)])


def broadcast_shape(*shapes):
    rank = max(len(shape) for shape in shapes)
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    return tuple(max(sizes) for sizes in zip(*padded))


def broadcast_at(tensor, index):
    """The element of a tensor that broadcasts to the shape which `index` walks."""
    own = index[len(index) - len(tensor.shape):]
    return tensor[tuple(0 if size == 1 else i for size, i in zip(tensor.shape, own))]


def permuted(tensor, permutation):
    """Axis i of the result is axis permutation[i] of the tensor."""
    def element(index):
        source = [0] * len(index)
        for i, axis in enumerate(permutation):
            source[axis] = index[i]
        return tensor[tuple(source)]
    return build(tensor.dtype, [tensor.shape[axis] for axis in permutation], element)
