// Prints the best times of objective and gradient of invariant.mlir, in ms.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

double _mlir_ciface_objective(double a, double b, intptr_t n);
double _mlir_ciface_gradient(double a, double b, intptr_t n);

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(void) {
  double primal = INFINITY, gradient = INFINITY, sum = 0, start = now();
  for (int i = 0; i < 5 || now() - start < 1.0; ++i) {
    double a = 0.1 + 1e-9 * i, t0 = now();
    sum += _mlir_ciface_objective(a, 0.5, 300);
    double t1 = now();
    sum += _mlir_ciface_gradient(a, 0.5, 300);
    double t2 = now();
    primal = fmin(primal, t1 - t0);
    gradient = fmin(gradient, t2 - t1);
  }
  printf("%g %g %g\n", 1e3 * primal, 1e3 * gradient, sum);
  return 0;
}
