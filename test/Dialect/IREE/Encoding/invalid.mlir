// RUN: npu-opt %s --split-input-file --verify-diagnostics

func.func @set(%a: tensor<4xf32, #iree_encoding.testing<>>) {
  // expected-error @below {{expected a source without encoding, found 'tensor<4xf32, #iree_encoding.testing<>>'}}
  %0 = iree_encoding.set_encoding %a : tensor<4xf32, #iree_encoding.testing<>> -> tensor<4xf32, #iree_encoding.testing<>>
  return
}

// -----

func.func @set(%a: tensor<4xf32>) {
  // expected-error @below {{expected a result with an encoding, found 'tensor<4xf32>'}}
  %0 = iree_encoding.set_encoding %a : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @set(%a: tensor<4xf32>) {
  // expected-error @below {{expected source and result to have the same element type and compatible shapes, found 'tensor<4xf32>' and 'tensor<8xf32, #iree_encoding.testing<>>'}}
  %0 = iree_encoding.set_encoding %a : tensor<4xf32> -> tensor<8xf32, #iree_encoding.testing<>>
  return
}

// -----

func.func @unset(%a: tensor<4xf32, #iree_encoding.testing<>>) {
  // expected-error @below {{expected source and result to have the same element type and compatible shapes, found 'tensor<4xf32, #iree_encoding.testing<>>' and 'tensor<4xi32>'}}
  %0 = iree_encoding.unset_encoding %a : tensor<4xf32, #iree_encoding.testing<>> -> tensor<4xi32>
  return
}

// -----

func.func @unset(%a: tensor<?xf32, #iree_encoding.testing<>>, %d: index) {
  // expected-error @below {{expected 1 sizes for the dynamic dimensions of the result, found 2}}
  %0 = iree_encoding.unset_encoding %a : tensor<?xf32, #iree_encoding.testing<>> -> tensor<?xf32>{%d, %d}
  return
}
