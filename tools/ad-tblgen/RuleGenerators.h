//===- RuleGenerators.h - generators of the rule table -------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_AD_TBLGEN_RULEGENERATORS_H
#define AUTODIFF_AD_TBLGEN_RULEGENERATORS_H

#include "llvm/TableGen/Record.h"

namespace autodiff {

// Each returns true on an error, as TableGen backends do.

/// The C++ that ElementwiseRules.cpp includes.
bool generateRules(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
/// docs/reference/rules.md.
bool generateRuleDocs(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
/// test/Rules/table.mlir.
bool generateRuleTests(llvm::raw_ostream &os,
                       const llvm::RecordKeeper &records);

} // namespace autodiff

#endif // AUTODIFF_AD_TBLGEN_RULEGENERATORS_H
