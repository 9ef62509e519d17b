// RUN: npu-opt --npu-host-copy-repeated-results %s | FileCheck %s

// CHECK-LABEL: func.func @twice
// CHECK:         %[[BUFFER:.*]] = memref.alloc()
// CHECK:         %[[COPY:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         memref.copy %[[BUFFER]], %[[COPY]]
// CHECK:         return %[[BUFFER]], %[[COPY]]
func.func @twice() -> (memref<4xf32>, memref<4xf32>) {
  %buffer = memref.alloc() : memref<4xf32>
  return %buffer, %buffer : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func @once
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @once() -> (memref<4xf32>, memref<4xf32>) {
  %first = memref.alloc() : memref<4xf32>
  %second = memref.alloc() : memref<4xf32>
  return %first, %second : memref<4xf32>, memref<4xf32>
}
