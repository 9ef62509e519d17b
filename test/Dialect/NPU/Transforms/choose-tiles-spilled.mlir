// Sums in SRAM where the memory is slow and tiles of sums in the accumulator would load operands often; not where every tensor is moved once.

// RUN: npu-opt %s --npu-choose-tiles -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: npu-opt %s --npu-choose-tiles --remarks-filter=npu-tile 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: npu-opt %t.mlir --npu-tile-form-pipeline --npu-planned-form-pipeline --npu-program-pipeline -o /dev/null

#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

// A tile is a tile of sums; the memory has room for it, and the accumulator for two parts of it.
// CHECK-LABEL: npu.kernel @large
// CHECK-SAME: value @matmul -> sram, for k = {{[0-9]+}} {keep @matmul.{{[lr]}}hs, for {{[mn]}} = {{[0-9]+}} {load @matmul.{{[lr]}}hs x2, for {{[mn]}} = {{[0-9]+}} {load @matmul.{{[lr]}}hs, @matmul -> acc x2}}}, load @tail.arg2
// REMARK: Function=large {{.*}}accBytes=16384, {{.*}}sramBytes={{9[0-9][0-9][0-9][0-9]}}, tile="m=128 n=96 k=128"
npu.kernel @large(%A: tensor<256x2048xi8>, %B: tensor<2048x512xi8>, %bias: tensor<512xi32>) -> tensor<256x512xi8>
    attributes {target = #npu.target<"npu-v1:sramBytes=98304,accBytes=16384,dramBytesPerCycle=2">} {
  %s = tensor.empty() : tensor<256x512xi32>
  %o = tensor.empty() : tensor<256x512xi8>
  %0 = npu.matmul %A, %B -> %s : tensor<256x2048xi8>, tensor<2048x512xi8> -> tensor<256x512xi32>
  %1 = npu.binary add %0, %bias -> %s {indexing_maps = [#id, #column, #id]} : tensor<256x512xi32>, tensor<512xi32> -> tensor<256x512xi32>
  %2 = npu.requantize %1 -> %o {scale = 0.01 : f32, lo = -128, hi = 127} : tensor<256x512xi32> -> tensor<256x512xi8>
  npu.return %2 : tensor<256x512xi8>
}

// CHECK-LABEL: npu.kernel @once
// CHECK-NOT: @matmul -> sram
// CHECK: npu.return
npu.kernel @once(%A: tensor<64x640xi8>, %B: tensor<640x512xi8>) -> tensor<64x512xi32>
    attributes {target = #npu.target<"npu-v1:dramBytesPerCycle=2">} {
  %s = tensor.empty() : tensor<64x512xi32>
  %0 = npu.matmul %A, %B -> %s : tensor<64x640xi8>, tensor<640x512xi8> -> tensor<64x512xi32>
  npu.return %0 : tensor<64x512xi32>
}

// Sums that start from an operand are not spilled.
// CHECK-LABEL: npu.kernel @accumulates
// CHECK-NOT: @matmul -> sram
// CHECK: npu.return
npu.kernel @accumulates(%A: tensor<256x2048xi8>, %B: tensor<2048x512xi8>, %C: tensor<256x512xi32>) -> tensor<256x512xi32>
    attributes {target = #npu.target<"npu-v1:sramBytes=98304,accBytes=16384,dramBytesPerCycle=2">} {
  %0 = npu.matmul %A, %B -> %C {accumulate} : tensor<256x2048xi8>, tensor<2048x512xi8> -> tensor<256x512xi32>
  npu.return %0 : tensor<256x512xi32>
}
