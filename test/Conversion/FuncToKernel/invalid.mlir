// RUN: npu-opt %s --convert-func-to-kernel -allow-unregistered-dialect -split-input-file -verify-diagnostics

// expected-error @+1 {{value that is not a ranked tensor (index, argument 1), expected ranked tensors; pass scalars as tensors or constants, convert before bufferization}}
func.func @scalar(%x: tensor<16xf32>, %n: index) {
  return
}

// -----

// Sizes that are passed along are not what is wrong.
// expected-error @below {{dynamic shape (tensor<?x8xf32>, argument 1), expected static shapes; compile with static shapes, see npu-specialize-shapes}}
func.func @dynamic(%size: index, %a: tensor<?x8xf32>) -> tensor<4x8xf32> {
  %0 = tensor.cast %a : tensor<?x8xf32> to tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{dynamic shape (tensor<?x8xf32>, result 0), expected static shapes}}
func.func @dynamic_result(%a: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %0 = tensor.cast %a : tensor<4x8xf32> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// expected-error @+1 {{value that is not a ranked tensor (tensor<*xf32>, result 0), expected ranked tensors; pass scalars as tensors or constants, convert before bufferization}}
func.func @unranked(%x: tensor<4xf32>) -> tensor<*xf32> {
  %0 = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// expected-error @+1 {{control flow (2 blocks), expected one block; run this dispatch on the host}}
func.func @blocks(%x: tensor<16xf32>) -> tensor<16xf32> {
  "test.branch"()[^end] : () -> ()
^end:
  return %x : tensor<16xf32>
}

// -----

func.func private @callee()
func.func @call(%x: tensor<16xf32>) {
  // expected-error @+1 {{call of a function ('callee'), expected ops without calls; inline the callee}}
  call @callee() : () -> ()
  return
}
