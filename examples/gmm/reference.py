#!/usr/bin/env python3
"""The Gaussian mixture model objective, evaluated directly from its formula.

    reference.py FILE

Prints the value in full double precision. Written apart from gmm.mlir, to
check it.
"""

import math
import sys


def read(path):
    with open(path) as file:
        numbers = iter(file.read().split())
    d, k, n = (int(next(numbers)) for _ in range(3))
    alphas = [float(next(numbers)) for _ in range(k)]
    means = [[float(next(numbers)) for _ in range(d)] for _ in range(k)]
    rows = d * (d + 1) // 2
    icf = [[float(next(numbers)) for _ in range(rows)] for _ in range(k)]
    x = [[float(next(numbers)) for _ in range(d)] for _ in range(n)]
    gamma, m = float(next(numbers)), int(next(numbers))
    return alphas, means, icf, x, gamma, m


def factor(row, d):
    """The lower triangular matrix: exp(q) on the diagonal, l column by column."""
    matrix = [[0.0] * d for _ in range(d)]
    below = iter(row[d:])
    for column in range(d):
        matrix[column][column] = math.exp(row[column])
        for line in range(column + 1, d):
            matrix[line][column] = next(below)
    return matrix


def logsumexp(values):
    largest = max(values)
    return largest + math.log(math.fsum(math.exp(v - largest) for v in values))


def log_gamma_distribution(a, p):
    return p * (p - 1) / 4 * math.log(math.pi) + math.fsum(
        math.lgamma(a + (1 - j) / 2) for j in range(1, p + 1)
    )


def objective(alphas, means, icf, x, gamma, m):
    n, d, k = len(x), len(x[0]), len(alphas)
    factors = [factor(row, d) for row in icf]
    sums = [math.fsum(row[:d]) for row in icf]

    def exponent(point, c):
        centred = [p - mu for p, mu in zip(point, means[c])]
        norm = math.fsum(
            math.fsum(f * v for f, v in zip(line, centred)) ** 2
            for line in factors[c]
        )
        return alphas[c] + sums[c] - norm / 2

    likelihood = math.fsum(
        logsumexp([exponent(point, c) for c in range(k)]) for point in x
    )
    wishart_n = d + m + 1
    squares = math.fsum(v * v for f in factors for line in f for v in line)
    prior = (
        gamma * gamma / 2 * squares
        - m * math.fsum(sums)
        - k
        * (
            wishart_n * d * (math.log(gamma) - math.log(2) / 2)
            - log_gamma_distribution(wishart_n / 2, d)
        )
    )
    return (
        -n * d / 2 * math.log(2 * math.pi)
        + likelihood
        - n * logsumexp(alphas)
        + prior
    )


if __name__ == "__main__":
    print(repr(objective(*read(sys.argv[1]))))
