"""What build scripts do with model files. Every function returns dictionaries and lists; times are in milliseconds."""

import os

import numpy

from . import _native
from ._errors import UsageError
from ._model import load


def compile(file, output, *, weights=None, dimensions=None, device="cpu", threads=0):
    """Compiles a graph file to a program file (.wnnc) for a device of this machine.

    Returns {'bytes', 'steps', 'warnings'}. A file of that name is replaced, or stays as it is when something is wrong.
    """
    return _native.compile(file, output, weights, dimensions, device, threads)


def inspect(file, *, weights=None, dimensions=None):
    """What is in a graph file or a program: {'inputs', 'outputs', 'operators', 'constants', 'warnings'}.

    'operators' counts each operator, of a program each step's; 'constants' is {'count', 'bytes'}. A dimension without a
    size has its name in the 'shape'.
    """
    return _native.inspect(file, weights, dimensions)


def profile(file, *, weights=None, dimensions=None, device="cpu", threads=0, runs=20):
    """How long a model takes with some inputs: {'milliseconds', 'steps'}, medians of the runs.

    The steps are {'operator', 'kernel', 'label', 'milliseconds'}, in the order in which they run.
    """
    return _native.profile(file, weights, dimensions, device, threads, runs)


def bench(file, *, weights=None, dimensions=None, device="cpu", threads=0, runs=100, warmup=10):
    """Measures the latency of a model with some inputs, inputs and outputs in place.

    Returns {'runs', 'milliseconds': {'min', 'p50', 'p95', 'p99', 'max', 'mean'}}. Raises UsageError for no runs.
    """
    if runs < 1:
        raise UsageError("bench: runs is less than 1")
    times = numpy.array(_native.bench(file, weights, dimensions, device, threads, runs, warmup))
    shares = {"min": 0, "p50": 50, "p95": 95, "p99": 99, "max": 100}
    milliseconds = {name: float(numpy.percentile(times, share)) for name, share in shares.items()}
    milliseconds["mean"] = float(times.mean())
    return {"runs": runs, "milliseconds": milliseconds}


def compare(first, second, *, inputs=None):
    """Runs two models with the same inputs; each is a path or a Model.

    inputs: arrays by name; without, numbers between 0 and 1, and zeros and ones where integers are wanted. Returns for each
    output {'difference', 'place'}: the largest difference, divided by the number of the second where that is above 1, and
    the index of the first element that has it. Raises UsageError when outputs have other names or shapes.
    """
    ours, theirs = (load(one) if isinstance(one, (str, bytes, os.PathLike)) else one for one in (first, second))
    given = _some_inputs(ours) if inputs is None else inputs
    results, others = ours(given), theirs(given)
    if {name: array.shape for name, array in results.items()} != {name: array.shape for name, array in others.items()}:
        raise UsageError("compare: the outputs are not the same in both")
    return {name: _difference(array, others[name]) for name, array in results.items()}


def _some_inputs(model):
    random = numpy.random.default_rng(1)
    inputs = {}
    for one in model.inputs:
        shape = one.shape
        if one.dataType in ("int4", "uint4"):  # two elements in a byte
            shape = ((int(numpy.prod(shape)) + 1) // 2,)
        numbers = random.random(shape)
        inputs[one.name] = (numbers if one.dtype.kind == "f" else numbers > 0.5).astype(one.dtype)
    return inputs


def _difference(ours, theirs):
    a, b = (array.astype(numpy.float64).ravel() for array in (ours, theirs))
    with numpy.errstate(invalid="ignore"):
        apart = numpy.abs(a - b) / numpy.maximum(1, numpy.abs(b))
    apart[(a == b) | (numpy.isnan(a) & numpy.isnan(b))] = 0
    apart[numpy.isnan(apart)] = numpy.inf
    place = int(apart.argmax())
    return {"difference": float(apart[place]), "place": place}
