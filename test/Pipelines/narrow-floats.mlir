// Floats of 8 bits are refused before anything runs, in linalg and in what is dispatches already, also where only values inside of bodies have them.

// RUN: split-file %s %t
// RUN: not npu-run %t/body.mlir 2>&1 | FileCheck %s
// RUN: not npu-run --check %t/body.mlir 2>&1 | FileCheck %s
// RUN: not npu-run --plan %t/body.mlir 2>&1 | FileCheck %s
// RUN: not npu-run --timing-only %t/body.mlir 2>&1 | FileCheck %s
// RUN: not npu-translate --mlir-to-npu-json %t/body.mlir -o %t/out.json 2>&1 | FileCheck %s
// RUN: not npu-run --device=host %t/argument.mlir 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not ls %t/out.json

// CHECK: body.mlir:5:10: error: 'arith.truncf' op has the element type 'f8E4M3FN', expected floats of 16, 32 or 64 bits; neither the NPU nor the host computes narrower ones, so convert the model
// CHECK-NOT: error
// ARGUMENT: argument.mlir:2:3: error: 'func.return' op has the element type 'f4E2M1FN', expected floats of 16, 32 or 64 bits

//--- body.mlir
func.func @main(%x: tensor<8xf32>) -> tensor<8xbf16> {
  %e = tensor.empty() : tensor<8xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xbf16>) {
  ^bb0(%a: f32, %out: bf16):
    %0 = arith.truncf %a : f32 to f8E4M3FN
    %1 = arith.extf %0 : f8E4M3FN to bf16
    linalg.yield %1 : bf16
  } -> tensor<8xbf16>
  return %y : tensor<8xbf16>
}

//--- argument.mlir
func.func @main(%x: tensor<8xf4E2M1FN>) -> tensor<8xf4E2M1FN> {
  return %x : tensor<8xf4E2M1FN>
}
