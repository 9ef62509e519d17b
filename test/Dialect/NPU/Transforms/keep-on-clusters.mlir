// What is kept and loaded part by part is loaded in the first iteration of each cluster, by the first one for all of them: the extent follows from the counter
// of the cluster's own loop, as origins do not.

// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-distribute-clusters))' | FileCheck %s
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-distribute-clusters,npu-plan-memory,npu-pipeline-streams,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program{tight-waits=false}))' -o /dev/null

// CHECK-DAG: #[[ONCE:.*]] = affine_map<(d0) -> (d0 * -2 + 2, 1)>
// CHECK-DAG: #[[SHARE:.*]] = affine_map<(d0, d1) -> (d0 * 2 + d1)>
// CHECK-LABEL: npu.kernel @kept(
// CHECK: scf.forall (%[[CLUSTER:.*]]) in (4)
// CHECK: scf.for %[[I:.*]] = %c0 to %c2
// CHECK: affine.apply #[[SHARE]](%[[CLUSTER]], %[[I]])
// CHECK: scf.for
// CHECK: %[[COUNT:.*]] = affine.min #[[ONCE]](%[[I]])
// CHECK: npu.dma_load %{{.*}} extents(%[[COUNT]], %c64, %c32) {{.*}}clusters = 4
npu.kernel @kept(%a: tensor<128x64xf16>, %b: tensor<64x64xf16>) -> tensor<128x64xf32>
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{keep @matmul.rhs, for m = 16 clusters 4 {load @matmul.lhs x2, for n = 32 {load @matmul.rhs, @matmul -> acc x2}}}>} {
  %c = tensor.empty() : tensor<128x64xf32>
  %0 = npu.matmul %a, %b -> %c : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  npu.return %0 : tensor<128x64xf32>
}
