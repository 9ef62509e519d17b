// RUN: npu-opt %s --npu-lower-to-tiles --npu-distribute-clusters | FileCheck %s

// What is not stored each cluster makes for itself, of what one transfer loads for both.
// CHECK-LABEL: npu.kernel @own
// CHECK: scf.forall (%{{.*}}) in (2) {
// CHECK: npu.dma_load %arg1[{{.*}}clusters = 2 : i64
// CHECK: npu.cast sitofp
// CHECK: scf.for
// CHECK: npu.dma_load %arg0[
// CHECK-NOT: clusters =
// CHECK: npu.matmul
// CHECK: npu.dma_store
npu.kernel @own(%x: tensor<8x64xf32>, %w: tensor<64x32xi8>) -> tensor<8x32xf32>
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{load @weights.arg1, @weights -> sram, for m = 4 clusters 2 {load @product.lhs, @product -> acc}}>} {
  %e = tensor.empty() : tensor<64x32xf32>
  %f = tensor.empty() : tensor<8x32xf32>
  %0 = npu.cast sitofp %w -> %e {stage = "weights"} : tensor<64x32xi8> -> tensor<64x32xf32>
  %1 = npu.matmul %x, %0 -> %f {stage = "product"} : tensor<8x64xf32>, tensor<64x32xf32> -> tensor<8x32xf32>
  npu.return %1 : tensor<8x32xf32>
}
