// RUN: npu-opt %s --npu-partition-report -o /dev/null | FileCheck %s

// Elements of types that nobody counts in bytes are the host's, also where a kernel could do without them, and the NPU runs the rest.

// CHECK: #0 host {{.*}} index
// CHECK-NEXT: element type without npu equivalent (index of argument 0)
func.func @indices(%a: tensor<8x16xindex>) -> tensor<4x4xindex> {
  %t = tensor.extract_slice %a[0, 0] [4, 4] [1, 1] : tensor<8x16xindex> to tensor<4x4xindex>
  return %t : tensor<4x4xindex>
}

// CHECK: #1 host {{.*}} complex<f32>
// CHECK-NEXT: element type without npu equivalent (complex<f32>), expected i1, i8, i16, i32, f16, bf16, f32
func.func @complex(%a: tensor<8x16xcomplex<f32>>, %b: tensor<8x16xcomplex<f32>>) -> tensor<8x16xcomplex<f32>> {
  %e = tensor.empty() : tensor<8x16xcomplex<f32>>
  %t = linalg.add ins(%a, %b : tensor<8x16xcomplex<f32>>, tensor<8x16xcomplex<f32>>) outs(%e : tensor<8x16xcomplex<f32>>) -> tensor<8x16xcomplex<f32>>
  return %t : tensor<8x16xcomplex<f32>>
}

// CHECK: #2 host {{.*}} vector<2xi8>
// CHECK-NEXT: element type without npu equivalent (vector<2xi8>)
func.func @vectors(%a: tensor<8x16xvector<2xi8>>) -> tensor<4x4xvector<2xi8>> {
  %t = tensor.extract_slice %a[0, 0] [4, 4] [1, 1] : tensor<8x16xvector<2xi8>> to tensor<4x4xvector<2xi8>>
  return %t : tensor<4x4xvector<2xi8>>
}

// CHECK: #3 npu
func.func @floats(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %t = linalg.exp ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %t : tensor<8x16xf32>
}
