"""Functions on model files: what their dictionaries hold, and what is wrong with a call."""

import json
import tempfile
from pathlib import Path

import numpy as np
import webnn
from check import fails, run, test

ROOT = Path(__file__).resolve().parents[3]
DIGITS = ROOT / "models/digits/digits.json"


@test
def inspect_counts_operators_and_weights():
    inside = webnn.inspect(DIGITS)
    assert inside["inputs"] == [{"name": "image", "dataType": "float32", "shape": [1, 1, 20, 20]}]
    assert inside["outputs"] == [{"name": "probabilities", "dataType": "float32", "shape": [1, 10]}]
    assert inside["operators"]["softmax"] == 1 and inside["constants"]["count"] > 0
    assert inside["constants"]["bytes"] > 0 and inside["warnings"] == []


@test
def inspect_reads_programs():
    with tempfile.TemporaryDirectory() as folder:
        webnn.compile(DIGITS, Path(folder) / "digits.wnnc", threads=1)
        inside = webnn.inspect(Path(folder) / "digits.wnnc")
    assert inside["inputs"][0]["name"] == "image" and sum(inside["operators"].values()) > 0


@test
def dimensions_get_sizes():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "open.json"
        size = {"name": "n", "maxSize": 8}
        file.write_text(json.dumps({
            "format": "webnn-graph-json", "version": 1, "inputs": {"x": {"dataType": "float32", "shape": [size, 2]}},
            "nodes": [{"id": "y", "op": "relu", "inputs": ["x"], "outputs": ["y"]}], "outputs": {"y": "y"}}))
        assert webnn.inspect(file)["inputs"][0]["shape"] == ["n", 2]
        assert webnn.inspect(file, dimensions={"n": 3})["inputs"][0]["shape"] == [3, 2]
        assert webnn.load(file, dimensions={"n": 3})(x=np.ones((3, 2), np.float32))["y"].shape == (3, 2)
        fails(TypeError, lambda: webnn.load(file, dimensions={"n": "three"}), "n is not")
        for wrong in ({}, {"n": 9}, {"m": 1}):
            for use in (webnn.load, webnn.bench, webnn.profile):
                fails(webnn.UsageError, lambda: use(file, dimensions=wrong), "dimension")


@test
def dimensions_of_onnx_models_get_sizes():
    file = ROOT / "tests/frontend/bad-onnx-dimensions.onnx"  # bad, because its dimensions have no sizes
    sizes = {"batch": 2, "z[1]": 3}
    assert sorted(one["shape"] for one in webnn.inspect(file, dimensions=sizes)["inputs"]) == [[2, 3], [2, 3]]
    model = webnn.load(file, dimensions=sizes)
    assert {one.shape for one in model.outputs} == {(2, 3)}
    assert webnn.bench(file, dimensions=sizes, runs=1, warmup=0)["runs"] == 1
    fails(webnn.UsageError, lambda: webnn.load(file), "'batch' has no size", "`dimensions` in the library")


@test
def weights_and_dimensions_that_would_not_be_read_are_refused():
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "digits.wnnc"
        webnn.compile(DIGITS, program)
        for use in (webnn.load, webnn.inspect, webnn.profile, webnn.bench):
            for options in ({"dimensions": {"n": 1}}, {"weights": DIGITS.with_suffix(".weights")}):
                fails(webnn.UsageError, lambda: use(program, **options), "is a program, which has its sizes and weights")
        onnx = ROOT / "models/onnx/digits.onnx"
        for use in (webnn.load, webnn.inspect, webnn.profile, webnn.bench):
            fails(webnn.UsageError, lambda: use(onnx, weights=DIGITS.with_suffix(".weights")), "names the files of its weights")


@test
def profile_and_bench_measure():
    profiled = webnn.profile(DIGITS, runs=3)
    assert profiled["milliseconds"] > 0 and profiled["steps"]
    assert all(step["milliseconds"] >= 0 and step["kernel"] and step["operator"] for step in profiled["steps"])
    measured = webnn.bench(DIGITS, runs=20)
    times = measured["milliseconds"]
    assert measured["runs"] == 20 and 0 < times["min"] <= times["p50"] <= times["p95"] <= times["p99"] <= times["max"]
    assert times["min"] <= times["mean"] <= times["max"]
    fails(webnn.UsageError, lambda: webnn.bench(DIGITS, runs=0), "runs")
    for measure in (webnn.bench, webnn.profile):
        fails(webnn.UsageError, lambda: measure(DIGITS, threads=-1), "threads is -1")


@test
def compare_finds_the_largest_difference():
    same = webnn.compare(DIGITS, webnn.load(DIGITS, device="cpu:reference"))
    assert list(same) == ["probabilities"] and 0 <= same["probabilities"]["difference"] < 1e-5

    def changed(array):
        return lambda given: {"y": array}
    a = np.zeros((2, 2), np.float32)
    b = a.copy()
    b[1, 0] = 3
    found = webnn.compare(changed(a), changed(b), inputs={})
    assert found == {"y": {"difference": 1.0, "place": 2}}
    assert webnn.compare(changed(a), changed(a + np.nan), inputs={})["y"]["difference"] == np.inf
    fails(webnn.UsageError, lambda: webnn.compare(changed(a), changed(a[0]), inputs={}), "not the same")


@test
def errors_have_kinds():
    assert fails(webnn.Error, lambda: webnn.inspect("/nowhere.json"), "/nowhere.json").kind == "io"
    assert fails(webnn.Error, lambda: webnn.compile(DIGITS, f"{DIGITS}/digits.wnnc"), "digits.json").kind == "io"
    with tempfile.TemporaryDirectory() as folder:
        broken = Path(folder) / "broken.wnnc"
        webnn.compile(DIGITS, broken)
        broken.write_bytes(broken.read_bytes()[:-100])
        assert fails(webnn.Error, lambda: webnn.load(broken)).kind == "program"


run()
