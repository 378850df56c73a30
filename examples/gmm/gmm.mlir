// The Gaussian mixture model objective of ADBench, and its gradient.
//
//   sum_i logsumexp_k(alpha_k + sum(q_k) - |Q_k (x_i - mu_k)|^2 / 2)
//     - n logsumexp(alpha) - n D/2 log(2 pi) + Wishart prior
//
// Q_k is lower triangular with exp(q_k) on its diagonal and l_k below it. A row
// of `icf` holds q_k (D numbers), then l_k column by column.

// log(sum(exp(terms))), the largest term taken out against overflow.
func.func private @logsumexp(%terms: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %first = memref.load %terms[%c0] : memref<?xf64>
  %max = scf.for %k = %c1 to %n step %c1 iter_args(%m = %first) -> f64 {
    %t = memref.load %terms[%k] : memref<?xf64>
    %larger = arith.maximumf %m, %t : f64
    scf.yield %larger : f64
  }
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %t = memref.load %terms[%k] : memref<?xf64>
    %shifted = arith.subf %t, %max : f64
    %e = math.exp %shifted : f64
    %next = arith.addf %s, %e : f64
    scf.yield %next : f64
  }
  %log = math.log %sum : f64
  %result = arith.addf %log, %max : f64
  return %result : f64
}

// log of the multivariate gamma function of order D at a/2, without arguments
// that carry derivatives.
func.func private @log_gamma_distribution(%a: f64, %d: index) -> f64 attributes {autodiff.inactive} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %quarter = arith.constant 0.25 : f64
  %log_pi = arith.constant 1.1447298858494001741 : f64
  %di = arith.index_cast %d : index to i64
  %df = arith.sitofp %di : i64 to f64
  %one = arith.constant 1.0 : f64
  %dm = arith.subf %df, %one : f64
  %pairs = arith.mulf %df, %dm : f64
  %scaled = arith.mulf %quarter, %pairs : f64
  %start = arith.mulf %scaled, %log_pi : f64
  %result = scf.for %j = %c0 to %d step %c1 iter_args(%s = %start) -> f64 {
    %ji = arith.index_cast %j : index to i64
    %jf = arith.sitofp %ji : i64 to f64
    %jh = arith.mulf %half, %jf : f64
    %ah = arith.mulf %half, %a : f64
    %z = arith.subf %ah, %jh : f64
    %g = func.call @lgamma(%z) : (f64) -> f64
    %next = arith.addf %s, %g : f64
    scf.yield %next : f64
  }
  return %result : f64
}
func.func private @lgamma(f64) -> f64 attributes {autodiff.inactive}

