// RUN: npu-opt --npu-host-check-allocations --split-input-file --verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: func.func @alloc
// CHECK:         %[[BUFFER:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x8xf32>
// CHECK:         %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[BUFFER]]
// CHECK:         %[[IS_THERE:.*]] = arith.cmpi ne, %[[ADDRESS]]
// CHECK:         cf.assert %[[IS_THERE]], "{{.*}}npu-host-check-allocations.mlir:[[@LINE+2]]:8: cannot allocate a temporary tensor<4x8xf32>"
func.func @alloc() -> memref<4x8xf32> {
  %0 = memref.alloc() : memref<4x8xf32>
  return %0 : memref<4x8xf32>
}

// -----

func.func @too_big() -> memref<2305843009213693952xf32> {
  // expected-error @below {{expected a temporary tensor of at most 2^62 bytes, found 'tensor<2305843009213693952xf32>'; use smaller shapes}}
  %0 = memref.alloc() : memref<2305843009213693952xf32>
  return %0 : memref<2305843009213693952xf32>
}
