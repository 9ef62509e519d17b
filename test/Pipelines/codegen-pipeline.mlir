// RUN: npu-opt %s --npu-codegen-pipeline="target=npu-v1" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=PASSES
// RUN: npu-opt %s --npu-codegen-pipeline="target=npu-v1" | FileCheck %s

// PASSES: npu-import-dispatches
// PASSES: npu-legalize-dispatches{fallback=error {{.*}}target=npu-v1}
// PASSES: npu-verify-tensor-form
// PASSES: npu-check-target
// PASSES: npu-choose-tiles
// PASSES: npu-lower-to-tiles
// PASSES: npu-verify-tile-form
// PASSES: npu-distribute-clusters
// PASSES: npu-materialize-scalars
// PASSES: npu-fit-buffers
// PASSES: npu-plan-memory
// PASSES: npu-pipeline-streams
// PASSES: npu-verify-planned-form
// PASSES: convert-npu-to-npu-isa
// PASSES: npu-verify-program

// CHECK-LABEL: npu_isa.program @matmul
// CHECK: npu_isa.stream dmai cluster(0)
// CHECK: npu_isa.dma.load
// CHECK: npu_isa.stream dmao cluster(0)
// CHECK: npu_isa.dma.store
// CHECK: npu_isa.stream mxu cluster(0)
// CHECK: npu_isa.mxu.matmul
// CHECK: npu_isa.stream vpu cluster(0)
// CHECK: npu_isa.vpu.binary
func.func @matmul(%a: tensor<130x300xf32>, %b: tensor<300x257xf32>, %bias: tensor<257xf32>) -> tensor<130x257xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<130x257xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<130x257xf32>) -> tensor<130x257xf32>
  %product = linalg.matmul ins(%a, %b : tensor<130x300xf32>, tensor<300x257xf32>) outs(%init : tensor<130x257xf32>) -> tensor<130x257xf32>
  %result = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%product, %bias : tensor<130x257xf32>, tensor<257xf32>) outs(%empty : tensor<130x257xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  } -> tensor<130x257xf32>
  return %result : tensor<130x257xf32>
}
