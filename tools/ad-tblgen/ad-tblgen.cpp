//===- ad-tblgen.cpp - generators of the rule table ----------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleGenerators.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/TableGen/Main.h"

using namespace llvm;

namespace {
enum class Action { GenRules, GenDocs, GenTests };
} // namespace

static cl::opt<Action>
    action(cl::desc("What to generate:"), cl::Required,
           cl::values(clEnumValN(Action::GenRules, "gen-rules",
                                 "C++ of the tangents and adjoints"),
                      clEnumValN(Action::GenDocs, "gen-rule-docs",
                                 "The reference in Markdown"),
                      clEnumValN(Action::GenTests, "gen-rule-tests",
                                 "A numeric test of every rule")));

static bool generate(raw_ostream &os, const RecordKeeper &records) {
  switch (action) {
  case Action::GenRules:
    return autodiff::generateRules(os, records);
  case Action::GenDocs:
    return autodiff::generateRuleDocs(os, records);
  case Action::GenTests:
    return autodiff::generateRuleTests(os, records);
  }
  return true;
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Autodiff rule generators\n");
  return TableGenMain(argv[0], &generate);
}
