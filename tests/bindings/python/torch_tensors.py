"""PyTorch's tensors go in and out by DLPack, without a copy."""

from pathlib import Path

import numpy as np
import torch
import webnn
from check import fails, run, test

FOLDER = Path(__file__).resolve().parents[3] / "models/digits"
IMAGE = np.load(FOLDER / "digits.input.image.npy")
model = webnn.load(FOLDER / "digits.json")


@test
def a_tensor_is_an_input():
    assert np.array_equal(model(image=torch.from_numpy(IMAGE))["probabilities"], model(image=IMAGE)["probabilities"])


@test
def a_result_becomes_a_tensor_in_its_memory():
    result = model(image=IMAGE)["probabilities"]
    tensor = torch.from_dlpack(result)
    result[0, 0] = 5
    assert tensor[0, 0] == 5


@test
def a_graph_writes_into_a_tensor():
    context = webnn.Context()
    tensor = torch.zeros(2, 2)
    imported = context.importTensor(tensor)
    context.writeTensor(imported, np.ones((2, 2), np.float32))
    context.wait()
    assert tensor.sum() == 4


@test
def what_numpy_does_not_have_is_refused():
    fails(TypeError, lambda: model(image=torch.zeros(1, 1, 20, 20, dtype=torch.bfloat16)), "image")
    fails(TypeError, lambda: model(image=torch.zeros(1, 1, 20, 20, requires_grad=True)), "image")


run()
