"""The specification's interfaces: contexts, tensors, dispatches, builders of graphs, and their errors."""

import gc
import os
import signal
import threading

import numpy as np
import webnn
from check import fails, run, test

context = webnn.Context(threads=1)
SQUARE = np.array([[1, -2], [3, -4]], np.float32)


def computed(build, **inputs):
    """The result of what `build(builder, operands...)` makes of inputs."""
    builder = webnn.GraphBuilder(context)
    operands = {name: builder.input(name, array.dtype, array.shape) for name, array in inputs.items()}
    graph = builder.build({"y": build(builder, **operands)})
    tensors = {}
    for name, array in inputs.items():
        tensors[name] = context.createTensor(array.dtype, array.shape, writable=True)
        context.writeTensor(tensors[name], array)
    (result,) = graph.outputs
    out = context.createTensor(result.dataType, result.shape, readable=True)
    context.dispatch(graph, tensors, {"y": out})
    return context.readTensor(out)


@test
def a_child_of_fork_drops_an_imported_tensor():
    array = np.zeros(4, np.float32)
    tensor = context.importTensor(array)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        del tensor
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    context.writeTensor(tensor, np.arange(4, dtype=np.float32))
    assert np.array_equal(context.readTensor(tensor), [0, 1, 2, 3])


@test
def a_graph_is_built_and_run():
    result = computed(lambda b, x: b.relu(b.add(x, b.constant("float32", 1))), x=SQUARE)
    assert np.array_equal(result, [[2, 0], [4, 0]])


@test
def every_type_of_numpy_goes_in_and_out():
    for name in ("float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8"):
        array = np.array([[0, 1, 2], [3, 100, 5]], name)
        result = computed(lambda b, x: b.transpose(x, permutation=[1, 0]), x=array)
        assert result.dtype == array.dtype and np.array_equal(result, array.T), name


@test
def elements_of_4_bits_are_packed():
    packed = np.array([0x21, 0x43], np.uint8)
    result = computed(lambda b, x: b.add(b.cast(b.constant("uint4", packed, [4]), "float32"), x), x=np.zeros(4, np.float32))
    assert np.array_equal(result, [1, 2, 3, 4])
    tensor = context.createTensor("int4", [3], readable=True, writable=True)
    context.writeTensor(tensor, packed)
    read = context.readTensor(tensor)
    assert read.dtype == np.uint8 and read.shape == (2,) and read[0] == 0x21
    fails(webnn.UsageError, lambda: context.writeTensor(tensor, np.zeros(3, np.uint8)), "2 bytes")


@test
def options_are_keywords_of_every_kind():
    assert computed(lambda b, x: b.reduceSum(x, axes=[1], keepDimensions=True), x=SQUARE).tolist() == [[-1], [-1]]
    assert computed(lambda b, x: b.clamp(x, minValue=-1, maxValue=np.float32(2)), x=SQUARE).tolist() == [[1, -1], [2, -1]]
    assert computed(lambda b, x: b.concat([x, x], 0), x=SQUARE).shape == (4, 2)
    assert computed(lambda b, x: b.split(x, np.int64(2), axis=1)[1], x=SQUARE).tolist() == [[-2], [-4]]
    assert computed(lambda b, x: b.split(x, [2], axis=1)[0], x=SQUARE).tolist() == SQUARE.tolist()
    assert computed(lambda b, x: b.elu(x, alpha=2), x=np.float32([1, 2])).tolist() == [1, 2]
    assert computed(lambda b, x: b.cast(x, np.int32), x=SQUARE).dtype == np.int32
    assert computed(lambda b, x: b.gemm(x, x, c=b.constant("float32", 1)), x=SQUARE).tolist() == (SQUARE @ SQUARE + 1).tolist()
    weight, recurrent = np.ones((1, 12, 2), np.float32), np.ones((1, 12, 3), np.float32)
    steps = computed(lambda b, x: b.lstm(x, b.constant(weight), b.constant(recurrent), 2, 3, activations=["relu", "relu", "relu"],
                                         returnSequence=True)[2], x=np.ones((2, 1, 2), np.float32))
    assert steps.shape == (2, 1, 1, 3)


@test
def all_operators_are_methods_with_a_signature_and_documentation():
    import inspect
    rows = webnn._native.operators()
    assert len(rows) >= 95
    for row in rows:
        method = getattr(webnn.GraphBuilder, row["name"])
        names = set(inspect.signature(method).parameters)
        wanted = {"self", "label"} | {one["name"] for one in row["operands"] + row["attributes"]}
        assert names == wanted, row["name"]
        assert row["name"] in method.__doc__


@test
def wrong_calls_of_a_builder_are_exceptions():
    builder = webnn.GraphBuilder(context)
    x = builder.input("x", "float32", [2, 2])
    fails(TypeError, lambda: builder.add(x), "add", "'b'")
    fails(TypeError, lambda: builder.relu(1), "relu", "1")
    fails(TypeError, lambda: builder.relu(x, alpha=1), "relu", "alpha")
    fails(TypeError, lambda: builder.transpose(x, permutation="no"), "permutation", "'no'")
    fails(TypeError, lambda: builder.reduceSum(x, axes=[1.5]), "axes")
    fails(webnn.UsageError, lambda: builder.transpose(x, permutation=[0, 0]))
    fails(webnn.UsageError, lambda: builder.cast(x, "float128"), "float128")
    fails(webnn.UsageError, lambda: builder.input("x", "float32", [1]))
    fails(TypeError, lambda: builder.input("z", "float32", [-1]), "shape")
    fails(TypeError, lambda: builder.constant("float32", "one"), "one")
    fails(TypeError, lambda: builder.constant("int32", None), "None")
    other = webnn.GraphBuilder(context)
    fails(webnn.UsageError, lambda: other.relu(x))
    error = fails(webnn.UsageError, lambda: builder.add(x, builder.input("y", "float32", [3]), label="sum"))
    assert error.kind == "usage"
    builder.build({"y": builder.relu(x)})
    fails(webnn.UsageError, lambda: builder.relu(x), "has built")
    fails(webnn.UsageError, lambda: builder.build({"y": x}), "has built", "a new builder")


