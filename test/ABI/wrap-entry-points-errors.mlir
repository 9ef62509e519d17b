// RUN: npu-opt --npu-abi-wrap-entry-points %s --split-input-file -verify-diagnostics

// expected-error @below {{expected ranked tensors at the boundary of the module, found 'tensor<*xf32>'}}
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

// -----

// expected-error @below {{expected 'iree.abi.model' to be "sync" or "coarse-fences", found "fine-fences"}}
util.func public @f() attributes {iree.abi.model = "fine-fences"} {
  util.return
}

// -----

// expected-error @below {{expected 'iree.abi.encoding' of 'input0' to be a tensor type, found i32}}
util.func public @f(%arg0: tensor<4xf32> {iree.abi.encoding = i32}) {
  util.return
}

// -----

// expected-error @below {{expected argument 0 with 'iree.abi.output' to be a !hal.buffer or !hal.buffer_view, found 'tensor<4xf32>'}}
util.func public @f(%arg0: tensor<4xf32> {iree.abi.output = 0 : index}) -> tensor<4xf32> {
  util.return %arg0 : tensor<4xf32>
}

// -----

// expected-error @below {{expected 'iree.abi.output' of argument 0 to be the number of a tensor among the results, found 1 : index}}
util.func public @f(%arg0: !hal.buffer {iree.abi.output = 1 : index}, %arg1: tensor<4xf32>) -> (tensor<4xf32>, i32) {
  %0 = arith.constant 0 : i32
  util.return %arg1, %0 : tensor<4xf32>, i32
}

// -----

// expected-error @below {{expected one argument as storage of result 0, found 0 and 1}}
util.func public @f(%arg0: !hal.buffer {iree.abi.output = 0 : index}, %arg1: !hal.buffer {iree.abi.output = 0 : index}, %arg2: tensor<4xf32>) -> tensor<4xf32> {
  util.return %arg2 : tensor<4xf32>
}

// -----

// expected-error @below {{expected one argument with 'iree.abi.transients', found 0 and 1}}
util.func public @f(%arg0: !hal.buffer {iree.abi.transients}, %arg1: !hal.buffer {iree.abi.transients}) {
  util.return
}

// -----

// expected-error @below {{expected argument 0 with 'iree.abi.transients' to be a !hal.buffer or !hal.buffer_view, found 'i32'}}
util.func public @f(%arg0: i32 {iree.abi.transients}) {
  util.return
}

// -----

// expected-error @below {{expected the name '_g' to be free}}
util.func private @g(tensor<4xf32>)
util.func private @_g() {
  util.return
}
