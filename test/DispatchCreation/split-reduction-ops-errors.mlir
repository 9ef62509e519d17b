// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-split-reduction-ops{split-matmul-reduction=0}))' %s -verify-diagnostics

// expected-error @below {{expected split-matmul-reduction to be at least 1, found 0}}
util.func public @f() {
  util.return
}
