#!/usr/bin/env python3
"""Differentiating after optimisation against before it, side by side.

    benchmarks/order/run.py

For the GMM example and for invariant.mlir (an O(n) computation that does not
change in a loop), prints the gradient's time in both orders, divided by the time
of the same primal: the optimised one. AUTODIFF_BUILD_DIR names the build folder.
"""

import os
import re
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.environ.get("AUTODIFF_BUILD_DIR", os.path.join(ROOT, "build"))
LLVM = os.environ.get("LLVM_BIN", "/usr/lib/llvm-22/bin")


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, capture_output=True, **options).stdout


def gmm(order):
    out = run(
        os.path.join(ROOT, "examples", "gmm", "run"),
        env={**os.environ, "AUTODIFF_BUILD_DIR": BUILD, "AUTODIFF_PIPELINE": f"order={order}"},
    )
    return [float(re.search(rf"^{key} *([0-9.]+) ms", out, re.M)[1]) for key in ("primal", "gradient")]


def invariant(order):
    with tempfile.TemporaryDirectory() as work:
        llvm, ir, program = (os.path.join(work, name) for name in ("l.mlir", "l.ll", "time"))
        run(
            os.path.join(BUILD, "bin", "ad-opt"),
            os.path.join(HERE, "invariant.mlir"),
            f"--ad-pipeline=order={order} lower-to-llvm",
            "-o",
            llvm,
        )
        run(os.path.join(LLVM, "mlir-translate"), "--mlir-to-llvmir", llvm, "-o", ir)
        run(
            os.path.join(LLVM, "clang"),
            "-O3",
            "-march=native",
            "-Wno-override-module",
            os.path.join(HERE, "time.c"),
            ir,
            "-o",
            program,
            "-lm",
        )
        return [float(x) for x in run(program).split()[:2]]


def main():
    print(f"{'problem':12}{'after':>10}{'before':>10}{'before/after':>15}")
    for measure in (gmm, invariant):
        primal, after = measure("after")
        _, before = measure("before")
        print(
            f"{measure.__name__:12}{after / primal:10.2f}{before / primal:10.2f}{before / after:15.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
