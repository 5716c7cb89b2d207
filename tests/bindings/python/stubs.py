"""The types: written from the operator table of this build, for everything that the module has."""

import ast
import subprocess
import sys
from pathlib import Path

import webnn
from check import run, test

FOLDER = Path(__file__).resolve().parents[3] / "bindings/python"
stubs = (FOLDER / "webnn/__init__.pyi").read_text()
tree = ast.parse(stubs)


@test
def they_are_those_that_the_table_gives():
    written = subprocess.run([sys.executable, FOLDER / "stubs/write.py"], check=True, capture_output=True, text=True)
    assert written.stdout == stubs, "bindings/python/stubs/write.py gives others"


@test
def they_have_all_public_names_and_no_others():
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert set(webnn.__all__) == (set(classes) | functions) - {"SupportsDLPack"}
    for name, node in classes.items():
        if name in ("SupportsDLPack", "Error", "UsageError"):
            continue
        members = {one.name for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))}
        real = {one for one in dir(getattr(webnn, name)) if not one.startswith("_")}
        assert {one for one in members if not one.startswith("_")} == real, name


@test
def the_version_is_that_of_the_project():
    project = (FOLDER.parents[1] / "CMakeLists.txt").read_text()
    assert f"project(webnn VERSION {webnn.__version__}" in project and "__version__: str\n" in stubs


@test
def everything_public_is_documented():
    for name in webnn.__all__:
        assert getattr(webnn, name).__doc__, name


run()
