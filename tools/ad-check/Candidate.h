//===- Candidate.h - a function compiled for checking --------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TOOLS_ADCHECK_CANDIDATE_H
#define AUTODIFF_TOOLS_ADCHECK_CANDIDATE_H

#include "Evaluator.h"

namespace mlir::autodiff::check {

/// A function with everything needed to check its derivatives: machine code of
/// it and them, inputs, and the same function in f64 to take differences of.
struct Candidate {
  explicit Candidate(const Subject &subject)
      : subject(subject), referenceSubject(subject) {}

  Subject subject;
  std::vector<Wrapper> wrappers;
  std::unique_ptr<Program> program;
  std::unique_ptr<Evaluator> evaluator;
  Evaluator::Values inputs;

  Subject referenceSubject;
  std::vector<Wrapper> referenceWrappers;
  std::unique_ptr<Program> referenceProgram;
  std::unique_ptr<Evaluator> referenceEvaluator;
  Evaluator::Values referenceInputs;

  /// The shortest float that it computes in, and whether the reference
  /// computes in f64 instead.
  FloatType shortest;
  bool promoted = false;
  /// Whether tensors occur, whose memory the lowering does not free.
  bool hasTensors = false;

  /// Compiles `subject`, whose function is in `module`, which is consumed.
  static FailureOr<std::unique_ptr<Candidate>> create(ModuleOp module,
                                                      const Subject &subject,
                                                      const Options &options,
                                                      Random &random);

  /// Runs the primal for the first time. Emits an error if there is nothing to
  /// differentiate.
  LogicalResult initialize();
  Evaluator::Outcome primal;

  /// What to take differences of, and where.
  const Evaluator &getReference() const {
    return referenceEvaluator ? *referenceEvaluator : *evaluator;
  }
  const Evaluator::Values &getReferenceInputs() const {
    return referenceEvaluator ? referenceInputs : inputs;
  }
};

} // namespace mlir::autodiff::check

#endif // AUTODIFF_TOOLS_ADCHECK_CANDIDATE_H
