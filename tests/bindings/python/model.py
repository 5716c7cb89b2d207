"""Models from files: what goes in and out, without copies, on several threads and with asyncio.

model.py PROGRAM: the command webnn-cli, whose results must be the same.
"""

import asyncio
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import webnn
from check import fails, run, test

ROOT = Path(__file__).resolve().parents[3]
DIGITS = ROOT / "models/digits/digits.json"
IMAGE = np.load(ROOT / "models/digits/digits.input.image.npy")
PROGRAM = sys.argv[1]
model = webnn.load(DIGITS)


@test
def names_types_and_shapes_are_those_of_the_file():
    (image,), (probabilities,) = model.inputs, model.outputs
    assert (image.name, image.dataType, image.shape) == ("image", "float32", IMAGE.shape)
    assert image.dtype == np.float32
    assert (probabilities.name, probabilities.shape) == ("probabilities", (1, 10))
    assert model.warnings == []


@test
def a_call_gives_the_digits_of_the_command():
    results = model(image=IMAGE)
    assert list(results) == ["probabilities"] and results["probabilities"].argmax() == 7
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder) / "image.npy"
        np.save(image, IMAGE)
        subprocess.run([PROGRAM, "run", DIGITS, "--input", f"image=@{image}", "--outputs", folder],
                       check=True, capture_output=True)
        (saved,) = Path(folder).glob("*probabilities*.npy")
        assert np.array_equal(results["probabilities"], np.load(saved))


@test
def each_call_has_results_of_its_own():
    first = model(image=IMAGE)["probabilities"]
    kept = first.copy()
    second = model(image=np.zeros_like(IMAGE))["probabilities"]
    assert np.array_equal(first, kept) and not np.array_equal(first, second)


@test
def arrays_may_come_and_go_in_any_order():
    images = [IMAGE * (1 - i / 20) for i in range(20)]
    expected = [model(image=image)["probabilities"].copy() for image in images]
    kept = []
    for _ in range(5):
        for i in np.random.default_rng(1).permutation(20):
            kept.append((i, model(image=images[i].copy())["probabilities"]))
        for i, result in kept:
            assert np.array_equal(result, expected[i])
        del kept[::2]


@test
def other_layouts_are_copied():
    expected = model(image=IMAGE)["probabilities"]
    turned = np.asfortranarray(np.repeat(IMAGE, 2, axis=-1))[..., ::2]
    assert not turned.flags.c_contiguous
    assert np.array_equal(model(image=turned)["probabilities"], expected)
    shifted = np.frombuffer(b"\0" + IMAGE.tobytes(), np.uint8)[1:].view(np.float32).reshape(IMAGE.shape)
    assert np.array_equal(model(image=shifted)["probabilities"], expected)
    locked = IMAGE.copy()
    locked.flags.writeable = False
    assert np.array_equal(model(image=locked)["probabilities"], expected)


@test
def a_dictionary_is_a_call_too():
    assert np.array_equal(model({"image": IMAGE})["probabilities"], model(image=IMAGE)["probabilities"])


