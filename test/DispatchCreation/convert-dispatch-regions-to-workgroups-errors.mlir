// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-convert-dispatch-regions-to-workgroups))' -verify-diagnostics -split-input-file -allow-unregistered-dialect %s

util.func public @two_blocks(%t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'flow.dispatch.region' op expected one block to isolate, found 2}}
  %0 = flow.dispatch.region -> (tensor<4xf32>) {
    "other.branch"()[^bb1] : () -> ()
  ^bb1:
    flow.return %t : tensor<4xf32>
  }
  util.return %0 : tensor<4xf32>
}
