// RUN: npu-opt %s --mlir-print-local-scope | FileCheck %s
// RUN: npu-opt %s --mlir-print-op-generic | npu-opt --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @attention
// CHECK: iree_linalg_ext.attention {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d2, d1)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d3)>]} ins(%arg0, %arg1, %arg2, %arg3 : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, f32) outs(%arg4 : tensor<8x2xf32>) {
// CHECK-NEXT: ^bb0(%{{.*}}: f32):
// CHECK-NEXT:   iree_linalg_ext.yield %{{.*}} : f32
// CHECK-NEXT: } -> tensor<8x2xf32>
// CHECK: ins(%arg0, %arg1, %arg2, %arg3, %arg5 : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, f32, tensor<8x16xf32>) outs(%arg4 : tensor<8x2xf32>) {
func.func @attention(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x2xf32>, %s: f32, %o: tensor<8x2xf32>, %m: tensor<8x16xf32>) {
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(m, k1, k2, n) -> (m, k1)>, affine_map<(m, k1, k2, n) -> (k2, k1)>, affine_map<(m, k1, k2, n) -> (k2, n)>, affine_map<(m, k1, k2, n) -> ()>, affine_map<(m, k1, k2, n) -> (m, n)>]}
      ins(%q, %k, %v, %s : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, f32) outs(%o : tensor<8x2xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<8x2xf32>
  %1 = iree_linalg_ext.attention {indexing_maps = [affine_map<(m, k1, k2, n) -> (m, k1)>, affine_map<(m, k1, k2, n) -> (k2, k1)>, affine_map<(m, k1, k2, n) -> (k2, n)>, affine_map<(m, k1, k2, n) -> ()>, affine_map<(m, k1, k2, n) -> (m, k2)>, affine_map<(m, k1, k2, n) -> (m, n)>]}
      ins(%q, %k, %v, %s, %m : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, f32, tensor<8x16xf32>) outs(%o : tensor<8x2xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<8x2xf32>
  return
}

// CHECK-LABEL: func.func @online_attention
// CHECK: iree_linalg_ext.online_attention {indexing_maps = [{{.*}}]} ins(%arg0, %arg1, %arg2, %arg3 : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, f32) outs(%arg4, %arg5, %arg5 : tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT: ^bb0(%{{.*}}: f32):
// CHECK-NEXT:   iree_linalg_ext.yield %{{.*}} : f32
// CHECK-NEXT: } -> tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>
// CHECK: iree_linalg_ext.online_attention {decomposition_config = {use_exp2 = false}, {{.*}}} ins(%arg0, %arg1, %arg2, %arg3, %arg6 : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, f32, tensor<8x16xi1>)
#q = affine_map<(m, k1, k2, n) -> (m, k1)>
#k = affine_map<(m, k1, k2, n) -> (k2, k1)>
#v = affine_map<(m, k1, k2, n) -> (k2, n)>
#s = affine_map<(m, k1, k2, n) -> ()>
#mask = affine_map<(m, k1, k2, n) -> (m, k2)>
#o = affine_map<(m, k1, k2, n) -> (m, n)>
#row = affine_map<(m, k1, k2, n) -> (m)>
func.func @online_attention(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x2xf32>, %s: f32, %o: tensor<8x2xf32>, %r: tensor<8xf32>, %m: tensor<8x16xi1>) {
  %0:3 = iree_linalg_ext.online_attention {indexing_maps = [#q, #k, #v, #s, #o, #row, #row]}
      ins(%q, %k, %v, %s : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, f32) outs(%o, %r, %r : tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>
  %1:3 = iree_linalg_ext.online_attention {indexing_maps = [#q, #k, #v, #s, #mask, #o, #row, #row], decomposition_config = {use_exp2 = false}}
      ins(%q, %k, %v, %s, %m : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, f32, tensor<8x16xi1>) outs(%o, %r, %r : tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<8x2xf32>, tensor<8xf32>, tensor<8xf32>
  return
}

// CHECK-LABEL: func.func @scan
// CHECK: iree_linalg_ext.scan dimension(0) inclusive(true) ins(%arg0 : tensor<128x32xi32>) outs(%arg1, %arg2 : tensor<128x32xi32>, tensor<32xi32>) {
// CHECK-NEXT: ^bb0(%{{.*}}: i32, %{{.*}}: i32):
// CHECK: } -> tensor<128x32xi32>, tensor<32xi32>
func.func @scan(%x: tensor<128x32xi32>, %o: tensor<128x32xi32>, %a: tensor<32xi32>) {
  %0:2 = iree_linalg_ext.scan dimension(0) inclusive(true)
      ins(%x : tensor<128x32xi32>) outs(%o, %a : tensor<128x32xi32>, tensor<32xi32>) {
  ^bb0(%sum: i32, %element: i32):
    %1 = arith.addi %sum, %element : i32
    iree_linalg_ext.yield %1 : i32
  } -> tensor<128x32xi32>, tensor<32xi32>
  return
}

// CHECK-LABEL: func.func @arg_compare
// CHECK: iree_linalg_ext.arg_compare {lowering_config = {tile = [1]}} dimension(1) ins(%arg0 : tensor<2x10xf32>) outs(%arg2, %arg3 : tensor<2xf32>, tensor<2xi32>) index_base(%arg4 : index) {
// CHECK: } -> tensor<2xf32>, tensor<2xi32>
// CHECK: iree_linalg_ext.arg_compare dimension(1) ins(%arg0, %arg1 : tensor<2x10xf32>, tensor<2x10xi32>) outs(%arg2, %arg3 : tensor<2xf32>, tensor<2xi32>) {
func.func @arg_compare(%x: tensor<2x10xf32>, %i: tensor<2x10xi32>, %v: tensor<2xf32>, %p: tensor<2xi32>, %base: index) {
  %0:2 = iree_linalg_ext.arg_compare {lowering_config = {tile = [1]}}
      dimension(1) ins(%x : tensor<2x10xf32>) outs(%v, %p : tensor<2xf32>, tensor<2xi32>)
      index_base(%base : index) {
  ^bb0(%a: f32, %b: f32):
    %2 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %2 : i1
  } -> tensor<2xf32>, tensor<2xi32>
  %1:2 = iree_linalg_ext.arg_compare
      dimension(1) ins(%x, %i : tensor<2x10xf32>, tensor<2x10xi32>)
      outs(%v, %p : tensor<2xf32>, tensor<2xi32>) {
  ^bb0(%a: f32, %b: f32):
    %2 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %2 : i1
  } -> tensor<2xf32>, tensor<2xi32>
  return
}

// CHECK-LABEL: func.func @gather
// CHECK: iree_linalg_ext.gather dimension_map = [0] ins(%arg0, %arg1 : tensor<100x16xf32>, tensor<8xi32>) outs(%arg4 : tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK: iree_linalg_ext.gather dimension_map = [1, 0] ins(%arg0, %arg2, %arg3 : tensor<100x16xf32>, tensor<8x2xi64>, tensor<8xi1>) outs(%arg5 : tensor<8xf32>) -> tensor<8xf32>
// CHECK: iree_linalg_ext.gather dimension_map = [0] ins(%arg0, %arg1 : tensor<100x16xf32>, tensor<8xi32>) outs(%arg4 : tensor<8x16xf32>) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:   iree_linalg_ext.yield %[[A]] : f32
// CHECK-NEXT: } -> tensor<8x16xf32>
func.func @gather(%x: tensor<100x16xf32>, %i: tensor<8xi32>, %j: tensor<8x2xi64>, %m: tensor<8xi1>, %o: tensor<8x16xf32>, %p: tensor<8xf32>) {
  %0 = iree_linalg_ext.gather dimension_map = [0]
      ins(%x, %i : tensor<100x16xf32>, tensor<8xi32>) outs(%o : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = iree_linalg_ext.gather dimension_map = [1, 0]
      ins(%x, %j, %m : tensor<100x16xf32>, tensor<8x2xi64>, tensor<8xi1>) outs(%p : tensor<8xf32>) -> tensor<8xf32>
  // As it was printed until 2025.
  %2 = iree_linalg_ext.gather dimension_map = [0]
      ins(%x, %i : tensor<100x16xf32>, tensor<8xi32>) outs(%o : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<8x16xf32>
  return
}

// CHECK-LABEL: func.func @scatter
// CHECK: iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%arg0, %arg1 : tensor<48x3xf32>, tensor<48x1xi32>) outs(%arg3 : tensor<128x3xf32>) {
// CHECK: } -> tensor<128x3xf32>
// CHECK: iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%arg0, %arg1, %arg2 : tensor<48x3xf32>, tensor<48x1xi32>, tensor<48xi8>) outs(%arg3 : tensor<128x3xf32>) {
func.func @scatter(%u: tensor<48x3xf32>, %i: tensor<48x1xi32>, %m: tensor<48xi8>, %o: tensor<128x3xf32>) {
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i : tensor<48x3xf32>, tensor<48x1xi32>) outs(%o : tensor<128x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<128x3xf32>
  %1 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false)
      ins(%u, %i, %m : tensor<48x3xf32>, tensor<48x1xi32>, tensor<48xi8>) outs(%o : tensor<128x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %2 = arith.addf %a, %b : f32
    iree_linalg_ext.yield %2 : f32
  } -> tensor<128x3xf32>
  return
}

// CHECK-LABEL: func.func @sort
// CHECK: iree_linalg_ext.sort dimension(0) outs(%arg0 : tensor<128xi32>) {
// CHECK: } -> tensor<128xi32>
// CHECK: iree_linalg_ext.sort dimension(0) outs(%arg1, %arg2 : tensor<?x?xi32>, tensor<?x?xf32>) {
// CHECK-NEXT: ^bb0(%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK: } -> tensor<?x?xi32>, tensor<?x?xf32>
func.func @sort(%x: tensor<128xi32>, %y: tensor<?x?xi32>, %z: tensor<?x?xf32>) {
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<128xi32>) {
  ^bb0(%a: i32, %b: i32):
    %2 = arith.cmpi sgt, %a, %b : i32
    iree_linalg_ext.yield %2 : i1
  } -> tensor<128xi32>
  %1:2 = iree_linalg_ext.sort dimension(0) outs(%y, %z : tensor<?x?xi32>, tensor<?x?xf32>) {
  ^bb0(%a: i32, %b: i32, %c: f32, %d: f32):
    %2 = arith.cmpf ogt, %c, %d : f32
    iree_linalg_ext.yield %2 : i1
  } -> tensor<?x?xi32>, tensor<?x?xf32>
  return
}

// CHECK-LABEL: func.func @topk
// CHECK: iree_linalg_ext.topk dimension(2) ins(%arg0, %arg1 : tensor<20x10x8x4xf32>, tensor<20x10x8x4xi32>) outs(%arg2, %arg3 : tensor<20x10x3x4xf32>, tensor<20x10x3x4xi32>) {
// CHECK: } -> tensor<20x10x3x4xf32>, tensor<20x10x3x4xi32>
// CHECK: iree_linalg_ext.topk dimension(2) ins(%arg0 : tensor<20x10x8x4xf32>) outs(%arg2, %arg3 :
func.func @topk(%x: tensor<20x10x8x4xf32>, %i: tensor<20x10x8x4xi32>, %v: tensor<20x10x3x4xf32>, %p: tensor<20x10x3x4xi32>) {
  %0:2 = iree_linalg_ext.topk dimension(2)
      ins(%x, %i : tensor<20x10x8x4xf32>, tensor<20x10x8x4xi32>) outs(%v, %p : tensor<20x10x3x4xf32>, tensor<20x10x3x4xi32>) {
  ^bb0(%a: f32, %b: f32):
    %2 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %2 : i1
  } -> tensor<20x10x3x4xf32>, tensor<20x10x3x4xi32>
  %1:2 = iree_linalg_ext.topk dimension(2)
      ins(%x : tensor<20x10x8x4xf32>) outs(%v, %p : tensor<20x10x3x4xf32>, tensor<20x10x3x4xi32>) {
  ^bb0(%a: f32, %b: f32):
    %2 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %2 : i1
  } -> tensor<20x10x3x4xf32>, tensor<20x10x3x4xi32>
  return
}
