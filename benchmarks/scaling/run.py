#!/usr/bin/env python3
"""How the time of ad-opt grows with the size of the program.

Generates programs of 1,000, 5,500 and 30,000 operations, differentiates them in
both modes, and prints seconds and the exponent p of the growth, time = c size^p,
between the smallest and the largest size. Start-up time (an empty module) is taken
off. The kinds:

    straight   one function of scalar operations, each using earlier values
    memory     the same with every value stored and loaded
    loops      many small loops one after the other, with tapes
    calls      a chain of functions, each calling the next

    benchmarks/scaling/run.py [KIND...]

AUTODIFF_BUILD_DIR names the build folder (default: build).
"""

import math
import os
import random
import subprocess
import sys
import tempfile
import time

SIZES = [1000, 5500, 30000]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(
    os.environ.get("AUTODIFF_BUILD_DIR", os.path.join(ROOT, "build")), "bin", "ad-opt"
)


def operation(rng, values):
    a = values[-1]
    b = values[rng.randrange(max(0, len(values) - 50), len(values))]
    return rng.choice(
        [
            f"arith.addf {a}, {b} : f64",
            f"arith.mulf {a}, {b} : f64",
            f"math.sin {a} : f64",
            f"math.exp {b} : f64",
        ]
    )


def straight(size):
    rng, values, lines = random.Random(1), ["%x"], []
    for i in range(size):
        lines.append(f"  %v{i} = {operation(rng, values)}")
        values.append(f"%v{i}")
    return f"func.func @f(%x: f64) -> f64 {{\n" + "\n".join(lines) + f"\n  return {values[-1]} : f64\n}}\n"


def memory(size):
    rng, values = random.Random(1), ["%x"]
    lines = ["  %m = memref.alloca() : memref<8xf64>"]
    lines += [f"  %c{i} = arith.constant {i} : index" for i in range(8)]
    for i in range(size // 3):
        cell = f"%m[%c{rng.randrange(8)}] : memref<8xf64>"
        lines.append(f"  %v{i} = {operation(rng, values)}")
        lines.append(f"  memref.store %v{i}, {cell}")
        lines.append(f"  %l{i} = memref.load {cell}")
        values.append(f"%l{i}")
    return "func.func @f(%x: f64) -> f64 {\n" + "\n".join(lines) + f"\n  return {values[-1]} : f64\n}}\n"


def loops(size):
    lines = [f"  %c{i} = arith.constant {i} : index" for i in (0, 1, 9)]
    last = "%x"
    for i in range(size // 5):
        lines += [
            f"  %r{i} = scf.for %i{i} = %c0 to %c9 step %c1 iter_args(%a{i} = {last}) -> f64 {{",
            f"    %s{i} = math.sin %a{i} : f64",
            f"    %p{i} = arith.mulf %s{i}, {last} : f64",
            f"    scf.yield %p{i} : f64",
            "  }",
        ]
        last = f"%r{i}"
    return "func.func @f(%x: f64) -> f64 {\n" + "\n".join(lines) + f"\n  return {last} : f64\n}}\n"


def calls(size):
    count = size // 10
    functions = []
    for i in range(count):
        body = [f"  %v{j} = math.sin {'%x' if j == 0 else f'%v{j - 1}'} : f64" for j in range(8)]
        if i + 1 < count and i % 100 != 99:
            body.append(f"  %r = func.call @f{i + 1}(%v7) : (f64) -> f64")
        else:
            body.append("  %r = math.cos %v7 : f64")
        functions.append(f"func.func private @f{i}(%x: f64) -> f64 {{\n" + "\n".join(body) + "\n  return %r : f64\n}\n")
    last, lines = "%x", []
    for i in range(0, count, 100):
        lines.append(f"  %r{i} = func.call @f{i}({last}) : (f64) -> f64")
        last = f"%r{i}"
    functions.append("func.func @f(%x: f64) -> f64 {\n" + "\n".join(lines) + f"\n  return {last} : f64\n}}\n")
    return "\n".join(functions)


REQUESTS = {
    "forward": "%d = autodiff.fwddiff @f(dup(%x, %s)) returns (active_noneed)",
    "reverse": "%d = autodiff.autodiff @f(active %x) returns (active_noneed(%s))",
}


def seconds(text):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        best = math.inf
        for _ in range(2):
            start = time.monotonic()
            subprocess.run([TOOL, file.name, "--ad-differentiate", "-o", os.devnull], check=True)
            best = min(best, time.monotonic() - start)
    return best


def main(kinds):
    idle = seconds("")
    sizes = "".join(f"{size:>9}" for size in SIZES)
    print(f"{'kind':10}{'mode':10}{sizes} ops   exponent")
    for kind in kinds:
        for mode, request in REQUESTS.items():
            times = []
            for size in SIZES:
                text = globals()[kind](size)
                text += f"func.func @d(%x: f64, %s: f64) -> f64 {{\n  {request} : (f64, f64) -> f64\n  return %d : f64\n}}\n"
                times.append(max(seconds(text) - idle, 1e-3))
            exponent = math.log(times[-1] / times[0]) / math.log(SIZES[-1] / SIZES[0])
            print(f"{kind:10}{mode:10}" + "".join(f"{t:8.2f}s" for t in times) + f"       {exponent:.2f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or ["straight", "memory", "loops", "calls"])
