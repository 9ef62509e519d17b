// RUN: npu-opt %s --convert-func-to-kernel -allow-unregistered-dialect -split-input-file -verify-diagnostics

// expected-error @+1 {{expected ranked tensors in the signature of a kernel but argument 1 is 'index'}}
func.func @scalar(%x: tensor<16xf32>, %n: index) {
  return
}

// -----

// expected-error @+1 {{expected ranked tensors in the signature of a kernel but result 0 is 'tensor<*xf32>'}}
func.func @unranked(%x: tensor<4xf32>) -> tensor<*xf32> {
  %0 = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// expected-error @+1 {{expected one block but found control flow; run this dispatch on the host}}
func.func @blocks(%x: tensor<16xf32>) -> tensor<16xf32> {
  "test.branch"()[^end] : () -> ()
^end:
  return %x : tensor<16xf32>
}

// -----

func.func private @callee()
func.func @call(%x: tensor<16xf32>) {
  // expected-error @+1 {{cannot be part of a kernel; inline the callee}}
  call @callee() : () -> ()
  return
}
