"""One model over many inputs, on the workers of Dask: `webnn.dask.map_batches`.

Needs Dask (Debian: python3-dask, and python3-distributed for more than one machine).
"""

import functools
import math
import os

import dask
import dask.array
import dask.bag
import numpy

from . import _model, _tools
from ._errors import UsageError

__all__ = ["map_batches"]


def map_batches(model, data, *, device="cpu", threads=1, dimensions=None, block_bytes=1 << 26):
    """Runs a model on every row of arrays, or on every item of a bag; lazy, as everything of Dask's.

    model: the path of a graph file or a program. Each worker process reads it once, under this name.
    data: a dask.array, for a model with one input; a dictionary of them by the names of the inputs; or a dask.bag whose
        items are what a call of the model takes (an array, or a dictionary of arrays). Arrays have any number of rows along
        axis 0, otherwise the shape of the input; the model takes as many rows at a time as axis 0 of its inputs has, and the
        last ones are filled up with zeros.
    device, threads, dimensions: as for `webnn.load`. One thread for each of Dask's is usually fastest.
    block_bytes: about how much memory the inputs and outputs of one task may take. A task is what Dask does again elsewhere
        when a worker is lost.

    Returns {output: dask.array} for arrays, a bag of {output: numpy array} for a bag. Raises TypeError for data of another
    kind or type, UsageError for shapes that do not fit the model, and what `webnn.inspect` raises for the file.
    """
    file = os.path.abspath(os.fsdecode(model))
    order = (file, device, threads, tuple(sorted((dimensions or {}).items())))
    if isinstance(data, dask.bag.Bag):
        return data.map_partitions(_run_items, order)
    described = _tools.inspect(file, dimensions=dimensions)
    inputs, outputs = ([_Operand(one) for one in described[which]] for which in ("inputs", "outputs"))
    if isinstance(data, dask.array.Array):
        if len(inputs) != 1:
            raise TypeError(f"the model has {len(inputs)} inputs; give a dictionary of arrays")
        data = {inputs[0].name: data}
    return _map_arrays(order, inputs, outputs, data, block_bytes)


class _Operand:
    """An input or output of the file, which this machine need not be able to run."""

    def __init__(self, described):
        self.name, self.shape = described["name"], tuple(described["shape"])
        if described["dataType"] in ("int4", "uint4"):
            raise UsageError(f"'{self.name}' has two elements in a byte, so arrays of it have no rows; use a bag")
        self.dtype = numpy.dtype(described["dataType"])


def _map_arrays(order, inputs, outputs, data, block_bytes):
    if not isinstance(data, dict) or not all(isinstance(one, dask.array.Array) for one in data.values()):
        raise TypeError("data is neither a dask.array, nor a dictionary of them, nor a dask.bag")
    wanted = {one.name: one for one in inputs}
    if set(data) != set(wanted):
        raise TypeError(f"the model's inputs are {sorted(wanted)}, not {sorted(data)}")
    batch = _batch_of([*inputs, *outputs])
    rows = _rows_of_all(data, wanted)
    row_bytes = sum(math.prod(one.shape[1:]) * one.dtype.itemsize for one in [*inputs, *outputs])
    block = max(1, int(block_bytes // max(1, row_bytes) // batch)) * batch
    cuts = tuple(min(block, rows - start) for start in range(0, rows, block)) or (0,)
    blocks = {name: array.rechunk({0: cuts}).rechunk({axis: -1 for axis in range(1, array.ndim)}).to_delayed()
              for name, array in data.items()}
    run = dask.delayed(_run_rows, pure=True)
    results = [run(order, batch, {name: parts.reshape(-1)[i] for name, parts in blocks.items()}) for i in range(len(cuts))]
    return {one.name: _joined(one, cuts, results) for one in outputs}


def _joined(output, cuts, results):
    parts = [dask.array.from_delayed(result[output.name], (cut, *output.shape[1:]), output.dtype)
             for cut, result in zip(cuts, results)]
    return dask.array.concatenate(parts)


def _rows_of_all(data, wanted):
    for name, array in data.items():
        if array.dtype != wanted[name].dtype:
            raise TypeError(f"the array for '{name}' has elements of {array.dtype}, not {wanted[name].dtype}")
        if array.shape[1:] != wanted[name].shape[1:] or array.ndim == 0:
            raise UsageError(f"the array for '{name}' has the shape {array.shape}; the model takes {wanted[name].shape}")
        if numpy.isnan(array.shape[0]):
            raise UsageError(f"the number of rows for '{name}' is not known; compute_chunk_sizes() finds it")
    rows = {array.shape[0] for array in data.values()}
    if len(rows) != 1:
        raise UsageError("the arrays have different numbers of rows: " + ", ".join(map(str, sorted(rows))))
    return rows.pop()


def _batch_of(descriptors):
    batches = {one.shape[0] if one.shape else None for one in descriptors}
    sizes = [size for one in descriptors for size in one.shape]
    if len(batches) != 1 or None in batches or not all(isinstance(size, int) for size in sizes):
        raise UsageError("axis 0 of the inputs and outputs does not have one size, so there is no batch; name open "
                         "dimensions with `dimensions`, or use a bag")
    return batches.pop()


@functools.lru_cache(maxsize=4)  # of a worker's process: the model of a task is likely that of the next one
def _load(order):
    file, device, threads, dimensions = order
    return _model.load(file, device=device, threads=threads, dimensions=dict(dimensions))


def _run_rows(order, batch, arrays):
    """The results for some rows: a multiple of the batch, but for the last ones."""
    model = _load(order)
    rows = len(next(iter(arrays.values())))
    results = {one.name: numpy.empty((rows, *one.shape[1:]), one.dtype) for one in model.outputs}
    for start in range(0, rows, batch):
        count = min(batch, rows - start)
        for name, result in model({name: _filled(array[start:start + count], batch)
                                   for name, array in arrays.items()}).items():
            results[name][start:start + count] = result[:count]
    return results


def _filled(rows, batch):
    if len(rows) == batch:
        return rows
    return numpy.concatenate([rows, numpy.zeros((batch - len(rows), *rows.shape[1:]), rows.dtype)])


def _run_items(items, order):
    model = _load(order)
    name = model.inputs[0].name
    return [model(item if isinstance(item, dict) else {name: item}) for item in items]
