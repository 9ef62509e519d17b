// Floats of bytes that are broadcast are computed where they are used, so that bytes lie in memory; not what a product leaves, what is as wide as what
// it is made of, what more than arithmetic makes, or what brings loops of its own.
// RUN: npu-opt %s --npu-dispatch-creation-elementwise-op-fusion | FileCheck %s --check-prefixes=CHECK,APART
// RUN: npu-opt %s --npu-dispatch-creation-elementwise-op-fusion="keep-narrow=true" | FileCheck %s --check-prefixes=CHECK,FUSED
// RUN: npu-opt %s --npu-front-half | FileCheck %s --check-prefix=NPU
// RUN: npu-opt %s --npu-front-half="mode=iree" | FileCheck %s --check-prefix=IREE

#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i) -> (i)>

// CHECK-LABEL: @points
// APART-COUNT-2: linalg.generic
// FUSED-COUNT-1: linalg.generic
// FUSED-NEXT:    ^bb0(%[[X:.*]]: f32, %[[Z:.*]]: i8, %{{.*}}: f32):
// FUSED-NEXT:      %[[F:.*]] = arith.sitofp %[[Z]] : i8 to f32
// FUSED-NEXT:      arith.subf %[[X]], %[[F]] : f32
// CHECK-NOT:     linalg.generic
// NPU-NOT: tensor<64xi8> -> tensor<64xf32>
// NPU:     (tensor<64x128xf32>, tensor<64xi8>) -> tensor<64x128xf32>
// IREE:    (tensor<64x128xf32>, tensor<64xf32>) -> tensor<64x128xf32>
util.func public @points(%x: tensor<64x128xf32>, %z: tensor<64xi8>) -> tensor<64x128xf32> {
  %few = tensor.empty() : tensor<64xf32>
  %f = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%z : tensor<64xi8>) outs(%few : tensor<64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %many = tensor.empty() : tensor<64x128xf32>
  %y = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %f : tensor<64x128xf32>, tensor<64xf32>) outs(%many : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  util.return %y : tensor<64x128xf32>
}

// CHECK-LABEL: @products
// CHECK: linalg.matvec
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-LABEL: @as_wide
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-LABEL: @roots
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-LABEL: @fields
// CHECK: linalg.generic
// CHECK: linalg.generic
util.func public @products(%x: tensor<64x128xf32>, %z: tensor<64x8xi8>, %w: tensor<8xi8>, %i: tensor<64xi8>) -> tensor<64x128xf32> {
  %p = linalg.matvec ins(%z, %w : tensor<64x8xi8>, tensor<8xi8>) outs(%i : tensor<64xi8>) -> tensor<64xi8>
  %few = tensor.empty() : tensor<64xf32>
  %f = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%p : tensor<64xi8>) outs(%few : tensor<64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %many = tensor.empty() : tensor<64x128xf32>
  %y = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %f : tensor<64x128xf32>, tensor<64xf32>) outs(%many : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  util.return %y : tensor<64x128xf32>
}
util.func public @as_wide(%x: tensor<64x128xf32>, %z: tensor<64xi32>) -> tensor<64x128xf32> {
  %few = tensor.empty() : tensor<64xf32>
  %f = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%z : tensor<64xi32>) outs(%few : tensor<64xf32>) {
  ^bb0(%a: i32, %o: f32):
    %0 = arith.sitofp %a : i32 to f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %many = tensor.empty() : tensor<64x128xf32>
  %y = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %f : tensor<64x128xf32>, tensor<64xf32>) outs(%many : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  util.return %y : tensor<64x128xf32>
}
util.func public @roots(%x: tensor<64x128xf32>, %z: tensor<64xf16>) -> tensor<64x128xf32> {
  %few = tensor.empty() : tensor<64xf32>
  %f = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%z : tensor<64xf16>) outs(%few : tensor<64xf32>) {
  ^bb0(%a: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = math.sqrt %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %many = tensor.empty() : tensor<64x128xf32>
  %y = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %f : tensor<64x128xf32>, tensor<64xf32>) outs(%many : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  util.return %y : tensor<64x128xf32>
}
util.func public @fields(%x: tensor<64x2x128xf32>, %z: tensor<64xi8>, %s: tensor<2xi8>) -> tensor<64x2x128xf32> {
  %few = tensor.empty() : tensor<64x2xf32>
  %f = linalg.generic {indexing_maps = [#rows, affine_map<(i, j) -> (j)>, #all], iterator_types = ["parallel", "parallel"]}
      ins(%z, %s : tensor<64xi8>, tensor<2xi8>) outs(%few : tensor<64x2xf32>) {
  ^bb0(%a: i8, %b: i8, %o: f32):
    %0 = arith.shrui %a, %b : i8
    %1 = arith.uitofp %0 : i8 to f32
    linalg.yield %1 : f32
  } -> tensor<64x2xf32>
  %many = tensor.empty() : tensor<64x2x128xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %f : tensor<64x2x128xf32>, tensor<64x2xf32>) outs(%many : tensor<64x2x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x2x128xf32>
  util.return %y : tensor<64x2x128xf32>
}
