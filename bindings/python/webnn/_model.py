"""Models: graphs from files that take and give arrays."""

import asyncio

from . import _native


class Model(_native.Model):
    """A compiled graph that takes and gives arrays; `load` makes it. Several threads may call it."""

    async def run_async(self, given=None, /, **inputs):
        """The same as a call, on another thread: `await model.run_async(x=array)`.

        The arrays must not change until it is done. A cancelled one runs to its end, and its results are dropped.
        """
        return await asyncio.to_thread(self, *(() if given is None else (given,)), **inputs)


def load(file, *, device="cpu", threads=0, weights=None, dimensions=None, context=None):
    """Reads and compiles a graph file (webnn-graph-json, .webnn, .wnnb, ONNX), or maps a program (.wnnc).

    file: its path. device: as `webnn-cli --device` names it: 'cpu', 'gpu', 'auto'. threads: how many may work at the same
    time; 0 is as many as the process may use. weights: the path of the weights, otherwise found beside the file.
    dimensions: sizes of the graph's named dimensions, {'batch': 1}. context: where to run it, instead of device and threads.

    Raises Error: of kind 'io' when the file cannot be read, 'invalid_input' when it is wrong, with each place,
    'unsupported' when the device lacks a kernel, 'program' for a program of another machine, 'device' when there is no
    such device.
    """
    if context is None:
        context = _native.Context(device, threads)
    return Model(context, file, weights, dimensions)
