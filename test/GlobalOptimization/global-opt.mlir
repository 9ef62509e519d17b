// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-detach-elementwise-from-named-ops))' %s | FileCheck %s --check-prefix=DETACH
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-generalize-linalg-named-ops))' %s | FileCheck %s --check-prefix=GENERAL
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-propagate-linalg-transpose))' %s | FileCheck %s --check-prefix=TRANSPOSE
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-decompose-concat))' %s | FileCheck %s --check-prefix=CONCAT
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-convert-strided-contraction-to-contraction))' %s | FileCheck %s --check-prefix=STRIDED
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-quantized-matmul-to-matmul))' %s | FileCheck %s --check-prefix=QUANT

// A value to add to is added afterwards.
// DETACH-LABEL: @bias
// DETACH:         %[[F:.*]] = linalg.fill
// DETACH:         %[[M:.*]] = linalg.matmul {{.*}} outs(%[[F]]
// DETACH:         linalg.generic {{.*}} ins(%[[M]], %arg2
// DETACH:           arith.addf
util.func public @bias(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  util.return %0 : tensor<4x4xf32>
}

// A window without unit loops keeps its name, as the fill does.
// GENERAL-LABEL: @named
// GENERAL:         linalg.fill
// GENERAL:         linalg.conv_2d_nhwc_hwcf
// GENERAL-NOT:     linalg.transpose
// GENERAL:         linalg.generic
util.func public @named(%a: tensor<2x6x6x3xf32>, %b: tensor<3x3x3x8xf32>, %c: f32) -> tensor<8x4x4x2xf32> {
  %e = tensor.empty() : tensor<2x4x4x8xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<2x6x6x3xf32>, tensor<3x3x3x8xf32>) outs(%f : tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  %g = tensor.empty() : tensor<8x4x4x2xf32>
  %1 = linalg.transpose ins(%0 : tensor<2x4x4x8xf32>) outs(%g : tensor<8x4x4x2xf32>) permutation = [3, 1, 2, 0]
  util.return %1 : tensor<8x4x4x2xf32>
}

// A window with a unit loop does not.
// GENERAL-LABEL: @unit_batch
// GENERAL-NOT:     linalg.conv_2d
// GENERAL:         linalg.generic
util.func public @unit_batch(%a: tensor<1x6x6x3xf32>, %b: tensor<3x3x3x8xf32>, %c: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x6x6x3xf32>, tensor<3x3x3x8xf32>) outs(%c : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  util.return %0 : tensor<1x4x4x8xf32>
}

// So do reductions, whose elementwise neighbors are then of one kind.
// GENERAL-LABEL: @reduce
// GENERAL-NOT:     linalg.reduce
// GENERAL:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
util.func public @reduce(%a: tensor<4x8xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%i : tensor<4xf32>) dimensions = [1]
  util.return %0 : tensor<4xf32>
}

// TRANSPOSE-DAG:   #[[T:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// TRANSPOSE-LABEL: @transposed_b
// TRANSPOSE:         linalg.matmul indexing_maps = [#{{.*}}, #[[T]], #{{.*}}] ins(%arg0, %arg1
util.func public @transposed_b(%a: tensor<4x8xf32>, %b: tensor<6x8xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %e = tensor.empty() : tensor<8x6xf32>
  %t = linalg.transpose ins(%b : tensor<6x8xf32>) outs(%e : tensor<8x6xf32>) permutation = [1, 0]
  %0 = linalg.matmul ins(%a, %t : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  util.return %0 : tensor<4x6xf32>
}

// CONCAT-LABEL: @concat
// CONCAT:         tensor.insert_slice %arg0 into %{{.*}}[0] [2] [1]
// CONCAT:         tensor.insert_slice %arg1 into %{{.*}}[2] [3] [1]
util.func public @concat(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<5xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  util.return %0 : tensor<5xf32>
}

// STRIDED-LABEL: @strided
// STRIDED:         %[[S:.*]] = tensor.extract_slice %arg0[0, 0] [4, 8] [2, 1]
// STRIDED:         linalg.generic {{.*}} ins(%[[S]], %arg1
util.func public @strided(%a: tensor<8x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m * 2, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<8x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  util.return %0 : tensor<4x6xf32>
}

// The zero point 0 of B needs no correction.
// QUANT-LABEL: @quantized
// QUANT:         %[[M:.*]] = linalg.matmul ins(%arg0, %arg1
// QUANT:         %[[C:.*]] = linalg.generic {{.*}} ins(%arg1
// QUANT:         linalg.generic {{.*}} ins(%[[M]], %[[C]], %{{.*}} : tensor<4x6xi32>, tensor<6xi32>, i32)
// QUANT:           arith.muli
// QUANT:           arith.subi
util.func public @quantized(%a: tensor<4x8xi8>, %b: tensor<8x6xi8>, %c: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %za = arith.constant 3 : i32
  %zb = arith.constant 0 : i32
  %0 = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<4x8xi8>, tensor<8x6xi8>, i32, i32) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  util.return %0 : tensor<4x6xi32>
}
