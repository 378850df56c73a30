//===- ad-opt.cpp - mlir-opt with the autodiff dialect and passes --------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/Rules/Registration.h"
#include "Transforms/LowerToLLVM.h"
#include "Transforms/Passes.h"
#include "Transforms/Pipeline.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  mlir::autodiff::registerAutodiffPasses();
  mlir::autodiff::registerLowerToLLVMPipeline();
  mlir::autodiff::registerPipeline();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::autodiff::registerAutodiff(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Autodiff optimizer driver\n", registry));
}
