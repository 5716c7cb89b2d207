"""Arrays from other libraries' objects."""

import numpy


def to_array(value, what):
    """A NumPy array over the memory of an object with DLPack (on the CPU) or a buffer, without a copy.

    Raises TypeError for anything else: numbers in lists have no type of their own.
    """
    if isinstance(value, numpy.ndarray):
        return value
    if hasattr(value, "__dlpack__"):
        try:
            return numpy.from_dlpack(value)
        except (BufferError, RuntimeError, TypeError) as error:
            raise TypeError(f"{what} cannot be read by DLPack: {error}") from error
    if hasattr(value, "__array_interface__") or isinstance(value, numpy.generic):
        return numpy.asarray(value)
    try:
        return numpy.asarray(memoryview(value))
    except TypeError:
        raise TypeError(
            f"{what} is a {type(value).__name__}, not an array; numpy.asarray(value, dtype) makes one of numbers"
        ) from None
