// Positions that the vector unit makes: of a loop that is too long for a constant, and by hand.

// RUN: npu-opt %s --npu-tensor-form-pipeline=target=npu-v1 | FileCheck %s --check-prefix=FORM
// FORM-LABEL: @far
// FORM: npu.iota -> %{{.*}} {steps = array<i64: 1>} : tensor<2000000xi32>

// RUN: npu-run %s --check --npu-fallback=error --function=far "--input=smallints(3)" | FileCheck %s
// CHECK: on the NPU: 1 of 1 dispatches
// CHECK: matches host

// Tiles of a kernel know where they begin.
// RUN: split-file %S/Inputs/iota-kernel.mlir %t
// RUN: npu-opt --npu-choose-tiles %t/kernel.mlir | npu-opt --npu-tile-form-pipeline --npu-planned-form-pipeline --npu-program-pipeline \
// RUN:   | npu-translate --mlir-to-npu-asm -o %t/kernel.npuasm
// RUN: FileCheck %s --check-prefix=ASM < %t/kernel.npuasm
// ASM: vpu.iota {{.*}}values={start={{.*}}i0{{.*}}i1
// RUN: npu-run %t/kernel.npuasm --input=40x70xi32=5 --output=@%t/kernel.bin
// RUN: npu-run %t/function.mlir --check --input=40x70xi32=5 --output=@%t/function.bin | FileCheck %s
// RUN: cmp %t/kernel.bin %t/function.bin

func.func @far(%x: tensor<2000000xi32>) -> tensor<2000000xi32> {
  %e = tensor.empty() : tensor<2000000xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<2000000xi32>) outs(%e : tensor<2000000xi32>) {
  ^bb0(%v: i32, %o: i32):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i32
    %s = arith.muli %p, %v : i32
    linalg.yield %s : i32
  } -> tensor<2000000xi32>
  return %0 : tensor<2000000xi32>
}
