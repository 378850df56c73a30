#include "Transforms/Differentiator.h"
using namespace mlir;
using namespace mlir::autodiff;
FailureOr<func::FuncOp>
mlir::autodiff::createForwardDerivative(Differentiator &differentiator,
                                        const DerivativeRequest &request,
                                        Location loc) {
  return emitError(loc) << "forward mode is not part of this build";
}
