//===- eigen-matmul.cpp - a library's product, to compare the simulator with =//
//
// Eigen's product of f32 matrices on one thread, built for the machine at hand. It forms FMAs, and
// adds in another order than the simulator.
//
//===----------------------------------------------------------------------===//

#include "blocked-matmul.h"

#include <Eigen/Core>

void eigen_matmul_f32(int64_t n, const float *a, const float *b, float *c) {
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<const Matrix> left(a, n, n), right(b, n, n);
  Eigen::Map<Matrix>(c, n, n).noalias() = left * right;
}