@test
def objects_without_a_value_are_refused():
    class Unfinished(webnn.Context):
        def __init__(self):
            fails(TypeError, lambda: self.lost, "no value")
            super().__init__(threads=1)

    assert Unfinished().lost is None
    builder = webnn.GraphBuilder(context)
    x = builder.input("x", "float32", [2])
    native = webnn._native
    for kind, use in (
        (webnn.Context, lambda it: it.lost),
        (webnn.Context, webnn.GraphBuilder),
        (webnn.Tensor, lambda it: it.shape),
        (webnn.Tensor, context.readTensor),
        (webnn.Tensor, builder.constant),
        (webnn.Tensor, lambda it: context.dispatch(graph, {"x": it}, {})),
        (webnn.Graph, lambda it: it.inputs),
        (webnn.Operand, lambda it: it.shape),
        (webnn.Operand, builder.relu),
        (webnn.Model, lambda it: it.graph),
        (webnn.Model, lambda it: it()),
        (native.Model, lambda it: it.inputs),
        (native.Builder, lambda it: it.input("x", "float32", [2])),
        (native.Descriptor, lambda it: it.name),
    ):
        graph = native.Graph.__new__(native.Graph)
        fails(TypeError, lambda: use(kind.__new__(kind)))
    assert builder.build({"y": builder.relu(x)}).inputs[0].name == "x"


@test
def tensors_say_what_they_are():
    tensor = context.createTensor(np.int8, (2, 3), readable=True)
    assert (tensor.dataType, tensor.shape, tensor.readable, tensor.writable) == ("int8", (2, 3), True, False)
    assert context.readTensor(tensor).tolist() == [[0, 0, 0], [0, 0, 0]]
    fails(webnn.UsageError, lambda: context.writeTensor(tensor, np.zeros((2, 3), np.int8)))
    out = np.ones((2, 3), np.int8)
    assert context.readTensor(tensor, out) is out and not out.any()
    fails(webnn.UsageError, lambda: context.readTensor(tensor, out[:, ::-1]), "row-major")
    tensor.destroy()
    fails(webnn.UsageError, lambda: context.readTensor(tensor))
    constant = context.createConstantTensor("float32", [2, 2], SQUARE)
    assert constant.constant
    assert np.array_equal(computed(lambda b, x: b.add(x, b.constant(constant)), x=SQUARE), SQUARE * 2)


@test
def imported_tensors_are_the_array():
    builder = webnn.GraphBuilder(context)
    graph = builder.build({"y": builder.neg(builder.input("x", "float32", [2, 2]))})
    x, y = SQUARE.copy(), np.zeros_like(SQUARE)
    inputs, outputs = {"x": context.importTensor(x)}, {"y": context.importTensor(y)}
    context.dispatch(graph, inputs, outputs)
    context.wait()
    assert np.array_equal(y, -SQUARE)
    x += 1
    context.dispatch(graph, inputs, outputs)
    del inputs, outputs, x  # waits for the dispatch
    gc.collect()
    assert np.array_equal(y, -SQUARE - 1)
    fails(webnn.UsageError, lambda: context.importTensor(SQUARE.T), "row-major")
    fails(webnn.UsageError, lambda: context.importTensor(np.broadcast_to(SQUARE, (1, 2, 2))), "read-only")
    fails(webnn.UsageError, lambda: context.importTensor(np.zeros(2)), "float64")


@test
def a_context_ends():
    own = webnn.Context(threads=1)
    assert own.lost is None and not own.accelerated
    memory = np.zeros(4, np.float32)
    tensor, imported = own.createTensor("float32", [4], readable=True), own.importTensor(memory)
    own.destroy()
    assert own.lost
    fails(webnn.UsageError, lambda: own.readTensor(tensor))
    del imported, own, tensor


@test
def limits_of_a_context_hold():
    for limit in ({"max_memory": 100}, {"max_work": 100}):
        builder = webnn.GraphBuilder(webnn.Context(**limit))
        x = builder.input("x", "float32", [16, 16])
        fails(webnn.Error, lambda: builder.build({"y": builder.matmul(x, x)}), "limit")
    fails(TypeError, lambda: webnn.Context(max_memory=-1))
    fails(webnn.UsageError, lambda: webnn.Context(threads=-1), "threads is -1")


@test
def support_limits_have_each_operator():
    limits = webnn.opSupportLimits(context)
    assert limits["preferredInputLayout"] in ("nchw", "nhwc") and limits["maxTensorByteLength"] > 0
    assert "float32" in limits["conv2d"]["filter"]["dataTypes"]
    assert limits["conv2d"]["input"]["rankRange"] == {"min": 4, "max": 4}


@test
def many_threads_and_contexts_come_and_go():
    def work():
        for _ in range(10):
            own = webnn.Context(threads=1)
            builder = webnn.GraphBuilder(own)
            graph = builder.build({"y": builder.relu(builder.input("x", "float32", [8]))})
            memory = np.full(8, -1, np.float32)
            x, y = own.importTensor(memory), own.createTensor("float32", [8], readable=True)
            own.dispatch(graph, {"x": x}, {"y": y})
            del x, graph
            assert not own.readTensor(y).any()
            counts.append(1)
    counts = []
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(counts) == 40


run()
