#!/usr/bin/env python3
# torch_reference.py CALLS [--output FILE] [--seconds S] [--device cuda|cpu] [--ceilings FILE] [--only TEXT]: the calls of
# benchmark-gpu, and networks, in PyTorch. CALLS is what `benchmark-gpu --list` prints. Prints the same JSON lines: what the
# device does at most, then each call and each network as a share of what these ceilings allow; with --ceilings, of those
# that benchmark-gpu has measured, in its output FILE. TF32 is off, cuDNN chooses by measurement, attention is PyTorch's own
# (SDPA), and repetitions are a CUDA graph, so that Python takes no part in the times.
import argparse
import json
import re
import sys
import time

import torch
import torch.nn.functional as F

torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
torch.backends.cudnn.benchmark = True
torch.set_grad_enabled(False)


def parse_inputs(text):
    """'a float32[2, 3]; b int32[4]' -> [(name, type, shape)]"""
    found = re.findall(r"(\w+) (\w+)\[([\d, ]*)\]", text)
    return [(name, kind, [int(size) for size in sizes.split(",") if size.strip()]) for name, kind, sizes in found]


def parse_call(text):
    """'conv2d(%x, %w) {groups=2, padding=[1, 1, 1, 1]}' -> (operator, operands, attributes)"""
    operator, operands, attributes = re.fullmatch(r"(@?\w+)\(([^)]*)\)(?: \{(.*)\})?", text).groups()
    values = {}
    for name, value in re.findall(r"(\w+)=(\[[^\]]*\]|\"[^\"]*\"|[^,\s]+)", attributes or ""):
        values[name] = json.loads(value)
    return operator, [operand.split("%")[1].strip() for operand in operands.split(",")], values


def matrix(value, transposed):
    return value.transpose(-1, -2) if transposed else value


def conv2d(x, w, a):
    top, bottom, left, right = a.get("padding", [0, 0, 0, 0])
    if top != bottom or left != right:
        x, top, left = F.pad(x, (left, right, top, bottom)), 0, 0
    return F.conv2d(x, w, stride=a.get("strides", [1, 1]), padding=(top, left), dilation=a.get("dilations", [1, 1]),
                    groups=a.get("groups", 1))


# Each operator with its operands and attributes; what is not here is skipped by name.
OPERATORS = {
    "matmul": lambda o, a: torch.matmul(o[0], o[1]),
    "gemm": lambda o, a: torch.matmul(matrix(o[0], a.get("aTranspose")), matrix(o[1], a.get("bTranspose"))),
    "conv2d": lambda o, a: conv2d(o[0], o[1], a),
    "add": lambda o, a: o[0] + o[1],
    "mul": lambda o, a: o[0] * o[1],
    "neg": lambda o, a: -o[0],
    "relu": lambda o, a: F.relu(o[0]),
    "gelu": lambda o, a: F.gelu(o[0]),
    "tanh": lambda o, a: torch.tanh(o[0]),
    "sigmoid": lambda o, a: torch.sigmoid(o[0]),
    "softmax": lambda o, a: F.softmax(o[0], dim=a["axis"]),
    "layerNormalization": lambda o, a: F.layer_norm(o[0], [o[0].shape[axis] for axis in a["axes"]], *o[1:]),
    "@rmsNormalization": lambda o, a: F.rms_norm(o[0], [o[0].shape[axis] for axis in a["axes"]], *o[1:]),
    "instanceNormalization": lambda o, a: F.instance_norm(o[0]),
    "averagePool2d": lambda o, a: F.adaptive_avg_pool2d(o[0], 1),  # of the whole input
    "maxPool2d": lambda o, a: F.max_pool2d(o[0], a["windowDimensions"], a["strides"], a["padding"][::2]),
    "resample2d": lambda o, a: F.interpolate(o[0], scale_factor=a["scales"], mode="bilinear"),
    "reduceSum": lambda o, a: torch.sum(o[0], dim=a["axes"]),
    "reduceMean": lambda o, a: torch.mean(o[0], dim=a["axes"]),
    "reduceMax": lambda o, a: torch.amax(o[0], dim=a["axes"]),
    "argMax": lambda o, a: torch.argmax(o[0], dim=a["axis"]),
    "cumulativeSum": lambda o, a: torch.cumsum(o[0], dim=a["axis"]),
    "transpose": lambda o, a: o[0].permute(a["permutation"]).contiguous(),
    "gather": lambda o, a: torch.index_select(o[0], a.get("axis", 0), o[1]),
    "@attention": lambda o, a: F.scaled_dot_product_attention(o[0], o[1], o[2], scale=a.get("scale")),
}


