// RUN: npu-opt --npu-host-mark-entries %s | FileCheck %s

// CHECK: func.func @entry(%{{.*}}: tensor<4xf32> {bufferization.writable = false}, %{{.*}}: tensor<4xf32> {bufferization.writable = false})
// CHECK-SAME: attributes {llvm.emit_c_interface}
func.func @entry(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK: func.func private @inner(%{{.*}}: tensor<4xf32>) -> tensor<4xf32> {
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
