"""MLGraphBuilder: its methods for operators are made from the rows of the operator table."""

import inspect
import types

from . import _native
from ._arrays import to_array


class GraphBuilder:
    """MLGraphBuilder: describes a graph operator by operator and compiles it.

    Operands and required attributes are arguments, in the specification's order; options are keyword arguments with the
    specification's names. Every call is checked at once: UsageError for what the specification forbids, TypeError for
    an argument of another type.
    """

    def __init__(self, context):
        self._builder = _native.Builder(context)

    def input(self, name, dataType, shape):
        """An input of the graph; `dataType` is 'float32', ... or a NumPy type, `shape` its sizes, outermost first."""
        return self._builder.input(name, dataType, shape)

    def constant(self, value, data=..., shape=None):
        """A constant: `constant(array)`, `constant(tensor)` of createConstantTensor, `constant('float32', 1)`.

        `constant('int4', packed, shape)` takes elements of 4 bits, two in each byte, the first in the low half. The
        data is copied.
        """
        if isinstance(value, _native.Tensor):
            return self._builder.constantTensor(value)
        if data is ...:
            array = to_array(value, "the constant")
            return self._builder.constantArray(array.dtype, array.shape, array)
        if shape is None:
            return self._builder.constantNumber(value, data)
        return self._builder.constantArray(value, shape, data)

    def build(self, outputs):
        """Compiles the graph for these outputs, operands by name. A builder builds once.

        Raises Error of kind 'unsupported' when the device lacks a kernel, 'resource' when memory runs out.
        """
        return self._builder.build(outputs)


KINDS = {
    "boolean": "bool",
    "u32": "int",
    "i32": "int",
    "real": "float",
    "number": "int | float",
    "u32_list": "Sequence[int]",
    "u32_or_list": "int | Sequence[int]",
    "real_list": "Sequence[float]",
    "text": "str",
    "text_list": "Sequence[str]",
    "data_type": "DataType",
}


def parameters_of(op):
    """An operator's parameters: name, type, whether it is required, and its place among operands or attributes."""
    found = []
    for index, operand in enumerate(op["operands"]):
        kind = "Sequence[Operand]" if operand["arity"] == "many" else "Operand"
        found.append((operand["name"], kind, operand["arity"] != "optional", ("operands", index)))
    for index, attribute in enumerate(op["attributes"]):
        kind = KINDS[attribute["kind"]]
        if attribute["words"]:
            words = "Literal[" + ", ".join(f'"{word}"' for word in attribute["words"]) + "]"
            kind = words if kind == "str" else f"Sequence[{words}]"
        found.append((attribute["name"], kind, attribute["required"], ("attributes", index)))
    return found


def gives_list(op):
    """Whether the operator's method returns a list of operands."""
    return len(op["outputs"]) > 1 or op["outputs"][0]["arity"] == "many"


def documentation_of(op):
    """The docstring of an operator's method."""
    lines = [f"The operator {op['name']} of the specification.", ""]
    for name, kind, required, _ in parameters_of(op):
        lines.append(f"{name}: {kind}" + ("" if required else ", optional"))
    lines += ["label: str, names the operator in messages and profiles", ""]
    lines.append("Returns a list of operands." if gives_list(op) else "Returns an operand.")
    return "\n".join(lines)


def _signature_of(op):
    kinds = inspect.Parameter
    required, options = [kinds("self", kinds.POSITIONAL_OR_KEYWORD)], []
    for name, kind, is_required, _ in parameters_of(op):
        if is_required:
            required.append(kinds(name, kinds.POSITIONAL_OR_KEYWORD, annotation=kind))
        else:
            options.append(kinds(name, kinds.KEYWORD_ONLY, default=None, annotation=kind))
    options.append(kinds("label", kinds.KEYWORD_ONLY, default="", annotation="str"))
    return inspect.Signature([*required, *options])


def _method_of(op, number):
    places = {name: place for name, _, _, place in parameters_of(op)}
    is_many = bool(op["operands"]) and op["operands"][0]["arity"] == "many"
    signature = _signature_of(op)

    def method(*given, **options):
        try:
            arguments = signature.bind(*given, **options).arguments
        except TypeError as error:
            raise TypeError(f"{op['name']}: {error}") from None
        builder = arguments.pop("self")._builder
        label = arguments.pop("label", "")
        values = {"operands": [None] * len(op["operands"]), "attributes": [None] * len(op["attributes"])}
        for name, value in arguments.items():
            kind, index = places[name]
            values[kind][index] = value
        operands = list(values["operands"][0]) if is_many else values["operands"]
        while operands and operands[-1] is None:
            operands.pop()
        results = builder.call(number, operands, values["attributes"], label)
        return results if gives_list(op) else results[0]

    made = types.FunctionType(method.__code__, method.__globals__, op["name"], None, method.__closure__)
    made.__qualname__ = f"GraphBuilder.{op['name']}"
    made.__doc__ = documentation_of(op)
    made.__signature__ = signature
    return made


for _number, _op in enumerate(_native.operators()):
    setattr(GraphBuilder, _op["name"], _method_of(_op, _number))