func.func @gmm_objective(
    %alphas: memref<?xf64> {autodiff.noalias},
    %means: memref<?x?xf64> {autodiff.noalias},
    %icf: memref<?x?xf64> {autodiff.noalias},
    %x: memref<?x?xf64> {autodiff.noalias}, %gamma: f64, %m: index) -> f64
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %d = memref.dim %x, %c1 : memref<?x?xf64>
  %kk = memref.dim %alphas, %c0 : memref<?xf64>
  %row = memref.dim %icf, %c1 : memref<?x?xf64>

  // The triangular factors, row by row, and the sums of the log-diagonals.
  %q = memref.alloc(%kk, %d, %d) : memref<?x?x?xf64>
  %sums = memref.alloc(%kk) : memref<?xf64>
  scf.for %k = %c0 to %kk step %c1 {
    %sum = scf.for %r = %c0 to %d step %c1 iter_args(%s = %zero) -> f64 {
      %log = memref.load %icf[%k, %r] : memref<?x?xf64>
      %diagonal = math.exp %log : f64
      memref.store %diagonal, %q[%k, %r, %r] : memref<?x?x?xf64>
      // Entry (r, c) comes after the columns before c: c (2 D - c - 1) / 2.
      scf.for %c = %c0 to %r step %c1 {
        %d2 = arith.addi %d, %d : index
        %w = arith.subi %d2, %c : index
        %w1 = arith.subi %w, %c1 : index
        %product = arith.muli %c, %w1 : index
        %before = arith.shrui %product, %c1 : index
        %down = arith.subi %r, %c : index
        %down1 = arith.subi %down, %c1 : index
        %offset = arith.addi %before, %down1 : index
        %position = arith.addi %offset, %d : index
        %l = memref.load %icf[%k, %position] : memref<?x?xf64>
        memref.store %l, %q[%k, %r, %c] : memref<?x?x?xf64>
      }
      %next = arith.addf %s, %log : f64
      scf.yield %next : f64
    }
    memref.store %sum, %sums[%k] : memref<?xf64>
  }

  // The data.
  %terms = memref.alloc(%kk) : memref<?xf64>
  %likelihood = scf.for %i = %c0 to %n step %c1 iter_args(%total = %zero) -> f64 {
    scf.for %k = %c0 to %kk step %c1 {
      %norm = scf.for %r = %c0 to %d step %c1 iter_args(%s = %zero) -> f64 {
        %r1 = arith.addi %r, %c1 : index
        %y = scf.for %c = %c0 to %r1 step %c1 iter_args(%a = %zero) -> f64 {
          %xi = memref.load %x[%i, %c] : memref<?x?xf64>
          %mu = memref.load %means[%k, %c] : memref<?x?xf64>
          %centred = arith.subf %xi, %mu : f64
          %entry = memref.load %q[%k, %r, %c] : memref<?x?x?xf64>
          %product = arith.mulf %entry, %centred : f64
          %next = arith.addf %a, %product : f64
          scf.yield %next : f64
        }
        %square = arith.mulf %y, %y : f64
        %next = arith.addf %s, %square : f64
        scf.yield %next : f64
      }
      %alpha = memref.load %alphas[%k] : memref<?xf64>
      %sum = memref.load %sums[%k] : memref<?xf64>
      %weight = arith.addf %alpha, %sum : f64
      %halved = arith.mulf %half, %norm : f64
      %term = arith.subf %weight, %halved : f64
      memref.store %term, %terms[%k] : memref<?xf64>
    }
    %lse = func.call @logsumexp(%terms, %kk) : (memref<?xf64>, index) -> f64
    %next = arith.addf %total, %lse : f64
    scf.yield %next : f64
  }
  memref.dealloc %terms : memref<?xf64>
  %lse_alphas = func.call @logsumexp(%alphas, %kk) : (memref<?xf64>, index) -> f64

  // The prior: squares of all entries of Q, and the log-diagonals.
  %squares = scf.for %k = %c0 to %kk step %c1 iter_args(%s0 = %zero) -> f64 {
    %s1 = scf.for %r = %c0 to %d step %c1 iter_args(%s2 = %s0) -> f64 {
      %r1 = arith.addi %r, %c1 : index
      %s3 = scf.for %c = %c0 to %r1 step %c1 iter_args(%s4 = %s2) -> f64 {
        %entry = memref.load %q[%k, %r, %c] : memref<?x?x?xf64>
        %square = arith.mulf %entry, %entry : f64
        %next = arith.addf %s4, %square : f64
        scf.yield %next : f64
      }
      scf.yield %s3 : f64
    }
    scf.yield %s1 : f64
  }
  %logs = scf.for %k = %c0 to %kk step %c1 iter_args(%s = %zero) -> f64 {
    %sum = memref.load %sums[%k] : memref<?xf64>
    %next = arith.addf %s, %sum : f64
    scf.yield %next : f64
  }
  memref.dealloc %q : memref<?x?x?xf64>
  memref.dealloc %sums : memref<?xf64>

  // Constants of the likelihood and of the prior.
  %ni = arith.index_cast %n : index to i64
  %nf = arith.sitofp %ni : i64 to f64
  %di = arith.index_cast %d : index to i64
  %df = arith.sitofp %di : i64 to f64
  %ki = arith.index_cast %kk : index to i64
  %kf = arith.sitofp %ki : i64 to f64
  %mi = arith.index_cast %m : index to i64
  %mf = arith.sitofp %mi : i64 to f64
  %one = arith.constant 1.0 : f64
  %half_log_2pi = arith.constant 0.91893853320467274178 : f64
  %half_log_2 = arith.constant 0.34657359027997265471 : f64
  %nd = arith.mulf %nf, %df : f64
  %constant = arith.mulf %nd, %half_log_2pi : f64
  %w0 = arith.addf %df, %mf : f64
  %w = arith.addf %w0, %one : f64
  %log_gamma = math.log %gamma : f64
  %lg = arith.subf %log_gamma, %half_log_2 : f64
  %wd = arith.mulf %w, %df : f64
  %first = arith.mulf %wd, %lg : f64
  %mg = func.call @log_gamma_distribution(%w, %d) : (f64, index) -> f64
  %normal = arith.subf %first, %mg : f64
  %normals = arith.mulf %kf, %normal : f64
  %gamma2 = arith.mulf %gamma, %gamma : f64
  %hg = arith.mulf %half, %gamma2 : f64
  %weighted = arith.mulf %hg, %squares : f64
  %logs_m = arith.mulf %mf, %logs : f64
  %p0 = arith.subf %weighted, %logs_m : f64
  %prior = arith.subf %p0, %normals : f64

  %n_lse = arith.mulf %nf, %lse_alphas : f64
  %r0 = arith.subf %likelihood, %n_lse : f64
  %r1 = arith.subf %r0, %constant : f64
  %result = arith.addf %r1, %prior : f64
  return %result : f64
}

// Adds the gradient to the shadows and returns the objective.
func.func @gmm_gradient(
    %alphas: memref<?xf64>, %dalphas: memref<?xf64>,
    %means: memref<?x?xf64>, %dmeans: memref<?x?xf64>,
    %icf: memref<?x?xf64>, %dicf: memref<?x?xf64>,
    %x: memref<?x?xf64>, %gamma: f64, %m: index) -> f64
    attributes {llvm.emit_c_interface} {
  %seed = arith.constant 1.0 : f64
  %y = autodiff.autodiff @gmm_objective(
      dup(%alphas, %dalphas), dup(%means, %dmeans), dup(%icf, %dicf),
      const %x, const %gamma, const %m) returns (active(%seed))
      : (memref<?xf64>, memref<?xf64>, memref<?x?xf64>, memref<?x?xf64>,
         memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, f64, index, f64)
      -> f64
  return %y : f64
}
