//===- ad-check.cpp - checks derivatives numerically ---------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function is checked in a process of its own: what it computes is
// foreign code, which may crash or not come back.
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "Dialect/Autodiff/Rules/Registration.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

/// There if the tool was built for coverage.
extern "C" int
__llvm_profile_write_file() // NOLINT(readability-identifier-naming)
    __attribute__((weak));

using namespace mlir;
using namespace mlir::autodiff;
using namespace mlir::autodiff::check;

enum ExitCode { Passed = 0, Mismatch = 1, CannotCheck = 2 };

/// `@f(f64, index) -> f64`.
static std::string getTitle(func::FuncOp function) {
  std::string title;
  llvm::raw_string_ostream stream(title);
  stream << "@" << function.getName() << function.getFunctionType();
  return title;
}

/// What a crash means: the derivative is wrong once the primal has come back.
static volatile std::sig_atomic_t crashCode = CannotCheck;

static void reportCrash(int signal) {
  StringRef text = signal == SIGALRM ? "ad-check: error: out of time in "
                                     : "ad-check: error: crash in ";
  StringRef where =
      crashCode == CannotCheck ? "the primal\n" : "the derivative\n";
  if (write(STDERR_FILENO, text.data(), text.size()) < 0 ||
      write(STDERR_FILENO, where.data(), where.size()) < 0)
    _exit(CannotCheck);
  _exit(crashCode);
}

/// From here on it is the checked code that crashes or does not come back.
static void catchCrashes() {
  struct sigaction action = {};
  action.sa_handler = reportCrash;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM})
    sigaction(signal, &action, nullptr);
}

/// Checks the function of this name in a copy of `module`.
static ExitCode checkFunction(ModuleOp module, StringRef name,
                              const Options &options) {
  OwningOpRef<ModuleOp> copy = module.clone();
  auto function = copy->lookupSymbol<func::FuncOp>(name);
  FailureOr<Subject> subject = Subject::get(function, options);
  if (failed(subject))
    return CannotCheck;
  Random random(options.seed);
  Report report;
  report.printHeader(getTitle(function));
  FailureOr<std::unique_ptr<Candidate>> candidate =
      Candidate::create(*copy, *subject, options, random);
  if (failed(candidate))
    return CannotCheck;
  catchCrashes();
  if (failed((*candidate)->initialize()))
    return CannotCheck;
  crashCode = Mismatch;
  checkFirstOrder(**candidate, options, random, report);
  if (!report.hasFailed() && options.width > 1)
    checkWidth(**candidate, options, random, report);
  if (failed(checkGradient(**candidate, options, report)))
    return CannotCheck;
  if (!report.hasFailed() && options.secondOrder) {
    OwningOpRef<ModuleOp> fresh = module.clone();
    subject->function = fresh->lookupSymbol<func::FuncOp>(name);
    if (failed(checkSecondOrder(*fresh, *subject, options, random, report)))
      return CannotCheck;
  }
  return report.hasFailed() ? Mismatch : Passed;
}

/// Runs `checkFunction` in a child process.
static ExitCode checkApart(ModuleOp module, StringRef name,
                           const Options &options) {
  llvm::outs().flush();
  pid_t child = fork();
  if (child < 0) {
    llvm::errs() << "ad-check: error: cannot create a process: "
                 << std::strerror(errno) << "\n";
    return CannotCheck;
  }
  if (child == 0) {
    alarm(options.timeout);
    ExitCode code = checkFunction(module, name, options);
    llvm::outs().flush();
    // `_exit` skips what writes the counters of scripts/coverage.
    if (__llvm_profile_write_file)
      __llvm_profile_write_file();
    _exit(code);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFEXITED(status))
    return static_cast<ExitCode>(WEXITSTATUS(status));
  int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  llvm::errs() << "ad-check: error: @" << name << " "
               << (signal == SIGALRM ? "did not finish in time"
                                     : strsignal(signal))
               << "\n";
  return CannotCheck;
}

/// The functions that the command line asks for; an error has been printed if
/// there are none.
static std::vector<std::string> selectFunctions(ModuleOp module,
                                                const Options &options) {
  std::vector<std::string> names;
  if (!options.function.empty()) {
    auto function = module.lookupSymbol<func::FuncOp>(options.function);
    if (!function)
      llvm::errs() << "ad-check: error: no func.func named @"
                   << options.function << " in " << options.file << "\n";
    else if (function.isExternal())
      function.emitError() << "has no body to check";
    else
      names.push_back(options.function);
    return names;
  }
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal() &&
        !function->hasAttr("autodiff.skip_check"))
      names.push_back(function.getName().str());
  if (names.empty())
    llvm::errs() << "ad-check: error: no public func.func with a body in "
                 << options.file << "\n";
  if (names.size() > 1 && !options.all) {
    llvm::errs() << "ad-check: error: " << options.file << " has "
                 << names.size()
                 << " functions; name one of them, or give --all\n";
    names.clear();
  }
  return names;
}

static ExitCode checkModule(ModuleOp module, const Options &options) {
  std::vector<std::string> names = selectFunctions(module, options);
  if (names.empty())
    return CannotCheck;
  unsigned passed = 0;
  ExitCode worst = Passed;
  for (const std::string &name : names) {
    ExitCode code = checkApart(module, name, options);
    llvm::outs() << (code == Passed     ? "PASS @"
                     : code == Mismatch ? "FAIL @"
                                        : "ERROR @")
                 << name << "\n";
    passed += code == Passed;
    worst = std::max(worst, code);
  }
  if (names.size() > 1)
    llvm::outs() << passed << " of " << names.size() << " functions passed\n";
  llvm::outs() << (worst == Passed ? "PASS" : "FAIL") << "\n";
  return worst;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  std::optional<Options> options = parseCommandLine(argc, argv);
  if (!options)
    return CannotCheck;
  llvm::InitializeNativeTarget();
  // Makes the names of the process known.
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  llvm::InitializeNativeTargetAsmPrinter();

  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registerAutodiff(registry);
  // Threads do not survive the fork.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Lowered modules are no use to the reader of an error.
  context.printOpOnDiagnostic(false);
  // What the wrappers are made of.
  context.loadDialect<AutodiffDialect, arith::ArithDialect,
                      bufferization::BufferizationDialect, func::FuncDialect,
                      memref::MemRefDialect, vector::VectorDialect>();

  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file =
      openInputFile(options->file, &error);
  if (!file) {
    llvm::errs() << "ad-check: error: " << error << "\n";
    return CannotCheck;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return CannotCheck;
  return checkModule(*module, *options);
}
