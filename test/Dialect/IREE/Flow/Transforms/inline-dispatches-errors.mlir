// RUN: npu-opt --npu-inline-dispatches --split-input-file -verify-diagnostics %s

util.func public @external(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected @ex::@entry to be a function on the tensors of the dispatch; run npu-import-dispatches before}}
  %0 = flow.dispatch @ex::@entry(%a) : (tensor<4xf32>) -> tensor<4xf32>
  util.return %0 : tensor<4xf32>
}
