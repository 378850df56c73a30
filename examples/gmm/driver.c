// Reads an ADBench input, evaluates objective and gradient, checks the gradient
// with central differences and takes times.
//
//   driver FILE [DIFFERENCES]
//
// DIFFERENCES is how many components are checked, spread over all parameters
// (default: all).

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Memref descriptors as MLIR passes them.
typedef struct {
  double *allocated, *aligned;
  intptr_t offset, sizes[1], strides[1];
} Vector;
typedef struct {
  double *allocated, *aligned;
  intptr_t offset, sizes[2], strides[2];
} Matrix;

double _mlir_ciface_gmm_objective(Vector *alphas, Matrix *means, Matrix *icf,
                                  Matrix *x, double gamma, intptr_t m);
double _mlir_ciface_gmm_gradient(Vector *alphas, Vector *dalphas, Matrix *means,
                                 Matrix *dmeans, Matrix *icf, Matrix *dicf,
                                 Matrix *x, double gamma, intptr_t m);

static Vector makeVector(double *data, intptr_t size) {
  Vector v = {data, data, 0, {size}, {1}};
  return v;
}
static Matrix makeMatrix(double *data, intptr_t rows, intptr_t columns) {
  Matrix m = {data, data, 0, {rows, columns}, {columns, 1}};
  return m;
}

typedef struct {
  intptr_t d, k, n, m, rows, parameters;
  double gamma;
  double *values, *x; // alphas, means, icf in one array; data
} Problem;

static Problem readProblem(const char *path) {
  Problem p;
  long d, k, n, m;
  FILE *file = fopen(path, "r");
  if (!file || fscanf(file, "%ld %ld %ld", &d, &k, &n) != 3) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(2);
  }
  p.d = d, p.k = k, p.n = n;
  p.rows = p.d * (p.d + 1) / 2;
  p.parameters = p.k * (1 + p.d + p.rows);
  p.values = malloc(p.parameters * sizeof(double));
  p.x = malloc(p.n * p.d * sizeof(double));
  int ok = p.values && p.x;
  for (intptr_t i = 0; ok && i < p.parameters; ++i)
    ok = fscanf(file, "%lf", &p.values[i]) == 1;
  for (intptr_t i = 0; ok && i < p.n * p.d; ++i)
    ok = fscanf(file, "%lf", &p.x[i]) == 1;
  ok = ok && fscanf(file, "%lf %ld", &p.gamma, &m) == 2;
  p.m = m;
  if (!ok) {
    fprintf(stderr, "%s is no input of the Gaussian mixture model\n", path);
    exit(2);
  }
  fclose(file);
  return p;
}

static double objective(const Problem *p) {
  Vector alphas = makeVector(p->values, p->k);
  Matrix means = makeMatrix(p->values + p->k, p->k, p->d);
  Matrix icf = makeMatrix(p->values + p->k * (1 + p->d), p->k, p->rows);
  Matrix x = makeMatrix(p->x, p->n, p->d);
  return _mlir_ciface_gmm_objective(&alphas, &means, &icf, &x, p->gamma, p->m);
}

static double gradient(const Problem *p, double *g) {
  memset(g, 0, p->parameters * sizeof(double));
  Vector alphas = makeVector(p->values, p->k), dalphas = makeVector(g, p->k);
  Matrix means = makeMatrix(p->values + p->k, p->k, p->d);
  Matrix dmeans = makeMatrix(g + p->k, p->k, p->d);
  Matrix icf = makeMatrix(p->values + p->k * (1 + p->d), p->k, p->rows);
  Matrix dicf = makeMatrix(g + p->k * (1 + p->d), p->k, p->rows);
  Matrix x = makeMatrix(p->x, p->n, p->d);
  return _mlir_ciface_gmm_gradient(&alphas, &dalphas, &means, &dmeans, &icf,
                                   &dicf, &x, p->gamma, p->m);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: driver FILE [DIFFERENCES]\n");
    return 2;
  }
  printf("reading %s\n", argv[1]);
  Problem p = readProblem(argv[1]);
  printf("  %ld points, %ld dimensions, %ld components, %ld parameters\n",
         (long)p.n, (long)p.d, (long)p.k, (long)p.parameters);

  double *g = malloc(p.parameters * sizeof(double));
  double value = objective(&p);
  double withGradient = gradient(&p, g);
  double norm = 0;
  for (intptr_t i = 0; i < p.parameters; ++i)
    norm += g[i] * g[i];
  norm = sqrt(norm);
  printf("objective      %.15g\n", value);
  printf("gradient norm  %.15g\n", norm);

  intptr_t checks = argc > 2 ? atol(argv[2]) : p.parameters;
  if (checks > p.parameters || checks < 1)
    checks = p.parameters;
  printf("comparing %ld components with central differences\n", (long)checks);
  double largest = 0;
  for (intptr_t c = 0; c < checks; ++c) {
    intptr_t i = c * p.parameters / checks;
    double saved = p.values[i], h = 1e-5 * fmax(1.0, fabs(saved));
    p.values[i] = saved + h;
    double up = saved + h - (saved - h), above = objective(&p);
    p.values[i] = saved - h;
    double below = objective(&p);
    p.values[i] = saved;
    double error = fabs(g[i] - (above - below) / up) / fmax(1.0, fabs(g[i]));
    largest = fmax(largest, isnan(error) ? INFINITY : error);
  }
  printf("largest error  %.3g\n", largest);

  printf("taking times\n");
  // Primal and gradient in turn, so that both see the same machine; the best
  // of many, since others disturb but nothing helps.
  double primalTime = INFINITY, gradientTime = INFINITY, start = now();
  for (int i = 0; i < 10 || now() - start < 1.0; ++i) {
    double t0 = now();
    value = objective(&p);
    double t1 = now();
    gradient(&p, g);
    double t2 = now();
    primalTime = fmin(primalTime, t1 - t0);
    gradientTime = fmin(gradientTime, t2 - t1);
  }
  printf("primal         %.3f ms\n", 1e3 * primalTime);
  printf("gradient       %.3f ms\n", 1e3 * gradientTime);
  printf("ratio          %.2f\n", gradientTime / primalTime);

  if (value != withGradient) {
    fprintf(stderr, "the gradient returns another objective: %.17g\n",
            withGradient);
    return 1;
  }
  // Central differences in double precision are good to about 1e-7 here.
  if (!(largest < 1e-5)) {
    fprintf(stderr, "the gradient is wrong\n");
    return 1;
  }
  return 0;
}
