// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-form-dispatch-regions))' -verify-diagnostics %s

util.func public @dynamic(%a: tensor<?x8xf32>, %b: tensor<8x6xf32>, %e: tensor<?x6xf32>) -> tensor<?x6xf32> {
  // expected-error @below {{expected static shapes to form dispatches of, found 'tensor<?x6xf32>'}}
  %0 = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x6xf32>) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  util.return %0 : tensor<?x6xf32>
}
