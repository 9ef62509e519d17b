// RUN: npu-opt %s --npu-flow-outline-dispatch-externs -verify-diagnostics

util.func public @no_code(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'hal.dispatch.extern' op expected at least one target to have code for, found none; add one to its 'objects'}}
  %0 = hal.dispatch.extern "entry"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    layout(<bindings = []>) objects({})
  util.return %0 : tensor<4xf32>
}
