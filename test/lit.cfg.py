"""How lit runs the tests in this folder."""

import os

import lit.formats

config.name = "Autodiff"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_dir, "test")

# Tools of the project come first, then those of LLVM.
config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.build_dir, "bin"),
        config.llvm_tools_dir,
        os.environ.get("PATH", ""),
    ]
)
config.environment["AUTODIFF_BUILD_DIR"] = config.build_dir
config.environment["LLVM_PROFILE_FILE"] = os.environ.get(
    "LLVM_PROFILE_FILE", os.devnull
)

runner_libs = ",".join(
    os.path.join(config.llvm_lib_dir, name)
    for name in ("libmlir_runner_utils.so", "libmlir_c_runner_utils.so")
)
config.substitutions += [
    ("%source_root", config.source_dir),
    ("%build_dir", config.build_dir),
    # Runs a module in the LLVM dialect: `ad-opt ... | %run_main`.
    (
        "%run_main",
        "mlir-runner -O2 -e main -entry-point-result=void"
        " --shared-libs=" + runner_libs,
    ),
]
