// RUN: npu-opt --npu-host-replace-copies %s | FileCheck %s

// CHECK-LABEL: func.func @strided
// CHECK-SAME:      %[[X:.*]]: memref<4x8xf32, strided<[16, 2]>>, %[[Y:.*]]: memref<4x8xf32>
// CHECK-NOT:     memref.copy
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[Y]] : {{.*}})
func.func @strided(%x: memref<4x8xf32, strided<[16, 2]>>, %y: memref<4x8xf32>) {
  memref.copy %x, %y : memref<4x8xf32, strided<[16, 2]>> to memref<4x8xf32>
  return
}
