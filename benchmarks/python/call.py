"""What a call from Python costs beyond the run of its model: the fastest of each, in turns, in one process. What else the
machine does makes runs slower, never faster, so that the fastest ones show the cost even where medians differ by more.

PYTHONPATH=build/release/python python3 benchmarks/python/call.py MODEL [THREADS]
"""

import statistics
import sys
import time

import numpy as np
import webnn


def fastest_call(model, given, count):
    """In microseconds."""
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        model(given)
        times.append(time.perf_counter() - begin)
    return min(times) * 1e6


def main():
    file = sys.argv[1]
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    model = webnn.load(file, threads=threads)
    random = np.random.default_rng(1)
    given = {each.name: random.random(each.shape).astype(each.dtype) for each in model.inputs}
    fastest_call(model, given, 20)
    beyond = []
    for _ in range(15):
        run = webnn.bench(file, threads=threads, runs=100, warmup=20)["milliseconds"]["min"] * 1e3
        call = fastest_call(model, given, 100)
        beyond.append(call - run)
        print(f"run {run:9.1f} us   call {call:9.1f} us   beyond it {call - run:6.1f} us")
    print(f"median {statistics.median(beyond):.1f} us")


main()
