// RUN: npu-opt %s --convert-func-to-kernel -allow-unregistered-dialect -split-input-file -verify-diagnostics

// expected-error @+1 {{value that is not a ranked tensor (index, argument 1 of 'scalar'), expected ranked tensors; pass scalars as tensors or constants, convert before bufferization}}
func.func @scalar(%x: tensor<16xf32>, %n: index) {
  return
}

// -----

// expected-error @+1 {{value that is not a ranked tensor (tensor<*xf32>, result 0 of 'unranked'), expected ranked tensors; pass scalars as tensors or constants, convert before bufferization}}
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
