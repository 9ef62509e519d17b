// RUN: npu-opt %s --convert-func-to-kernel=target=npu-v1:clusters=2 | FileCheck %s

// CHECK-LABEL: npu.kernel private @id(%{{.*}}: tensor<16xf32> {test.arg}) -> (tensor<16xf32> {test.res})
// CHECK-SAME: attributes {target = #npu.target<"npu-v1:clusters=2">, test.attr = 1 : i32}
// CHECK-NEXT: npu.return %{{.*}} : tensor<16xf32>
func.func private @id(%x: tensor<16xf32> {test.arg}) -> (tensor<16xf32> {test.res}) attributes {test.attr = 1 : i32} {
  return %x : tensor<16xf32>
}

// Functions of other types and declarations stay.
// CHECK: func.func @scalar
func.func @scalar(%x: f32) -> f32 {
  return %x : f32
}
// CHECK: func.func private @declared
func.func private @declared(tensor<16xf32>)

// Modules within the module are reached.
module @nested {
  // CHECK: npu.kernel @inner
  func.func @inner(%x: tensor<4xi8>) -> tensor<4xi8> {
    return %x : tensor<4xi8>
  }
}
