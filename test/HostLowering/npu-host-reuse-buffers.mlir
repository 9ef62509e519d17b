// RUN: npu-opt --npu-host-reuse-buffers %s | FileCheck %s

// The third buffer begins when the first is dead. The second is still read then.
// CHECK-LABEL: func.func @chain
// CHECK:         %[[FIRST:.*]] = memref.alloc()
// CHECK:         %[[SECOND:.*]] = memref.alloc()
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.add {{.*}} outs(%[[FIRST]] :
// CHECK:         linalg.add ins(%[[FIRST]], {{.*}} outs(%[[SECOND]] :
// CHECK:         linalg.add ins(%[[SECOND]], {{.*}} outs(%[[FIRST]] :
// CHECK:         linalg.add ins(%[[FIRST]], %[[FIRST]]
func.func @chain(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  linalg.add ins(%x, %x : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.add ins(%a, %x : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.add ins(%b, %x : memref<4xf32>, memref<4xf32>) outs(%c : memref<4xf32>)
  linalg.add ins(%c, %c : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// A view keeps its buffer alive, and so does what is not known.
// CHECK-LABEL: func.func @views
// CHECK-COUNT-3: memref.alloc
func.func @views(%x: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  %view = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  linalg.add ins(%x, %x : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.add ins(%a, %x : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.add ins(%b, %x : memref<4xf32>, memref<4xf32>) outs(%c : memref<4xf32>)
  linalg.add ins(%view, %view : memref<2xf32, strided<[1]>>, memref<2xf32, strided<[1]>>) outs(%view : memref<2xf32, strided<[1]>>)
  return %c : memref<4xf32>
}
