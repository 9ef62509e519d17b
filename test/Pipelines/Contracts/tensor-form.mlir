// A fault that only npu-verify-tensor-form finds: the tensors have types that no engine knows, but nothing
// computes with them. Without the contract the kernel compiles.

// RUN: not npu-opt %s --npu-verify-tensor-form 2>&1 | FileCheck %s
// RUN: npu-opt %s --pass-pipeline="builtin.module(npu-check-target,npu-choose-tiles,npu.kernel(npu-lower-to-tiles,npu-verify-tile-form,npu-distribute-clusters,npu-fit-buffers,npu-plan-memory,npu-pipeline-streams,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program))" -o /dev/null

// CHECK: [[# @LINE+1]]:1: error: 'npu.kernel' op expected element type i1, i8, i16, i32, f16, bf16 or f32 of argument 1 but found 'f64'
npu.kernel @relu(%x: tensor<16xf32>, %unused: tensor<16xf64>) -> tensor<16xf32> attributes {target = #npu.target<"npu-v1">} {
  %empty = tensor.empty() : tensor<16xf32>
  %0 = npu.binary max %x -> %empty {imm = 0.000000e+00 : f32} : tensor<16xf32> -> tensor<16xf32>
  npu.return %0 : tensor<16xf32>
}
