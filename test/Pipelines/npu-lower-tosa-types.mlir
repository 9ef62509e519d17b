// Types that upstream's lowerings write invalid IR for: the error names the op of the model, whoever reads it.

// RUN: not npu-opt %s --npu-lower-tosa 2>&1 | FileCheck %s
// RUN: not npu-run %s 2>&1 | FileCheck %s
// RUN: not npu-run --check %s 2>&1 | FileCheck %s
// RUN: not npu-run --plan %s 2>&1 | FileCheck %s
// RUN: not npu-translate --mlir-to-npu-json %s -o %t.json 2>&1 | FileCheck %s

// CHECK: :[[@LINE+8]]:8: error: 'tosa.rescale' op cannot be lowered to linalg with types ('tensor<4xi32>', 'tensor<1xi32>', 'tensor<1xi8>', 'tensor<1xi32>', 'tensor<1xi64>') -> ('tensor<4xi64>'); use types that its specification has
// CHECK: note: the lowering says: 'linalg.yield' op
// CHECK-NOT: error: 'linalg
func.func @main(%x: tensor<4xi32>) -> tensor<4xi64> {
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %in = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %out = "tosa.const"() <{values = dense<0> : tensor<1xi64>}> : () -> tensor<1xi64>
  %y = tosa.rescale %x, %multiplier, %shift, %in, %out {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true}
      : (tensor<4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi64>) -> tensor<4xi64>
  return %y : tensor<4xi64>
}
