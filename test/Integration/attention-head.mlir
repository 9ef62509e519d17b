// An attention head without the reductions of its softmax, in f16, its schedule written by hand: for a strip of 16 rows, exp of a tile of
// scores goes from the vector unit to the array in SRAM while the array multiplies the next one; the context is one iteration behind.
// Q and the result move once, K and V once per strip, scores and weights never. The host computes the same in linalg on the same random
// inputs. Its exp and the NPU's may differ by an ulp of f32, after which a weight may round to the next f16: 2^-11 of it, in a sum of 96
// of them of either sign; twice that and the rounding of the result are allowed.

// RUN: npu-opt --npu-verify-tensor-form --npu-check-target --npu-tile-form-pipeline --npu-planned-form-pipeline --npu-program-pipeline %s -o %t.mlir
// RUN: npu-translate --mlir-to-npu-asm %t.mlir -o %t.npuasm
// RUN: rm -rf %t.d && npu-run --device=host --input='random(7)' --dump-intermediates=%t.d %S/Inputs/attention-head.mlir > %t.host
// RUN: npu-run --input=@%t.d/dispatch_0.input0.npy --input=@%t.d/dispatch_0.input1.npy --input=@%t.d/dispatch_0.input2.npy --output=@%t.bin %t.npuasm | FileCheck %s
// RUN: npu-run --device=host --input='random(7)' --expected_f16_threshold=0.001 --expected_rtol=0.001 --expected_output=64x16xf16=@%t.bin %S/Inputs/attention-head.mlir | FileCheck %s --check-prefix=SAME

// CHECK: kernel head on npu-v1: {{[0-9]+}} cycles, 196608 MACs, 26624 bytes read, 2048 written
// SAME: match: 1024 elements, {{[0-9][0-9][0-9]}} distinct values

npu.kernel @head(%q: tensor<64x16xf16>, %k: tensor<96x16xf16>, %v: tensor<96x16xf16>) -> tensor<64x16xf16>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{
        for scores.m = 16 {load @scores.lhs x2, value @context -> acc x2,
          for scores.n = 32 {load @scores.rhs x2, @scores -> acc x2, @weights -> sram x2, load @context.rhs x3,
              @context skew 1},
          @normalize -> sram x2}}>} {
  %e = tensor.empty() : tensor<64x96xf32>
  %h = tensor.empty() : tensor<64x96xf16>
  %f = tensor.empty() : tensor<64x16xf32>
  %g = tensor.empty() : tensor<64x16xf16>
  %0 = npu.matmul %q, %k -> %e {layout_b = #npu.layout<nk>, stage = "scores"} : tensor<64x16xf16>, tensor<96x16xf16> -> tensor<64x96xf32>
  %1 = npu.binary mul %0 -> %e {imm = 2.500000e-01 : f32, stage = "weights"} : tensor<64x96xf32> -> tensor<64x96xf32>
  %2 = npu.unary exp %1 -> %e {stage = "weights"} : tensor<64x96xf32> -> tensor<64x96xf32>
  %3 = npu.cast truncf %2 -> %h {stage = "weights"} : tensor<64x96xf32> -> tensor<64x96xf16>
  %4 = npu.matmul %3, %v -> %f {stage = "context"} : tensor<64x96xf16>, tensor<96x16xf16> -> tensor<64x16xf32>
  %5 = npu.binary mul %4 -> %f {imm = 7.812500e-03 : f32, stage = "normalize"} : tensor<64x16xf32> -> tensor<64x16xf32>
  %6 = npu.cast truncf %5 -> %g {stage = "normalize"} : tensor<64x16xf32> -> tensor<64x16xf16>
  npu.return %6 : tensor<64x16xf16>
}
