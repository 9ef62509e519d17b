// RUN: npu-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected 'readonly', 'readwrite' or 'writeonly', found 'readable'}}
func.func private @access(!iree_tensor_ext.dispatch.tensor<readable:tensor<4xf32>>)

// -----

// expected-error @below {{expected a ranked tensor, an integer or a float, found 'tensor<*xf32>'}}
func.func private @bound(!iree_tensor_ext.dispatch.tensor<readonly:tensor<*xf32>>)

// -----

func.func @load_from_writeonly(%a: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
  // expected-error @below {{'iree_tensor_ext.dispatch.tensor.load' op expected a readable source, found '!iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>'}}
  %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>> -> tensor<4xf32>
  return
}

// -----

func.func @store_to_readonly(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %t: tensor<4xf32>) {
  // expected-error @below {{'iree_tensor_ext.dispatch.tensor.store' op expected a writable target, found '!iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>'}}
  iree_tensor_ext.dispatch.tensor.store %t, %a, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
  return
}

// -----

func.func @missing_dims(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x?xf32>>, %d: index) {
  // expected-error @below {{expected 2 sizes for the dynamic dimensions of the source, found 1}}
  %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x?xf32>>{%d} -> tensor<4x4xf32>
  return
}

// -----

func.func @wrong_rank(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>>) {
  // expected-error @below {{expected 2 offset values, got 1}}
  %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4xf32>
  return
}

// -----

func.func @out_of_bounds(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>>) {
  // expected-error @below {{expected the slice to lie inside the source: dimension 1 has 4 elements, the slice is offset 1, size 2, stride 3}}
  %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0, 1], sizes = [4, 2], strides = [1, 3] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4x2xf32>
  return
}

// -----

func.func @overflow(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) {
  // expected-error @below {{expected the slice to lie inside the source: dimension 0 has 4 elements, the slice is offset 9223372036854775807, size 2, stride 1}}
  %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [9223372036854775807], sizes = [2], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<2xf32>
  return
}

// -----

func.func @negative(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) {
  // expected-error @below {{expected offset and size not to be negative and the stride to be positive in dimension 0}}
  %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0], sizes = [4], strides = [-1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
  return
}

// -----

func.func @wrong_type(%a: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>, %t: tensor<2xf32>) {
  // expected-error @below {{expected the value to have the slice's type 'tensor<4xf32>', with or without its unit dimensions, found 'tensor<2xf32>'}}
  iree_tensor_ext.dispatch.tensor.store %t, %a, offsets = [0], sizes = [4], strides = [1] : tensor<2xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
  return
}

// -----

func.func @barrier_dims(%t: tensor<4xf32>, %d: index) {
  // expected-error @below {{expected 0 sizes for the dynamic dimensions of the value, found 1}}
  %0 = iree_tensor_ext.compute_barrier.start %t : tensor<4xf32>{%d} -> tensor<4xf32>
  return
}

// -----

func.func @load_rank(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>>) {
  // expected-error @below {{expected 2 offset values, got 1}}
  %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4xf32>
  return
}
