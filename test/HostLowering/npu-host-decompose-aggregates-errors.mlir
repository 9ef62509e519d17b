// RUN: npu-opt %s --npu-host-decompose-aggregates -split-input-file -verify-diagnostics

func.func @softmax_of_indices(%a: tensor<4x8xindex>) -> tensor<4x8xindex> {
  %e = tensor.empty() : tensor<4x8xindex>
  // expected-error@below {{expected a softmax of floats, found elements of type 'index'; convert them to floats before}}
  %0 = linalg.softmax dimension(1) ins(%a : tensor<4x8xindex>) outs(%e : tensor<4x8xindex>) -> tensor<4x8xindex>
  return %0 : tensor<4x8xindex>
}

// -----

func.func @softmax_of_integers(%a: tensor<4x8xi8>) -> tensor<4x8xi8> {
  %e = tensor.empty() : tensor<4x8xi8>
  // expected-error@below {{expected a softmax of floats, found elements of type 'i8'; convert them to floats before}}
  %0 = linalg.softmax dimension(1) ins(%a : tensor<4x8xi8>) outs(%e : tensor<4x8xi8>) -> tensor<4x8xi8>
  return %0 : tensor<4x8xi8>
}
