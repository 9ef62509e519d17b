// RUN: npu-opt %s --npu-front-half | FileCheck %s

// Loops, conditions and calls stay around the dispatches that are formed inside of them.

// CHECK-LABEL: util.func public @main
// CHECK:         %[[R:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (tensor<16x16xf32>)
// CHECK:           %[[C:.*]] = arith.cmpi eq, %[[I]]
// CHECK:           %[[IF:.*]] = scf.if %[[C]] -> (tensor<16x16xf32>)
// CHECK:             %[[M:.*]] = flow.dispatch @{{.*}}matmul_16x16x16_f32(%[[A]],
// CHECK:             scf.yield %[[M]]
// CHECK:           else
// CHECK:             %[[E:.*]] = flow.dispatch @{{.*}}elementwise_256_f32
// CHECK:             %[[S:.*]] = flow.tensor.reshape %[[E]]
// CHECK:             scf.yield %[[S]]
// CHECK:           scf.yield %[[IF]]
// CHECK:         hal.tensor.export %[[R]]
func.func private @step(%a: tensor<16x16xf32>, %w: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %m = linalg.matmul ins(%a, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %m : tensor<16x16xf32>
}

func.func @main(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %n: index) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<16x16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<16x16xf32> {
    %first = arith.cmpi eq, %i, %c0 : index
    %next = scf.if %first -> tensor<16x16xf32> {
      %m = func.call @step(%a, %w) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      scf.yield %m : tensor<16x16xf32>
    } else {
      %s = linalg.add ins(%a, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
      scf.yield %s : tensor<16x16xf32>
    }
    scf.yield %next : tensor<16x16xf32>
  }
  return %r : tensor<16x16xf32>
}