class Bench:
    def __init__(self, options):
        self.device, self.seconds, self.out = options.device, options.seconds, options.out
        self.flops, self.bytes, self.least = {}, None, float("inf")
        self.work = torch.rand([3072, 3072], device=self.device) if self.device != "cpu" else None

    def print(self, **row):
        self.out.write(json.dumps(row) + "\n")
        self.out.flush()

    def warm_up(self):
        """Works until that takes no longer than ever before, or for 1.5 s: an idle GPU lowers its clocks."""
        if self.device == "cpu":
            return
        begin, steady = time.perf_counter(), 0
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        while steady < 10 and time.perf_counter() - begin < 1.5:
            start.record()
            torch.matmul(self.work, self.work)
            end.record()
            end.synchronize()
            took = start.elapsed_time(end)
            steady = steady + 1 if took <= 1.03 * self.least else 0
            self.least = min(self.least, took)

    def times(self, run, sets):
        """Seconds of run(i) for i in turns over `sets`, sorted: on the device in a graph, else by the clock."""
        if self.device == "cpu":
            run(0)
            times, begin = [], time.perf_counter()
            while len(times) < 5 or (time.perf_counter() - begin < self.seconds and len(times) < 10000):
                start = time.perf_counter()
                run(len(times) % sets)
                times.append(time.perf_counter() - start)
            return sorted(times)
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for i in range(3 * sets):
                run(i % sets)
        stream.synchronize()
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        count = sets * max(1, 16 // sets)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            for i in range(count):
                run(i % sets)
        graph.replay()
        self.warm_up()
        times, begin = [], time.perf_counter()
        while len(times) < 5 or (time.perf_counter() - begin < self.seconds and len(times) < 10000):
            start.record()
            graph.replay()
            end.record()
            end.synchronize()
            times.append(start.elapsed_time(end) * 1e-3 / count)
        return sorted(times)

    def random(self, kind, shape, most):
        if kind in ("float32", "float16"):
            return (torch.rand(shape, device=self.device) * 2 - 1).to(getattr(torch, kind))
        return torch.randint(0, most, shape, device=self.device, dtype=getattr(torch, kind))

    def ceilings(self, file):
        side = 256 if self.device == "cpu" else 8192
        for kind in ("float32", "float16"):
            if self.device == "cpu" and kind == "float16":
                continue
            a, b = self.random(kind, [side, side], 1), self.random(kind, [side, side], 1)
            self.flops[kind] = 2 * side**3 / self.times(lambda i: torch.matmul(a, b), 1)[0]
            self.print(ceiling=f"{kind} products of {side}", tflops=self.flops[kind] * 1e-12)
        x = torch.rand(1 << (20 if self.device == "cpu" else 28), device=self.device)
        y = torch.empty_like(x)
        self.bytes = 2 * 4 * x.numel() / self.times(lambda i: y.copy_(x), 1)[0]
        self.print(ceiling="copy", gigabytesPerSecond=self.bytes * 1e-9)
        if file:
            rows = [json.loads(line) for line in open(file)]
            for row in rows:
                if "ceiling" in row and "tflops" in row:
                    kind = row["ceiling"].split()[0]  # others are of what PyTorch does not measure here
                    if kind in ("float32", "float16"):
                        self.flops[kind] = row["tflops"] * 1e12
                if "ceiling" in row and "gigabytesPerSecond" in row:
                    self.bytes = row["gigabytesPerSecond"] * 1e9
            self.print(ceilings=file, tflops={kind: rate * 1e-12 for kind, rate in self.flops.items()},
                       gigabytesPerSecond=self.bytes * 1e-9)

    def call(self, row):
        operator, names, attributes = parse_call(row["text"])
        if operator not in OPERATORS:
            return self.print(call=row["call"], skipped=f"torch_reference.py has no {operator}")
        inputs = {name: (kind, shape) for name, kind, shape in parse_inputs(row["inputs"])}
        kind = inputs[names[0]][0]
        if self.device == "cpu" and kind == "float16":
            return self.print(call=row["call"], skipped="float16 is not measured on a CPU")
        sets = int(min(max(256e6 / row["bytes"], 1), 8))
        data = [[self.random(*inputs[name], 1000) for name in names] for _ in range(sets)]
        times = self.times(lambda i: OPERATORS[operator](data[i], attributes), sets)
        self.row({"call": row["call"], "kernel": "torch"}, times, row["flops"], row["bytes"], kind)

    def row(self, names, times, flops, size, kind):
        seconds = times[len(times) // 2]
        floor = max(flops / self.flops.get(kind, self.flops["float32"]), size / self.bytes)
        self.print(**names, microseconds=seconds * 1e6, best=times[0] * 1e6, runs=len(times),
                   tflops=flops / seconds * 1e-12, gigabytesPerSecond=size / seconds * 1e-9, shareOfFloor=floor / seconds)

    def network(self, name, module, shape, kind):
        batch = shape[0]
        module = module.eval().to(self.device, getattr(torch, kind))
        x = self.random(kind, shape, 1)
        if len(shape) == 4:
            module, x = module.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
        times = self.times(lambda i: module(x), 1)
        self.print(network=name, batch=batch, type=kind, millisecondsQueued=times[len(times) // 2] * 1e3,
                   best=times[0] * 1e3, runs=len(times))

    def networks(self, only):
        def encoder(layers, hidden, heads):
            layer = torch.nn.TransformerEncoderLayer(hidden, heads, 4 * hidden, activation="gelu", batch_first=True)
            return torch.nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)

        table = [("minilm_l6", lambda: encoder(6, 384, 12), [1, 128, 384], (1,)),
                 ("bert_base", lambda: encoder(12, 768, 12), [1, 128, 768], (1,))]
        try:
            import torchvision.models as vision

            image = [1, 3, 224, 224]
            table += [(name, lambda name=name: getattr(vision, name)(weights=None), image, (1, 32))
                      for name in ("resnet50", "mobilenet_v2")]
        except ImportError:
            self.print(network="resnet50, mobilenet_v2", skipped="torchvision is not installed")
        kinds = ("float32",) if self.device == "cpu" else ("float32", "float16")
        for name, make, shape, batches in table:
            for kind in kinds if only in name else ():
                for batch in batches:
                    self.network(name, make(), [batch] + shape[1:], kind)


def main():
    parser = argparse.ArgumentParser(description="The calls of benchmark-gpu, and networks, in PyTorch.")
    parser.add_argument("calls", help="what `benchmark-gpu --list` prints")
    parser.add_argument("--output", help="the file for the JSON lines, else standard output")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each call")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda", help="cpu: without graphs, small calls only")
    parser.add_argument("--ceilings", help="the output of benchmark-gpu")
    parser.add_argument("--only", default="", help="calls and networks whose names contain this text")
    options = parser.parse_args()
    if options.device == "cuda" and not torch.cuda.is_available():
        sys.exit("torch_reference.py: this PyTorch sees no CUDA device")
    options.out = open(options.output, "w") if options.output else sys.stdout
    bench = Bench(options)
    name = torch.cuda.get_device_name() if options.device == "cuda" else "cpu"
    bench.print(device=name, torch=torch.__version__, cuda=torch.version.cuda, tf32=False)
    bench.ceilings(options.ceilings)
    for line in open(options.calls):
        row = json.loads(line)
        if options.only in row["call"] and (options.device == "cuda" or row["quick"]):
            bench.call(row)
    bench.networks(options.only)


if __name__ == "__main__":
    main()
