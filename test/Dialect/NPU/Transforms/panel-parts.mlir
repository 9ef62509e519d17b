// A tile of fewer columns than a panel has loads these alone: the others would be those of the next tile, which loads them again.

// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-verify-tile-form))' -o %t.tiles.mlir
// RUN: FileCheck %s --input-file=%t.tiles.mlir
// RUN: npu-opt %t.tiles.mlir --npu-planned-form-pipeline -o %t.planned.mlir
// RUN: npu-opt %t.planned.mlir --npu-program-pipeline -o /dev/null
// RUN: npu-run --function=half --input="smallints(1)" --input="smallints(2)" --output=@%t.npy %s
// RUN: npu-run --function=half --input="smallints(1)" --input="smallints(2)" --expected_output=@%t.npy --equality_mode=exact %t.tiles.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-run --function=half --input="smallints(1)" --input="smallints(2)" --expected_output=@%t.npy --equality_mode=exact %t.planned.mlir | FileCheck %s --check-prefix=SAME
// SAME: expected output: match

// CHECK-LABEL: npu.kernel @half(
// CHECK: npu.dma_load %arg1[%{{.*}}] -> %{{.*}} extents(%{{[^,]*}}, %c64{{[_0-9]*}}, %c16{{[_0-9]*}}) fill
npu.kernel @half(%A: tensor<8x64xf16>, %B: tensor<64x48xf16>) -> tensor<8x48xf32>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{load @matmul.lhs, for n = 16 {load @matmul.rhs x2, @matmul -> acc x2}}>} {
  %c = tensor.empty() : tensor<8x48xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<8x64xf16>, tensor<64x48xf16> -> tensor<8x48xf32>
  npu.return %0 : tensor<8x48xf32>
}
