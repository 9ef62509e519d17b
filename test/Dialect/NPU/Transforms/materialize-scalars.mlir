// RUN: npu-opt %s --npu-materialize-scalars | FileCheck %s

// Constants are written once before the loops; equal ones share a buffer.
// CHECK: #[[SCALAR:.*]] = affine_map<(d0) -> ()>
// CHECK-LABEL: npu.kernel @rescale
// CHECK-DAG: npu.fill %[[M:.*]] {value = 1073741824 : i32} : memref<i32, #npu.space<sram>>
// CHECK-DAG: npu.fill %[[S:.*]] {value = 37 : i8} : memref<i8, #npu.space<sram>>
// CHECK-DAG: npu.fill %[[T:.*]] {value = 38 : i8} : memref<i8, #npu.space<sram>>
// CHECK: scf.for
// CHECK-NOT: npu.fill
// CHECK: npu.rescale %{{.*}} scales(%[[M]], %[[S]]) -> %{{.*}} {double_round, indexing_maps = [#{{.*}}, #[[SCALAR]], #[[SCALAR]], #{{.*}}], output_zp = 3}
// CHECK: npu.rescale %{{.*}} scales(%[[M]], %[[T]])
npu.kernel @rescale() attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.alloc() : memref<16xi32, #npu.space<acc>>
    %b = memref.alloc() : memref<16xi8, #npu.space<sram>>
    npu.rescale %a -> %b {multiplier = 1073741824, shift = 37, output_zp = 3, double_round} : memref<16xi32, #npu.space<acc>> -> memref<16xi8, #npu.space<sram>>
    npu.rescale %b -> %b {multiplier = 1073741824, shift = 38} : memref<16xi8, #npu.space<sram>> -> memref<16xi8, #npu.space<sram>>
  }
  npu.return
}