class Lent:
    """An array that only DLPack can read."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, *, stream=None):
        return self._array.__dlpack__()

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


@test
def dlpack_goes_in_and_out():
    expected = model(image=IMAGE)["probabilities"]
    results = model(image=Lent(IMAGE))["probabilities"]
    assert np.array_equal(results, expected)
    assert np.shares_memory(np.from_dlpack(results), results)


@test
def wrong_calls_are_exceptions():
    fails(TypeError, lambda: model(), "'image' is missing", "float32[1, 1, 20, 20]")
    fails(TypeError, lambda: model(image=IMAGE, other=IMAGE), "no input 'other'", "'image'")
    fails(TypeError, lambda: model(image=IMAGE.astype(np.float64)), "float64", "astype('float32')")
    fails(TypeError, lambda: model(image=IMAGE.astype(">f4")), "image")
    fails(webnn.UsageError, lambda: model(image=IMAGE[0]), "(1, 20, 20)", "not (1, 1, 20, 20)")
    fails(TypeError, lambda: model(image=[1, 2]), "list", "numpy.asarray")
    for wrong in (lambda: model(IMAGE), lambda: model({"image": IMAGE}, {}), lambda: model({"image": IMAGE}, image=IMAGE),
                  lambda: asyncio.run(model.run_async(IMAGE))):
        assert str(fails(TypeError, wrong)) == "inputs are given by name, as keywords or in one dictionary; the names are 'image'"
    fails(webnn.UsageError, lambda: webnn.load(DIGITS, threads=-1), "threads is -1")


@test
def errors_of_files_have_kinds_places_and_hints():
    error = fails(webnn.Error, lambda: webnn.load("/nowhere/model.json"), "/nowhere/model.json")
    assert error.kind == "io"
    with tempfile.TemporaryDirectory() as folder:
        wrong = Path(folder) / "wrong.json"
        wrong.write_text(DIGITS.read_text().replace('"relu"', '"rleu"', 1))
        for suffix in (".weights", ".manifest.json"):
            source = DIGITS.with_suffix(suffix)
            if source.exists():
                (Path(folder) / source.name).write_bytes(source.read_bytes())
        error = fails(webnn.Error, lambda: webnn.load(wrong), "wrong.json:", "rleu", "relu")
        assert error.kind == "invalid_input"
    error = fails(webnn.UsageError, lambda: webnn.load(DIGITS, device="toaster"), "toaster")
    assert error.kind == "usage" and isinstance(error, ValueError) and isinstance(error, webnn.Error)
    assert error.hint and error.hint in str(error)


@test
def other_formats_and_programs_give_the_same():
    expected = model(image=IMAGE)["probabilities"]
    with tempfile.TemporaryDirectory() as folder:
        for name in ("digits.wnnb", "digits.onnx"):
            file = Path(folder) / name
            subprocess.run([PROGRAM, "convert", DIGITS, "-o", file], check=True, capture_output=True)
            assert np.allclose(webnn.load(file)(image=IMAGE)["probabilities"], expected, atol=1e-6), name
        file = Path(folder) / "digits.wnnc"
        made = webnn.compile(DIGITS, file)
        assert made["bytes"] == file.stat().st_size and made["steps"] > 0 and made["warnings"] == []
        assert np.array_equal(webnn.load(file)(image=IMAGE)["probabilities"], expected)


@test
def threads_may_call_one_model():
    expected = [model(image=IMAGE * scale)["probabilities"] for scale in range(4)]
    wrong = []

    def work(scale):
        for _ in range(100):
            if not np.array_equal(model(image=IMAGE * np.float32(scale))["probabilities"], expected[scale]):
                wrong.append(scale)

    threads = [threading.Thread(target=work, args=(scale,)) for scale in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def slow_model():
    """Some tenths of a second a call."""
    context = webnn.Context(threads=1)
    builder = webnn.GraphBuilder(context)
    x = y = builder.input("x", "float32", [768, 768])
    for _ in range(40):
        y = builder.matmul(y, x)
    graph = builder.build({"y": y})
    tensor = context.createTensor("float32", [768, 768], writable=True)
    out = context.createTensor("float32", [768, 768], readable=True)

    def call():
        context.dispatch(graph, {"x": tensor}, {"y": out})
        return context.readTensor(out)
    return call


@test
def other_threads_work_while_a_call_waits():
    call, done, turns = slow_model(), threading.Event(), 0
    thread = threading.Thread(target=lambda: (call(), done.set()))
    begin = time.perf_counter()
    thread.start()
    while not done.is_set():
        turns += 1
        time.sleep(0.001)
    waited = time.perf_counter() - begin
    thread.join()
    assert turns > 5, f"{turns} turns in {waited} s"


@test
def run_async_gives_the_same():
    async def work():
        many = await asyncio.gather(*(model.run_async(image=IMAGE) for _ in range(8)))
        by_name = await model.run_async({"image": IMAGE})
        try:
            await model.run_async(image=IMAGE[0])
        except ValueError:
            return [*many, by_name]
        raise AssertionError("a wrong shape was taken")
    expected = model(image=IMAGE)["probabilities"]
    for results in asyncio.run(work()):
        assert np.array_equal(results["probabilities"], expected)


run()
