"""Writes webnn/__init__.pyi: the operators' methods come from the rows of the operator table.

    PYTHONPATH=build/release/python python3 bindings/python/stubs/write.py > bindings/python/webnn/__init__.pyi
"""

from pathlib import Path

import webnn._native
from webnn._builder import gives_list, parameters_of

TYPES = ("float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8", "int4", "uint4")


def method_of(op):
    required = [f"{name}: {kind}" for name, kind, is_required, _ in parameters_of(op) if is_required]
    options = [f"{name}: {kind} | None = None" for name, kind, is_required, _ in parameters_of(op) if not is_required]
    parameters = ", ".join(["self", *required, "*", *options, 'label: str = ""'])
    return f"    def {op['name']}({parameters}) -> {'list[Operand]' if gives_list(op) else 'Operand'}: ..."


template = Path(__file__).with_name("template.pyi").read_text()
types = "Literal[" + ", ".join(f'"{name}"' for name in TYPES) + "]"
methods = "\n".join(map(method_of, webnn._native.operators()))
print(template.replace("TYPES", types).replace("    METHODS: int\n", methods + "\n"), end="")
