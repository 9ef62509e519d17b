// RUN: npu-opt --npu-abi-wrap-entry-points %s --split-input-file -verify-diagnostics

// expected-error @below {{expected ranked tensors at the boundary of the module}}
util.func public @unranked(%arg0: tensor<*xf32>) {
  util.return
}

// -----

// expected-error @below {{expected the name '_f' to be free}}
util.func public @f() {
  util.return
}
util.func private @_f() {
  util.return
}
