"""W3C WebNN graphs in Python.

    model = webnn.load("model.onnx")   # or .json, .webnn, .wnnb, or a program (.wnnc)
    results = model(x=array)           # arrays by name, in and out

`Context`, `Tensor`, `Graph` and `GraphBuilder` are the specification's interfaces, with its names. `compile`, `inspect`,
`compare`, `profile` and `bench` work on files. `webnn.dask` runs a model on many inputs with Dask.
"""

from ._builder import GraphBuilder
from ._errors import Error, UsageError
from ._model import Model, load
from ._native import Context, Descriptor, Graph, Operand, Tensor, __version__, opSupportLimits
from ._tools import bench, compare, compile, inspect, profile

__all__ = [
    "Context", "Descriptor", "Error", "Graph", "GraphBuilder", "Model", "Operand", "Tensor", "UsageError", "bench", "compare",
    "compile", "inspect", "load", "opSupportLimits", "profile",
]

for _public in (Context, Descriptor, Graph, Operand, Tensor, GraphBuilder, Error, UsageError, Model):
    _public.__module__ = "webnn"
del _public
