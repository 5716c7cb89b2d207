"""Many inputs on a real scheduler with two worker processes, one of which is killed in the middle."""

import os
import signal
import tempfile
import time
from pathlib import Path

import dask.array
import dask.bag
import numpy as np
import webnn
import webnn.dask
from check import fails, run, test
from distributed import Client, LocalCluster

ROOT = Path(__file__).resolve().parents[3]
DIGITS = ROOT / "models/digits/digits.json"
COUNT = 301
images = np.random.default_rng(1).random((COUNT, 1, 20, 20)).astype("float32")


def expected():
    model = webnn.load(DIGITS)
    return np.concatenate([model(image=images[i:i + 1])["probabilities"].copy() for i in range(COUNT)])


def tolerant(ours):
    """Another number of threads may add in another order."""
    assert ours.shape == (COUNT, 10) and np.allclose(ours, expected(), rtol=0, atol=1e-5)


def slowly(item, folder):
    """Notes which worker had the item, takes some time, and passes it on."""
    (Path(folder) / f"{os.getpid()}.{time.monotonic_ns()}").touch()
    time.sleep(0.02)
    return item


@test
def arrays_give_arrays():
    rows = dask.array.from_array(images, chunks=(7, 1, 10, 20))
    for given in (rows, {"image": rows}):
        lazy = webnn.dask.map_batches(DIGITS, given)["probabilities"]
        assert lazy.shape == (COUNT, 10) and lazy.dtype == np.float32
        tolerant(lazy.compute(scheduler="synchronous"))
    small = webnn.dask.map_batches(DIGITS, rows, block_bytes=16000)["probabilities"]
    assert len(small.chunks[0]) > 30
    tolerant(small.compute(scheduler="synchronous"))
    assert webnn.dask.map_batches(DIGITS, rows[:0])["probabilities"].compute().shape == (0, 10)


@test
def a_batch_is_filled_up():
    graph = '{"format": "webnn-graph-json", "version": 2, "inputs": {"x": {"dataType": "float32", "shape": [4, 2]}}, ' \
            '"consts": {}, "nodes": [{"id": "y", "op": "neg", "inputs": ["x"]}], "outputs": {"y": "y"}}'
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "neg.json"
        file.write_text(graph)
        numbers = np.arange(18, dtype="float32").reshape(9, 2)
        result = webnn.dask.map_batches(file, dask.array.from_array(numbers, chunks=(2, 2)))["y"]
        assert np.array_equal(result.compute(scheduler="synchronous"), -numbers)


@test
def what_does_not_fit_is_refused_before_anything_runs():
    rows = dask.array.from_array(images)
    fails(TypeError, lambda: webnn.dask.map_batches(DIGITS, images), "dask.array")
    fails(TypeError, lambda: webnn.dask.map_batches(DIGITS, rows.astype("float64")), "float64", "image")
    fails(TypeError, lambda: webnn.dask.map_batches(DIGITS, {"picture": rows}), "picture", "image")
    fails(webnn.UsageError, lambda: webnn.dask.map_batches(DIGITS, rows[:, :, :10]), "(301, 1, 10, 20)")
    fails(webnn.Error, lambda: webnn.dask.map_batches("/absent.json", rows), "absent.json")


@test
def a_killed_worker_loses_nothing_and_nothing_comes_twice():
    with tempfile.TemporaryDirectory() as folder, \
            LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, \
            Client(cluster) as client:
        bag = dask.bag.from_sequence(range(COUNT), npartitions=30)
        items = bag.map(lambda i: slowly(images[i:i + 1], folder))
        results = webnn.dask.map_batches(DIGITS, items).map(lambda each: each["probabilities"])
        future = client.compute(results)
        while len(os.listdir(folder)) < 60:
            time.sleep(0.02)
        victim = int(os.listdir(folder)[0].split(".")[0])
        os.kill(victim, signal.SIGKILL)
        done = future.result(timeout=120)
        workers = {name.split(".")[0] for name in os.listdir(folder)}
        assert len(workers) >= 2, "one worker did everything"
        assert len(done) == COUNT
        tolerant(np.concatenate(done))


if __name__ == "__main__":  # workers import this file
    run()
