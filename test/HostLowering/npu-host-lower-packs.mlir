// RUN: npu-opt --npu-host-lower-packs %s | FileCheck %s

// CHECK-LABEL: func.func @pack
// CHECK-NOT:     linalg.pack
// CHECK:         tensor.expand_shape
// CHECK:         linalg.transpose
func.func @pack(%x: tensor<8x6xf32>) -> tensor<2x3x2x4xf32> {
  %empty = tensor.empty() : tensor<2x3x2x4xf32>
  %0 = linalg.pack %x inner_dims_pos = [1, 0] inner_tiles = [2, 4] into %empty
      : tensor<8x6xf32> -> tensor<2x3x2x4xf32>
  return %0 : tensor<2x3x2x4xf32>
}

// CHECK-LABEL: func.func @unpack
// CHECK-NOT:     linalg.unpack
// CHECK:         linalg.transpose
// CHECK:         tensor.collapse_shape
func.func @unpack(%x: tensor<2x3x2x4xf32>) -> tensor<8x6xf32> {
  %empty = tensor.empty() : tensor<8x6xf32>
  %0 = linalg.unpack %x inner_dims_pos = [1, 0] inner_tiles = [2, 4] into %empty
      : tensor<2x3x2x4xf32> -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
